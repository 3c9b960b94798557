//! Writes quads in any RDF format, and reports the losses.

use std::io::Write;

use super::json_ld_shape::{self, JsonLdShape, write_json_ld};
use super::write_failure::WriteFailure;
use crate::load::read_session::ReadSession;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{Diagnostic, RunReport, thousands};
use evalgraph_rdf::write::{left_out, named_graph_quads};
use evalgraph_rdf::{self as rdf, QuadBuffer, RdfFormat};

/// Writes quads in any format. Everything that the format cannot express is reported first.
///
/// # Errors
///
/// A loss if losses are errors, and errors of the processor and of writing.
pub fn write_format(
    quads: &QuadBuffer,
    format: RdfFormat,
    session: &ReadSession,
    shape: &JsonLdShape,
    output: &mut impl Write,
    report: &mut RunReport,
) -> Result<(), WriteFailure> {
    let had_failed = report.has_failed();
    for left_out in left_out(quads, format) {
        let message = format!("{format} cannot hold {}: `{}`", left_out.reason, left_out.example);
        report.add(&Diagnostic::warning("convert::left-out", message).with_cost(left_out.quads));
    }
    if format == RdfFormat::JsonLd {
        report.add_all(&Vec::from_iter(json_ld_shape::left_out(quads, session)));
    }
    report.check(had_failed)?;
    if format == RdfFormat::JsonLd {
        return write_json_ld(quads, session, shape, output, report);
    }
    rdf::write(quads, format, output).map_err(WriteFailure::Io)
}

/// Removes the graph names for a format without graphs, and reports the loss.
pub fn without_graph_names(quads: QuadBuffer, format: RdfFormat, report: &mut RunReport) -> QuadBuffer {
    let (named, graphs) = named_graph_quads(&quads);
    if named == 0 {
        return quads;
    }
    let message = format!(
        "{format} has no graph names: those of {} {} in {} {} are lost",
        thousands(named),
        if named == 1 { "quad" } else { "quads" },
        thousands(graphs),
        if graphs == 1 { "graph" } else { "graphs" },
    );
    report.add(&Diagnostic::warning("convert::graph-names", message).with_help(help![
        setting("to").to("trig"),
        " and ",
        setting("to").to("nq"),
        " keep them"
    ]));
    quads.without_graph_names()
}
