//! Groups of arguments for the option types of the library. clap parses a group, which defines names and help texts,
//! and the options are built from it.

use std::ops::Deref;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgMatches, Args, Command, FromArgMatches, ValueEnum};

use super::argument_values::{column, depth, duration, mapping, media_type, separator, size};
use super::choices::{column_presets, encodings, input_formats, processing_modes};
use super::headings::{INPUT, JSON_LD, NETWORK, STORE, under};
use crate::cli::time_of_run::time_of_run;
use crate::cli::{output, progress};
use evalgraph_diagnostics::RunStrictness;
use evalgraph_engine::input::clock::RunClock;
use evalgraph_engine::input::found_files::FoundFiles;
use evalgraph_engine::input::input_options::{
    InputFormat, IriOptions, NetUse, ReadingOptions, RunInputs, StoreChoice,
};
use evalgraph_engine::input::progress::ProgressDisplay;
use evalgraph_engine::load::read_session::{JsonLdSettings, LoadOptions};
use evalgraph_formats::records::RecordName;
use evalgraph_formats::rows::{ColumnPreset, RowOptions};
use evalgraph_json::{Limits, TextEncoding};
use evalgraph_jsonld::{MediaType, ProcessingMode};

/// Options of the library that clap reads.
#[derive(Debug, Clone, Default)]
pub(in crate::cli) struct GroupedOptions<T>(pub(in crate::cli) T);

impl<T> Deref for GroupedOptions<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// Lets clap parse an option type of the library: clap parses a group of arguments, which help shows under a heading,
/// and the options are built from it.
macro_rules! options_by {
    ($($arguments:ty => $options:ty, $heading:expr, $made:expr;)*) => {$(
        impl FromArgMatches for GroupedOptions<$options> {
            fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
                <$arguments>::from_arg_matches(matches).map($made).map(Self)
            }

            fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, clap::Error> {
                <$arguments>::from_arg_matches_mut(matches).map($made).map(Self)
            }

            fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
                *self = Self::from_arg_matches(matches)?;
                Ok(())
            }
        }

        impl Args for GroupedOptions<$options> {
            fn augment_args(command: Command) -> Command {
                under($heading, command, <$arguments>::augment_args)
            }

            fn augment_args_for_update(command: Command) -> Command {
                under($heading, command, <$arguments>::augment_args_for_update)
            }
        }
    )*};
}

options_by! {
    InputArguments => RunInputs, INPUT, |InputArguments { inputs, store, reading, keep_going, output }| RunInputs {
        inputs, store: store.0, reading: reading.0, keep_going, clock: RunClock::Asked(time_of_run), beside: output.0,
        ..RunInputs::default()
    };
    ReadingArguments => ReadingOptions, INPUT, |arguments: ReadingArguments| ReadingOptions {
        from: arguments.from,
        content_type: arguments.content_type,
        encoding: arguments.encoding,
        rows: RowOptions {
            columns: arguments.map_column,
            preset: arguments.columns,
            separator: arguments.separator,
            sheet: arguments.sheet,
        },
        record: arguments.record,
        limits: Limits { size: arguments.max_size, depth: arguments.max_depth },
        strictness: if arguments.strict { RunStrictness::Strict } else { RunStrictness::Lenient },
        files_read: output::files_read(),
        found: FoundFiles::default(),
        watch: ProgressDisplay(progress::bar),
    };
    IriArguments => IriOptions, JSON_LD, |IriArguments { base, document_url, map, net }| IriOptions {
        base, document_url, map, net: net.0,
    };
    NetArguments => NetUse, NETWORK, |arguments: NetArguments| NetUse {
        is_allowed: arguments.net,
        http: arguments.net_allow.contains(&NetAllowance::Http),
        loopback: arguments.net_allow.contains(&NetAllowance::Loopback),
        private: arguments.net_allow.contains(&NetAllowance::Private),
        timeout: arguments.net_timeout,
        max_redirects: arguments.max_redirects,
    };
    JsonLdArguments => JsonLdSettings, JSON_LD, |arguments: JsonLdArguments| {
        let JsonLdArguments { expand_context, processing_mode, ordered, extract_all_scripts } = arguments;
        JsonLdSettings { expand_context, processing_mode, ordered, extract_all_scripts }
    };
    LoadingArguments => LoadOptions, INPUT, |LoadingArguments { plain, dataset, iris, json_ld }| LoadOptions {
        plain, dataset, iris: iris.0, json_ld: json_ld.0,
    };
    StoreArguments => StoreChoice, STORE, |StoreArguments { store, wait }| StoreChoice {
        store, wait: wait.unwrap_or_default(),
    };
}

/// The inputs, and what to do if one is faulty.
#[derive(Debug, Args)]
struct InputArguments {
    /// Files, folders, globs, URLs, or `-` (default: the store)
    ///
    /// gzip and zstd are opened
    #[arg(value_name = "INPUT")]
    inputs: Vec<String>,

    #[command(flatten)]
    store: GroupedOptions<StoreChoice>,

    #[command(flatten)]
    reading: GroupedOptions<ReadingOptions>,

    /// Skip faulty inputs and go on (still exits with 2)
    #[arg(long)]
    keep_going: bool,

    #[command(flatten)]
    output: OutputFile,
}

