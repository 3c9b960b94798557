//! Queries and updates over the quads of a collection.

use std::collections::HashMap;
use std::sync::PoisonError;

use evalgraph::Error;
use evalgraph::sparql::{
    EvaluationEnvironment, ExecuteOptions, Prologue, Query, QueryForm, QueryParameter, QueryPrefixes,
    QueryResults, Update, UpdateOptions, variables_of,
};
use evalgraph::store::{DatasetRevision, DefaultGraph, GraphChange, TermId};
use evalgraph_work::CancellationToken;
use oxrdf::{Term, Variable};

use crate::collected_terms::{CollectedKey, CollectedNumber, CollectedTerm};
use crate::collection_snapshots::{CollectedValue, CollectionScope, CollectionSnapshot, ForeignNodes};
use crate::collection_state::{CollectionState, SharedCollection};
use crate::quad_orders::NumberedQuad;

/// A query or an update as it was asked.
pub(crate) struct CollectionRequest {
    pub(crate) text: String,
    pub(crate) base: Option<String>,
    pub(crate) namespaces: Vec<(String, String)>,
    /// The values of variables.
    pub(crate) bindings: Vec<(String, CollectedKey)>,
    pub(crate) scope: CollectionScope,
}

/// An answer.
pub(crate) enum CollectionAnswer {
    Rows(Vec<String>, Vec<Vec<Option<CollectedValue>>>),
    Boolean(bool),
    /// The form of the query, and its triples.
    Triples(QueryForm, Vec<[CollectedKey; 3]>),
}

impl CollectionRequest {
    fn prologue(&self) -> Prologue<'_> {
        Prologue {
            base: self.base.as_deref(),
            prefixes: QueryPrefixes::replacing_built_in(self.namespaces.iter().cloned()),
            // The collection has the IRIs that were put into it.
            keeps_iris: true,
        }
    }

    /// Answers the query.
    ///
    /// # Errors
    ///
    /// A text that is not a query, and the errors of the evaluation.
    pub(crate) fn answer(
        &self,
        collection: &SharedCollection,
        cancellation: CancellationToken,
    ) -> Result<CollectionAnswer, Error> {
        let query = Query::parse_in(&self.text, "query", &self.prologue())?;
        // A text with escapes may name graphs without the letters of the word.
        let names_graphs = self.text.contains('\\') || self.text.to_ascii_lowercase().contains("graph");
        let snapshot = collection.snapshot(&self.scope, names_graphs);
        let mut foreign = ForeignNodes::new();
        let (query, graph) = {
            let state = collection.state_in_work();
            let number = |key: &CollectedKey| state.terms.find(key);
            let values = self.bindings.iter().map(|(name, key)| {
                (Variable::new_unchecked(name), snapshot.term_in_dataset(key, number(key), &mut foreign))
            });
            let values: HashMap<Variable, Term> = values.collect();
            let graph = match &self.scope {
                CollectionScope::Union(_) => None,
                CollectionScope::Graph(graph) => Some(number(graph).unwrap_or(CollectedNumber::MAX)),
            };
            (query.with_values(&values)?, graph)
        };
        let form = query.form();
        let environment = EvaluationEnvironment { cancellation, ..EvaluationEnvironment::default() };
        let query = query.with_environment(environment);
        let results = query.execute(snapshot.view(graph), ExecuteOptions::default())?;
        match results {
            QueryResults::Boolean(answer) => Ok(CollectionAnswer::Boolean(answer)),
            QueryResults::Solutions(solutions) => {
                let variables = solutions.variables().iter().map(|variable| variable.as_str().to_owned());
                let variables = variables.collect();
                let rows: Vec<Vec<Option<Term>>> = solutions
                    .map(|solution| Ok::<_, Error>(solution?.values().to_vec()))
                    .collect::<Result<_, _>>()?;
                let state = collection.state_in_work();
                let value =
                    |term: Option<Term>| term.map(|term| snapshot.value(&term, &state.terms, &foreign));
                let rows = rows.into_iter().map(|row| row.into_iter().map(value).collect()).collect();
                Ok(CollectionAnswer::Rows(variables, rows))
            }
            QueryResults::Graph(triples) => {
                let triples: Vec<_> = triples.collect::<Result<_, _>>()?;
                let state = collection.state_in_work();
                let key = |term: Term| match snapshot.value(&term, &state.terms, &foreign) {
                    CollectedValue::Known(number) => state.terms.key(number).clone(),
                    CollectedValue::Computed(key) => key,
                };
                let triples = triples.into_iter();
                let triples = triples
                    .map(|triple| [triple.subject.into(), triple.predicate.into(), triple.object].map(key));
                Ok(CollectionAnswer::Triples(form, triples.collect()))
            }
        }
    }

    /// Performs the update, all or nothing.
    ///
    /// # Errors
    ///
    /// A text that is not an update, and the errors of its operations.
    pub(crate) fn update(
        &self,
        collection: &SharedCollection,
        cancellation: CancellationToken,
    ) -> Result<(), Error> {
        let known = variables_of(&self.text);
        let bindings = self.bindings.iter().filter(|(name, _)| known.contains(name));
        let parameters: Vec<QueryParameter> = bindings
            .map(|(name, key)| QueryParameter { name: name.clone(), text: key.term().to_term().to_string() })
            .collect();
        let environment =
            EvaluationEnvironment { cancellation: cancellation.clone(), ..EvaluationEnvironment::default() };
        let update = Update::parse_in(&self.text, "update", &self.prologue())?
            .with_parameters(&parameters)?
            .with_environment(environment);
        let _updating = collection.updating.lock().unwrap_or_else(PoisonError::into_inner);
        let snapshot = collection.snapshot(&self.scope, true);
        let mut revision = DatasetRevision::new(&snapshot.dataset, DefaultGraph::Unnamed);
        let graphs = named_graphs(&collection.state_in_work(), &snapshot, &mut revision);
        let options = UpdateOptions {
            execute: ExecuteOptions::default(),
            default_target: Some(&snapshot.default_name),
            loader: None,
        };
        update.apply(&mut revision, options)?;
        // A run that is cancelled before the change is ready changes nothing.
        cancellation.check()?;
        take_changes(&mut collection.state_in_work(), &snapshot, &revision, &graphs);
        Ok(())
    }
}

