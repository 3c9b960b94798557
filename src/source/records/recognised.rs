//! What a file was found to be.

use super::shape::FileShape;
use crate::source::system::System;
use std::borrow::Cow;

/// A file of a system whose records are read by tables.
#[derive(Debug, Clone)]
pub struct Recognised {
    /// The system.
    pub system: System,
    /// What the file holds, in the words of the system: `rows`, `dataset`, `Feedback`.
    pub kind: Cow<'static, str>,
    /// How its records are read.
    pub shape: FileShape,
    /// Whether only this system has files like this one.
    pub certainty: Certainty,
    /// What decided, for people.
    pub why: Cow<'static, str>,
}

impl Recognised {
    /// System and kind in one word, as the sidecar and the catalog name them.
    pub fn dialect(&self) -> String {
        format!("{}/{}", self.system, self.kind)
    }
}

/// Tells how sure a recognition is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// Files of others could look like this.
    Likely,
    /// No other system has these keys.
    Sure,
}
