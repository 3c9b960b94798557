//! `evalgraph diff`: what two files do not share.

use std::fmt::Write as _;
use std::io::Write as _;

use clap::{Args, ValueEnum};

use super::arguments::{IriArguments, JsonLdArguments, OutputArguments, ReadingArguments};
use super::canon::{WorkArguments, refused};
use super::documents;
use super::input::find_sources;
use super::json_ld::JsonLd;
use super::output::Output;
use super::report::Report;
use super::{Answer, Stop};
use crate::diagnostic::Diagnostic;
use crate::rdf::QuadBuffer;
use crate::rdf::canonicalization::CanonicalizationOptions;
use crate::rdf::difference::{Difference, difference};

const EXAMPLES: &str = "\
Examples:
  evalgraph diff --by triple old.jsonld new.jsonld
  evalgraph diff --by triple data.ttl data.nq && echo the same

Prints a line for each quad that only one of the inputs holds: `- quad` for the first, `+ quad` for the
second. Formats, order and labels of blank nodes make no difference. Blank nodes are matched by what
is said of them, so that a change at one of them leaves the others alone; they have the labels of the
first input. The exit status is 0 where both say the same, 1 where they differ, 2 where that cannot be
said.";

/// The arguments of `diff`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct DiffArguments {
    /// A file, a directory, a glob pattern, or `-` for stdin
    a: String,
    /// What it is compared with
    b: String,
    /// What is compared
    #[arg(long, value_name = "UNIT")]
    by: Unit,
    /// The form of the result
    #[arg(long, value_name = "FORM", default_value = "text")]
    format: DiffFormat,
    #[command(flatten)]
    limit: WorkArguments,
    #[command(flatten)]
    reading: ReadingArguments,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    iris: IriArguments,
    #[command(flatten)]
    json_ld: JsonLdArguments,
}

/// What a difference consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Unit {
    /// Triples, and quads of named graphs
    Triple,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DiffFormat {
    /// A line for each quad
    Text,
    /// One JSON object
    Json,
}

/// Runs `diff`.
pub(super) fn run(arguments: &DiffArguments, report: &mut Report) -> Result<Answer, Stop> {
    report.set_strictness(arguments.reading.strictness());
    if arguments.a == "-" && arguments.b == "-" {
        return Err(
            Diagnostic::error("input::stdin", "`-` is given twice, and stdin can be read once").into()
        );
    }
    let json_ld = JsonLd::new(&arguments.iris, &arguments.json_ld, &arguments.reading)?;
    let a = read(&arguments.a, &arguments.reading, &json_ld, report);
    let b = read(&arguments.b, &arguments.reading, &json_ld, report);
    if report.has_failed() {
        return Err(Stop::Failed);
    }
    let options = CanonicalizationOptions {
        work_limit: arguments.limit.max_work,
        ..CanonicalizationOptions::default()
    };
    let difference = match arguments.by {
        Unit::Triple => difference(&a, &b, options)
            .map_err(|error| refused(&format!("{}, {}", arguments.a, arguments.b), &error))?,
    };
    let text = match arguments.format {
        DiffFormat::Text => to_text(&difference),
        DiffFormat::Json => to_json(&difference, arguments),
    };
    let mut output = Output::open(arguments.output.output.as_deref())?;
    output.write_all(text.as_bytes()).map_err(|error| output.stop(&error))?;
    output.finish()?;
    Ok(if difference.is_empty() { Answer::Yes } else { Answer::No })
}

/// Reads all that an argument names; faults are reported.
fn read(argument: &str, reading: &ReadingArguments, json_ld: &JsonLd, report: &mut Report) -> QuadBuffer {
    let (sources, faults) = find_sources(&[argument.to_owned()]);
    report.add_all(&faults);
    let mut quads = QuadBuffer::new();
    for source in &sources {
        if let Some((input, format)) = documents::open(source, json_ld, reading, report) {
            json_ld.read_into(input, format, &mut quads, report);
        }
    }
    quads
}

/// Both lists as one in the order of the quads, so that what changed stands side by side.
fn to_text(difference: &Difference) -> String {
    let mut lines: Vec<(&str, char)> = difference.removed.iter().map(|line| (line.as_str(), '-')).collect();
    lines.extend(difference.added.iter().map(|line| (line.as_str(), '+')));
    lines.sort_unstable_by_key(|&(line, sign)| (line, sign == '+'));
    let mut text = String::new();
    for (line, sign) in lines {
        let _ = writeln!(text, "{sign} {line}");
    }
    text
}

fn to_json(difference: &Difference, arguments: &DiffArguments) -> String {
    let json = serde_json::json!({
        "a": arguments.a,
        "b": arguments.b,
        "equal": difference.is_empty(),
        "removed": difference.removed,
        "added": difference.added,
    });
    format!("{json:#}\n")
}
