//! Reads a whole store to find damaged files, and the documents that are readable despite the damage. `StoreFolder`
//! is defined in `snapshot.rs`.

use std::collections::HashMap;
use std::io;

use super::damage::{StoreDamage, damaged};
use super::kept_source::{check_source, copy_source};
use super::manifest::{StoreManifest, StoredDocument};
use super::medium::StoreMedium;
use super::pack::GraphPack;
use super::sections::{SectionedFile, StoreFileKind};
use super::snapshot::StoreFolder;
use super::snapshot::{OpenGraphs, StoreSnapshot};
use super::store_location::StoreLocation;
use super::stored_terms::StoredTerms;
use crate::dataset::Dataset;
use crate::dictionary::{RdfTermKind, TermId, datatype_of_stored};
use crate::edits::DocumentGraph;
use crate::graph_index::ORDERS;
use crate::part::GraphPart;
use evalgraph_diagnostics::Diagnostic;

/// How many bytes a term has in its block in addition to its text: the end of the text, and the kind.
const BESIDE_TEXT: usize = 5;

/// The damage found in a store.
#[derive(Debug, Default)]
pub struct StoreExamination {
    /// Faults of the files of terms, which all graphs share.
    pub terms: Vec<Diagnostic>,
    /// Faults of kept texts, each with the graph that was read from the text.
    pub texts: Vec<(String, Diagnostic)>,
    /// The unreadable graphs, each with its first fault.
    pub damaged: Vec<DamagedDocument>,
    /// How many graphs are intact.
    pub whole: usize,
    /// How many bytes of text the terms have.
    pub term_bytes: usize,
    /// How many bytes of text the terms of intact graphs have.
    pub used_bytes: usize,
}

/// A document that is damaged.
#[derive(Debug)]
pub struct DamagedDocument {
    /// The document.
    pub document: StoredDocument,
    /// The first fault.
    pub fault: Diagnostic,
    /// Its graphs, if at least one order of their triples is intact.
    pub(super) graphs: Option<Vec<DocumentGraph>>,
}

impl StoreFolder {
    /// Reads every byte of the store.
    ///
    /// # Errors
    ///
    /// A manifest that cannot be read.
    pub fn examine(&self) -> Result<StoreExamination, Box<Diagnostic>> {
        Ok(examine(self.medium(), &self.read_manifest()?))
    }
}

impl DamagedDocument {
    /// Returns whether the document is complete despite the damage: all three orders contain the same triples, and at
    /// least one of them is intact.
    pub fn is_readable(&self) -> bool {
        self.graphs.is_some()
    }
}

impl StoreExamination {
    /// Returns whether anything is damaged.
    pub fn is_whole(&self) -> bool {
        self.terms.is_empty() && self.texts.is_empty() && self.damaged.is_empty()
    }
}

/// Reads every file and every graph.
pub(super) fn examine(medium: &dyn StoreMedium, manifest: &StoreManifest) -> StoreExamination {
    let mut examination =
        StoreExamination { terms: faults_of_terms(medium, manifest), ..StoreExamination::default() };
    let mut terms = TermsInUse::default();
    match read_terms(medium, manifest) {
        Ok(read) => terms = read,
        Err(fault) if examination.terms.is_empty() => examination.terms.push(*fault),
        Err(_) => {}
    }
    let mut shared = ExaminedFiles::default();
    for document in &manifest.documents {
        if let Some(Err(fault)) = document.kept.as_ref().map(|kept| shared.check_text(medium, kept)) {
            examination.texts.push((document.entry.graph.clone(), *fault));
        }
        let fault = match examination.terms.is_empty() {
            true => shared.parts(medium, &document.graphs).and_then(|parts| {
                let file = document.graphs.file.name();
                terms.use_those_of(&parts).map_err(|what| Box::new(damaged(medium.folder(), file, what)))
            }),
            // The terms are damaged: find out whether the document uses damaged ones.
            false => check_with_terms(medium, manifest, document),
        };
        match fault {
            Ok(()) => examination.whole += 1,
            Err(fault) => {
                let graphs = (0..ORDERS).find_map(|order| read_by(order, medium, manifest, document).ok());
                let document = document.clone();
                examination.damaged.push(DamagedDocument { document, fault: *fault, graphs });
            }
        }
    }
    (examination.term_bytes, examination.used_bytes) = terms.bytes();
    examination
}

/// The sizes of terms, and which terms are used.
#[derive(Debug, Default)]
struct TermsInUse {
    /// How many bytes each has, by its number.
    lengths: Vec<u32>,
    is_used: Vec<bool>,
    /// Literals whose datatypes are not well-known, each with its datatype.
    datatypes: Vec<(TermId, TermId)>,
}

