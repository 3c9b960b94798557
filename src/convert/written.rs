//! A file that a conversion makes.

/// A file that is to be written: alone, or in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Its path in a folder. Text of data may be in it.
    pub path: String,
    /// Its content.
    pub text: String,
}

impl Written {
    /// A file by its stem, in which no folder is asked for.
    pub(crate) fn of_stem(stem: &str, extension: &str, text: String) -> Self {
        Self { path: format!("{}.{extension}", stem.replace('/', "_")), text }
    }
}
