//! The memory of this process.
//!
//! Only resident anonymous memory counts, `RssAnon` of `/proc/self/status`, without files that are mapped into memory.
//! Systems other than Linux have no such file.

use std::fs::File;
use std::io::{Read, Seek};
use std::time::Duration;

/// The pause between two looks at the memory: in that time a process takes a few megabytes at most.
pub const INTERVAL: Duration = Duration::from_millis(3);

/// The file in which the system says how much memory the process has.
#[derive(Debug)]
pub struct ProcessMemory {
    file: File,
    text: String,
}

impl ProcessMemory {
    /// Opens the file; none where the system does not report the memory.
    pub fn open() -> Option<Self> {
        let mut memory = Self { file: File::open("/proc/self/status").ok()?, text: String::new() };
        memory.bytes().is_some().then_some(memory)
    }

    /// The bytes of resident anonymous memory.
    pub fn bytes(&mut self) -> Option<u64> {
        self.text.clear();
        self.file.rewind().ok()?;
        self.file.read_to_string(&mut self.text).ok()?;
        let line = self.text.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
        let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kilobytes << 10)
    }
}

/// Does some work, and tells how many bytes of memory the process had more than before, at most.
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
