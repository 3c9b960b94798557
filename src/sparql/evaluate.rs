//! Evaluates a query over a dataset: chooses a method for the form of the query, keeps to the time limit and
//! the row limit, and turns errors of the evaluator into findings.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use oxrdf::{NamedNode, Term, Variable};
use spareval::{
    ExpressionTerm, QueryEvaluationError, QueryEvaluator, QueryExplanation, QueryResults as Evaluated,
    QuerySolution, QuerySolutionIter, QueryableDataset,
};
use spargebra::Query;
use spargebra::algebra::GraphPattern;
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};

use super::algebra::{columns, pattern_of, pattern_of_mut};
use super::comparisons::with_comparisons;
use super::construct::{Template, Triples};
use super::deadline::Deadline;
pub use super::environment::EvaluationError;
use super::environment::{Environment, Federation, Remarks, ServiceFault, Services, dataset_error};
use super::functions::{OWN_FUNCTIONS, with_functions};
use super::grammar_expression::FUNCTIONS;
use super::graph_triples::{GraphTriples, distinct};
use super::late_terms::{LateTerms, TermId};
use super::matching::with_matching;
use super::order::{OrderPlan, Sorter, is_ordered, take_order};
use super::point::{Point, Queryable, look_up};
use super::written_terms::with_written_terms;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::help::{help, setting};
use crate::diagnostic::nearest::nearest;
use crate::rdf::iri::without_userinfo;
use crate::store::{Damage, Written};

/// Limits of an evaluation.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExecuteOptions {
    /// How long the evaluation may take.
    pub timeout: Option<Duration>,
    /// How many solutions or triples the evaluation may give.
    pub limit: Option<usize>,
    /// Who evaluates what both can.
    pub evaluator: Evaluator,
}

/// Who evaluates a query. The answers are the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Evaluator {
    /// Columns of term numbers, for the queries that fit; `spareval` for all others.
    #[default]
    Columns,
    /// `spareval` alone, solution after solution.
    Solutions,
}

/// The answer to a query.
pub enum QueryResults<'a> {
    /// The answer of SELECT.
    Solutions(Solutions<'a>),
    /// The answer of ASK.
    Boolean(bool),
    /// The answer of CONSTRUCT and DESCRIBE: triples, each once.
    Graph(GraphTriples<'a>),
}

type Rows<'a> = Box<dyn Iterator<Item = Result<QuerySolution, EvaluationError>> + 'a>;

/// The answer and its plan; the counts of the plan are complete once the answer is read to its end.
type Answer<'a> = Result<(QueryResults<'a>, Option<QueryExplanation>), EvaluationError>;

/// Solutions, one after the other. Ends after the first error.
pub struct Solutions<'a> {
    variables: Arc<[Variable]>,
    rows: Rows<'a>,
}

impl<'a> Solutions<'a> {
    /// Solutions that somebody else has found.
    pub fn new(
        variables: Arc<[Variable]>,
        rows: impl Iterator<Item = Result<QuerySolution, EvaluationError>> + 'a,
    ) -> Self {
        Self { variables, rows: Box::new(rows) }
    }
}

impl Solutions<'_> {
    /// The columns.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }
}

impl Iterator for Solutions<'_> {
    type Item = Result<QuerySolution, EvaluationError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.rows.next()
    }
}

impl<'a> QueryResults<'a> {
    /// The results up to so many rows or triples.
    pub fn limited(self, limit: Option<usize>) -> Self {
        let limit = limit.unwrap_or(usize::MAX);
        match self {
            Self::Boolean(answer) => Self::Boolean(answer),
            Self::Solutions(Solutions { variables, rows }) => {
                Self::Solutions(Solutions { variables, rows: Box::new(rows.take(limit)) })
            }
            Self::Graph(triples) => Self::Graph(triples.limited(limit)),
        }
    }

    /// Ends the results with an error once damage of the dataset's files is found: earlier results stay
    /// valid, and no result follows the error.
    pub(super) fn unless_damaged(self, damage: Option<Damage>) -> Result<Self, EvaluationError> {
        let Some(damage) = damage else { return Ok(self) };
        Ok(match self {
            Self::Boolean(answer) => {
                damage.check()?;
                Self::Boolean(answer)
            }
            Self::Solutions(Solutions { variables, rows }) => Self::Solutions(Solutions {
                variables,
                rows: Box::new(Undamaged { results: rows, damage: Some(damage) }),
            }),
            Self::Graph(triples) => Self::Graph(triples.unless_damaged(damage)),
        })
    }
}

