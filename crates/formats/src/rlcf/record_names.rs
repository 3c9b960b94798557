//! The names that users may give to the records of a file: kinds, and the dataset files whose rows they are.

use std::fmt::Write as _;

use super::RLCF;
use super::dataset_files::DatasetFile;
use super::kinds::RecordKind;
use crate::records::RecordName;
use crate::system_name::SystemName;

/// The records that a user names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AskedRecords {
    /// Records of a kind.
    Kind(RecordKind),
    /// Rows of a dataset file.
    Rows(&'static DatasetFile),
}

impl AskedRecords {
    /// Returns the records with a name.
    pub(super) fn from_name(name: RecordName) -> Option<Self> {
        named(name.name())
    }

    fn name(self) -> RecordName {
        RecordName::new(match self {
            Self::Kind(kind) => kind.name(),
            Self::Rows(file) => file.stem,
        })
    }
}

fn named(name: &str) -> Option<AskedRecords> {
    let rows = || DatasetFile::of_stem(&name.to_ascii_lowercase().replace('-', "_")).map(AskedRecords::Rows);
    let kind = RecordKind::of_name(name).filter(|&kind| kind != RecordKind::DatasetRow);
    kind.map(AskedRecords::Kind).or_else(rows)
}

impl RecordName {
    /// The system with several kinds of records, which users can name.
    pub const SYSTEM: SystemName = RLCF;

    /// Reads the name of a kind, such as `FeedbackRating` or `feedback-rating`, or of a dataset file, such as
    /// `nli_entailment`.
    ///
    /// # Errors
    /// A message with all names, if `name` is not one of them.
    pub fn parse(name: &str) -> Result<Self, String> {
        named(name).map(AskedRecords::name).ok_or_else(|| {
            let mut names = String::new();
            for kind in RecordKind::ALL.into_iter().filter(|&kind| kind != RecordKind::DatasetRow) {
                let _ = write!(names, "{kind}, ");
            }
            let stems: Vec<&str> = DatasetFile::ALL.iter().map(|file| file.stem).collect();
            format!("`{name}` is not a kind of record; there are {names}{}", stems.join(", "))
        })
    }
}
