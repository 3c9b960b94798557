//! Croissant, MLCommons' metadata of datasets over schema.org: a second table of rules for documents that say that they
//! conform to it.
//!
//! [`terms`] and [`requirements`] are the specification's tables; [`rules`] goes over the nodes, and leaves files, fields,
//! data and joins to a file each. Other vocabularies beside Croissant's, its own for responsible AI among them, are left
//! alone.

mod conformance;
mod containment;
mod data_types;
mod document;
mod fields;
mod files;
mod graph;
mod joins;
mod names;
mod records;
mod references;
mod reporter;
mod requirements;
mod rules;
mod sources;
mod terms;
mod version;

pub(super) use document::CroissantDocument;
pub use document::is_croissant;
pub(super) use names::CroissantIri;
pub(super) use rules::{Rules, is_moved};
pub(super) use version::Version;