/// Results that end with an error once damage of the files behind them is found.
struct Undamaged<I> {
    results: I,
    /// None once the results have ended.
    damage: Option<Damage>,
}

impl<T, I: Iterator<Item = Result<T, EvaluationError>>> Iterator for Undamaged<I> {
    type Item = Result<T, EvaluationError>;

    fn next(&mut self) -> Option<Self::Item> {
        let damage = self.damage.as_ref()?;
        // Damage met on the way to this result is noted by now; damage may also be why the results end here.
        let next = self.results.next();
        let fault = damage.check().err();
        if fault.is_some() || next.is_none() {
            self.damage = None;
        }
        fault.map(Err).or(next)
    }
}

/// Evaluates a query without the evaluator, where it is a point lookup over the store.
pub(super) fn execute_point<'a, D: Queryable<'a>>(
    query: &Query,
    dataset: &D,
    options: ExecuteOptions,
    environment: &Environment,
) -> Option<QueryResults<'a>> {
    let point = look_up(query, dataset.as_view()?)?;
    let evaluation = Evaluation::new(options, environment, false);
    Some(match point {
        Point::Solutions(variables, rows) => {
            let rows = Box::new(evaluation.guard(rows.map(Ok)));
            QueryResults::Solutions(Solutions { variables, rows })
        }
        Point::Graph(triples) => QueryResults::Graph(GraphTriples::new(evaluation.guard(triples.map(Ok)))),
    })
}

/// Evaluates a query that is already rewritten.
pub(super) fn execute<'a, D: Queryable<'a>>(
    query: &Query,
    dataset: D,
    options: ExecuteOptions,
    environment: &Environment,
) -> Result<QueryResults<'a>, EvaluationError> {
    let evaluation = Evaluation::new(options, environment, false).with_written(dataset.written());
    Ok(evaluation.run(query, dataset)?.0)
}

/// One evaluation: its limits, and whether its steps are counted.
#[derive(Clone)]
pub(super) struct Evaluation {
    pub(super) deadline: Deadline,
    environment: Environment,
    written: Option<Arc<Written>>,
    pub(super) limit: usize,
    is_counted: bool,
}

impl Evaluation {
    pub(super) fn new(options: ExecuteOptions, environment: &Environment, is_counted: bool) -> Self {
        let limit = options.limit.unwrap_or(usize::MAX);
        let cancellation = environment.cancellation.clone();
        let deadline = Deadline::start(cancellation, options.timeout, "query");
        Self { deadline, environment: environment.clone(), written: None, limit, is_counted }
    }

    /// Adds the notes on literals as they are written, for a query that asks for these.
    pub(super) fn with_written(mut self, written: Option<Arc<Written>>) -> Self {
        self.written = written;
        self
    }

    /// Hears what is noted while expressions are evaluated.
    pub(super) fn remarks(&self) -> &Remarks {
        &self.environment.remarks
    }

    /// The files of graphs.
    pub(super) fn files(&self) -> &HashMap<String, String> {
        &self.environment.files
    }

    /// The services that may be asked.
    pub(super) fn services(&self) -> Option<&dyn Services> {
        self.environment.services.as_deref()
    }

