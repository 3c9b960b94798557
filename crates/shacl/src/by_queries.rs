//! A validation by queries: a store that answers SPARQL finds the nodes that fail each constraint, and need not know
//! SHACL.
//!
//! `Shapes` is defined in `ready_shapes.rs`.

use std::collections::HashMap;
use std::sync::LazyLock;

use oxrdf::{BlankNode, Literal, Term};
use sparesults::QuerySolution;

use super::bindings::{SolutionBindings, bindings_of, shape_bindings};
use super::evaluation::ValidationStop;
use super::ids::ShapeId;
use super::queries::{ConstraintQuery, FocusCount, QueryMaker, QuerySelection};
use super::ready_shapes::Shapes;
use super::result::{ConstraintFinding, ResultSolution};
use super::selection::FocusSelection;
use super::shape::ConstraintCheck;
use super::validation_options::ValidationOptions;
use super::validation_plan::ValidationPlan;
use super::validation_report::ValidationReport;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_store::Dataset;

/// The data on this side: there are none, so all terms of results are additional ones.
static NOTHING: LazyLock<Dataset> = LazyLock::new(|| Dataset::from_documents(Vec::new()));

/// Sends a SELECT to a store, and passes each solution on.
pub type SelectFunction<'a> =
    dyn FnMut(&str, &mut dyn FnMut(&QuerySolution)) -> Result<(), ValidationStop> + 'a;

/// The outcome of a validation by queries.
#[derive(Debug)]
pub struct ValidationByQueries<'s> {
    /// The results, without counts of values and without the failures of inner shapes that led to them.
    pub report: ValidationReport<'s, 'static>,
    /// The constraints that no query can express, which were not checked, and those whose queries are not exact.
    pub remarks: Vec<Diagnostic>,
    /// How many constraints were not checked.
    pub unchecked: usize,
}

impl Shapes {
    /// Validates the data of a store that answers SPARQL against the shapes: everything in its default graph. Blank
    /// nodes of different answers count as different ones.
    ///
    /// Only the options that choose shapes and nodes have an effect.
    ///
    /// # Errors
    ///
    /// If a named shape does not exist, the store fails, or the validation is cancelled.
    pub fn validate_by_queries(
        &self,
        options: &ValidationOptions,
        ask: &mut SelectFunction<'_>,
    ) -> Result<ValidationByQueries<'_>, ValidationStop> {
        let plan = ValidationPlan::new(self, &NOTHING, None);
        let selection = FocusSelection::new(&plan, options)?;
        let named = Some(self.named(&options.shapes)?).filter(|named| !named.is_empty());
        let mut maker =
            QueryMaker::new(self, QuerySelection { shapes: named, nodes: options.focus_nodes.clone() });
        let queries = maker.constraint_queries();
        let mut run = QueryValidationRun { plan: &plan, options, ask, answers: 0 };
        let looked_at = run.count(&mut maker)?;
        let mut findings = Vec::new();
        for query in &queries {
            // A query without focus nodes finds nothing.
            if looked_at[query.place.0.index()] != Some(0) {
                run.find(query, &mut findings)?;
            }
        }
        findings.sort_by_cached_key(|finding: &ConstraintFinding| {
            let text = |id| plan.terms.term(id).to_string();
            (finding.shape, text(finding.focus), finding.constraint, finding.value.map(text))
        });
        let unchecked = queries.iter().filter(|query| query.query().is_none()).count();
        let remarks = queries.iter().flat_map(|query| query.remarks().to_vec()).collect();
        let looked_at = looked_at.into_iter().map(Option::unwrap_or_default).collect();
        let disallowed = options.conformance_disallows.as_deref();
        let report = ValidationReport::new(plan, selection, findings, looked_at, disallowed);
        Ok(ValidationByQueries { report, remarks, unchecked })
    }
}

/// A validation in progress.
struct QueryValidationRun<'r, 's, 'd> {
    plan: &'r ValidationPlan<'s, 'd>,
    options: &'r ValidationOptions,
    ask: &'r mut SelectFunction<'r>,
    /// How many answers there were.
    answers: usize,
}

