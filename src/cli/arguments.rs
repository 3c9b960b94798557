//! The command line: what can be said, and the help text that says so.
//!
//! Groups of arguments that several commands share stand here; the arguments of one command stand
//! beside it.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args};

use super::input_format::{InputFormat, input_formats};
use super::remote::NetArguments;
use super::store::StoreArguments;
use crate::diagnostic::Strictness;
use crate::json::Encoding;
use crate::jsonld::{Embed, FramingOptions, MediaType, ProcessingMode, RdfDirection};
use crate::rdf::RdfFormat;
use crate::source::rlcf::RecordName;
use crate::source::system::System;
use crate::source::train::RowOptions;

/// What is read, and what happens when it is at fault.
#[derive(Debug, Args)]
pub(super) struct InputArguments {
    /// Files, directories, glob patterns, URLs, or `-` for stdin; gzip and zstd are opened. Without any
    /// the documents of the store
    #[arg(value_name = "INPUT")]
    pub(super) inputs: Vec<String>,

    #[command(flatten)]
    pub(super) store: StoreArguments,

    #[command(flatten)]
    pub(super) reading: ReadingArguments,

    /// Do what can be done without the inputs that are at fault; the exit status is still 2
    #[arg(long)]
    pub(super) keep_going: bool,
}

/// How one input is read.
#[derive(Debug, Clone, Args)]
pub(super) struct ReadingArguments {
    /// The format of the input, where it is not to be recognised by content and name
    #[arg(long, value_name = "FORMAT", value_parser = input_formats())]
    pub(super) from: Option<InputFormat>,

    /// The media type of the input, as a server would say it
    #[arg(long, value_name = "TYPE", value_parser = media_type, conflicts_with = "from")]
    pub(super) content_type: Option<MediaType>,

    /// The encoding of texts; without it they are UTF-8, as auto has it where there is no mark
    #[arg(long, value_name = "ENCODING", value_parser = encodings())]
    pub(super) encoding: Option<Encoding>,

    /// Of a table or of JSON lines: which column has the values of a key; can be repeated
    #[arg(long, value_name = "KEY=COLUMN", value_parser = column)]
    pub(super) map_column: Vec<(String, String)>,

    /// The separator of a table, where it is not to be recognised by the first line
    #[arg(long, value_name = "CHARACTER", value_parser = separator)]
    pub(super) separator: Option<u8>,

    /// The kind of RLCF's records in the inputs, where neither names nor keys tell it
    #[arg(long, value_name = "KIND", value_parser = RecordName::parse)]
    pub(super) record: Option<RecordName>,

    /// Treat warnings as errors
    #[arg(long)]
    pub(super) strict: bool,

    /// The most bytes of one input, after decompression; of JSON with records, the most bytes of one record
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = size)]
    pub(super) max_size: u64,

    /// The most levels that JSON may nest
    #[arg(long, value_name = "LEVELS", default_value_t = 512, value_parser = depth)]
    pub(super) max_depth: usize,
}

/// What stands where nothing is said; `clap` has the same.
impl Default for ReadingArguments {
    fn default() -> Self {
        Self {
            from: None,
            content_type: None,
            encoding: None,
            map_column: Vec::new(),
            separator: None,
            record: None,
            strict: false,
            max_size: 1 << 30,
            max_depth: 512,
        }
    }
}

impl ReadingArguments {
    /// The format that was named, in whichever way.
    pub(super) fn named_format(&self) -> Option<RdfFormat> {
        // A page is read for the JSON-LD in it.
        let format = |media_type: &MediaType| match media_type.is_html() {
            true => Some(RdfFormat::JsonLd),
            false => RdfFormat::from_media_type(media_type.essence()),
        };
        match self.from {
            Some(InputFormat::Rdf(format)) => Some(format),
            Some(InputFormat::Records(_)) => None,
            None => self.content_type.as_ref().and_then(format),
        }
    }

