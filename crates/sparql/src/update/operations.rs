//! The operations of SPARQL 1.1 Update (section 3 of the recommendation), performed on a [`DatasetRevision`].
//!
//! Triples without a graph go to the target, which is the only document or the one that the user chose. A deletion
//! without a graph deletes the triple from every graph of the default graph. Sidecars and the catalog are derived from
//! documents, so no operation changes them.

use std::collections::HashMap;

use oxrdf::{BlankNode, Literal, NamedNode, NamedOrBlankNode, Term};
use spargebra::algebra::{GraphPattern, GraphTarget, QueryDataset};
use spargebra::term::{
    GraphName, GraphNamePattern, GroundQuadPattern, NamedNodePattern, Quad, QuadPattern, TermPattern,
    TriplePattern,
};
use spargebra::{GraphUpdateOperation, Query};

use crate::deadline::EvaluationDeadline;
use crate::environment::EvaluationEnvironment;
use crate::evaluate::{EvaluationError, ExecuteOptions, QueryResults};
use crate::query::evaluate;
use crate::update::update_algebra::{
    RequestedQuadChange, change, deletion_of, graph_term, template_of, variables_of_templates,
};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::iri::without_userinfo;
use evalgraph_rdf::minted::is_beside_documents;
use evalgraph_rdf::quad_buffer::{BufferLiteralKind, TermRef};
use evalgraph_rdf::vocabulary::evaluator;
use evalgraph_store::{DatasetRevision, TermId};

type OperationResult = Result<(), EvaluationError>;

/// Reads the document of LOAD.
pub type UpdateLoader<'l> = dyn Fn(&str) -> Result<QuadBuffer, Box<Diagnostic>> + 'l;

/// Options of an update.
#[derive(Clone, Copy)]
pub struct UpdateOptions<'o> {
    /// The limits. The time limit applies to all operations together.
    pub execute: ExecuteOptions,
    /// The IRI of the graph for triples without a graph, if there is one.
    pub default_target: Option<&'o str>,
    /// Reads the documents of LOAD. Without it, LOAD is an error.
    pub loader: Option<&'o UpdateLoader<'o>>,
}

impl std::fmt::Debug for UpdateOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UpdateOptions").field("default_target", &self.default_target).finish_non_exhaustive()
    }
}

/// Performs the operations of one request.
pub(crate) struct UpdateEvaluator<'o, 'r, 'd> {
    revision: &'r mut DatasetRevision<'d>,
    options: UpdateOptions<'o>,
    environment: &'o EvaluationEnvironment,
    base_iri: Option<oxiri::Iri<String>>,
    target: Option<TermId>,
    /// One time limit for all operations of the request.
    deadline: EvaluationDeadline,
}

impl<'o, 'r, 'd> UpdateEvaluator<'o, 'r, 'd> {
    pub(crate) fn new(
        revision: &'r mut DatasetRevision<'d>,
        options: UpdateOptions<'o>,
        environment: &'o EvaluationEnvironment,
        base_iri: Option<oxiri::Iri<String>>,
    ) -> Self {
        let target = options.default_target.map(|iri| revision.intern(NamedNode::new_unchecked(iri).into()));
        if let Some(target) = target {
            revision.add_document(target);
        }
        let cancellation = environment.cancellation.clone();
        let deadline = EvaluationDeadline::start(cancellation, options.execute.timeout, "update");
        let execute = ExecuteOptions { timeout: None, ..options.execute };
        let options = UpdateOptions { execute, ..options };
        Self { revision, options, environment, base_iri, target, deadline }
    }

    pub(crate) fn all(mut self, operations: &[GraphUpdateOperation]) -> OperationResult {
        for (at, operation) in operations.iter().enumerate() {
            self.deadline.check()?;
            self.check_copy(operation, operations.get(at + 1))?;
            self.one(operation)?;
        }
        Ok(())
    }

