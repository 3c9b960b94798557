//! Conversations for training.

pub(crate) mod files;
pub(crate) mod rules;
