//! `evalgraph export`: graphs of files or of the store, for other stores.

use std::io::Write;
use std::path::PathBuf;

use clap::builder::ValueParser;
use clap::{Args, Subcommand};

use crate::cli::arguments::{ProcessorArguments, choice, explained, size};
use crate::cli::bulk_loader::BulkLoader;
use crate::cli::ending::{cancellation, listen};
use crate::cli::output::write;
use crate::cli::visible::visible;
use crate::cli::{Answer, Stop};
use crate::diagnostic::{Diagnostic, Report, Severity, thousands};
use crate::export::choice::GraphChoice;
use crate::export::data::ExportData;
use crate::export::form::{Exported, FORMATS, FilesExport};
use crate::input::compression::Compression;
use crate::input::options::Inputs;
use crate::load::quads::With;
use crate::rdf::RdfFormat;

const EXAMPLES: &str = "\
Examples:
  evalgraph export files out/
  evalgraph export files out/ checkpoint.jsonld --to ttl
  evalgraph export files out/ --compress gzip --split 1GB --for tdb2
  evalgraph export files out/ --replace --with catalog,sidecar";

const FILES_HELP: &str = "\
Writes data.nq or data.trig with all graphs, or of nt and ttl a file for each graph, and export.json,
which lists the files. Their names are printed, or with --for the commands that load them, in which
words in capitals stand for what belongs to the other store. The folder appears whole or not at all.

With --split the parts are called data-0001.nq and so on. To every loader a blank node of one file is
another one than that of the next, so that quads with blank nodes are not parted: they are in
data-blank-nodes.nq, however large it becomes.";

/// The arguments of `export`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ExportArguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Write files for bulk loaders into a folder
    Files(Box<FilesArguments>),
}

/// The quads of an export, wherever they go.
#[derive(Debug, Args)]
struct SourceArguments {
    #[command(flatten)]
    input: Inputs,
    /// Only this graph: its IRI, its dataset, or of a store the file that it was read from; can be repeated
    #[arg(long = "graph", value_name = "GRAPH")]
    graphs: Vec<String>,
    /// Export the graphs beside those of documents, too
    #[arg(long, value_name = "GRAPHS", value_delimiter = ',', value_parser = graphs_beside())]
    with: Vec<With>,
    /// Say what would be exported, and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    processor: ProcessorArguments,
}

#[derive(Debug, Args)]
#[command(after_help = FILES_HELP)]
struct FilesArguments {
    /// The folder, which is made where it is missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The format of the files; nt and ttl have a file for each graph
    #[arg(long, value_name = "FORMAT", default_value = "nq", value_parser = formats())]
    to: RdfFormat,
    /// Compress the files
    #[arg(long, value_name = "COMPRESSION", value_parser = compressions())]
    compress: Option<Compression>,
    /// Begin another file after so many bytes of text, before compression, such as 1GB
    #[arg(long, value_name = "SIZE", value_parser = size)]
    split: Option<u64>,
    /// Print the commands by which this bulk loader loads the files, and refuse files that it does not read
    #[arg(long = "for", value_name = "LOADER")]
    loader: Option<BulkLoader>,
    /// Replace an earlier export in the folder
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    source: SourceArguments,
}

fn formats() -> ValueParser {
    choice(FORMATS.map(|format| (format.name(), format)))
}

fn compressions() -> ValueParser {
    choice(Compression::ALL.map(|compression| (compression.name(), compression)))
}

fn graphs_beside() -> ValueParser {
    let catalog = "The keys of every question, and where each file came from";
    let sidecar = "What RDF cannot hold of each file: order, spelling, what has no meaning";
    explained([("catalog", catalog, With::Catalog), ("sidecar", sidecar, With::Sidecar)])
}

/// Runs `export`.
pub(super) fn run(arguments: &ExportArguments, report: &mut Report) -> Result<Answer, Stop> {
    match &arguments.action {
        Action::Files(arguments) => files(arguments, report),
    }
}

fn files(arguments: &FilesArguments, report: &mut Report) -> Result<Answer, Stop> {
    let FilesArguments { folder, source, .. } = arguments;
    let mut export = FilesExport::from(arguments.to);
    export.graphs = GraphChoice { names: source.graphs.clone(), with: source.with.clone() };
    export.compression = arguments.compress;
    export.split = arguments.split;
    export.replaces = arguments.replace;
    arguments.loader.map_or(Ok(()), |loader| loader.check(&export))?;
    export.check(folder)?;
    listen();
    let json_ld = source.processor.json_ld(&source.input.reading)?;
    let mut data = ExportData::read(&source.input, &json_ld, &source.with, report)?;
    let graphs = data.graphs(&export.graphs)?;
    if source.dry_run {
        let quads = graphs.iter().map(|graph| data.dataset().graph_quad_count(*graph) as u64).sum();
        // Sidecars are made of the texts of a store, which a dry run does not read.
        let is_more = source.input.inputs.is_empty() && source.with.contains(&With::Sidecar);
        let more = if is_more { ", and the sidecars of its documents" } else { "" };
        let message = format!("would export {}{more}", counted(quads, graphs.len()));
        report.add(&Diagnostic::new(Severity::Note, "export::done", message));
        return Ok(Answer::Yes);
    }
    let Exported { files, graphs } = export.write(&mut data, &graphs, folder, &cancellation(), report)?;
    let lines: Vec<String> = match arguments.loader {
        Some(loader) => loader.commands(folder, &files, &export),
        None => files.iter().map(|file| folder.join(&file.name).display().to_string()).collect(),
    };
    write(None, |output| lines.iter().try_for_each(|line| writeln!(output, "{}", visible(line))))?;
    let quads = files.iter().map(|file| file.quads).sum();
    let bytes = files.iter().map(|file| file.bytes).sum();
    let message = format!(
        "exported {}: {} {}, {} bytes",
        counted(quads, graphs),
        files.len(),
        if files.len() == 1 { "file" } else { "files" },
        thousands(bytes)
    );
    report.add(&Diagnostic::new(Severity::Note, "export::done", message));
    Ok(Answer::Yes)
}

fn counted(quads: u64, graphs: usize) -> String {
    let of =
        |count: u64, one: &str| format!("{} {one}{}", thousands(count), if count == 1 { "" } else { "s" });
    format!("{} of {}", of(quads, "quad"), of(graphs as u64, "graph"))
}
