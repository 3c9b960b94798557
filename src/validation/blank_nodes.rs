//! The blank nodes of a document under the names that a dataset gives them: which of the document each is.

use std::collections::HashMap;

use crate::diagnostic::Report;
use crate::input::source::InputSource;
use crate::load::dataset_names::StoredNames;
use crate::load::loader::Loader;
use crate::rdf::QuadBuffer;
use crate::rdf::difference::same_blank_nodes;
use crate::rdf::minted::{document_name, is_beside_documents};
use crate::store::{Dataset, Dictionary, EncodedQuad, Kind, Store, StoredDocument, TermId};

/// The blank nodes of a dataset that was made of documents, in the order of these.
pub(super) struct InOrder<'d> {
    dictionary: &'d Dictionary,
    all: Vec<TermId>,
    /// Where those of each document end.
    ends: Vec<usize>,
}

/// The blank nodes of one document.
pub(super) enum BlankNodes<'b> {
    /// None are asked for.
    Unasked,
    /// Those of a dataset that are the document's, in its order.
    InOrder(&'b Dictionary, &'b [TermId]),
    /// By their names in the dataset.
    Matched(HashMap<String, u64>),
}

impl<'d> InOrder<'d> {
    /// The blank nodes of a dataset that was made of one document.
    pub(super) fn of_document(dataset: &'d Dataset) -> Self {
        let all = Self::new(dataset, std::iter::empty());
        Self { ends: vec![all.all.len()], ..all }
    }

    /// `counts` says how many each document has.
    pub(super) fn new(dataset: &'d Dataset, counts: impl Iterator<Item = usize>) -> Self {
        let dictionary = dataset.dictionary();
        let all = dictionary.ids().filter(|id| dictionary.kind(*id) == Kind::BlankNode).collect();
        let add = |end: &mut usize, count: usize| {
            *end += count;
            Some(*end)
        };
        Self { dictionary, all, ends: counts.scan(0, add).collect() }
    }

    pub(super) fn of(&self, document: usize) -> BlankNodes<'_> {
        let start = document.checked_sub(1).map_or(0, |before| self.ends[before]);
        let own = self.all.get(start..self.ends[document]).unwrap_or_default();
        BlankNodes::InOrder(self.dictionary, own)
    }
}

impl BlankNodes<'_> {
    /// How many others the document hands to a sink before the one of that name in the dataset.
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

/// The blank nodes of a document of the store, found by matching its graphs with those of its text; none where reading
/// fails.
pub(super) fn in_stored_document(
    store: &Store,
    dataset: &Dataset,
    document: &StoredDocument,
    source: &InputSource,
    loader: &Loader<'_>,
    report: &mut Report,
) -> Option<BlankNodes<'static>> {
    let graphs = store.graphs_of(document).ok()?;
    let terms = dataset.dictionary();
    let is_named_after_file = document_name(&document.entry.graph).is_some();
    let of_data =
        graphs.iter().filter(|graph| graph.is_default || !is_beside_documents(terms.lexical(graph.name)));
    let quads = of_data.flat_map(|graph| {
        let name = (!graph.is_default || !is_named_after_file).then_some(graph.name);
        graph.quads().map(move |quad| EncodedQuad { graph: name, ..quad })
    });
    let mut stored = QuadBuffer::new();
    terms.copy_into(quads, &mut stored);
    let (named, _progress) = loader.open_sources(vec![source.clone()], None, &StoredNames::default(), report);
    let mut read = QuadBuffer::new();
    loader.fill(named.first()?, &mut read, report)?;
    let same = same_blank_nodes(&stored, &read);
    let found = same
        .into_iter()
        .zip(0..)
        .filter_map(|(same, number)| Some((stored.blank_node_label(number)?.to_owned(), u64::from(same?))));
    Some(BlankNodes::Matched(found.collect()))
}
