//! The quads of an export, for any destination.

use crate::cli::arguments::option_groups::GroupedOptions;
use clap::Args;
use clap::builder::ValueParser;

use super::arguments::{ProcessorArguments, explained};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, thousands};
use evalgraph_engine::export::choice::GraphChoice;
use evalgraph_engine::export::export_data::ExportData;
use evalgraph_engine::input::input_options::RunInputs;
use evalgraph_engine::load::quads::CompanionGraph;
use evalgraph_store::TermId;

/// The quads of an export, for any destination.
#[derive(Debug, Args)]
pub(super) struct SourceArguments {
    #[command(flatten)]
    pub(super) input: GroupedOptions<RunInputs>,
    /// Only this graph; can be repeated
    ///
    /// Its IRI, its dataset, or in a store the file that it was read from
    #[arg(long = "graph", value_name = "GRAPH")]
    graphs: Vec<String>,
    /// Export sidecars or the catalog, too
    #[arg(long, value_name = "GRAPHS", value_delimiter = ',', value_parser = graphs_beside())]
    pub(super) with: Vec<CompanionGraph>,
    /// Say what would be exported, and do nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    #[command(flatten)]
    pub(super) processor: ProcessorArguments,
}

impl SourceArguments {
    /// The graphs.
    pub(super) fn choice(&self) -> GraphChoice {
        GraphChoice { names: self.graphs.clone(), with: self.with.clone() }
    }

    /// The note of a dry run.
    pub(super) fn would_go(&self, data: &ExportData<'_>, graphs: &[TermId]) -> Diagnostic {
        let quads = graphs.iter().map(|graph| data.dataset().graph_quad_count(*graph) as u64).sum();
        // Sidecars are generated from the texts of a store, which a dry run does not read.
        let is_more = self.input.inputs.is_empty() && self.with.contains(&CompanionGraph::Sidecar);
        let more = if is_more { ", and the sidecars of its documents" } else { "" };
        let message = format!("would export {}{more}", counted(quads, graphs.len()));
        Diagnostic::new(FindingSeverity::Note, "export::done", message)
    }
}

fn graphs_beside() -> ValueParser {
    let catalog = "The keys of every question, and where each file came from";
    let sidecar = "What RDF cannot express of each file: order, spelling, parts without meaning";
    explained([("catalog", catalog, CompanionGraph::Catalog), ("sidecar", sidecar, CompanionGraph::Sidecar)])
}

/// A number of quads and graphs, in words.
pub(super) fn counted(quads: u64, graphs: usize) -> String {
    let of =
        |count: u64, one: &str| format!("{} {one}{}", thousands(count), if count == 1 { "" } else { "s" });
    format!("{} of {}", of(quads, "quad"), of(graphs as u64, "graph"))
}
