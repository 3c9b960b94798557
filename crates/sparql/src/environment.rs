//! The environment of an evaluation: the services that it may ask, its cancellation, and its remarks.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use oxrdf::Variable;
use spargebra::Query;
use spargebra::algebra::GraphPattern;

use super::algebra::in_scope;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_work::CancellationToken;

/// The answer of a service: columns and rows.
#[derive(Debug, Clone, Default)]
pub struct ServiceAnswer {
    /// The columns.
    pub variables: Arc<[Variable]>,
    /// The rows, a value or nothing for each column.
    pub rows: Vec<Vec<Option<oxrdf::Term>>>,
}

/// Answers the patterns of SERVICE.
pub trait ServiceHandler: fmt::Debug + Send + Sync {
    /// Asks the service with the IRI `service`.
    ///
    /// # Errors
    ///
    /// If the service is not known, cannot be reached or does not answer as it should.
    fn select(&self, service: &str, query: &Query) -> Result<Arc<ServiceAnswer>, Box<Diagnostic>>;
}

/// Remarks made while a query or an update is evaluated, each once. Clones share one list.
#[derive(Debug, Clone, Default)]
pub struct EvaluationRemarks(Arc<Mutex<RemarkState>>);

#[derive(Debug, Default)]
struct RemarkState {
    said: HashSet<String>,
    untold: Vec<Diagnostic>,
    unsaid: usize,
}

/// The most remarks of one evaluation that are reported; further ones are only counted.
const MOST_REMARKS: usize = 20;

impl EvaluationRemarks {
    /// Adds a remark unless it was made before.
    pub fn add(&self, remark: Diagnostic) {
        let mut remarked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if remarked.said.contains(&remark.message) {
        } else if remarked.said.len() >= MOST_REMARKS {
            remarked.unsaid += 1;
        } else {
            remarked.said.insert(remark.message.clone());
            remarked.untold.push(remark);
        }
    }

    /// Adds a remark unless one of its code was made before: one example is enough.
    pub fn add_first(&self, remark: Diagnostic) {
        let mut remarked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if remarked.said.insert(remark.code.to_string()) {
            remarked.untold.push(remark);
        }
    }

    /// Takes the remarks made since the last call.
    pub fn take(&self) -> Vec<Diagnostic> {
        let mut remarked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut untold = std::mem::take(&mut remarked.untold);
        let unsaid = std::mem::take(&mut remarked.unsaid);
        if unsaid > 0 {
            let message = format!("and {unsaid} more such remarks");
            untold.push(Diagnostic::warning("sparql::remarks", message));
        }
        untold
    }
}

/// The surroundings of one evaluation: services, cancellation, files, remarks.
#[derive(Debug, Clone, Default)]
pub struct EvaluationEnvironment {
    /// The services that SERVICE may ask, if any.
    pub services: Option<Arc<dyn ServiceHandler>>,
    /// The cancellation that may end the evaluation.
    pub cancellation: CancellationToken,
    /// The file of each graph, as the user names it, by the IRI of the graph; for `egf:file`.
    pub files: Arc<HashMap<String, String>>,
    /// The remarks that the evaluation makes.
    pub remarks: EvaluationRemarks,
}

/// An error of an evaluation under way.
pub type EvaluationError = Box<Diagnostic>;

/// The query that is sent to a service for a pattern, and its columns.
pub(super) fn question_for(
    pattern: &GraphPattern,
    base_iri: Option<&oxiri::Iri<String>>,
) -> (Query, Vec<Variable>) {
    let mut variables: Vec<Variable> = in_scope(pattern).into_iter().collect();
    variables.sort_unstable_by(|left, right| left.as_str().cmp(right.as_str()));
    let pattern = GraphPattern::Project { inner: Box::new(pattern.clone()), variables: variables.clone() };
    (Query::Select { dataset: None, pattern, base_iri: base_iri.cloned() }, variables)
}
