//! `evalgraph diff`: what two files do not share, question by question or triple by triple.

use std::fmt::Write as _;
use std::io::Write as _;

use clap::{Args, ValueEnum};

use super::arguments::{IriArguments, JsonLdArguments, OutputArguments, ReadingArguments};
use super::canon::{WorkArguments, refused};
use super::dataset_names::stem;
use super::diff_questions::{self, Names};
use super::documents;
use super::input::{Input, find_sources};
use super::json_ld::{JsonLd, Parsed, StrayIds, report_warnings};
use super::output::Output;
use super::output_form;
use super::rdf_patch::to_rdf_patch;
use super::report::Report;
use super::{Answer, STACK, Stop};
use crate::diagnostic::{Diagnostic, Severity};
use crate::jsonld::LoadMode;
use crate::rdf::canonicalization::CanonicalizationOptions;
use crate::rdf::difference::{Difference, difference};
use crate::rdf::iri::percent_encode_into;
use crate::rdf::vocabulary::EVALGRAPH_GRAPH;
use crate::rdf::{InGraph, QuadBuffer, RdfFormat};
use crate::source::karenina::checkpoint::Checkpoint;
use crate::source::karenina::comparison::compare;
use crate::source::karenina::{Dialect, Survey};

const EXAMPLES: &str = "\
Examples:
  evalgraph diff old.jsonld new.jsonld
  evalgraph diff old.jsonld new.jsonld --ignore dateModified --format markdown
  evalgraph diff old.jsonld new.jsonld --format rdf-patch
  evalgraph diff --by triple data.ttl data.nq && echo the same

Two checkpoints are compared by question, whatever their dialects: text, answer, template, traits,
properties, dates, and what the checkpoints say of themselves, each difference with both places. A
question is told by its id, else by its text. The order of questions, keywords and properties
makes no difference, nor does what one of two programs leaves out because it goes without saying.

By triple, and of all other files, each quad has a line that only one of the inputs holds: `-
quad` for the first, `+ quad` for the second. Formats, order and labels of blank nodes make no
difference. Blank nodes are matched by what is said of them, so that a change at one of them
leaves the others alone; they have the labels of the first input.

An RDF patch turns the graph that the first file is loaded as into that of the second.

The exit status is 0 where both say the same, 1 where they differ, 2 where that cannot be said.";

/// The arguments of `diff`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct DiffArguments {
    /// A file, a directory, a glob pattern, or `-` for stdin
    pub(super) a: String,
    /// What it is compared with
    pub(super) b: String,
    /// What is compared; by default questions of two checkpoints, triples of anything else
    #[arg(long, value_name = "UNIT")]
    by: Option<Unit>,
    /// Leave out differences of a field or property, such as dateModified; can be repeated
    #[arg(long, value_name = "FIELD")]
    ignore: Vec<String>,
    /// The form of the result; without it the extension of the output file tells, else text
    #[arg(long, value_name = "FORM")]
    format: Option<DiffFormat>,
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
    /// Questions of two checkpoints
    Question,
    /// Triples, and quads of named graphs
    Triple,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DiffFormat {
    /// Lines for a person
    Text,
    /// One JSON object
    Json,
    /// A report for a pull request
    Markdown,
    /// The changes of the graph, for a store that takes RDF Patch
    RdfPatch,
}

/// A document of one of the two sides.
enum Content {
    Json(Parsed, Dialect),
    Other(Input, RdfFormat),
}

impl Content {
    fn is_checkpoint(&self) -> bool {
        let Self::Json(_, dialect) = self else { return false };
        !matches!(dialect, Dialect::None | Dialect::ResultsExport)
    }
}

impl DiffArguments {
    /// The form of the result.
    fn form(&self) -> DiffFormat {
        self.format.unwrap_or(DiffFormat::Text)
    }
}

