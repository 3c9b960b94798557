//! Maps the names that a dataset gives to blank nodes back to the blank nodes of a document.

use std::collections::HashMap;

use crate::input::source::InputSource;
use crate::load::dataset_names::StoredNames;
use crate::load::document_loading::DocumentLoading;
use evalgraph_canonicalization::difference::same_blank_nodes;
use evalgraph_diagnostics::RunReport;
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::minted::{document_name, is_beside_documents};
use evalgraph_rdf::place_finder::PlaceFinder;
use evalgraph_store::{
    Dataset, EncodedQuad, RdfTermKind, StoreFolder, StoredDocument, TermDictionary, TermId,
};

/// The blank nodes of a dataset that was built from documents, in the order of the documents.
pub(super) struct InOrder<'d> {
    dictionary: &'d TermDictionary,
    all: Vec<TermId>,
    /// The end of the blank nodes of each document.
    ends: Vec<usize>,
}

/// The blank nodes of one document.
pub(super) enum DocumentBlankNodes<'b> {
    /// They are not needed.
    Unasked,
    /// The part of a dataset's blank nodes that belongs to the document, in the order of the document.
    InOrder(&'b TermDictionary, &'b [TermId]),
    /// The numbers of the blank nodes, by their names in the dataset.
    Matched(HashMap<String, u64>),
}

impl<'d> InOrder<'d> {
    /// The blank nodes of a dataset that was built from one document.
    pub(super) fn of_document(dataset: &'d Dataset) -> Self {
        let all = Self::new(dataset, std::iter::empty());
        Self { ends: vec![all.all.len()], ..all }
    }

    /// `counts` has the number of blank nodes of each document.
    pub(super) fn new(dataset: &'d Dataset, counts: impl Iterator<Item = usize>) -> Self {
        let dictionary = dataset.dictionary();
        let all = dictionary.ids().filter(|id| dictionary.kind(*id) == RdfTermKind::BlankNode).collect();
        let add = |end: &mut usize, count: usize| {
            *end += count;
            Some(*end)
        };
        Self { dictionary, all, ends: counts.scan(0, add).collect() }
    }

    pub(super) fn blank_nodes_of(&self, document: usize) -> DocumentBlankNodes<'_> {
        let start = document.checked_sub(1).map_or(0, |before| self.ends[before]);
        let own = self.all.get(start..self.ends[document]).unwrap_or_default();
        DocumentBlankNodes::InOrder(self.dictionary, own)
    }
}

impl DocumentBlankNodes<'_> {
    /// The position of a blank node in the document's output, given its name in the dataset: how many other blank nodes
    /// the document passes to a sink before it.
    pub(super) fn number(&self, name: &str) -> Option<u64> {
        match self {
            Self::Unasked => None,
            Self::InOrder(dictionary, own) => {
                own.binary_search(&dictionary.find_blank_node(name)?).ok().map(|rank| rank as u64)
            }
            Self::Matched(numbers) => numbers.get(name).copied(),
        }
    }
}

/// The quads with blank nodes of a document in the store.
pub(super) struct StoredQuads<'d> {
    dictionary: &'d TermDictionary,
    quads: Vec<EncodedQuad>,
    /// In the order in which they were added to the store.
    blank_nodes: Vec<TermId>,
}

impl<'d> StoredQuads<'d> {
    /// Reads the quads. `None` if the files of the store are damaged.
    pub(super) fn from_document(
        store: &StoreFolder,
        dataset: &'d Dataset,
        document: &StoredDocument,
    ) -> Option<Self> {
        let graphs = store.graphs_of(document).ok()?;
        let dictionary = dataset.dictionary();
        let is_named_after_file = document_name(&document.entry.graph).is_some();
        let is_blank = |term: TermId| dictionary.kind(term) == RdfTermKind::BlankNode;
        let (mut quads, mut blank_nodes) = (Vec::new(), Vec::new());
        for graph in graphs {
            if !graph.is_default && is_beside_documents(dictionary.lexical(graph.name)) {
                continue;
            }
            let name = (!graph.is_default || !is_named_after_file).then_some(graph.name);
            let named = name.filter(|name| is_blank(*name));
            // Quads with the same subject follow each other, so its kind is looked up once.
            let mut subject = None;
            for quad in graph.quads() {
                let (_, is_of_blank_node) = match subject {
                    Some(known @ (node, _)) if node == quad.subject => known,
                    _ => *subject.insert((quad.subject, is_blank(quad.subject))),
                };
                let found = [
                    is_of_blank_node.then_some(quad.subject),
                    Some(quad.object).filter(|term| is_blank(*term)),
                    named,
                ];
                let before = blank_nodes.len();
                blank_nodes.extend(found.into_iter().flatten());
                if blank_nodes.len() > before {
                    quads.push(EncodedQuad { graph: name, ..quad });
                }
            }
        }
        blank_nodes.sort_unstable();
        blank_nodes.dedup();
        Some(Self { dictionary, quads, blank_nodes })
    }

    /// Numbers the blank nodes in the order of the store. The numbers are right if the text of the document has the
    /// same order, which is so for unchanged documents.
    pub(super) fn in_order(&self) -> DocumentBlankNodes<'_> {
        DocumentBlankNodes::InOrder(self.dictionary, &self.blank_nodes)
    }

    /// Makes a place finder check whether the numbers of [`Self::in_order`] are right.
    pub(super) fn expected_by(&self, finder: PlaceFinder) -> PlaceFinder {
        let in_order = self.in_order();
        finder.expecting(
            |label| in_order.number(label),
            |sink| self.dictionary.copy_into(self.quads.iter().copied(), sink),
        )
    }

    /// The blank nodes, found by matching the quads with those of the document's text. `None` if reading fails.
    pub(super) fn matched(
        &self,
        source: &InputSource,
        loader: &DocumentLoading<'_>,
        report: &mut RunReport,
    ) -> Option<DocumentBlankNodes<'static>> {
        let mut stored = QuadBuffer::new();
        self.dictionary.copy_into(self.quads.iter().copied(), &mut stored);
        let (named, _progress) =
            loader.open_sources(vec![source.clone()], None, &StoredNames::default(), report);
        let mut read = QuadBuffer::new();
        loader.fill(named.first()?, &mut read, report).ok()?;
        let same = same_blank_nodes(&stored, &read);
        let found = same.into_iter().zip(0..).filter_map(|(same, number)| {
            Some((stored.blank_node_label(number)?.to_owned(), u64::from(same?)))
        });
        Some(DocumentBlankNodes::Matched(found.collect()))
    }
}
