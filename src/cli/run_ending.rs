//! Ends a run early but cleanly, because it exceeds a limit of time or memory, or because the user has pressed Ctrl-C.
//!
//! First the run is asked to end. If it does not end soon, the process is ended: the unfinished change of the store is
//! undone, the unfinished output is removed, and the finding is reported last. A run that has finished, or whose change
//! of the store already counts, is left alone: a request that comes too late changes nothing.

use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::output;
use super::printer::FindingPrinter;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_engine::workspace::oversight::{RunOversight, WritingProcess};
use evalgraph_sparql::{CancellationToken, GRACE};
use evalgraph_store::ChangeSweeper;

/// The code of the finding that the user has pressed Ctrl-C.
const INTERRUPTED: &str = "sparql::interrupted";

/// The exit status of a run that was interrupted: 128 and the number of the signal.
static INTERRUPTED_STATUS: AtomicI32 = AtomicI32::new(130);

/// The progress of the run.
static RUN: Mutex<RunState> =
    Mutex::new(RunState { stage: RunStage::Unchanged, printer: FindingPrinter::USUAL });

/// Asks the run to end. There is one run in a process.
static CANCELLATION: LazyLock<CancellationToken> = LazyLock::new(CancellationToken::new);

/// Notified when the run is asked to end.
static TOLD: Condvar = Condvar::new();

struct RunState {
    stage: RunStage,
    printer: FindingPrinter,
}

/// The progress of a run with its change of the store.
enum RunStage {
    /// The run has changed nothing.
    Unchanged,
    /// The run has changed nothing, and is answering a query of a session. The query can be ended without ending the
    /// run.
    Answering(CancellationToken),
    /// The run is changing the store, and the old state still counts.
    Changing(ChangeSweeper),
    /// The run has finished, or its change of the store counts or is about to count.
    Over,
}

/// Begins a run. If it is ended early, the finding is reported with this printer.
pub(super) fn begin(printer: FindingPrinter) {
    run().printer = printer;
}

/// Returns the token that asks the run to end.
pub(super) fn cancellation() -> CancellationToken {
    CANCELLATION.clone()
}

/// Oversees the changes that this process makes to the store. They can be interrupted until they count.
struct ProcessOversight;

impl RunOversight for ProcessOversight {
    fn cancellation(&self) -> CancellationToken {
        cancellation()
    }

    /// Keeps the sweeper, with which [`end`] undoes the change.
    fn change_begins(&self, sweeper: ChangeSweeper) {
        run().stage = RunStage::Changing(sweeper);
    }

    /// Makes the change count, unless the run was asked to end. After that the run is not ended early.
    fn settle(&self) -> Result<(), Box<Diagnostic>> {
        let mut run = run();
        CANCELLATION.check()?;
        run.stage = RunStage::Over;
        Ok(())
    }
}

/// Describes this process, as a process that writes to a store.
pub(super) fn writer(command: &str, is_dry: bool) -> WritingProcess<'static> {
    let who = format!("process {}, `evalgraph {command}`", std::process::id());
    WritingProcess { who, oversight: &ProcessOversight, is_dry }
}

/// Returns the token of a query. While the query runs, Ctrl-C ends the query instead of the run. If the query does not
/// end, a second Ctrl-C ends the run.
pub(super) fn question() -> CancellableQuestion {
    let cancellation = CancellationToken::new();
    run().stage = RunStage::Answering(cancellation.clone());
    CancellableQuestion { cancellation }
}

/// The time during which a query runs.
pub(super) struct CancellableQuestion {
    pub(super) cancellation: CancellationToken,
}

impl Drop for CancellableQuestion {
    fn drop(&mut self) {
        run().stage = RunStage::Unchanged;
    }
}

/// Asks the running query to end. Returns `false` if there is none, or if it was already asked to end.
#[cfg(unix)]
fn has_ended_question() -> bool {
    match &run().stage {
        RunStage::Answering(question) if question.check().is_ok() => {
            question.cancel(Diagnostic::error(INTERRUPTED, "interrupted"));
            true
        }
        _ => false,
    }
}

/// Records that the run has finished and reports its own findings.
pub(super) fn over() {
    run().stage = RunStage::Over;
}

/// How long a run that does not change the store may take to end. Freeing the memory of a large query takes longest.
const GRACE_OF_READER: Duration = Duration::from_millis(10);

