//! The result of recognising the system and kind of a file.

use super::shape::FileShape;
use crate::system_name::SystemName;
use std::borrow::Cow;

/// A recognised file, whose records are read by tables.
#[derive(Debug, Clone)]
pub struct RecognisedRecords {
    /// The system.
    pub system: SystemName,
    /// The content of the file, in the words of the system: `rows`, `dataset`, `Feedback`.
    pub kind: Cow<'static, str>,
    /// The tables that read its records.
    pub shape: FileShape,
    /// How certain it is that the file belongs to this system.
    pub certainty: RecognitionCertainty,
    /// The reason for the recognition, as messages show it.
    pub why: Cow<'static, str>,
}

impl RecognisedRecords {
    /// Returns system and kind in one word, as in the sidecar and the catalog.
    pub fn dialect(&self) -> String {
        format!("{}/{}", self.system, self.kind)
    }
}

/// How certain a recognition is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecognitionCertainty {
    /// Files of other systems could look like this.
    Likely,
    /// No other system has these keys.
    Sure,
}