/// The file that `--output` names, if the command has that option. It is not an input, even if a folder of inputs
/// contains it.
#[derive(Debug)]
struct OutputFile(Vec<PathBuf>);

impl FromArgMatches for OutputFile {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let output = matches.try_get_one::<PathBuf>("output").ok().flatten();
        Ok(Self(output.cloned().into_iter().collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for OutputFile {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

/// How one input is read.
#[derive(Debug, Clone, Args)]
struct ReadingArguments {
    /// Input format (default: detected)
    #[arg(long, value_name = "FORMAT", value_parser = input_formats())]
    from: Option<InputFormat>,

    /// Media type of the input, as a server would report it
    #[arg(long, value_name = "TYPE", value_parser = media_type, conflicts_with = "from")]
    content_type: Option<MediaType>,

    /// Encoding of the input (default: UTF-8, or what its mark says)
    #[arg(long, value_name = "ENCODING", value_parser = encodings())]
    encoding: Option<TextEncoding>,

    /// Take KEY from COLUMN of a CSV, JSONL or xlsx file, e.g. question=prompt; can be repeated
    ///
    /// COLUMN may be a path into JSON: answers.text.0, messages.-1.content, choices[answer]. If a key is repeated, the
    /// first column that a row has is read
    #[arg(long, value_name = "KEY=COLUMN", value_parser = column)]
    map_column: Vec<(String, String)>,

    /// Take the columns of a common form of rows
    #[arg(long, value_name = "FORM", value_parser = column_presets())]
    columns: Option<&'static ColumnPreset>,

    /// Separator of a table (default: detected from the first line)
    #[arg(long, value_name = "CHARACTER", value_parser = separator)]
    separator: Option<u8>,

    /// Sheet of an Excel workbook (default: the one with a column `question`, or the first)
    #[arg(long, value_name = "NAME")]
    sheet: Option<String>,

    /// Kind of RLCF records (default: detected from names and keys)
    #[arg(long, value_name = "KIND", value_parser = RecordName::parse)]
    record: Option<RecordName>,

    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,

    /// Largest input, after decompression; for JSON with records, the largest record
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = size)]
    max_size: u64,

    /// Deepest nesting of JSON
    #[arg(long, value_name = "LEVELS", default_value_t = 512, value_parser = depth)]
    max_depth: usize,
}

/// How IRIs are resolved and contexts are found.
#[derive(Debug, Default, Args)]
struct IriArguments {
    /// Base IRI for relative IRIs; overrides the URL of the document
    #[arg(long, value_name = "IRI")]
    base: Option<String>,

    /// URL to assume for a local file; the base IRI where `--base` is absent
    #[arg(long, value_name = "IRI")]
    document_url: Option<String>,

    /// Read a URL, or all URLs below one that ends in `/`, from a file or folder
    #[arg(long, value_name = "URL=PATH", value_parser = mapping)]
    map: Vec<(String, PathBuf)>,

    #[command(flatten)]
    net: GroupedOptions<NetUse>,
}

/// The options of the JSON-LD API.
#[derive(Debug, Default, Args)]
struct JsonLdArguments {
    /// Context to start with: a file, or a URL that is mapped or built in
    #[arg(long, value_name = "FILE|URL")]
    expand_context: Option<String>,

    /// Version of JSON-LD
    #[arg(long, value_name = "VERSION", value_parser = processing_modes())]
    processing_mode: Option<ProcessingMode>,

    /// Process keys in code point order
    #[arg(long)]
    ordered: bool,

    /// Take every JSON-LD script of an HTML page, not the first; conversion to RDF takes every one by default
    #[arg(long, value_name = "true|false")]
    extract_all_scripts: Option<bool>,
}

/// The options of the network.
#[derive(Debug, Default, Args)]
struct NetArguments {
    /// Read URLs from the network: contexts, and inputs that are URLs
    #[arg(long)]
    net: bool,

    /// Allow more than https to public addresses; `http` also allows an unencrypted password to a named server
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    net_allow: Vec<NetAllowance>,

    /// Longest time for one URL, redirects included [default: 60s, 10s of it to connect]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    net_timeout: Option<Duration>,

    /// Most redirects from a URL to its document [default: 10]
    #[arg(long, value_name = "NUMBER")]
    max_redirects: Option<usize>,
}

/// The values of `--net-allow`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum NetAllowance {
    /// URLs without encryption
    Http,
    /// This machine
    Loopback,
    /// Private networks
    Private,
}

/// The store to use.
#[derive(Debug, Clone, Default, Args)]
struct StoreArguments {
    /// Store, or the folder it is in (default: the nearest `.evalgraph` upwards)
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,

    /// Wait this long while another process changes the store, e.g. 30s (default: fail at once)
    #[arg(long, value_name = "TIME", value_parser = duration)]
    wait: Option<Duration>,
}

/// How documents are loaded into a dataset.
#[derive(Debug, Args)]
struct LoadingArguments {
    /// Load exactly what the specification yields: no merged namespaces, no minted ids
    #[arg(long)]
    plain: bool,
    /// Name of the dataset (default: the root's `@id`, else the file's stem)
    #[arg(long, value_name = "NAME")]
    dataset: Option<String>,
    #[command(flatten)]
    iris: GroupedOptions<IriOptions>,
    #[command(flatten)]
    json_ld: GroupedOptions<JsonLdSettings>,
}
