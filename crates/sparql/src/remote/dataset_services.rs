//! Answers SERVICE from local datasets, and passes other services on.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use oxrdf::{BlankNode, Term};

use crate::environment::{EvaluationEnvironment, ServiceAnswer, ServiceHandler};
use crate::evaluate::{ExecuteOptions, QueryResults, unknown_service};
use crate::query::Query;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_store::{Dataset, DefaultGraph};
use evalgraph_work::CancellationToken;

/// Datasets by the IRIs of the services that they replace. Clones share the datasets and the answers, so the same query
/// is sent only once.
#[derive(Debug, Clone, Default)]
pub struct DatasetServices {
    shared: Arc<DatasetServiceState>,
    cancellation: CancellationToken,
}

#[derive(Debug, Default)]
struct DatasetServiceState {
    datasets: HashMap<String, Dataset>,
    others: Option<Arc<dyn ServiceHandler>>,
    answers: Mutex<HashMap<(String, String), Arc<ServiceAnswer>>>,
}

impl DatasetServices {
    /// Services answered from datasets. `others` answers all other services.
    pub fn new(
        datasets: HashMap<String, Dataset>,
        others: Option<Arc<dyn ServiceHandler>>,
        cancellation: CancellationToken,
    ) -> Self {
        let shared = Arc::new(DatasetServiceState { datasets, others, answers: Mutex::default() });
        Self { shared, cancellation }
    }

    fn evaluate(
        &self,
        dataset: &Dataset,
        query: &spargebra::Query,
    ) -> Result<ServiceAnswer, Box<Diagnostic>> {
        let environment = EvaluationEnvironment {
            services: Some(Arc::new(self.clone())),
            cancellation: self.cancellation.clone(),
            ..EvaluationEnvironment::default()
        };
        let query = Query::from_algebra(query.clone()).with_environment(environment);
        let results = query.execute(dataset.view(DefaultGraph::Union), ExecuteOptions::default())?;
        let QueryResults::Solutions(solutions) = results else { return Ok(ServiceAnswer::default()) };
        let variables = solutions.variables().into();
        let rows = solutions.map(|row| row.map(|row| row.values().to_vec())).collect::<Result<_, _>>()?;
        Ok(ServiceAnswer { variables, rows })
    }
}

impl ServiceHandler for DatasetServices {
    fn select(&self, service: &str, query: &spargebra::Query) -> Result<Arc<ServiceAnswer>, Box<Diagnostic>> {
        let question = (service.to_owned(), query.to_string());
        let answers = || self.shared.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = answers().get(&question) {
            return Ok(Arc::clone(known));
        }
        let answer = match (self.shared.datasets.get(service), &self.shared.others) {
            (Some(dataset), _) => self.evaluate(dataset, query)?,
            (None, Some(others)) => ServiceAnswer::clone(&*others.select(service, query)?),
            (None, None) => return Err(Box::new(unknown_service(service))),
        };
        let answer = Arc::new(with_own_blank_nodes(answer));
        answers().insert(question, Arc::clone(&answer));
        Ok(answer)
    }
}

/// Replaces the blank nodes of an answer. Their labels have no meaning outside the answer, and a local dataset may have
/// a different node with the same label.
fn with_own_blank_nodes(mut answer: ServiceAnswer) -> ServiceAnswer {
    let mut nodes: HashMap<BlankNode, BlankNode> = HashMap::new();
    for value in answer.rows.iter_mut().flatten().flatten() {
        if let Term::BlankNode(node) = value {
            *node = nodes.entry(node.clone()).or_default().clone();
        }
    }
    answer
}
