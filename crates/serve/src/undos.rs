//! The last changes of a page. Each is kept under a name, as the statements that undo it.

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

/// The statements that undo a change.
#[derive(Debug, Clone)]
pub(super) struct ChangeReversal {
    /// The state of the data after the change. The change can only be undone in this state.
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
    /// Keeps how to undo a change, and returns its name. If there are too many, the oldest one is dropped.
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

    /// Returns how to undo a change; `None` if it is no longer kept.
    pub(super) fn get(&self, name: &str) -> Option<ChangeReversal> {
        self.lock().iter().find(|known| known.name == name).map(|known| known.undo.clone())
    }

    /// Removes a change that was undone.
    pub(super) fn forget(&self, name: &str) {
        self.lock().retain(|known| known.name != name);
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<NamedUndo>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
