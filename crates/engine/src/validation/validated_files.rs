//! Checks files against the rules of their systems, each separately and all together.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use super::record_validation::{RuleSets, is_of_directory};
use super::unchecked_inputs::FoundSources;
use crate::input::corpus::{corpus_beside, corpus_in, is_without_rows};
use crate::input::guard::has_keywords;
use crate::input::input_options::RunInputs;
use crate::input::origin::DocumentOrigin;
use crate::input::source::InputSource;
use crate::load::parsed_input::ParsedInput;
use crate::load::read_session::ReadSession;
use crate::load::record_recognition::report_misplaced_beyond;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::validation::RuleReport;
use evalgraph_diagnostics::{Diagnostic, ReportedResult, RunFailure, RunReport, SourcePlace, SourceText};
use evalgraph_formats::checking::{CheckedFile, ProfileName};
use evalgraph_formats::checkpoint::{CheckpointDialect, CheckpointProfile, CheckpointSurvey, ContextMeaning};
use evalgraph_formats::records::RecognisedRecords;
use evalgraph_formats::registry::{checkpoint_programs, system_of_rows, whose_it_is};
use evalgraph_formats::rows::kind_of_rows;
use evalgraph_formats::source_system::SourceSystem;
use evalgraph_formats::system_name::SystemName;
use evalgraph_json::{JsonDocument, TextEncoding};
use evalgraph_rdf::RdfFormat;

/// The rules that files are checked against.
#[derive(Default)]
pub struct AppliedRules {
    /// The name of the rules. By default, each file is checked against the rules of its own system and dialect.
    pub profile: Option<ProfileName>,
    /// The rules.
    pub rules: RuleSets,
}

/// Replaces the name of a file, for results of rules about several files together.
pub const ALL_FILES: &str = "all files";

/// A file that was checked.
#[derive(Debug)]
pub struct ValidatedFile {
    /// Its name in messages.
    pub name: String,
    /// Its dialect or kind.
    pub what: ValidatedFileKind,
    /// The results of the check.
    pub report: RuleReport,
}

/// The dialect or kind of a file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ValidatedFileKind {
    /// A checkpoint in a dialect.
    Checkpoint(CheckpointDialect),
    /// A file of another system: system and kind.
    Records(String),
}

impl ValidatedFileKind {
    /// The description in text.
    pub fn description(&self) -> String {
        match self {
            Self::Checkpoint(dialect) => format!("dialect {dialect}"),
            Self::Records(dialect) => dialect.clone(),
        }
    }

    /// The identifier in JSON.
    pub fn id(&self) -> &str {
        match self {
            Self::Checkpoint(dialect) => dialect.id(),
            Self::Records(dialect) => dialect,
        }
    }
}

/// The inputs of a run: those that were checked, and the faults of the others.
#[derive(Default)]
pub struct CheckedInputs {
    /// The files that were checked.
    pub files: Vec<ValidatedFile>,
    /// The reasons why the others were not.
    pub unchecked: Vec<Diagnostic>,
}

impl CheckedInputs {
    /// Adds faults of inputs, skipping duplicates.
    pub fn add_unchecked(&mut self, faults: Vec<Diagnostic>) {
        for fault in faults {
            if !self.unchecked.iter().any(|known| known.to_string() == fault.to_string()) {
                self.unchecked.push(fault);
            }
        }
    }
}

/// Checks inputs; files without rules are reported.
///
/// # Errors
///
/// Fails if an input is faulty and faulty inputs are not skipped or no others remain.
pub fn check_inputs(
    measure: AppliedRules,
    input: &RunInputs,
    session: &ReadSession,
    report: &mut RunReport,
) -> Result<CheckedInputs, RunFailure> {
    let (directories, rest) = take_without_rows(measure.profile, input);
    let mut files = without_rows(&directories, measure.profile, report);
    if rest.inputs.is_empty() && !files.is_empty() {
        return Ok(CheckedInputs { files, unchecked: Vec::new() });
    }
    let found = FoundSources::find(&rest, report)?;
    files.extend(check_files(&found.sources, measure, &rest, session, report)?);
    let unchecked = found.unchecked(files.iter().map(|file| &*file.name), report);
    if files.is_empty() && !unchecked.is_empty() {
        return Err(RunFailure::Reported);
    }
    Ok(CheckedInputs { files, unchecked })
}

