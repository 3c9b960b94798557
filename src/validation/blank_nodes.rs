//! The blank nodes of a document under the names that a dataset gives them: which of the document each is.

use std::collections::HashMap;

use oxrdf::Term;

use crate::diagnostic::Report;
use crate::input::source::InputSource;
use crate::load::dataset_names::StoredNames;
use crate::load::loader::Loader;
use crate::rdf::QuadBuffer;
use crate::rdf::difference::same_blank_nodes;
use crate::rdf::minted::{document_name, is_beside_documents};
use crate::store::{Dataset, EncodedQuad, Kind, Store, StoredDocument, TermId};

/// The blank nodes of a document by their names in the dataset: how many others the document hands to a sink before
/// each.
pub(super) type BlankNodes = HashMap<String, u64>;

/// The blank nodes of one of the documents that a dataset was made of, of which `counts` says how many each has. The
/// dataset has them in the order of the documents.
pub(super) fn in_order(
    dataset: &Dataset,
    counts: impl Iterator<Item = usize>,
    document: usize,
) -> BlankNodes {
    let counts: Vec<usize> = counts.take(document + 1).collect();
    let before = counts[..document].iter().sum();
    let dictionary = dataset.dictionary();
    let all = dictionary.ids().filter(|id| dictionary.kind(*id) == Kind::BlankNode);
    let own = all.skip(before).take(counts[document]);
    own.zip(0..).filter_map(|(id, number)| Some((name(dataset, id)?, number))).collect()
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
) -> Option<BlankNodes> {
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
    Some(found.collect())
}

fn name(dataset: &Dataset, id: TermId) -> Option<String> {
    match dataset.dictionary().term(id) {
        Term::BlankNode(node) => Some(node.into_string()),
        _ => None,
    }
}
