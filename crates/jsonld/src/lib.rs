//! The JSON-LD 1.1 processor, one file per algorithm of the specification.
//!
//! [`JsonLdProcessor`] has the options and the processed contexts. A document is first parsed by
//! [`json`](evalgraph_json), so every error and every warning knows its place. The operations are
//! [`expand`](JsonLdProcessor::expand), [`compact`](JsonLdProcessor::compact), [`flatten`](JsonLdProcessor::flatten),
//! [`frame`](JsonLdProcessor::frame), [`to_rdf`](JsonLdProcessor::to_rdf) and [`from_rdf`](JsonLdProcessor::from_rdf).
//! Remote contexts come from a [`DocumentLoader`]. This crate has [`NoLoader`], [`FileMapLoader`] and [`LoaderChain`];
//! other crates add loaders for the network and for built-in contexts.
//!
//! ```
//! use evalgraph_json::{Limits, parse};
//! use evalgraph_jsonld::{JsonLdOptions, JsonLdProcessor, JsonLdLayout, NoLoader};
//! use std::sync::Arc;
//!
//! let read = |text: &str| parse("here", text.to_owned(), Limits::default()).map(Arc::new);
//! let document = read(r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "Question", "text": "Why?"}"#)?;
//! let context = read(r#"{"@context": {"asked": "http://schema.org/text"}}"#)?;
//! let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader);
//! let compacted = processor.compact(&document, &context)?.to_json(JsonLdLayout::Compact);
//! assert_eq!(
//!     compacted.trim_end(),
//!     r#"{"@context":{"asked":"http://schema.org/text"},"@type":"http://schema.org/Question","asked":"Why?"}"#
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Sources: JSON-LD 1.1 Processing Algorithms and API, JSON-LD 1.1 Framing (W3C Recommendations
//! 16 July 2020).

mod arena_sources;
mod compaction;
mod context;
mod division;
mod error;
mod expanded_arena;
mod expanded_writer;
mod expansion;
mod flattening;
mod framing;
mod from_rdf;
mod inline_prefixes;
mod json_ld_options;
mod name_interner;
mod processor;
mod remote;
mod to_rdf;
mod warning;

pub use compaction::compacted_document::CompactedDocument;
pub use division::{has_labels, stands_alone};
use error::JsonLdOutcome;
pub use error::{JsonLdError, JsonLdErrorCode};
pub use expanded_writer::JsonLdLayout;
pub use flattening::flatten_operation::FlattenedDocument;
pub use from_rdf::FromRdfError;
pub use inline_prefixes::inline_prefixes;
pub use json_ld_options::{
    FramingOptions, JsonLdEmbed, JsonLdOptions, LoadMode, ProcessingMode, RdfDirection, ReplacedIds,
};
pub use name_interner::is_keyword;
pub use processor::{ExpandedDocument, JsonLdProcessor, ToRdfEffects};
pub use remote::document_loader::{
    DocumentLoader, FileMapLoader, LoadError, LoadFailure, LoaderChain, NoLoader,
};
pub use remote::html::{HtmlPage, ScriptSelection};
pub use remote::media_type::{CONTEXT_PROFILE, FRAME_PROFILE, MediaType};
pub use remote::media_type::{JSON_LD, parameters_of};
pub use remote::remote_document::{LoadDocumentOptions, RemoteDocument};
pub use warning::{JsonLdWarning, WarningCode};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
