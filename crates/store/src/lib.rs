//! The embedded RDF dataset: dictionary-encoded terms, immutable sorted graphs.
//!
//! Documents are read into a [`DocumentBuilder`] each, merged into a [`Dataset`], and queried through
//! a [`DatasetView`], which is the dataset that the SPARQL evaluator knows.

mod column;
mod computed_terms;
mod copy;
mod dataset;
mod dictionary;
mod directory;
mod disk;
mod document;
mod edits;
mod encoded;
mod graph;
mod lazy_graph;
mod n_quads;
mod part;
mod renumbering;
mod revision;
mod subject_run;
mod term;
mod triples;
mod view;

pub use copy::Excerpt;
pub use dataset::{Dataset, DefaultGraph, NamedDocument};
pub use dictionary::{Dictionary, Kind, TermId};
pub use disk::{
    Change, CompressedText, Damage, DamagedDocument, DocumentEntry, DocumentSource, DocumentWriter,
    Examination, Folder, Medium, MediumFile, NewDocument, Reading, Removal, Repair, Snapshot, Store,
    StoredDocument, Sweeper,
};
pub use document::{DocumentBuilder, EncodedQuad};
pub use edits::{DocumentGraph, EditedDocument, Edits};
pub use revision::{GraphChange, Revision, RevisionView};
pub use subject_run::SubjectRun;
pub use triples::Triples;
pub use view::DatasetView;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
