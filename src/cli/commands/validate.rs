//! `evalgraph validate`: says whether the readers of a format accept a file, and where they would refuse it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use crate::cli::arguments::{OutputArguments, ReportForm, profiles, report_forms, severities};
use crate::cli::ending;
use crate::cli::output::write;
use crate::cli::rdf_output::write_quads;
use crate::cli::{Answer, Stop, output_form};
use crate::convert::json_ld::JsonLdShape;
use crate::diagnostic::help::{help, setting};
use crate::diagnostic::validation::ResultSeverity;
use crate::diagnostic::{Diagnostic, Failure, Report, Severity, Strictness, thousands};
use crate::input::files_read::FilesRead;
use crate::input::options::Inputs;
use crate::input::source::{Input, InputSource};
use crate::input::syntax::Syntax;
use crate::json::Document;
use crate::load::json_ld::{JsonLd, LoadOptions};
use crate::load::parsing::Parsed;
use crate::rdf::{QuadBuffer, RdfFormat};
use crate::report::baseline::Baseline;
use crate::report::reported::{Reported, keep_from};
use crate::report::{Compared, ReportFormat};
use crate::validation::files::{Checked, Measure, check_files};
use crate::validation::reading_shapes::read_shapes;
use crate::validation::records::ProfileName;
use crate::validation::records::RuleSets;
use crate::validation::shapes::checked;
use crate::validation::shapes_run::has_matched as has_matched_any;
use crate::workspace::sources::sources;

const EXAMPLES: &str = "\
Examples:
  evalgraph validate checkpoint.jsonld
  evalgraph validate checkpoint.jsonld --profile karenina-spec
  evalgraph validate 'runs/*.jsonld' --profile karenina --format json
  evalgraph validate data/ --profile seed --config thresholds.yaml
  evalgraph validate data/ -o report.sarif
  evalgraph validate data/ --severity warning --baseline old.sarif --format github
  evalgraph validate data/ --shapes karenina --shapes own.ttl
  evalgraph validate data/ --shapes own.ttl -o report.ttl

Profiles:
  karenina-spec  what the specification, 3.0.0-jsonld, asks for: rules K-S1 to K-S13
  karenina       what the loader of the Python library asks for: K-P
  karenina-gui   what the validator of the user interface asks for: K-G1 to K-G7
  seed           what the documents of the system of the file ask for; the default where that is not
                 Karenina
  code           what the shipped code of that system takes; `shipped` is another word for it
  contract       what Kwanzaa's contract asks of expected answers; the default for an answer alone
Rules K-X say of any checkpoint what no program checks: ids and names that clash, questions that
are finished without a template, values that change on the way. They never are violations.

With --shapes the union of the inputs is held against shapes in SHACL, and against rules only where
--profile names some. Built-in shapes: common, karenina, karenina-spec, kwanzaa, rlcf, train. The
exit status is then 1, too, where no shape finds a node to look at.

The exit status is 0 where there is no violation, 1 where there is one, 2 where a file cannot be
checked. With --strict a warning counts as a violation. Patterns are regular expressions of Python,
which are not compiled, and code is never run.";

/// The arguments of `validate`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ValidateArguments {
    #[command(flatten)]
    input: Inputs,
    /// Whose rules; by default those of the program that writes the dialect of the file
    #[arg(long, value_name = "PROFILE", value_parser = profiles())]
    profile: Option<ProfileName>,
    /// Shapes in SHACL: a file, a URL that is mapped, or built-in ones by name; may be given several times
    #[arg(long, value_name = "FILE|NAME")]
    shapes: Vec<String>,
    /// Say that data conform though no shape finds a node to look at
    #[arg(long, requires = "shapes")]
    allow_unmatched: bool,
    /// The form of the report; without it the extension of the output file tells, else text. A form of RDF is the
    /// report of SHACL, which only --shapes has
    #[arg(long, value_name = "FORM", value_parser = report_forms())]
    format: Option<ReportForm>,
    /// Show and count results from a severity upward; the exit status stays the same
    #[arg(long, value_name = "SEVERITY", default_value = "info", value_parser = severities())]
    severity: ResultSeverity,
    /// Report only what is new since a report that was saved as JSON or SARIF: results of another rule, object, path,
    /// value or file; lines may have moved. The exit status is about what is new
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Thresholds of the rules, in JSON or YAML: an object with `train`, `kwanzaa` and `rlcf`; what it
    /// does not say is as the documents have it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// How many results of a rule text, table and Markdown show
    #[arg(long, value_name = "COUNT", default_value_t = 5)]
    shown: usize,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    loading: LoadOptions,
}

