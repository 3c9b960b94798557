//! Detects the dialect of a file with a table of rows that are tried in order.
//!
//! The first row that fits decides. A file whose marks contradict the dialect found is a hybrid: the result names the
//! two dialects that it is nearest to. The word "jsonld" in `version` decides nothing, because `version` has long been
//! the version of the content.
//!
//! `CheckpointSurvey` and `DialectMarks` are defined in `survey.rs`.

use super::survey::{CheckpointSurvey, ContextForm, DialectMarks, RootType, VocabularyNamespace};
use std::fmt;

/// A form in which one of Karenina's programs writes checkpoints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum CheckpointDialect {
    /// The specification, 3.0.0-jsonld, as the first migration script writes it.
    S0,
    /// The first converter of the user interface.
    S0b,
    /// The hand-made sample of the user interface.
    S0c,
    /// The second edition of the specification.
    S1,
    /// Python before 28 August 2025.
    P0,
    /// Python until March 2026.
    P1,
    /// Python today.
    P2,
    /// The user interface today.
    G,
    /// The development branch of the user interface.
    GDev,
    /// The migration script of today.
    M,
    /// The end-to-end fixtures of the user interface.
    T,
    /// A question as Python holds it in memory.
    X,
    /// Version 2.0 with `traits`.
    V2a,
    /// Version 2.0 with `manual_traits`.
    V2b,
    /// Version 2.0 with one list for each kind of trait.
    V2c,
    /// An export of verification results.
    ResultsExport,
    /// A checkpoint that fits no dialect.
    Hybrid,
    /// Not a checkpoint.
    #[default]
    None,
}

/// Every dialect in the order of the enum, with its short name and its writer.
const DIALECTS: [(CheckpointDialect, &str, &str); 18] = [
    (CheckpointDialect::S0, "S0", "specification 3.0.0-jsonld"),
    (CheckpointDialect::S0b, "S0b", "specification 3.0.0-jsonld, first converter"),
    (CheckpointDialect::S0c, "S0c", "specification 3.0.0-jsonld, hand-made sample"),
    (CheckpointDialect::S1, "S1", "specification, second edition"),
    (CheckpointDialect::P0, "P0", "Python, before 28 August 2025"),
    (CheckpointDialect::P1, "P1", "Python, until March 2026"),
    (CheckpointDialect::P2, "P2", "Python, current"),
    (CheckpointDialect::G, "G", "user interface, current"),
    (CheckpointDialect::GDev, "G'", "user interface, development"),
    (CheckpointDialect::M, "M", "user interface, migration script"),
    (CheckpointDialect::T, "T", "user interface, end-to-end fixture"),
    (CheckpointDialect::X, "X", "Python, question object"),
    (CheckpointDialect::V2a, "V2a", "version 2.0, until September 2025"),
    (CheckpointDialect::V2b, "V2b", "version 2.0, autumn 2025"),
    (CheckpointDialect::V2c, "V2c", "version 2.0, since 18 November 2025"),
    (CheckpointDialect::ResultsExport, "results export", "verification results"),
    (CheckpointDialect::Hybrid, "hybrid", "no dialect known"),
    (CheckpointDialect::None, "none", "not a Karenina checkpoint"),
];

impl CheckpointDialect {
    /// Returns whether its program refuses a checkpoint with both questions and scenarios.
    pub fn has_one_kind(self) -> bool {
        matches!(self, Self::P1 | Self::P2 | Self::X)
    }

