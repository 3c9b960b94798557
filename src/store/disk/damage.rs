//! What is wrong with the files of a store, found while a query reads them, and what the system refuses.
//!
//! The evaluator asks for terms and triples in places that have no way to fail. What cannot be read
//! is empty there, and the fault is kept: whoever hands on an answer looks here first, so that no
//! answer stands on what could not be read.

use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::diagnostic::Diagnostic;
use crate::diagnostic::help::{command, help, setting};

/// The first fault that was found in the files of one dataset. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Damage(Arc<OnceLock<Diagnostic>>);

impl Damage {
    /// The first fault, where there is one.
    pub fn get(&self) -> Option<&Diagnostic> {
        self.0.get()
    }

    /// Tells whether nothing was found.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub fn check(&self) -> Result<(), Box<Diagnostic>> {
        self.get().map_or(Ok(()), |fault| Err(Box::new(fault.clone())))
    }

    /// Keeps a fault, where it is the first.
    pub(super) fn add(&self, fault: Diagnostic) {
        // One that is later says nothing new.
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
        " makes whole what can be"
    ])
}

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
