//! The records in the inputs of a command, from the files of their system or from graphs.

use crate::input::guard::has_keywords;
use crate::input::input_options::RunInputs;
use crate::input::source::InputSource;
use crate::load::document::Document;
use crate::load::document_quads::{QuadChanges, QuadRules};
use crate::load::parsed_input::ParsedInput;
use crate::load::read_session::ReadSession;
use evalgraph_diagnostics::{ReportedResult, RunFailure, RunReport};
use evalgraph_formats::rewriting::IndexedGraph;
use evalgraph_formats::writing::RecordSink;
use evalgraph_rdf::{QuadBuffer, RdfFormat};

/// Gathers the records of all inputs.
///
/// # Errors
///
/// An invalid input unless `keep_going` is set. All inputs are read first.
pub fn gather(
    sources: &[InputSource],
    input: &RunInputs,
    session: &ReadSession,
    sink: &mut dyn RecordSink,
    report: &mut RunReport,
) -> Result<(), RunFailure> {
    let record = input.reading.record;
    for source in sources {
        let Ok((input, format)) = session.input_of(source, report) else { continue };
        if format != RdfFormat::JsonLd {
            let opened = Document::from_input(input, format, session, report);
            // A fault is in the report, which is checked after all inputs.
            let _ = opened.and_then(|opened| add_graphs(sink, &opened, session, report));
            continue;
        }
        let Ok(ParsedInput { document, origin }) = session.parse_data(input, report) else { continue };
        if has_keywords(&document) {
            let opened = Document::from_json_ld(document, origin, session, report);
            let _ = opened.and_then(|opened| add_graphs(sink, &opened, session, report));
            continue;
        }
        sink.add_document(&document, record, report);
    }
    input.check(report)
}

/// Adds the records of all graphs of a file.
fn add_graphs(
    sink: &mut dyn RecordSink,
    opened: &Document,
    session: &ReadSession,
    report: &mut RunReport,
) -> ReportedResult<()> {
    let mut quads = QuadBuffer::new();
    opened.quads_into(QuadRules::new(QuadChanges::Nothing), session, &mut quads, report)?;
    let graph = IndexedGraph::with_quads(&quads, quads.quads().iter());
    report.ok_or_report(sink.add_graph(&graph, session.limits_of_own_text()))
}