    /// Returns the short name: `S0`, `P2`, `G'`.
    pub fn id(self) -> &'static str {
        DIALECTS[self as usize].1
    }

    /// Returns the dialect with the short name `id`.
    pub fn from_id(id: &str) -> Option<Self> {
        DIALECTS.iter().find(|dialect| dialect.1 == id).map(|dialect| dialect.0)
    }

    /// Returns the writer of the dialect in a few words.
    pub fn description(self) -> &'static str {
        DIALECTS[self as usize].2
    }

    /// Returns whether the user interface or one of its scripts writes the dialect.
    pub fn is_of_interface(self) -> bool {
        matches!(self, Self::S0 | Self::S0b | Self::S0c | Self::S1 | Self::G | Self::GDev | Self::M)
    }

    /// Returns whether it is a checkpoint of version 2.0.
    pub fn is_version_2(self) -> bool {
        matches!(self, Self::V2a | Self::V2b | Self::V2c)
    }

    /// Returns whether it is a checkpoint, in JSON-LD or of version 2.0.
    pub fn has_questions(self) -> bool {
        self.is_checkpoint() || self.is_version_2()
    }

    /// Returns whether it is a checkpoint in JSON-LD.
    pub fn is_checkpoint(self) -> bool {
        !matches!(self, Self::V2a | Self::V2b | Self::V2c | Self::ResultsExport | Self::None)
    }
}

impl fmt::Display for CheckpointDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct DetectionRow {
    /// The dialect of a file that fits the row.
    pub dialect: CheckpointDialect,
    /// The marks of such a file, in words.
    pub because: &'static str,
    /// `true` if a file has these marks.
    pub fits: fn(&DialectMarks) -> bool,
}

const fn row(
    dialect: CheckpointDialect,
    because: &'static str,
    fits: fn(&DialectMarks) -> bool,
) -> DetectionRow {
    DetectionRow { dialect, because, fits }
}

/// The rows in the order in which they are tried; the first that fits decides.
pub const DETECTION_ORDER: [DetectionRow; 21] = [
    row(
        CheckpointDialect::V2c,
        "`version` is \"2.0\", `checkpoint` an object, a rubric has `llm_traits`",
        |marks| marks.version_2 && marks.split_traits,
    ),
    row(
        CheckpointDialect::V2b,
        "`version` is \"2.0\", `checkpoint` an object, a rubric has `manual_traits`",
        |marks| marks.version_2 && marks.manual_traits,
    ),
    row(CheckpointDialect::V2a, "`version` is \"2.0\" and `checkpoint` an object", |marks| marks.version_2),
    row(CheckpointDialect::ResultsExport, "the root has `format_version` and `results`", |marks| {
        marks.results_export
    }),
    row(
        CheckpointDialect::S0c,
        "a Dataset whose context is the path `contexts/schema-org.jsonld`",
        |marks| is_dataset(marks) && marks.context == ContextForm::Sample,
    ),
    row(CheckpointDialect::S0, "a Dataset with ratings that have `author`", |marks| {
        is_dataset(marks) && marks.authors
    }),
    row(CheckpointDialect::P0, "a Dataset with `benchmark_format_version`", |marks| {
        is_dataset(marks) && marks.benchmark_format
    }),
    row(CheckpointDialect::P0, "a Dataset with ratings at the root, its questions without ids", |marks| {
        is_dataset(marks) && marks.root_ratings && !marks.question_ids
    }),
    row(CheckpointDialect::S1, "a Dataset with ratings at the root, its questions with ids", |marks| {
        is_dataset(marks) && marks.root_ratings
    }),
    row(CheckpointDialect::S0b, "a Dataset with ratings that have `additionalType`", |marks| {
        is_dataset(marks) && (marks.plain_types || marks.prefixed_types)
    }),
    row(
        CheckpointDialect::S0,
        "a Dataset of items, its ratings with neither `author` nor `additionalType`",
        is_dataset,
    ),
    row(CheckpointDialect::T, "a DataFeed that lists questions without items", |marks| {
        marks.root_type == RootType::DataFeed && marks.data_feed_element && marks.direct_questions > 0
    }),
    row(CheckpointDialect::X, "a DataFeed with questions that have the ids of their items", |marks| {
        is_data_feed(marks) && marks.shared_item_ids
    }),
    row(CheckpointDialect::P2, "a DataFeed in the vocabulary https://schema.org/", |marks| {
        is_data_feed(marks) && marks.vocabulary == VocabularyNamespace::Https
    }),
    row(CheckpointDialect::P2, "a DataFeed with the prefix `karenina:` before its trait types", |marks| {
        is_data_feed(marks) && marks.vocabulary == VocabularyNamespace::Unknown && marks.prefixed_types
    }),
    row(CheckpointDialect::M, "a DataFeed by the user interface, with `ratingValue`", |marks| {
        is_interface(marks) && marks.rating_values
    }),
    row(CheckpointDialect::GDev, "a DataFeed by the user interface, with an LLMRubricTrait", |marks| {
        is_interface(marks) && marks.llm_types
    }),
    row(CheckpointDialect::GDev, "a DataFeed by the user interface, with `higher_is_better`", |marks| {
        is_interface(marks) && marks.higher_is_better
    }),
    row(
        CheckpointDialect::G,
        "a DataFeed by the user interface: its rating ids or `checkpoint_format_version`",
        is_interface,
    ),
    row(CheckpointDialect::P1, "a DataFeed of items, with none of the marks above", is_data_feed),
    row(CheckpointDialect::X, "a single Question with a template", |marks| marks.single_question),
];

