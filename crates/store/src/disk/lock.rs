//! The lock that admits one writer at a time. The system releases it when the process ends, even after a crash.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::medium::{refuse_other_kinds, refuse_second_name};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::help::{help, setting};

/// The name of the lock file.
pub(super) const LOCK: &str = "lock";

/// The interval between two attempts to get the lock, which is short compared with a change.
const INTERVAL: Duration = Duration::from_millis(20);

/// The right to change a store.
#[derive(Debug)]
pub(super) struct StoreLock {
    file: File,
    /// `true` if the lock is held; shared with sweepers, which act only while it is.
    is_held: Arc<Mutex<bool>>,
}

impl Drop for StoreLock {
    fn drop(&mut self) {
        let mut is_held = self.is_held.lock().unwrap_or_else(PoisonError::into_inner);
        *is_held = false;
        // Closing the file is not enough: a child process that has just started may still have it open.
        let _ = self.file.unlock();
    }
}

impl StoreLock {
    /// Takes the lock and writes its holder, `who`, into the file; waits up to `patience` for another holder.
    ///
    /// # Errors
    ///
    /// A store that another process is still changing after that time; an error of the system.
    pub(super) fn take(folder: &Path, who: &str, patience: Duration) -> Result<Self, Box<Diagnostic>> {
        let path = folder.join(LOCK);
        let refused = |error: std::io::Error| Box::new(super::fault(&error, &path, "lock"));
        refuse_other_kinds(&path).map_err(refused)?;
        let file = File::options().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = file.map_err(refused)?;
        refuse_second_name(&file).map_err(refused)?;
        let begun = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if begun.elapsed() < patience => sleep(INTERVAL),
                Err(TryLockError::WouldBlock) => return Err(Box::new(held(&mut file, folder))),
                Err(TryLockError::Error(error)) => return Err(refused(error)),
            }
        }
        // The holder's name is only information for people: the lock is valid without it.
        let _ = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| writeln!(file, "{who}"));
        Ok(Self { file, is_held: Arc::new(Mutex::new(true)) })
    }

    /// Returns a flag that is `true` while the lock is held. The lock is not released while a caller holds the mutex.
    pub(super) fn is_held(&self) -> Arc<Mutex<bool>> {
        Arc::clone(&self.is_held)
    }
}

fn held(file: &mut File, folder: &Path) -> Diagnostic {
    let mut who = String::new();
    // The limit is longer than any line that a holder writes.
    let _ = file.take(1 << 10).read_to_string(&mut who);
    let who = if who.trim().is_empty() { "another process" } else { who.trim() };
    let message = format!("the store `{}` is being changed by {who}", folder.display());
    Diagnostic::error("store::locked", message).with_help(help![
        setting("wait").to("1m"),
        " waits up to that long for the change to end; reading is always possible"
    ])
}
