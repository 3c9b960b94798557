//! Keeps the facts about a file that RDF cannot represent, in a second graph for each file: order of arrays,
//! duplicates, empty arrays, nulls, keys without meaning, spelling of numbers, indentation.
//!
//! A sidecar is the difference between the file and the text that [`rewriting`](super::rewriting) makes from its graph.
//! It repeats nothing from the graph; to write the file, the graph is rewritten with the difference applied. Traits
//! that most objects of a place share are kept once for the document
//! ([`DocumentLayout::places`](super::rewriting::DocumentLayout::places)), exceptions by node.
//!
//! Blank nodes are terms here, not labels, so new labels or another order of the quads do no harm. An entry is ignored
//! and counted if its node is gone or its hash no longer fits the graph.
//!
//! A digest shows whether the graph was changed since. The file of a changed graph is read again, and the differences
//! between the two graphs are reported ([`arrival`]).
//!
//! A file that is not JSON-LD has its own writer. Its sidecar has the difference of two JSON values instead
//! ([`json_difference`]), and for YAML and CSV the text around the values ([`file_form`]).

mod arrival;
mod decode;
mod difference;
mod encode;
pub mod file_form;
mod file_layout;
mod graph_digest;
pub mod json_difference;
mod learn;
mod members;
mod merged_order;
mod positions;
mod reading_again;
pub mod record_sidecar;
mod restore;
mod signatures;
pub mod version_2_sidecar;

pub use arrival::{ArrivalComparison, UnwrittenStatements, arrival};
pub use decode::{SidecarContents, decode};
pub use difference::{TracedDocument, difference};
pub use encode::encode;
pub use file_layout::FileLayout;
pub use graph_digest::{UNCHANGED, graph_digests};
pub use reading_again::ReadingAgain;
pub use restore::{DocumentSidecars, RestoredFile};
