//! The settings for writing the forms of systems. Each form reads those that it needs.

use std::path::{Path, PathBuf};

use crate::checking::ProfileName;
use chrono::{DateTime, Utc};
use evalgraph_diagnostics::RunFailure;
use hashbrown::HashSet;

/// The settings for writing a form.
pub struct FormOptions<'o> {
    /// `true` if several files may be written; otherwise all inputs become one.
    pub takes_several: bool,
    /// Returns the time of the run.
    pub now: &'o dyn Fn() -> Result<DateTime<Utc>, RunFailure>,
    /// How rows are written.
    pub rows: RowWriteOptions,
    /// The documents that the datasets of the inputs already have.
    pub corpus: &'o OldCorpus,
    /// The prompts that frame conversations.
    pub prompts: &'o PromptFiles,
    /// Returns the text of a prompt's file.
    pub read_prompt: &'o dyn Fn(&Path) -> Result<String, RunFailure>,
    /// Which feedback becomes training data.
    pub feedback: &'o FeedbackOptions,
}

/// The value of `is_impossible` for a question that does not say whether it is impossible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ImpossibleDefault {
    /// `false`, as the documents of the format require.
    #[default]
    False,
    /// No value: the key is left out.
    Omit,
}

/// The choice of ids for rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RowIds {
    /// The ids of the questions in their source.
    #[default]
    Source,
    /// The indexes of the rows.
    Index,
}

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowWriteOptions {
    /// The value of `is_impossible` for a question that does not say whether it is impossible.
    pub impossible: ImpossibleDefault,
    /// `true` if the texts of contexts become files of a corpus.
    pub with_corpus: bool,
    /// The ids of the rows.
    pub ids: RowIds,
}

/// The documents that the datasets of the inputs already have.
#[derive(Debug, Clone, Default)]
pub struct OldCorpus {
    /// Their basenames. Contexts keep these names, and no text replaces such a file.
    pub names: HashSet<String>,
    /// How many there are. Documents in different folders may share a basename.
    pub count: usize,
}

/// The prompts of conversations.
#[derive(Debug, Clone, Default)]
pub struct PromptFiles {
    /// The file of the system prompt.
    pub system: Option<PathBuf>,
    /// The file of the user prompt.
    pub user: Option<PathBuf>,
}

/// The feedback to write, and the export to follow.
#[derive(Debug, Clone)]
pub struct FeedbackOptions {
    /// The rules of the export: those of the documents, or those of the shipped code.
    pub profile: ProfileName,
    /// The type of the tasks to write. Default: all tasks.
    pub task_type: Option<String>,
}
