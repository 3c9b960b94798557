//! The JSON-LD 1.1 processor, one file per algorithm of the specification.
//!
//! [`JsonLdProcessor`] holds the options and the processed contexts; a document is parsed by
//! [`json`](evalgraph_json) first, so that every error and every warning knows its place. Its operations
//! are [`expand`](JsonLdProcessor::expand), [`compact`](JsonLdProcessor::compact),
//! [`flatten`](JsonLdProcessor::flatten), [`frame`](JsonLdProcessor::frame),
//! [`to_rdf`](JsonLdProcessor::to_rdf) and [`from_rdf`](JsonLdProcessor::from_rdf); remote contexts
//! come from a [`DocumentLoader`], of which there are [`NoLoader`], [`Mapped`] and [`Chain`];
//! others bring the network or contexts of their own.
//!
//! ```
//! use evalgraph_json::{Limits, parse};
//! use evalgraph_jsonld::{JsonLdOptions, JsonLdProcessor, Layout, NoLoader};
//! use std::sync::Arc;
//!
//! let read = |text: &str| parse("here", text.to_owned(), Limits::default()).map(Arc::new);
//! let document = read(r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "Question", "text": "Why?"}"#)?;
//! let context = read(r#"{"@context": {"asked": "http://schema.org/text"}}"#)?;
//! let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader);
//! let compacted = processor.compact(&document, &context)?.to_json(Layout::Compact);
//! assert_eq!(
//!     compacted.trim_end(),
//!     r#"{"@context":{"asked":"http://schema.org/text"},"@type":"http://schema.org/Question","asked":"Why?"}"#
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Sources: JSON-LD 1.1 Processing Algorithms and API, JSON-LD 1.1 Framing (W3C Recommendations
//! 16 July 2020).

mod compaction;
mod context;
mod division;
mod error;
mod expanded;
mod expansion;
mod flattening;
mod framing;
mod from_rdf;
mod inline_prefixes;
mod names;
mod options;
mod processor;
mod remote;
mod sources;
mod to_rdf;
mod warning;
mod write;

pub use compaction::compacted::Compacted;
pub use division::{has_labels, stands_alone};
use error::Outcome;
pub use error::{JsonLdError, JsonLdErrorCode};
pub use flattening::operation::Flattened;
pub use from_rdf::FromRdfError;
pub use inline_prefixes::inline_prefixes;
pub use names::is_keyword;
pub use options::{Embed, FramingOptions, JsonLdOptions, LoadMode, ProcessingMode, RdfDirection};
pub use processor::{Conversion, Expanded, JsonLdProcessor};
pub use remote::html::{HtmlPage, ScriptSelection};
pub use remote::loader::{Chain, DocumentLoader, LoadError, LoadFailure, Mapped, NoLoader};
pub use remote::media_type::{CONTEXT_PROFILE, FRAME_PROFILE, MediaType};
pub use remote::media_type::{JSON_LD, parameters_of};
pub use remote::remote_document::{LoadDocumentOptions, RemoteDocument};
pub use warning::{Warning, WarningCode};
pub use write::Layout;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
