//! How an update is made.

use super::evaluate::ExecuteOptions;
use crate::diagnostic::Diagnostic;
use crate::rdf::QuadBuffer;

/// Reads the document of LOAD.
pub type Loader<'l> = dyn Fn(&str) -> Result<QuadBuffer, Box<Diagnostic>> + 'l;

/// Tells how an update is made.
#[derive(Clone, Copy)]
pub struct UpdateOptions<'o> {
    /// The limits; the time is that of all operations together.
    pub execute: ExecuteOptions,
    /// The IRI of the graph that takes what names no graph, where there is one.
    pub default_target: Option<&'o str>,
    /// Reads the documents of LOAD; without it LOAD is an error.
    pub loader: Option<&'o Loader<'o>>,
}

impl std::fmt::Debug for UpdateOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UpdateOptions").field("default_target", &self.default_target).finish_non_exhaustive()
    }
}