    fn one(&mut self, operation: &GraphUpdateOperation) -> OperationResult {
        match operation {
            GraphUpdateOperation::InsertData { data } => self.insert_data(data),
            GraphUpdateOperation::DeleteData { data } => {
                data.iter().try_for_each(|quad| self.change(deletion_of(quad)))
            }
            GraphUpdateOperation::DeleteInsert { delete, insert, using, pattern } => {
                self.delete_insert(delete, insert, using.as_ref(), pattern)
            }
            GraphUpdateOperation::Load { source, destination: GraphName::NamedNode(graph), .. }
                if source.as_str() == evaluator::SOURCE =>
            {
                let id = self.revision.intern(graph.clone().into());
                if self.revision.contains_graph(id) { Ok(()) } else { Err(self.no_graph(graph)) }
            }
            GraphUpdateOperation::Load { silent, source, destination } => {
                // A failed read has changed nothing.
                match self.load(source, destination) {
                    Err(_) if *silent => Ok(()),
                    result => result,
                }
            }
            GraphUpdateOperation::Clear { silent, graph } => self.clear(graph, *silent, false),
            GraphUpdateOperation::Drop { silent, graph } => self.clear(graph, *silent, true),
            GraphUpdateOperation::Create { silent, graph } => {
                let id = self.writable(graph.clone().into())?;
                if !self.revision.contains_graph(id) {
                    self.revision.create_graph(id);
                } else if !silent {
                    let message = format!("the graph `{}` is there already", graph.as_str());
                    return Err(Box::new(
                        Diagnostic::error("sparql::graph-exists", message)
                            .with_help("`CREATE SILENT` ignores this"),
                    ));
                }
                Ok(())
            }
        }
    }

    fn insert_data(&mut self, data: &[Quad]) -> OperationResult {
        let mut blank_nodes: HashMap<BlankNode, BlankNode> = HashMap::new();
        let mut fresh =
            |node: &BlankNode| -> BlankNode { blank_nodes.entry(node.clone()).or_default().clone() };
        let changes: Vec<RequestedQuadChange> = data
            .iter()
            .map(|quad| {
                let subject = match &quad.subject {
                    NamedOrBlankNode::NamedNode(node) => Term::from(node.clone()),
                    NamedOrBlankNode::BlankNode(node) => fresh(node).into(),
                };
                let object = match &quad.object {
                    Term::BlankNode(node) => fresh(node).into(),
                    other => other.clone(),
                };
                let triple = [subject, quad.predicate.clone().into(), object];
                RequestedQuadChange { is_insertion: true, triple, graph: graph_term(&quad.graph_name) }
            })
            .collect();
        changes.into_iter().try_for_each(|change| self.change(change))
    }

    fn delete_insert(
        &mut self,
        delete: &[GroundQuadPattern],
        insert: &[QuadPattern],
        using: Option<&QueryDataset>,
        pattern: &GraphPattern,
    ) -> OperationResult {
        let delete: Vec<QuadPattern> = delete.iter().map(template_of).collect();
        let variables = variables_of_templates(delete.iter().chain(insert));
        let pattern = GraphPattern::Project { inner: Box::new(pattern.clone()), variables };
        let query = Query::Select { dataset: using.cloned(), pattern, base_iri: self.base_iri.clone() };
        // All solutions are found before anything changes: a change must not affect the pattern (section 3.1.3).
        let mut changes = Vec::new();
        {
            let view = self.revision.view();
            let results = evaluate(&query, view, self.options.execute, self.environment)?;
            let QueryResults::Solutions(solutions) = results else { return Ok(()) };
            for solution in solutions {
                let solution = solution?;
                // New for each solution, as in CONSTRUCT.
                let mut blank_nodes = HashMap::new();
                let templates =
                    delete.iter().map(|quad| (quad, false)).chain(insert.iter().map(|quad| (quad, true)));
                changes.extend(
                    templates.filter_map(|(quad, is_new)| change(quad, is_new, &solution, &mut blank_nodes)),
                );
            }
        }
        // All deletions come before all insertions (section 3.1.3).
        let (insertions, deletions): (Vec<_>, Vec<_>) =
            changes.into_iter().partition(|change| change.is_insertion);
        for change in deletions.into_iter().chain(insertions) {
            self.deadline.check()?;
            self.change(change)?;
        }
        Ok(())
    }

