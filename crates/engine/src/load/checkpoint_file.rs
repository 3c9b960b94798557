//! Reads checkpoint files for the commands that work on their text. The text is kept byte for byte, except for API
//! keys.

use crate::input::find::find_sources;
use crate::input::guard::SecretGuard;
use crate::input::input_options::ReadingOptions;
use crate::input::origin::DocumentOrigin;
use crate::input::source::{InputSource, RawInput};
use crate::input::syntax::RecordSyntax;
use crate::input::whole_input::whole_input;
use evalgraph_diagnostics::help::{command, help, setting};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, RunReport, thousands};
use evalgraph_formats::checkpoint::model::{Checkpoint, CheckpointReading};
use evalgraph_json::{JsonDocument, decode, parse, parse_lines};

/// The maximum file size in bytes that the specification recommends.
const ADVISED: usize = 100_000_000;

/// Finds and parses the files that the arguments name. Faults are reported.
///
/// # Errors
///
/// If a file is at fault.
pub fn read_files(
    arguments: &[String],
    reading: &ReadingOptions,
    report: &mut RunReport,
) -> Result<Vec<(InputSource, JsonDocument)>, RunFailure> {
    report.set_strictness(reading.strictness);
    let (sources, faults) = find_sources(arguments);
    report.add_all(&faults);
    let mut documents = Vec::new();
    for source in sources {
        let document = read(&source, reading, report);
        documents.extend(report.ok_or_report(document).map(|document| (source, document)));
    }
    report.check(false)?;
    Ok(documents)
}

/// Reads the one file that an argument names.
///
/// # Errors
///
/// If the argument names no file or several, or if the file is at fault.
pub fn read_one(
    argument: &str,
    reading: &ReadingOptions,
    report: &mut RunReport,
) -> Result<(InputSource, JsonDocument), RunFailure> {
    let mut files = read_files(&[argument.to_owned()], reading, report)?;
    match (files.pop(), files.len()) {
        (Some(file), 0) => Ok(file),
        (_, others) => {
            let message = format!("exactly one file is needed, and `{argument}` names {}", others + 1);
            Err(Diagnostic::error("input::several", message).into())
        }
    }
}

fn read(
    source: &InputSource,
    reading: &ReadingOptions,
    report: &mut RunReport,
) -> Result<JsonDocument, Box<Diagnostic>> {
    let RawInput { origin: DocumentOrigin { name, .. }, bytes, .. } = whole_input(source, reading)?;
    let limits = reading.limits;
    let is_lines = RecordSyntax::from_input(&name, &bytes) == Some(RecordSyntax::JsonLines);
    let guard = SecretGuard::from_bytes(&bytes);
    let parsed = decode(&name, bytes).and_then(|text| match is_lines {
        true => parse_lines(name.as_str(), text, limits),
        false => parse(name.as_str(), text, limits),
    });
    let mut document = guard.checked(parsed)?;
    guard.hide(&mut document, report);
    Ok(document)
}

/// Reads the checkpoint of a document. Its faults are reported.
///
/// # Errors
///
/// If the document is not a checkpoint, or if a part of it could not be read.
pub fn checkpoint<'d>(
    document: &'d JsonDocument,
    report: &mut RunReport,
) -> Result<Checkpoint<'d>, RunFailure> {
    let CheckpointReading { checkpoint, findings } = Checkpoint::read(document)?;
    report.add_all(&findings);
    if findings.iter().any(|finding| finding.severity == FindingSeverity::Error) || report.has_failed() {
        return Err(RunFailure::Reported);
    }
    Ok(checkpoint)
}

/// Warns if a text is larger than the specification recommends for a file.
pub fn check_size(name: &str, bytes: usize, report: &mut RunReport) {
    if bytes > ADVISED {
        let message = format!(
            "`{name}` has {} bytes, and the specification advises at most {}",
            thousands(bytes as u64),
            thousands(ADVISED as u64)
        );
        let split = command("split").with("FILE").with(setting("max").to("100MB"));
        let split = split.with(setting("output").to("DIRECTORY"));
        report.add(&Diagnostic::warning("output::large", message).with_help(help!["split it: ", split]));
    }
}
