//! Writes each document graph with a sidecar as the file that it was read from, with the changes of the graph.

use evalgraph_diagnostics::help::{command, help, setting};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, RunReport, thousands};
use evalgraph_formats::checkpoint::CheckpointDialect;
use evalgraph_formats::checkpoint::writer::{CheckpointForm, Version2Shape};
use evalgraph_formats::sidecar::file_form::FileForm;
use evalgraph_formats::sidecar::{DocumentSidecars, FileLayout, RestoredFile, version_2_sidecar};
use evalgraph_formats::writing::document_file_names::{TakenNames, file_name};
use evalgraph_formats::writing::document_graphs::DocumentGraphs;
use evalgraph_formats::writing::loss_reports::report_changes;
use evalgraph_formats::writing::parsed;
use evalgraph_formats::writing::unwritten_statements::report_unwritten;
use evalgraph_rdf::QuadBuffer;

/// The file that a document graph was read from, with the changes of the graph.
pub struct SameFile {
    /// The name of the graph.
    pub graph: String,
    /// The text of the file.
    pub text: String,
    /// The extensions that suit the file.
    pub extensions: &'static [&'static str],
}

/// Document graphs and their sidecars.
#[derive(Default)]
pub struct ChangedGraphs {
    /// The quads after the changes.
    pub quads: QuadBuffer,
    /// The statements that an update has added, in the default graph.
    pub new: QuadBuffer,
    /// `true` if they come from a server.
    pub is_of_server: bool,
}

/// Returns the files of all datasets. Several files are refused unless `takes_several`.
///
/// # Errors
///
/// `sidecar::missing` if no graph has a sidecar, `output::several` for several files with one destination.
pub fn same_files(
    ChangedGraphs { quads, new, is_of_server }: &ChangedGraphs,
    takes_several: bool,
    report: &mut RunReport,
) -> Result<Vec<SameFile>, RunFailure> {
    let datasets = DocumentSidecars::new(quads);
    let names: Vec<String> = datasets.names().map(str::to_owned).collect();
    report.add_all(&without_sidecar(&datasets));
    match names.as_slice() {
        [] => return Err(no_sidecar(*is_of_server).into()),
        [_] => {}
        several if !takes_several => {
            let message =
                format!("the input contains {} files, which cannot be written into one", several.len());
            let help = "name a folder: `-o DIR/`";
            return Err(Diagnostic::error("output::several", message).with_help(help).into());
        }
        _ => {}
    }
    let mut files = Vec::with_capacity(names.len());
    for graph in names {
        match datasets.restore_after(&graph, new) {
            Ok(file) => {
                report.add_all(&file.findings);
                let (text, gone) = in_its_version(&file, &graph, report)?;
                report_unwritten(&datasets, &file, &text, &graph, report);
                report.add_all(&gone_entries(gone, &graph));
                let extensions = extensions_of(&text, &file.dialect, file.file.as_ref());
                files.push(SameFile { graph, text, extensions });
            }
            Err(fault) => report.add(&fault),
        }
    }
    Ok(files)
}

/// Returns distinct names for files in a folder.
pub fn names_in_folder(quads: &QuadBuffer, files: &[SameFile]) -> Vec<String> {
    let documents = DocumentGraphs::from_quads(quads);
    let mut taken = TakenNames::default();
    let name = |file: &SameFile| file_name(&file.graph, documents.path_of_name(&file.graph), &mut taken);
    files.iter().map(name).collect()
}

/// Returns the extensions that fit a file with this text, dialect and layout.
pub fn extensions_of(text: &str, dialect: &str, layout: Option<&FileLayout>) -> &'static [&'static str] {
    let is_version_2 = CheckpointDialect::from_id(dialect).is_some_and(CheckpointDialect::is_version_2);
    // The dialect of a records file is named after its system.
    if !dialect.contains('/') && !is_version_2 {
        return &["jsonld", "json", "json-ld"];
    }
    let Some(layout) = layout else { return &["json"] };
    match &layout.form {
        None if layout.style.json_lines => &["jsonl", "ndjson"],
        // A file becomes JSON if its form cannot hold the content.
        Some(FileForm::Csv(_)) if parsed("file", text.to_owned()).is_err() => &["csv", "tsv"],
        Some(FileForm::Yaml(_)) if parsed("file", text.to_owned()).is_err() => &["yaml", "yml"],
        Some(FileForm::Yaml(_)) => &["json", "yaml", "yml"],
        _ => &["json"],
    }
}

/// Returns the text of a file, and how many sidecar entries concern nodes that the graph no longer has. Version 2.0,
/// which a graph stores as JSON-LD, is written in its own shape.
pub fn in_its_version(
    file: &RestoredFile,
    graph: &str,
    report: &mut RunReport,
) -> Result<(String, u64), RunFailure> {
    let Some(shape) = CheckpointDialect::from_id(&file.dialect).and_then(Version2Shape::from_dialect) else {
        return Ok((file.text.clone(), file.gone));
    };
    let document = parsed(graph, file.text.clone())?;
    let layout = file.file.clone().unwrap_or_default();
    let written = version_2_sidecar::restored(&document, shape, graph, &layout);
    let written = written.map_err(|faults| report.reported(&faults))?;
    report.add_all(&written.findings);
    report_changes(&written.changes, CheckpointForm::Version2(shape), graph, false, report);
    Ok((written.text, file.gone + written.gone))
}

/// Returns the finding for sidecar entries about nodes that the graph does not have: they were deleted, or blank nodes
/// were relabelled.
fn gone_entries(count: u64, graph: &str) -> Option<Diagnostic> {
    let message = match count {
        0 => return None,
        1 => format!("one sidecar entry of `{graph}` is about a node that the graph no longer has"),
        _ => format!(
            "{} sidecar entries of `{graph}` are about nodes that the graph no longer has",
            thousands(count)
        ),
    };
    Some(Diagnostic::new(FindingSeverity::Note, "sidecar::gone", message))
}

fn no_sidecar(is_of_server: bool) -> Diagnostic {
    let message = "no graph has a sidecar, so the file that it was read from is unknown";
    let (with, same) = (setting("with").to("sidecar"), setting("to").to("same"));
    let way = match is_of_server {
        true => help![with, " at the export sends what ", same, " needs"],
        false => {
            let keeps = command("convert").with("FILE").with(setting("to").to("nq")).with(with);
            help![keeps, " keeps what ", same, " needs"]
        }
    };
    let [first, second, third, fourth] = CheckpointForm::ALL;
    Diagnostic::error("sidecar::missing", message)
        .with_help(help![
            "name the form: ",
            setting("to").to(first.name()),
            format!(", `{second}`, `{third}` or `{fourth}`")
        ])
        .with_help(way)
}

/// Returns a finding about document graphs without sidecars, which cannot become files.
fn without_sidecar(datasets: &DocumentSidecars<'_>) -> Option<Diagnostic> {
    let (count, first) = datasets.without_sidecar();
    let first = first.filter(|_| datasets.names().next().is_some())?;
    let message = match count {
        1 => format!("the graph `{first}` has no sidecar and is left out"),
        _ => format!("{count} graphs have no sidecar and are left out, the first of them `{first}`"),
    };
    Some(Diagnostic::warning("sidecar::missing", message))
}
