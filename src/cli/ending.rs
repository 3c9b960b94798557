//! Ends a run from outside and in order: its time or its memory is over, or somebody has pressed Ctrl-C.
//!
//! The run is told to end. Where it does not listen, the process is ended for it: a change of the store is undone, the
//! unfinished output is removed, and the finding is the last word. A run that has come to its end, or whose change of
//! the store counts, is left alone: what was asked too late changes nothing.

use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use super::output;
use super::printer::DiagnosticsFormat;
use crate::diagnostic::Diagnostic;
use crate::sparql::{Cancellation, GRACE};
use crate::store::Sweeper;
use crate::workspace::oversight::{Oversight, Writer};

/// The code of the finding that somebody has pressed Ctrl-C.
const INTERRUPTED: &str = "sparql::interrupted";

/// The exit status of a run that was interrupted: 128 and the number of the signal.
static INTERRUPTED_STATUS: AtomicI32 = AtomicI32::new(130);

/// How far the run is.
static RUN: Mutex<Run> = Mutex::new(Run { stage: Stage::Unchanged, format: DiagnosticsFormat::Text });

/// Tells the run to end; there is one run in a process.
static CANCELLATION: LazyLock<Cancellation> = LazyLock::new(Cancellation::new);

struct Run {
    stage: Stage,
    format: DiagnosticsFormat,
}

/// Tells what a run has done.
enum Stage {
    /// It has changed nothing.
    Unchanged,
    /// It changes the store, and the old state counts.
    Changing(Sweeper),
    /// It has come to its end, or its change of the store counts, or will in a moment.
    Over,
}

/// Begins a run, whose last word may have to be said in this form.
pub(super) fn begin(format: DiagnosticsFormat) {
    run().format = format;
}

/// By which a run hears that it shall end.
pub(super) fn cancellation() -> Cancellation {
    CANCELLATION.clone()
}

/// Tells who ends this process, or lets its changes of the store count.
struct Ending;

impl Oversight for Ending {
    fn cancellation(&self) -> Cancellation {
        cancellation()
    }

    /// Notes who ends the run has to sweep up after the change.
    fn change_begins(&self, sweeper: Sweeper) {
        run().stage = Stage::Changing(sweeper);
    }

    /// After this the change is made, and nothing ends the run.
    fn settle(&self) -> Result<(), Box<Diagnostic>> {
        let mut run = run();
        CANCELLATION.check()?;
        run.stage = Stage::Over;
        Ok(())
    }
}

/// This process as the one that changes a store.
pub(super) fn writer(command: &str, is_dry: bool) -> Writer<'static> {
    let who = format!("process {}, `evalgraph {command}`", std::process::id());
    Writer { who, oversight: &Ending, is_dry }
}

/// Says that the run has come to its end, and has the last word itself.
pub(super) fn over() {
    run().stage = Stage::Over;
}

/// Tells the run to end, and ends the process where it has not done so in a moment.
pub(super) fn tell(finding: &Diagnostic) {
    {
        // Held, so that no change is made meanwhile.
        let _run = run();
        CANCELLATION.cancel(finding.clone());
    }
    std::thread::sleep(GRACE);
    end(Some(finding));
}

/// Ends the process, with a last word or without, unless the run is over.
pub(super) fn end(finding: Option<&Diagnostic>) {
    // Held to the end, so that the run cannot go on meanwhile.
    let run = run();
    match &run.stage {
        Stage::Over => return,
        Stage::Changing(sweeper) => sweeper.sweep(),
        Stage::Unchanged => {}
    }
    let _unfinished = output::remove_unfinished();
    if let Some(finding) = finding {
        let mut report = run.format.report();
        report.add(finding);
        run.format.finish(&report);
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

/// Begins to listen to Ctrl-C: the first tells the run to end, a second ends the process at once. Until then, and on
/// systems without signals, it ends the process as it always does.
pub(super) fn listen() {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGINT, SIGTERM};

        // Without a handler the signals end the process, which is no worse.
        let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) else { return };
        std::thread::spawn(move || {
            let mut is_first = true;
            for signal in signals.forever() {
                INTERRUPTED_STATUS.store(128 + signal, Ordering::Relaxed);
                if std::mem::take(&mut is_first) {
                    std::thread::spawn(|| tell(&Diagnostic::error(INTERRUPTED, "interrupted")));
                } else {
                    end(None);
                }
            }
        });
    }
}

fn run() -> MutexGuard<'static, Run> {
    RUN.lock().unwrap_or_else(PoisonError::into_inner)
}
