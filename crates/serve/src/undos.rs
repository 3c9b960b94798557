//! The last changes that a page has made, each kept under a name as what takes it back.

use std::collections::VecDeque;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use evalgraph_engine::workspace::statements_change::StatementsChange;

/// How many changes are kept.
const KEPT: usize = 100;

/// The last changes.
#[derive(Debug, Default)]
pub(super) struct UndoHistory(Mutex<VecDeque<NamedUndo>>);

#[derive(Debug)]
struct NamedUndo {
    name: String,
    undo: ChangeReversal,
}

/// What takes a change back.
#[derive(Debug, Clone)]
pub(super) struct ChangeReversal {
    /// The state of the data after the change, and the only one that it can be taken back in.
    pub(super) state: String,
    pub(super) statements: StatementsChange,
    pub(super) file: Option<String>,
    /// The values that were changed.
    pub(super) changes: Vec<ChangedValue>,
}

/// A value of a question, before and after a change.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ChangedValue {
    pub(super) property: &'static str,
    pub(super) before: serde_json::Value,
    pub(super) after: serde_json::Value,
}

impl UndoHistory {
    /// Keeps what takes a change back, and returns its name; the oldest one goes where there are many.
    pub(super) fn keep(&self, undo: ChangeReversal) -> String {
        let number = || RandomState::new().build_hasher().finish();
        let name = format!("{:016x}{:016x}", number(), number());
        let mut kept = self.lock();
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back(NamedUndo { name: name.clone(), undo });
        name
    }

    /// What takes a change back; nothing where it is not kept any more.
    pub(super) fn get(&self, name: &str) -> Option<ChangeReversal> {
        self.lock().iter().find(|known| known.name == name).map(|known| known.undo.clone())
    }

    /// Forgets a change that was taken back.
    pub(super) fn forget(&self, name: &str) {
        self.lock().retain(|known| known.name != name);
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<NamedUndo>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
