//! The rules by which Karenina's readers take a checkpoint or refuse it, as profiles.
//!
//! `spec` holds what the specification asks for, `library` what the Python library's loader asks
//! for, `interface` what the user interface's validator asks for, `advice` what none of them sees
//! and a user wants to know. The rules look at the file as it stands, not at the graph made of it.

mod advice;
mod context;
mod interface;
mod interface_traits;
mod lax;
mod library;
mod model;
mod model_config;
mod parts;
mod python;
mod scenario_checks;
mod scenario_models;
mod spec;
mod template_schema;
mod timestamp;
mod trait_models;
mod trait_rules;

pub use context::ContextMeaning;
pub(in crate::source::karenina) use parts::{refusal_of_boolean, refusal_of_rating, refusal_of_scenario};
pub use timestamp::Timestamp;

use super::dialect::Dialect;
use super::keys::{Key, Keyed};
use crate::diagnostic::validation::ValidationReport;
use crate::json::{Document, TokenId};
use crate::source::checking::{self, Rule, info, violation, warning};
use std::fmt;
use std::ops::{Deref, DerefMut};

/// Whose rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Profile {
    /// The specification, 3.0.0-jsonld.
    Spec,
    /// The loader of the Python library.
    Library,
    /// The validator of the user interface.
    Interface,
}

impl Profile {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Spec, Self::Library, Self::Interface];

    /// The name on the command line, which is also that of the form written for the reader.
    pub fn name(self) -> &'static str {
        match self {
            Self::Spec => "karenina-spec",
            Self::Library => "karenina",
            Self::Interface => "karenina-gui",
        }
    }

    /// The rules of the program that writes the dialect; none for what is no checkpoint in JSON-LD.
    /// What is near to no dialect counts as a file of the Python library.
    pub fn of(dialect: Dialect) -> Option<Self> {
        match dialect {
            Dialect::S0 | Dialect::S0b | Dialect::S0c | Dialect::S1 => Some(Self::Spec),
            Dialect::P0 | Dialect::P1 | Dialect::P2 | Dialect::X | Dialect::Hybrid => Some(Self::Library),
            Dialect::G | Dialect::GDev | Dialect::M | Dialect::T => Some(Self::Interface),
            Dialect::V2a | Dialect::V2b | Dialect::V2c | Dialect::ResultsExport | Dialect::None => None,
        }
    }

    /// The rules in the order of the report, the advice last.
    pub fn rules(self) -> Vec<Rule> {
        let own: &[Rule] = match self {
            Self::Spec => &spec::RULES,
            Self::Library => &library::RULES,
            Self::Interface => &interface::RULES,
        };
        own.iter().chain(&advice::RULES).copied().collect()
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What collects the findings, with what only the rules of a checkpoint ask.
struct Checker<'d> {
    keyed: &'d Keyed<'d>,
    document: &'d Document,
    profile: Profile,
    findings: checking::Checker<'d>,
}

impl<'d> Checker<'d> {
    fn new(keyed: &'d Keyed<'d>, profile: Profile) -> Self {
        let document = keyed.document;
        let findings = checking::Checker::new(document, profile.name(), profile.rules());
        Self { keyed, document, profile, findings }
    }

    /// The value that the rules are about: of an array with one node, that node.
    fn root(&self) -> TokenId {
        let root = self.document.root();
        self.keyed.each(root).next().filter(|&node| self.document.is_object(node)).unwrap_or(root)
    }

    /// Whether `@type` of an object is the one string: readers compare it so.
    fn has_type(&self, object: TokenId, class: &str) -> bool {
        self.keyed.get(object, Key::Type).is_some_and(|found| self.keyed.is_text(found, class))
    }
}

impl<'d> Deref for Checker<'d> {
    type Target = checking::Checker<'d>;

    fn deref(&self) -> &Self::Target {
        &self.findings
    }
}

impl DerefMut for Checker<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.findings
    }
}

/// Looks at a document by the rules of a profile.
///
/// `context` says what the document's context makes of the names; only the specification's rules
/// ask for it.
///
/// ```
/// use evalgraph::json::{Limits, parse};
/// use evalgraph::source::karenina::rules::{ContextMeaning, Profile, validate};
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
