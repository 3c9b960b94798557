//! `evalgraph merge`: several checkpoints in one.

use std::io::Write;

use clap::{Args, ValueEnum};

use super::arguments::{OutputArguments, ReadingArguments};
use super::checkpoint_file::{check_size, checkpoint, read_files};
use super::output::Output;
use super::output_form;
use super::report::Report;
use super::{Answer, Stop};
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::karenina::checkpoint::Checkpoint;
use crate::source::karenina::merging::{Prefer, merge};

const EXAMPLES: &str = "\
Examples:
  evalgraph merge a.jsonld b.jsonld -o all.jsonld
  evalgraph merge parts/*.jsonld -o all.jsonld --prefer newest

The first file stays as it is, and the questions that it lacks are put behind its own, as they
stand in their files. A question is told by its id, else by its text. One that differs in its
dates alone is taken from the file where it is newer; one that differs otherwise is a conflict,
which is shown with both lines, and nothing is written unless --prefer says which counts. The same
holds for global traits. Of name, description, dates and the like the first file's count, with
--prefer newest those of the file with the latest dateModified. What is not taken over is a
warning.

The exit status is 0 where all is merged, 2 where it is not.";

/// The arguments of `merge`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct MergeArguments {
    /// Files, directories or glob patterns, in the order in which they are merged
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<String>,
    /// What counts where two files say different things of one question
    #[arg(long, value_name = "WHICH")]
    prefer: Option<Preference>,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    reading: ReadingArguments,
}

/// What counts where two files say different things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Preference {
    /// The earlier file
    First,
    /// The later file
    Last,
    /// The question with the later dateModified, a conflict where both are of one time; and what the latest
    /// file says of itself
    Newest,
}

impl From<Preference> for Prefer {
    fn from(preference: Preference) -> Self {
        match preference {
            Preference::First => Self::First,
            Preference::Last => Self::Last,
            Preference::Newest => Self::Newest,
        }
    }
}

/// Runs `merge`.
pub(super) fn run(arguments: &MergeArguments, report: &mut Report) -> Result<Answer, Stop> {
    let path = arguments.output.output.as_deref();
    output_form::MERGE.check(path, report)?;
    let files = read_files(&arguments.inputs, &arguments.reading, report)?;
    let checkpoints: Result<Vec<Checkpoint<'_>>, Stop> =
        files.iter().map(|(_, document)| checkpoint(document, report)).collect();
    let text = merged(&checkpoints?, arguments.prefer, report)?;
    let name = path.map_or_else(|| "the result".to_owned(), |path| path.display().to_string());
    check_size(&name, text.len(), report);
    if report.has_failed() {
        return Err(Stop::Failed);
    }
    let mut output = Output::open(path)?;
    output.write_all(text.as_bytes()).map_err(|error| output.stop(&error))?;
    output.finish()?;
    Ok(Answer::Yes)
}

/// The text of one checkpoint with all that the others have.
///
/// # Errors
///
/// Where files contradict each other, which is reported.
pub(super) fn merged(
    checkpoints: &[Checkpoint<'_>],
    prefer: Option<Preference>,
    report: &mut Report,
) -> Result<String, Stop> {
    let merged = merge(checkpoints, prefer.map(Prefer::from)).map_err(|faults| {
        report.add_all(&faults);
        Stop::Failed
    })?;
    report.add_all(&merged.warnings);
    if merged.decided > 0 {
        let plural = if merged.decided == 1 { "conflict was" } else { "conflicts were" };
        let message = format!("{} {plural} decided by `--prefer`", merged.decided);
        report.add(&Diagnostic::new(Severity::Note, "merge::decided", message));
    }
    Ok(merged.text)
}
