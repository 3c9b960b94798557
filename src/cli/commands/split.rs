//! `evalgraph split`: splits a checkpoint into parts of a limited size, or records into two random parts.

use crate::cli::arguments::option_groups::GroupedOptions;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::arguments::size;
use crate::cli::output::write;
use crate::cli::output_folder::{FolderArguments, OutputFolder};
use crate::cli::output_form::check_folder;
use crate::cli::visible::visible;
use crate::cli::{CommandAnswer, CommandStop, unless_failed};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport};
use evalgraph_engine::input::input_options::ReadingOptions;
use evalgraph_engine::input::path_text::{plain, shown};
use evalgraph_engine::input::source::InputSource;
use evalgraph_engine::load::checkpoint_file::read_one;
use evalgraph_formats::checkpoint::checkpoint_split::{SplitLimit, split};
use evalgraph_formats::checkpoint::model::Checkpoint;
use evalgraph_formats::checkpoint::{CheckpointDialect, CheckpointSurvey};
use evalgraph_formats::random_split::random_split;
use evalgraph_json::JsonDocument;

const EXAMPLES: &str = "\
Examples:
  evalgraph split large.jsonld --max 100MB -o parts
  evalgraph split checkpoint.jsonld --max 500 -o parts
  evalgraph split samples.json --train 0.8 --seed 42 -o parts

Each part is a complete checkpoint with the same metadata: name, dates, global traits, scenarios.
Questions are copied unchanged, in order; `evalgraph merge` of the parts in order restores the
checkpoint. The names of the parts are printed. An existing file with the name of a part and other
content is an error unless --force is given.

With --train the records of a Kwanzaa dataset, of an array or of JSON lines go into NAME-train and
NAME-test. Each part keeps the order of the file; statistics of a dataset are recomputed.";

/// The arguments of `split`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct SplitArguments {
    /// Checkpoint, or with `--train` a file of records, or `-`
    input: String,
    /// Largest part: questions, or bytes such as 100MB
    #[arg(long, value_name = "SIZE|COUNT", value_parser = limit, required_unless_present = "train",
          conflicts_with = "train")]
    max: Option<SplitLimit>,
    /// Share of the records for training, e.g. 0.8
    ///
    /// These are drawn at random; the rest is for testing
    #[arg(long, value_name = "SHARE", value_parser = share)]
    train: Option<f64>,
    /// The same seed draws the same records anywhere
    #[arg(long, value_name = "NUMBER", default_value_t = 42, requires = "train")]
    seed: u64,
    /// Overwrite files, and remove parts of an earlier split
    ///
    /// Files in the folder with other content, and parts that would stay beside the new ones
    #[arg(long)]
    force: bool,
    /// Folder of the parts; it is created if it is missing
    #[arg(short, long, value_name = "DIRECTORY")]
    output: PathBuf,
    #[command(flatten)]
    reading: GroupedOptions<ReadingOptions>,
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share: &f64| *share > 0.0 && *share < 1.0);
    share.ok_or_else(|| "expected a share between 0 and 1, such as 0.8".to_owned())
}

fn limit(text: &str) -> Result<SplitLimit, String> {
    let limit = match text.parse() {
        Ok(questions) => SplitLimit::Questions(questions),
        Err(_) => SplitLimit::Bytes(size(text)?),
    };
    match limit {
        SplitLimit::Questions(0) | SplitLimit::Bytes(0) => Err("a part must not be empty".to_owned()),
        limit => Ok(limit),
    }
}

/// Runs `split`.
pub(super) fn run(arguments: &SplitArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    check_folder("split", &arguments.output)?;
    let max = match (arguments.max, arguments.train) {
        (Some(max), _) => max,
        (None, share) => return split_at_random(arguments, share.unwrap_or(1.0), report),
    };
    let (source, document) = read_one(&arguments.input, &arguments.reading, report)?;
    let dialect = CheckpointSurvey::from_document(&document).detect().dialect;
    if matches!(dialect, CheckpointDialect::None | CheckpointDialect::ResultsExport) {
        let fault = Diagnostic::error("karenina::no-checkpoint", "not a Karenina checkpoint");
        return Err(fault.at(document.place(document.root())).into());
    }
    let parts = split(&document, dialect, max)?;
    report.add_all(&parts.warnings);
    report.add_all(&unmergeable(&document));
    unless_failed(report)?;
    let (stem, extension) = name_of(&source);
    let digits = parts.parts.len().to_string().len().max(3);
    let names = (1..=parts.parts.len()).map(|number| format!("{stem}-{number:0digits$}.{extension}"));
    let names: Vec<String> = names.collect();
    let old = old_parts(&arguments.output, &stem, &extension, &names);
    if !old.is_empty() && !arguments.force {
        return Err(has_old_parts(&arguments.output, &old).into());
    }
    write_parts(arguments, names.into_iter().zip(parts.parts))?;
    for name in &old {
        let path = arguments.output.join(name);
        fs::remove_file(&path).map_err(|error| {
            let message = format!("`{}` cannot be removed: {}", path.display(), plain(&error));
            Diagnostic::error("output::unwritable", message)
        })?;
    }
    if !old.is_empty() {
        let message = format!("removed parts of an earlier split: {}", old.join(", "));
        report.add(&Diagnostic::new(FindingSeverity::Note, "split::removed", message));
    }
    Ok(CommandAnswer::Yes)
}

