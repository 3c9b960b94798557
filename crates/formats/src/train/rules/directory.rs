//! The rules about a dataset directory and its corpus: T-1, T-16 and T-C1 to T-C3. Their results are
//! about files, not about places in the rows.

use super::FormatRule;
use super::train_rule_table::{CONTENT, DIRECTORY, FILE_TYPES, REPEATED_FILE, TrainProfile, UNNAMED_FILE};
use crate::corpus::{Corpus, CorpusFile};
use crate::train::retrieval_figures::RowTally;
use evalgraph_diagnostics::SourceText;
use evalgraph_diagnostics::validation::{CappedDetails, FocusNode, ResultSeverity, RuleReport, RuleResult};
use evalgraph_json::JsonDocument;
use std::borrow::Cow;

/// Returns the report on a directory without `train.json`.
pub fn without_rows(directory: DatasetDirectory<'_>, profile: TrainProfile) -> RuleReport {
    let rules = profile.rules().iter().map(|rule| rule.summary(0, 0)).collect();
    let profile = Cow::Borrowed(profile.name());
    let mut report = RuleReport {
        profile,
        rules,
        results: Vec::new(),
        against: ResultSeverity::Violation,
        fails_unseen: false,
        subjects: 0,
    };
    let mut files = DirectoryFindings { report: &mut report };
    let message = "there is no `train.json` in the dataset directory".to_owned();
    files.found(&DIRECTORY, directory.path, "train.json", message);
    check_parts(&mut files, directory);
    if let Some(corpus) = directory.corpus {
        check_corpus(&mut files, corpus, directory.path);
    }
    files.finish();
    report
}

/// Adds the results about the directory to the report on the rows.
pub(super) fn check(report: &mut RuleReport, directory: DatasetDirectory<'_>, rows: &JsonDocument) {
    let mut files = DirectoryFindings { report };
    check_parts(&mut files, directory);
    if let Some(corpus) = directory.corpus {
        check_corpus(&mut files, corpus, directory.path);
        check_names(&mut files, corpus, rows);
    }
    files.finish();
}

fn check_parts(files: &mut DirectoryFindings<'_>, directory: DatasetDirectory<'_>) {
    files.look(&DIRECTORY, 1);
    if directory.corpus.is_none() {
        let message = "there is no folder `corpus` in the dataset directory".to_owned();
        files.found(&DIRECTORY, directory.path, "corpus", message);
    }
}

fn check_corpus(files: &mut DirectoryFindings<'_>, corpus: &Corpus, path: &str) {
    let count = corpus.files().len() as u64;
    files.look(&REPEATED_FILE, count);
    for group in corpus.repeated() {
        let [first, others @ ..] = group.as_slice() else { continue };
        for file in others {
            let message = format!("`{}` has the same name, but files are found by name", first.path);
            files.found(&REPEATED_FILE, &file.path, &name(file), message);
        }
    }
    files.look(&CONTENT, count);
    for file in corpus.files() {
        if file.size == 0 {
            files.found(&CONTENT, &file.path, &name(file), "the file is empty".to_owned());
        } else if let Some(kind) = file.contradiction() {
            let message =
                format!("the name ends in `.{}`, but the file is {}", file.extension(), kind.description());
            files.found(&CONTENT, &file.path, &name(file), message);
        }
    }
    files.look(&FILE_TYPES, 1);
    let extensions = corpus.extensions();
    if extensions.len() > 1 {
        let listed = extensions.iter().map(|(extension, count)| match extension.as_str() {
            "" => format!("{count} without"),
            extension => format!("{count} .{extension}"),
        });
        let listed = listed.collect::<Vec<_>>().join(", ");
        let (file_type, taken) =
            extensions.iter().find(|(extension, _)| !extension.is_empty()).unwrap_or(&extensions[0]);
        let message = format!("{count} files: {listed}; the type `{file_type}` takes {taken}");
        files.found(&FILE_TYPES, path, file_type, message);
    }
}

/// Reports the files that no row names.
fn check_names(files: &mut DirectoryFindings<'_>, corpus: &Corpus, rows: &JsonDocument) {
    let mut named = RowTally::default();
    named.add(rows);
    files.look(&UNNAMED_FILE, corpus.files().len() as u64);
    for file in corpus.files().iter().filter(|file| !named.names(file)) {
        files.found(&UNNAMED_FILE, &file.path, &name(file), "no row names the file".to_owned());
    }
}

fn name(file: &CorpusFile) -> Cow<'_, str> {
    String::from_utf8_lossy(&file.name)
}

/// Adds results about files to a report.
struct DirectoryFindings<'r> {
    report: &'r mut RuleReport,
}

impl DirectoryFindings<'_> {
    fn look(&mut self, rule: &FormatRule, count: u64) {
        if let Some(summary) = self.report.rules.iter_mut().find(|summary| summary.id == rule.id) {
            summary.looked_at += count;
        }
    }

    /// Adds a result if the profile has the rule.
    fn found(&mut self, rule: &FormatRule, path: &str, value: &str, message: String) {
        let Some(summary) = self.report.rules.iter_mut().find(|summary| summary.id == rule.id) else {
            return;
        };
        summary.results += 1;
        self.report.results.push(RuleResult {
            rule: Cow::Borrowed(rule.id),
            severity: summary.severity,
            component: None,
            focus: FocusNode::Pointer(String::new()),
            path: None,
            value: Some(value.to_owned()),
            message,
            place: Some(Box::new(SourceText::new(path, b"").place(0..0))),
            related: None,
            details: CappedDetails::default(),
            advice: None,
        });
    }

    /// Restores the order of the rules in the results.
    fn finish(self) {
        let rules = &self.report.rules;
        self.report.results.sort_by_key(|result| rules.iter().position(|rule| rule.id == result.rule));
    }
}

/// A dataset directory.
#[derive(Debug, Clone, Copy)]
pub struct DatasetDirectory<'f> {
    /// Its path as given.
    pub path: &'f str,
    /// The files in `corpus/`; `None` if there is no such folder.
    pub corpus: Option<&'f Corpus>,
}
