//! `evalgraph doctor`: reports whether the store is intact, which graphs are damaged, and how to repair them.

use crate::cli::arguments::option_groups::GroupedOptions;
use clap::Args;

use crate::cli::arguments::ProcessorArguments;
use crate::cli::help::{command, quoted};
use crate::cli::run_ending::{listen, writer};
use crate::cli::time_of_run::time_of_run;
use crate::cli::{CommandAnswer, CommandStop};
use evalgraph_diagnostics::{Diagnostic, FindingHelp, FindingSeverity, RunReport, thousands};
use evalgraph_engine::input::clock::RunClock;
use evalgraph_engine::input::input_options::StoreChoice;
use evalgraph_engine::workspace::damage::{SourceFile, tell};
use evalgraph_engine::workspace::repair::{StoreRepairOptions, mend};
use evalgraph_store::{DamagedDocument, StoreFolder};

const EXAMPLES: &str = "\
Examples:
  evalgraph doctor
  evalgraph doctor --store experiments/
  evalgraph doctor --repair
  evalgraph doctor --compact

Reads every byte of the store. The exit status is 1 if something is damaged and remains so.
`--repair` restores damaged parts from copies of the same data: another order of a graph's triples,
the text that was kept of its file, or the file itself if it has not changed. A graph without such
a copy is left as it is, and `evalgraph graphs drop` removes it. All repairs are made in one change.";

/// The arguments of `doctor`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct DoctorArguments {
    /// Repair what can be repaired
    #[arg(long)]
    repair: bool,
    /// Rewrite all graphs without terms that are used no more
    ///
    /// Needs as much memory as all terms take
    #[arg(long)]
    compact: bool,
    #[command(flatten)]
    store: GroupedOptions<StoreChoice>,
    #[command(flatten)]
    processor: ProcessorArguments,
}

/// Runs `doctor`.
pub(super) fn run(arguments: &DoctorArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    // What is wrong with the store is the answer.
    report.show_all();
    let store = arguments.store.open_store()?;
    if arguments.repair || arguments.compact {
        return mended(arguments, &store, report);
    }
    let examination = store.examine()?;
    tell(&examination, |damaged| remedies(&store, damaged, &arguments.store), report);
    if !examination.terms.is_empty() {
        let message =
            "graphs share the files of terms: nothing can be loaded or changed until they are rewritten";
        let help = format!("`{}` does that", command("doctor --repair", &arguments.store));
        report.add(&Diagnostic::warning("store::damaged-terms", message).with_help(help));
    }
    for (graph, _) in &examination.texts {
        let message = format!("the text that was kept of `{graph}` is lost; the graph itself may be intact");
        let help = format!(
            "`{}` restores it if its file has not changed",
            command("doctor --repair", &arguments.store)
        );
        report.add(&Diagnostic::warning("store::damaged-text", message).with_help(help));
    }
    if !examination.is_whole() {
        return Ok(CommandAnswer::No);
    }
    let count = examination.whole;
    let plural = if count == 1 { "graph is" } else { "graphs are" };
    report.add(&Diagnostic::new(FindingSeverity::Note, "store::whole", format!("{count} {plural} whole")));
    let unused = examination.term_bytes.saturating_sub(examination.used_bytes);
    if unused > examination.used_bytes {
        let [unused, all] = [unused, examination.term_bytes].map(|bytes| thousands(bytes as u64));
        let message = format!(
            "{unused} of {all} bytes of text belong to removed graphs: `{}` makes the store smaller",
            command("doctor --compact", &arguments.store)
        );
        report.add(&Diagnostic::new(FindingSeverity::Note, "store::unused", message));
    }
    Ok(CommandAnswer::Yes)
}

/// Repairs or compacts the store.
fn mended(
    arguments: &DoctorArguments,
    store: &StoreFolder,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    listen();
    let writer = writer("doctor", false);
    let repair = writer.begin_repair(store)?;
    if !repair.examination().is_whole() && !arguments.repair {
        let fault =
            Diagnostic::error("store::damaged", "the store is damaged, so it cannot be compacted now");
        let first = command("doctor --repair", &arguments.store);
        return Err(fault.with_help(format!("run `{first}` first")).into());
    }
    let ProcessorArguments { iris, json_ld } = &arguments.processor;
    let (compacts, store_choice) = (arguments.compact, &arguments.store);
    let mending = StoreRepairOptions {
        compacts,
        store: store_choice,
        clock: RunClock::Asked(time_of_run),
        iris,
        json_ld,
    };
    let is_whole = mend(store, repair, mending, &writer, report)?;
    Ok(if is_whole { CommandAnswer::Yes } else { CommandAnswer::No })
}

/// Returns the sources from which a damaged document can be restored, and the command that does it.
fn remedies(store: &StoreFolder, damaged: &DamagedDocument, arguments: &StoreChoice) -> Vec<FindingHelp> {
    let document = &damaged.document;
    let repair = command("doctor --repair", arguments);
    if damaged.is_readable() {
        return vec![
            format!("another order of its triples is intact, so nothing is lost: `{repair}`").into(),
        ];
    }
    let path = document.entry.source.as_ref().map(|source| source.path.as_str()).unwrap_or_default();
    let file = SourceFile::from_document(document);
    let is_kept = store.source(document).is_ok_and(|text| text.is_some());
    let mut help = vec![match file {
        SourceFile::Same => format!("`{path}` has not changed since it was read"),
        SourceFile::Changed => format!("`{path}` has changed since it was read"),
        SourceFile::Gone => format!("`{path}` is gone"),
        SourceFile::None => "it has no file: an update made it".to_owned(),
    }];
    if file != SourceFile::None {
        let is_whole = if is_kept { "whole" } else { "not whole" };
        help.push(format!("the text that the store has kept of it is {is_whole}"));
    }
    let drop = command(&format!("graphs drop {}", quoted(&document.entry.graph)), arguments);
    let edits = if document.entry.is_edited { "; the changes that updates made are lost" } else { "" };
    help.push(match (is_kept || file == SourceFile::Same, file) {
        (true, _) => format!("`{repair}` reads it again{edits}"),
        (false, SourceFile::Changed) => {
            let load = command(&format!("load {}", quoted(path)), arguments);
            format!("`{drop}` and then `{load}` load the file as it is now{edits}")
        }
        (false, _) => format!("`{drop}` removes it"),
    });
    help.into_iter().map(FindingHelp::from).collect()
}
