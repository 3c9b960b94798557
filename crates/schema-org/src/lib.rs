//! schema.org: the vocabulary as data, and its rules over a dataset.
//!
//! [`check`] checks a document against the rules: a term that schema.org does not have is an error, a known term that
//! is used differently is a warning, a form that schema.org tolerates is an info. Metadata that claim conformance to
//! Croissant are checked against its rules, too. Their ids are relative, so they have to be loaded with a base.
//!
//! ```
//! use evalgraph_json::{Limits, parse};
//! use evalgraph_jsonld::{JsonLdOptions, JsonLdProcessor, NoLoader};
//! use evalgraph_schema_org::{CheckOptions, LossCollector, check};
//! use evalgraph_store::{Dataset, NamedDocument};
//!
//! let text = r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "Question", "txet": "Why?"}"#;
//! let document = std::sync::Arc::new(parse("question", text.to_owned(), Limits::default())?);
//! let mut collector = LossCollector::new();
//! JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader).to_rdf(&document, &mut collector)?;
//! let (builder, losses) = collector.into_parts();
//! let dataset = Dataset::from_documents(vec![NamedDocument { graph: "urn:question".to_owned(), builder }]);
//! let mut meant = Vec::new();
//! let summary = check(&dataset, Some(&losses), &CheckOptions::default(), |finding| meant.extend(finding.suggest))?;
//! assert_eq!((summary.errors, meant), (1, vec!["text".to_owned()]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod built_in;
mod check;
mod check_options;
mod code;
mod complying_context;
mod context_terms;
mod croissant;
mod document_observations;
mod fixes;
mod inline_context;
mod iso_8601;
mod lexical;
mod literals;
mod losses;
mod lost_statements;
mod namespace;
mod predicates;
mod range;
mod rdf_lists;
mod release;
mod schema_org_finding;
mod spelling_index;
mod teller;
mod term_kind;
mod types;
mod value_rules;
mod vocabulary_table;
mod vocabulary_terms;

pub use check::check;
pub use check_options::CheckOptions;
pub use code::{CheckLevel, CheckRule, EXPLANATIONS};
pub use complying_context::complying_context;
pub use croissant::is_croissant;
pub use fixes::{DocumentFixer, DocumentFixes, SchemaNamespace, is_fixable};
pub use losses::{DocumentLosses, LossCollector};
pub use schema_org_finding::{CheckSummary, FaultyStatement, SchemaOrgFinding};
pub use term_kind::VocabularyTermKind;
pub use vocabulary_terms::{SchemaOrgVocabulary, VocabularyTerm};
