//! The memory that this process uses.
//!
//! Only resident anonymous memory counts (`RssAnon` in `/proc/self/status`), not mapped files. Only Linux has this
//! file.

use std::fs::File;
use std::io::{Read, Seek};
use std::time::Duration;

/// The pause between two looks at the memory. A process allocates a few megabytes at most in that time.
pub const INTERVAL: Duration = Duration::from_millis(3);

/// The file in which the system reports the memory of the process.
#[derive(Debug)]
pub struct ProcessMemory {
    file: File,
    text: String,
}

impl ProcessMemory {
    /// Opens the file. Returns `None` if the system does not report the memory.
    pub fn open() -> Option<Self> {
        let mut memory = Self { file: File::open("/proc/self/status").ok()?, text: String::new() };
        memory.bytes().is_some().then_some(memory)
    }

    /// Returns the bytes of resident anonymous memory.
    pub fn bytes(&mut self) -> Option<u64> {
        self.text.clear();
        self.file.rewind().ok()?;
        self.file.read_to_string(&mut self.text).ok()?;
        let line = self.text.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
        let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kilobytes << 10)
    }
}

/// Does some work. Returns also the largest increase in memory during the work, in bytes.
pub fn most_during<T>(work: impl FnOnce() -> T) -> (T, Option<u64>) {
    use std::sync::atomic::{AtomicBool, Ordering};
    let Some(mut memory) = ProcessMemory::open() else { return (work(), None) };
    let before = memory.bytes().unwrap_or_default();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut most = before;
            while !is_over.load(Ordering::Acquire) {
                most = most.max(memory.bytes().unwrap_or_default());
                std::thread::sleep(INTERVAL / 10);
            }
            most
        });
        let answer = work();
        is_over.store(true, Ordering::Release);
        (answer, watch.join().ok().map(|most| most - before))
    })
}
