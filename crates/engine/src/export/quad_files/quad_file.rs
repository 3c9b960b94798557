//! A file of quads in the folder of an export.

use crate::tables::quad_columns::NumberedTerm;

/// A file of quads.
#[derive(Debug)]
pub(super) struct QuadFile {
    /// Its path in the folder.
    pub(super) name: String,
    /// The predicate of all its rows; `None` if it has a column for the predicate.
    pub(super) predicate: Option<NumberedTerm>,
}
