//! `evalgraph export`: exports graphs of files or of the store to other stores.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::builder::ValueParser;
use clap::{Args, Subcommand};

use crate::cli::arguments::{choice, size};
use crate::cli::bulk_loader::BulkLoader;
use crate::cli::export_source::{SourceArguments, counted};
use crate::cli::output::write;
use crate::cli::run_ending::{cancellation, listen};
use crate::cli::server_export::{
    FusekiArguments, GraphStoreArguments, RepositoryArguments, VirtuosoArguments, fuseki, graph_store,
    graphdb, rdf4j, virtuoso,
};
use crate::cli::visible::visible;
use crate::cli::{CommandAnswer, CommandStop, progress};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, RunReport, thousands};
use evalgraph_engine::export::export_data::ExportData;
use evalgraph_engine::export::files_export_form::{FORMATS, FilesExport, FilesExportResult};
use evalgraph_engine::export::files_export_run::ExportWatch;
use evalgraph_engine::export::quad_files::{ExportPartNumber, FolderChange, ParquetExport};
use evalgraph_engine::input::compression::FileCompression;
use evalgraph_engine::input::progress::ProgressDisplay;
use evalgraph_engine::load::document_loading::DocumentLoading;
use evalgraph_engine::load::quads::CompanionGraph;
use evalgraph_rdf::RdfFormat;
use evalgraph_rdf::iri::is_iri;
use evalgraph_sparql::CancellationToken;
use evalgraph_store::TermId;

const EXAMPLES: &str = "\
Examples:
  evalgraph export files out/
  evalgraph export files out/ checkpoint.jsonld --to ttl
  evalgraph export files out/ --compress gzip --split 1GB --for tdb2
  evalgraph export files out/ --replace --with catalog,sidecar
  evalgraph export parquet lake/ checkpoints/
  evalgraph export parquet lake/ checkpoints/ --part 3/8
  evalgraph export parquet lake/ new.jsonld --append
  evalgraph export fuseki http://localhost:3030 --dataset evaluations --create
  evalgraph export graphdb https://example.org --repository evaluations --replace --resume";

const FILES_HELP: &str = "\
Writes data.nq or data.trig with all graphs, or for nt and ttl a file for each graph, and export.json,
which lists the files. Their names are printed, or with --for the commands that load them, in which
words in capitals are placeholders. The folder appears complete or not at all.

With --split the parts are called data-0001.nq and so on. A loader treats blank nodes in different
files as different nodes, so quads with blank nodes are not split: they are in data-blank-nodes.nq,
however large it becomes.";

/// The arguments of `export`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ExportArguments {
    #[command(subcommand)]
    action: ExportAction,
}

#[derive(Debug, Subcommand)]
enum ExportAction {
    /// Write files for bulk loaders into a folder
    Files(Box<FilesArguments>),
    /// Write Parquet for SQL: DuckDB, Spark, Athena
    Parquet(Box<ParquetArguments>),
    /// Send graphs to a dataset of Apache Jena Fuseki
    Fuseki(Box<FusekiArguments>),
    /// Send graphs to a repository of GraphDB
    Graphdb(Box<RepositoryArguments>),
    /// Send graphs to a repository of an Eclipse RDF4J Server
    Rdf4j(Box<RepositoryArguments>),
    /// Send graphs to Virtuoso
    Virtuoso(Box<VirtuosoArguments>),
    /// Send graphs to any server with the SPARQL 1.1 Graph Store HTTP Protocol
    Gsp(Box<GraphStoreArguments>),
}

#[derive(Debug, Args)]
#[command(after_help = FILES_HELP)]
struct FilesArguments {
    /// Output folder; it is created if it is missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Format; nt and ttl have a file for each graph
    #[arg(long, value_name = "FORMAT", default_value = "nq", value_parser = formats())]
    to: RdfFormat,
    /// Compress the files
    #[arg(long, value_name = "COMPRESSION", value_parser = compressions())]
    compress: Option<FileCompression>,
    /// Begin another file after this much text, e.g. 1GB
    ///
    /// Bytes before compression
    #[arg(long, value_name = "SIZE", value_parser = size)]
    split: Option<u64>,
    /// Print the commands of this bulk loader
    ///
    /// Files that it cannot read are refused
    #[arg(long = "for", value_name = "LOADER")]
    loader: Option<BulkLoader>,
    /// Replace an earlier export in the folder
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    source: SourceArguments,
}

const PARQUET_HELP: &str = "\
Writes p/rest.parquet with the quads, and a file for each predicate with a million rows or more;
graphs.parquet with the graph of each file; views.duckdb.sql, which makes views of them for DuckDB;
_schema.json, which describes all columns in Croissant; and export.json, which lists the files. Their names are printed. The folder appears complete or not at all.

With --part many workers write parts of the export at the same time, each into DIR/parts; --join makes the
same files of them as one run over all inputs. A part that failed is written again by the same command.
--append and --update make the same files as one run over all inputs, too, without reading the others.

