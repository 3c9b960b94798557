//! The validation report about a set of files, in Markdown: the number of samples of each kind, their quality, and the
//! findings of the rules of each profile. The same files give the same text.

use super::rules::{KwanzaaProfile, KwanzaaValidator};
use super::statistics::{KnownValueCounts, QualityBand, SampleStatistics};
use super::{CATEGORIES, KwanzaaFileKind, KwanzaaSettings, PERSONAS};
use crate::counted_list::DatasetReport;
use evalgraph_diagnostics::markdown;
use evalgraph_diagnostics::validation::{ResultSeverity, RuleReport, RuleResult};
use evalgraph_json::JsonDocument;
use std::fmt::Write as _;

/// The most results of a rule that are listed.
const SHOWN: usize = 20;

/// Categories with fewer samples than this are named.
const FEW: u64 = 3;

/// The contents of the report, collected file by file.
#[derive(Debug)]
pub struct KwanzaaReport {
    settings: KwanzaaSettings,
    statistics: SampleStatistics,
    validators: [KwanzaaValidator; 3],
    files: Vec<ReportedDataset>,
}

/// The contents of the report for one file.
#[derive(Debug)]
struct ReportedDataset {
    name: String,
    samples: u64,
    reports: Vec<RuleReport>,
}

impl DatasetReport for KwanzaaReport {
    fn takes(&self, document: &JsonDocument) -> bool {
        KwanzaaFileKind::from_document(document) == Some(KwanzaaFileKind::Dataset)
    }

    fn add(&mut self, document: &JsonDocument) {
        let before = self.statistics.samples;
        self.statistics.add(document);
        let reports = self.validators.iter_mut().map(|validator| validator.validate(document)).collect();
        let samples = self.statistics.samples - before;
        self.files.push(ReportedDataset { name: document.name().to_string(), samples, reports });
    }

    fn to_markdown(&self) -> String {
        let mut text = String::from("# Validation report\n");
        self.write_files(&mut text);
        self.write_figures(&mut text);
        self.write_principles(&mut text);
        self.write_quality(&mut text);
        self.write_remarks(&mut text);
        for (at, profile) in KwanzaaProfile::ALL.into_iter().enumerate() {
            self.write_findings(&mut text, at, profile);
        }
        text
    }
}

impl KwanzaaReport {
    /// Creates an empty report.
    pub fn new(settings: KwanzaaSettings) -> Self {
        Self {
            settings,
            statistics: SampleStatistics::new(settings),
            validators: KwanzaaProfile::ALL.map(|profile| KwanzaaValidator::new(profile, settings)),
            files: Vec::new(),
        }
    }

    fn write_files(&self, text: &mut String) {
        let profiles = KwanzaaProfile::ALL.map(KwanzaaProfile::name).join(" | ");
        let _ = write!(text, "\n| file | samples | {profiles} |\n|---|---:|---|---|---|\n");
        for file in &self.files {
            let verdict = |report: &RuleReport| match report.count(ResultSeverity::Violation) {
                0 => "conforms".to_owned(),
                1 => "1 violation".to_owned(),
                count => format!("{count} violations"),
            };
            let verdicts: Vec<String> = file.reports.iter().map(verdict).collect();
            let _ = writeln!(text, "| {} | {} | {} |", cell(&file.name), file.samples, verdicts.join(" | "));
        }
    }

    fn write_figures(&self, text: &mut String) {
        let statistics = &self.statistics;
        let _ = write!(text, "\n## Samples\n\n{} in all.\n", statistics.samples);
        for (key, counts) in statistics.tables() {
            write_counts(text, key.trim_start_matches("by_"), counts, statistics.samples);
        }
        if statistics.edge_cases > 0 {
            let _ = write!(text, "\nMarked as edge cases: {}.\n", statistics.edge_cases);
        }
        if statistics.failure_modes.iter().next().is_some() {
            write_counts(text, "failure mode", &statistics.failure_modes, statistics.samples);
        }
    }

    fn write_principles(&self, text: &mut String) {
        let columns = PERSONAS.join(" | ");
        let _ = write!(text, "\n## Principles\n\n| principle | samples | {columns} |\n");
        let _ = writeln!(text, "|---|---:|{}", "---:|".repeat(PERSONAS.len()));
        for (principle, count) in self.statistics.principles.iter() {
            let of = |persona: &str| {
                self.statistics.principles_of_personas.get(&format!("{persona}/{principle}")).to_string()
            };
            let cells = PERSONAS.map(of).join(" | ");
            let _ = writeln!(text, "| {} | {count} | {cells} |", cell(principle));
        }
    }

