//! `evalgraph undo`: undoes the last change of the store.

use crate::cli::arguments::option_groups::GroupedOptions;
use chrono::{DateTime, SecondsFormat, Utc};
use clap::Args;

use crate::cli::help::command;
use crate::cli::run_ending::writer;
use crate::cli::{CommandAnswer, CommandStop};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport, thousands};
use evalgraph_engine::input::input_options::StoreChoice;
use evalgraph_engine::workspace::stored_document::name_of;
use evalgraph_store::{ChangeUndo, DocumentDifference, DocumentEntry};

const EXAMPLES: &str = "\
Examples:
  evalgraph undo --dry-run       (what would be undone)
  evalgraph undo
  evalgraph undo --redo          (make the undone change again)

Undoes one change, whatever command made it: load, update, set, add, remove, graphs drop, restore. Only
the last change can be undone, because the store keeps one earlier state. `doctor --repair` and
`doctor --compact` cannot be undone, and remove the earlier state. Files are not changed.";

/// How many documents are named at most.
const NAMED: usize = 3;

/// The arguments of `undo`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct UndoArguments {
    /// Make the change again that was undone last
    #[arg(long)]
    redo: bool,
    /// Say what would be undone, and change nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    store: GroupedOptions<StoreChoice>,
}

/// Runs `undo`.
pub(super) fn run(arguments: &UndoArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let store = arguments.store.open_store()?;
    let name = if arguments.redo { "undo --redo" } else { "undo" };
    let undo = store.undo(&writer(name, arguments.dry_run).who)?;
    let Some(undo) = undo else {
        let message = "the store has no earlier state: there is no change to undo";
        let help = "only the last change can be undone, and repairing or compacting the store ends that";
        return Err(Diagnostic::error("store::no-undo", message).with_help(help).into());
    };
    let is_undone = undo.who().ends_with("`evalgraph undo`");
    if is_undone && !arguments.redo {
        let message = "the last change was undone already, and earlier ones cannot be undone";
        let help = format!("`{}` makes it again", command("undo --redo", &arguments.store));
        return Err(Diagnostic::error("store::no-undo", message).with_help(help).into());
    }
    if !is_undone && arguments.redo {
        let message = "the last change of the store was not an undo, so there is nothing to make again";
        return Err(Diagnostic::error("store::no-undo", message).into());
    }
    let message = told(&undo, arguments);
    if !arguments.dry_run {
        undo.commit()?;
    }
    report.add(&Diagnostic::new(FindingSeverity::Note, "store::undone", message));
    Ok(CommandAnswer::Yes)
}

/// Says what is undone: which command, when, and which documents.
fn told(undo: &ChangeUndo, arguments: &UndoArguments) -> String {
    let differences = undo.differences();
    let of = |difference: DocumentDifference| -> Vec<&DocumentEntry> {
        let found = differences.iter().filter(|(_, found)| *found == difference);
        found.map(|(entry, _)| *entry).collect()
    };
    let parts = [
        (DocumentDifference::Added, "removed", "would remove"),
        (DocumentDifference::Changed, "changed back", "would change back"),
        (DocumentDifference::Removed, "brought back", "would bring back"),
    ];
    let mut told = Vec::new();
    for (difference, done, planned) in parts {
        let entries = of(difference);
        if !entries.is_empty() {
            let verb = if arguments.dry_run { planned } else { done };
            told.push(format!("{verb} {}", named(&entries)));
        }
    }
    let documents = if told.is_empty() { "no document differs".to_owned() } else { told.join("; ") };
    let verb = match (arguments.dry_run, arguments.redo) {
        (false, false) => "undid",
        (true, false) => "would undo",
        (false, true) => "made again what was undone by",
        (true, true) => "would make again what was undone by",
    };
    let time = DateTime::<Utc>::from(undo.time()).to_rfc3339_opts(SecondsFormat::Secs, true);
    format!("{verb} {} of {time}: {documents}", command_of(undo.who()))
}

/// The command of a process, or the process if it is not known by a command.
fn command_of(who: &str) -> &str {
    match (who.find('`'), who.rfind('`')) {
        (Some(start), Some(end)) if start < end => &who[start..=end],
        _ => who,
    }
}

/// Names some documents, and counts the others.
fn named(entries: &[&DocumentEntry]) -> String {
    let mut names: Vec<String> =
        entries.iter().take(NAMED).map(|entry| format!("`{}`", name_of(entry))).collect();
    if entries.len() > NAMED {
        names.push(format!("{} more", thousands((entries.len() - NAMED) as u64)));
    }
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
