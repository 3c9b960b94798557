//! The kinds of rubric traits, and how to determine the kind of a stored trait.

use super::checkpoint_keys::{CheckpointKey, KeyedDocument};
use evalgraph_json::TokenId;

/// The kind of judgment that a trait asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TraitKind {
    /// Judged by a model: yes or no.
    Boolean,
    /// Judged by a model: a number in a range.
    Score,
    /// Judged by a model: one of named classes.
    Literal,
    /// Judged by a model: an object that follows a JSON Schema.
    Template,
    /// A regular expression.
    Regex,
    /// Python code.
    Callable,
    /// Precision, recall and similar metrics over instructions.
    Metric,
    /// Judged by an agent.
    Agentic,
    /// Created during the evaluation.
    Dynamic,
}

impl TraitKind {
    /// All kinds in the order in which they are displayed.
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

    /// Returns the name of the kind.
    pub fn name(self) -> &'static str {
        const NAMES: [&str; TraitKind::ALL.len()] =
            ["boolean", "score", "literal", "template", "regex", "callable", "metric", "agentic", "dynamic"];
        NAMES[self as usize]
    }
}

/// How the traits of a kind are stored.
pub(super) struct TraitForm {
    /// The `additionalType` of a rating, without prefix and scope.
    pub(super) stem: &'static str,
    /// The key of the list in a rubric.
    pub(super) list: &'static str,
    /// The kind; `None` for traits that a model judges, which state their kind themselves.
    kind: Option<TraitKind>,
}

const fn form(stem: &'static str, list: &'static str, kind: Option<TraitKind>) -> TraitForm {
    TraitForm { stem, list, kind }
}

const MANUAL: TraitForm = form("ManualRubricTrait", "manual_traits", Some(TraitKind::Callable));

/// The forms of all traits.
pub(super) const FORMS: [TraitForm; 8] = [
    form("RubricTrait", "traits", None),
    form("LLMRubricTrait", "llm_traits", None),
    form("RegexTrait", "regex_traits", Some(TraitKind::Regex)),
    form("CallableTrait", "callable_traits", Some(TraitKind::Callable)),
    form("MetricRubricTrait", "metric_traits", Some(TraitKind::Metric)),
    form("AgenticRubricTrait", "agentic_traits", Some(TraitKind::Agentic)),
    form("DynamicRubricTrait", "dynamic_traits", Some(TraitKind::Dynamic)),
    MANUAL,
];

/// Properties of the root that contain definitions of global traits as a JSON string, each with the key of its list in
/// a rubric.
pub(super) const TRAIT_TEXTS: [(&str, &str); 4] = [
    ("global_rubric_traits", "traits"),
    ("global_regex_rubric_traits", "regex_traits"),
    ("global_callable_rubric_traits", "callable_traits"),
    ("global_metric_rubric_traits", "metric_traits"),
];

/// The questions that a trait applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TraitScope {
    /// Every question of the checkpoint.
    Global,
    /// The question that has the trait.
    Question,
}

/// Returns the scope of a rating; `at_root` says that it belongs to the checkpoint itself.
pub(super) fn scope_of(keyed: &KeyedDocument<'_>, rating: TokenId, at_root: bool) -> TraitScope {
    let says_global = keyed.members(rating).any(|(key, value)| match key {
        CheckpointKey::AdditionalType => {
            let name = keyed.document.string(value).unwrap_or_default();
            name.strip_prefix("karenina:").unwrap_or(&name).starts_with("Global")
        }
        CheckpointKey::Author => keyed.is_text(value, "Global Rubric"),
        _ => false,
    });
    if at_root || says_global { TraitScope::Global } else { TraitScope::Question }
}

/// Returns the kind of a rating.
pub(super) fn kind_of(keyed: &KeyedDocument<'_>, rating: TokenId) -> TraitKind {
    let name =
        keyed.get(rating, CheckpointKey::AdditionalType).and_then(|value| keyed.document.string(value));
    let name = name.as_deref().unwrap_or_default();
    let name = name.strip_prefix("karenina:").unwrap_or(name);
    let stem = name.strip_prefix("Global").or_else(|| name.strip_prefix("QuestionSpecific")).unwrap_or(name);
    match FORMS.iter().find(|form| form.stem == stem).and_then(|form| form.kind) {
        // In autumn 2025 such a trait had a pattern or the name of a function.
        Some(_) if stem == MANUAL.stem && property(keyed, rating, "pattern").is_some() => TraitKind::Regex,
        Some(kind) => kind,
        None => model_kind(keyed, rating),
    }
}

/// Returns the kind of a trait that a model judges: the stated kind, or else a kind that follows from its range. A
/// score from 0 to 1 that states no kind looks like a boolean, also to Karenina's own readers.
fn model_kind(keyed: &KeyedDocument<'_>, rating: TokenId) -> TraitKind {
    if let Some(kind) = property(keyed, rating, "kind").and_then(|kind| stated_kind(keyed, kind)) {
        return kind;
    }
    let number = |key| keyed.get(rating, key).and_then(|value| keyed.number(value));
    let boolean =
        number(CheckpointKey::BestRating) == Some(1.0) && number(CheckpointKey::WorstRating) == Some(0.0);
    if boolean { TraitKind::Boolean } else { TraitKind::Score }
}

fn property(keyed: &KeyedDocument<'_>, rating: TokenId, name: &str) -> Option<TokenId> {
    let properties = keyed.get(rating, CheckpointKey::AdditionalProperty)?;
    keyed.property(properties, name)
}

/// Reads the stated kind of a trait that a model judges.
fn stated_kind(keyed: &KeyedDocument<'_>, kind: TokenId) -> Option<TraitKind> {
    match keyed.document.string(kind).as_deref() {
        Some("literal") => Some(TraitKind::Literal),
        Some("score") => Some(TraitKind::Score),
        Some("boolean") => Some(TraitKind::Boolean),
        _ => keyed.document.is_object(kind).then_some(TraitKind::Template),
    }
}

/// Returns the kind of a trait in a rubric object; `list` is the key of its list.
pub(super) fn kind_in_rubric(
    keyed: &KeyedDocument<'_>,
    list: &str,
    definition: TokenId,
) -> Option<TraitKind> {
    let form = FORMS.iter().find(|form| form.list == list)?;
    let has_pattern = || keyed.document.get(definition, "pattern").is_some();
    let stated = || stated_kind(keyed, keyed.get(definition, CheckpointKey::Kind)?);
    Some(match form.kind {
        Some(_) if list == MANUAL.list && has_pattern() => TraitKind::Regex,
        Some(kind) => kind,
        None => stated().unwrap_or(TraitKind::Boolean),
    })
}
