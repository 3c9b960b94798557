//! The store on disk: immutable files of terms and graphs, and a manifest that names the valid ones.
//!
//! A change writes new files beside the old ones, waits until they are safe, and atomically replaces the old manifest
//! by a new one. At any moment, even after a crash, the manifest names only complete files, either of the old state or
//! of the new one. The next change removes files that the manifest does not name.

mod backup;
mod blocks;
mod change_undo;
mod coming_documents;
mod damage;
mod document_list;
mod document_writer;
mod examination;
mod file_mapping;
mod kept_source;
mod lock;
mod manifest;
mod medium;
mod new_terms;
mod pack;
mod pack_row;
mod repair;
mod restoration;
mod sections;
mod sections_writer;
mod segment;
mod snapshot;
mod sorted_runs;
mod store_change;
mod store_location;
mod stored_document;
mod stored_terms;
mod tar_header;
mod terms_writer;
mod undo_record;

pub use backup::StoreBackup;
pub use change_undo::{ChangeUndo, DocumentDifference};
pub use damage::StoreDamage;
pub use document_writer::DocumentWriter;
pub use examination::{DamagedDocument, StoreExamination};
pub use kept_source::CompressedText;
pub use manifest::{DocumentEntry, DocumentSource, ReadingConditions, StoredDocument};
pub use medium::{FolderMedium, MediumFile, StoreMedium};
pub use repair::{DocumentRemoval, StoreRepair};
pub use restoration::StoreRestoration;
pub use snapshot::{ChangeSweeper, StoreFolder, StoreSnapshot};
pub use store_change::{NewDocument, StoreChange};

pub(super) use pack_row::{graph_of, may_have};
pub(super) use sections::SectionedFile;
pub(super) use stored_terms::{RecentBlocks, StoredTerms};

use damage::fault;
