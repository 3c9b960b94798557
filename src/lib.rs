//! evalgraph: an RDF and linked-data engine for evaluation datasets.
//!
//! [`Loader`] reads files of Karenina, train.json, Kwanzaa, RLCF and plain chat, JSON-LD and RDF, each into its own graph.
//! Queries are in SPARQL. Every fault comes with its file, line and column.
//!
//! ```
//! let loaded = evalgraph::Loader::new().load(["fixtures/karenina/p1-physics.jsonld"])?;
//! let answer = loaded.query("SELECT ?text { ?question a s:Question ; s:text ?text }")?;
//! let evalgraph::sparql::QueryResults::Solutions(questions) = answer else { unreachable!() };
//! for question in questions {
//!     println!("{}", question?["text"]);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Store`] keeps files in a folder, with the changes that updates have made since then:
//!
//! ```
//! # let folder = tempfile::tempdir()?;
//! let mut store = evalgraph::Store::create(folder.path())?;
//! store.load(["fixtures/karenina/p1-physics.jsonld"])?;
//! store.update("DELETE { ?q s:keywords ?k } INSERT { ?q s:keywords 'mechanics' } WHERE { ?q s:keywords ?k }")?;
//! let changed = store.convert(evalgraph::OutputForm::Same)?;
//! assert!(changed.files[0].text.contains("mechanics"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`convert`] converts files from one form to another, and reports the values that the new form cannot represent:
//!
//! ```
//! let rows = evalgraph::OutputForm::from_name("train").expect("it is a form");
//! let made = evalgraph::convert(["fixtures/karenina/p1-physics.jsonld"], rows)?;
//! for file in &made.files {
//!     println!("{}: {} bytes", file.path, file.text.len());
//! }
//! assert!(made.report.findings().any(|finding| finding.code == "convert::loss"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`validate`] checks files against the rules of the programs that read them:
//!
//! ```
//! let checked = evalgraph::validate(["fixtures/karenina/p1-physics.jsonld"])?;
//! for result in checked.files.iter().flat_map(|file| &file.report.results) {
//!     println!("{}: {}", result.rule, result.message);
//! }
//! assert!(!checked.conforms());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Below that, [`jsonld`] is a JSON-LD 1.1 processor for single documents:
//!
//! ```
//! use evalgraph::{json, jsonld};
//!
//! let text = r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "Question", "text": "Why?"}"#;
//! let document = std::sync::Arc::new(json::parse("question", text.to_owned(), json::Limits::default())?);
//! let mut processor = jsonld::JsonLdProcessor::new(jsonld::JsonLdOptions::default(), &jsonld::NoLoader);
//! println!("{}", processor.expand(&document)?.to_json(jsonld::JsonLdLayout::Indented));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`check`] checks files against schema.org, using the vocabulary in [`schema_org`].
//!
//! Each step from bytes to answers has a module: [`diagnostic`], [`json`], [`rdf`], [`jsonld`], [`source`], [`store`]
//! and [`sparql`], in this order. A module uses only modules before it.

#[cfg(feature = "cli")]
pub mod cli;

/// The JSON-LD 1.1 processor, and the built-in contexts.
pub mod jsonld {
    pub use evalgraph_contexts::{BuiltIn, CheckpointSampleContext, is_schema_org_context};
    pub use evalgraph_jsonld::*;
}

/// RDF: terms, quads and formats, canonicalization, and differences between datasets.
pub mod rdf {
    pub use evalgraph_canonicalization::{self as canonicalization, difference};
    pub use evalgraph_rdf::*;
}

/// The vocabulary of schema.org and its rules, and the context that makes a checkpoint comply with them.
pub mod schema_org {
    pub use evalgraph_engine::complying_context::complying_context;
    pub use evalgraph_schema_org::*;
}

/// SHACL, and the built-in shapes.
pub mod shacl {
    pub use evalgraph_shacl::*;
    pub use evalgraph_shapes::{BUILT_IN, BuiltInShapes, built_in};
}

/// SPARQL 1.1, and the built-in named queries.
pub mod sparql {
    pub use evalgraph_engine::named_queries::{ChartKind, NamedQueries, NamedQuery, QueryChart};
    pub use evalgraph_sparql::*;
}

#[doc(inline)]
pub use evalgraph_diagnostics as diagnostic;
#[cfg(feature = "net")]
#[doc(inline)]
pub use evalgraph_engine::net;
#[doc(inline)]
pub use evalgraph_engine::runs;
#[cfg(feature = "tables")]
#[doc(inline)]
pub use evalgraph_engine::tables;
#[doc(inline)]
pub use evalgraph_formats as source;
#[doc(inline)]
pub use evalgraph_json as json;
#[doc(inline)]
pub use evalgraph_sql as sql;
#[doc(inline)]
pub use evalgraph_statistics as statistics;
#[doc(inline)]
pub use evalgraph_store as store;

#[cfg(feature = "net")]
pub use evalgraph_engine::api::{
    AspectAgreement, ConvertedFiles, EditedFile, Error, Evaluations, ExportedFiles, ExportedGraphs,
    FileStatistics, LoadedData, Loader, Store, ValidationOutcome, check, convert, validate,
};
pub use evalgraph_engine::convert::checkpoint::CheckpointOptions;
pub use evalgraph_engine::convert::conversion::Conversion;
pub use evalgraph_engine::convert::json_ld_shape::JsonLdShape;
pub use evalgraph_engine::convert::output_form::OutputForm;
pub use evalgraph_engine::export::choice::GraphChoice;
pub use evalgraph_engine::export::files_export_form::{ExportedFile, FilesExport};
#[cfg(feature = "tables")]
pub use evalgraph_engine::export::quad_files::{FolderChange, ParquetExport};
#[cfg(feature = "net")]
pub use evalgraph_engine::export::server::server_export_form::{
    ExistingGraphPolicy, SentTotals, ServerExport,
};
pub use evalgraph_engine::export::server_place::ServerPlace;
pub use evalgraph_engine::input::compression::FileCompression;
pub use evalgraph_engine::input::input_options::InputFormat;
pub use evalgraph_engine::load::json_ld_operation::JsonLdOperation;
pub use evalgraph_engine::load::quads::CompanionGraph;
pub use evalgraph_engine::question::edit::QuestionEdit;
pub use evalgraph_engine::report::{BaselineComparison, ReportFormat};
pub use evalgraph_engine::validation::validated_files::{ValidatedFile, ValidatedFileKind};
pub use evalgraph_engine::workspace::quads_change::QuadsChange;
pub use evalgraph_engine::workspace::rule_switch::{RuleSwitch, SwitchedLevel};
pub use evalgraph_formats::checking::ProfileName;
pub use evalgraph_formats::writing::{
    FeedbackOptions, ImpossibleDefault, PromptFiles, RowIds, RowWriteOptions, SystemForm, WrittenFile,
};
#[cfg(feature = "serve")]
pub use evalgraph_serve::{AccessToken, AnsweredRequest, Server, ServerObserver, ServerOptions, WriteAccess};
