//! Each document graph with a sidecar as the file that it was read from, with what was changed in the graph.

use super::arrival::report_unwritten;
use super::document_graphs::DocumentGraphs;
use super::file_names::{TakenNames, file_name};
use super::losses::report_changes;
use super::written::parsed;
use crate::diagnostic::help::{command, help, setting};
use crate::diagnostic::{Diagnostic, Failure, Report, Severity, thousands};
use crate::rdf::QuadBuffer;
use crate::source::karenina::Dialect;
use crate::source::karenina::writer::{Form, Version2Shape};
use crate::source::sidecar::file_form::FileForm;
use crate::source::sidecar::{Datasets, FileLayout, Restored, version_2};

/// The file that a document graph was read from, with what was changed in the graph.
pub(crate) struct SameFile {
    /// The name of the graph.
    pub(crate) graph: String,
    pub(crate) text: String,
    /// The extensions that go with the file.
    #[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "the command line alone asks for it"))]
    pub(crate) extensions: &'static [&'static str],
}

/// Document graphs beside their sidecars.
#[derive(Default)]
pub(crate) struct Changed {
    pub(crate) quads: QuadBuffer,
    /// The statements that are known to be new, in the default graph.
    pub(crate) new: QuadBuffer,
}

/// The files of all datasets; where only one is taken, several are refused.
///
/// # Errors
///
/// `sidecar::missing` where no graph has a sidecar, `output::several` where several files have one place.
pub(crate) fn same_files(
    Changed { quads, new }: &Changed,
    takes_several: bool,
    report: &mut Report,
) -> Result<Vec<SameFile>, Failure> {
    let datasets = Datasets::of(quads);
    let names: Vec<String> = datasets.names().map(str::to_owned).collect();
    report.add_all(&without_sidecar(&datasets));
    match names.as_slice() {
        [] => return Err(no_sidecar().into()),
        [_] => {}
        several if !takes_several => {
            let message = format!("the input holds {} files, and they do not go into one", several.len());
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

/// The names of files in a folder, no two of which are one.
pub(crate) fn names_in_folder(quads: &QuadBuffer, files: &[SameFile]) -> Vec<String> {
    let documents = DocumentGraphs::of(quads);
    let mut taken = TakenNames::default();
    let name = |file: &SameFile| file_name(&file.graph, documents.path_of_name(&file.graph), &mut taken);
    files.iter().map(name).collect()
}

/// The extensions that go with a file of that text, which was of a dialect and laid out so.
fn extensions_of(text: &str, dialect: &str, layout: Option<&FileLayout>) -> &'static [&'static str] {
    let is_version_2 = Dialect::from_id(dialect).is_some_and(Dialect::is_version_2);
    // Files of records have the dialect of a system.
    if !dialect.contains('/') && !is_version_2 {
        return &["jsonld", "json", "json-ld"];
    }
    let Some(layout) = layout else { return &["json"] };
    match &layout.form {
        None if layout.style.json_lines => &["jsonl", "ndjson"],
        // What the form of a file cannot hold comes as JSON.
        Some(FileForm::Csv(_)) if parsed("file", text.to_owned()).is_err() => &["csv", "tsv"],
        Some(FileForm::Yaml(_)) if parsed("file", text.to_owned()).is_err() => &["yaml", "yml"],
        Some(FileForm::Yaml(_)) => &["json", "yaml", "yml"],
        _ => &["json"],
    }
}

/// The text of a file; of version 2.0, which the graph has as JSON-LD, in its own shape. And how many entries of
/// the sidecar are about what the graph has no more: who has taken that away need not be told.
pub(crate) fn in_its_version(
    file: &Restored,
    graph: &str,
    report: &mut Report,
) -> Result<(String, u64), Failure> {
    let Some(shape) = Dialect::from_id(&file.dialect).and_then(Version2Shape::of) else {
        return Ok((file.text.clone(), file.gone));
    };
    let document = parsed(graph, file.text.clone())?;
    let layout = file.file.clone().unwrap_or_default();
    let written = version_2::restored(&document, shape, graph, &layout);
    let written = written.map_err(|faults| report.ended_by(&faults))?;
    report.add_all(&written.findings);
    report_changes(&written.changes, Form::Version2(shape), graph, false, report);
    Ok((written.text, file.gone + written.gone))
}

/// Returns what is said of a sidecar that knows more than its graph: what was deleted, or another labelling
/// of its blank nodes.
fn gone_entries(count: u64, graph: &str) -> Option<Diagnostic> {
    let message = match count {
        0 => return None,
        1 => format!("one entry of the sidecar of `{graph}` is about what its graph has no more"),
        _ => format!(
            "{} entries of the sidecar of `{graph}` are about what its graph has no more",
            thousands(count)
        ),
    };
    Some(Diagnostic::new(Severity::Note, "sidecar::gone", message))
}

fn no_sidecar() -> Diagnostic {
    let message = "no graph has a sidecar, so that nobody knows which file it was";
    Diagnostic::error("sidecar::missing", message)
        .with_help(help![
            "name the form: ",
            setting("to").to("karenina"),
            ", `karenina-spec`, `karenina-gui` or `karenina-v2`"
        ])
        .with_help(help![
            command("convert").with("FILE").with(setting("to").to("nq")).with(setting("with").to("sidecar")),
            " keeps what ",
            setting("to").to("same"),
            " needs"
        ])
}

/// The document graphs that no file can be made of.
fn without_sidecar(datasets: &Datasets<'_>) -> Option<Diagnostic> {
    let (count, first) = datasets.without_sidecar();
    let first = first.filter(|_| datasets.names().next().is_some())?;
    let message = match count {
        1 => format!("the graph `{first}` has no sidecar and is left out"),
        _ => format!("{count} graphs have no sidecar and are left out, the first of them `{first}`"),
    };
    Some(Diagnostic::warning("sidecar::missing", message))
}