    fn change(
        &mut self,
        RequestedQuadChange { is_insertion, triple, graph }: RequestedQuadChange,
    ) -> OperationResult {
        let triple = triple.map(|term| self.revision.intern(term));
        let graph = match graph {
            Some(graph) => self.writable(graph)?,
            None if is_insertion => self.target()?,
            None => {
                for graph in self.revision.default_graphs_of(triple) {
                    self.revision.remove(triple, graph);
                }
                return Ok(());
            }
        };
        if is_insertion {
            self.revision.insert(triple, graph);
        } else {
            self.revision.remove(triple, graph);
        }
        Ok(())
    }

    /// The graph for triples without a graph.
    fn target(&self) -> Result<TermId, EvaluationError> {
        self.target.ok_or_else(|| {
            let message = "the update names no graph, and there are several that could be meant";
            let error = Diagnostic::error("sparql::which-graph", message);
            Box::new(error.with_help(help![
                "change each graph in its place: `DELETE { GRAPH ?g { … } } INSERT { GRAPH ?g { … } } WHERE { GRAPH ?g { … } }`; \
                 or name one: `WITH <graph>`, or ",
                setting("graph").to("IRI")
            ]))
        })
    }

    /// The number of a graph that an operation names.
    fn writable(&self, graph: Term) -> Result<TermId, EvaluationError> {
        if let Term::NamedNode(node) = &graph
            && is_beside_documents(node.as_str())
        {
            let message = format!("`{}` cannot be updated", node.as_str());
            let help = "sidecars and the catalog are made when documents are loaded; update the documents";
            return Err(Box::new(Diagnostic::error("sparql::protected-graph", message).with_help(help)));
        }
        Ok(self.revision.intern(graph))
    }

    fn clear(&mut self, target: &GraphTarget, silent: bool, and_name: bool) -> OperationResult {
        let graphs = match target {
            GraphTarget::NamedNode(name) => {
                let graph = self.writable(name.clone().into())?;
                if !self.revision.contains_graph(graph) {
                    return if silent { Ok(()) } else { Err(self.no_graph(name)) };
                }
                vec![graph]
            }
            GraphTarget::DefaultGraph => vec![self.target()?],
            GraphTarget::NamedGraphs => self.revision.named_graphs(),
            GraphTarget::AllGraphs => self.revision.graphs(),
        };
        for graph in graphs {
            self.deadline.check()?;
            self.revision.clear_graph(graph, and_name);
        }
        Ok(())
    }

    fn no_graph(&self, name: &NamedNode) -> EvaluationError {
        let message = format!("there is no graph `{}`", name.as_str());
        let error = Diagnostic::error("sparql::no-graph", message);
        let graphs = self.revision.graphs().into_iter().filter_map(|graph| match self.revision.term(graph) {
            Term::NamedNode(node) => Some(node.into_string()),
            _ => None,
        });
        let graphs: Vec<String> = graphs.collect();
        Box::new(
            match evalgraph_diagnostics::nearest::nearest(name.as_str(), graphs.iter().map(String::as_str)) {
                Some(meant) => error.with_help(format!("did you mean `<{meant}>`?")),
                None => error.with_help("SILENT ignores this"),
            },
        )
    }