/// Reads all terms.
fn read_terms(medium: &dyn StoreMedium, manifest: &StoreManifest) -> Result<TermsInUse, Box<Diagnostic>> {
    let damage = StoreDamage::default();
    let stored = StoredTerms::open(medium, manifest.terms.iter(), manifest.seed, &damage)?;
    let mut terms = TermsInUse { lengths: vec![0; stored.count() + 1], ..TermsInUse::default() };
    terms.is_used = vec![false; stored.count() + 1];
    stored.each(|id, kind, text| {
        let length = if kind == RdfTermKind::BlankNode { 0 } else { text.len() + BESIDE_TEXT };
        terms.lengths[id.index()] = u32::try_from(length).unwrap_or(u32::MAX);
        if kind == RdfTermKind::OtherTyped {
            terms.datatypes.push((id, datatype_of_stored(text)));
        }
    });
    damage.check().map(|()| terms)
}

impl TermsInUse {
    /// Marks the terms of a document as used. The terms must have been checked.
    fn use_those_of(&mut self, parts: &[GraphPart]) -> Result<(), &'static str> {
        for part in parts {
            for id in part.graph.get().triples().flatten().chain([part.name]) {
                match self.is_used.get_mut(id.index()) {
                    Some(is_used) => *is_used = true,
                    None => return Err("it uses terms that do not exist"),
                }
            }
        }
        Ok(())
    }

    /// Returns how many bytes all terms have, and how many of them belong to used terms.
    fn bytes(mut self) -> (usize, usize) {
        // A literal needs its datatype, which may be in no triple.
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

fn faults_of_terms(medium: &dyn StoreMedium, manifest: &StoreManifest) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    for file in &manifest.terms {
        let damage = StoreDamage::default();
        match SectionedFile::open(medium, file, StoreFileKind::Terms, &damage) {
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
fn check_with_terms(
    medium: &dyn StoreMedium,
    manifest: &StoreManifest,
    document: &StoredDocument,
) -> Result<(), Box<Diagnostic>> {
    let dataset = StoreSnapshot::of_documents(medium, manifest, std::slice::from_ref(document))?;
    dataset.check_orders();
    for part in dataset.parts() {
        read_texts(&dataset, part.graph.get().triples().flatten().chain([part.name]));
    }
    dataset.check()
}

/// Reads the graphs of a document in one of their orders, with all their terms.
fn read_by(
    order: usize,
    medium: &dyn StoreMedium,
    manifest: &StoreManifest,
    document: &StoredDocument,
) -> Result<Vec<DocumentGraph>, Box<Diagnostic>> {
    let dataset = StoreSnapshot::of_documents(medium, manifest, std::slice::from_ref(document))?;
    let graphs = dataset.parts().iter().map(|part| DocumentGraph {
        name: part.name,
        is_default: part.is_default,
        triples: part.graph.get().triples_by(order).collect(),
    });
    let graphs: Vec<DocumentGraph> = graphs.collect();
    for graph in &graphs {
        read_texts(&dataset, graph.triples.iter().flatten().copied().chain([graph.name]));
    }
    dataset.check().map(|()| graphs)
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

/// Files that documents share. An intact file is read only once.
#[derive(Debug, Default)]
struct ExaminedFiles {
    graphs: HashMap<String, Option<GraphPack>>,
    texts: HashMap<String, Option<(SectionedFile, StoreDamage)>>,
}

impl ExaminedFiles {
    /// Reads the graphs of a document, and fails unless all their orders are intact.
    fn parts(
        &mut self,
        medium: &dyn StoreMedium,
        place: &StoreLocation,
    ) -> Result<Vec<GraphPart>, Box<Diagnostic>> {
        if let Some(part) = place.part {
            let pack = self.graphs.entry(place.file.name().to_owned()).or_insert_with(|| {
                let pack = GraphPack::open(medium, &place.file.facts(), &StoreDamage::default()).ok()?;
                (pack.damaged_blocks() == 0).then_some(pack)
            });
            if let Some(pack) = pack {
                return pack.parts(part).map(Iterator::collect);
            }
        }
        // The file is opened again for each document: a fault then belongs to this document.
        let damage = StoreDamage::default();
        let mut graphs = OpenGraphs::default();
        graphs.open(medium, &place.file, place.part, &damage)?;
        for permutation in graphs.parts.iter().flat_map(|part| part.graph.get().permutations()) {
            permutation.read();
        }
        damage.check().map(|()| graphs.parts)
    }

    /// Fails if a text cannot be read.
    fn check_text(&mut self, medium: &dyn StoreMedium, place: &StoreLocation) -> Result<(), Box<Diagnostic>> {
        if place.part.is_some() {
            let file = self.texts.entry(place.file.name().to_owned()).or_insert_with(|| {
                let damage = StoreDamage::default();
                let file =
                    SectionedFile::open(medium, &place.file.facts(), StoreFileKind::Source, &damage).ok()?;
                (file.damaged_blocks() == 0).then_some((file, damage))
            });
            if let Some((file, damage)) = file {
                copy_source(file, place, &mut io::sink());
                if damage.get().is_none() {
                    return Ok(());
                }
                // The file is closed, so its fault is not reported again for the next document.
                self.texts.insert(place.file.name().to_owned(), None);
            }
        }
        check_source(medium, place)
    }
}