    /// The system that was named.
    pub(super) fn named_system(&self) -> Option<System> {
        match self.from {
            Some(InputFormat::Records(system)) => Some(system),
            None if self.record.is_some() => Some(System::Rlcf),
            Some(InputFormat::Rdf(_)) | None => None,
        }
    }

    /// How tables are read.
    pub(super) fn rows(&self) -> RowOptions {
        RowOptions { columns: self.map_column.clone(), separator: self.separator }
    }

    pub(super) fn strictness(&self) -> Strictness {
        if self.strict { Strictness::Strict } else { Strictness::Lenient }
    }
}

/// How IRIs are resolved and contexts are found.
#[derive(Debug, Default, Args)]
pub(super) struct IriArguments {
    /// What relative IRIs are resolved against; overrides the URL of the document
    #[arg(long, value_name = "IRI")]
    pub(super) base: Option<String>,

    /// Where a local file is said to live; the base IRI where `--base` is absent
    #[arg(long, value_name = "IRI")]
    pub(super) document_url: Option<String>,

    /// Read a URL, or all URLs below one that ends in `/`, from a file or folder
    #[arg(long, value_name = "URL=PATH", value_parser = mapping)]
    pub(super) map: Vec<(String, PathBuf)>,

    #[command(flatten)]
    pub(super) net: NetArguments,
}

/// The options of the JSON-LD API.
#[derive(Debug, Default, Args)]
pub(super) struct JsonLdArguments {
    /// A context to start with: a file, or a URL that is mapped or built in
    #[arg(long, value_name = "FILE|URL")]
    pub(super) expand_context: Option<String>,

    /// The version of JSON-LD
    #[arg(long, value_name = "VERSION", value_parser = processing_modes())]
    pub(super) processing_mode: Option<ProcessingMode>,

    /// Process keys in code point order
    #[arg(long)]
    pub(super) ordered: bool,

    /// Of an HTML page take every JSON-LD script, not the first; without it a conversion to RDF takes
    /// every one
    #[arg(long, value_name = "true|false")]
    pub(super) extract_all_scripts: Option<bool>,
}

/// What every operation of the JSON-LD API takes: one document in, one out.
#[derive(Debug, Args)]
pub(super) struct OperationArguments {
    /// A file, a URL, or `-` for stdin; gzip and zstd are opened
    pub(super) input: String,

    #[command(flatten)]
    pub(super) reading: ReadingArguments,

    #[command(flatten)]
    pub(super) iris: IriArguments,

    #[command(flatten)]
    pub(super) json_ld: JsonLdArguments,

    #[command(flatten)]
    pub(super) output: OutputArguments,
}

/// The context that a result is compacted with.
#[derive(Debug, Default, Args)]
pub(super) struct ContextArguments {
    /// The context of the result: a file, a URL that is mapped or built in, or karenina,
    /// karenina-spec, karenina-gui, schema.org
    #[arg(short, long, value_name = "FILE|URL|NAME")]
    pub(super) context: Option<String>,

    /// Where the context is said to live
    #[arg(long, value_name = "IRI", requires = "context")]
    pub(super) context_url: Option<String>,
}

/// The options of compaction.
#[derive(Debug, Args)]
pub(super) struct CompactionArguments {
    /// Whether an array of one value becomes that value
    #[arg(long, value_name = "true|false", default_value_t = true, action = ArgAction::Set)]
    pub(super) compact_arrays: bool,

