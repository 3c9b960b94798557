//! Croissant, MLCommons' metadata of datasets, based on schema.org: a second table of rules for documents that claim
//! conformance to it.
//!
//! [`terms`] and [`requirements`] are the tables of the specification; [`rules`] walks over the nodes, and leaves
//! files, fields, data and joins to separate modules. Other vocabularies used with Croissant are ignored, including its
//! own for responsible AI.

mod checksum_rules;
mod conformance;
mod containment;
mod croissant_document;
mod croissant_graph;
mod croissant_iri;
mod croissant_terms;
mod data_source_rules;
mod data_types;
mod joins;
mod record_rules;
mod record_set_fields;
mod references;
mod reporter;
mod requirements;
mod rules;
mod version;

pub(super) use croissant_document::CroissantDocument;
pub use croissant_document::is_croissant;
pub(super) use croissant_iri::CroissantIri;
pub(super) use rules::{CroissantRules, is_moved};
pub(super) use version::KnownCroissantVersion;
