//! The arguments of `evalgraph update`.

use std::path::PathBuf;

use clap::Args;

use super::arguments::{OutputArguments, ShapeArguments, update_targets};
use super::output_folder::FolderArguments;
use super::services::ServiceArguments;
use crate::convert::output_form::OutputForm;
use crate::input::options::Inputs;
use crate::load::json_ld::LoadOptions;

const EXAMPLES: &str = "\
Examples:
  evalgraph update -q 'DELETE WHERE { ?q s:keywords \"draft\" }'     (changes the store)
  evalgraph update checkpoint.jsonld -q 'DELETE WHERE { ?q s:keywords \"draft\" }' -o checkpoint.jsonld
  evalgraph update data.ttl -q 'DELETE WHERE { ?q s:keywords \"draft\" }' -o data.nq
  evalgraph update a.jsonld -f fix.ru -p keyword=oncology --dry-run
  evalgraph update a.ttl b.ttl -q 'WITH <urn:evalgraph:graph:a> INSERT { ?q s:version \"2\" } WHERE { ?q a s:Question }'

Without INPUT the store is changed, all or nothing, and its files stay as they are: `evalgraph
convert --to same` writes them with the change. With INPUT the result is written to stdout or
`-o`: as the file that it was with `--to same`, or where the name of the output is one for such a
file; else as RDF. `… --to same | evalgraph convert - --to karenina` writes other forms. Nothing is
written where any operation fails. What the update inserts without naming a graph
goes to the graph of the only input or document, or that of `--graph`; what it deletes so is
deleted from every graph that has it. A graph without triples is not there: what begins with one
that is not, or clears it, is an error unless it is SILENT.";

/// The arguments of `update`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct UpdateArguments {
    #[command(flatten)]
    pub(super) input: Inputs,
    #[command(flatten)]
    pub(super) text: UpdateText,
    /// A value for a variable of the update: a SPARQL term or a plain value
    #[arg(short, long = "param", value_name = "NAME=TERM")]
    pub(super) parameters: Vec<String>,
    /// The graph that takes what the update inserts without naming one
    #[arg(long, value_name = "IRI")]
    pub(super) graph: Option<String>,
    /// The format to write, or `same` for files as they were read; without it the extension of the output file
    /// tells, else nq
    #[arg(long, value_name = "FORMAT", value_parser = update_targets())]
    pub(super) to: Option<OutputForm>,
    /// Say what would change, and write nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    #[command(flatten)]
    pub(super) services: ServiceArguments,
    #[command(flatten)]
    pub(super) shape: ShapeArguments,
    #[command(flatten)]
    pub(super) output: OutputArguments,
    #[command(flatten)]
    pub(super) folder: FolderArguments,
    #[command(flatten)]
    pub(super) loading: LoadOptions,
}

/// Tells where the text of an update comes from; stdin where nothing is named.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub(super) struct UpdateText {
    /// The update
    #[arg(short, long = "query", value_name = "TEXT")]
    pub(super) query: Option<String>,
    /// A file with the update
    #[arg(short, long, value_name = "FILE")]
    pub(super) file: Option<PathBuf>,
}
