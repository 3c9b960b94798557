//! The RLCF records in the inputs of a command, from RLCF's own files or from graphs.

use crate::input::guard::has_keywords;
use crate::input::input_options::RunInputs;
use crate::input::source::InputSource;
use crate::load::document::Document;
use crate::load::document_quads::{QuadChanges, QuadRules};
use crate::load::parsed_input::ParsedInput;
use crate::load::read_session::ReadSession;
use evalgraph_diagnostics::{Diagnostic, Reported, RunFailure, RunReport};
use evalgraph_formats::rewriting::IndexedGraph;
use evalgraph_formats::rlcf::figures::model::RlcfDataset;
use evalgraph_formats::rlcf::figures::record_gatherer::{GatheringSummary, RecordGatherer};
use evalgraph_formats::rlcf::tell;
use evalgraph_rdf::{QuadBuffer, RdfFormat};

/// Gathers the records of all inputs into one dataset.
///
/// # Errors
///
/// An invalid input unless `keep_going` is set, and inputs without any record. All inputs are read first.
pub fn gather(
    sources: &[InputSource],
    input: &RunInputs,
    json_ld: &ReadSession,
    report: &mut RunReport,
) -> Result<RlcfDataset, RunFailure> {
    let record = input.reading.record;
    let mut gathering = RecordGatherer::default();
    for source in sources {
        let Ok((input, format)) = json_ld.input_of(source, report) else { continue };
        if format != RdfFormat::JsonLd {
            let opened = Document::from_input(input, format, json_ld, report);
            // A fault is in the report, which is checked after all inputs.
            let _ = opened.and_then(|opened| add_graphs(&mut gathering, &opened, json_ld, report));
            continue;
        }
        let Ok(ParsedInput { document, origin }) = json_ld.parse_data(input, report) else { continue };
        if has_keywords(&document) {
            let opened = Document::from_json_ld(document, origin, json_ld, report);
            let _ = opened.and_then(|opened| add_graphs(&mut gathering, &opened, json_ld, report));
            continue;
        }
        match tell(&document, document.name(), record) {
            Ok(told) if told.is_error_reply() => {
                let message = "this is an error reply of RLCF's API, not data";
                let place = document.place(document.root());
                report.add(&Diagnostic::error("rlcf::error-reply", message).at(place));
            }
            Ok(told) => gathering.add(&document, &told),
            Err(fault) => report.add(&fault),
        }
    }
    input.check(report)?;
    let (records, summary) = gathering.finish();
    report_summary(&summary, report);
    if records.is_empty() {
        let message = "the input contains no user, task, response or feedback of RLCF";
        return Err(Diagnostic::error("rlcf::nothing", message).into());
    }
    Ok(records)
}

/// Adds the records of all graphs of a file.
fn add_graphs(
    gathering: &mut RecordGatherer,
    opened: &Document,
    json_ld: &ReadSession,
    report: &mut RunReport,
) -> Reported<()> {
    let mut quads = QuadBuffer::new();
    opened.quads_into(QuadRules::new(QuadChanges::Nothing), json_ld, &mut quads, report)?;
    let graph = IndexedGraph::with_quads(&quads, quads.quads().iter());
    report.ok_or_report(gathering.add_graph(&graph, json_ld.limits_of_own_text()))
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
