//! A baseline: the results of a saved report. Fingerprints distinguish known results from new ones.

use std::collections::HashMap;

use super::file_name::ReportFileNames;
use super::fingerprint::{FindingFingerprint, FingerprintFacts};
use super::reported_finding::ReportedFinding;
use super::sarif::FINGERPRINT;
use super::severity_totals::SeverityTotals;
use crate::validation::validated_files::{ALL_FILES, ValidatedFile};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::validation::RuleReport;
use evalgraph_json::{JsonDocument, JsonKind, TokenId};

/// The results of a saved report, each with the number of its occurrences.
pub struct ReportBaseline {
    results: HashMap<FindingFingerprint, u64>,
    names: ReportFileNames,
}

/// The result of a comparison with a saved report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct BaselineComparison {
    /// How many results were left out because the saved report contains them.
    pub left_out: u64,
    /// How many results of the saved report were not found again.
    pub gone: u64,
}

impl ReportBaseline {
    /// Reads a report that was saved as JSON or as SARIF.
    ///
    /// # Errors
    ///
    /// `validate::baseline`, at the first place that does not belong in such a report.
    pub fn read(document: &JsonDocument) -> Result<Self, Box<Diagnostic>> {
        let mut baseline = Self { results: HashMap::new(), names: ReportFileNames::of_process() };
        let root = document.root();
        match document.kind(root) {
            JsonKind::Array => {
                document.items(root).try_for_each(|file| baseline.read_file(document, file))?;
            }
            _ => match array(document, root, "runs") {
                Some(runs) => document.items(runs).try_for_each(|run| baseline.read_run(document, run))?,
                None => return Err(unknown(document, root, "not a report in JSON or SARIF")),
            },
        }
        Ok(baseline)
    }

    /// Reads the entry of a file in a JSON report.
    fn read_file(&mut self, document: &JsonDocument, file: TokenId) -> Result<(), Box<Diagnostic>> {
        if member(document, file, "error").is_some() {
            return Ok(());
        }
        let name = text(document, file, "file");
        let (Some(name), Some(results)) = (name, array(document, file, "results")) else {
            return Err(unknown(document, file, "not a file of a report: it has no `file` and `results`"));
        };
        for result in document.items(results) {
            let (rule, focus) = (text(document, result, "rule"), text(document, result, "focus"));
            let (Some(rule), Some(focus)) = (rule, focus) else {
                return Err(unknown(
                    document,
                    result,
                    "not a result of a report: it has no `rule` and `focus`",
                ));
            };
            let place = text(document, result, "file");
            let fingerprint = FindingFingerprint::from_facts(&FingerprintFacts {
                rule: &rule,
                focus: &focus,
                path: text(document, result, "path").as_deref(),
                value: text(document, result, "value").as_deref(),
                // A result about several files together is identified without a file.
                file: &match place {
                    None if name == ALL_FILES => String::new(),
                    None => self.names.normalised(&name).into_owned(),
                    Some(place) => self.names.normalised(&place).into_owned(),
                },
            });
            *self.results.entry(fingerprint).or_default() += 1;
        }
        Ok(())
    }

    /// Reads a run of a SARIF report.
    fn read_run(&mut self, document: &JsonDocument, run: TokenId) -> Result<(), Box<Diagnostic>> {
        let results = array(document, run, "results").into_iter().flat_map(|array| document.items(array));
        for result in results {
            let fingerprints = member(document, result, "partialFingerprints");
            let own = fingerprints.and_then(|fingerprints| text(document, fingerprints, FINGERPRINT));
            let Some(fingerprint) = own.and_then(|own| FindingFingerprint::read(&own)) else {
                let message = format!("the result of another program: it has no fingerprint `{FINGERPRINT}`");
                return Err(unknown(document, result, &message));
            };
            *self.results.entry(fingerprint).or_default() += 1;
        }
        Ok(())
    }

    /// Drops the known results. Returns their counts for each file, and the comparison.
    pub fn leave_out(mut self, files: &mut [ValidatedFile]) -> (Vec<SeverityTotals>, BaselineComparison) {
        let known: Vec<SeverityTotals> = files.iter_mut().map(|file| self.leave_out_of(file)).collect();
        let left_out = known.iter().map(|known| known.total()).sum();
        (known, BaselineComparison { left_out, gone: self.results.values().sum() })
    }

    fn leave_out_of(&mut self, file: &mut ValidatedFile) -> SeverityTotals {
        let mut known = SeverityTotals::default();
        let is_known = |result| {
            let finding = ReportedFinding::new(result, file);
            let count = self.results.get_mut(&finding.fingerprint(&self.names));
            count.is_some_and(|count| {
                let is_known = *count > 0;
                *count -= u64::from(is_known);
                is_known
            })
        };
        let are_known: Vec<bool> = file.report.results.iter().map(is_known).collect();
        let mut are_known = are_known.into_iter();
        let RuleReport { results, rules, .. } = &mut file.report;
        results.retain(|result| {
            let is_known = are_known.next().unwrap_or(false);
            if is_known {
                known.add(result.severity);
                if let Some(rule) = rules.iter_mut().find(|rule| rule.id == result.rule) {
                    rule.results = rule.results.saturating_sub(1);
                }
            }
            !is_known
        });
        known
    }
}

fn member(document: &JsonDocument, object: TokenId, key: &str) -> Option<TokenId> {
    document.get(Some(object).filter(|&object| document.is_object(object))?, key)
}

fn array(document: &JsonDocument, object: TokenId, key: &str) -> Option<TokenId> {
    member(document, object, key).filter(|&value| document.is_array(value))
}

fn text(document: &JsonDocument, object: TokenId, key: &str) -> Option<String> {
    let value = member(document, object, key).filter(|&value| document.is_string(value))?;
    document.string(value).map(std::borrow::Cow::into_owned)
}

fn unknown(document: &JsonDocument, token: TokenId, what: &str) -> Box<Diagnostic> {
    let message = format!("the baseline cannot be read: this is {what}");
    let help = "a baseline is a report of `validate` or `check` that was saved as JSON or SARIF";
    Box::new(Diagnostic::error("validate::baseline", message).at(document.place(token)).with_help(help))
}
