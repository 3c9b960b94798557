//! JSON-LD made from RDF: expanded, compacted with a context, or shaped by a frame.

use std::io::Write;
use std::sync::Arc;

use super::write_failure::WriteFailure;
use crate::input::origin::DocumentOrigin;
use crate::load::json_ld_operation::{expanded, from_rdf};
use crate::load::read_session::{ReadSession, report_warnings};
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport};
use evalgraph_json::JsonDocument;
use evalgraph_jsonld::{FromRdfError, JsonLdLayout, JsonLdProcessor, NoLoader};
use evalgraph_rdf::QuadBuffer;

/// The JSON-LD shape to write, with the document that it needs.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub enum JsonLdShape {
    /// Expanded form.
    #[default]
    Expanded,
    /// Compacted with a context: a document that has or is a context.
    Compacted(Arc<JsonDocument>),
    /// Shaped by a frame.
    Framed(Arc<JsonDocument>),
}

/// Returns a warning with the number of quads that JSON-LD cannot express, or `None` if it can express all.
pub fn left_out(quads: &QuadBuffer, session: &ReadSession) -> Option<Diagnostic> {
    let types = JsonLdProcessor::new(session.options.clone(), &NoLoader).list_types_left_out(quads);
    let message = "JSON-LD cannot hold that a node of a list is an `rdf:List`";
    (types > 0).then(|| Diagnostic::warning("convert::left-out", message).with_cost(types))
}

/// Writes quads as JSON-LD.
///
/// # Errors
///
/// Errors of the processor and of writing.
pub fn write_json_ld(
    quads: &QuadBuffer,
    session: &ReadSession,
    shape: &JsonLdShape,
    output: &mut impl Write,
    report: &mut RunReport,
) -> Result<(), WriteFailure> {
    if let JsonLdShape::Expanded = shape {
        return from_rdf(quads, session, JsonLdLayout::Indented, &mut *output).map_err(|error| match error {
            FromRdfError::JsonLd(error) => WriteFailure::Failed(error.diagnostic().into()),
            FromRdfError::Io(error) => WriteFailure::Io(error),
        });
    }
    let document = expanded("the output", quads, session).map_err(RunFailure::from)?;
    session.with_processor(&DocumentOrigin::default(), |mut processor| {
        let written = match shape {
            JsonLdShape::Expanded => return Ok(()),
            JsonLdShape::Compacted(context) => processor.compact(&document, context),
            JsonLdShape::Framed(frame) => processor.frame(&document, frame),
        };
        let written = written.map_err(|error| RunFailure::from(error.diagnostic()))?;
        report_warnings(&written.warnings, false, report);
        written.write_to(JsonLdLayout::Indented, &mut *output).map_err(WriteFailure::Io)
    })
}
