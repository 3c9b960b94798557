//! JSON-LD made from RDF: expanded, compacted with a context, or in the shape of a frame.

use std::sync::Arc;

use clap::Args;

use super::Stop;
use super::output::Output;
use crate::diagnostic::{Diagnostic, Report};
use crate::input::origin::Origin;
use crate::json::Document;
use crate::jsonld::{FramingOptions, FromRdfError, JsonLdProcessor, Layout, NoLoader};
use crate::load::json_ld::{ContextOptions, JsonLd, StrayIds, report_warnings};
use crate::load::one_document::{expanded, from_rdf};
use crate::rdf::{QuadBuffer, RdfFormat};

/// The shape of JSON-LD that is made from RDF; without any it is expanded.
#[derive(Debug, Default, Args)]
pub(super) struct ShapeArguments {
    /// Compact JSON-LD output with a context: a file, a URL, or karenina, karenina-spec,
    /// karenina-gui, schema.org
    #[arg(long, value_name = "FILE|URL|NAME", conflicts_with = "frame")]
    context: Option<String>,

    /// Give JSON-LD output the shape of a frame: a file or a URL
    #[arg(long, value_name = "FILE|URL")]
    frame: Option<String>,
}

impl ShapeArguments {
    /// The flag that was given, if one was.
    pub(super) fn flag(&self) -> Option<&'static str> {
        let flag = self.context.as_ref().map(|_| "--context");
        flag.or(self.frame.as_ref().map(|_| "--frame"))
    }
}

/// The shape, with what it takes.
#[derive(Debug)]
pub(super) enum Shape {
    Expanded,
    Compacted(Arc<Document>),
    Framed(Arc<Document>),
}

impl Shape {
    /// Reads the context or the frame.
    ///
    /// # Errors
    ///
    /// Where it cannot be read, or the output is of another format.
    pub(super) fn of(
        arguments: &ShapeArguments,
        format: RdfFormat,
        json_ld: &mut JsonLd,
    ) -> Result<Self, Stop> {
        if let Some(flag) = arguments.flag().filter(|_| format != RdfFormat::JsonLd) {
            let message = format!("`{flag}` is for JSON-LD, and the output is {format}");
            return Err(Diagnostic::error("output::format", message).with_help("add `--to jsonld`").into());
        }
        if let Some(frame) = &arguments.frame {
            return Ok(Self::Framed(json_ld.frame(frame, None, FramingOptions::default())?));
        }
        let context = ContextOptions { context: arguments.context.clone(), context_url: None };
        Ok(json_ld.context(&context)?.map_or(Self::Expanded, Self::Compacted))
    }
}

/// What JSON-LD cannot hold of quads, with its cost; none where it holds all.
pub(super) fn left_out(quads: &QuadBuffer, json_ld: &JsonLd) -> Option<Diagnostic> {
    let types = JsonLdProcessor::new(json_ld.options().clone(), &NoLoader).list_types_left_out(quads);
    let message = "JSON-LD cannot hold that a node of a list is an `rdf:List`";
    (types > 0).then(|| Diagnostic::warning("convert::left-out", message).with_cost(types))
}

/// Writes quads as JSON-LD.
pub(super) fn write_json_ld(
    quads: &QuadBuffer,
    (json_ld, shape): (&JsonLd, &Shape),
    output: &mut Output,
    report: &mut Report,
) -> Result<(), Stop> {
    if let Shape::Expanded = shape {
        return from_rdf(quads, json_ld, Layout::Indented, &mut *output).map_err(|error| match error {
            FromRdfError::JsonLd(error) => error.diagnostic().into(),
            FromRdfError::Io(error) => output.stop(&error),
        });
    }
    let document = expanded("the output", quads, json_ld)?;
    json_ld.with_processor(&Origin::default(), |mut processor| {
        let written = match shape {
            Shape::Expanded => return Ok(()),
            Shape::Compacted(context) => processor.compact(&document, context),
            Shape::Framed(frame) => processor.frame(&document, frame),
        };
        let written = written.map_err(|error| Stop::from(error.diagnostic()))?;
        report_warnings(&written.warnings, StrayIds::Dropped, report);
        written.write_to(Layout::Indented, &mut *output).map_err(|error| output.stop(&error))
    })
}