/// Runs `diff`.
pub(super) fn run(mut arguments: DiffArguments, report: &mut Report) -> Result<Answer, Stop> {
    report.set_strictness(arguments.reading.strictness());
    let path = arguments.output.output.as_deref();
    arguments.format = output_form::DIFF.value(path, arguments.format, report)?;
    let arguments = &arguments;
    if arguments.a == "-" && arguments.b == "-" {
        return Err(
            Diagnostic::error("input::stdin", "`-` is given twice, and stdin can be read once").into()
        );
    }
    let json_ld = JsonLd::new(&arguments.iris, &arguments.json_ld, &arguments.reading)?;
    // Documents may nest as deep on any thread as on the first.
    let _ = rayon::ThreadPoolBuilder::new().stack_size(STACK).build_global();
    let (mut part_a, mut part_b) = (report.part(), report.part());
    let (a, b) = rayon::join(
        || read(&arguments.a, &arguments.reading, &json_ld, &mut part_a),
        || read(&arguments.b, &arguments.reading, &json_ld, &mut part_b),
    );
    report.absorb(part_a);
    report.absorb(part_b);
    if report.has_failed() {
        return Err(Stop::Failed);
    }
    let are_checkpoints =
        matches!((a.as_slice(), b.as_slice()), ([a], [b]) if a.is_checkpoint() && b.is_checkpoint());
    let by_question = arguments.by.map_or(are_checkpoints, |unit| unit == Unit::Question);
    let (text, is_same) = if by_question && arguments.form() != DiffFormat::RdfPatch {
        by_questions(arguments, (&a, &b), report)?
    } else {
        if !arguments.ignore.is_empty() {
            let message = "`--ignore` is about fields of questions, and this compares triples";
            return Err(Diagnostic::error("diff::ignore", message).into());
        }
        by_triples(arguments, (a, b), &json_ld, report)?
    };
    let mut output = Output::open(arguments.output.output.as_deref())?;
    output.write_all(text.as_bytes()).map_err(|error| output.stop(&error))?;
    output.finish()?;
    Ok(if is_same { Answer::Yes } else { Answer::No })
}

/// Reads all that an argument names; faults are reported.
fn read(argument: &str, reading: &ReadingArguments, json_ld: &JsonLd, report: &mut Report) -> Vec<Content> {
    let (sources, faults) = find_sources(&[argument.to_owned()]);
    report.add_all(&faults);
    let mut contents = Vec::new();
    for source in &sources {
        let Some((input, format)) = documents::open(source, json_ld, reading, report) else { continue };
        if format != RdfFormat::JsonLd {
            contents.push(Content::Other(input, format));
        } else if let Some(parsed) = json_ld.parse_data(input, report) {
            let dialect = Survey::of(&parsed.document).detect().dialect;
            contents.push(Content::Json(parsed, dialect));
        }
    }
    contents
}

fn by_questions(
    arguments: &DiffArguments,
    (a, b): (&[Content], &[Content]),
    report: &mut Report,
) -> Result<(String, bool), Stop> {
    let ([Content::Json(a, _)], [Content::Json(b, _)]) = (a, b) else {
        let message = "questions are compared of two checkpoints, each one file in JSON";
        return Err(Diagnostic::error("diff::question", message).with_help("add `--by triple`").into());
    };
    let (before, after) = rayon::join(|| Checkpoint::read(&a.document), || Checkpoint::read(&b.document));
    let (before, after) = (before?, after?);
    report.add_all(before.findings.iter().chain(&after.findings));
    let faults = before.findings.iter().chain(&after.findings);
    if report.has_failed() || faults.into_iter().any(|finding| finding.severity == Severity::Error) {
        return Err(Stop::Failed);
    }
    let comparison = compare(&before.checkpoint, &after.checkpoint, &arguments.ignore);
    let names = Names { a: &arguments.a, b: &arguments.b };
    let text = match arguments.form() {
        DiffFormat::Json => diff_questions::to_json(&comparison, names, (&a.document, &b.document)),
        DiffFormat::Markdown => diff_questions::to_markdown(&comparison, names, (&a.document, &b.document)),
        DiffFormat::Text | DiffFormat::RdfPatch => {
            diff_questions::to_text(&comparison, (&a.document, &b.document))
        }
    };
    Ok((text, comparison.is_empty()))
}

