//! Counts what stands in files of records, which may come in pieces.

use std::path::PathBuf;
use std::sync::Arc;

use crate::json::Document;
use crate::source::karenina::results_figures::ResultsFigures;
use crate::source::kwanzaa::{ConversationFigures, Settings, Statistics};
use crate::source::records::{FileShape, Recognised};
use crate::source::rlcf::RecordCounts;
use crate::source::system::System;
use crate::source::train::figures::{EvaluationTally, Gold, RowTally};
use crate::source::train::judgement_figures::JudgementFigures;

/// A file of records.
#[derive(Debug)]
pub(crate) struct RecordFile {
    pub(crate) held: Held,
    pub(crate) recognised: Recognised,
    /// Its path; none for stdin and URLs.
    pub(crate) path: Option<PathBuf>,
}

/// What is kept of a file until all files were read.
#[derive(Debug)]
pub(crate) enum Held {
    /// All of it.
    Document(Arc<Document>),
    /// What was counted of a file that was read in pieces, and the documents that its rows name.
    Counted(Tally, Gold),
}

/// Counts the records of a file, which may come in parts.
#[derive(Debug)]
pub(crate) enum Tally {
    Rows(RowTally),
    Evaluation(EvaluationTally),
    Judgements(JudgementFigures),
    Samples(Box<Statistics>),
    Conversations(ConversationFigures),
    Results(Box<ResultsFigures>),
    /// Records of RLCF, and how they are read.
    Rlcf(RecordCounts, FileShape),
    /// Records that nothing is counted of but their quads.
    Others,
}

impl Tally {
    /// Nothing counted yet.
    pub(crate) fn of(recognised: &Recognised) -> Self {
        match (recognised.system, recognised.kind.as_ref()) {
            (System::Train, "rows") => Self::Rows(RowTally::default()),
            (System::Train, "evaluation data") => Self::Evaluation(EvaluationTally::default()),
            (System::Train, "evaluation results") => Self::Judgements(JudgementFigures::default()),
            (System::Kwanzaa, "chat") => Self::Conversations(ConversationFigures::default()),
            (System::Karenina, _) => Self::Results(Box::default()),
            (System::Rlcf, _) => Self::Rlcf(RecordCounts::default(), recognised.shape),
            (System::Kwanzaa, "dataset") => Self::Samples(Box::new(Statistics::new(Settings::default()))),
            _ => Self::Others,
        }
    }

    /// Counts the records of a document.
    pub(crate) fn add(&mut self, document: &Document, gold: &Gold) {
        match self {
            Self::Rows(rows) => rows.add(document),
            Self::Evaluation(evaluation) => evaluation.add(document, gold),
            Self::Judgements(judgements) => judgements.add(document),
            Self::Samples(statistics) => statistics.add(document),
            Self::Conversations(conversations) => conversations.add(document),
            Self::Results(results) => results.add(document),
            Self::Rlcf(counts, shape) => counts.add(document, shape),
            Self::Others => {}
        }
    }
}

/// The documents that the rows among all files name.
pub(crate) fn gold<'f>(files: impl Iterator<Item = &'f RecordFile>) -> Gold {
    let mut gold = Gold::default();
    for file in files {
        match &file.held {
            Held::Document(document) if is_rows(&file.recognised) => gold.add(document),
            Held::Document(_) => {}
            Held::Counted(_, named) => gold.merge(named.clone()),
        }
    }
    gold
}

/// Whether a file has the rows of a dataset, beside which its corpus may lie.
pub(crate) fn is_rows(recognised: &Recognised) -> bool {
    recognised.system == System::Train && recognised.kind == "rows"
}

/// Whether a file is measured by the documents that rows name.
pub(crate) fn is_evaluation(recognised: &Recognised) -> bool {
    recognised.system == System::Train && recognised.kind == "evaluation data"
}
