//! The rules by which Karenina's readers accept or refuse a checkpoint, as profiles.
//!
//! `spec` has the rules of the specification, `library` those of the Python library's loader, `interface` those of the
//! user interface's validator, and `advice` hints that none of the three gives. The rules check the file itself, not
//! the graph made from it.
//!
//! `CheckpointProfile` is defined in `checkpoint/checkpoint_profile.rs`.

mod advice;
mod checkpoint_checker;
mod interface;
mod interface_traits;
mod library;
mod library_models;
mod library_table;
mod model_config;
mod python;
mod python_pattern;
mod scenario_checks;
mod scenario_models;
mod spec;
mod spec_ids;
mod spec_properties;
mod spec_table;
mod template_schema;
mod trait_models;
mod trait_rules;

pub use library_models::TRAIT_TYPES;
pub use trait_models::TRAIT_CLASSES;

use crate::checking::FormatRule;
use crate::checkpoint::checkpoint_keys::KeyedDocument;
use crate::checkpoint::{CheckpointProfile, ContextMeaning};
use checkpoint_checker::CheckpointChecker;
use evalgraph_diagnostics::validation::RuleReport;
use evalgraph_json::{JsonDocument, Limits, parse};
use library_table::LIBRARY;

/// The texts that explain the rules.
pub(super) const EXPLANATIONS: &[&str] = &[
    include_str!("explained/spec.md"),
    include_str!("explained/library.md"),
    include_str!("explained/interface.md"),
    include_str!("explained/advice.md"),
];

impl CheckpointProfile {
    /// Returns the rules in the order of the report, with the advice last.
    pub fn rules(self) -> Vec<FormatRule> {
        let own: &[FormatRule] = match self {
            Self::Spec => spec_table::RULES,
            Self::Library => library_table::RULES,
            Self::Interface => &interface::RULES,
        };
        own.iter().chain(advice::RULES).copied().collect()
    }
}

/// Checks a document by the rules of a profile.
///
/// `context` is the meaning of the names under the document's context; only the specification's
/// rules use it.
///
/// ```
/// use evalgraph_json::{Limits, parse};
/// use evalgraph_formats::checkpoint::{CheckpointProfile, ContextMeaning};
/// use evalgraph_formats::karenina::rules::validate;
///
/// let text = r#"{"@context": {}, "@type": "DataFeed", "name": "", "dataFeedElement": []}"#;
/// let document = parse("empty.jsonld", text.to_owned(), Limits::default())?;
/// let report = validate(&document, CheckpointProfile::Library, &ContextMeaning::SchemaOrg);
/// assert!(!report.conforms());
/// let last = report.results.last().expect("there are results");
/// assert_eq!((last.rule.as_ref(), last.message.as_str()), ("K-P-DataFeed", "`name` is empty"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate(document: &JsonDocument, profile: CheckpointProfile, context: &ContextMeaning) -> RuleReport {
    let keyed = KeyedDocument::new(document);
    let mut checker = CheckpointChecker::new(&keyed, profile);
    match profile {
        CheckpointProfile::Spec => spec::check(&mut checker, context),
        CheckpointProfile::Library => library::check(&mut checker),
        CheckpointProfile::Interface => interface::check(&mut checker),
    }
    advice::check(&mut checker);
    checker.findings.finish()
}

/// Returns why a reader refuses a rating, or `None` if it accepts the rating.
pub(super) fn refusal_of_rating(
    profile: CheckpointProfile,
    rating: String,
    is_global: bool,
) -> Option<String> {
    match profile {
        CheckpointProfile::Spec => None,
        CheckpointProfile::Library => library::refusal_of_rating(&part(rating)?, is_global),
        CheckpointProfile::Interface => {
            let document = part(format!("{{\"rating\":[{rating}]}}"))?;
            let keyed = KeyedDocument::new(&document);
            let mut checker = CheckpointChecker::new(&keyed, profile);
            let start = if is_global { "Global" } else { "QuestionSpecific" };
            interface_traits::check_rubric(&mut checker, document.root(), start);
            checker.findings.finish().results.into_iter().next().map(|result| result.message)
        }
    }
}

/// Returns why the library refuses a scenario.
pub(super) fn refusal_of_scenario(scenario: &str) -> Option<String> {
    library::refusal_of_scenario(&part(scenario.to_owned())?)
}

/// Returns whether the library refuses a value where it expects a boolean.
pub(super) fn refusal_of_boolean(value: &str) -> bool {
    part(value.to_owned()).is_some_and(|value| LIBRARY.boolean(&value, value.root()).is_none())
}

/// Parses a part of a file that has been parsed before.
fn part(text: String) -> Option<JsonDocument> {
    parse("part", text, Limits { depth: usize::MAX, ..Limits::default() }).ok()
}