/// Splits the inputs into directories that are datasets without rows, if the rules apply to those, and all other
/// inputs.
fn take_without_rows(profile: Option<ProfileName>, input: &RunInputs) -> (Vec<String>, RunInputs) {
    let has_rule = matches!(profile, None | Some(ProfileName::SEED | ProfileName::CODE));
    let is_one = |argument: &String| has_rule && is_without_rows(Path::new(argument));
    let (directories, inputs) = input.inputs.iter().cloned().partition(is_one);
    (directories, RunInputs { inputs, ..input.clone() })
}

/// Reports on datasets without rows.
fn without_rows(
    directories: &[String],
    profile: Option<ProfileName>,
    report: &mut RunReport,
) -> Vec<ValidatedFile> {
    let Some(system) = system_of_rows() else { return Vec::new() };
    let checked = directories.iter().filter_map(|name| {
        let corpus = report.ok_or_report(corpus_in(Path::new(name))).ok()?;
        let report = system.entry().check_without_rows(name, corpus.as_ref(), profile)?;
        let what = ValidatedFileKind::Records(format!("{system}/rows"));
        Some(ValidatedFile { name: name.clone(), what, report })
    });
    checked.collect()
}

fn check_files(
    sources: &[InputSource],
    mut measure: AppliedRules,
    input: &RunInputs,
    session: &ReadSession,
    report: &mut RunReport,
) -> Result<Vec<ValidatedFile>, RunFailure> {
    let are_several = sources.len() > 1;
    let total = sources.iter().map(InputSource::size).sum();
    let progress = input.reading.watch.begin_two_passes("validating", total);
    let open = |source: &InputSource| {
        progress.at(&source.name());
        let opened = open(source, session, are_several, report).ok();
        progress.advance(source.size());
        opened.map(|opened| (opened, source.size()))
    };
    let opened: Vec<(ValidationInput, u64)> = sources.iter().filter_map(open).collect();
    // Every file is registered before the first is checked, because some rules are about several files together.
    for (file, _) in &opened {
        if let Some(recognised) = &file.recognised
            && let Some(rules) = measure.rules.rules_of(recognised.system)
        {
            // A fault is in the report, which is checked below.
            let _ = report.ok_or_report(rules.notice(&file.document, input.reading.record));
        }
    }
    input.check(report)?;
    let mut files = Vec::new();
    for (file, size) in opened {
        progress.at(&file.name);
        files.extend(check(file, &mut measure, input, session, are_several, report));
        progress.advance(size);
    }
    input.check(report)?;
    let together = measure.rules.finish();
    files.extend(together.map(|(dialect, report)| ValidatedFile {
        name: ALL_FILES.to_owned(),
        what: ValidatedFileKind::Records(dialect),
        report,
    }));
    for file in files.iter().filter(|file| file.report.subjects == 0) {
        report.add(&about_nothing(file));
    }
    Ok(files)
}

/// An input that was read.
struct ValidationInput {
    name: String,
    encoding: TextEncoding,
    document: Arc<JsonDocument>,
    origin: DocumentOrigin,
    /// Its system and kind, if it is not JSON-LD.
    recognised: Option<RecognisedRecords>,
}

/// Reads one input. A fault is reported.
fn open(
    source: &InputSource,
    session: &ReadSession,
    is_one_of_several: bool,
    report: &mut RunReport,
) -> ReportedResult<ValidationInput> {
    let (input, format) = session.input_of(source, report)?;
    let (name, encoding) = (input.origin.name.clone(), input.encoding);
    if format != RdfFormat::JsonLd {
        return Err(report.reported([&not_json_ld(&name, format)]));
    }
    let ParsedInput { document, origin } = session.parse_data(input, report)?;
    let named = session.reading.named_system().or_else(|| named_by_file(&document, &origin, session));
    let for_rules = named.and_then(|system| system.entry().recognise_for_rules(&document));
    // Responses of an API may contain errors, which its rules report.
    let has_fault =
        |entry: &&dyn SourceSystem| is_one_of_several && named.is_none() && entry.is_error_reply(&document);
    let recognised = match (for_rules, SystemName::ALL.map(SystemName::entry).into_iter().find(has_fault)) {
        (Some(recognised), _) => Some(recognised),
        (None, Some(entry)) => report.ok_or_report(entry.recognise_named(&document, None))?,
        (None, None) => session.recognise(&document, &origin, report)?,
    };
    Ok(ValidationInput { name, encoding, document, origin, recognised })
}

/// Returns the system of train.json for an unrecognised object in a file with that name. The rules then report that the
/// file must be an array.
fn named_by_file(
    document: &JsonDocument,
    origin: &DocumentOrigin,
    session: &ReadSession,
) -> Option<SystemName> {
    let name = origin.path().and_then(Path::file_name)?;
    let is_called_so =
        |system: &SystemName| system.entry().file_name().is_some_and(|own| OsStr::new(own) == name);
    let system = SystemName::ALL.into_iter().find(is_called_so)?;
    let is_other = || !matches!(session.recognised(document, None), Ok(None)) || has_keywords(document);
    (!document.is_array(document.root()) && !is_other()).then_some(system)
}