/// Returns warnings about faults of the checkpoint that will make `merge` refuse the parts. `split` does not stop for
/// them, since it only copies text.
fn unmergeable(document: &JsonDocument) -> Vec<Diagnostic> {
    let findings = Checkpoint::read(document).map_or_else(|fault| vec![*fault], |reading| reading.findings);
    let faults = findings.into_iter().filter(|finding| finding.severity == FindingSeverity::Error);
    let told = |fault: Diagnostic| {
        let message = format!("{}: `merge` refuses the parts until this is fixed", fault.message);
        Diagnostic { severity: FindingSeverity::Warning, message, ..fault }
    };
    faults.map(told).collect()
}

/// Splits records at random, by a share and a seed.
fn split_at_random(
    arguments: &SplitArguments,
    share: f64,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let (source, document) = read_one(&arguments.input, &arguments.reading, report)?;
    let Some(split) = random_split(&document, share, arguments.seed) else {
        let message = "not records: not a Kwanzaa dataset, an array or JSON lines";
        let fault = Diagnostic::error("split::records", message).at(document.place(document.root()));
        return Err(fault.into());
    };
    if split.counts == [0, 0] {
        let message = "there are no records, so nothing is written";
        report.add(&Diagnostic::warning("split::nothing", message).at(document.place(document.root())));
        return Ok(CommandAnswer::No);
    }
    let parts = ["train", "test"];
    for (part, count) in parts.iter().zip(split.counts) {
        if count == 0 {
            let message = format!("the part to {part} has no records");
            report.add(&Diagnostic::warning("split::empty", message));
        }
    }
    if split.has_new_statistics {
        let message = "`statistics` of each part are counted anew";
        report.add(&Diagnostic::new(FindingSeverity::Note, "split::statistics", message));
    }
    unless_failed(report)?;
    let (stem, extension) = name_of(&source);
    let names = parts.map(|part| format!("{stem}-{part}.{extension}"));
    write_parts(arguments, names.into_iter().zip(split.texts))?;
    Ok(CommandAnswer::Yes)
}

/// Returns the parts of an earlier split with the same file name that this split does not overwrite.
fn old_parts(folder: &Path, stem: &str, extension: &str, names: &[String]) -> Vec<String> {
    let is_part = |name: &str| {
        let number = name.strip_prefix(stem).and_then(|rest| rest.strip_prefix('-'));
        let number = number.and_then(|rest| rest.strip_suffix(extension)?.strip_suffix('.'));
        number.is_some_and(|number| number.len() >= 3 && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut old: Vec<String> = entries
        // The name of every part is UTF-8.
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| is_part(name) && !names.contains(name))
        .collect();
    old.sort();
    old
}

fn has_old_parts(folder: &Path, old: &[String]) -> Diagnostic {
    let message = format!(
        "`{}` contains parts of an earlier split that the new parts do not replace: {}",
        folder.display(),
        old.join(", ")
    );
    let fault = Diagnostic::error("split::old-parts", message);
    fault.with_help("`--force` removes them; or name another folder")
}

/// Writes the parts into the folder, and their names to stdout.
fn write_parts(
    arguments: &SplitArguments,
    parts: impl Iterator<Item = (String, String)>,
) -> Result<(), CommandStop> {
    let mut folder = OutputFolder::new(&arguments.output, FolderArguments { force: arguments.force });
    let paths = parts.map(|(name, text)| folder.add(&name, text)).collect::<Result<Vec<_>, _>>()?;
    folder.write()?;
    let mut names = paths.iter().map(|path| path.display().to_string());
    write(None, |output| names.try_for_each(|name| writeln!(output, "{}", visible(&name))))
}

/// Returns the stem and the extension of a file, without `.gz` or `.zst`. Distinct names stay distinct even if they are
/// not UTF-8.
fn name_of(source: &InputSource) -> (String, String) {
    let InputSource::File(path) = source else { return ("stdin".to_owned(), "jsonld".to_owned()) };
    let name = shown(Path::new(path.file_name().unwrap_or_default()));
    let plain = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    match plain.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem.to_owned(), extension.to_owned()),
        _ => (plain.to_owned(), "jsonld".to_owned()),
    }
}
