//! `--timeout` and `--max-memory`: what bounds every run, from its first byte on. Two threads watch; what a run does
//! meanwhile need not listen.
//!
//! What counts as memory is what is resident and anonymous, `RssAnon` of `/proc/self/status`: files that are mapped
//! into memory do not. Other systems than Linux have no such file, and the option is an error there.

use std::fs::File;
use std::io::{Read, Seek};
use std::thread;
use std::time::Duration;

use clap::Args;

use super::arguments::{duration, size};
use super::ending;
use crate::diagnostic::Diagnostic;

/// How often the memory is looked at: in that time a process takes a few megabytes at most.
const INTERVAL: Duration = Duration::from_millis(3);

/// The bounds of a run.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct LimitArguments {
    /// Give up after this time, such as 500ms or 10s; reading, writing and waiting count
    #[arg(long, global = true, value_name = "TIME", value_parser = duration, help_heading = "Limits")]
    timeout: Option<Duration>,
    /// Give up where the program has more memory than this, its data included (Linux only)
    #[arg(long, global = true, value_name = "SIZE", value_parser = size, help_heading = "Limits")]
    max_memory: Option<u64>,
}

impl LimitArguments {
    /// Begins to watch, to the end of the process.
    ///
    /// # Errors
    ///
    /// Where the system does not say how much memory the process has.
    pub(super) fn watch(self) -> Result<(), Box<Diagnostic>> {
        if let Some(timeout) = self.timeout {
            thread::spawn(move || {
                thread::sleep(timeout);
                ending::tell(&expired(timeout));
            });
        }
        if let Some(limit) = self.max_memory {
            let status = Status::open().ok_or_else(|| {
                let message = "`--max-memory` needs `/proc/self/status`, which this system does not have";
                Box::new(Diagnostic::error("limit::memory", message))
            })?;
            thread::spawn(move || watch_memory(status, limit));
        }
        Ok(())
    }
}

fn watch_memory(mut status: Status, limit: u64) {
    let has_more = |status: &mut Status, limit| status.anonymous().is_some_and(|bytes| bytes > limit);
    while !has_more(&mut status, limit) {
        thread::sleep(INTERVAL);
    }
    thread::spawn(move || ending::tell(&exceeded(limit)));
    // Whoever goes on taking memory is not waited for.
    while !has_more(&mut status, limit + limit / 20) {
        thread::sleep(INTERVAL);
    }
    ending::end(Some(&exceeded(limit)));
}

fn expired(timeout: Duration) -> Diagnostic {
    let message = format!("the run did not end within its time limit of {timeout:?}");
    Diagnostic::error("limit::timeout", message)
        .with_help("ask for less at once, or give it more time with `--timeout`")
}

fn exceeded(limit: u64) -> Diagnostic {
    let message = format!("the program has more memory than the limit of {} MiB", limit.div_ceil(1 << 20));
    Diagnostic::error("limit::memory", message)
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