    /// Evaluates a query.
    pub(super) fn run<'a, D: QueryableDataset<'a>>(&self, query: &Query, dataset: D) -> Answer<'a> {
        match query {
            Query::Construct { template, .. } => self.construct(query, template, dataset),
            Query::Select { pattern, .. } if is_ordered(pattern) => {
                let mut rest = query.clone();
                match take_order(pattern_of_mut(&mut rest)) {
                    Some(plan) => self.ordered(query, &rest, &plan, dataset),
                    None => self.plain(query, dataset),
                }
            }
            Query::Select { .. } | Query::Ask { .. } | Query::Describe { .. } => self.plain(query, dataset),
        }
    }

    pub(super) fn evaluate<'a, D: QueryableDataset<'a>>(
        &self,
        query: &Query,
        dataset: D,
    ) -> Result<(Evaluated<'a>, Option<QueryExplanation>), EvaluationError> {
        let token = self.deadline.cancellation.token();
        let evaluator = with_comparisons(QueryEvaluator::new());
        let evaluator = with_matching(evaluator, &self.environment.remarks, &token);
        let mut evaluator =
            with_functions(evaluator, &token, &self.environment.files).with_cancellation_token(token);
        if let Some(written) = self.written.as_ref().filter(|written| written.is_wanted()) {
            evaluator = with_written_terms(evaluator, written);
        }
        if let Some(services) = &self.environment.services {
            evaluator = evaluator.with_default_service_handler(Federation(Arc::clone(services)));
        }
        if self.is_counted {
            evaluator = evaluator.compute_statistics();
        }
        let (results, explanation) = if self.is_counted {
            let (results, explanation) = evaluator.prepare(query).explain(dataset);
            (results, Some(explanation))
        } else {
            (evaluator.prepare(query).execute(dataset), None)
        };
        Ok((results.map_err(|error| explain_error(error, &self.deadline))?, explanation))
    }

    fn plain<'a, D: QueryableDataset<'a>>(&self, query: &Query, dataset: D) -> Answer<'a> {
        let (results, explanation) = self.evaluate(query, dataset)?;
        let results = match results {
            Evaluated::Boolean(answer) => QueryResults::Boolean(answer),
            Evaluated::Solutions(solutions) => {
                let variables = solutions.variables().into();
                QueryResults::Solutions(Solutions { variables, rows: Box::new(self.guard(solutions)) })
            }
            Evaluated::Graph(triples) => {
                QueryResults::Graph(GraphTriples::new(self.guard(distinct(triples))))
            }
        };
        Ok((results, explanation))
    }

    /// As [`Evaluation::limited`], with the evaluator's errors in the terms of the query.
    pub(super) fn guard<T, I>(
        &self,
        results: I,
    ) -> impl Iterator<Item = Result<T, EvaluationError>> + use<T, I>
    where
        I: Iterator<Item = Result<T, QueryEvaluationError>>,
    {
        let deadline = self.deadline.clone();
        self.limited(results.map(move |result| result.map_err(|error| explain_error(error, &deadline))))
    }

    /// Keeps an iterator of results to the limits, and ends it after its first error.
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

    /// SELECT with ORDER BY: the evaluator yields numbers of terms, and this function sorts the solutions.
    fn ordered<'a, D: QueryableDataset<'a>>(
        &self,
        query: &Query,
        rest: &Query,
        plan: &OrderPlan,
        dataset: D,
    ) -> Answer<'a> {
        let late = LateTerms::new(dataset);
        let (results, explanation) = self.evaluate(rest, late.clone())?;
        let Evaluated::Solutions(solutions) = results else {
            return Ok((QueryResults::Boolean(false), explanation));
        };
        let variables: Arc<[Variable]> = columns(pattern_of(query)).cloned().unwrap_or_default().into();
        let rows = self.sort(solutions, plan, &late, variables.len())?;
        let columns = Arc::clone(&variables);
        let deadline = self.deadline.clone();
        let rows = rows.into_iter().map(move |row| {
            deadline.check()?;
            let values = row.iter().map(|id| id.map(|id| late.term(id)).transpose());
            let values = values.collect::<Result<Vec<Option<Term>>, _>>().map_err(dataset_error)?;
            Ok((Arc::clone(&columns), values).into())
        });
        Ok((QueryResults::Solutions(Solutions { variables, rows: Box::new(rows) }), explanation))
    }

    /// Sorts the solutions and returns the first `width` columns of those that are shown.
    fn sort<'a, D: QueryableDataset<'a>>(
        &self,
        solutions: QuerySolutionIter<'a>,
        plan: &OrderPlan,
        late: &LateTerms<'a, D>,
        width: usize,
    ) -> Result<Vec<Vec<Option<TermId>>>, EvaluationError> {
        let columns = solutions.variables();
        let keys: Vec<Option<usize>> =
            plan.keys.iter().map(|(key, _)| columns.iter().position(|column| column == key)).collect();
        let length = plan.length.unwrap_or(usize::MAX).min(self.limit);
        let keep = length.checked_add(plan.start);
        let descends = plan.keys.iter().map(|&(_, descends)| descends).collect();
        let mut sorter = Sorter::new(descends, keep);
        for solution in solutions {
            self.deadline.check()?;
            let solution = solution.map_err(|error| explain_error(error, &self.deadline))?;
            let values = solution.values();
            let key = |column: &Option<usize>| -> Result<Option<ExpressionTerm>, EvaluationError> {
                let id = column.and_then(|column| values[column].as_ref()).and_then(LateTerms::<D>::id);
                id.map(|id| late.value(id)).transpose().map_err(dataset_error)
            };
            let keys = keys.iter().map(key).collect::<Result<Vec<_>, _>>()?;
            sorter.push(keys, || {
                values[..width].iter().map(|value| value.as_ref().and_then(LateTerms::<D>::id)).collect()
            });
        }
        Ok(sorter.finish().into_iter().skip(plan.start).collect())
    }

    /// CONSTRUCT: solutions are numbers of terms, which tell triples apart; only new triples get terms.
    fn construct<'a, D: QueryableDataset<'a>>(
        &self,
        query: &Query,
        template: &[TriplePattern],
        dataset: D,
    ) -> Answer<'a> {
        let late = LateTerms::new(dataset);
        let mut pattern = pattern_of(query).clone();
        narrow(&mut pattern, template);
        let plan = take_order(&mut pattern);
        let base_iri = query.base_iri().cloned();
        let select = Query::Select { dataset: query.dataset().cloned(), pattern, base_iri };
        let (results, explanation) = self.evaluate(&select, late.clone())?;
        let Evaluated::Solutions(solutions) = results else {
            return Ok((QueryResults::Boolean(false), explanation));
        };
        let columns: Vec<Variable> = solutions.variables().to_vec();
        let template = Template::new(template, &columns, &late)?;
        let deadline = self.deadline.clone();
        let rows: Box<dyn Iterator<Item = Result<Vec<Option<TermId>>, EvaluationError>> + 'a> = match plan {
            Some(plan) => Box::new(self.sort(solutions, &plan, &late, columns.len())?.into_iter().map(Ok)),
            None => Box::new(solutions.map(move |solution| {
                let solution = solution.map_err(|error| explain_error(error, &deadline))?;
                let ids = solution.values().iter();
                Ok(ids.map(|value| value.as_ref().and_then(LateTerms::<D>::id)).collect())
            })),
        };
        let triples = GraphTriples::filled(Triples::new(template, rows, self.deadline.clone()), late);
        Ok((QueryResults::Graph(triples.limited(self.limit)), explanation))
    }
}