    /// Refuses COPY and MOVE between DEFAULT and a graph that is part of it: clearing the target would clear
    /// the triples to be copied. The parser turns COPY and MOVE into DROP and an insertion.
    fn check_copy(
        &mut self,
        first: &GraphUpdateOperation,
        second: Option<&GraphUpdateOperation>,
    ) -> OperationResult {
        let GraphUpdateOperation::Drop { silent: true, graph: to } = first else { return Ok(()) };
        let Some(GraphUpdateOperation::DeleteInsert { delete, insert, using: None, pattern }) = second else {
            return Ok(());
        };
        let [quad] = insert.as_slice() else { return Ok(()) };
        let is_copied_to = match (&quad.graph_name, to) {
            (GraphNamePattern::DefaultGraph, GraphTarget::DefaultGraph) => true,
            (GraphNamePattern::NamedNode(name), GraphTarget::NamedNode(to)) => name == to,
            _ => false,
        };
        if !is_copied_to || !delete.is_empty() || !is_each_triple(quad, pattern) {
            return Ok(());
        }
        let shares = match (pattern.as_ref(), to) {
            (
                GraphPattern::Graph { name: NamedNodePattern::NamedNode(from), .. },
                GraphTarget::DefaultGraph,
            ) => {
                let from = self.revision.intern(from.clone().into());
                self.target == Some(from)
            }
            (GraphPattern::Bgp { .. }, GraphTarget::NamedNode(to)) => {
                let to = self.revision.intern(to.clone().into());
                self.revision.is_in_default(to) && !self.revision.graph_triples(to).is_empty()
            }
            _ => false,
        };
        if shares {
            let message = "COPY and MOVE cannot go between DEFAULT and a graph that belongs to it";
            let help = "name both graphs, or use ADD, which clears nothing";
            return Err(Box::new(Diagnostic::error("sparql::same-graph", message).with_help(help)));
        }
        Ok(())
    }

    fn load(&mut self, source: &NamedNode, destination: &GraphName) -> OperationResult {
        let Some(loader) = self.options.loader else {
            let message = format!(
                "LOAD asks for `{}`, but documents cannot be loaded here",
                without_userinfo(source.as_str())
            );
            return Err(Box::new(Diagnostic::error("sparql::load", message)));
        };
        let graph = match destination {
            GraphName::DefaultGraph => self.target()?,
            GraphName::NamedNode(name) => self.writable(name.clone().into())?,
        };
        let quads = loader(source.as_str())?;
        if quads.quads().iter().any(|quad| quad.graph.is_some()) {
            let message =
                format!("`{}` has named graphs, and LOAD reads one graph", without_userinfo(source.as_str()));
            return Err(Box::new(
                Diagnostic::error("sparql::load", message).with_help("give it as a separate input"),
            ));
        }
        let mut blank_nodes = HashMap::new();
        if !self.revision.contains_graph(graph) {
            self.revision.create_graph(graph);
        }
        for quad in quads.quads() {
            let triple =
                [quad.subject, quad.predicate, quad.object].map(|id| match quads.blank_node_number(id) {
                    Some(number) => {
                        let node: &BlankNode = blank_nodes.entry(number).or_default();
                        self.revision.intern(node.clone().into())
                    }
                    None => self.revision.intern(term_of(quads.term(id))),
                });
            self.revision.insert(triple, graph);
        }
        Ok(())
    }
}

fn term_of(term: TermRef<'_>) -> Term {
    match term {
        TermRef::Iri(iri) => NamedNode::new_unchecked(iri).into(),
        TermRef::BlankNode => BlankNode::default().into(),
        TermRef::Literal { lexical, kind: BufferLiteralKind::String } => {
            Literal::new_simple_literal(lexical).into()
        }
        TermRef::Literal { lexical, kind: BufferLiteralKind::Language(language) } => {
            Literal::new_language_tagged_literal_unchecked(lexical, language.to_ascii_lowercase()).into()
        }
        TermRef::Literal { lexical, kind: BufferLiteralKind::Datatype(_, datatype) } => {
            Literal::new_typed_literal(lexical, NamedNode::new_unchecked(datatype)).into()
        }
    }
}

/// Returns whether a pattern finds every triple and a template repeats each of them.
fn is_each_triple(template: &QuadPattern, pattern: &GraphPattern) -> bool {
    let patterns = match pattern {
        GraphPattern::Graph { inner, .. } => inner,
        pattern => pattern,
    };
    let GraphPattern::Bgp { patterns } = patterns else { return false };
    let [TriplePattern { subject, predicate, object }] = patterns.as_slice() else { return false };
    let (TermPattern::Variable(s), NamedNodePattern::Variable(p), TermPattern::Variable(o)) =
        (subject, predicate, object)
    else {
        return false;
    };
    s != p
        && p != o
        && s != o
        && (subject, predicate, object) == (&template.subject, &template.predicate, &template.object)
}
