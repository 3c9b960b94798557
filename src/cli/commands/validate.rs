//! `evalgraph validate`: whether the readers of a format take a file, and where they would not.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::cli::arguments::OutputArguments;
use crate::cli::output::Output;
use crate::cli::visible::visible;
use crate::cli::{Answer, Stop, output_form};
use crate::diagnostic::validation::{ResultSeverity, RuleSummary, ValidationReport, ValidationResult};
use crate::diagnostic::{Diagnostic, Failure, Place, Report, SourceText, Strictness, thousands};
use crate::input::files_read::FilesRead;
use crate::input::options::{Inputs, IriOptions};
use crate::input::origin::Origin;
use crate::input::source::InputSource;
use crate::input::syntax::Syntax;
use crate::json::{Document, Encoding};
use crate::load::json_ld::{JsonLd, JsonLdSettings};
use crate::load::opening;
use crate::load::parsing::Parsed;
use crate::load::records::report_misplaced_beyond;
use crate::rdf::RdfFormat;
use crate::source::karenina::rules::{ContextMeaning, Profile, validate};
use crate::source::karenina::{Dialect, Survey};
use crate::source::records::Recognised;
use crate::source::rlcf::{is_error_reply, recognise_as};
use crate::source::system::System;
use crate::source::train;
use crate::validation::profile::ProfileName;
use crate::validation::records::{AcrossFiles, FileOrigin, Thresholds, check_records};
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
    #[arg(long, value_name = "PROFILE")]
    profile: Option<ProfileName>,
    /// The form of the report; without it the extension of the output file tells, else text
    #[arg(long, value_name = "FORM")]
    format: Option<ValidateFormat>,
    /// Thresholds of the rules, in JSON or YAML: an object with `kwanzaa` and `rlcf`; what it does not
    /// say is as the documents have it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// How many results of a rule the text shows
    #[arg(long, value_name = "COUNT", default_value_t = 5)]
    shown: usize,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    iris: IriOptions,
    #[command(flatten)]
    json_ld: JsonLdSettings,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ValidateFormat {
    /// Results grouped by rule and counted
    Text,
    /// An array with an object for each file, and every result
    Json,
}

/// A file that was checked.
struct Checked {
    name: String,
    what: What,
    report: ValidationReport,
}

/// What a file was found to be.
enum What {
    /// A checkpoint in a dialect.
    Checkpoint(Dialect),
    /// A file of another system: system and kind.
    Records(String),
}

impl What {
    /// In text.
    fn description(&self) -> String {
        match self {
            Self::Checkpoint(dialect) => format!("dialect {dialect}"),
            Self::Records(dialect) => dialect.clone(),
        }
    }

    /// In JSON.
    fn id(&self) -> &str {
        match self {
            Self::Checkpoint(dialect) => dialect.id(),
            Self::Records(dialect) => dialect,
        }
    }
}

/// Runs `validate`.
pub(super) fn run(arguments: &ValidateArguments, report: &mut Report) -> Result<Answer, Stop> {
    let path = arguments.output.output.as_deref();
    let form = output_form::VALIDATE.value(path, arguments.format, report)?.unwrap_or(ValidateFormat::Text);
    let json_ld = JsonLd::new(&arguments.iris, &arguments.json_ld, &arguments.input.reading)?;
    let sources = sources(&arguments.input, report)?;
    let thresholds = match &arguments.config {
        Some(path) => thresholds(path, &json_ld, report)?,
        None => Thresholds::default(),
    };
    let mut across = AcrossFiles::new(sources.len(), thresholds, arguments.input.reading.record);
    let are_several = sources.len() > 1;
    let open = |source| open(source, arguments, &json_ld, are_several, report);
    let opened: Vec<Opened> = sources.iter().filter_map(open).collect();
    for file in &opened {
        if let Some(recognised) = &file.recognised
            && let Err(fault) = across.notice((&file.document, recognised))
        {
            report.add(&fault);
        }
    }
    arguments.input.check(report)?;
    let mut files = Vec::new();
    for file in opened {
        files.extend(check(file, arguments, (&json_ld, &mut across), report));
    }
    arguments.input.check(report)?;
    let together = across.finish();
    files.extend(together.map(|(dialect, report)| Checked {
        name: "all files".to_owned(),
        what: What::Records(dialect),
        report,
    }));
    for file in files.iter().filter(|file| file.report.subjects == 0) {
        report.add(&about_nothing(file));
    }
    let mut output = Output::open(path)?;
    let written = match form {
        ValidateFormat::Text => write_text(&files, arguments.shown, &mut output),
        ValidateFormat::Json => write_json(&files, &mut output),
    };
    written.map_err(|error| output.stop(&error))?;
    output.finish()?;
    let strict = arguments.input.reading.strictness == Strictness::Strict;
    let conforms = |file: &Checked| {
        file.report.conforms() && !(strict && file.report.count(ResultSeverity::Warning) > 0)
    };
    Ok(if files.iter().all(conforms) { Answer::Yes } else { Answer::No })
}

/// An input that was read.
struct Opened {
    name: String,
    encoding: Encoding,
    document: Arc<Document>,
    origin: Origin,
    /// What it is, where it is no JSON-LD.
    recognised: Option<Recognised>,
}

