//! The state of processing one local context.

use std::rc::Rc;

use crate::jsonld::context::ActiveContext;
use crate::jsonld::context::local_entries::LocalEntries;

/// The flags of the algorithm, and the contexts that led to the call.
#[derive(Debug, Clone)]
pub(in crate::jsonld) struct Call {
    pub(in crate::jsonld) override_protected: bool,
    pub(in crate::jsonld) propagate: bool,
    pub(in crate::jsonld) validate_scoped: bool,
    pub(in crate::jsonld) remote_contexts: Vec<Rc<str>>,
    pub(in crate::jsonld) nesting: usize,
}

impl Default for Call {
    fn default() -> Self {
        Self {
            override_protected: false,
            propagate: true,
            validate_scoped: true,
            remote_contexts: Vec::new(),
            nesting: 0,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::jsonld) enum State {
    Untouched,
    Begun,
    Done,
}

/// The definitions of one local context while they are made.
pub(in crate::jsonld) struct TermCreation<'a> {
    pub(in crate::jsonld) context: &'a mut ActiveContext,
    pub(in crate::jsonld) entries: &'a LocalEntries<'a>,
    pub(in crate::jsonld) states: Vec<State>,
    pub(in crate::jsonld) call: &'a Call,
    pub(in crate::jsonld) protected: bool,
    pub(in crate::jsonld) depth: usize,
}

impl<'a> TermCreation<'a> {
    pub(in crate::jsonld) fn new(
        context: &'a mut ActiveContext,
        entries: &'a LocalEntries<'a>,
        call: &'a Call,
        protected: bool,
    ) -> Self {
        Self { context, entries, states: vec![State::Untouched; entries.len()], call, protected, depth: 0 }
    }
}
