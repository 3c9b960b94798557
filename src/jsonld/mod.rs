//! The JSON-LD 1.1 processor, one file per algorithm of the specification.
//!
//! [`JsonLdProcessor`] holds the options and the processed contexts; a document is parsed by
//! [`json`](crate::json) first, so that every error and every warning knows its place.
//!
//! Sources: JSON-LD 1.1 Processing Algorithms and API (W3C Recommendation 16 July 2020).

mod error;
mod loader;
mod options;

pub use error::{JsonLdError, JsonLdErrorCode};
pub use loader::{Chain, DocumentLoader, LoadError, Mapped, NoLoader, RemoteDocument};
pub use options::{JsonLdOptions, LoadMode, ProcessingMode, RdfDirection};
