//! `evalgraph validate`: says whether the readers of a format accept a file, and where they would refuse it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::cli::arguments::{OutputArguments, ProcessorArguments, profiles};
use crate::cli::output::{write, write_json};
use crate::cli::visible::visible;
use crate::cli::{Answer, Stop, output_form};
use crate::diagnostic::validation::{ResultSeverity, RuleSummary, ValidationReport, ValidationResult};
use crate::diagnostic::{Failure, Report, Strictness, thousands};
use crate::input::files_read::FilesRead;
use crate::input::options::Inputs;
use crate::input::source::{Input, InputSource};
use crate::input::syntax::Syntax;
use crate::load::json_ld::JsonLd;
use crate::load::parsing::Parsed;
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
    #[arg(long, value_name = "FORM")]
    format: Option<ValidateFormat>,
    /// Thresholds of the rules, in JSON or YAML: an object with `train`, `kwanzaa` and `rlcf`; what it
    /// does not say is as the documents have it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// How many results of a rule the text shows
    #[arg(long, value_name = "COUNT", default_value_t = 5)]
    shown: usize,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    processor: ProcessorArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ValidateFormat {
    /// Results grouped by rule and counted
    Text,
    /// An array with an object for each file, and every result
    Json,
}

/// Runs `validate`.
pub(super) fn run(arguments: &ValidateArguments, report: &mut Report) -> Result<Answer, Stop> {
    let path = arguments.output.output.as_deref();
    let form = output_form::VALIDATE.value(path, arguments.format, report)?.unwrap_or(ValidateFormat::Text);
    let json_ld = arguments.processor.json_ld(&arguments.input.reading)?;
    let sources = sources(&arguments.input, report)?;
    let rules = match &arguments.config {
        Some(path) => thresholds(path, &json_ld, report)?,
        None => RuleSets::default(),
    };
    let measure = Measure { profile: arguments.profile, rules };
    let files = check_files(&sources, measure, &arguments.input, &json_ld, report)?;
    write(path, |output| match form {
        ValidateFormat::Text => write_text(&files, arguments.shown, output),
        ValidateFormat::Json => write_json(&files.iter().map(to_json).collect(), output),
    })?;
    let strict = arguments.input.reading.strictness == Strictness::Strict;
    let conforms = |file: &Checked| {
        file.report.conforms() && !(strict && file.report.count(ResultSeverity::Warning) > 0)
    };
    Ok(if files.iter().all(conforms) { Answer::Yes } else { Answer::No })
}

/// Reads the thresholds of `--config`.
fn thresholds(path: &Path, json_ld: &JsonLd, report: &mut Report) -> Result<RuleSets, Stop> {
    let mut input = InputSource::File(path.to_owned()).read(u64::MAX, &FilesRead::default())?;
    let Input { origin, bytes, .. } = &mut input;
    origin.syntax = Syntax::of(&origin.name, bytes).unwrap_or(origin.syntax);
    let Parsed { document, .. } = json_ld.parse_data(input, report).ok_or(Failure::Reported)?;
    Ok(RuleSets::read(&document)?)
}

fn write_text(files: &[Checked], shown: usize, output: &mut impl Write) -> io::Result<()> {
    for (at, file) in files.iter().enumerate() {
        if at > 0 {
            writeln!(output)?;
        }
        let report = &file.report;
        let verdict = if report.conforms() { "conforms to" } else { "does not conform to" };
        let (name, profile) = (visible(&file.name), &report.profile);
        let what = file.what.description();
        writeln!(output, "{name}: {verdict} {profile} ({what}): {}", counts(report))?;
        for rule in report.rules.iter().filter(|rule| rule.results > 0) {
            write_rule(report, rule, shown, output)?;
        }
        let looked = report.rules.iter().filter(|rule| rule.looked_at > 0);
        let looked: Vec<String> =
            looked.map(|rule| format!("{} {}", rule.id, thousands(rule.looked_at))).collect();
        writeln!(output, "  objects looked at: {}", looked.join(", "))?;
        let idle: Vec<&str> = report.idle_rules().map(|rule| rule.id.as_ref()).collect();
        if !idle.is_empty() {
            writeln!(output, "  nothing to look at: {}", idle.join(", "))?;
        }
    }
    Ok(())
}

fn counts(report: &ValidationReport) -> String {
    let counted = |severity: ResultSeverity| {
        let (count, word) = (report.count(severity), severity.to_string());
        let plural = if count == 1 || severity == ResultSeverity::Info { "" } else { "s" };
        format!("{} {word}{plural}", thousands(count))
    };
    ResultSeverity::ALL.map(counted).join(", ")
}

fn write_rule(
    report: &ValidationReport,
    rule: &RuleSummary,
    shown: usize,
    output: &mut impl Write,
) -> io::Result<()> {
    let (found, looked) = (thousands(rule.results), thousands(rule.looked_at));
    let plural = if rule.results == 1 { "result" } else { "results" };
    writeln!(output, "  {} {}: {}", rule.id, rule.severity, rule.title)?;
    writeln!(output, "    {found} {plural} at {looked} looked at")?;
    for result in report.results_of(&rule.id).take(shown) {
        write_result(result, output)?;
    }
    if let Some(more) = rule.results.checked_sub(shown as u64).filter(|&more| more > 0) {
        writeln!(output, "    … and {} more", thousands(more))?;
    }
    Ok(())
}

fn write_result(result: &ValidationResult, output: &mut impl Write) -> io::Result<()> {
    write!(output, "    ")?;
    if let Some(place) = &result.place {
        write!(output, "{}: ", visible(&place.to_string()))?;
    }
    write!(output, "{}", visible(&result.message))?;
    if let Some((place, label)) = result.related.as_deref() {
        write!(output, " ({label}: line {})", place.line)?;
    }
    writeln!(output)?;
    let pointer = result.place.as_ref().and_then(|place| place.pointer.as_deref());
    match pointer.unwrap_or(result.focus.as_str()) {
        "" => Ok(()),
        pointer => writeln!(output, "      at {}", visible(pointer)),
    }
}

fn to_json(file: &Checked) -> Value {
    let report = &file.report;
    let rules = report.rules.iter().map(|rule| {
        json!({
            "id": rule.id,
            "severity": rule.severity.to_string(),
            "title": rule.title,
            "lookedAt": rule.looked_at,
            "results": rule.results,
        })
    });
    json!({
        "file": file.name,
        "dialect": file.what.id(),
        "profile": report.profile,
        "conforms": report.conforms(),
        "questions": report.subjects,
        "violations": report.count(ResultSeverity::Violation),
        "warnings": report.count(ResultSeverity::Warning),
        "infos": report.count(ResultSeverity::Info),
        "rules": rules.collect::<Vec<_>>(),
        "results": report.results.iter().map(|result| result_to_json(result, report)).collect::<Vec<_>>(),
    })
}

fn result_to_json(result: &ValidationResult, report: &ValidationReport) -> Value {
    let place = result.place.as_deref();
    let spot = place.filter(|place| !place.is_whole());
    let related = result.related.as_deref().map(|(place, label)| {
        json!({
            "message": label,
            "line": place.line,
            "column": place.column,
            "pointer": place.pointer,
        })
    });
    json!({
        "rule": result.rule,
        "profile": report.profile,
        "severity": result.severity.to_string(),
        "message": result.message,
        "focus": result.focus.as_str(),
        "path": result.path,
        "value": result.value,
        "file": place.map(|place| place.source.as_ref()),
        "line": spot.map(|place| place.line),
        "column": spot.map(|place| place.column),
        "pointer": place.and_then(|place| place.pointer.as_ref()),
        "related": related,
    })
}
