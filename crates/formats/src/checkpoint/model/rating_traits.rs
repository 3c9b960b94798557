//! Reads traits from ratings, and distinguishes copies of global traits from traits of a question.
//!
//! `CheckpointReader` is defined in `checkpoint_reader.rs`.

use super::checkpoint_reader::CheckpointReader;
use super::rubric::{NOT_REPEATED, imply};
use super::{CheckpointQuestion, PlacedValue, PropertyValue, RubricTrait, TraitCopy};
use crate::checkpoint::traits::{self, FORMS, TraitKind, TraitScope};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity};
use evalgraph_json::TokenId;

impl<'d> CheckpointReader<'d> {
    /// Reads the ratings of the checkpoint itself, which are all global traits.
    pub(super) fn root_ratings(&mut self, ratings: TokenId, traits: &mut Vec<RubricTrait<'d>>) {
        let ratings = self.keyed.each(ratings);
        traits.extend(ratings.filter_map(|rating| self.rating(rating, TraitScope::Global)));
    }

    /// Reads the ratings of a question. A global trait is kept even if only its copies mention it.
    pub(super) fn question_ratings(
        &mut self,
        ratings: TokenId,
        question: &mut CheckpointQuestion<'d>,
        global: &mut Vec<RubricTrait<'d>>,
    ) {
        for rating in self.keyed.each(ratings) {
            let scope = traits::scope_of(&self.keyed, rating, false);
            let Some(mut read) = self.rating(rating, scope) else { continue };
            if scope == TraitScope::Question {
                question.traits.push(read);
                continue;
            }
            question.copies.push(TraitCopy {
                origin: read.origin,
                id: read.id.clone(),
                name: read.name.clone(),
                rating_value: read.rating_value.take(),
                rating_explanation: read.rating_explanation.take(),
            });
            match global.iter_mut().find(|known| known.name == read.name) {
                None => {
                    self.first_copies.insert(rating);
                    global.push(read);
                }
                Some(known) if !is_same(known, &read) => {
                    let message = format!(
                        "the copy of the global trait `{}` differs from the first one, which is used",
                        read.name.shown()
                    );
                    let warning = Diagnostic::warning("karenina::differing-copy", message);
                    self.find_beside(warning, rating, known.origin.token, "the first one");
                }
                // Each copy may have its own id; in that case the trait has none.
                Some(known) if known.id != read.id && self.first_copies.contains(&known.origin.token) => {
                    known.id = None;
                }
                Some(_) => {}
            }
        }
    }

    fn rating(&mut self, rating: TokenId, scope: TraitScope) -> Option<RubricTrait<'d>> {
        let document = self.document;
        // Settings that the library writes as the first properties are keys in the user interface's files.
        let (mut properties, mut listed, mut others) = (Vec::new(), Vec::new(), Vec::new());
        let keys =
            ["@id", "name", "description", "bestRating", "worstRating", "ratingValue", "ratingExplanation"];
        let found = self.scalars(rating, keys, |reader, key, value| match key {
            "author" => {}
            "@type" => drop(reader.expect_class(value, "Rating")),
            "additionalType" => reader.check_type(value),
            "additionalProperty" => listed = reader.properties(value),
            _ if key.starts_with("deep_judgment_") => {
                let found = reader.one(key, value).map(|one| PlacedValue::at(document, one));
                properties.push(PropertyValue::new(key, found, reader.origin(value)));
            }
            _ => others.push(reader.other(key, value)),
        });
        let [id, name, description, best, worst, rating_value, rating_explanation] = found;
        let name = self.need(name, "karenina::no-name", "a rating without `name`", rating)?;
        properties.append(&mut listed);
        let kind = traits::kind_of(&self.keyed, rating);
        let mut read = RubricTrait {
            id,
            description,
            best,
            worst,
            rating_value,
            rating_explanation,
            properties,
            others,
            ..RubricTrait::new(self.origin(rating), kind, scope, name)
        };
        if kind == TraitKind::Metric && self.dialect.is_of_interface() {
            read = imply(read, &NOT_REPEATED);
        }
        self.encode_code(&mut read);
        self.check_range(&read);
        Some(read)
    }

    fn check_type(&mut self, value: TokenId) {
        let Some(name) = self.document.string(value) else { return };
        let name = name.strip_prefix("karenina:").unwrap_or(&name);
        let stem = name.strip_prefix("Global").or_else(|| name.strip_prefix("QuestionSpecific"));
        if !stem.is_some_and(|stem| FORMS.iter().any(|form| form.stem == stem)) {
            let message = format!("no kind of trait is called `{name}`");
            self.find(FindingSeverity::Error, "karenina::trait-kind", message, value);
        }
    }

    /// Checks that both ends of a range are numbers, that the worst is not above the best, and that a value is a
    /// number.
    pub(super) fn check_range(&mut self, read: &RubricTrait<'d>) {
        for value in [&read.best, &read.worst, &read.rating_value].into_iter().flatten() {
            if value.as_f64().is_none() {
                let message = format!("`{}` is not a number, as a rating requires", value.shown());
                self.find(FindingSeverity::Error, "karenina::no-number", message, value.origin.token);
                return;
            }
        }
        let (Some(best), Some(worst)) = (&read.best, &read.worst) else { return };
        if worst.as_f64() > best.as_f64() {
            let message = format!(
                "the worst rating of the trait `{}`, {}, is above the best, {}",
                read.name.shown(),
                worst.shown(),
                best.shown()
            );
            self.find(FindingSeverity::Error, "karenina::range", message, worst.origin.token);
        }
    }
}

/// Returns whether two traits ask for the same judgment. A score from 0 to 1 may appear as a boolean.
pub(super) fn is_same(one: &RubricTrait<'_>, other: &RubricTrait<'_>) -> bool {
    let numbers = |read: &RubricTrait<'_>| {
        let (worst, best) = read.range();
        (worst.trim().parse::<f64>().ok(), best.trim().parse::<f64>().ok())
    };
    let has_range = |read: &RubricTrait<'_>| matches!(read.kind, TraitKind::Boolean | TraitKind::Score);
    one.description == other.description
        && numbers(one) == numbers(other)
        && (one.kind == other.kind || (has_range(one) && has_range(other)))
}
