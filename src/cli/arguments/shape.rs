//! The shape of JSON-LD that is made from RDF.

use clap::Args;

use crate::cli::Stop;
use crate::convert::json_ld::JsonLdShape;
use crate::diagnostic::Diagnostic;
use crate::jsonld::FramingOptions;
use crate::load::json_ld::JsonLd;
use crate::rdf::RdfFormat;

/// The shape of JSON-LD that is made from RDF; without any it is expanded.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct ShapeArguments {
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
    pub(in crate::cli) fn flag(&self) -> Option<&'static str> {
        let flag = self.context.as_ref().map(|_| "--context");
        flag.or(self.frame.as_ref().map(|_| "--frame"))
    }

    /// Reads the context or the frame.
    ///
    /// # Errors
    ///
    /// Where it cannot be read, or the output is of another format.
    pub(in crate::cli) fn shape(&self, format: RdfFormat, json_ld: &mut JsonLd) -> Result<JsonLdShape, Stop> {
        if let Some(flag) = self.flag().filter(|_| format != RdfFormat::JsonLd) {
            let message = format!("`{flag}` is for JSON-LD, and the output is {format}");
            return Err(Diagnostic::error("output::format", message).with_help("add `--to jsonld`").into());
        }
        if let Some(frame) = &self.frame {
            return Ok(JsonLdShape::Framed(json_ld.frame(frame, None, FramingOptions::default())?));
        }
        match &self.context {
            Some(context) => Ok(JsonLdShape::Compacted(json_ld.context(context, None)?)),
            None => Ok(JsonLdShape::Expanded),
        }
    }
}
