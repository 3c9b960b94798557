//! `evalgraph graphs`: lists the graphs of the store, and drops some. Both read no file but the manifest, so that
//! they work whatever is damaged.

use std::collections::BTreeMap;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use crate::cli::arguments::OutputArguments;
use crate::cli::ending::writer;
use crate::cli::output::{write, write_facts, write_json};
use crate::cli::output_form::ListForm;
use crate::cli::{Answer, Stop, output_form};
use crate::diagnostic::{Diagnostic, Report, Severity, thousands};
use crate::input::options::StoreChoice;
use crate::store::DocumentEntry;
use crate::workspace::store::document_named;

const EXAMPLES: &str = "\
Examples:
  evalgraph graphs
  evalgraph graphs --format json
  evalgraph graphs drop run-7.jsonld";

/// The arguments of `graphs`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct GraphsArguments {
    #[command(subcommand)]
    action: Option<Action>,
    /// The form of the list; without it the extension of the output file tells, else table
    #[arg(long, value_name = "FORM")]
    format: Option<ListForm>,
    #[command(flatten)]
    store: StoreChoice,
    #[command(flatten)]
    output: OutputArguments,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Remove graphs and all that belongs to them
    Drop {
        /// The graph's IRI, its dataset, or the file that it was read from
        #[arg(value_name = "GRAPH", required = true)]
        graphs: Vec<String>,
        /// Say what would be dropped, and change nothing
        #[arg(long)]
        dry_run: bool,
        #[command(flatten)]
        store: StoreChoice,
    },
}

/// Runs `graphs`.
pub(super) fn run(arguments: &GraphsArguments, report: &mut Report) -> Result<Answer, Stop> {
    if let Some(Action::Drop { graphs, dry_run, store }) = &arguments.action {
        let store = if store.store.is_some() { store } else { &arguments.store };
        return drop_graphs(graphs, *dry_run, store, report);
    }
    let path = arguments.output.output.as_deref();
    let form = output_form::GRAPHS.value(path, arguments.format, report)?.unwrap_or(ListForm::Table);
    let documents = arguments.store.open_store()?.documents()?;
    let entries = documents.iter().map(|document| &document.entry);
    write(path, |output| match form {
        ListForm::Table => write_facts(entries.map(|entry| (&*entry.graph, rows(entry))), output),
        ListForm::Json => write_json(&entries.map(to_json).collect(), output),
    })?;
    Ok(Answer::Yes)
}

fn drop_graphs(
    graphs: &[String],
    is_dry: bool,
    store: &StoreChoice,
    report: &mut Report,
) -> Result<Answer, Stop> {
    let store = store.open_store()?;
    let removal = store.removal(&writer("graphs drop", is_dry).who)?;
    let mut dropped = BTreeMap::new();
    for name in graphs {
        let entry = &document_named(removal.documents(), name)?.entry;
        dropped.insert(entry.graph.clone(), entry.quads);
    }
    if !is_dry {
        removal.commit(dropped.keys().map(String::as_str))?;
    }
    let (count, quads) = (dropped.len(), dropped.values().sum());
    let plural = if count == 1 { "graph" } else { "graphs" };
    let verb = if is_dry { "would drop" } else { "dropped" };
    let message = format!("{verb} {count} {plural}: {} quads", thousands(quads));
    report.add(&Diagnostic::new(Severity::Note, "store::dropped", message));
    Ok(Answer::Yes)
}

/// The rows of a document: label and value.
fn rows(entry: &DocumentEntry) -> Vec<(&'static str, String)> {
    let mut rows = vec![("dataset", entry.dataset.clone()), ("quads", thousands(entry.quads))];
    match &entry.source {
        Some(source) => {
            rows.push(("kind", source.kind.clone()));
            rows.push(("read from", source.path.clone()));
            rows.push(("loaded", source.loaded.clone()));
            rows.push(("sha256", source.sha256.clone()));
        }
        None => rows.push(("read from", "no file: an update made it".to_owned())),
    }
    if entry.is_edited {
        rows.push(("changed", "by an update, since it was loaded".to_owned()));
    }
    rows
}

fn to_json(DocumentEntry { graph, dataset, quads, source, is_edited }: &DocumentEntry) -> Value {
    let mut object = json!({"graph": graph, "dataset": dataset, "quads": quads, "edited": is_edited});
    if let Some(source) = source {
        object["path"] = json!(source.path);
        object["kind"] = json!(source.kind);
        object["loaded"] = json!(source.loaded);
        object["sha256"] = json!(source.sha256);
        object["bytes"] = json!(source.bytes);
    }
    object
}
