//! The store on disk: immutable files of terms and graphs, and a manifest that names those which count.
//!
//! A change writes new files beside the old ones, waits until they are safe, and puts a new manifest in
//! the place of the old one in one step. Whatever happens at whatever moment, the manifest names whole
//! files only: of the old state or of the new one. What no manifest names is removed by the next change.

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
mod place;
mod removal;
mod repair;
mod sections;
mod sections_writer;
mod segment;
mod snapshot;
mod sorted_runs;
mod sweeper;
mod terms;
mod terms_writer;

use std::io;
use std::path::Path;

pub use change::{Change, NewDocument};
pub use damage::Damage;
pub use document_writer::DocumentWriter;
pub use examination::{DamagedDocument, Examination};
pub use kept_source::CompressedText;
pub use manifest::{DocumentEntry, DocumentSource, Reading, StoredDocument};
pub use medium::{Folder, Medium, MediumFile};
pub use removal::Removal;
pub use repair::Repair;
pub use snapshot::{Snapshot, Store};
pub use sweeper::Sweeper;

pub(super) use pack::{graph_of, may_have};
pub(super) use sections::Sections;
pub(super) use terms::StoredTerms;

use crate::diagnostic::Diagnostic;

/// What is said where the system refuses something.
fn fault(error: &io::Error, path: &Path, what: &str) -> Diagnostic {
    let shown = path.display();
    let (code, reason, help) = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => (
            "store::disk-full",
            "the disk is full".to_owned(),
            "make room and try again; the store is as it was",
        ),
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => {
            let help =
                "the folder or its disk is read-only, or belongs to somebody else; the store is as it was";
            ("store::permission", "there is no permission".to_owned(), help)
        }
        io::ErrorKind::NotFound => {
            ("store::missing", "it is not there".to_owned(), "was the folder removed?")
        }
        _ => ("store::io", error.to_string(), "the store is as it was"),
    };
    Diagnostic::error(code, format!("cannot {what} `{shown}`: {reason}")).with_help(help)
}

fn newer(path: &Path, version: u32) -> Diagnostic {
    let message = format!(
        "`{}` has version {version} of the store's files, and this program knows version {}",
        path.display(),
        sections::VERSION
    );
    Diagnostic::error("store::version", message).with_help("use a newer evalgraph")
}
