//! The store, in memory and on disk.

pub(crate) mod crash;
pub(crate) mod dataset;
pub(crate) mod disk;
pub(crate) mod edges;
pub(crate) mod medium;
pub(crate) mod oracle;
pub(crate) mod repair;
mod texts;
mod versions;
