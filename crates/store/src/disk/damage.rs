//! Faults of the files of a store that are found while a query reads them, and errors of the system.
//!
//! The evaluator reads terms and triples in places that cannot return an error. Unreadable parts of a file appear empty
//! there, and the fault is recorded here. Callers check for a fault before they return a result, so no result depends
//! on unreadable data.

use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::help::{command, help, setting};

/// The first fault that was found in the files of one dataset. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct StoreDamage(Arc<OnceLock<Diagnostic>>);

impl StoreDamage {
    /// The first fault, if any.
    pub fn get(&self) -> Option<&Diagnostic> {
        self.0.get()
    }

    /// Fails if a fault was found.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub fn check(&self) -> Result<(), Box<Diagnostic>> {
        self.get().map_or(Ok(()), |fault| Err(Box::new(fault.clone())))
    }

    /// Records a fault if it is the first.
    pub(super) fn add(&self, fault: Diagnostic) {
        // Later faults are dropped.
        let _ = self.0.set(fault);
    }
}

/// A fault in a file of a store.
pub(super) fn damaged(folder: &Path, name: &str, what: &str) -> Diagnostic {
    let path = folder.join(name);
    Diagnostic::error("store::damaged", format!("`{}` is damaged: {what}", path.display())).with_help(help![
        command("doctor"),
        " says which graphs are affected, and ",
        command("doctor").with(setting("repair")),
        " repairs what can be repaired"
    ])
}

/// The finding for an error of the system.
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
                "the folder or its disk is read-only, or belongs to another user; the store is as it was";
            ("store::permission", "there is no permission".to_owned(), help)
        }
        io::ErrorKind::NotFound => {
            ("store::missing", "it is not there".to_owned(), "was the folder removed?")
        }
        _ => ("store::io", error.to_string(), "the store is as it was"),
    };
    Diagnostic::error(code, format!("cannot {what} `{shown}`: {reason}")).with_help(help)
}
