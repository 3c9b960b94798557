//! Reads all of a store, to find what is damaged.

use super::damage::Damage;
use super::kept_source::read_source;
use super::manifest::{Manifest, StoredDocument};
use super::medium::Medium;
use super::sections::{FileKind, Sections};
use super::snapshot::Snapshot;
use crate::diagnostic::Diagnostic;

/// What was found to be damaged.
#[derive(Debug, Default)]
pub struct Examination {
    /// Faults of files that no graph is in: of terms, and of texts that were kept.
    pub faults: Vec<Diagnostic>,
    /// The graphs that cannot be read, with the fault that was met first.
    pub damaged: Vec<(StoredDocument, Diagnostic)>,
    /// How many graphs are whole.
    pub whole: usize,
}

/// Reads every file and every graph.
pub(super) fn examine(medium: &dyn Medium, manifest: &Manifest) -> Examination {
    let mut examination = Examination::default();
    for file in &manifest.terms {
        let damage = Damage::default();
        match Sections::open(medium, file, FileKind::Terms, &damage) {
            Ok(file) => {
                let damaged = file.damaged_blocks();
                if damaged > 0 {
                    file.report(&format!("the checksums of {damaged} blocks are wrong"));
                }
                examination.faults.extend(damage.get().cloned());
            }
            Err(fault) => examination.faults.push(*fault),
        }
    }
    for document in &manifest.documents {
        if let Some(Err(fault)) = document.kept.as_ref().map(|kept| read_source(medium, kept)) {
            examination.faults.push(*fault);
        }
        // Alone, so that what is found is this document's.
        let alone = Manifest { documents: vec![document.clone()], ..manifest.clone() };
        match fault_of(medium, alone) {
            Some(fault) => examination.damaged.push((document.clone(), fault)),
            None => examination.whole += 1,
        }
    }
    examination
}

/// The first fault that is met where all quads of a store are read with all their terms.
fn fault_of(medium: &dyn Medium, manifest: Manifest) -> Option<Diagnostic> {
    let snapshot = match Snapshot::open(medium, manifest) {
        Ok(snapshot) => snapshot,
        Err(fault) => return Some(*fault),
    };
    let dataset = snapshot.dataset();
    let terms = dataset.dictionary();
    for quad in dataset.quads() {
        for term in [quad.subject, quad.predicate, quad.object] {
            terms.lexical(term);
        }
        if dataset.fault().is_some() {
            break;
        }
    }
    dataset.check_orders();
    dataset.fault().cloned()
}
