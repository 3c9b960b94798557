//! Quads in any of the formats of RDF, in a file or on stdout.

use std::path::Path;

use super::Stop;
use super::output::write;
use evalgraph_diagnostics::Report;
use evalgraph_engine::convert::json_ld::JsonLdShape;
use evalgraph_engine::convert::rdf::{without_graph_names, write_format};
use evalgraph_engine::load::json_ld::JsonLd;
use evalgraph_rdf::{QuadBuffer, RdfFormat};

/// Writes the quads to a file or stdout. JSON-LD gets the shape.
pub(super) fn write_quads(
    mut quads: QuadBuffer,
    format: RdfFormat,
    path: Option<&Path>,
    json_ld: &JsonLd,
    shape: &JsonLdShape,
    report: &mut Report,
) -> Result<(), Stop> {
    let had_failed = report.has_failed();
    if !format.has_graph_names() {
        quads = without_graph_names(quads, format, report);
    }
    report.check(had_failed)?;
    write(path, |output| write_format(&quads, format, json_ld, shape, output, report))
}