impl QueryValidationRun<'_, '_, '_> {
    fn ask(&mut self, query: &str, take: &mut dyn FnMut(&QuerySolution)) -> Result<(), ValidationStop> {
        self.options.cancellation.check()?;
        self.answers += 1;
        (self.ask)(query, take)
    }

    /// How many focus nodes each shape has, by the number of the shape; none if no query can count them.
    fn count(&mut self, maker: &mut QueryMaker<'_>) -> Result<Vec<Option<u64>>, ValidationStop> {
        let mut counts = vec![Some(0); self.plan.shapes.shapes.len()];
        let mut of_parents = Vec::new();
        let mut known: HashMap<String, u64> = HashMap::new();
        for id in (0..).map(ShapeId).take(counts.len()) {
            counts[id.index()] = match maker.focus_count(id) {
                None => Some(0),
                Some(Err(_)) => None,
                Some(Ok(FocusCount::OfParents(parents))) => {
                    of_parents.push((id, parents));
                    continue;
                }
                Some(Ok(FocusCount::Query(query))) => Some(match known.get(&query) {
                    Some(count) => *count,
                    None => {
                        let count = self.number(&query)?;
                        known.insert(query, count);
                        count
                    }
                }),
            };
        }
        // The numbers of these shapes follow from those of the shapes that have them as a property.
        for (id, parents) in of_parents {
            counts[id.index()] = parents.iter().map(|parent| counts[parent.index()]).sum();
        }
        Ok(counts)
    }

    /// The number that a query returns.
    fn number(&mut self, query: &str) -> Result<u64, ValidationStop> {
        let mut number = None;
        self.ask(query, &mut |row| {
            number = match row.get("count") {
                Some(Term::Literal(literal)) => literal.value().parse().ok(),
                _ => None,
            };
        })?;
        number.ok_or_else(|| no_answer("how many focus nodes a shape has"))
    }

    /// Appends the failures of a constraint.
    fn find(
        &mut self,
        query: &ConstraintQuery<'_>,
        findings: &mut Vec<ConstraintFinding>,
    ) -> Result<(), ValidationStop> {
        let Some(text) = query.query() else { return Ok(()) };
        let (plan, number) = (self.plan, self.answers);
        let mut is_whole = true;
        self.ask(text, &mut |row| {
            let row: SolutionBindings =
                bindings_of(row).into_iter().map(|(name, term)| (name, apart(term, number))).collect();
            let finding = finding_of(plan, query, &row);
            is_whole &= finding.is_some();
            findings.extend(finding);
        })?;
        is_whole.then_some(()).ok_or_else(|| no_answer("which node fails a constraint"))
    }
}

/// The finding for a solution; none without a focus node.
fn finding_of(
    plan: &ValidationPlan<'_, '_>,
    query: &ConstraintQuery<'_>,
    row: &SolutionBindings,
) -> Option<ConstraintFinding> {
    let of = |name: &str| row.iter().find(|(known, _)| known == name).map(|(_, term)| term);
    let id = |name: &str| of(name).map(|term| plan.terms.of_query(term));
    let (shape, constraint) = query.place;
    let is_missing = matches!(query.check(), ConstraintCheck::MinCount(1));
    Some(ConstraintFinding {
        shape,
        constraint: u32::try_from(constraint).unwrap_or(u32::MAX),
        focus: id("this")?,
        value: id("value"),
        path: of("path").filter(|path| path.is_named_node()).map(|path| plan.terms.of_query(path)),
        count: is_missing.then_some(0),
        alternative: None,
        details: None,
        solution: solution_of(plan, query, row).map(Box::new),
    })
}

/// The part of a result that messages of constraints in SPARQL refer to.
fn solution_of(
    plan: &ValidationPlan<'_, '_>,
    query: &ConstraintQuery<'_>,
    row: &SolutionBindings,
) -> Option<ResultSolution> {
    let parameters = match query.check() {
        ConstraintCheck::Sparql(_) => SolutionBindings::new(),
        ConstraintCheck::Component(component) => component.bindings.clone(),
        _ => return None,
    };
    let message = row.iter().find_map(|(name, term)| match term {
        Term::Literal(literal) if name == "message" => Some(Literal::clone(literal)),
        _ => None,
    });
    let bindings = [row.clone(), parameters, shape_bindings(plan, query.place.0)].concat();
    Some(ResultSolution { message, bindings })
}

/// A term of an answer. The names of blank nodes are valid within one answer only.
fn apart(term: Term, answer: usize) -> Term {
    match term {
        Term::BlankNode(node) => BlankNode::new_unchecked(format!("q{answer}-{}", node.as_str())).into(),
        term => term,
    }
}

fn no_answer(what: &str) -> ValidationStop {
    let message = format!("the store was asked {what}, but its answer does not say");
    Box::new(Diagnostic::error("shacl::answer", message))
}
