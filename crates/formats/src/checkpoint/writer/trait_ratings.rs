//! Writes traits as ratings, as each form requires.
//!
//! `JsonLdWriter` is defined in `checkpoint_items.rs`.

use super::acceptance::{kind_of_callable, refusal_of_trait, type_name};
use super::checkpoint_form::CheckpointForm;
use super::checkpoint_items::JsonLdWriter;
use super::ledger::{ConversionLedger, PartPath};
use super::version_2_traits::{
    judged_definition, kind_in_words, lose_values, metric_definition, number_of, quoted,
};
use crate::checkpoint::identifiers::interface_rating_id;
use crate::checkpoint::model::{
    Checkpoint, CheckpointQuestion, PlacedValue, PropertyValue, RubricTrait, TokenOrigin, TraitCopy,
};
use crate::checkpoint::traits::{TraitKind, TraitScope};
use evalgraph_diagnostics::article::with_article;

/// The prefix of settings that the user interface writes as keys of the rating, for traits that a model judges.
const DIRECT: &str = "deep_judgment_";

impl<'w, 'd> JsonLdWriter<'w, 'd> {
    /// Finds the global traits that the form can represent, and reports the others.
    pub(super) fn choose_globals(&mut self) {
        for (at, read) in self.checkpoint.global_traits.iter().enumerate() {
            if !self.is_lost(read, &PartPath::below("/global_traits")) {
                self.held_globals.push(at);
            }
        }
    }

    /// Returns whether a trait is left out, because the form cannot represent it or its reader refuses it. Such a trait
    /// is reported.
    fn is_lost(&mut self, read: &RubricTrait<'d>, list: &PartPath<'_>) -> bool {
        let is_held = !self.options.purpose.is_file() || holds(self.form, read.kind);
        let refusal = if is_held { refusal_of_trait(read, self.form, self.options) } else { None };
        if is_held && refusal.is_none() {
            return false;
        }
        let reason = refusal.map(|why| format!(", which its reader refuses: {why}")).unwrap_or_default();
        let subject = format!("{}{reason}", kind_in_words(read));
        self.ledger.loss(subject, list.named(&read.name), read.origin);
        true
    }

    fn held_globals(&self) -> Vec<&'w RubricTrait<'d>> {
        self.held_globals.iter().map(|&at| &self.checkpoint.global_traits[at]).collect()
    }

    /// Writes the ratings of the checkpoint itself; in the first specification each question has copies instead.
    pub(super) fn root_ratings(&mut self) {
        if self.form == CheckpointForm::Specification || self.held_globals.is_empty() {
            return;
        }
        self.out.open_property(self.rating_property());
        for read in self.held_globals() {
            self.rating(read, &PartPath::below("/global_traits"));
        }
        self.out.close_property();
    }

