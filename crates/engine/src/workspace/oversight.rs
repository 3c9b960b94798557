//! The writer of a store, and the oversight that can cancel its run and makes the final decision whether a change
//! counts.

use evalgraph_diagnostics::{Diagnostic, RunFailure};
use evalgraph_sparql::CancellationToken;
use evalgraph_store::{ChangeSweeper, StoreChange, StoreFolder, StoreRepair};

/// Supervises a run, and may end it from outside.
pub trait RunOversight {
    /// Returns the signal that tells the run to end.
    fn cancellation(&self) -> CancellationToken;

    /// Is called when a change of a store begins, with the sweeper for its unfinished files.
    fn change_begins(&self, _sweeper: ChangeSweeper) {}

    /// Decides whether a finished change may count.
    ///
    /// # Errors
    ///
    /// The reason why the change may not count.
    fn settle(&self) -> Result<(), Box<Diagnostic>> {
        self.cancellation().check()
    }
}

impl RunOversight for CancellationToken {
    fn cancellation(&self) -> CancellationToken {
        self.clone()
    }
}

/// A process that changes a store.
pub struct WritingProcess<'w> {
    /// The description of this writer in the errors of other processes that want to change the store.
    pub who: String,
    /// Oversees the change.
    pub oversight: &'w dyn RunOversight,
    /// `true` to report what would change without changing it.
    pub is_dry: bool,
}

impl WritingProcess<'_> {
    /// Begins a change, as the only process that changes the store.
    ///
    /// # Errors
    ///
    /// The errors of [`StoreFolder::change`].
    pub fn begin(&self, store: &StoreFolder) -> Result<StoreChange, RunFailure> {
        let change = store.change(&self.who)?;
        self.oversight.change_begins(change.sweeper());
        Ok(change)
    }

    /// Begins to repair a store, as the only process that changes it.
    ///
    /// # Errors
    ///
    /// The errors of [`StoreFolder::repair`].
    pub fn begin_repair(&self, store: &StoreFolder) -> Result<StoreRepair, RunFailure> {
        let repair = store.repair(&self.who)?;
        self.oversight.change_begins(repair.sweeper());
        Ok(repair)
    }

    /// Commits a change, unless the run is dry.
    ///
    /// # Errors
    ///
    /// Errors of the store, and the reason why the change may not count.
    pub fn commit(&self, change: StoreChange) -> Result<(), RunFailure> {
        if self.is_dry {
            return Ok(());
        }
        Ok(change.commit_unless(|| self.oversight.settle())?)
    }
}