A term has a column with its text and one with a number, which is the same in every export: joins compare
numbers. Objects have their kind, datatype and language, and their value in o_num, o_dbl, o_bool and o_time,
as far as these hold it exactly.";

#[derive(Debug, Args)]
#[command(after_help = PARQUET_HELP)]
struct ParquetArguments {
    /// Output folder; it is created if it is missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Rows of a predicate that gets a file of its own
    #[arg(long, value_name = "ROWS", default_value_t = 1_000_000)]
    own_file: u64,
    /// Also write the pairs that `+` reaches over this predicate, an IRI; can be repeated
    ///
    /// For engines without recursion, such as Spark. With parts, name it when they are joined
    #[arg(long = "closure", value_name = "IRI", value_parser = iri)]
    closures: Vec<String>,
    /// Also write tables of questions, answers, results and more
    ///
    /// With a view for each. If one part has them, all need them
    #[arg(long, conflicts_with = "join")]
    tables: bool,
    /// Write only the Nth of M parts of the files, below DIR/parts
    ///
    /// Every part needs the same INPUT. A part that is there already is not written again
    #[arg(long, value_name = "N/M", conflicts_with_all = ["join", "graphs", "with", "dry_run"])]
    part: Option<ExportPartNumber>,
    /// Join the parts below DIR/parts into the export
    #[arg(long, conflicts_with_all = ["graphs", "with", "dry_run"])]
    join: bool,
    /// Replace an earlier export in the folder
    #[arg(long)]
    replace: bool,
    /// Add files to the export in the folder, with its options
    #[arg(long, conflicts_with_all = ["update", "own_file", "closures", "tables", "part", "join", "replace", "graphs", "with", "dry_run"])]
    append: bool,
    /// Add files, and replace the graphs of those that are there already
    ///
    /// All other graphs stay. A file is known by its path, as it was given
    #[arg(long, conflicts_with_all = ["own_file", "closures", "tables", "part", "join", "replace", "graphs", "with", "dry_run"])]
    update: bool,
    #[command(flatten)]
    source: SourceArguments,
}

impl ParquetArguments {
    /// Returns the way in which files are added to an export, if they are.
    fn change(&self) -> Option<FolderChange> {
        match (self.append, self.update) {
            (true, _) => Some(FolderChange::Append),
            (_, true) => Some(FolderChange::Update),
            _ => None,
        }
    }
}

fn iri(text: &str) -> Result<String, String> {
    if is_iri(text) { Ok(text.to_owned()) } else { Err(format!("`{text}` is not an IRI")) }
}

fn formats() -> ValueParser {
    choice(FORMATS.map(|format| (format.name(), format)))
}

fn compressions() -> ValueParser {
    choice(FileCompression::ALL.map(|compression| (compression.name(), compression)))
}

/// Runs `export`.
pub(super) fn run(arguments: &ExportArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    match &arguments.action {
        ExportAction::Files(arguments) => files(arguments, report),
        ExportAction::Parquet(arguments) => parquet(arguments, report),
        ExportAction::Fuseki(arguments) => fuseki(arguments, report),
        ExportAction::Graphdb(arguments) => graphdb(arguments, report),
        ExportAction::Rdf4j(arguments) => rdf4j(arguments, report),
        ExportAction::Virtuoso(arguments) => virtuoso(arguments, report),
        ExportAction::Gsp(arguments) => graph_store(arguments, report),
    }
}

/// Reads the data and passes the chosen graphs to `write`. Returns `None` for a dry run, which is reported.
fn exported(
    source: &SourceArguments,
    with: &[CompanionGraph],
    report: &mut RunReport,
    write: impl FnOnce(
        &mut ExportData<'_>,
        &[TermId],
        &ExportWatch<'_>,
        &mut RunReport,
    ) -> Result<FilesExportResult, RunFailure>,
) -> Result<Option<FilesExportResult>, CommandStop> {
    listen();
    let session = source.processor.session(&source.input.reading)?;
    let mut data = ExportData::read(&source.input, &session, with, report)?;
    let graphs = data.graphs(&source.choice())?;
    if source.dry_run {
        report.add(&source.would_go(&data, &graphs));
        return Ok(None);
    }
    let cancellation = cancellation();
    Ok(Some(write(&mut data, &graphs, &watch(&cancellation), report)?))
}

