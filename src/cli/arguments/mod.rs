//! The command line: what can be said, and the help text that says so.
//!
//! Groups of arguments that several commands share stand here; the arguments of one command stand
//! beside it.

mod choices;
mod conversion;
mod reading;
mod shape;
mod values;

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args};

pub(super) use conversion::{CheckpointArguments, DatasetArguments, PromptArguments, TrainingArguments};
pub(super) use reading::{CompactionArguments, ContextArguments};
pub(super) use shape::ShapeArguments;
pub(super) use values::{duration, mapping, rdf_directions, rdf_formats, size, targets, update_targets};

use crate::input::options::{IriOptions, ReadingOptions};
use crate::jsonld::{Embed, FramingOptions};
use crate::load::json_ld::JsonLdSettings;

/// What every operation of the JSON-LD API takes: one document in, one out.
#[derive(Debug, Args)]
pub(super) struct OperationArguments {
    /// A file, a URL, or `-` for stdin; gzip and zstd are opened
    pub(super) input: String,

    #[command(flatten)]
    pub(super) reading: ReadingOptions,

    #[command(flatten)]
    pub(super) iris: IriOptions,

    #[command(flatten)]
    pub(super) json_ld: JsonLdSettings,

    #[command(flatten)]
    pub(super) output: OutputArguments,
}

/// The frame, and the options of framing, which a frame overrides for itself.
#[derive(Debug, Args)]
pub(super) struct FramingArguments {
    /// The frame: a file, a URL that is mapped or built in, or karenina, karenina-spec,
    /// karenina-gui, which frame everything under that context
    #[arg(short, long, value_name = "FILE|URL|NAME")]
    pub(super) frame: String,

    /// Where the frame is said to live
    #[arg(long, value_name = "IRI")]
    pub(super) frame_url: Option<String>,

    /// Where nodes are embedded that others refer to
    #[arg(long, value_name = "once|always|never", default_value = "once", value_parser = embed(),
          hide_possible_values = true)]
    pub(super) embed: Embed,

    /// Whether only properties that the frame names are put out
    #[arg(long, value_name = "true|false", default_value_t = false, action = ArgAction::Set)]
    pub(super) explicit: bool,

    /// Whether properties of the frame that a node lacks are left out, not null
    #[arg(long, value_name = "true|false", default_value_t = false, action = ArgAction::Set)]
    pub(super) omit_default: bool,

    /// Whether a node has to match every property of the frame, not one of them
    #[arg(long, value_name = "true|false", default_value_t = false, action = ArgAction::Set)]
    pub(super) require_all: bool,

    /// Whether a single result stands alone and not in `@graph`; by default in JSON-LD 1.1 only
    #[arg(long, value_name = "true|false", action = ArgAction::Set)]
    pub(super) omit_graph: Option<bool>,
}

impl FramingArguments {
    /// The options of the API; the depth is left to the limits.
    pub(super) fn options(&self) -> FramingOptions {
        FramingOptions {
            embed: self.embed,
            explicit: self.explicit,
            omit_default: self.omit_default,
            require_all: self.require_all,
            omit_graph: self.omit_graph,
            ..FramingOptions::default()
        }
    }
}

fn embed() -> impl TypedValueParser<Value = Embed> {
    PossibleValuesParser::new(["once", "always", "never"]).map(|name| match name.as_str() {
        "always" => Embed::Always,
        "never" => Embed::Never,
        _ => Embed::Once,
    })
}

/// Where the result goes.
#[derive(Debug, Args)]
pub(super) struct OutputArguments {
    /// Write to a file in the form that its extension names, compressed where it ends in .gz or .zst; a failed
    /// run leaves the old one
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}
