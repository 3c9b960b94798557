//! Reads all of a store, to find what is damaged and what can be read all the same.

use std::collections::HashSet;

use foldhash::fast::RandomState;

use super::damage::Damage;
use super::kept_source::read_source;
use super::manifest::{Manifest, StoredDocument};
use super::medium::Medium;
use super::sections::{FileKind, Sections};
use super::snapshot::Snapshot;
use super::terms::StoredTerms;
use crate::diagnostic::Diagnostic;
use crate::store::dataset::Dataset;
use crate::store::dictionary::TermId;
use crate::store::edits::DocumentGraph;
use crate::store::graph::ORDERS;

/// What a term has in its block beside its text: where that ends, and its kind.
const BESIDE_TEXT: usize = 5;

/// What was found to be damaged.
#[derive(Debug, Default)]
pub struct Examination {
    /// Faults of the files of terms, which all graphs share.
    pub terms: Vec<Diagnostic>,
    /// Faults of texts that were kept, each with the graph that was read from it.
    pub texts: Vec<(String, Diagnostic)>,
    /// The graphs that cannot be read, with the fault that was met first.
    pub damaged: Vec<DamagedDocument>,
    /// How many graphs are whole.
    pub whole: usize,
    /// How many bytes of text the terms have.
    pub term_bytes: usize,
    /// How many bytes those have that are in a graph that is whole.
    pub used_bytes: usize,
}

/// A document that cannot be read as it should be.
#[derive(Debug)]
pub struct DamagedDocument {
    /// The document.
    pub document: StoredDocument,
    /// What was met first.
    pub fault: Diagnostic,
    /// All that it says, where one of the orders of its triples is whole.
    pub(super) graphs: Option<Vec<DocumentGraph>>,
}

impl DamagedDocument {
    /// Whether nothing of it is lost: the three orders of its triples say the same, and one of them is whole.
    pub fn is_readable(&self) -> bool {
        self.graphs.is_some()
    }
}

impl Examination {
    /// Whether anything is damaged.
    pub fn is_whole(&self) -> bool {
        self.terms.is_empty() && self.texts.is_empty() && self.damaged.is_empty()
    }
}

/// Reads every file and every graph.
pub(super) fn examine(medium: &dyn Medium, manifest: &Manifest) -> Examination {
    let mut examination = Examination { terms: faults_of_terms(medium, manifest), ..Examination::default() };
    let mut used: Vec<bool> = Vec::new();
    for document in &manifest.documents {
        if let Some(Err(fault)) = document.kept.as_ref().map(|kept| read_source(medium, kept)) {
            examination.texts.push((document.entry.graph.clone(), *fault));
        }
        // Alone, so that what is found is this document's.
        let alone = Manifest { documents: vec![document.clone()], ..manifest.clone() };
        match whole_terms(medium, &alone) {
            Ok((snapshot, terms)) => {
                let dictionary = snapshot.dataset().dictionary();
                used.resize(dictionary.len() + 1, false);
                for term in terms {
                    let is_used = used.get_mut(term.index()).map(|is_used| std::mem::replace(is_used, true));
                    if is_used == Some(false) {
                        examination.used_bytes += dictionary.stored(term).len() + BESIDE_TEXT;
                    }
                }
                examination.whole += 1;
            }
            Err(fault) => {
                let graphs = (0..ORDERS).find_map(|order| Some(read_by(order, medium, &alone).ok()?.1));
                let document = document.clone();
                examination.damaged.push(DamagedDocument { document, fault: *fault, graphs });
            }
        }
    }
    let terms = StoredTerms::open(medium, manifest.terms.iter(), manifest.seed, &Damage::default());
    examination.term_bytes = terms.map_or(0, |terms| terms.bytes());
    examination
}

fn faults_of_terms(medium: &dyn Medium, manifest: &Manifest) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    for file in &manifest.terms {
        let damage = Damage::default();
        match Sections::open(medium, file, FileKind::Terms, &damage) {
            Ok(file) => {
                let damaged = file.damaged_blocks();
                if damaged > 0 {
                    file.report(&format!("the checksums of {damaged} blocks are wrong"));
                }
                faults.extend(damage.get().cloned());
            }
            Err(fault) => faults.push(*fault),
        }
    }
    faults
}

type Terms = HashSet<TermId, RandomState>;

/// The terms of a document that is whole, and what they are terms of.
fn whole_terms(medium: &dyn Medium, alone: &Manifest) -> Result<(Snapshot, Terms), Box<Diagnostic>> {
    let (snapshot, graphs) = read_by(0, medium, alone)?;
    let dataset = snapshot.dataset();
    dataset.check_orders();
    if let Some(fault) = dataset.fault() {
        return Err(Box::new(fault.clone()));
    }
    let terms = terms_of(&graphs, dataset);
    Ok((snapshot, terms))
}

/// The graphs of a document by one of their orders, with all their terms.
fn read_by(
    order: usize,
    medium: &dyn Medium,
    alone: &Manifest,
) -> Result<(Snapshot, Vec<DocumentGraph>), Box<Diagnostic>> {
    let snapshot = Snapshot::open(medium, alone.clone())?;
    let dataset = snapshot.dataset();
    let graphs = dataset.parts().iter().map(|part| DocumentGraph {
        name: part.name,
        is_default: part.is_default,
        triples: part.graph.triples_by(order).collect(),
    });
    let graphs: Vec<DocumentGraph> = graphs.collect();
    if dataset.fault().is_none() {
        terms_of(&graphs, dataset);
    }
    match dataset.fault() {
        Some(fault) => Err(Box::new(fault.clone())),
        None => Ok((snapshot, graphs)),
    }
}

/// The terms of graphs, datatypes included. All are read.
fn terms_of(graphs: &[DocumentGraph], dataset: &Dataset) -> Terms {
    let dictionary = dataset.dictionary();
    let mut terms: Terms = graphs.iter().map(|graph| graph.name).collect();
    terms.extend(graphs.iter().flat_map(|graph| graph.triples.iter().flatten()));
    let datatypes: Vec<TermId> = terms.iter().filter_map(|term| dictionary.datatype(*term)).collect();
    terms.extend(datatypes);
    for term in &terms {
        dictionary.lexical(*term);
    }
    terms
}