    fn write_quality(&self, text: &mut String) {
        let settings = &self.settings;
        let ranges = [
            format!("from {}", settings.excellent_quality),
            format!("from {}", settings.good_quality),
            format!("from {}", settings.acceptable_quality),
            format!("below {}", settings.acceptable_quality),
        ];
        text.push_str("\n## Quality\n\n| band | quality | samples | share |\n|---|---|---:|---:|\n");
        for ((band, range), count) in QualityBand::ALL.into_iter().zip(ranges).zip(self.statistics.bands) {
            let share = share(count, self.statistics.samples);
            let _ = writeln!(text, "| {} | {range} | {count} | {share} |", band.name());
        }
        match self.statistics.average_quality().zip(self.statistics.range_of_quality()) {
            Some((average, (lowest, highest))) => {
                let _ = write!(text, "\nAverage quality: {average:.3}, from {lowest} to {highest}.\n");
            }
            None => text.push_str("\nNo sample has a quality.\n"),
        }
    }

    fn write_remarks(&self, text: &mut String) {
        let mut remarks = Vec::new();
        let least = self.settings.good_quality;
        if let Some(average) = self.statistics.average_quality().filter(|&average| average < least) {
            remarks.push(format!("The average quality, {average:.3}, is below {least}."));
        }
        for category in CATEGORIES {
            let count = self.statistics.categories.get(category);
            if count < FEW {
                remarks.push(format!("Category {category} has fewer than {FEW} samples: {count}."));
            }
        }
        let lists = [("persona", &self.statistics.personas), ("principle", &self.statistics.principles)];
        let lists = lists.map(|(what, counts)| (what, counts.missing()));
        for (what, missing) in lists.into_iter().filter(|(_, missing)| !missing.is_empty()) {
            remarks.push(format!("No sample has the {what} {missing}."));
        }
        if !remarks.is_empty() {
            let _ = write!(text, "\n## Remarks\n\n- {}\n", remarks.join("\n- "));
        }
    }

    fn write_findings(&self, text: &mut String, at: usize, profile: KwanzaaProfile) {
        let together = self.validators[at].finish();
        let reports: Vec<&RuleReport> =
            self.files.iter().map(|file| &file.reports[at]).chain([&together]).collect();
        let _ = write!(text, "\n## Findings of profile {profile}\n");
        let rules: Vec<_> = profile.rules();
        let of_rule = |id: &'static str| reports.iter().flat_map(move |report| report.results_of(id));
        if rules.iter().all(|rule| of_rule(rule.id).next().is_none()) {
            text.push_str("\nNone.\n");
            return;
        }
        text.push_str("\n| rule | severity | requirement | checked | results |\n");
        text.push_str("|---|---|---|---:|---:|\n");
        for rule in &rules {
            let summaries = reports.iter().flat_map(|report| &report.rules);
            let looked_at: u64 =
                summaries.filter(|summary| summary.id == rule.id).map(|summary| summary.looked_at).sum();
            let (id, severity, title) = (rule.id, rule.severity, rule.title);
            let count = of_rule(id).count();
            let _ = writeln!(
                text,
                "| {id} | {severity} | {} | {looked_at} | {count} |",
                title.replace('|', "\\|")
            );
        }
        for rule in &rules {
            let results: Vec<&RuleResult> = of_rule(rule.id).collect();
            if results.is_empty() {
                continue;
            }
            let _ = write!(text, "\n### {}\n\n", rule.id);
            for result in results.iter().take(SHOWN) {
                write_result(text, result);
            }
            if let Some(more) = results.len().checked_sub(SHOWN).filter(|&more| more > 0) {
                let _ = writeln!(text, "- … and {more} more");
            }
        }
    }
}

fn write_result(text: &mut String, result: &RuleResult) {
    let message = markdown::message(&result.message);
    match result.place.as_deref() {
        Some(place) => {
            let (source, pointer) = (cell(&place.source), place.pointer.as_deref().unwrap_or_default());
            let spot =
                if place.is_whole() { String::new() } else { format!(":{}:{}", place.line, place.column) };
            let _ = writeln!(text, "- {source}{spot} {}: {message}", markdown::code(pointer));
        }
        None => {
            let _ = writeln!(text, "- all files: {message}");
        }
    }
}

fn write_counts(text: &mut String, what: &str, counts: &KnownValueCounts, all: u64) {
    let _ = write!(text, "\n| {what} | samples | share |\n|---|---:|---:|\n");
    for (value, count) in counts.iter() {
        let _ = writeln!(text, "| {} | {count} | {} |", cell(value), share(count, all));
    }
}

fn share(count: u64, all: u64) -> String {
    if all == 0 { "–".to_owned() } else { format!("{:.1} %", count as f64 * 100.0 / all as f64) }
}

/// Returns a text with escapes for the cell of a table.
fn cell(text: &str) -> String {
    // Names of files, categories and principles need no escapes in Markdown.
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./ ".contains(&byte);
    let is_plain = text.bytes().all(is_name) && !text.starts_with('_');
    if is_plain { text.to_owned() } else { markdown::plain(text) }
}
