//! The names of sets of rules. Two names have a meaning for every system, and each system may have names of its own.
//!
//! The list of all names is in `registry.rs`.

/// A name of a set of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ProfileName(&'static str);

impl ProfileName {
    /// The requirements in each system's own documents.
    pub const SEED: Self = Self("seed");
    /// The requirements of each system's shipped code. `shipped` is an alias.
    pub const CODE: Self = Self("code");

    /// A name that only one system has.
    pub(crate) const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// The name for people.
    pub fn name(self) -> &'static str {
        self.0
    }
}