    fn rating_property(&self) -> &'static str {
        if self.form == CheckpointForm::Library { "contentRating" } else { "rating" }
    }

    /// Writes the metrics of the checkpoint also as a JSON string: the user interface writes them as ratings, but reads
    /// them only from this property.
    pub(super) fn metric_text(&mut self) {
        let is_file = self.options.purpose.is_file();
        if self.form != CheckpointForm::Interface || !is_file {
            return;
        }
        let metrics = self.held_globals().into_iter().filter(|read| read.kind == TraitKind::Metric);
        let definitions: Vec<String> = metrics.map(metric_definition).collect();
        self.text_of_definitions("global_metric_rubric_traits", &definitions);
    }

    /// Writes the global traits as the JSON string that the first specification has in addition to their copies.
    pub(super) fn trait_text(&mut self) {
        let definitions: Vec<String> = self.held_globals().into_iter().map(judged_definition).collect();
        self.text_of_definitions("global_rubric_traits", &definitions);
    }

    fn text_of_definitions(&mut self, name: &str, definitions: &[String]) {
        if definitions.is_empty() {
            return;
        }
        self.out.property_value(name, Some(&quoted(&format!("[{}]", definitions.join(",")))));
    }

    pub(super) fn question_ratings(&mut self, question: &'w CheckpointQuestion<'d>, part: &PartPath<'_>) {
        let mut held = Vec::with_capacity(question.traits.len());
        for read in &question.traits {
            if !self.is_lost(read, &part.field("traits")) {
                held.push(read);
            }
        }
        let copied = self.form == CheckpointForm::Specification && !self.held_globals.is_empty();
        if !held.is_empty() || copied {
            self.out.open_property(self.rating_property());
            if self.form == CheckpointForm::Specification {
                for read in self.held_globals() {
                    let copy = question.copies.iter().find(|copy| copy.name == read.name);
                    self.copy(read, copy, question, part);
                }
            }
            for read in held {
                self.rating(read, &part.field("traits"));
            }
            self.out.close_property();
        }
        if self.form != CheckpointForm::Specification {
            lose_copies(&mut self.ledger, self.checkpoint, question, part);
        }
    }

    /// Writes the copy of a global trait on a question.
    fn copy(
        &mut self,
        read: &'w RubricTrait<'d>,
        copy: Option<&'w TraitCopy<'d>>,
        question: &'w CheckpointQuestion<'d>,
        part: &PartPath<'_>,
    ) {
        let copies = part.field("copies");
        let part = copies.named(&read.name);
        let id = copy.and_then(|copy| copy.id.as_ref()).or(read.id.as_ref());
        let origin = copy.map_or(question.origin, |copy| copy.origin);
        let value = copy.and_then(|copy| copy.rating_value.as_ref()).or(read.rating_value.as_ref());
        let explanation = copy.and_then(|copy| copy.rating_explanation.as_ref());
        let made = || interface_rating_id(&read.name.shown());
        let id = self.part_id(id, made, "`@id` of a rating", &part, origin);
        self.out.open("Rating", id.as_deref());
        self.out.value_text("name", &read.name);
        self.out.maybe_text("description", read.description.as_ref());
        self.numbers(read, value, &part, origin);
        self.out.text("author", "Global Rubric");
        self.out.maybe_text("ratingExplanation", explanation.or(read.rating_explanation.as_ref()));
        self.out.close();
    }

    fn rating(&mut self, read: &'w RubricTrait<'d>, list: &PartPath<'_>) {
        let part = list.named(&read.name);
        let made = || interface_rating_id(&read.name.shown());
        let id = self.part_id(read.id.as_ref(), made, "`@id` of a rating", &part, read.origin);
        self.out.open("Rating", id.as_deref());
        self.out.value_text("name", &read.name);
        self.out.maybe_text("description", read.description.as_ref());
        let type_name = type_name(read, self.form);
        if self.form == CheckpointForm::Interface {
            self.out.text("additionalType", &type_name);
        }
        self.numbers(read, read.rating_value.as_ref(), &part, read.origin);
        match self.form {
            CheckpointForm::Library => {
                self.out.maybe_text("ratingExplanation", read.rating_explanation.as_ref());
                self.out.text("additionalType", &type_name);
            }
            CheckpointForm::Specification => {
                self.out.text("author", "Question-Specific Rubric");
                self.out.maybe_text("ratingExplanation", read.rating_explanation.as_ref());
            }
            // The user interface reads a rating as the definition of a trait, and definitions have no value.
            _ => lose_values(&mut self.ledger, read, &part),
        }
        self.settings(read, &part);
        self.ledger.lose_others(&read.others, "a trait", &part);
        self.out.close();
    }

    /// Writes the range, and the value if the form has one.
    fn numbers(
        &mut self,
        read: &RubricTrait<'d>,
        value: Option<&PlacedValue<'d>>,
        part: &PartPath<'_>,
        origin: TokenOrigin<'d>,
    ) {
        let form = self.form;
        let (worst, best) = read.range();
        if read.scope == TraitScope::Question || form != CheckpointForm::Specification {
            self.list_missing_range(read, part);
        }
        let worst = number_of(&worst, form);
        if form == CheckpointForm::Specification {
            match value {
                Some(value) => self.out.property("ratingValue", &number_of(&value.shown(), form)),
                None => {
                    let subject = "`ratingValue` of a rating";
                    self.ledger.filled(subject, part.field("rating_value"), origin);
                    self.out.property("ratingValue", &worst);
                }
            }
        }
        self.out.property("bestRating", &number_of(&best, form));
        self.out.property("worstRating", &worst);
        if let (CheckpointForm::Library, Some(value)) = (form, value) {
            self.out.property("ratingValue", &number_of(&value.shown(), form));
        }
    }

    /// Records the missing range of a score as filled in.
    fn list_missing_range(&mut self, read: &RubricTrait<'d>, part: &PartPath<'_>) {
        if read.rated_kind() != TraitKind::Score {
            return;
        }
        for (field, value) in [("best", &read.best), ("worst", &read.worst)] {
            if value.is_none() {
                self.ledger.filled(format!("`{field}Rating` of a trait"), part.field(field), read.origin);
            }
        }
    }

    fn settings(&mut self, read: &'w RubricTrait<'d>, part: &PartPath<'_>) {
        let is_judged = matches!(read.kind, TraitKind::Boolean | TraitKind::Score);
        let mut listed = Vec::new();
        for (at, property) in read.properties.iter().enumerate() {
            if self.form != CheckpointForm::Library && says_the_same(read, property) {
                continue;
            }
            if property.is_implied {
                if !self.options.purpose.is_file() {
                    continue;
                }
                let subject = format!("`{}` of {} trait", property.name, with_article(read.kind.name()));
                self.ledger.filled(subject, part.field("properties").field(&property.name), property.origin);
            }
            match &property.value {
                Some(value)
                    if self.form == CheckpointForm::Interface
                        && is_judged
                        && property.name.starts_with(DIRECT) =>
                {
                    // If two settings have the same name, the last one is used.
                    let mut later = read.properties[at + 1..].iter();
                    if !later.any(|later| later.name == property.name && later.value.is_some()) {
                        self.out.property(&property.name, value.as_json());
                    }
                }
                _ => listed.push(property),
            }
        }
        let needed = self.needed_settings(read, part);
        if listed.is_empty() && needed.is_empty() {
            return;
        }
        self.out.open_property("additionalProperty");
        self.properties(listed, "a trait", part);
        for (name, json) in needed {
            self.out.property_value(name, Some(&json));
        }
        self.out.close_property();
    }

    /// Returns settings that repeat the range and kind of a score. The library reads the range from them, and treats a
    /// score from 0 to 1 as a boolean unless the kind is stated.
    fn needed_settings(
        &mut self,
        read: &RubricTrait<'d>,
        part: &PartPath<'_>,
    ) -> Vec<(&'static str, String)> {
        let mut needed = Vec::new();
        if let Some(kind) = kind_of_callable(read, self.form).filter(|_| self.options.purpose.is_file()) {
            self.ledger.filled(
                "`kind` of a callable trait",
                part.field("properties").field("kind"),
                read.origin,
            );
            needed.push(("kind", format!("\"{kind}\"")));
        }
        if read.kind != TraitKind::Score {
            return needed;
        }
        let says_kind = self.form == CheckpointForm::Library && read.setting("kind").is_some();
        if read.is_zero_to_one() && !says_kind {
            if self.form == CheckpointForm::Interface && self.options.purpose.is_file() {
                let subject = "kind score of a trait with the range 0 to 1";
                self.ledger.loss(subject, part.field("kind"), read.origin);
            } else {
                needed.push(("kind", "\"score\"".to_owned()));
            }
        }
        if self.form == CheckpointForm::Library {
            let (worst, best) = read.range();
            // The library accepts only whole numbers in these settings.
            let is_whole =
                |number: &str| number.trim().parse::<f64>().is_ok_and(|number| number.fract() == 0.0);
            for (name, number) in [("min_score", worst), ("max_score", best)] {
                if read.setting(name).is_none() && is_whole(&number) {
                    needed.push((name, number_of(&number, CheckpointForm::Interface).into_owned()));
                }
            }
        }
        needed
    }
}