/// Returns the named graphs of a snapshot with their numbers in a revision. Those without quads are created there, since a
/// dataset has no empty graphs.
fn named_graphs(
    state: &CollectionState,
    snapshot: &CollectionSnapshot,
    revision: &mut DatasetRevision<'_>,
) -> Vec<(CollectedNumber, TermId)> {
    let mut graphs = Vec::new();
    for graph in &snapshot.named_graphs {
        let id = snapshot.id(*graph).or_else(|| match state.terms.key(*graph).term() {
            // An update cannot name an empty graph whose name is a blank node.
            CollectedTerm::BlankNode(_) => None,
            name => Some(revision.intern(name.to_term())),
        });
        let Some(id) = id else { continue };
        if !revision.contains_graph(id) {
            revision.create_graph(id);
        }
        graphs.push((*graph, id));
    }
    graphs
}

fn take_changes(
    state: &mut CollectionState,
    snapshot: &CollectionSnapshot,
    revision: &DatasetRevision<'_>,
    graphs: &[(CollectedNumber, TermId)],
) {
    let mut numbers: HashMap<TermId, CollectedNumber> = HashMap::new();
    let mut number = |state: &mut CollectionState, id: TermId| {
        *numbers.entry(id).or_insert_with(|| {
            snapshot.number(id).unwrap_or_else(|| {
                let term = revision.term(id);
                state.terms.intern(&CollectedKey::new(CollectedTerm::from_term(&term)))
            })
        })
    };
    let mut inserted: Vec<NumberedQuad> = Vec::new();
    for GraphChange { graph, added, removed } in revision.changes() {
        let graph = number(state, graph);
        for triple in removed {
            let [subject, predicate, object] = triple.map(|id| number(state, id));
            state.remove([subject, predicate, object, graph]);
        }
        for triple in added {
            let [subject, predicate, object] = triple.map(|id| number(state, id));
            inserted.push([subject, predicate, object, graph]);
        }
    }
    state.extend(inserted);
    for (graph, id) in graphs {
        if !revision.contains_graph(*id) {
            state.remove_graph(*graph);
        }
    }
    for id in revision.graphs() {
        let graph = number(state, id);
        if graph != snapshot.default_graph {
            state.add_graph(graph);
        }
    }
}
