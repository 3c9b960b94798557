//! The command line: its arguments and their help texts.
//!
//! Groups of arguments that several commands share are defined here; the arguments of one command are
//! defined beside it.

mod argument_values;
mod choices;
mod endpoint;
mod headings;
pub(super) mod option_groups;
mod server_arguments;

use option_groups::GroupedOptions;
use std::path::PathBuf;

use clap::{ArgAction, Args};

pub use argument_values::size;
pub(super) use argument_values::{duration, mapping};
pub(super) use choices::{
    ReportForm, choice, explained, preferences, profiles, rdf_directions, rdf_formats, report_formats,
    report_forms, severities, sql_dialect, targets, update_targets,
};
pub(super) use endpoint::EndpointArguments;
pub(super) use headings::{LIMITS, MESSAGES, SERVER, in_order};
pub(super) use server_arguments::ServerArguments;

use super::CommandStop;
use evalgraph_diagnostics::{Diagnostic, RunFailure};
use evalgraph_engine::convert::json_ld_shape::JsonLdShape;
use evalgraph_engine::input::input_options::{IriOptions, ReadingOptions};
use evalgraph_engine::load::json_ld_operation::JsonLdOperation;
use evalgraph_engine::load::read_session::{JsonLdSettings, ReadSession};
use evalgraph_jsonld::FramingOptions;
use evalgraph_rdf::RdfFormat;

/// The arguments that all operations of the JSON-LD API share. Each has one input and one output document.
#[derive(Debug, Args)]
pub(super) struct OperationArguments {
    /// File, URL, or `-` for stdin; .gz and .zst are opened
    pub(super) input: String,

    #[command(flatten)]
    pub(super) reading: GroupedOptions<ReadingOptions>,

    #[command(flatten)]
    pub(super) processor: ProcessorArguments,

    #[command(flatten)]
    pub(super) output: OutputArguments,
}

/// The destination of the result.
#[derive(Debug, Args)]
pub(super) struct OutputArguments {
    /// Output file; its extension names the form
    ///
    /// It is compressed if its name ends in .gz or .zst; a failed run leaves the old file
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}

/// How IRIs are resolved, and the options of the JSON-LD API.
#[derive(Debug, Args)]
pub(super) struct ProcessorArguments {
    #[command(flatten)]
    pub(super) iris: GroupedOptions<IriOptions>,

    #[command(flatten)]
    pub(super) json_ld: GroupedOptions<JsonLdSettings>,
}

impl ProcessorArguments {
    /// Creates the processor for inputs that are read with these options.
    pub(super) fn session(&self, reading: &ReadingOptions) -> Result<ReadSession, RunFailure> {
        ReadSession::new(&self.iris, &self.json_ld, reading)
    }
}

/// The context for compacting a result, and the options of compaction.
#[derive(Debug, Args)]
pub(super) struct ContextArguments {
    /// Context of the result
    ///
    /// A file, a URL that is mapped or built in, or karenina, karenina-spec, karenina-gui, schema.org
    #[arg(short, long, value_name = "CONTEXT")]
    pub(super) context: Option<String>,

    /// URL to assume for the context
    #[arg(long, value_name = "IRI", requires = "context")]
    context_url: Option<String>,

    #[command(flatten)]
    compaction: CompactionArguments,
}

impl ContextArguments {
    /// Adds the URL of the context and the options of compaction to an operation.
    pub(super) fn applied_to(&self, operation: JsonLdOperation) -> JsonLdOperation {
        self.compaction.applied_to(operation.living_at(self.context_url.clone()))
    }
}

/// The options of compaction.
#[derive(Debug, Args)]
pub(super) struct CompactionArguments {
    /// Turn an array of one value into that value
    #[arg(long, value_name = "true|false", default_value_t = true, action = ArgAction::Set)]
    compact_arrays: bool,

    /// Make IRIs relative to the base
    #[arg(long, value_name = "true|false", default_value_t = true, action = ArgAction::Set)]
    compact_to_relative: bool,
}

impl CompactionArguments {
    /// Adds these options to an operation.
    pub(super) fn applied_to(&self, operation: JsonLdOperation) -> JsonLdOperation {
        operation.compact_arrays(self.compact_arrays).compact_to_relative(self.compact_to_relative)
    }
}

/// The form of JSON-LD that is made from RDF. Without options it is expanded.
#[derive(Debug, Default, Args)]
pub(super) struct ShapeArguments {
    /// Compact JSON-LD with this context
    ///
    /// A file, a URL, or karenina, karenina-spec, karenina-gui, schema.org
    #[arg(long, value_name = "CONTEXT", conflicts_with = "frame")]
    context: Option<String>,

    /// Frame JSON-LD with this file or URL
    #[arg(long, value_name = "FRAME")]
    frame: Option<String>,
}

impl ShapeArguments {
    /// The flag that was given, if there was one.
    pub(super) fn flag(&self) -> Option<&'static str> {
        let flag = self.context.as_ref().map(|_| "--context");
        flag.or(self.frame.as_ref().map(|_| "--frame"))
    }

    /// Reads the context or the frame.
    ///
    /// # Errors
    ///
    /// Fails if the context or the frame cannot be read, or the output is not JSON-LD.
    pub(super) fn shape(
        &self,
        format: RdfFormat,
        session: &mut ReadSession,
    ) -> Result<JsonLdShape, CommandStop> {
        if let Some(flag) = self.flag().filter(|_| format != RdfFormat::JsonLd) {
            let message = format!("`{flag}` is for JSON-LD, but the output is {format}");
            return Err(Diagnostic::error("output::format", message).with_help("add `--to jsonld`").into());
        }
        if let Some(frame) = &self.frame {
            return Ok(JsonLdShape::Framed(session.frame(frame, None, FramingOptions::default())?));
        }
        match &self.context {
            Some(context) => Ok(JsonLdShape::Compacted(session.context(context, None)?)),
            None => Ok(JsonLdShape::Expanded),
        }
    }
}
