//! The answers to queries, and how they keep to the time limit and the row limit.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use oxrdf::{NamedNode, Variable};
use sparesults::QuerySolution;
use spargebra::Query;

use super::deadline::EvaluationDeadline;
use super::engine::point::{PointLookupAnswer, look_up};
pub use super::environment::EvaluationError;
use super::environment::{EvaluationEnvironment, EvaluationRemarks, ServiceHandler};
use super::expression::functions::OWN_FUNCTIONS;
use super::results::graph_triples::QueryTriples;
use super::text::grammar_expression::FUNCTIONS;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_rdf::iri::without_userinfo;
use evalgraph_store::{DatasetView, StoreDamage};

/// Limits of an evaluation.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExecuteOptions {
    /// The time limit of the evaluation.
    pub timeout: Option<Duration>,
    /// The most solutions or triples to return.
    pub limit: Option<usize>,
}

/// The answer to a query.
pub enum QueryResults<'a> {
    /// The answer of SELECT.
    Solutions(SolutionSequence<'a>),
    /// The answer of ASK.
    Boolean(bool),
    /// The answer of CONSTRUCT and DESCRIBE: triples, each once.
    Graph(QueryTriples<'a>),
}

type SolutionIterator<'a> = Box<dyn Iterator<Item = Result<QuerySolution, EvaluationError>> + 'a>;

/// An iterator over solutions. It ends after the first error.
pub struct SolutionSequence<'a> {
    variables: Arc<[Variable]>,
    rows: SolutionIterator<'a>,
}

impl<'a> SolutionSequence<'a> {
    /// Wraps solutions that were found elsewhere.
    pub fn new(
        variables: Arc<[Variable]>,
        rows: impl Iterator<Item = Result<QuerySolution, EvaluationError>> + 'a,
    ) -> Self {
        Self { variables, rows: Box::new(rows) }
    }
}

impl SolutionSequence<'_> {
    /// The columns.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }
}

impl Iterator for SolutionSequence<'_> {
    type Item = Result<QuerySolution, EvaluationError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.rows.next()
    }
}

impl<'a> QueryResults<'a> {
    /// The first `limit` rows or triples.
    pub fn limited(self, limit: Option<usize>) -> Self {
        let limit = limit.unwrap_or(usize::MAX);
        match self {
            Self::Boolean(answer) => Self::Boolean(answer),
            Self::Solutions(SolutionSequence { variables, rows }) => {
                Self::Solutions(SolutionSequence { variables, rows: Box::new(rows.take(limit)) })
            }
            Self::Graph(triples) => Self::Graph(triples.limited(limit)),
        }
    }

    /// Ends the results with an error once damage to the dataset's files is found. Earlier results stay valid, and no
    /// result follows the error.
    pub(super) fn unless_damaged(self, damage: Option<StoreDamage>) -> Result<Self, EvaluationError> {
        let Some(damage) = damage else { return Ok(self) };
        Ok(match self {
            Self::Boolean(answer) => {
                damage.check()?;
                Self::Boolean(answer)
            }
            Self::Solutions(SolutionSequence { variables, rows }) => Self::Solutions(SolutionSequence {
                variables,
                rows: Box::new(DamageCheckedResults { results: rows, damage: Some(damage) }),
            }),
            Self::Graph(triples) => Self::Graph(triples.unless_damaged(damage)),
        })
    }
}

/// Results that end with an error once damage to the files behind them is found.
struct DamageCheckedResults<I> {
    results: I,
    /// `None` once the results have ended.
    damage: Option<StoreDamage>,
}

impl<T, I: Iterator<Item = Result<T, EvaluationError>>> Iterator for DamageCheckedResults<I> {
    type Item = Result<T, EvaluationError>;

    fn next(&mut self) -> Option<Self::Item> {
        let damage = self.damage.as_ref()?;
        // Damage found on the way to this result is recorded by now. It may also be the reason why the results end
        // here.
        let next = self.results.next();
        let fault = damage.check().err();
        if fault.is_some() || next.is_none() {
            self.damage = None;
        }
        fault.map(Err).or(next)
    }
}

