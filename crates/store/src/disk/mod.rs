//! The store on disk: immutable files of terms and graphs, and a manifest that names the valid ones.
//!
//! A change writes new files beside the old ones, waits until they are safe, and replaces the old manifest by a
//! new one in one step. At any moment, even after a crash, the manifest names only whole files, either of the
//! old state or of the new one. The next change removes files that the manifest does not name.

mod blocks;
mod change;
mod coming_documents;
mod damage;
mod document_list;
mod document_writer;
mod examination;
mod kept_source;
mod lock;
mod manifest;
mod mapping;
mod medium;
mod new_terms;
mod pack;
mod pack_row;
mod place;
mod repair;
mod sections;
mod sections_writer;
mod segment;
mod snapshot;
mod sorted_runs;
mod stored_document;
mod terms;
mod terms_writer;

pub use change::{Change, NewDocument};
pub use damage::Damage;
pub use document_writer::DocumentWriter;
pub use examination::{DamagedDocument, Examination};
pub use kept_source::CompressedText;
pub use manifest::{DocumentEntry, DocumentSource, Reading, StoredDocument};
pub use medium::{Folder, Medium, MediumFile};
pub use repair::{Removal, Repair};
pub use snapshot::{Snapshot, Store, Sweeper};

pub(super) use pack_row::{graph_of, may_have};
pub(super) use sections::Sections;
pub(super) use terms::{RecentBlocks, StoredTerms};

use damage::fault;
