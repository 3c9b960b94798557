//! evalgraph: an RDF and linked-data engine for evaluation datasets.
//!
//! [`Loader`] reads files of Karenina, train.json, Kwanzaa and RLCF, JSON-LD and RDF, each into a graph of its own;
//! queries are in SPARQL. Every fault comes with its file, line and column.
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
//! [`Store`] keeps files in a folder, with the changes that updates have made since:
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
//! [`convert`] turns files of one form into another, and reports the values that the new form cannot hold:
//!
//! ```
//! let made = evalgraph::convert(["fixtures/karenina/p1-physics.jsonld"], evalgraph::OutputForm::Train)?;
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
//! println!("{}", processor.expand(&document)?.to_json(jsonld::Layout::Indented));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`check`] holds files against schema.org, whose vocabulary [`schema_org`] has.
//!
//! Each step from bytes to answers has a module: [`diagnostic`], [`json`], [`rdf`], [`jsonld`], [`source`],
//! [`store`] and [`sparql`], in this order; a module uses only modules before it.

mod api;
#[cfg(feature = "serve")]
mod browse;
mod built_in_shapes;
#[cfg(feature = "cli")]
pub mod cli;
mod complying_context;
mod convert;
mod export;
mod input;
mod load;
mod named_queries;
#[cfg(feature = "net")]
pub mod net;
mod question;
mod report;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "tables")]
pub mod tables;
mod validation;
mod workspace;

/// The JSON-LD 1.1 processor, and the contexts that are part of the program.
pub mod jsonld {
    pub use evalgraph_contexts::{BuiltIn, KareninaSampleContext, is_schema_org_context};
    pub use evalgraph_jsonld::*;
}

/// The vocabulary of schema.org and its rules, and the context with which a checkpoint complies with them.
pub mod schema_org {
    pub use crate::complying_context::complying_context;
    pub use evalgraph_schema_org::*;
}

/// SHACL, and the shapes that are part of the program.
pub mod shacl {
    pub use crate::built_in_shapes::{BUILT_IN, BuiltInShapes, built_in};
    pub use evalgraph_shacl::*;
}

/// SPARQL 1.1, and the named queries that are part of the program.
pub mod sparql {
    pub use crate::named_queries::{Chart, ChartKind, NamedQueries, NamedQuery};
    pub use evalgraph_sparql::*;
}

#[doc(inline)]
pub use evalgraph_diagnostics as diagnostic;
use evalgraph_files as files;
#[doc(inline)]
pub use evalgraph_formats as source;
#[doc(inline)]
pub use evalgraph_json as json;
#[doc(inline)]
pub use evalgraph_rdf as rdf;
#[doc(inline)]
pub use evalgraph_store as store;
use evalgraph_work as work;

#[cfg(feature = "net")]
pub use api::ExportedGraphs;
pub use api::{
    ConvertedFiles, EditedFile, Error, Evaluations, ExportedFiles, FileStatistics, Loaded, Loader, Store,
    Validation, check, convert, validate,
};
pub use convert::checkpoint::CheckpointOptions;
pub use convert::conversion::Conversion;
pub use convert::json_ld::JsonLdShape;
pub use convert::kwanzaa::{KwanzaaForm, PromptFiles};
pub use convert::output_form::OutputForm;
pub use convert::training::TrainingOptions;
pub use convert::written::Written;
pub use export::choice::GraphChoice;
pub use export::form::{ExportedFile, FilesExport};
pub use export::place::ServerPlace;
#[cfg(feature = "net")]
pub use export::server::form::{Existing, Sent, ServerExport};
pub use input::compression::Compression;
pub use input::options::InputFormat;
pub use load::operation::Operation;
pub use load::quads::With;
pub use question::edit::QuestionEdit;
pub use report::{Compared, ReportFormat};
#[cfg(feature = "serve")]
pub use serve::{Access, Observer, Server, ServerOptions, Token, Writes};
pub use validation::files::{Checked, What};
pub use validation::records::ProfileName;
