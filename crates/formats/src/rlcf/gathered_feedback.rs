//! RLCF records that are gathered from all inputs of a run, with the report of those that are not used.

use super::figures::model::RlcfDataset;
use super::figures::record_gatherer::{GatheringSummary, RecordGatherer};
use super::record_kind_finder::tell;
use crate::records::RecordName;
use crate::rewriting::IndexedGraph;
use crate::writing::RecordSink;
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport};
use evalgraph_json::{JsonDocument, Limits};

/// Gathers records from RLCF's own files and from graphs.
#[derive(Default)]
pub struct GatheredFeedback(RecordGatherer);

impl RecordSink for GatheredFeedback {
    fn add_document(&mut self, document: &JsonDocument, record: Option<RecordName>, report: &mut RunReport) {
        match tell(document, document.name(), record) {
            Ok(told) if told.is_error_reply() => {
                let message = "this is an error reply of RLCF's API, not data";
                let place = document.place(document.root());
                report.add(&Diagnostic::error("rlcf::error-reply", message).at(place));
            }
            Ok(told) => self.0.add(document, &told),
            Err(fault) => report.add(&fault),
        }
    }

    fn add_graph(&mut self, graph: &IndexedGraph<'_>, limits: Limits) -> Result<(), Box<Diagnostic>> {
        self.0.add_graph(graph, limits)
    }
}

impl GatheredFeedback {
    /// Returns the records as one dataset, and reports those that are not used.
    ///
    /// # Errors
    /// `rlcf::nothing` for inputs without any record.
    pub fn into_dataset(self, report: &mut RunReport) -> Result<RlcfDataset, RunFailure> {
        let (records, summary) = self.0.finish();
        report_summary(&summary, report);
        if records.is_empty() {
            let message = "the input contains no user, task, response or feedback of RLCF";
            return Err(Diagnostic::error("rlcf::nothing", message).into());
        }
        Ok(records)
    }
}

fn report_summary(summary: &GatheringSummary, report: &mut RunReport) {
    for (kind, id) in &summary.differing {
        let message = format!("{kind} `{id}` occurs with different content: the first counts");
        let help = "give files of different databases in separate runs";
        report.add(&Diagnostic::warning("rlcf::differing", message).with_help(help));
    }
    let counts = [
        (summary.without_id, "without the id that others would refer to"),
        (summary.credentials_without_user, "that are credentials of users missing from the input"),
    ];
    for (count, what) in counts.into_iter().filter(|(count, _)| *count > 0) {
        let records = if count == 1 { "1 record".to_owned() } else { format!("{count} records") };
        report.add(&Diagnostic::warning("rlcf::unused", format!("{records} {what}")));
    }
}