fn by_triples(
    arguments: &DiffArguments,
    (a, b): (Vec<Content>, Vec<Content>),
    json_ld: &JsonLd,
    report: &mut Report,
) -> Result<(String, bool), Stop> {
    // A patch is for the graph that the first file is loaded as.
    let dataset = (arguments.form() == DiffFormat::RdfPatch).then(|| dataset_of(&a));
    let a = quads(a, dataset.as_deref(), json_ld, report);
    let b = quads(b, dataset.as_deref(), json_ld, report);
    if report.has_failed() {
        return Err(Stop::Failed);
    }
    let options = CanonicalizationOptions {
        work_limit: arguments.limit.max_work,
        ..CanonicalizationOptions::default()
    };
    let difference = difference(&a, &b, options)
        .map_err(|error| refused(&format!("{}, {}", arguments.a, arguments.b), &error))?;
    let text = match arguments.form() {
        DiffFormat::Text => to_text(&difference),
        DiffFormat::Json => to_json(&difference, arguments),
        DiffFormat::Markdown => to_markdown(&difference, arguments),
        DiffFormat::RdfPatch => to_rdf_patch(&difference),
    };
    Ok((text, difference.is_empty()))
}

/// The name of the dataset of one side, percent-encoded: the root's `@id`, else the stem of the file.
fn dataset_of(contents: &[Content]) -> String {
    let name = contents.first().map(|content| match content {
        Content::Json(Parsed { document, origin }, _) => {
            let id = Survey::of(document).root_id.and_then(|id| document.string(id));
            id.filter(|id| !id.is_empty()).map_or_else(|| stem(origin), |id| id.into_owned())
        }
        Content::Other(input, _) => stem(&super::origin::Origin::of(input)),
    });
    let mut encoded = String::new();
    percent_encode_into(&name.unwrap_or_default(), &mut encoded);
    encoded
}

/// The quads of one side: as the specification has them, or, with the name of a dataset, as they are
/// loaded. Faults are reported.
fn quads(contents: Vec<Content>, dataset: Option<&str>, json_ld: &JsonLd, report: &mut Report) -> QuadBuffer {
    let mut quads = QuadBuffer::new();
    for content in contents {
        match content {
            Content::Other(input, format) => {
                json_ld.read_into(input, format, &mut quads, report);
            }
            Content::Json(parsed, _) => read_json(&parsed, dataset, json_ld, (&mut quads, report)),
        }
    }
    quads
}

fn read_json(
    Parsed { document, origin }: &Parsed,
    dataset: Option<&str>,
    json_ld: &JsonLd,
    (quads, report): (&mut QuadBuffer, &mut Report),
) {
    let mode = |dataset: &str| Survey::of(document).adapt(document, dataset).load_mode;
    let result = json_ld.with_processor(origin, |processor| match dataset {
        None => processor.with_load_mode(LoadMode::default()).to_rdf(document, quads),
        Some(dataset) => {
            let graph = format!("{EVALGRAPH_GRAPH}{dataset}");
            let mut sink = InGraph::new(quads, &graph);
            processor.with_load_mode(mode(dataset)).to_rdf(document, &mut sink)
        }
    });
    match result {
        Ok(mut conversion) => {
            conversion.set_costs(quads.take_lost_costs());
            let ids = if dataset.is_some() { StrayIds::Kept } else { StrayIds::Dropped };
            report_warnings(&conversion.warnings, ids, report);
        }
        Err(error) => {
            report.add(&error.diagnostic());
            quads.take_lost_costs();
        }
    }
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

fn to_markdown(difference: &Difference, arguments: &DiffArguments) -> String {
    let DiffArguments { a, b, .. } = arguments;
    if difference.is_empty() {
        return format!("# `{a}` and `{b}`\n\nNo triple differs.\n");
    }
    format!("# `{a}` → `{b}`\n\n````diff\n{}````\n", to_text(difference))
}
