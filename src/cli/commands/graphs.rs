//! `evalgraph graphs`: lists the graphs of the store or of a server, and drops graphs of the store. For a store, only
//! the manifest is read, so the command works whatever is damaged.

use crate::cli::arguments::option_groups::GroupedOptions;
use std::collections::BTreeMap;

use clap::{Args, Subcommand};
use oxrdf::Term;
use serde_json::{Value, json};

use crate::cli::arguments::{EndpointArguments, OutputArguments};
use crate::cli::output::{write, write_facts, write_json};
use crate::cli::output_form::ListForm;
use crate::cli::run_ending::writer;
use crate::cli::{CommandAnswer, CommandStop, output_form};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport, thousands};
use evalgraph_engine::input::input_options::{NetUse, StoreChoice};
use evalgraph_engine::workspace::chosen_store::document_named;
use evalgraph_rdf::minted::{dataset_and_part, is_beside_documents};
use evalgraph_sparql::{Query, QueryResults, ServerQueryScope, SparqlServer};
use evalgraph_store::{DefaultGraph, DocumentEntry};

const EXAMPLES: &str = "\
Examples:
  evalgraph graphs
  evalgraph graphs --format json
  evalgraph graphs --endpoint http://localhost:3030/ds
  evalgraph graphs drop run-7.jsonld";

/// The arguments of `graphs`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct GraphsArguments {
    #[command(subcommand)]
    action: Option<GraphsAction>,
    /// Form of the list (default: by name of -o, else table)
    #[arg(long, value_name = "FORM")]
    format: Option<ListForm>,
    #[command(flatten)]
    store: GroupedOptions<StoreChoice>,
    #[command(flatten)]
    endpoint: EndpointArguments,
    #[command(flatten)]
    net: GroupedOptions<NetUse>,
    #[command(flatten)]
    output: OutputArguments,
}

#[derive(Debug, Subcommand)]
enum GraphsAction {
    /// Remove graphs and all that belongs to them
    Drop {
        /// Graphs to drop: IRI, dataset, or file
        #[arg(value_name = "GRAPH", required = true)]
        graphs: Vec<String>,
        /// Say what would be dropped, and change nothing
        #[arg(long)]
        dry_run: bool,
        #[command(flatten)]
        store: GroupedOptions<StoreChoice>,
    },
}

/// Runs `graphs`.
pub(super) fn run(arguments: &GraphsArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let others = [("--store", arguments.store.store.is_some()), ("graphs drop", arguments.action.is_some())];
    let server = arguments.endpoint.open(&arguments.net, &others, report)?;
    if let Some(GraphsAction::Drop { graphs, dry_run, store }) = &arguments.action {
        let store = if store.store.is_some() { store } else { &arguments.store };
        return drop_graphs(graphs, *dry_run, store, report);
    }
    let path = arguments.output.output.as_deref();
    let form = output_form::GRAPHS.value(path, arguments.format, report)?.unwrap_or(ListForm::Table);
    if let Some(server) = server {
        let graphs = server_graphs(&*server)?;
        write(path, |output| match form {
            ListForm::Table => write_facts(graphs.iter().map(|graph| (&*graph.name, graph.rows())), output),
            ListForm::Json => write_json(&graphs.iter().map(ServerGraph::to_json).collect(), output),
        })?;
        report.add_all(&server.remarks());
        return Ok(CommandAnswer::Yes);
    }
    let documents = arguments.store.open_store()?.documents()?;
    let entries = documents.iter().map(|document| &document.entry);
    write(path, |output| match form {
        ListForm::Table => write_facts(entries.map(|entry| (&*entry.graph, rows(entry))), output),
        ListForm::Json => write_json(&entries.map(to_json).collect(), output),
    })?;
    Ok(CommandAnswer::Yes)
}

/// A graph of a document on a server.
struct ServerGraph {
    name: String,
    dataset: Option<String>,
    quads: u64,
}

impl ServerGraph {
    fn rows(&self) -> Vec<(&'static str, String)> {
        let dataset = self.dataset.iter().map(|dataset| ("dataset", dataset.clone()));
        dataset.chain([("quads", thousands(self.quads))]).collect()
    }

    fn to_json(&self) -> Value {
        json!({"graph": self.name, "dataset": self.dataset, "quads": self.quads})
    }
}

/// The graphs of documents on a server, sorted.
fn server_graphs(server: &dyn SparqlServer) -> Result<Vec<ServerGraph>, CommandStop> {
    let mut counts = BTreeMap::new();
    let names: Vec<String> =
        server.graphs()?.into_iter().filter(|graph| !is_beside_documents(graph)).collect();
    let query = "SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g";
    let seen = ServerQueryScope {
        default_graph: DefaultGraph::Strict,
        all_graphs: true,
        ..ServerQueryScope::default()
    };
    let QueryResults::Solutions(rows) = server.query(&Query::parse_plain(query, "query")?, seen)? else {
        return Ok(Vec::new());
    };
    for row in rows {
        if let [Some(Term::NamedNode(graph)), Some(Term::Literal(count))] = row?.values() {
            counts.insert(graph.as_str().to_owned(), count.value().parse().unwrap_or(0));
        }
    }
    let graph = |name: String| {
        let dataset = dataset_and_part(&name).map(|(dataset, _)| dataset);
        ServerGraph { dataset, quads: counts.get(&name).copied().unwrap_or(0), name }
    };
    Ok(names.into_iter().map(graph).collect())
}

fn drop_graphs(
    graphs: &[String],
    is_dry: bool,
    store: &StoreChoice,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
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
    report.add(&Diagnostic::new(FindingSeverity::Note, "store::dropped", message));
    Ok(CommandAnswer::Yes)
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