fn thresholds(path: &Path, json_ld: &JsonLd, report: &mut Report) -> Result<Thresholds, Stop> {
    let mut input = InputSource::File(path.to_owned()).read(u64::MAX, &FilesRead::default())?;
    input.syntax = Syntax::of(&input.name, &input.bytes).unwrap_or(input.syntax);
    let Parsed { document, .. } = json_ld.parse_data(input, report).ok_or(Failure::Reported)?;
    Ok(Thresholds::read(&document)?)
}

/// Reads one input; none where it is at fault, which is reported.
fn open(
    source: &InputSource,
    arguments: &ValidateArguments,
    json_ld: &JsonLd,
    is_one_of_several: bool,
    report: &mut Report,
) -> Option<Opened> {
    let (input, format) = opening::open(source, json_ld, &arguments.input.reading, report)?;
    let (name, encoding) = (input.name.clone(), input.encoding);
    if format != RdfFormat::JsonLd {
        report.add(&not_json_ld(&name, format));
        return None;
    }
    let Parsed { document, origin } = json_ld.parse_data(input, report)?;
    let recognised = match json_ld.named_system() {
        // What is wrong with a file that is said to be rows is for the rules to say.
        Some(System::Train) => Some(train::recognise(&document).unwrap_or_else(train::assumed)),
        // Among the replies of an API some may be errors, which its rules tell of.
        None if is_one_of_several && is_error_reply(&document) => Some(recognise_as(&document, None).ok()?),
        _ => json_ld.recognise(&document, &origin, report).ok()?,
    };
    Some(Opened { name, encoding, document, origin, recognised })
}

/// Checks one input; none where no rules are about it, which is reported.
fn check(
    file: Opened,
    arguments: &ValidateArguments,
    (json_ld, across): (&JsonLd, &mut AcrossFiles),
    report: &mut Report,
) -> Option<Checked> {
    let Opened { name, encoding, document, origin, recognised } = file;
    if let Some(recognised) = recognised {
        let place = FileOrigin::of(origin.path(), encoding, &arguments.input.inputs);
        let checked = check_records((&document, &recognised), arguments.profile, place, across);
        let found = checked.map_err(|fault| report.add(&fault)).ok()?;
        let told = report_misplaced_beyond(&found.results, (&document, &recognised), report);
        told.map_err(|fault| report.add(&fault)).ok()?;
        return Some(Checked { name, what: What::Records(recognised.dialect()), report: found });
    }
    let survey = Survey::of(&document);
    let dialect = survey.detect().dialect;
    let is_other = matches!(dialect, Dialect::V2a | Dialect::V2b | Dialect::V2c | Dialect::ResultsExport);
    let own = || Profile::of(dialect);
    let profile = arguments.profile.map_or_else(own, ProfileName::for_karenina).filter(|_| !is_other);
    let Some(profile) = profile else {
        report.add(&without_profile(&name, dialect, arguments.profile));
        return None;
    };
    let context = match profile {
        Profile::Spec => {
            json_ld.with_processor(&origin, |processor| ContextMeaning::of(&document, processor))
        }
        Profile::Library | Profile::Interface => ContextMeaning::Absent,
    };
    Some(Checked { name, what: What::Checkpoint(dialect), report: validate(&document, profile, &context) })
}

fn whole(name: &str) -> Place {
    SourceText::new(name, b"").place(0..0)
}

fn not_json_ld(name: &str, format: RdfFormat) -> Diagnostic {
    let message = format!("the rules are about checkpoint files, and this is {format}");
    Diagnostic::error("validate::format", message)
        .at(whole(name))
        .with_help("convert it to a checkpoint first")
}

fn without_profile(name: &str, dialect: Dialect, named: Option<ProfileName>) -> Diagnostic {
    let fault = match (dialect, named) {
        (_, Some(named)) if Profile::of(dialect).is_some() => {
            let message = format!("checkpoints have no rules of the name `{}`", named.name());
            Diagnostic::error("validate::profile", message)
        }
        (Dialect::None, _) => {
            let message =
                "neither a Karenina checkpoint nor records of another system, so that no rules are its own";
            Diagnostic::error("validate::profile", message)
                .with_help("say whose it is: `--from train`, `--from kwanzaa` or `--from rlcf --record KIND`")
                .with_help("or, of a checkpoint that is not known as one, whose rules it is to keep: `--profile karenina`")
        }
        _ => {
            let what = dialect.description();
            let message =
                format!("the rules are about checkpoints in JSON-LD, and this is another form: {what}");
            Diagnostic::error("validate::profile", message)
        }
    };
    fault.at(whole(name))
}

/// That a file conforms means nothing where no question was looked at.
fn about_nothing(file: &Checked) -> Diagnostic {
    let message = format!(
        "no question was looked at by the rules of {}: what they say of questions says nothing here",
        file.report.profile
    );
    let warning = Diagnostic::warning("validate::nothing", message).at(whole(&file.name));
    let What::Checkpoint(dialect) = file.what else { return warning };
    match Profile::of(dialect).filter(|profile| profile.name() != file.report.profile) {
        Some(own) => warning.with_help(format!("the file is of dialect {dialect}: try `--profile {own}`")),
        None => warning,
    }
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

fn write_json(files: &[Checked], output: &mut impl Write) -> io::Result<()> {
    let files: Vec<Value> = files.iter().map(to_json).collect();
    serde_json::to_writer_pretty(&mut *output, &files)?;
    writeln!(output)
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