/// Returns whether a setting of a boolean or a score repeats the range. Only the library's reader needs such settings.
fn says_the_same(read: &RubricTrait<'_>, property: &PropertyValue<'_>) -> bool {
    if !matches!(read.kind, TraitKind::Boolean | TraitKind::Score) {
        return false;
    }
    let (worst, best) = read.range();
    let is_end = |end: &str| match &property.value {
        Some(value) => value.as_f64() == end.trim().parse().ok(),
        None => read.kind == TraitKind::Score,
    };
    match property.name.as_str() {
        "kind" => true,
        "min_score" => is_end(&worst),
        "max_score" => is_end(&best),
        _ => false,
    }
}

/// Records the ids and values of copies of global traits as lost, for forms without copies.
pub(super) fn lose_copies<'d>(
    ledger: &mut ConversionLedger<'d>,
    checkpoint: &Checkpoint<'d>,
    question: &CheckpointQuestion<'d>,
    part: &PartPath<'_>,
) {
    for copy in &question.copies {
        let copies = part.field("copies");
        let part = copies.named(&copy.name);
        let own = checkpoint.global_traits.iter().find(|read| read.name == copy.name);
        let own_id = own.and_then(|read| read.id.as_ref());
        let id = copy.id.as_ref().filter(|id| Some(*id) != own_id);
        ledger.lose_value("`@id` of a global trait on a question", part.field("id"), id);
        let value = copy.rating_value.as_ref();
        ledger.lose_value("`ratingValue` of a global trait on a question", part.field("rating_value"), value);
        let subject = "`ratingExplanation` of a global trait on a question";
        ledger.lose_value(subject, part.field("rating_explanation"), copy.rating_explanation.as_ref());
    }
}

/// Returns whether a form can represent a kind of trait.
fn holds(form: CheckpointForm, kind: TraitKind) -> bool {
    match form {
        CheckpointForm::Library => true,
        CheckpointForm::Specification => matches!(kind, TraitKind::Boolean | TraitKind::Score),
        _ => !matches!(
            kind,
            TraitKind::Literal | TraitKind::Template | TraitKind::Agentic | TraitKind::Dynamic
        ),
    }
}
