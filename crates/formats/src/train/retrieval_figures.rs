//! Figures about datasets: the numbers of rows, of documents that they name, of those that the corpus has, and of those
//! that an evaluated system retrieved.

use crate::corpus::{Corpus, CorpusFile, ExpectedDocuments, GoldDocuments, file_name};
use evalgraph_json::{JsonDocument, JsonKind};
use std::collections::BTreeSet;

/// The ranks at which recall is reported.
const RANKS: [usize; 4] = [1, 3, 5, 10];

/// Figures about rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RowFigures {
    /// The number of rows.
    pub rows: u64,
    /// The rows that say that they are impossible.
    pub impossible: u64,
    /// The rows that do not say whether they are impossible.
    pub unsaid: u64,
    /// The rows with a context that names or quotes a document.
    pub with_contexts: u64,
    /// The number of contexts.
    pub contexts: u64,
    /// The contexts that are plain strings or name no document.
    pub nameless: u64,
    /// The number of distinct documents named.
    pub documents: u64,
    /// Figures about the corpus, if it is known.
    pub corpus: Option<CorpusFigures>,
}

/// Figures about a corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CorpusFigures {
    /// The number of files.
    pub files: u64,
    /// The documents that rows name and the corpus lacks.
    pub missing: u64,
    /// The files that no row names.
    pub unnamed: u64,
    /// The number of files with each extension, the commonest first.
    pub extensions: Vec<(String, usize)>,
}

/// Counts rows, which may be added in parts.
#[derive(Debug, Clone, Default)]
pub struct RowTally {
    figures: RowFigures,
    /// The documents that rows name.
    named: BTreeSet<String>,
}

impl RowTally {
    /// Counts the rows of a document.
    pub fn add(&mut self, document: &JsonDocument) {
        let figures = &mut self.figures;
        for row in document.items(document.root()).filter(|&row| document.is_object(row)) {
            figures.rows += 1;
            match document.get(row, "is_impossible").map(|value| document.kind(value)) {
                Some(JsonKind::True) => figures.impossible += 1,
                Some(JsonKind::False) => {}
                _ => figures.unsaid += 1,
            }
            let Some(contexts) = document.get(row, "contexts") else { continue };
            let before = figures.contexts;
            for context in document.items(contexts) {
                figures.contexts += 1;
                match file_name(document, context) {
                    // Rows name the same documents again and again, so a name is copied only if it is new.
                    Some(name) if self.named.contains(name.as_ref()) => {}
                    Some(name) => drop(self.named.insert(name.into_owned())),
                    None => figures.nameless += 1,
                }
            }
            figures.with_contexts += u64::from(figures.contexts > before);
        }
    }

    /// Returns whether a row names a file.
    pub(super) fn names(&self, file: &CorpusFile) -> bool {
        std::str::from_utf8(&file.name).is_ok_and(|name| self.named.contains(name))
    }

    /// Returns the figures, with those about the corpus if it is given.
    pub fn finish(&self, corpus: Option<&Corpus>) -> RowFigures {
        let named = &self.named;
        let of_corpus = |corpus: &Corpus| CorpusFigures {
            files: corpus.files().len() as u64,
            missing: named.iter().filter(|name| !corpus.contains(name)).count() as u64,
            unnamed: corpus.files().iter().filter(|file| !self.names(file)).count() as u64,
            extensions: corpus.extensions(),
        };
        RowFigures { documents: named.len() as u64, corpus: corpus.map(of_corpus), ..self.figures.clone() }
    }
}

/// Counts rows, and the files of the corpus that they name.
pub fn figures_of_rows(document: &JsonDocument, corpus: Option<&Corpus>) -> RowFigures {
    let mut tally = RowTally::default();
    tally.add(document);
    tally.finish(corpus)
}

/// Figures about an evaluation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EvaluationFigures {
    /// The number of rows of the evaluation.
    pub rows: u64,
    /// The rows with an answer.
    pub answered: u64,
    /// The rows with retrieved documents, and with known documents for comparison.
    pub measured: u64,
    /// The measured rows that were found in the dataset only by their question, since no row has both their id and
    /// their question.
    pub by_text: u64,
    /// The rows with a question whose rows name different documents, and an id that none of these rows has.
    pub ambiguous: u64,
    /// The mean share of the known documents that are among the first retrieved documents, by the number of the latter.
    pub recall: Vec<(usize, f64)>,
}

/// Counts the rows of an evaluation, which may be added in parts.
#[derive(Debug, Clone, Default)]
pub struct EvaluationTally {
    figures: EvaluationFigures,
    /// The sum of the recall of all rows, by rank.
    sums: [f64; RANKS.len()],
}

impl EvaluationTally {
    /// Counts the rows of a document, and the known documents that they retrieved.
    pub fn add(&mut self, document: &JsonDocument, gold: &GoldDocuments) {
        let figures = &mut self.figures;
        for row in document.items(document.root()).filter(|&row| document.is_object(row)) {
            figures.rows += 1;
            let answer = document.get(row, "generated_answer");
            figures.answered += u64::from(answer.is_some_and(|answer| document.is_string(answer)));
            let Some(retrieved) = document.get(row, "retrieved_docs") else { continue };
            let (wanted, is_by_text) = match gold.documents_for(document, row) {
                ExpectedDocuments::ById(wanted) => (wanted, false),
                ExpectedDocuments::ByText(wanted) => (wanted, true),
                ExpectedDocuments::Ambiguous => {
                    figures.ambiguous += 1;
                    continue;
                }
                ExpectedDocuments::Unknown => continue,
            };
            if wanted.is_empty() {
                continue;
            }
            figures.measured += 1;
            figures.by_text += u64::from(is_by_text);
            let name = |name| document.string(name).unwrap_or_default().into();
            let retrieved: Vec<String> = document.items(retrieved).map(name).collect();
            for (sum, rank) in self.sums.iter_mut().zip(RANKS) {
                let first = &retrieved[..rank.min(retrieved.len())];
                let found = wanted.iter().filter(|name| first.iter().any(|page| is_page_of(page, name)));
                *sum += found.count() as f64 / wanted.len() as f64;
            }
        }
    }

    /// Returns the figures.
    pub fn finish(&self) -> EvaluationFigures {
        let mut figures = self.figures.clone();
        if figures.measured > 0 {
            let mean = |sum: f64| sum / figures.measured as f64;
            figures.recall = RANKS.into_iter().zip(self.sums).map(|(rank, sum)| (rank, mean(sum))).collect();
        }
        figures
    }
}

/// Counts the rows of an evaluation, and the known documents that they retrieved.
pub fn figures_of_evaluation(document: &JsonDocument, gold: &GoldDocuments) -> EvaluationFigures {
    let mut tally = EvaluationTally::default();
    tally.add(document, gold);
    tally.finish()
}

/// Returns whether a retrieved page belongs to a file: it has the file's name, with or without the extension, and with
/// or without a page number after it.
fn is_page_of(page: &str, file: &str) -> bool {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| if stem.is_empty() { file } else { stem });
    [file, stem].into_iter().any(|name| match page.strip_prefix(name) {
        Some("") => true,
        Some(rest) => rest
            .strip_prefix('_')
            .is_some_and(|page| !page.is_empty() && page.bytes().all(|byte| byte.is_ascii_digit())),
        None => false,
    })
}
