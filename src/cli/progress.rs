//! A progress bar on a terminal, for work that takes longer than a second.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use evalgraph_engine::input::progress::WorkProgress;

/// How long work may take before its bar is shown.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the bar is updated.
const TICK: Duration = Duration::from_millis(100);

/// `true` if the user wants no progress bars.
static IS_LEFT_OUT: AtomicBool = AtomicBool::new(false);

/// Turns off progress bars for the rest of the process.
pub(super) fn leave_out() {
    IS_LEFT_OUT.store(true, Ordering::Relaxed);
}

/// A bar. It appears after a second, and is removed when it is dropped.
struct DelayedProgressBar {
    bar: ProgressBar,
    /// Dropping it tells the waiting thread that the work is done.
    _work: Option<Sender<()>>,
}

/// Starts a bar of bytes, with their rate and the remaining time. It is only shown on a terminal.
pub(super) fn bar(what: &'static str, total_bytes: u64) -> Box<dyn WorkProgress> {
    let template = "{msg} [{bar:30}] {bytes}/{total_bytes}, {bytes_per_sec}, {eta} left";
    Box::new(DelayedProgressBar::start(what, total_bytes, template))
}

/// Starts a bar for quads, with their rate and the remaining time.
pub(super) fn quads(what: &'static str, total: u64) -> Box<dyn WorkProgress> {
    Box::new(DelayedProgressBar::start(
        what,
        total,
        "{msg} [{bar:30}] {human_pos}/{human_len} quads, {per_sec}, {eta} left",
    ))
}

impl DelayedProgressBar {
    fn start(what: &'static str, total: u64, template: &str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
        if IS_LEFT_OUT.load(Ordering::Relaxed) || !std::io::stderr().is_terminal() {
            return Self { bar, _work: None };
        }
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_message(what);
        let (work, done) = mpsc::channel::<()>();
        let shown = bar.clone();
        std::thread::spawn(move || {
            if done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(TICK);
            }
        });
        Self { bar, _work: Some(work) }
    }
}

impl WorkProgress for DelayedProgressBar {
    fn advance(&self, bytes: u64) {
        self.bar.inc(bytes);
    }
}

impl Drop for DelayedProgressBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