/// Asks the run to end, and ends the process if the run does not end soon. A run that changes the store has the time
/// [`GRACE`].
pub(super) fn tell(finding: &Diagnostic) {
    let grace = {
        // The lock is held, so no change of the store can begin to count meanwhile.
        let run = run();
        CANCELLATION.cancel(finding.clone());
        TOLD.notify_all();
        if matches!(run.stage, RunStage::Changing(_)) { GRACE } else { GRACE_OF_READER }
    };
    std::thread::sleep(grace);
    end(Some(finding));
}

/// Ends the process, with or without a last finding, unless the run is over.
pub(super) fn end(finding: Option<&Diagnostic>) {
    // The lock is held to the end, so the run cannot continue meanwhile.
    let run = run();
    match &run.stage {
        RunStage::Over => return,
        RunStage::Changing(sweeper) => sweeper.sweep(),
        RunStage::Unchanged | RunStage::Answering(_) => {}
    }
    let _unfinished = output::remove_unfinished();
    if let Some(finding) = finding {
        let mut report = run.printer.report();
        report.add(finding);
        run.printer.finish(&report, false);
    }
    std::process::exit(finding.map_or_else(interrupted_status, status))
}

/// The exit status of a run that ends with a finding.
pub(super) fn status(finding: &Diagnostic) -> i32 {
    if finding.code == INTERRUPTED { interrupted_status() } else { 2 }
}

fn interrupted_status() -> i32 {
    INTERRUPTED_STATUS.load(Ordering::Relaxed)
}

/// The printer of the run's findings.
pub(super) fn printer() -> FindingPrinter {
    run().printer
}

/// Waits. Returns whether the user has pressed Ctrl-C in that time.
///
/// # Errors
///
/// Another reason why the run has to end.
pub(super) fn is_interrupted_within(time: Duration) -> Result<bool, Box<Diagnostic>> {
    let waited = TOLD.wait_timeout_while(run(), time, |_| CANCELLATION.check().is_ok());
    drop(waited);
    match CANCELLATION.check() {
        Ok(()) => Ok(false),
        Err(reason) if reason.code == INTERRUPTED => Ok(true),
        Err(reason) => Err(reason),
    }
}

/// Resumes a run that was over. It can be ended early again.
///
/// # Errors
///
/// Fails if the run was asked to end in the meantime.
pub(super) fn go_on() -> Result<(), Box<Diagnostic>> {
    let mut run = run();
    CANCELLATION.check()?;
    run.stage = RunStage::Unchanged;
    Ok(())
}

/// Starts handling Ctrl-C: the first asks the run to end, a second ends the process at once. Before this call, and on
/// systems without signals, Ctrl-C ends the process as usual.
pub(super) fn listen() {
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // Without a handler, the signals end the process, which is also fine.
        let _ = SIGNALS.get().map(|signals| signals.add_signal(signal));
    }
}

/// Adds further signals to handle.
#[cfg(unix)]
static SIGNALS: std::sync::OnceLock<signal_hook::iterator::Handle> = std::sync::OnceLock::new();

/// The signals of the process, for a thread that only handles signals.
pub(super) struct ProcessSignals(#[cfg(unix)] Option<signal_hook::iterator::Signals>);

impl ProcessSignals {
    /// No signals yet.
    pub(super) fn new() -> Self {
        #[cfg(unix)]
        {
            // If a file grows beyond a system limit, this becomes an error to report instead of the end of the process.
            let _ = signal_hook::flag::register(signal_hook::consts::signal::SIGXFSZ, Arc::default());
            const NONE: [i32; 0] = [];
            let signals = signal_hook::iterator::Signals::new(NONE).ok();
            if let Some(signals) = &signals {
                let _ = SIGNALS.set(signals.handle());
            }
            Self(signals)
        }
        #[cfg(not(unix))]
        Self()
    }

    /// Handles the signals of the run until the end of the process.
    pub(super) fn attend(self) {
        #[cfg(unix)]
        if let Some(mut signals) = self.0 {
            let mut is_told = false;
            for signal in signals.forever() {
                if signal == signal_hook::consts::SIGINT && has_ended_question() {
                    continue;
                }
                INTERRUPTED_STATUS.store(128 + signal, Ordering::Relaxed);
                if std::mem::replace(&mut is_told, true) {
                    end(None);
                } else {
                    std::thread::spawn(|| tell(&Diagnostic::error(INTERRUPTED, "interrupted")));
                }
            }
        }
    }
}

fn run() -> MutexGuard<'static, RunState> {
    RUN.lock().unwrap_or_else(PoisonError::into_inner)
}
