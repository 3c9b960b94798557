//! The questions of a checkpoint in its graph, for the catalog.

use crate::rdf::quad_buffer::{TermId, TermRef};
use crate::source::catalog::CatalogQuestion;
use crate::source::rewriting::Graph;
use hashbrown::HashMap;

/// The questions of a graph, in the order in which they came. The id of a question is that of its
/// item, by which results name it; else its `identifier`, else its own.
pub fn catalog_questions(graph: &Graph<'_>) -> Vec<CatalogQuestion> {
    let Some(rdf_type) = graph.rdf_type() else { return Vec::new() };
    let [class, item, text, name, identifier, answer] =
        ["Question", "item", "text", "name", "identifier", "acceptedAnswer"]
            .map(|name| graph.schema_org(name));
    let mut items: HashMap<TermId, TermId> = HashMap::new();
    for &node in graph.subjects() {
        let statements = graph.statements(node).iter();
        let questions = statements.filter(|statement| item.contains(&statement.0));
        items.extend(questions.map(|statement| (statement.1, node)));
    }
    let id = |node: TermId| match graph.quads().term(node) {
        TermRef::Iri(iri) => Some(graph.original_id(iri)),
        _ => None,
    };
    let is_question = |node: TermId| graph.objects(node, rdf_type).any(|found| class.contains(&found));
    let subjects = graph.subjects().iter().copied().filter(|&node| is_question(node));
    subjects
        .map(|node| CatalogQuestion {
            node,
            local_id: items
                .get(&node)
                .and_then(|&item| id(item))
                .or_else(|| graph.string(node, &identifier).map(str::to_owned))
                .or_else(|| id(node)),
            text: graph.string(node, &text).or_else(|| graph.string(node, &name)).map(str::to_owned),
            answerable: graph.statements(node).iter().any(|statement| answer.contains(&statement.0)),
        })
        .collect()
}
