//! `--watch`: repeats work whenever a file that it has read changes, until Ctrl-C.
//!
//! Files are polled, which works on every system and every disk. If a file is read while it is being written, it may be
//! faulty; this is reported as usual, and the file is read again when it is complete.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use chrono::SecondsFormat;

use super::time_of_run::time_of_run;
use super::{CommandAnswer, CommandStop, run_ending};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, RunReport};
use evalgraph_engine::input::files_read::{FileState, FilesRead, SHORTEST_PAUSE, pause_after};
use evalgraph_engine::input::find::{find_sources, leave_out};
use evalgraph_engine::input::input_options::{ReadingOptions, RunInputs};
use evalgraph_engine::input::source::InputSource;

/// The states of files. `None` for a file that does not exist.
type WatchedFileStates = BTreeMap<PathBuf, Option<FileState>>;

/// Does work on inputs, and repeats it after each change of the inputs, of `others` that are named like inputs, of
/// named files, and of all files that the work has read.
///
/// # Errors
///
/// The errors of [`watch`]. `input::stdin` if an input can be read only once.
pub(super) fn watch_inputs(
    input: &RunInputs,
    others: &[String],
    files: &[Option<&Path>],
    mut work: impl FnMut(&RunInputs, &mut RunReport) -> Result<CommandAnswer, CommandStop>,
) -> Result<CommandAnswer, CommandStop> {
    if input.inputs.iter().any(|input| input == "-") {
        return Err(Diagnostic::error("input::stdin", "stdin cannot be watched, only files can").into());
    }
    let names: Vec<String> = input.inputs.iter().chain(others).cloned().collect();
    let named = || {
        let (mut sources, _) = find_sources(&names);
        leave_out(&input.beside, &names, &mut sources);
        let paths = sources.iter().filter_map(InputSource::path);
        paths.chain(files.iter().copied().flatten()).map(Path::to_owned).collect()
    };
    watch(named, |files_read, report| {
        let reading = ReadingOptions { files_read: files_read.clone(), ..input.reading.clone() };
        work(&RunInputs { reading, ..input.clone() }, report)
    })
}

/// Does work, and repeats it after each change of the files that it has read or that are `named` at that time. Each
/// repetition has its own report. Returns the last answer.
///
/// # Errors
///
/// Fails if the last work has failed, if the run has to end for another reason than Ctrl-C, or if its output has no
/// reader.
fn watch(
    named: impl Fn() -> Vec<PathBuf>,
    mut work: impl FnMut(&FilesRead, &mut RunReport) -> Result<CommandAnswer, CommandStop>,
) -> Result<CommandAnswer, CommandStop> {
    run_ending::listen();
    let printer = run_ending::printer();
    let mut change = None;
    loop {
        let mut known = states(named());
        let read = FilesRead::default();
        let mut report = printer.report();
        report.add_all(&change);
        let result = work(&read, &mut report);
        // From here on, Ctrl-C ends the process only when this function returns.
        run_ending::over();
        match &result {
            Err(CommandStop::ClosedPipe) => return result,
            Err(CommandStop::Failed(RunFailure::Fault(_))) if run_ending::cancellation().check().is_err() => {
                return result;
            }
            Err(CommandStop::Failed(RunFailure::Fault(fault))) => report.add(fault),
            Ok(_) | Err(CommandStop::Failed(RunFailure::Reported | RunFailure::AtInput)) => {}
        }
        printer.finish(&report, false);
        let answer = result.map_err(|_| RunFailure::Reported).and_then(|answer| match report.has_failed() {
            true => Err(RunFailure::Reported),
            false => Ok(answer),
        });
        // If a file was read twice, the first state counts: the second one may already be a change.
        for (path, state) in read.states().into_iter().rev() {
            known.insert(path, Some(state));
        }
        change = None;
        let mut pause = SHORTEST_PAUSE;
        while change.is_none() || run_ending::go_on().is_err() {
            if run_ending::is_interrupted_within(pause)? {
                return Ok(answer?);
            }
            let begun = Instant::now();
            change = changed(&known, &states(named()))?;
            pause = pause_after(begun.elapsed());
        }
    }
}

fn states(paths: Vec<PathBuf>) -> WatchedFileStates {
    let state = |path: PathBuf| {
        let state = FileState::now(&path);
        (path, state)
    };
    paths.into_iter().map(state).collect()
}

/// The note about the files that have changed. `None` if no file has changed.
fn changed(known: &WatchedFileStates, named: &WatchedFileStates) -> Result<Option<Diagnostic>, RunFailure> {
    let is_new = |path: &Path| named.contains_key(path) && !known.contains_key(path);
    let new = named.keys().filter(|path| is_new(path));
    let other = known.iter().filter(|(path, state)| FileState::now(path) != **state).map(|(path, _)| path);
    let mut changed = other.chain(new);
    let Some(first) = changed.next() else { return Ok(None) };
    let more = match changed.count() {
        0 => String::new(),
        1 => " and 1 more file".to_owned(),
        count => format!(" and {count} more files"),
    };
    let time = time_of_run()?.to_rfc3339_opts(SecondsFormat::Secs, true);
    let message = format!("{time}: `{}`{more} changed", first.display());
    Ok(Some(Diagnostic::new(FindingSeverity::Note, "validate::changed", message)))
}
