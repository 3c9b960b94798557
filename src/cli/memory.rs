//! `--max-memory`: watches how much memory the process has, and ends a query that takes too much
//! before the kernel ends something else.
//!
//! What counts is resident anonymous memory, `RssAnon` of `/proc/self/status`: files that are mapped
//! into memory do not. Other systems than Linux have no such file, and the option is an error there.

use std::fs::File;
use std::io::{Read, Seek};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::{Stop, overrun};
use crate::diagnostic::Diagnostic;
use crate::sparql::{Cancellation, GRACE};

/// How often the memory is looked at: in that time a process takes a few megabytes at most.
const INTERVAL: Duration = Duration::from_millis(3);

/// A watch that ends when it is dropped.
pub(super) struct MemoryWatch {
    _alive: mpsc::Sender<()>,
}

/// Begins to watch.
///
/// # Errors
///
/// Where the system does not say how much memory the process has.
pub(super) fn watch(limit: u64, cancellation: &Cancellation) -> Result<MemoryWatch, Stop> {
    let mut status = Status::open().ok_or_else(|| {
        let message = "`--max-memory` needs `/proc/self/status`, which this system does not have";
        Stop::from(Diagnostic::error("sparql::memory", message))
    })?;
    let (sender, receiver) = mpsc::channel::<()>();
    let cancellation = cancellation.clone();
    std::thread::spawn(move || {
        let goes_on = || receiver.recv_timeout(INTERVAL) == Err(mpsc::RecvTimeoutError::Timeout);
        let mut told: Option<Instant> = None;
        while goes_on() {
            let Some(bytes) = status.anonymous() else { continue };
            if bytes <= limit && told.is_none() {
                continue;
            }
            let since = *told.get_or_insert_with(|| {
                cancellation.cancel(exceeded(limit));
                Instant::now()
            });
            // Whoever goes on taking memory is not waited for.
            if since.elapsed() >= GRACE || bytes > limit + limit / 20 {
                overrun::end(&exceeded(limit));
            }
        }
    });
    Ok(MemoryWatch { _alive: sender })
}

fn exceeded(limit: u64) -> Diagnostic {
    let message = format!("the program has more memory than the limit of {} MiB", limit.div_ceil(1 << 20));
    Diagnostic::error("sparql::memory", message)
        .with_help("ask for less at once, or give it more with `--max-memory`")
}

/// The file in which the system says how much memory the process has.
struct Status {
    file: File,
    text: String,
}

impl Status {
    fn open() -> Option<Self> {
        let mut status = Self { file: File::open("/proc/self/status").ok()?, text: String::new() };
        status.anonymous().is_some().then_some(status)
    }

    /// The bytes of resident anonymous memory.
    fn anonymous(&mut self) -> Option<u64> {
        self.text.clear();
        self.file.rewind().ok()?;
        self.file.read_to_string(&mut self.text).ok()?;
        let line = self.text.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
        let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kilobytes << 10)
    }
}