    /// Whether IRIs become relative to the base
    #[arg(long, value_name = "true|false", default_value_t = true, action = ArgAction::Set)]
    pub(super) compact_to_relative: bool,
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

/// Accepts the names of some formats.
pub(super) fn rdf_formats(formats: &[RdfFormat]) -> impl TypedValueParser<Value = RdfFormat> + use<> {
    let names: Vec<&'static str> = formats.iter().map(|format| format.name()).collect();
    PossibleValuesParser::new(names)
        .try_map(|name| RdfFormat::from_name(&name).ok_or_else(|| format!("`{name}` is no format")))
}

fn processing_modes() -> impl TypedValueParser<Value = ProcessingMode> {
    PossibleValuesParser::new(["json-ld-1.0", "json-ld-1.1"]).map(|name| match name.as_str() {
        "json-ld-1.0" => ProcessingMode::JsonLd1_0,
        _ => ProcessingMode::JsonLd1_1,
    })
}

/// Accepts the two values of the API's `rdfDirection`.
pub(super) fn rdf_directions() -> impl TypedValueParser<Value = RdfDirection> {
    PossibleValuesParser::new(["i18n-datatype", "compound-literal"]).map(|name| match name.as_str() {
        "i18n-datatype" => RdfDirection::I18nDatatype,
        _ => RdfDirection::CompoundLiteral,
    })
}

fn encodings() -> impl TypedValueParser<Value = Encoding> {
    PossibleValuesParser::new(Encoding::ALL.map(Encoding::name)).try_map(|name| {
        let encoding = Encoding::ALL.into_iter().find(|encoding| encoding.name() == name);
        encoding.ok_or_else(|| format!("`{name}` is no encoding"))
    })
}

fn column(text: &str) -> Result<(String, String), String> {
    let (key, column) = text.split_once('=').ok_or("expected `KEY=COLUMN`")?;
    if key.is_empty() || column.is_empty() {
        return Err("expected `KEY=COLUMN`".to_owned());
    }
    Ok((key.to_owned(), column.to_owned()))
}

fn separator(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"\\t" | b"tab" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(*byte),
        _ => Err("expected one character, such as ; or \\t".to_owned()),
    }
}

fn media_type(text: &str) -> Result<MediaType, String> {
    let media_type = MediaType::parse(text);
    if media_type.is_html() || RdfFormat::from_media_type(media_type.essence()).is_some() {
        return Ok(media_type);
    }
    let known: Vec<&str> = RdfFormat::ALL.iter().map(|format| format.media_type()).collect();
    Err(format!("not a media type of an RDF format; known are {}, text/html", known.join(", ")))
}

pub(super) fn mapping(text: &str) -> Result<(String, PathBuf), String> {
    // A URL may hold `=` as well, a path rarely does: the last one counts, unless only an earlier
    // one leaves a path that exists.
    let splits = text.match_indices('=').map(|(at, _)| (&text[..at], &text[at + 1..]));
    let parts: Vec<(&str, &str)> = splits.filter(|(url, path)| !url.is_empty() && !path.is_empty()).collect();
    let existing = parts.iter().find(|(_, path)| std::path::Path::new(path).exists());
    let (url, path) = existing.or(parts.last()).ok_or("expected `URL=PATH`")?;
    if !url.contains(':') {
        return Err(format!("`{url}` is not an absolute URL"));
    }
    Ok(((*url).to_owned(), PathBuf::from(path)))
}

/// The most levels that any input may ask for: the processor recurses, and its stack is bounded.
const DEEPEST: usize = 10_000;

fn depth(text: &str) -> Result<usize, String> {
    let levels = text.parse().ok().filter(|levels| (1..=DEEPEST).contains(levels));
    levels.ok_or_else(|| format!("expected a number of levels from 1 to {DEEPEST}"))
}

/// A number of bytes with an optional unit: `500`, `64k`, `10MB`, `1GiB`.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number: u64 =
        text[..digits].parse().map_err(|_| "expected a number of bytes, such as 64MiB".to_owned())?;
    let unit: u64 = match text[digits..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "t" | "tib" => 1 << 40,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        unit => return Err(format!("`{unit}` is no unit; known are kB, MB, GB, TB, KiB, MiB, GiB, TiB")),
    };
    number.checked_mul(unit).ok_or_else(|| "more bytes than any machine has".to_owned())
}

/// A time with an optional unit: `10`, `10s`, `500ms`, `2m`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let end = text.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    let number: f64 = text[..end].parse().map_err(|_| "expected a time, such as 10s".to_owned())?;
    let unit = match text[end..].trim() {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        unit => return Err(format!("`{unit}` is no unit; known are ms, s, m, h")),
    };
    Duration::try_from_secs_f64(number * unit).map_err(|_| "not a time that can be waited".to_owned())
}