/// Returns whether a file has a list of items. The list may be empty if the file has other marks of a checkpoint.
fn has_items(marks: &DialectMarks) -> bool {
    let empty = marks.items == 0 && marks.direct_questions == 0;
    marks.items > 0 || (empty && (marks.checkpoint_format || marks.benchmark_format || has_traits(marks)))
}

fn has_traits(marks: &DialectMarks) -> bool {
    marks.root_ratings && (marks.plain_types || marks.prefixed_types)
}

fn is_dataset(marks: &DialectMarks) -> bool {
    marks.root_type == RootType::Dataset && marks.has_part && has_items(marks)
}

fn is_data_feed(marks: &DialectMarks) -> bool {
    let is_empty = marks.empty_list && marks.items == 0 && marks.direct_questions == 0;
    // A new benchmark has only its name, its list and its vocabulary.
    let is_new = is_empty && marks.vocabulary != VocabularyNamespace::Unknown;
    let known = has_items(marks) || marks.rating_term.is_some() || marks.scenarios || is_new;
    // RDF cannot represent an empty list of items, so a checkpoint made from a graph may lack it.
    marks.root_type == RootType::DataFeed && (marks.data_feed_element || marks.scenarios) && known
}

fn is_interface(marks: &DialectMarks) -> bool {
    is_data_feed(marks) && (marks.interface_rating_ids || marks.checkpoint_format)
}

/// The marks that every file of a dialect has. `None` means that the mark does not matter.
struct DialectProfile {
    dialect: CheckpointDialect,
    root: RootType,
    context: Option<ContextForm>,
    vocabulary: Option<VocabularyNamespace>,
    rating_term: Option<&'static str>,
    authors: bool,
    plain_types: bool,
    prefixed_types: bool,
    rating_values: bool,
}

const DATASET: DialectProfile = DialectProfile {
    dialect: CheckpointDialect::S0,
    root: RootType::Dataset,
    context: None,
    vocabulary: Some(VocabularyNamespace::Http),
    rating_term: Some("rating"),
    authors: false,
    plain_types: true,
    prefixed_types: false,
    rating_values: true,
};

const DATA_FEED: DialectProfile =
    DialectProfile { dialect: CheckpointDialect::P1, root: RootType::DataFeed, ..DATASET };