/// Runs `validate`.
pub(super) fn run(arguments: &ValidateArguments, report: &mut Report) -> Result<Answer, Stop> {
    let path = arguments.output.output.as_deref();
    let named = arguments.format.map(ReportForm::name);
    let forms = match arguments.shapes.is_empty() {
        true => output_form::VALIDATE,
        false => output_form::VALIDATE_SHAPES,
    };
    let form = forms.chosen(path, named, report)?;
    let form = form.and_then(ReportForm::from_name).unwrap_or(ReportForm::Report(ReportFormat::Text));
    let Inputs { reading, .. } = &arguments.input;
    let json_ld = JsonLd::new(&arguments.loading.iris, &arguments.loading.json_ld, reading)?;
    if let ReportForm::Graph(format) = form
        && arguments.shapes.is_empty()
    {
        return Err(no_graph(format).into());
    }
    let baseline = match &arguments.baseline {
        Some(path) => Some(Baseline::read(&*document(path, &json_ld, report)?)?),
        None => None,
    };
    let mut files = Vec::new();
    if arguments.shapes.is_empty() || arguments.profile.is_some() {
        files = check_rules(arguments, &json_ld, report)?;
    }
    let mut has_matched = true;
    if !arguments.shapes.is_empty() {
        let shapes = read_shapes(&arguments.shapes, &arguments.input, &arguments.loading, report)?;
        let names = shapes.names();
        let cancellation = ending::cancellation();
        let (file, graph, matched) = shapes.check(
            &arguments.input,
            &arguments.loading,
            cancellation,
            report,
            |validated, places| {
                let mut graph = QuadBuffer::new();
                if matches!(form, ReportForm::Graph(_)) {
                    validated.to_quads(&mut graph);
                }
                (checked(validated, places, &names), graph, has_matched_any(validated))
            },
        )?;
        files.push(file);
        has_matched = matched || arguments.allow_unmatched;
        if let ReportForm::Graph(format) = form {
            write_quads(graph, format, path, &json_ld, &JsonLdShape::default(), report)?;
        }
    }
    let compared = baseline.map(|baseline| baseline.leave_out(&mut files));
    let strictness = arguments.input.reading.strictness;
    let conforms = |file: &Checked| {
        let warnings = file.report.count(ResultSeverity::Warning);
        file.report.conforms() && !(strictness == Strictness::Strict && warnings > 0)
    };
    let answer = if files.iter().all(conforms) && has_matched { Answer::Yes } else { Answer::No };
    let ReportForm::Report(format) = form else { return Ok(answer) };
    files.iter_mut().for_each(|file| keep_from(arguments.severity, &mut file.report));
    let reported = Reported {
        least: arguments.severity,
        shown: arguments.shown,
        strictness,
        known: compared.as_ref().map(|(known, _)| &**known),
        ..Reported::of(&files)
    };
    write(path, |output| format.write(&reported, output))?;
    if let Some((_, compared)) = compared {
        report.add(&left_out(compared));
    }
    Ok(answer)
}

/// Holds the inputs against rules, file by file.
fn check_rules(
    arguments: &ValidateArguments,
    json_ld: &JsonLd,
    report: &mut Report,
) -> Result<Vec<Checked>, Stop> {
    let sources = sources(&arguments.input, report)?;
    let rules = match &arguments.config {
        Some(path) => RuleSets::read(&*document(path, json_ld, report)?)?,
        None => RuleSets::default(),
    };
    let measure = Measure { profile: arguments.profile, rules };
    Ok(check_files(&sources, measure, &arguments.input, json_ld, report)?)
}

/// The error for a report in RDF of rules, which are no shapes.
fn no_graph(format: RdfFormat) -> Diagnostic {
    let message = format!("only shapes have a report in {format}, and no shapes are given");
    let help = help!["name some with ", setting("shapes")];
    Diagnostic::error("output::format", message).with_help(help)
}

/// The note of how many results the baseline has.
fn left_out(Compared { left_out: known, gone, .. }: Compared) -> Diagnostic {
    let are = if known == 1 { "result is" } else { "results are" };
    let have = if gone == 1 { "has" } else { "have" };
    let message = format!(
        "{} {are} in the baseline and left out, {} of the baseline {have} not come up again",
        thousands(known),
        thousands(gone)
    );
    Diagnostic::new(Severity::Note, "validate::left-out", message)
}

/// Reads a file that an option names.
fn document(path: &Path, json_ld: &JsonLd, report: &mut Report) -> Result<Arc<Document>, Stop> {
    let mut input = InputSource::File(path.to_owned()).read(u64::MAX, &FilesRead::default())?;
    let Input { origin, bytes, .. } = &mut input;
    origin.syntax = Syntax::of(&origin.name, bytes).unwrap_or(origin.syntax);
    let Parsed { document, .. } = json_ld.parse_data(input, report).ok_or(Failure::Reported)?;
    Ok(document)
}
