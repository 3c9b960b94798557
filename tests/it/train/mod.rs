//! Datasets of train.json.

pub(crate) mod figures;
pub(crate) mod fixtures;
pub(crate) mod records;
pub(crate) mod rules;
pub(crate) mod stem;
pub(crate) mod writer;
