//! The user's name for the records of a file, and the kind of the records in a part of a file.

use std::fmt;

/// The user's name for the records of a file. Only a system whose files do not show the kind of their records has
/// names.
///
/// How it is parsed, and its constant `SYSTEM`, are in the folder of that system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordName(&'static str);

impl RecordName {
    pub(crate) const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// The name.
    pub(crate) fn name(self) -> &'static str {
        self.0
    }
}

/// The kind of the records in a part of a file. A file may begin with records of a kind and go on with records of a
/// later kind, but not of an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct BatchKind {
    /// Its place among the kinds of its system.
    pub(crate) rank: usize,
    /// Its name.
    pub(crate) name: &'static str,
}

impl fmt::Display for BatchKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