fn parquet(arguments: &ParquetArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let ParquetArguments { folder, own_file, closures, tables, part, join, replace, source, .. } = arguments;
    let (graphs, closures) = (source.choice(), closures.clone());
    let (own_file, has_tables, replaces) = (*own_file, *tables, *replace);
    let export = ParquetExport { graphs, own_file, closures, has_tables, replaces };
    let has_files = !source.input.inputs.is_empty();
    if let Some(fault) = unfit(arguments) {
        return Err(fault.into());
    }
    let written = if let Some(change) = arguments.change() {
        listen();
        let cancellation = cancellation();
        let export = ParquetExport::from_folder(folder)?;
        let session = export.session(source.processor.session(&source.input.reading)?);
        let loader = DocumentLoading::new(&source.input, &session, false, report.shows_all());
        Some(export.add_files(change, &loader, folder, &watch(&cancellation), report)?)
    } else if *join {
        listen();
        let cancellation = cancellation();
        Some(export.join(folder, &watch(&cancellation))?)
    } else if has_files && source.with.is_empty() && !source.dry_run {
        listen();
        let cancellation = cancellation();
        let session = export.session(source.processor.session(&source.input.reading)?);
        let loader = DocumentLoading::new(&source.input, &session, false, report.shows_all());
        match part {
            Some(part) => return part_of(*part, arguments, &export, &loader, report),
            None => Some(export.write_files(&loader, folder, &watch(&cancellation), report)?),
        }
    } else {
        export.check(folder)?;
        // The catalog has the paths of files.
        exported(source, &[CompanionGraph::Catalog], report, |data, graphs, watch, _| {
            export.write(data, graphs, folder, watch)
        })?
    };
    if let Some(written) = written {
        write_names(folder, &written)?;
        report.add(&done(&written));
    }
    Ok(CommandAnswer::Yes)
}

/// Writes a part of an export.
fn part_of(
    part: ExportPartNumber,
    arguments: &ParquetArguments,
    export: &ParquetExport,
    loader: &DocumentLoading<'_>,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let cancellation = cancellation();
    let written = export.write_part(part, loader, &arguments.folder, &watch(&cancellation), report)?;
    report.add(&written.as_ref().map_or_else(
        || Diagnostic::new(FindingSeverity::Note, "export::done", format!("{part} is there already")),
        |written| Diagnostic { message: format!("{part}: {}", done(written).message), ..done(written) },
    ));
    Ok(CommandAnswer::Yes)
}

/// Returns the fault if files are named although parts are joined, or no files although a part is wanted or files are
/// added.
fn unfit(arguments: &ParquetArguments) -> Option<Diagnostic> {
    let has_files = !arguments.source.input.inputs.is_empty();
    if arguments.change().is_some() && !has_files {
        let message = "`--append` and `--update` need files: a store is exported as a whole";
        let fault = Diagnostic::error("export::append", message);
        return Some(fault.with_help("name the files to add, or use `--replace` to export the store again"));
    }
    let (message, help) = match (arguments.part, arguments.join) {
        (Some(_), _) if !has_files => (
            "`--part` needs files: a store is exported as a whole",
            "name the files and folders of all parts, or leave `--part` out",
        ),
        (_, true) if has_files => {
            ("`--join` reads only the parts, but files are named", "leave the files out")
        }
        _ => return None,
    };
    Some(Diagnostic::error("export::part", message).with_help(help))
}

fn watch(cancellation: &CancellationToken) -> ExportWatch<'_> {
    ExportWatch { display: ProgressDisplay(progress::quads), cancellation }
}

/// Prints the names of the files.
fn write_names(folder: &Path, exported: &FilesExportResult) -> Result<(), CommandStop> {
    let names = exported.files.iter().map(|file| folder.join(&file.name).display().to_string());
    let names: Vec<String> = names.collect();
    write(None, |output| names.iter().try_for_each(|name| writeln!(output, "{}", visible(name))))
}

/// The note about what was exported.
fn done(FilesExportResult { files, graphs, empty_tables }: &FilesExportResult) -> Diagnostic {
    let quads = files.iter().map(|file| file.quads).sum();
    let bytes = files.iter().map(|file| file.bytes).sum();
    let message = format!(
        "exported {}: {} {}, {} bytes",
        counted(quads, *graphs),
        files.len(),
        if files.len() == 1 { "file" } else { "files" },
        thousands(bytes)
    );
    let left_out = match empty_tables.as_slice() {
        [] => String::new(),
        names => format!("; left out, since they have no rows: {}", names.join(", ")),
    };
    Diagnostic::new(FindingSeverity::Note, "export::done", message + &left_out)
}

fn files(arguments: &FilesArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let FilesArguments { folder, source, .. } = arguments;
    let mut export = FilesExport::from(arguments.to);
    export.graphs = source.choice();
    export.compression = arguments.compress;
    export.split = arguments.split;
    export.replaces = arguments.replace;
    arguments.loader.map_or(Ok(()), |loader| loader.check(&export))?;
    export.check(folder)?;
    let written = exported(source, &source.with, report, |data, graphs, watch, report| {
        export.write(data, graphs, folder, watch, report)
    })?;
    let Some(written) = written else { return Ok(CommandAnswer::Yes) };
    match arguments.loader {
        Some(loader) => {
            let lines = loader.commands(folder, &written.files, &export);
            write(None, |output| lines.iter().try_for_each(|line| writeln!(output, "{}", visible(line))))?;
        }
        None => write_names(folder, &written)?,
    }
    report.add(&done(&written));
    Ok(CommandAnswer::Yes)
}
