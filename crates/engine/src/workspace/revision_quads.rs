//! Copies quads of a revision: whole graphs, or only the added quads.

use oxrdf::Term;

use evalgraph_rdf::{QuadBuffer, QuadSink};
use evalgraph_store::{DatasetRevision, TermId};

/// Appends the quads of graphs of a revision, each with its name or without it.
pub fn copy_graphs(
    revision: &DatasetRevision<'_>,
    graphs: impl Iterator<Item = (TermId, bool)>,
    quads: &mut QuadBuffer,
) {
    let mut terms = std::collections::HashMap::new();
    for (graph, is_named) in graphs {
        let name = is_named.then(|| term(graph, revision, &mut terms, quads));
        for triple in revision.graph_triples(graph) {
            let [subject, predicate, object] = triple.map(|id| term(id, revision, &mut terms, quads));
            quads.quad(subject, predicate, object, name);
        }
    }
}

/// Returns the statements that a revision has added, without their graphs.
pub fn added(revision: &DatasetRevision<'_>) -> QuadBuffer {
    let (mut quads, mut terms) = (QuadBuffer::new(), std::collections::HashMap::new());
    for triple in revision.changes().into_iter().flat_map(|change| change.added) {
        let [subject, predicate, object] = triple.map(|id| term(id, revision, &mut terms, &mut quads));
        quads.quad(subject, predicate, object, None);
    }
    quads
}

type RevisionTermHandle = <QuadBuffer as QuadSink>::Term;

fn term(
    id: TermId,
    revision: &DatasetRevision<'_>,
    known: &mut std::collections::HashMap<TermId, RevisionTermHandle>,
    quads: &mut QuadBuffer,
) -> RevisionTermHandle {
    *known.entry(id).or_insert_with(|| match revision.term(id) {
        Term::NamedNode(node) => quads.iri(node.as_str()),
        Term::BlankNode(_) => quads.blank_node(),
        Term::Literal(literal) => match literal.language() {
            Some(language) => quads.language_string(literal.value(), language),
            None if literal.datatype() == oxrdf::vocab::xsd::STRING => quads.string(literal.value()),
            None => {
                let datatype = quads.iri(literal.datatype().as_str());
                quads.typed_literal(literal.value(), datatype)
            }
        },
    })
}
