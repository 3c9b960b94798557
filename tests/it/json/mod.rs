//! JSON with places.

pub(crate) mod documents;
pub(crate) mod record_reader;
