//! Reads inputs and compares the runs in them.

use super::run_comparison::{RunComparison, RunComparisonOptions};
use super::run_reading::{ArgumentSource, read_runs};
use crate::input::find::file_sources;
use crate::input::input_options::RunInputs;
use crate::load::read_session::{LoadOptions, PiecePolicy, ReadSession};
use crate::workspace::command_sources::sources;
use evalgraph_diagnostics::{RunFailure, RunReport};

/// Compares the runs in files, folders or a store. The sides are as in
/// [`SideKey`](super::run_sides::SideKey).
///
/// Cost: time linear in the size of the files; memory of about 150 bytes for each result, and the ids of the samples.
///
/// # Errors
///
/// An input that is at fault, and the errors of [`RunComparison::new`].
pub fn compare_inputs(
    input: &RunInputs,
    loading: &LoadOptions,
    options: &RunComparisonOptions,
    report: &mut RunReport,
) -> Result<RunComparison, RunFailure> {
    let session = ReadSession::new(&loading.iris, &loading.json_ld, &input.reading)?;
    let session = ReadSession { record_pieces: PiecePolicy::OfLarge, ..session };
    let mut found = Vec::new();
    if input.inputs.is_empty() {
        let of_store = sources(input, report)?;
        found.extend(of_store.into_iter().map(|source| ArgumentSource { argument: 0, source }));
    }
    for (argument, name) in input.inputs.iter().enumerate() {
        let of_argument = file_sources(std::slice::from_ref(name), report)?;
        found.extend(of_argument.into_iter().map(|source| ArgumentSource { argument, source }));
    }
    if !input.inputs.is_empty() {
        let all: Vec<_> = found.iter().map(|found| found.source.clone()).collect();
        input.reading.found.note(&all, &input.inputs);
    }
    report.set_strictness(input.reading.strictness);
    let read = read_runs(found, input.inputs.len().max(1), &session, report);
    input.check(report)?;
    let names = input.inputs.iter().cloned().chain(input.inputs.is_empty().then(|| "the store".to_owned()));
    let arguments: Vec<_> = names.zip(read.arguments).collect();
    Ok(RunComparison::new(read.table, &arguments, options, report)?)
}
