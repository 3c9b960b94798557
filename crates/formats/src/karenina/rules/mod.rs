//! The rules by which Karenina's readers accept or refuse a checkpoint, as profiles.
//!
//! `spec` has the rules of the specification, `library` those of the Python library's loader,
//! `interface` those of the user interface's validator, and `advice` hints that none of the three
//! gives. The rules check the file itself, not the graph made of it.

mod advice;
mod checker;
mod context;
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

pub use context::ContextMeaning;

use super::keys::Keyed;
use crate::checking::Rule;
use checker::Checker;
pub use checker::Profile;
use evalgraph_diagnostics::validation::ValidationReport;
use evalgraph_json::{Document, Limits, parse};
use library_table::LIBRARY;

impl Profile {
    /// The rules in the order of the report, the advice last.
    pub fn rules(self) -> Vec<Rule> {
        let own: &[Rule] = match self {
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
/// use evalgraph_formats::karenina::rules::{ContextMeaning, Profile, validate};
///
/// let text = r#"{"@context": {}, "@type": "DataFeed", "name": "", "dataFeedElement": []}"#;
/// let document = parse("empty.jsonld", text.to_owned(), Limits::default())?;
/// let report = validate(&document, Profile::Library, &ContextMeaning::SchemaOrg);
/// assert!(!report.conforms());
/// let last = report.results.last().expect("there are results");
/// assert_eq!((last.rule.as_ref(), last.message.as_str()), ("K-P-DataFeed", "`name` is empty"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate(document: &Document, profile: Profile, context: &ContextMeaning) -> ValidationReport {
    let keyed = Keyed::new(document);
    let mut checker = Checker::new(&keyed, profile);
    match profile {
        Profile::Spec => spec::check(&mut checker, context),
        Profile::Library => library::check(&mut checker),
        Profile::Interface => interface::check(&mut checker),
    }
    advice::check(&mut checker);
    checker.findings.finish()
}

/// Tells why a reader refuses a rating; none if it accepts the rating.
pub(super) fn refusal_of_rating(profile: Profile, rating: String, is_global: bool) -> Option<String> {
    match profile {
        Profile::Spec => None,
        Profile::Library => library::refusal_of_rating(&part(rating)?, is_global),
        Profile::Interface => {
            let document = part(format!("{{\"rating\":[{rating}]}}"))?;
            let keyed = Keyed::new(&document);
            let mut checker = Checker::new(&keyed, profile);
            let start = if is_global { "Global" } else { "QuestionSpecific" };
            interface_traits::check_rubric(&mut checker, document.root(), start);
            checker.findings.finish().results.into_iter().next().map(|result| result.message)
        }
    }
}

/// Tells why the library refuses a scenario.
pub(super) fn refusal_of_scenario(scenario: &str) -> Option<String> {
    library::refusal_of_scenario(&part(scenario.to_owned())?)
}

/// Tells whether the library refuses a value as a boolean.
pub(super) fn refusal_of_boolean(value: &str) -> bool {
    part(value.to_owned()).is_some_and(|value| LIBRARY.boolean(&value, value.root()).is_none())
}

/// Parses a part of a file that was read before.
fn part(text: String) -> Option<Document> {
    parse("part", text, Limits { depth: usize::MAX, ..Limits::default() }).ok()
}
