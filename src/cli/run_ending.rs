//! Ends a run from outside and in order: a limit of time or memory is exceeded, or the user has pressed Ctrl-C.
//!
//! The run is told to end. Where it does not listen, the process is ended: the unfinished change of the store is
//! undone, the unfinished output is removed, and the finding is reported last. A run that has finished, or whose change
//! of the store counts, is left alone: a request that comes too late changes nothing.

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

/// How far the run is.
static RUN: Mutex<RunState> =
    Mutex::new(RunState { stage: RunStage::Unchanged, printer: FindingPrinter::USUAL });

/// Tells the run to end; there is one run in a process.
static CANCELLATION: LazyLock<CancellationToken> = LazyLock::new(CancellationToken::new);

/// The run was told to end.
static TOLD: Condvar = Condvar::new();

struct RunState {
    stage: RunStage,
    printer: FindingPrinter,
}

/// How far a run is with its change of the store.
enum RunStage {
    /// The run has changed nothing.
    Unchanged,
    /// The run has changed nothing, and answers one of several questions, which ends without the run.
    Answering(CancellationToken),
    /// The run is changing the store, and the old state still counts.
    Changing(ChangeSweeper),
    /// The run has finished, or its change of the store counts or is about to count.
    Over,
}

/// Begins a run; a finding that ends it from outside is reported by this printer.
pub(super) fn begin(printer: FindingPrinter) {
    run().printer = printer;
}

/// Returns the cancellation that tells the run to end.
pub(super) fn cancellation() -> CancellationToken {
    CANCELLATION.clone()
}

/// Oversees the changes of the store by this process, which may be ended until a change counts.
struct ProcessOversight;

impl RunOversight for ProcessOversight {
    fn cancellation(&self) -> CancellationToken {
        cancellation()
    }

    /// Notes the sweeper, by which [`end`] undoes the change.
    fn change_begins(&self, sweeper: ChangeSweeper) {
        run().stage = RunStage::Changing(sweeper);
    }

    /// Lets the change count, unless the run was told to end; nothing ends the run afterwards.
    fn settle(&self) -> Result<(), Box<Diagnostic>> {
        let mut run = run();
        CANCELLATION.check()?;
        run.stage = RunStage::Over;
        Ok(())
    }
}

/// Describes this process as the writer of a store.
pub(super) fn writer(command: &str, is_dry: bool) -> WritingProcess<'static> {
    let who = format!("process {}, `evalgraph {command}`", std::process::id());
    WritingProcess { who, oversight: &ProcessOversight, is_dry }
}

/// Returns the cancellation of a question, for whose time Ctrl-C ends the question instead of the run. A second Ctrl-C, where
/// the question goes on, ends the run.
pub(super) fn question() -> CancellableQuestion {
    let cancellation = CancellationToken::new();
    run().stage = RunStage::Answering(cancellation.clone());
    CancellableQuestion { cancellation }
}

/// The time of a question.
pub(super) struct CancellableQuestion {
    pub(super) cancellation: CancellationToken,
}

impl Drop for CancellableQuestion {
    fn drop(&mut self) {
        run().stage = RunStage::Unchanged;
    }
}

/// Tells the question that is being answered to end; false where there is none, or it was told already.
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

/// Notes that the run has finished and reports its own findings.
pub(super) fn over() {
    run().stage = RunStage::Over;
}

/// How long a run that changes no store may take to end: what takes longest is to give back the memory of a large query.
const GRACE_OF_READER: Duration = Duration::from_millis(10);

/// Tells the run to end, and ends the process where the run has not ended soon: within [`GRACE`] if it changes the store.
pub(super) fn tell(finding: &Diagnostic) {
    let grace = {
        // Held, so that no change of the store begins to count meanwhile.
        let run = run();
        CANCELLATION.cancel(finding.clone());
        TOLD.notify_all();
        if matches!(run.stage, RunStage::Changing(_)) { GRACE } else { GRACE_OF_READER }
    };
    std::thread::sleep(grace);
    end(Some(finding));
}

/// Ends the process, with a last finding or without, unless the run is over.
pub(super) fn end(finding: Option<&Diagnostic>) {
    // Held to the end, so that the run cannot go on meanwhile.
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
        run.printer.finish(&report);
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

/// Waits, and tells whether the user has pressed Ctrl-C by then.
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

/// Goes on with a run that was over, which may be ended from outside again.
///
/// # Errors
///
/// Where it was told to end meanwhile.
pub(super) fn go_on() -> Result<(), Box<Diagnostic>> {
    let mut run = run();
    CANCELLATION.check()?;
    run.stage = RunStage::Unchanged;
    Ok(())
}

/// Begins to listen to Ctrl-C: the first tells the run to end, a second ends the process at once. Before this call, and
/// on systems without signals, Ctrl-C ends the process as usual.
pub(super) fn listen() {
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // Without a handler the signals end the process, which is as good.
        let _ = SIGNALS.get().map(|signals| signals.add_signal(signal));
    }
}

/// Adds to the signals that are attended to.
#[cfg(unix)]
static SIGNALS: std::sync::OnceLock<signal_hook::iterator::Handle> = std::sync::OnceLock::new();

/// The signals of the process, for the thread that has nothing else to do.
pub(super) struct ProcessSignals(#[cfg(unix)] Option<signal_hook::iterator::Signals>);

impl ProcessSignals {
    /// No signals yet.
    pub(super) fn new() -> Self {
        #[cfg(unix)]
        {
            // A file that grows beyond a limit of the system is an error to report, and not the end of the process.
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

    /// Attends to the signals that the run listens to, to the end of the process.
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
