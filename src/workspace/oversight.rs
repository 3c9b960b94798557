//! Who changes a store, and who may end that from outside and has the last word before the change counts.

use crate::diagnostic::{Diagnostic, Failure};
use crate::sparql::Cancellation;
use crate::store::{Change, Repair, Store, Sweeper};

/// Tells who may end a run from outside.
pub(crate) trait Oversight {
    /// By which the run hears that it shall end.
    fn cancellation(&self) -> Cancellation;

    /// Hears that a store is being changed, and how the unfinished change is swept up.
    fn change_begins(&self, _sweeper: Sweeper) {}

    /// Says whether the change may count, once it is made ready.
    ///
    /// # Errors
    ///
    /// Why it may not.
    fn settle(&self) -> Result<(), Box<Diagnostic>> {
        self.cancellation().check()
    }
}

impl Oversight for Cancellation {
    fn cancellation(&self) -> Cancellation {
        self.clone()
    }
}

/// Tells who changes a store.
pub(crate) struct Writer<'w> {
    /// What those are told who come while it is at work.
    pub(crate) who: String,
    pub(crate) oversight: &'w dyn Oversight,
    /// Whether it is only told what would change.
    pub(crate) is_dry: bool,
}

impl Writer<'_> {
    /// Begins a change, as the only one who changes the store.
    ///
    /// # Errors
    ///
    /// As [`Store::change`].
    pub(crate) fn begin(&self, store: &Store) -> Result<Change, Failure> {
        let change = store.change(&self.who)?;
        self.oversight.change_begins(change.sweeper());
        Ok(change)
    }

    /// Begins to mend a store, as the only one who changes it.
    ///
    /// # Errors
    ///
    /// As [`Store::repair`].
    pub(crate) fn begin_repair(&self, store: &Store) -> Result<Repair, Failure> {
        let repair = store.repair(&self.who)?;
        self.oversight.change_begins(repair.sweeper());
        Ok(repair)
    }

    /// Makes a change count, unless it is only to be told.
    ///
    /// # Errors
    ///
    /// Those of the store, and why the change may not count.
    pub(crate) fn commit(&self, change: Change) -> Result<(), Failure> {
        if self.is_dry {
            return Ok(());
        }
        Ok(change.commit_unless(|| self.oversight.settle())?)
    }
}
