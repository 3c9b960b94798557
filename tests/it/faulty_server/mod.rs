//! A SPARQL server on loopback that has bad days: it does all that is asked, in memory, but for the faults that a test
//! plans.

mod fault;
mod guard;
mod itself;
mod memory;
mod relay;

pub(crate) use fault::{Fault, Plan};
pub(crate) use guard::Guard;
pub(crate) use relay::{Cut, Relay};

use std::sync::{Arc, Mutex, MutexGuard};

use oxigraph::store::Store;

use crate::http_server::{Answer, Greeting, HttpServer, Request, Site};
use memory::Memory;

/// The server; it ends when it is dropped.
pub(crate) struct FaultyServer {
    http: HttpServer,
    state: Arc<State>,
}

struct State {
    memory: Memory,
    plans: Mutex<Vec<Plan>>,
    guard: Guard,
}

impl FaultyServer {
    /// A server without faults so far.
    pub(crate) fn start() -> Self {
        Self::guarded(Guard::None)
    }

    /// A server that answers those alone who say who they are.
    pub(crate) fn guarded(guard: Guard) -> Self {
        let state = State::new(guard);
        Self { http: HttpServer::start_site(Arc::clone(&state)), state }
    }

    /// A server for `https`.
    pub(crate) fn start_tls() -> Self {
        let state = State::new(Guard::None);
        Self { http: HttpServer::start_tls(Arc::clone(&state)), state }
    }

    /// Plans a fault; of several plans for a request the first one counts.
    pub(crate) fn plan(&self, plan: Plan) {
        self.state.plans().push(plan);
    }

    /// Forgets all plans: the server is well again.
    pub(crate) fn heal(&self) {
        self.state.plans().clear();
    }

    /// How many faults of the plans have been played.
    pub(crate) fn played(&self) -> usize {
        self.state.plans().iter().map(Plan::played).sum()
    }

    /// What the server keeps.
    pub(crate) fn store(&self) -> &Store {
        &self.state.memory.store
    }

    /// The triples of a graph as sorted lines of N-Triples.
    pub(crate) fn graph(&self, name: &str) -> Vec<String> {
        self.state.memory.lines(name)
    }

    /// The server beneath: its URL, and what it was asked.
    pub(crate) fn http(&self) -> &HttpServer {
        &self.http
    }
}

impl State {
    fn new(guard: Guard) -> Arc<Self> {
        Arc::new(Self { memory: Memory::new(), plans: Mutex::default(), guard })
    }

    fn plans(&self) -> MutexGuard<'_, Vec<Plan>> {
        self.plans.lock().expect("no thread panics with the plans")
    }

    /// The fault that is planned for a request at a moment, if any.
    fn fault(&self, request: &Request, is_early: bool) -> Option<Fault> {
        self.plans()
            .iter_mut()
            .filter(|plan| plan.fault.is_early() == is_early)
            .find_map(|plan| plan.play(request))
    }
}

impl Site for Arc<State> {
    fn greets(&self, request: &Request) -> Greeting {
        if let Some(challenge) = self.guard.challenge(request) {
            return Greeting::Answers(challenge);
        }
        match self.fault(request, true) {
            Some(Fault::Refuses(answer)) => Greeting::Answers(answer),
            Some(Fault::Leaves(most)) => Greeting::Leaves(most),
            _ => Greeting::Listens,
        }
    }

    fn answers(&self, request: &Request) -> Answer {
        match self.fault(request, false) {
            Some(Fault::Instead(answer)) => answer,
            Some(Fault::Stops(operations)) => {
                self.memory.begins(request, operations);
                Answer::Raw(Vec::new())
            }
            Some(fault) => fault.of(&self.memory.answers(request)),
            None => self.memory.answers(request),
        }
    }
}
