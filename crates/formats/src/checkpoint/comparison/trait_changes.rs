//! The differences between the traits of two checkpoints, or of two questions.
//!
//! `ObjectChanges` is defined in `comparison/mod.rs`.

use super::super::model::{PlacedValue, RubricTrait};
use super::sameness::same_properties;
use super::{ObjectChanges, paired, shown};
use evalgraph_diagnostics::article::with_article;

impl<'d> ObjectChanges<'_, 'd> {
    /// Compares traits by name. If a name is repeated, its occurrences are paired in order.
    pub(super) fn traits(&mut self, before: &[RubricTrait<'d>], after: &[RubricTrait<'d>]) {
        for pair in paired(before, after, |own| own.name.as_json()) {
            match pair {
                (Some(left), Some(right)) => self.trait_pair(left, right),
                (Some(left), None) => self.at(&["traits", &left.name.shown()], [Some(&whole(left)), None]),
                (None, Some(right)) => self.at(&["traits", &right.name.shown()], [None, Some(&whole(right))]),
                (None, None) => {}
            }
        }
    }

    pub(super) fn trait_pair(&mut self, before: &RubricTrait<'d>, after: &RubricTrait<'d>) {
        let outer = self.origins;
        self.origins = [before.origin, after.origin];
        let name = before.name.shown().into_owned();
        let both = [before, after];
        let kinds = both.map(|own| PlacedValue::text(own.kind.name(), own.origin));
        self.at(&["traits", &name, "kind"], kinds.each_ref().map(Some));
        self.at(&["traits", &name, "description"], both.map(|own| own.description.as_ref()));
        self.at(&["traits", &name, "ratingExplanation"], both.map(|own| own.rating_explanation.as_ref()));
        let worst = before.range().0.into_owned();
        self.rating_value(&name, both.map(|own| own.rating_value.as_ref()), Some(&worst));
        self.ranges(before, after, &name);
        for (left, right) in paired(&before.properties, &after.properties, |property| &property.name) {
            let property = left.or(right).map_or("", |property| property.name.as_str());
            // Some programs leave out settings that repeat the range.
            let repeats = self.comparer.is_across && ["min_score", "max_score"].contains(&property);
            if !repeats && !same_properties(left, right, self.comparer.is_across) {
                self.push(&["traits", &name, property], [shown(left).as_ref(), shown(right).as_ref()]);
            }
        }
        if !self.comparer.is_across {
            self.at(&["traits", &name, "@id"], both.map(|own| own.id.as_ref()));
        }
        self.origins = outer;
    }

    fn ranges(&mut self, before: &RubricTrait<'d>, after: &RubricTrait<'d>, name: &str) {
        let ((left_worst, left_best), (right_worst, right_best)) = (before.range(), after.range());
        let ends = [
            ("worstRating", (&before.worst, left_worst), (&after.worst, right_worst)),
            ("bestRating", (&before.best, left_best), (&after.best, right_best)),
        ];
        for (field, (left, left_number), (right, right_number)) in ends {
            let number = |text: &str| text.parse::<f64>().ok();
            let is_same = left_number == right_number
                || (number(&left_number).is_some() && number(&left_number) == number(&right_number));
            if !is_same {
                self.push(&["traits", name, field], [left.as_ref(), right.as_ref()]);
            }
        }
    }
}

/// Describes a trait that only one side has, by naming its kind.
fn whole<'d>(own: &RubricTrait<'d>) -> PlacedValue<'d> {
    PlacedValue::text(&format!("{} trait", with_article(own.kind.name())), own.origin)
}
