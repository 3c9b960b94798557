//! The state of processing one local context.

use std::rc::Rc;

use crate::context::ActiveContext;
use crate::context::local_entries::LocalEntries;

/// The flags of the algorithm, and the chain of contexts that led to the call.
#[derive(Debug, Clone)]
pub(crate) struct ContextCall {
    pub(crate) override_protected: bool,
    pub(crate) propagate: bool,
    pub(crate) validate_scoped: bool,
    pub(crate) remote_contexts: Vec<Rc<str>>,
    pub(crate) nesting: usize,
}

impl Default for ContextCall {
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
pub(crate) enum DefinitionState {
    Untouched,
    Begun,
    Done,
}

/// The definitions of one local context while they are made.
pub(crate) struct TermCreation<'a> {
    pub(crate) context: &'a mut ActiveContext,
    pub(crate) entries: &'a LocalEntries<'a>,
    pub(crate) states: Vec<DefinitionState>,
    pub(crate) call: &'a ContextCall,
    pub(crate) protected: bool,
    pub(crate) depth: usize,
}

impl<'a> TermCreation<'a> {
    pub(crate) fn new(
        context: &'a mut ActiveContext,
        entries: &'a LocalEntries<'a>,
        call: &'a ContextCall,
        protected: bool,
    ) -> Self {
        Self {
            context,
            entries,
            states: vec![DefinitionState::Untouched; entries.len()],
            call,
            protected,
            depth: 0,
        }
    }
}
