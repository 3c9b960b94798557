//! `evalgraph canon`: the canonical form of a dataset (RDFC-1.0), or its hash.

use crate::cli::arguments::option_groups::GroupedOptions;
use std::path::PathBuf;

use clap::Args;
use clap::builder::ValueParser;

use crate::cli::arguments::{OutputArguments, ProcessorArguments, choice};
use crate::cli::canonical_work::{WorkArguments, refused};
use crate::cli::output::{ResultOutput, write_text};
use crate::cli::visible::visible;
use crate::cli::{CommandAnswer, CommandStop, output_form};
use evalgraph_canonicalization::{CanonicalDataset, CanonicalizationOptions, HashAlgorithm, canonicalize};
use evalgraph_diagnostics::RunReport;
use evalgraph_engine::input::input_options::RunInputs;
use evalgraph_engine::load::document::Document;
use evalgraph_engine::load::document_quads::{QuadChanges, QuadRules};
use evalgraph_engine::load::quads::read_all;
use evalgraph_engine::load::read_session::ReadSession;
use evalgraph_engine::workspace::command_sources::sources;
use evalgraph_rdf::QuadBuffer;

const EXAMPLES: &str = "\
Examples:
  evalgraph canon data.ttl
  evalgraph canon checkpoint.jsonld --hash
  evalgraph canon data.nq --map-out labels.json -o canonical.nq

Two files have equal output if they contain the same data, whatever their format, order and labels
of blank nodes. Several inputs become one dataset, but with `--hash` each has its own line.";

/// The arguments of `canon`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct CanonArguments {
    #[command(flatten)]
    input: GroupedOptions<RunInputs>,
    /// Print the hash of each file instead of N-Quads
    #[arg(long, conflicts_with = "map_out")]
    hash: bool,
    /// Hash algorithm, for blank nodes and for `--hash`
    #[arg(long, value_name = "NAME", default_value = "sha256", value_parser = algorithms())]
    algorithm: HashAlgorithm,
    /// Write the issued identifiers map as JSON
    ///
    /// The label in the input and in the output, for each blank node
    #[arg(long, value_name = "FILE")]
    map_out: Option<PathBuf>,
    #[command(flatten)]
    limit: WorkArguments,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    processor: ProcessorArguments,
}

fn algorithms() -> ValueParser {
    choice([("sha256", HashAlgorithm::Sha256), ("sha384", HashAlgorithm::Sha384)])
}

/// Runs `canon`.
pub(super) fn run(arguments: &CanonArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let forms = if arguments.hash { output_form::CANON_HASH } else { output_form::CANON };
    let path = arguments.output.output.as_deref();
    forms.check(path, report)?;
    output_form::CANON_MAP.check(arguments.map_out.as_deref(), report)?;
    let session = arguments.processor.session(&arguments.input.reading)?;
    let options =
        CanonicalizationOptions { algorithm: arguments.algorithm, work_limit: arguments.limit.max_work };
    if arguments.hash {
        return hash_each(arguments, &session, options, report);
    }
    let sources = sources(&arguments.input, report)?;
    let quads = read_all(&sources, &arguments.input, &session, QuadChanges::Nothing, report)?;
    let name = arguments.input.inputs.join(", ");
    let canonical = canonicalize(&quads, options).map_err(|error| refused(&name, &error))?;
    let mut output = ResultOutput::open(path)?;
    canonical.write(&mut output).map_err(|error| output.stop(&error))?;
    if let Some(path) = &arguments.map_out {
        write_text(&identifiers(&canonical), Some(path))?;
    }
    output.finish()?;
    Ok(CommandAnswer::Yes)
}

/// Writes a line for each file. Writes nothing if a file is faulty, unless `--keep-going` is given.
fn hash_each(
    arguments: &CanonArguments,
    session: &ReadSession,
    options: CanonicalizationOptions,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let mut lines = String::new();
    for source in sources(&arguments.input, report)? {
        let mut quads = QuadBuffer::new();
        let Ok(document) = Document::read(&source, session, report) else { continue };
        let rules = QuadRules::new(QuadChanges::Nothing);
        if document.quads_into(rules, session, &mut quads, report).is_err() {
            continue;
        }
        let name = &document.origin.name;
        match canonicalize(&quads, options) {
            Ok(canonical) => lines.push_str(&hash_line(&canonical.hash().to_string(), name)),
            Err(error) => report.add(&refused(name, &error)),
        }
    }
    arguments.input.check(report)?;
    write_text(&lines, arguments.output.output.as_deref())?;
    Ok(CommandAnswer::Yes)
}

/// Returns the line of a file in the format of `sha256sum`: it begins with `\` if the name is escaped. Control
/// characters are made visible.
fn hash_line(hash: &str, name: &str) -> String {
    let escaped = name.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r");
    let sign = if escaped == name { "" } else { "\\" };
    format!("{sign}{hash}  {}\n", visible(&escaped))
}

fn identifiers(canonical: &CanonicalDataset<'_>) -> String {
    let map: serde_json::Map<String, serde_json::Value> =
        canonical.issued_identifiers().map(|(label, issued)| (label, issued.into())).collect();
    format!("{:#}\n", serde_json::Value::Object(map))
}
