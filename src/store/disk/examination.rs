//! Reads all of a store, to find what is damaged and what can be read all the same.

use super::damage::{Damage, damaged};
use super::kept_source::check_source;
use super::manifest::{Manifest, StoredDocument};
use super::medium::Medium;
use super::sections::{FileKind, Sections};
use super::snapshot::Snapshot;
use super::terms::StoredTerms;
use crate::diagnostic::Diagnostic;
use crate::store::dataset::Dataset;
use crate::store::dictionary::{Kind, TermId, datatype_of_stored};
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
    let mut terms = TermsInUse::default();
    match read_terms(medium, manifest) {
        Ok(read) => terms = read,
        Err(fault) if examination.terms.is_empty() => examination.terms.push(*fault),
        Err(_) => {}
    }
    for document in &manifest.documents {
        if let Some(Err(fault)) = document.kept.as_ref().map(|kept| check_source(medium, kept)) {
            examination.texts.push((document.entry.graph.clone(), *fault));
        }
        // Alone, so that what is found is this document's.
        let alone = Manifest { documents: vec![document.clone()], ..manifest.clone() };
        let fault = match examination.terms.is_empty() {
            true => terms.use_those_of(medium, &alone),
            // Which of the damaged terms it has.
            false => check_with_terms(medium, &alone),
        };
        match fault {
            Ok(()) => examination.whole += 1,
            Err(fault) => {
                let graphs = (0..ORDERS).find_map(|order| read_by(order, medium, &alone).ok());
                let document = document.clone();
                examination.damaged.push(DamagedDocument { document, fault: *fault, graphs });
            }
        }
    }
    (examination.term_bytes, examination.used_bytes) = terms.bytes();
    examination
}

/// What is known of the terms that are used.
#[derive(Debug, Default)]
struct TermsInUse {
    /// How many bytes each has, by its number.
    lengths: Vec<u32>,
    is_used: Vec<bool>,
    /// Literals of other datatypes than those that every store knows, and these.
    datatypes: Vec<(TermId, TermId)>,
}

/// Reads all terms.
fn read_terms(medium: &dyn Medium, manifest: &Manifest) -> Result<TermsInUse, Box<Diagnostic>> {
    let damage = Damage::default();
    let stored = StoredTerms::open(medium, manifest.terms.iter(), manifest.seed, &damage)?;
    let mut terms = TermsInUse { lengths: vec![0; stored.count() + 1], ..TermsInUse::default() };
    terms.is_used = vec![false; stored.count() + 1];
    stored.each(|id, kind, text| {
        let length = if kind == Kind::BlankNode { 0 } else { text.len() + BESIDE_TEXT };
        terms.lengths[id.index()] = u32::try_from(length).unwrap_or(u32::MAX);
        if kind == Kind::OtherTyped {
            terms.datatypes.push((id, datatype_of_stored(text)));
        }
    });
    damage.get().map_or(Ok(terms), |fault| Err(Box::new(fault.clone())))
}

impl TermsInUse {
    /// Reads all orders of a document, and notes its terms. They are known to be whole.
    fn use_those_of(&mut self, medium: &dyn Medium, alone: &Manifest) -> Result<(), Box<Diagnostic>> {
        let snapshot = Snapshot::open(medium, alone.clone())?;
        let dataset = snapshot.dataset();
        dataset.check_orders();
        if let Some(fault) = dataset.fault() {
            return Err(Box::new(fault.clone()));
        }
        for part in dataset.parts() {
            for id in part.graph.triples().flatten().chain([part.name]) {
                match self.is_used.get_mut(id.index()) {
                    Some(is_used) => *is_used = true,
                    None => {
                        let file = &alone.documents[0].file.name;
                        return Err(Box::new(damaged(
                            medium.folder(),
                            file,
                            "it has terms that there are not",
                        )));
                    }
                }
            }
        }
        Ok(())
    }

    /// How many bytes the terms have, and how many of them those that are used.
    fn bytes(mut self) -> (usize, usize) {
        for (literal, datatype) in &self.datatypes {
            if self.is_used[literal.index()]
                && let Some(is_used) = self.is_used.get_mut(datatype.index())
            {
                *is_used = true;
            }
        }
        let lengths = || self.lengths.iter().map(|length| *length as usize);
        let used = lengths().zip(&self.is_used).filter(|(_, is_used)| **is_used).map(|(length, _)| length);
        (lengths().sum(), used.sum())
    }
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

/// Reads a document in all orders, with all its terms.
fn check_with_terms(medium: &dyn Medium, alone: &Manifest) -> Result<(), Box<Diagnostic>> {
    let snapshot = Snapshot::open(medium, alone.clone())?;
    let dataset = snapshot.dataset();
    dataset.check_orders();
    for part in dataset.parts() {
        read_texts(dataset, part.graph.triples().flatten().chain([part.name]));
    }
    dataset.fault().map_or(Ok(()), |fault| Err(Box::new(fault.clone())))
}

/// The graphs of a document by one of their orders, with all their terms.
fn read_by(
    order: usize,
    medium: &dyn Medium,
    alone: &Manifest,
) -> Result<Vec<DocumentGraph>, Box<Diagnostic>> {
    let snapshot = Snapshot::open(medium, alone.clone())?;
    let dataset = snapshot.dataset();
    let graphs = dataset.parts().iter().map(|part| DocumentGraph {
        name: part.name,
        is_default: part.is_default,
        triples: part.graph.triples_by(order).collect(),
    });
    let graphs: Vec<DocumentGraph> = graphs.collect();
    for graph in &graphs {
        read_texts(dataset, graph.triples.iter().flatten().copied().chain([graph.name]));
    }
    dataset.fault().map_or(Ok(graphs), |fault| Err(Box::new(fault.clone())))
}

/// Reads terms and their datatypes, until one cannot be read.
fn read_texts(dataset: &Dataset, terms: impl Iterator<Item = TermId>) {
    let dictionary = dataset.dictionary();
    for term in terms {
        if dataset.fault().is_some() {
            return;
        }
        dictionary.lexical(term);
        if let Some(datatype) = dictionary.datatype(term) {
            dictionary.lexical(datatype);
        }
    }
}
