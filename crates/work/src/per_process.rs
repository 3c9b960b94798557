//! A value that each process makes for itself. A forked process has the memory of its parent, but not its threads.

use std::process;
use std::sync::OnceLock;

/// How many processes may fork one from the other.
const MOST_FORKS: usize = 64;

/// A value of the process, such as a pool of threads. It is made when it is first wanted.
#[derive(Debug)]
pub struct PerProcess<T> {
    /// The values of this process and of the processes that it was forked from, each with the number of its process.
    values: [OnceLock<(u32, T)>; MOST_FORKS],
}

impl<T> PerProcess<T> {
    /// Nothing is made yet.
    pub const fn new() -> Self {
        Self { values: [const { OnceLock::new() }; MOST_FORKS] }
    }

    /// Returns the value of this process. `None` if too many processes have forked one from the other.
    ///
    /// No lock is taken while the value is read: a lock that a thread holds while another one forks stays locked in the
    /// new process.
    pub fn get_or_make(&self, make: impl Fn() -> T) -> Option<&T> {
        let own = process::id();
        let values = self.values.iter().map(|value| value.get_or_init(|| (own, make())));
        let mut of_process = values.filter(|(number, _)| *number == own);
        of_process.next().map(|(_, value)| value)
    }
}

impl<T> Default for PerProcess<T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn a_value_is_made_once() {
        let (value, made) = (PerProcess::new(), AtomicU32::new(0));
        let make = || made.fetch_add(1, Ordering::Relaxed);
        assert_eq!((value.get_or_make(make), value.get_or_make(make)), (Some(&0), Some(&0)));
        assert_eq!(made.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn the_value_of_another_process_is_not_used() {
        let value = PerProcess::new();
        // The value that a parent has made.
        assert!(value.values[0].set((process::id() ^ 1, "parent")).is_ok());
        assert_eq!(value.get_or_make(|| "child"), Some(&"child"));
    }
}
