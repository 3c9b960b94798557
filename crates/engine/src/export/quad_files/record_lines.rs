//! The lines of records in their files, for the rows of tables.

use std::collections::{BTreeSet, HashMap};

use crate::load::dataset_document::DatasetDocument;
use crate::load::document_loading::DocumentLoading;
use evalgraph_diagnostics::{FindingQuota, RunReport};
use evalgraph_rdf::place_finder::{DocumentTerm, PlaceFinder, WantedPlace};

/// Returns the lines of nodes of a document, by IRI. Loading keeps no places, so the document is processed again; what
/// there is to report was reported before.
pub(super) fn lines_of(
    loader: &DocumentLoading<'_>,
    document: &DatasetDocument,
    nodes: &BTreeSet<String>,
) -> HashMap<String, u64> {
    if nodes.is_empty() {
        return HashMap::new();
    }
    let wanted =
        nodes.iter().map(|node| WantedPlace { node: DocumentTerm::Iri(node), predicate: None, value: None });
    let mut unheard = RunReport::new(FindingQuota::All);
    let found = loader.places_of(document, PlaceFinder::new(wanted), &mut unheard);
    let places = found.map(|found| found.places).unwrap_or_default();
    nodes.iter().zip(places).filter_map(|(node, place)| Some((node.clone(), place?.line))).collect()
}
