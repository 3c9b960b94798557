//! The embedded RDF dataset: dictionary-encoded terms, immutable sorted graphs.
//!
//! Each document is read into its own [`DocumentBuilder`]. The documents are merged into a [`Dataset`], and queried
//! through a [`DatasetView`], which implements the dataset interface of the SPARQL evaluator.

mod column;
mod computed_terms;
mod copy;
mod dataset;
mod dictionary;
mod directory;
mod disk;
mod document_builder;
mod edits;
mod encoded_quads;
mod graph_index;
mod lazy_graph;
mod n_quads;
mod part;
mod revision;
mod subject_run;
mod term;
mod term_number;
mod term_renumbering;
mod triples;
mod view;

pub use copy::DocumentExcerpt;
pub use dataset::{Dataset, DefaultGraph, NamedDocument};
pub use dictionary::{RdfTermKind, TermDictionary, TermId};
pub use disk::{
    ChangeSweeper, ChangeUndo, CompressedText, DamagedDocument, DocumentDifference, DocumentEntry,
    DocumentRemoval, DocumentSource, DocumentWriter, FolderMedium, MediumFile, NewDocument,
    ReadingConditions, StoreBackup, StoreChange, StoreDamage, StoreExamination, StoreFolder, StoreMedium,
    StoreRepair, StoreRestoration, StoreSnapshot, StoredDocument,
};
pub use document_builder::{DocumentBuilder, EncodedQuad};
pub use edits::{DocumentGraph, EditedDocument, StoreEdits};
pub use revision::{DatasetRevision, GraphChange, RevisionView};
pub use subject_run::SubjectRun;
pub use term_number::{hashed_number, hashed_text, term_number};
pub use triples::PatternTriples;
pub use view::DatasetView;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
