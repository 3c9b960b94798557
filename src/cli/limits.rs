//! `--timeout` and `--max-memory`: limits on every run, from its first byte on. Two threads watch them, so the run
//! itself need not check. `--max-memory` is an error if the system does not report the memory of the process.

use std::thread;
use std::time::Duration;

use clap::Args;

use super::arguments::{LIMITS, duration, size};
use super::run_ending;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_engine::api::memory::{INTERVAL, ProcessMemory};

/// The limits of a run.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct LimitArguments {
    /// Give up after this time, such as 500ms or 10s; reading, writing and waiting count
    #[arg(long, global = true, value_name = "TIME", value_parser = duration, help_heading = LIMITS)]
    timeout: Option<Duration>,
    /// Give up if the program uses more memory than this, its data included (Linux only)
    #[arg(long, global = true, value_name = "SIZE", value_parser = size, help_heading = LIMITS)]
    max_memory: Option<u64>,
}

impl LimitArguments {
    /// Starts watching, until the end of the process.
    ///
    /// # Errors
    ///
    /// Fails if the system does not report the memory of the process.
    pub(super) fn watch(self) -> Result<(), Box<Diagnostic>> {
        if let Some(timeout) = self.timeout {
            thread::spawn(move || {
                thread::sleep(timeout);
                run_ending::tell(&expired(timeout));
            });
        }
        if let Some(limit) = self.max_memory {
            let memory = ProcessMemory::open().ok_or_else(|| {
                let message = "`--max-memory` needs `/proc/self/status`, which this system does not have";
                Box::new(Diagnostic::error("limit::memory", message))
            })?;
            thread::spawn(move || watch_memory(memory, limit));
        }
        Ok(())
    }
}

fn watch_memory(mut memory: ProcessMemory, limit: u64) {
    let has_more = |memory: &mut ProcessMemory, limit| memory.bytes().is_some_and(|bytes| bytes > limit);
    while !has_more(&mut memory, limit) {
        thread::sleep(INTERVAL);
    }
    thread::spawn(move || run_ending::tell(&exceeded(limit)));
    // A run that still takes more memory is ended without waiting.
    while !has_more(&mut memory, limit + limit / 20) {
        thread::sleep(INTERVAL);
    }
    run_ending::end(Some(&exceeded(limit)));
}

fn expired(timeout: Duration) -> Diagnostic {
    let message = format!("the run did not end within its time limit of {timeout:?}");
    Diagnostic::error("limit::timeout", message)
        .with_help("ask for less at once, or give it more time with `--timeout`")
}

fn exceeded(limit: u64) -> Diagnostic {
    let message = format!("the program uses more memory than the limit of {} MiB", limit.div_ceil(1 << 20));
    Diagnostic::error("limit::memory", message)
        .with_help("ask for less at once, or give it more with `--max-memory`")
}