/// Removes the columns of CONSTRUCT that its template does not use.
fn narrow(pattern: &mut GraphPattern, template: &[TriplePattern]) {
    match pattern {
        GraphPattern::Slice { inner, .. } => narrow(inner, template),
        GraphPattern::Project { variables, .. } => variables.retain(|variable| {
            template.iter().any(|triple| {
                let is_used =
                    |term: &TermPattern| matches!(term, TermPattern::Variable(used) if used == variable);
                is_used(&triple.subject)
                    || is_used(&triple.object)
                    || matches!(&triple.predicate, NamedNodePattern::Variable(used) if used == variable)
            })
        }),
        _ => {}
    }
}

/// Puts an error of the evaluator into the terms of the query.
pub(super) fn explain_error(error: QueryEvaluationError, deadline: &Deadline) -> EvaluationError {
    Box::new(match error {
        QueryEvaluationError::Cancelled => deadline.cancellation.reason(),
        QueryEvaluationError::UnsupportedCustomFunction(name) => return unknown_function(&name),
        QueryEvaluationError::Service(error) => match error.downcast::<ServiceFault>() {
            Ok(fault) => return fault.0,
            Err(error) => Diagnostic::error("sparql::service", error.to_string()),
        },
        QueryEvaluationError::UnsupportedService(name) => unknown_service(name.as_str()),
        QueryEvaluationError::InvalidServiceName(term) => {
            Diagnostic::error("sparql::service", format!("SERVICE names `{term}`, which is no IRI"))
        }
        QueryEvaluationError::UnboundService => unbound_service(),
        other => Diagnostic::error("sparql::evaluation", other.to_string()),
    })
}

/// The error for a function that nobody knows.
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

/// The error for a service whose name is not known when it is to be asked.
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
