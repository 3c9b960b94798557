//! The state that all requests of a server share.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::Semaphore;

use super::bodies::BodyMemory;
use super::findings_cache::FindingsCache;
use super::kept::StateCache;
use super::metrics::ServerMetrics;
use super::moments::MomentClock;
use super::problem::ProblemDetails;
use super::question_places::QuestionPlaces;
use super::served_data::{DataSnapshot, ServedData};
use super::server_options::ServerOptions;
use super::undos::UndoHistory;
use crate::browse::question_table::QuestionTable;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_engine::api::Evaluations;
use evalgraph_engine::api::data_vocabulary::DataVocabulary;
use evalgraph_engine::named_queries::NamedQueries;
use evalgraph_sparql::{CancellationToken, Prologue};

/// A server, as requests see it.
#[derive(Debug)]
pub(super) struct ServerContext {
    pub(super) options: ServerOptions,
    pub(super) data: ServedData,
    pub(super) evaluations: Evaluations,
    /// The memory for the bodies of requests.
    pub(super) bodies: Arc<BodyMemory>,
    pub(super) metrics: ServerMetrics,
    pub(super) moments: Arc<MomentClock>,
    pub(super) named: NamedQueries,
    /// The turn to change the data. Requests that wait for it do not occupy a thread.
    pub(super) turn: Semaphore,
    /// The questions of the last state that was asked for.
    questions: StateCache<QuestionTable>,
    /// The places of these questions in their files.
    pub(super) places: StateCache<QuestionPlaces>,
    /// How to undo the last changes.
    pub(super) undos: UndoHistory,
    /// The classes and properties of the last state that was asked for.
    pub(super) vocabulary: StateCache<DataVocabulary>,
    /// The findings of rules and of the check in the last state that was asked for.
    pub(super) findings: FindingsCache,
}

impl ServerContext {
    /// Makes the server for data.
    ///
    /// # Errors
    ///
    /// A named query is malformed.
    pub(super) fn new(data: ServedData, mut options: ServerOptions) -> Result<Self, Box<Diagnostic>> {
        let evaluations = Evaluations::new()
            .timeout(options.timeout)
            .max_running(options.max_running, ServerOptions::MAX_WAITING)
            .max_stalled(options.max_running)
            .max_given_up(ServerOptions::MAX_GIVEN_UP);
        let evaluations = match options.max_memory {
            Some(bytes) => evaluations.max_memory(bytes),
            None => evaluations,
        };
        let (metrics, moments, turn) = (ServerMetrics::default(), Arc::default(), Semaphore::new(1));
        let named = options.queries.take().map_or_else(NamedQueries::built_in, Ok)?;
        for query in named.iter() {
            query.query()?;
        }
        let bodies = BodyMemory::new(options.max_bodies());
        Ok(Self {
            options,
            data,
            evaluations,
            bodies,
            metrics,
            moments,
            named,
            turn,
            questions: StateCache::default(),
            places: StateCache::default(),
            undos: UndoHistory::default(),
            vocabulary: StateCache::default(),
            findings: FindingsCache::default(),
        })
    }

    /// Returns the questions of a state of the data.
    ///
    /// # Errors
    ///
    /// An error if the data cannot be read, or if the evaluation was cancelled.
    pub(super) fn questions(
        &self,
        seen: &DataSnapshot,
        cancellation: &CancellationToken,
    ) -> Result<Arc<QuestionTable>, ProblemDetails> {
        self.questions.get_or_make(&seen.name, || Ok(QuestionTable::read(&seen.loaded, cancellation)?))
    }

    /// Returns the implicit prologue of queries and updates: the prefixes of the server, and the address to which they
    /// are sent as the base.
    pub(super) fn prologue<'b>(&self, base: &'b str) -> Prologue<'b> {
        Prologue { base: Some(base), prefixes: self.options.prefixes.clone(), ..Prologue::default() }
    }

    /// Returns the prefixes that need no declaration, with their namespaces, as a JSON object.
    pub(super) fn prefixes(&self) -> Value {
        let prefixes = self.options.prefixes.iter();
        prefixes.map(|(prefix, namespace)| (prefix.to_owned(), Value::from(namespace))).collect()
    }

    /// Passes a finding to the observer.
    pub(super) fn tell(&self, finding: &Diagnostic) {
        if let Some(observer) = &self.options.observer {
            observer.found(finding);
        }
    }
}
