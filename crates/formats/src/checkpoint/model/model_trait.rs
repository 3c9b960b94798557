//! A rubric trait in one form, independent of how a dialect stores it.

use super::{PlacedValue, PropertyValue, TokenOrigin, UnknownMember};
use crate::checkpoint::traits::{TraitKind, TraitScope};
use evalgraph_json::{Limits, parse};
use std::borrow::Cow;

/// A trait.
#[derive(Debug, Clone)]
pub struct RubricTrait<'d> {
    /// The rating or definition; for a trait that is defined in a JSON string, the property with the string.
    pub origin: TokenOrigin<'d>,
    /// `@id`.
    pub id: Option<PlacedValue<'d>>,
    /// The kind of judgment.
    pub kind: TraitKind,
    /// Global, or for one question.
    pub scope: TraitScope,
    /// `name`.
    pub name: PlacedValue<'d>,
    /// `description`.
    pub description: Option<PlacedValue<'d>>,
    /// `bestRating`, in version 2.0 `max_score`.
    pub best: Option<PlacedValue<'d>>,
    /// `worstRating`, in version 2.0 `min_score`.
    pub worst: Option<PlacedValue<'d>>,
    /// `ratingValue`.
    pub rating_value: Option<PlacedValue<'d>>,
    /// `ratingExplanation`.
    pub rating_explanation: Option<PlacedValue<'d>>,
    /// The configuration in its order, duplicates too, under the names that ratings use.
    pub properties: Vec<PropertyValue<'d>>,
    /// Keys that are in no dialect.
    pub others: Vec<UnknownMember<'d>>,
}

/// A copy of a global trait on a question, as in the first specification.
#[derive(Debug, Clone)]
pub struct TraitCopy<'d> {
    /// The rating.
    pub origin: TokenOrigin<'d>,
    /// `@id`.
    pub id: Option<PlacedValue<'d>>,
    /// The `name` of the global trait.
    pub name: PlacedValue<'d>,
    /// `ratingValue`.
    pub rating_value: Option<PlacedValue<'d>>,
    /// `ratingExplanation`.
    pub rating_explanation: Option<PlacedValue<'d>>,
}

impl<'d> RubricTrait<'d> {
    /// Makes a trait with only a name.
    pub(super) fn new(
        origin: TokenOrigin<'d>,
        kind: TraitKind,
        scope: TraitScope,
        name: PlacedValue<'d>,
    ) -> Self {
        Self {
            origin,
            id: None,
            kind,
            scope,
            name,
            description: None,
            best: None,
            worst: None,
            rating_value: None,
            rating_explanation: None,
            properties: Vec::new(),
            others: Vec::new(),
        }
    }

    /// Returns the first property with that name.
    pub fn property(&self, name: &str) -> Option<&PropertyValue<'d>> {
        self.properties.iter().find(|property| property.name == name)
    }

    /// Returns the value of the first property with that name.
    pub fn setting(&self, name: &str) -> Option<&PlacedValue<'d>> {
        self.property(name).and_then(|property| property.value.as_ref())
    }

    /// Returns the kind of the result for a callable, agentic or dynamic trait, and the trait's own kind for any other.
    pub fn rated_kind(&self) -> TraitKind {
        if !matches!(self.kind, TraitKind::Callable | TraitKind::Agentic | TraitKind::Dynamic) {
            return self.kind;
        }
        match self.setting("kind") {
            Some(kind) if kind.is_object() => TraitKind::Template,
            Some(kind) if kind.is_text("literal") => TraitKind::Literal,
            Some(kind) if kind.is_text("score") => TraitKind::Score,
            Some(kind) if kind.is_text("boolean") => TraitKind::Boolean,
            _ if self.best.is_some() && !self.is_zero_to_one() => TraitKind::Score,
            _ => TraitKind::Boolean,
        }
    }

    /// Returns whether the range is 0 to 1.
    pub fn is_zero_to_one(&self) -> bool {
        let number = |value: &Option<PlacedValue<'_>>| value.as_ref().and_then(PlacedValue::as_f64);
        number(&self.best) == Some(1.0) && number(&self.worst) == Some(0.0)
    }

    /// Returns the worst and the best rating as JSON numbers: as written, or else as the kind implies.
    pub fn range(&self) -> (Cow<'_, str>, Cow<'_, str>) {
        let (worst, best) = match self.rated_kind() {
            TraitKind::Score => ("1".into(), "5".into()),
            TraitKind::Literal => ("0".into(), self.last_class().into()),
            TraitKind::Template => ("0".into(), "0".into()),
            _ => ("0".into(), "1".into()),
        };
        let given = |value: &'_ Option<PlacedValue<'d>>| {
            value.as_ref().map(|value| value.shown().into_owned().into())
        };
        (given(&self.worst).unwrap_or(worst), given(&self.best).unwrap_or(best))
    }

    /// Returns the number of the last class, counted from 0.
    fn last_class(&self) -> String {
        let classes = self.setting("classes").map_or("", PlacedValue::as_json);
        let count = parse("classes", classes.to_owned(), Limits::default())
            .map_or(0, |classes| classes.members(classes.root()).count());
        count.saturating_sub(1).to_string()
    }
}