/// Checks one input. An input that has no rules is an error, which is reported.
fn check(
    file: ValidationInput,
    measure: &mut AppliedRules,
    input: &RunInputs,
    session: &ReadSession,
    is_one_of_several: bool,
    report: &mut RunReport,
) -> ReportedResult<ValidatedFile> {
    let ValidationInput { name, encoding, document, origin, recognised } = file;
    let named = measure.profile;
    if let Some(recognised) = recognised {
        let path = origin.path();
        let rows = path.filter(|_| kind_of_rows(&recognised).is_some());
        let corpus = report.ok_or_report(rows.map_or(Ok(None), corpus_beside))?;
        let file = CheckedFile {
            document: &document,
            recognised: &recognised,
            encoding,
            path,
            is_of_directory: is_of_directory(path, &input.inputs),
            corpus: corpus.as_ref(),
            record: input.reading.record,
            is_one_of_several,
        };
        let found = report.ok_or_report(measure.rules.check(&file, named))?;
        let told = report_misplaced_beyond(&found.results, &document, &recognised, report);
        report.ok_or_report(told)?;
        return Ok(ValidatedFile {
            name,
            what: ValidatedFileKind::Records(recognised.dialect()),
            report: found,
        });
    }
    let survey = CheckpointSurvey::from_document(&document);
    let dialect = survey.detect().dialect;
    let is_other = matches!(
        dialect,
        CheckpointDialect::V2a
            | CheckpointDialect::V2b
            | CheckpointDialect::V2c
            | CheckpointDialect::ResultsExport
    );
    let own = || CheckpointProfile::from_dialect(dialect);
    let profile = named.map_or_else(own, CheckpointProfile::from_rules).filter(|_| !is_other);
    let Some(profile) = profile else {
        return Err(report.reported([&without_profile(&name, dialect, named)]));
    };
    let context = match profile {
        CheckpointProfile::Spec => {
            session.with_processor(&origin, |processor| ContextMeaning::from_document(&document, processor))
        }
        CheckpointProfile::Library | CheckpointProfile::Interface => ContextMeaning::Absent,
    };
    let report = checkpoint_programs().check(&document, profile, &context);
    Ok(ValidatedFile { name, what: ValidatedFileKind::Checkpoint(dialect), report })
}

fn whole(name: &str) -> SourcePlace {
    SourceText::new(name, b"").place(0..0)
}

fn not_json_ld(name: &str, format: RdfFormat) -> Diagnostic {
    let message = format!("the rules apply to checkpoint files, but this is {format}");
    Diagnostic::error("validate::format", message)
        .at(whole(name))
        .with_help("convert it to a checkpoint first")
}

fn without_profile(name: &str, dialect: CheckpointDialect, named: Option<ProfileName>) -> Diagnostic {
    let fault = match (dialect, named) {
        (_, Some(named)) if CheckpointProfile::from_dialect(dialect).is_some() => {
            let message = format!("checkpoints have no rules named `{}`", named.name());
            Diagnostic::error("validate::profile", message)
        }
        (CheckpointDialect::None, _) => {
            let message = "neither a Karenina checkpoint nor records of another system, so it has no rules";
            Diagnostic::error("validate::profile", message).with_help(whose_it_is()).with_help(help![
                "or, for a checkpoint that is not recognised, name the rules: ",
                setting("profile").to(CheckpointProfile::Library.name())
            ])
        }
        _ => {
            let what = dialect.description();
            let message =
                format!("the rules apply to checkpoints in JSON-LD, but this is another form: {what}");
            Diagnostic::error("validate::profile", message)
        }
    };
    fault.at(whole(name))
}

/// The warning that a file conforms only because it has no questions to check.
fn about_nothing(file: &ValidatedFile) -> Diagnostic {
    let message = format!(
        "no questions were checked (profile `{}`), so \"conforms\" says nothing about them",
        file.report.profile
    );
    let warning = Diagnostic::warning("validate::nothing", message).at(whole(&file.name));
    let ValidatedFileKind::Checkpoint(dialect) = file.what else { return warning };
    match CheckpointProfile::from_dialect(dialect).filter(|profile| profile.name() != file.report.profile) {
        Some(own) => warning.with_help(help![
            format!("the file is of dialect {dialect}: try "),
            setting("profile").to(format!("{own}"))
        ]),
        None => warning,
    }
}
