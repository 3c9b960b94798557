//! The name of a system. Each system names itself in its own folder, and `registry` lists the names.

use std::fmt;

/// A system whose files are read and written. Its name is used on the command line, in IRIs and in the catalog.
///
/// Its other methods are in `registry.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SystemName(&'static str);

impl SystemName {
    /// The name of a system. Only a row of the registry makes it known.
    pub(crate) const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// The name.
    pub const fn name(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for SystemName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
