//! Kwanzaa's samples.

pub(crate) mod chat;
pub(crate) mod graphs;
pub(crate) mod merging;
pub(crate) mod report;
pub(crate) mod rules;
pub(crate) mod validate;
pub(crate) mod verdicts;