/// Answers a query that is a point lookup, or returns `None` for a query of another form.
pub(super) fn execute_point<'a>(
    query: &Query,
    view: &DatasetView<'a>,
    options: ExecuteOptions,
    environment: &EvaluationEnvironment,
) -> Option<QueryResults<'a>> {
    let point = look_up(query, view)?;
    let evaluation = LimitedEvaluation::new(options, environment);
    Some(match point {
        PointLookupAnswer::Solutions(variables, rows) => {
            let rows = Box::new(evaluation.limited(rows.map(Ok)));
            QueryResults::Solutions(SolutionSequence { variables, rows })
        }
        PointLookupAnswer::Graph(triples) => {
            QueryResults::Graph(QueryTriples::new(evaluation.limited(triples.map(Ok))))
        }
    })
}

/// One evaluation with its limits.
#[derive(Clone)]
pub(super) struct LimitedEvaluation {
    pub(super) deadline: EvaluationDeadline,
    environment: EvaluationEnvironment,
    pub(super) limit: usize,
}

impl LimitedEvaluation {
    pub(super) fn new(options: ExecuteOptions, environment: &EvaluationEnvironment) -> Self {
        let limit = options.limit.unwrap_or(usize::MAX);
        let cancellation = environment.cancellation.clone();
        let deadline = EvaluationDeadline::start(cancellation, options.timeout, "query");
        Self { deadline, environment: environment.clone(), limit }
    }

    /// Receives remarks made while expressions are evaluated.
    pub(super) fn remarks(&self) -> &EvaluationRemarks {
        &self.environment.remarks
    }

    /// The files of graphs.
    pub(super) fn files(&self) -> &HashMap<String, String> {
        &self.environment.files
    }

    /// The services that may be queried.
    pub(super) fn services(&self) -> Option<&dyn ServiceHandler> {
        self.environment.services.as_deref()
    }

    /// Applies the limits to an iterator of results, and ends it after its first error.
    pub(super) fn limited<T, I>(
        &self,
        results: I,
    ) -> impl Iterator<Item = Result<T, EvaluationError>> + use<T, I>
    where
        I: Iterator<Item = Result<T, EvaluationError>>,
    {
        let deadline = self.deadline.clone();
        let mut has_failed = false;
        results
            .map(move |result| {
                deadline.check()?;
                result
            })
            .take_while(move |result| !std::mem::replace(&mut has_failed, result.is_err()))
            .take(self.limit)
    }
}

/// The error for an unknown function.
pub(super) fn unknown_function(name: &NamedNode) -> EvaluationError {
    let message = format!("the function {name} is not known").replace(['<', '>'], "`");
    let local = name.as_str().rsplit(['#', '/', ':']).next().unwrap_or_default();
    let error = Diagnostic::error("sparql::unknown-function", message);
    let own = || nearest(local, OWN_FUNCTIONS).map(|meant| format!("egf:{meant}"));
    Box::new(match nearest(local, FUNCTIONS).map(str::to_owned).or_else(own) {
        Some(meant) => error.with_help(format!("did you mean `{meant}`?")),
        None => error,
    })
}

/// The error for a service whose name is not known when the query is sent.
pub(super) fn unbound_service() -> Diagnostic {
    Diagnostic::error("sparql::service", "the variable that names the SERVICE has no value")
        .with_help("bind it before SERVICE in the same group")
}

/// The error for a service that no dataset answers and that must not be asked over the network.
pub(super) fn unknown_service(service: &str) -> Diagnostic {
    let service = without_userinfo(service);
    Diagnostic::error(
        "sparql::service",
        format!("SERVICE `{service}` is not asked, because the network is off by default"),
    )
    .with_help(help![
        "answer it from a file with ",
        setting("service").to(format!("{service}=FILE")),
        ", or allow it with ",
        setting("net")
    ])
}
