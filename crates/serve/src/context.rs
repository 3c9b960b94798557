//! What all requests of a server share.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::Semaphore;

use super::bodies::Bodies;
use super::data::{Data, Seen};
use super::findings::Findings;
use super::kept::Kept;
use super::metrics::Metrics;
use super::moments::Moments;
use super::options::ServerOptions;
use super::places::Places;
use super::problem::Problem;
use super::undos::Undos;
use crate::browse::questions::Questions;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_engine::api::Evaluations;
use evalgraph_engine::api::vocabulary::Vocabulary;
use evalgraph_engine::named_queries::NamedQueries;
use evalgraph_sparql::{Cancellation, Prologue};

/// A server, as its requests see it.
#[derive(Debug)]
pub(super) struct Context {
    pub(super) options: ServerOptions,
    pub(super) data: Data,
    pub(super) evaluations: Evaluations,
    /// The memory of the bodies of requests.
    pub(super) bodies: Arc<Bodies>,
    pub(super) metrics: Metrics,
    pub(super) moments: Arc<Moments>,
    pub(super) named: NamedQueries,
    /// The turn to change the data: those who wait for it take no thread from those who ask.
    pub(super) turn: Semaphore,
    /// The questions of the last state that somebody asked for.
    questions: Kept<Questions>,
    /// The places of these questions in their files.
    pub(super) places: Kept<Places>,
    /// What takes the last changes back.
    pub(super) undos: Undos,
    /// The classes and properties of the last state that somebody asked for.
    pub(super) vocabulary: Kept<Vocabulary>,
    /// What rules and the check have found in the last state that somebody asked for.
    pub(super) findings: Findings,
}

impl Context {
    /// A server that serves data.
    ///
    /// # Errors
    ///
    /// A named query is malformed.
    pub(super) fn new(data: Data, mut options: ServerOptions) -> Result<Self, Box<Diagnostic>> {
        let evaluations = Evaluations::new()
            .timeout(options.timeout)
            .max_running(options.max_running, ServerOptions::MAX_WAITING)
            .max_stalled(options.max_running)
            .max_given_up(ServerOptions::MAX_GIVEN_UP);
        let evaluations = match options.max_memory {
            Some(bytes) => evaluations.max_memory(bytes),
            None => evaluations,
        };
        let (metrics, moments, turn) = (Metrics::default(), Arc::default(), Semaphore::new(1));
        let named = options.queries.take().map_or_else(NamedQueries::built_in, Ok)?;
        for query in named.iter() {
            query.query()?;
        }
        let bodies = Bodies::of(options.max_bodies());
        Ok(Self {
            options,
            data,
            evaluations,
            bodies,
            metrics,
            moments,
            named,
            turn,
            questions: Kept::default(),
            places: Kept::default(),
            undos: Undos::default(),
            vocabulary: Kept::default(),
            findings: Findings::default(),
        })
    }

    /// The questions of a state of the data.
    ///
    /// # Errors
    ///
    /// Where the data cannot be read, and where the cancellation says so.
    pub(super) fn questions(
        &self,
        seen: &Seen,
        cancellation: &Cancellation,
    ) -> Result<Arc<Questions>, Problem> {
        self.questions.of(&seen.name, || Ok(Questions::read(&seen.loaded, cancellation)?))
    }

    /// What queries and updates have without saying so: the prefixes of the server, and the address under which they are
    /// asked.
    pub(super) fn prologue<'b>(&self, base: &'b str) -> Prologue<'b> {
        Prologue { base: Some(base), prefixes: self.options.prefixes.clone(), ..Prologue::default() }
    }

    /// The prefixes that need no declaration, with their namespaces, as an object of JSON.
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