/// The dialects to which a hybrid can be nearest.
const PROFILES: [DialectProfile; 11] = [
    DialectProfile { authors: true, plain_types: false, ..DATASET },
    DialectProfile { dialect: CheckpointDialect::S0b, rating_values: false, ..DATASET },
    DialectProfile {
        dialect: CheckpointDialect::S0c,
        context: Some(ContextForm::Sample),
        authors: true,
        plain_types: false,
        ..DATASET
    },
    DialectProfile { dialect: CheckpointDialect::S1, ..DATASET },
    DialectProfile { dialect: CheckpointDialect::P0, ..DATASET },
    DialectProfile { dialect: CheckpointDialect::M, ..DATA_FEED },
    DATA_FEED,
    DialectProfile {
        dialect: CheckpointDialect::P2,
        vocabulary: Some(VocabularyNamespace::Https),
        rating_term: Some("contentRating"),
        prefixed_types: true,
        ..DATA_FEED
    },
    DialectProfile { dialect: CheckpointDialect::G, rating_values: false, ..DATA_FEED },
    DialectProfile { dialect: CheckpointDialect::GDev, rating_values: false, ..DATA_FEED },
    DialectProfile {
        dialect: CheckpointDialect::T,
        context: Some(ContextForm::SchemaOrg),
        vocabulary: None,
        rating_term: None,
        plain_types: false,
        rating_values: false,
        ..DATA_FEED
    },
];

impl DialectProfile {
    /// Counts the marks in which a file contradicts the dialect. A mark that the file does not show is not a
    /// contradiction.
    fn contradictions(&self, marks: &DialectMarks) -> usize {
        fn differ<T: PartialEq>(expected: Option<T>, found: Option<T>) -> bool {
            expected.zip(found).is_some_and(|(expected, found)| expected != found)
        }
        let vocabulary = Some(marks.vocabulary).filter(|&found| found != VocabularyNamespace::Unknown);
        let context = Some(marks.context).filter(|&found| found != ContextForm::Absent);
        [
            marks.root_type != self.root,
            differ(self.context, context),
            differ(self.vocabulary, vocabulary),
            differ(self.rating_term, marks.rating_term.as_deref()),
            marks.authors && !self.authors,
            marks.plain_types && !self.plain_types,
            marks.prefixed_types && !self.prefixed_types,
            marks.rating_values && !self.rating_values,
        ]
        .into_iter()
        .filter(|&contradicts| contradicts)
        .count()
    }
}

/// The detected dialect of a file, and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DialectDetection {
    /// The dialect.
    pub dialect: CheckpointDialect,
    /// The row of [`DETECTION_ORDER`] that decided, counted from 0; `None` for a file that is not a checkpoint.
    pub row: Option<usize>,
    /// The two dialects that a hybrid is nearest to.
    pub nearest: Option<[CheckpointDialect; 2]>,
}

impl DialectDetection {
    /// Explains in one sentence which row decided and why.
    pub fn explain(&self) -> String {
        let Some(row) = self.row else {
            return "no row of the detection table fits: not a Karenina checkpoint".to_owned();
        };
        let reason =
            format!("row {} of {}: {}", row + 1, DETECTION_ORDER.len(), DETECTION_ORDER[row].because);
        match self.nearest {
            Some([first, second]) => {
                format!(
                    "{reason}; other marks contradict that, the nearest dialects are {first} and {second}"
                )
            }
            None => reason,
        }
    }
}

impl CheckpointSurvey {
    /// Returns the dialect of the file.
    pub fn detect(&self) -> DialectDetection {
        self.marks.detect()
    }
}

impl DialectMarks {
    /// Returns the dialect of a file with these marks.
    pub fn detect(&self) -> DialectDetection {
        let row = DETECTION_ORDER.iter().position(|row| (row.fits)(self));
        let Some(index) = row else {
            return DialectDetection { dialect: CheckpointDialect::None, row: None, nearest: None };
        };
        let dialect = DETECTION_ORDER[index].dialect;
        let profile = PROFILES.iter().find(|profile| profile.dialect == dialect);
        if profile.is_none_or(|profile| profile.contradictions(self) == 0) {
            return DialectDetection { dialect, row, nearest: None };
        }
        let mut by_distance: Vec<&DialectProfile> = PROFILES.iter().collect();
        by_distance.sort_by_key(|profile| (profile.contradictions(self), profile.dialect != dialect));
        let nearest = Some([by_distance[0].dialect, by_distance[1].dialect]);
        DialectDetection { dialect: CheckpointDialect::Hybrid, row, nearest }
    }
}
