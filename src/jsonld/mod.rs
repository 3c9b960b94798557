//! The JSON-LD 1.1 processor, one file per algorithm of the specification.
//!
//! [`JsonLdProcessor`] holds the options and the processed contexts; a document is parsed by
//! [`json`](crate::json) first, so that every error and every warning knows its place.
//!
//! Sources: JSON-LD 1.1 Processing Algorithms and API (W3C Recommendation 16 July 2020).

mod blank_node_identifiers;
mod blank_node_pruning;
mod builtin;
mod compact_entries;
mod compact_maps;
mod compacted;
mod compaction;
mod context;
mod context_processing;
mod error;
mod expand_entries;
mod expand_maps;
mod expanded;
mod expansion;
mod flatten_operation;
mod flattening;
mod frame_expansion;
mod frame_matching;
mod frame_object;
mod frame_operation;
mod framing;
mod from_rdf;
mod from_rdf_lists;
mod from_rdf_nodes;
mod html;
mod inverse_context;
mod iri_compaction;
mod iri_expansion;
#[cfg(feature = "net")]
mod link_header;
mod loader;
mod local_entries;
mod media_type;
mod merge_node_maps;
mod names;
#[cfg(feature = "net")]
mod net;
mod node_map;
mod node_map_entries;
mod node_map_generation;
mod object_to_rdf;
mod options;
mod processor;
mod rdf_to_object;
mod remote_document;
mod sources;
mod stream;
mod subject_index;
mod term_definition;
mod term_selection;
mod to_rdf;
mod value_compaction;
mod value_expansion;
mod value_object;
mod value_shape;
mod warning;
mod write;

pub use builtin::{BuiltIn, KareninaSampleContext, is_schema_org_context};
pub use compacted::Compacted;
pub use error::{JsonLdError, JsonLdErrorCode};
pub use flatten_operation::Flattened;
pub use from_rdf::FromRdfError;
pub use html::{HtmlPage, ScriptSelection};
pub use loader::{Chain, DocumentLoader, LoadError, LoadFailure, Mapped, NoLoader};
pub use media_type::{CONTEXT_PROFILE, FRAME_PROFILE, MediaType};
#[cfg(feature = "net")]
pub use net::{Fetched, Net, NetAllow, NetOptions};
pub use options::{Embed, FramingOptions, JsonLdOptions, LoadMode, ProcessingMode, RdfDirection};
pub use processor::{Conversion, Expanded, JsonLdProcessor};
pub use remote_document::{LoadDocumentOptions, RemoteDocument};
pub use warning::{Warning, WarningCode};
pub use write::Layout;
