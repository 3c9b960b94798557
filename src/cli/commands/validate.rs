//! `evalgraph validate`: says whether the readers of a format accept a file, and where they would refuse it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use crate::cli::arguments::{OutputArguments, ProcessorArguments, profiles, report_formats, severities};
use crate::cli::output::write;
use crate::cli::{Answer, Stop, output_form};
use crate::diagnostic::validation::ResultSeverity;
use crate::diagnostic::{Failure, Report, Strictness};
use crate::input::files_read::FilesRead;
use crate::input::options::Inputs;
use crate::input::source::{Input, InputSource};
use crate::input::syntax::Syntax;
use crate::json::Document;
use crate::load::json_ld::JsonLd;
use crate::load::parsing::Parsed;
use crate::report::ReportFormat;
use crate::report::reported::{Reported, keep_from};
use crate::validation::files::{Checked, Measure, check_files};
use crate::validation::records::ProfileName;
use crate::validation::records::RuleSets;
use crate::workspace::sources::sources;

const EXAMPLES: &str = "\
Examples:
  evalgraph validate checkpoint.jsonld
  evalgraph validate checkpoint.jsonld --profile karenina-spec
  evalgraph validate 'runs/*.jsonld' --profile karenina --format json
  evalgraph validate data/ --profile seed --config thresholds.yaml
  evalgraph validate data/ -o report.sarif
  evalgraph validate data/ --severity warning --format github

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
    /// The form of the report; without it the extension of the output file tells, else text
    #[arg(long, value_name = "FORM", value_parser = report_formats())]
    format: Option<ReportFormat>,
    /// Show and count results from a severity upward; the exit status stays the same
    #[arg(long, value_name = "SEVERITY", default_value = "info", value_parser = severities())]
    severity: ResultSeverity,
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
    processor: ProcessorArguments,
}

/// Runs `validate`.
pub(super) fn run(arguments: &ValidateArguments, report: &mut Report) -> Result<Answer, Stop> {
    let path = arguments.output.output.as_deref();
    let format = output_form::VALIDATE.report(path, arguments.format, report)?.unwrap_or(ReportFormat::Text);
    let json_ld = arguments.processor.json_ld(&arguments.input.reading)?;
    let sources = sources(&arguments.input, report)?;
    let rules = match &arguments.config {
        Some(path) => RuleSets::read(&*document(path, &json_ld, report)?)?,
        None => RuleSets::default(),
    };
    let measure = Measure { profile: arguments.profile, rules };
    let mut files = check_files(&sources, measure, &arguments.input, &json_ld, report)?;
    let strictness = arguments.input.reading.strictness;
    let conforms = |file: &Checked| {
        let warnings = file.report.count(ResultSeverity::Warning);
        file.report.conforms() && !(strictness == Strictness::Strict && warnings > 0)
    };
    let answer = if files.iter().all(conforms) { Answer::Yes } else { Answer::No };
    files.iter_mut().for_each(|file| keep_from(arguments.severity, &mut file.report));
    let reported = Reported::of(&files)
        .with_least(arguments.severity)
        .with_shown(arguments.shown)
        .with_strictness(strictness);
    write(path, |output| format.write(&reported, output))?;
    Ok(answer)
}

/// Reads a file that an option names.
fn document(path: &Path, json_ld: &JsonLd, report: &mut Report) -> Result<Arc<Document>, Stop> {
    let mut input = InputSource::File(path.to_owned()).read(u64::MAX, &FilesRead::default())?;
    let Input { origin, bytes, .. } = &mut input;
    origin.syntax = Syntax::of(&origin.name, bytes).unwrap_or(origin.syntax);
    let Parsed { document, .. } = json_ld.parse_data(input, report).ok_or(Failure::Reported)?;
    Ok(document)
}
