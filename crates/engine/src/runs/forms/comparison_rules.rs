//! A comparison as a report of rules, which continuous integration reads: a rule for each row, which a regression
//! violates, and a rule for each metric, with the samples that got worse.

use std::borrow::Cow;
use std::sync::Arc;

use super::comparison_sections::{letter, sections};
use crate::runs::run_comparison::{
    ComparedGroup, ComparisonRow, DifferenceVerdict, RunComparison, SideComparison,
};
use crate::runs::run_table::{NameNumber, ResultPlace};
use crate::validation::validated_files::{ValidatedFile, ValidatedFileKind};
use evalgraph_diagnostics::validation::{
    CappedDetails, FocusNode, ResultSeverity, RuleReport, RuleResult, RuleSummary,
};
use evalgraph_diagnostics::{LineExcerpt, SourcePlace};

/// Returns a report for each side other than the baseline.
pub(super) fn validated_files(comparison: &RunComparison) -> Vec<ValidatedFile> {
    let sentences = sections(comparison, 0);
    let file = |(other, section): (&SideComparison, &super::comparison_sections::ComparisonSection)| {
        let report = SideReport { comparison, other, rules: Vec::new(), results: Vec::new() };
        let verdicts = section.sentences.iter().filter(|sentence| sentence.verdict.is_some());
        report.file(&verdicts.map(|sentence| sentence.text.clone()).collect::<Vec<_>>())
    };
    comparison.others.iter().zip(&sentences).map(file).collect()
}

/// The report of a side.
struct SideReport<'c> {
    comparison: &'c RunComparison,
    other: &'c SideComparison,
    rules: Vec<RuleSummary>,
    results: Vec<RuleResult>,
}

impl SideReport<'_> {
    /// Makes the report. `sentences` says what follows for each metric over all samples.
    fn file(mut self, sentences: &[String]) -> ValidatedFile {
        let side = &self.comparison.sides[self.other.side];
        let mut of_all = sentences.iter();
        for row in &self.other.rows {
            let sentence = if row.group == ComparedGroup::All { of_all.next().cloned() } else { None };
            self.add_row(row, sentence);
        }
        let mut metrics: Vec<NameNumber> = Vec::new();
        for row in self.other.rows.iter().filter(|row| row.group == ComparedGroup::All) {
            metrics.push(row.metric);
        }
        for metric in metrics {
            self.add_flips(metric);
        }
        let first = self.other.pairing.pairs.first().map(|pair| &side.samples[pair.second]);
        let file = first.map(|sample| self.comparison.table.results[sample.first].place.file);
        let name = file.and_then(|file| self.comparison.table.files.get(file as usize));
        ValidatedFile {
            name: name.map_or_else(|| side.name.clone(), |name| name.to_string()),
            what: ValidatedFileKind::Records(format!("compared with {}", self.comparison.sides[0].name)),
            report: RuleReport {
                profile: Cow::Borrowed("comparison"),
                rules: self.rules,
                results: self.results,
                against: ResultSeverity::Violation,
                fails_unseen: false,
                subjects: self.other.pairing.pairs.len() as u64,
            },
        }
    }

    fn add_row(&mut self, row: &ComparisonRow, sentence: Option<String>) {
        let name = |name: NameNumber| self.comparison.table.text(name);
        let metric = name(row.metric);
        let rule = match row.group {
            ComparedGroup::All => metric.to_owned(),
            ComparedGroup::Task(task) => format!("{metric}, task {}", name(task)),
            ComparedGroup::Keyword(keyword) => format!("{metric}, keyword {}", name(keyword)),
        };
        let is_worse = row.verdict == DifferenceVerdict::Worse;
        if is_worse {
            let figures = &row.figures;
            let message = sentence.unwrap_or_else(|| {
                let value =
                    |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"));
                format!(
                    "{} is worse than {}: {} against {}, p {}",
                    letter(self.other.side),
                    letter(0),
                    value(figures.second_mean),
                    value(figures.first_mean),
                    row.adjusted_p.map_or_else(|| "-".to_owned(), |p_value| format!("{p_value:.4}")),
                )
            });
            self.results.push(result(rule.clone(), ResultSeverity::Violation, message));
        }
        self.rules.push(RuleSummary {
            id: rule.into(),
            severity: ResultSeverity::Violation,
            title: "not worse than the baseline".into(),
            looked_at: row.figures.pairs as u64,
            results: u64::from(is_worse),
        });
    }

    /// Adds the samples whose score for a metric got worse.
    fn add_flips(&mut self, metric: NameNumber) {
        let table = &self.comparison.table;
        let name = table.text(metric);
        let rule = format!("{name}, samples");
        let worse = self.other.flips.iter().filter(|flip| flip.metric == metric && flip.gain < 0.0);
        let before = self.results.len();
        for flip in worse {
            let sample = flip.sample.map_or("the sample", |sample| table.text(sample));
            let message = format!("`{sample}` got worse: {name} {} instead of {}", flip.second, flip.first);
            let mut found = result(rule.clone(), ResultSeverity::Info, message);
            found.place = Some(Box::new(self.place(flip.second_place)));
            found.related =
                Some(Box::new((self.place(flip.first_place), "the result of the baseline".to_owned())));
            self.results.push(found);
        }
        self.rules.push(RuleSummary {
            id: rule.into(),
            severity: ResultSeverity::Info,
            title: "samples that got worse".into(),
            looked_at: self.other.pairing.pairs.len() as u64,
            results: (self.results.len() - before) as u64,
        });
    }

    fn place(&self, place: ResultPlace) -> SourcePlace {
        let source: Arc<str> =
            self.comparison.table.files.get(place.file as usize).cloned().unwrap_or_else(|| "".into());
        SourcePlace {
            source,
            // A place with a line is not that of the whole file.
            bytes: 0..1,
            line: u64::from(place.line),
            column: u64::from(place.column),
            cell: None,
            pointer: None,
            excerpt: LineExcerpt { text: String::new(), marked: 0..0 },
        }
    }
}

fn result(rule: String, severity: ResultSeverity, message: String) -> RuleResult {
    RuleResult {
        rule: rule.into(),
        severity,
        component: None,
        focus: FocusNode::Pointer(String::new()),
        path: None,
        value: None,
        message,
        place: None,
        related: None,
        details: CappedDetails::default(),
        advice: None,
    }
}
