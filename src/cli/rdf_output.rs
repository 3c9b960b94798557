//! Writes quads in any RDF format, to a file or to stdout.

use std::path::Path;

use super::CommandStop;
use super::output::write;
use evalgraph_diagnostics::RunReport;
use evalgraph_engine::convert::json_ld_shape::JsonLdShape;
use evalgraph_engine::convert::rdf::{without_graph_names, write_format};
use evalgraph_engine::load::read_session::ReadSession;
use evalgraph_rdf::{QuadBuffer, RdfFormat};

/// Writes the quads to a file or to stdout. The shape applies to JSON-LD.
pub(super) fn write_quads(
    mut quads: QuadBuffer,
    format: RdfFormat,
    path: Option<&Path>,
    session: &ReadSession,
    shape: &JsonLdShape,
    report: &mut RunReport,
) -> Result<(), CommandStop> {
    let had_failed = report.has_failed();
    if !format.has_graph_names() {
        quads = without_graph_names(quads, format, report);
    }
    report.check(had_failed)?;
    write(path, |output| write_format(&quads, format, session, shape, output, report))
}
