//! The kinds of rubric traits and how each is told from the way it is stored.

use super::keys::{Key, Keyed};
use crate::json::TokenId;

/// Tells what a trait asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TraitKind {
    /// Judged by a model: yes or no.
    Boolean,
    /// Judged by a model: a number in a range.
    Score,
    /// Judged by a model: one of named classes.
    Literal,
    /// Judged by a model: an object after a JSON Schema.
    Template,
    /// A regular expression.
    Regex,
    /// Python code.
    Callable,
    /// Precision, recall and their like over instructions.
    Metric,
    /// Judged by an agent.
    Agentic,
    /// Made at the time of the evaluation.
    Dynamic,
}

impl TraitKind {
    /// All kinds in the order in which they are shown.
    pub const ALL: [Self; 9] = [
        Self::Boolean,
        Self::Score,
        Self::Literal,
        Self::Template,
        Self::Regex,
        Self::Callable,
        Self::Metric,
        Self::Agentic,
        Self::Dynamic,
    ];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Score => "score",
            Self::Literal => "literal",
            Self::Template => "template",
            Self::Regex => "regex",
            Self::Callable => "callable",
            Self::Metric => "metric",
            Self::Agentic => "agentic",
            Self::Dynamic => "dynamic",
        }
    }
}

/// Whom a trait is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TraitScope {
    /// Every question of the checkpoint.
    Global,
    /// The question that it stands on.
    Question,
}

/// The scope of a rating; `at_root` says that the checkpoint itself has it.
pub(super) fn scope_of(keyed: &Keyed<'_>, rating: TokenId, at_root: bool) -> TraitScope {
    let says_global = keyed.members(rating).any(|(key, value)| match key {
        Key::AdditionalType => {
            let name = keyed.document.string(value).unwrap_or_default();
            name.strip_prefix("karenina:").unwrap_or(&name).starts_with("Global")
        }
        Key::Author => keyed.is_text(value, "Global Rubric"),
        _ => false,
    });
    if at_root || says_global { TraitScope::Global } else { TraitScope::Question }
}

/// The kind of a rating.
pub(super) fn kind_of(keyed: &Keyed<'_>, rating: TokenId) -> TraitKind {
    let name = keyed.get(rating, Key::AdditionalType).and_then(|value| keyed.document.string(value));
    let name = name.as_deref().unwrap_or_default();
    let name = name.strip_prefix("karenina:").unwrap_or(name);
    let stem = name.strip_prefix("Global").or_else(|| name.strip_prefix("QuestionSpecific")).unwrap_or(name);
    match stem {
        "RegexTrait" => TraitKind::Regex,
        "CallableTrait" => TraitKind::Callable,
        "MetricRubricTrait" => TraitKind::Metric,
        "AgenticRubricTrait" => TraitKind::Agentic,
        "DynamicRubricTrait" => TraitKind::Dynamic,
        // Autumn 2025: a pattern, or the name of a function.
        "ManualRubricTrait" if property(keyed, rating, "pattern").is_some() => TraitKind::Regex,
        "ManualRubricTrait" => TraitKind::Callable,
        _ => model_kind(keyed, rating),
    }
}

/// The kind of a trait that a model judges: as it says, else by its range. A score from 0 to 1 that
/// does not say so cannot be told from a boolean, for Karenina's own readers either.
fn model_kind(keyed: &Keyed<'_>, rating: TokenId) -> TraitKind {
    match property(keyed, rating, "kind") {
        Some(kind) if keyed.document.is_object(kind) => return TraitKind::Template,
        Some(kind) if keyed.is_text(kind, "literal") => return TraitKind::Literal,
        Some(kind) if keyed.is_text(kind, "score") => return TraitKind::Score,
        Some(kind) if keyed.is_text(kind, "boolean") => return TraitKind::Boolean,
        _ => {}
    }
    let number = |key| keyed.get(rating, key).and_then(|value| keyed.number(value));
    let boolean = number(Key::BestRating) == Some(1.0) && number(Key::WorstRating) == Some(0.0);
    if boolean { TraitKind::Boolean } else { TraitKind::Score }
}

fn property(keyed: &Keyed<'_>, rating: TokenId, name: &str) -> Option<TokenId> {
    let properties = keyed.get(rating, Key::AdditionalProperty)?;
    keyed.property(properties, name)
}

/// The kind of a trait in a rubric object, where `list` is the key of the list it stands in.
pub(super) fn kind_in_rubric(keyed: &Keyed<'_>, list: &str, definition: TokenId) -> Option<TraitKind> {
    match list {
        "regex_traits" => Some(TraitKind::Regex),
        "callable_traits" => Some(TraitKind::Callable),
        "metric_traits" => Some(TraitKind::Metric),
        "agentic_traits" => Some(TraitKind::Agentic),
        "dynamic_traits" => Some(TraitKind::Dynamic),
        "manual_traits" if keyed.document.get(definition, "pattern").is_some() => Some(TraitKind::Regex),
        "manual_traits" => Some(TraitKind::Callable),
        "traits" | "llm_traits" => Some(match keyed.get(definition, Key::Kind) {
            Some(kind) if keyed.document.is_object(kind) => TraitKind::Template,
            Some(kind) if keyed.is_text(kind, "literal") => TraitKind::Literal,
            Some(kind) if keyed.is_text(kind, "score") => TraitKind::Score,
            _ => TraitKind::Boolean,
        }),
        _ => None,
    }
}
