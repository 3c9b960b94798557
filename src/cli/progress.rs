//! A progress bar on a terminal, for work that takes longer than a second.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use unicode_width::UnicodeWidthStr;

use super::output;
use super::visible::visible;
use evalgraph_diagnostics::thousands;
use evalgraph_engine::input::progress::WorkProgress;
use evalgraph_sparql::clipped_front;

/// How long work may take before its bar is shown.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the bar is drawn again.
const TICK: Duration = Duration::from_millis(100);
/// The width of the bar itself.
const BAR: usize = 24;
/// A file's name that would get fewer columns than this is left out.
const READABLE: usize = 8;
/// Moves to the beginning of the line, and erases it.
const ERASE: &str = "\r\x1b[2K";

/// `true` if the user wants no progress bars.
static IS_LEFT_OUT: AtomicBool = AtomicBool::new(false);

/// Turns off progress bars for the rest of the process.
pub(super) fn leave_out() {
    IS_LEFT_OUT.store(true, Ordering::Relaxed);
}

/// Starts a bar of bytes, with their rate, the remaining time, and the file that is being read. It is only shown on a
/// terminal.
pub(super) fn bar(what: &'static str, total_bytes: u64) -> Box<dyn WorkProgress> {
    Box::new(DelayedProgressBar::start(what, total_bytes, bytes))
}

/// Starts a bar of quads, with their rate and the remaining time.
pub(super) fn quads(what: &'static str, total: u64) -> Box<dyn WorkProgress> {
    Box::new(DelayedProgressBar::start(what, total, |count| format!("{} quads", thousands(count))))
}

/// A bar. It appears after a second, and is removed when it is dropped.
struct DelayedProgressBar {
    state: Arc<ProgressState>,
    /// Dropping the sender tells the thread that the work is done.
    drawing: Option<(Sender<()>, JoinHandle<()>)>,
}

/// What a bar shows.
struct ProgressState {
    what: &'static str,
    total: u64,
    /// Writes a number of units.
    amount: fn(u64) -> String,
    begun: Instant,
    done: AtomicU64,
    file: Mutex<String>,
}

impl DelayedProgressBar {
    fn start(what: &'static str, total: u64, amount: fn(u64) -> String) -> Self {
        let state = Arc::new(ProgressState {
            what,
            total,
            amount,
            begun: Instant::now(),
            done: AtomicU64::new(0),
            file: Mutex::default(),
        });
        if IS_LEFT_OUT.load(Ordering::Relaxed) || !io::stderr().is_terminal() {
            return Self { state, drawing: None };
        }
        let (work, done) = mpsc::channel::<()>();
        let shown = Arc::clone(&state);
        let thread = std::thread::spawn(move || {
            let goes_on = |time| done.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
            if !goes_on(PATIENCE) {
                return;
            }
            loop {
                let width = output::width_of_messages().unwrap_or(80);
                let line = shown.line(shown.begun.elapsed(), width);
                // A bar that cannot be drawn changes nothing of the work.
                let _ = write!(io::stderr(), "{ERASE}{line}");
                if !goes_on(TICK) {
                    let _ = write!(io::stderr(), "{ERASE}");
                    return;
                }
            }
        });
        Self { state, drawing: Some((work, thread)) }
    }
}

impl WorkProgress for DelayedProgressBar {
    fn advance(&self, count: u64) {
        self.state.done.fetch_add(count, Ordering::Relaxed);
    }

    fn at(&self, file: &str) {
        if self.drawing.is_some() {
            file.clone_into(&mut self.state.file.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }
}

impl Drop for DelayedProgressBar {
    fn drop(&mut self) {
        if let Some((work, thread)) = self.drawing.take() {
            drop(work);
            // What is printed next begins on an empty line.
            let _ = thread.join();
        }
    }
}

impl ProgressState {
    /// The line of the bar after this time, narrower than the terminal.
    fn line(&self, time: Duration, width: usize) -> String {
        let done = self.done.load(Ordering::Relaxed).min(self.total);
        let share = if self.total == 0 { 0.0 } else { done as f64 / self.total as f64 };
        let filled = (share * BAR as f64) as usize;
        let head = if filled < BAR { ">" } else { "" };
        let bar = format!("{}{head}", "=".repeat(filled));
        let mut line = format!("{} [{bar:BAR$}] {:.0} %", self.what, (share * 100.0).floor());
        let rate = done as f64 / time.as_secs_f64().max(0.001);
        let mut parts = vec![format!(" of {}", (self.amount)(self.total))];
        if done > 0 {
            parts.push(format!(", {}/s", (self.amount)(rate as u64)));
            let left = (self.total - done) as f64 / rate;
            parts.push(format!(", {} left", duration(left)));
        }
        // What does not fit is left out, whole.
        for part in parts {
            if line.width() + part.width() < width {
                line += &part;
            }
        }
        let file = visible(&self.file.lock().unwrap_or_else(PoisonError::into_inner)).replace('\n', " ");
        let room = width.saturating_sub(line.width() + 3);
        if !file.is_empty() && room >= READABLE {
            line += &format!(", {}", clipped_front(&file, room));
        }
        line
    }
}

/// A number of bytes, in the largest unit of which there is one.
fn bytes(count: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    match UNITS.into_iter().find(|(_, size)| count >= *size) {
        Some((unit, size)) => format!("{:.1} {unit}", count as f64 / size as f64),
        None => format!("{count} B"),
    }
}

/// A number of seconds, in seconds, minutes and seconds, or hours and minutes.
fn duration(seconds: f64) -> String {
    let seconds = seconds.ceil() as u64;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", thousands(seconds / 3600), seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(done: u64, total: u64, file: &str) -> ProgressState {
        ProgressState {
            what: "loading",
            total,
            amount: bytes,
            begun: Instant::now(),
            done: AtomicU64::new(done),
            file: Mutex::new(file.to_owned()),
        }
    }

    #[test]
    fn a_bar_has_the_rate_the_time_left_and_the_file() {
        let half = state(38 << 20, 76 << 20, "data/runs/a.jsonld");
        assert_eq!(
            half.line(Duration::from_secs(2), 120),
            "loading [============>           ] 50 % of 76.0 MiB, 19.0 MiB/s, 2 s left, data/runs/a.jsonld"
        );
        assert_eq!(
            half.line(Duration::from_secs(2), 80),
            "loading [============>           ] 50 % of 76.0 MiB, 19.0 MiB/s, 2 s left"
        );
        assert_eq!(
            half.line(Duration::from_secs(2), 60),
            "loading [============>           ] 50 % of 76.0 MiB"
        );
    }

    #[test]
    fn a_bar_is_narrower_than_the_terminal_at_any_width_and_any_progress() {
        for (done, total) in [(0, 0), (0, 5), (5, 5), (7, 5), (1, u64::MAX)] {
            for width in 50..200 {
                let line = state(done, total, "data/ein Übung 漢字.jsonld\u{1b}[31m").line(TICK, width);
                assert!(line.width() < width, "{width}: {line}");
                assert!(!line.contains('\u{1b}'), "{line:?}");
            }
        }
    }

    #[test]
    fn times_are_written_in_their_largest_units() {
        assert_eq!(duration(0.2), "1 s");
        assert_eq!(duration(61.0), "1 min 1 s");
        assert_eq!(duration(7300.0), "2 h 1 min");
    }
}
