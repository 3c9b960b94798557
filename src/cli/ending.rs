//! Ends a run from outside and in order: a limit of time or memory is exceeded, or the user has pressed Ctrl-C.
//!
//! The run is told to end. Where it does not listen, the process is ended: the unfinished change of the store is
//! undone, the unfinished output is removed, and the finding is reported last. A run that has finished, or whose change
//! of the store counts, is left alone: a request that comes too late changes nothing.

use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::output;
use super::printer::Printer;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_engine::workspace::oversight::{Oversight, Writer};
use evalgraph_sparql::{Cancellation, GRACE};
use evalgraph_store::Sweeper;

/// The code of the finding that the user has pressed Ctrl-C.
const INTERRUPTED: &str = "sparql::interrupted";

/// The exit status of a run that was interrupted: 128 and the number of the signal.
static INTERRUPTED_STATUS: AtomicI32 = AtomicI32::new(130);

/// How far the run is.
static RUN: Mutex<Run> = Mutex::new(Run { stage: Stage::Unchanged, printer: Printer::USUAL });

/// Tells the run to end; there is one run in a process.
static CANCELLATION: LazyLock<Cancellation> = LazyLock::new(Cancellation::new);

/// The run was told to end.
static TOLD: Condvar = Condvar::new();

struct Run {
    stage: Stage,
    printer: Printer,
}

/// How far a run is with its change of the store.
enum Stage {
    /// The run has changed nothing.
    Unchanged,
    /// The run has changed nothing, and answers one of several questions, which ends without the run.
    Answering(Cancellation),
    /// The run is changing the store, and the old state still counts.
    Changing(Sweeper),
    /// The run has finished, or its change of the store counts or is about to count.
    Over,
}

/// Begins a run; a finding that ends it from outside is reported by this printer.
pub(super) fn begin(printer: Printer) {
    run().printer = printer;
}

/// Returns the cancellation that tells the run to end.
pub(super) fn cancellation() -> Cancellation {
    CANCELLATION.clone()
}

/// Oversees the changes of the store by this process, which may be ended until a change counts.
struct Ending;

impl Oversight for Ending {
    fn cancellation(&self) -> Cancellation {
        cancellation()
    }

    /// Notes the sweeper, by which [`end`] undoes the change.
    fn change_begins(&self, sweeper: Sweeper) {
        run().stage = Stage::Changing(sweeper);
    }

    /// Lets the change count, unless the run was told to end; nothing ends the run afterwards.
    fn settle(&self) -> Result<(), Box<Diagnostic>> {
        let mut run = run();
        CANCELLATION.check()?;
        run.stage = Stage::Over;
        Ok(())
    }
}

/// Describes this process as the writer of a store.
pub(super) fn writer(command: &str, is_dry: bool) -> Writer<'static> {
    let who = format!("process {}, `evalgraph {command}`", std::process::id());
    Writer { who, oversight: &Ending, is_dry }
}

/// Returns the cancellation of a question, for whose time Ctrl-C ends the question instead of the run. A second Ctrl-C, where
/// the question goes on, ends the run.
pub(super) fn question() -> Question {
    let cancellation = Cancellation::new();
    run().stage = Stage::Answering(cancellation.clone());
    Question { cancellation }
}

/// The time of a question.
pub(super) struct Question {
    pub(super) cancellation: Cancellation,
}

impl Drop for Question {
    fn drop(&mut self) {
        run().stage = Stage::Unchanged;
    }
}

/// Tells the question that is being answered to end; false where there is none, or it was told already.
#[cfg(unix)]
fn has_ended_question() -> bool {
    match &run().stage {
        Stage::Answering(question) if question.check().is_ok() => {
            question.cancel(Diagnostic::error(INTERRUPTED, "interrupted"));
            true
        }
        _ => false,
    }
}

/// Notes that the run has finished and reports its own findings.
pub(super) fn over() {
    run().stage = Stage::Over;
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
        if matches!(run.stage, Stage::Changing(_)) { GRACE } else { GRACE_OF_READER }
    };
    std::thread::sleep(grace);
    end(Some(finding));
}

/// Ends the process, with a last finding or without, unless the run is over.
pub(super) fn end(finding: Option<&Diagnostic>) {
    // Held to the end, so that the run cannot go on meanwhile.
    let run = run();
    match &run.stage {
        Stage::Over => return,
        Stage::Changing(sweeper) => sweeper.sweep(),
        Stage::Unchanged | Stage::Answering(_) => {}
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
pub(super) fn printer() -> Printer {
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
    run.stage = Stage::Unchanged;
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
pub(super) struct Signals(#[cfg(unix)] Option<signal_hook::iterator::Signals>);

impl Signals {
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

fn run() -> MutexGuard<'static, Run> {
    RUN.lock().unwrap_or_else(PoisonError::into_inner)
}
