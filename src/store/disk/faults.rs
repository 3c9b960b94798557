//! What is said where the system refuses something.

use std::io;
use std::path::Path;

use crate::diagnostic::Diagnostic;

/// Returns what is said where the system refuses something.
pub(super) fn fault(error: &io::Error, path: &Path, what: &str) -> Diagnostic {
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
