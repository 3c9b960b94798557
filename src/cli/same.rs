//! `convert --to same`: each document graph with a sidecar becomes the file that it was read from,
//! with what was changed in the graph.

use std::collections::HashSet;

use super::arrival::report_unwritten;
use super::document_graphs::DocumentGraphs;
use super::loss_report::report_changes;
use super::output::write_text;
use super::output_folder::Destination;
use super::{Stop, output_form};
use crate::diagnostic::{Diagnostic, Failure, Report, Severity, thousands};
use crate::json::{Limits, parse};
use crate::rdf::QuadBuffer;
use crate::rdf::vocabulary::EVALGRAPH_GRAPH;
use crate::source::karenina::Dialect;
use crate::source::karenina::writer::{Form, Version2Shape};
use crate::source::numbering::Numbering;
use crate::source::sidecar::file_form::FileForm;
use crate::source::sidecar::{Datasets, FileLayout, Restored, version_2};

/// Writes the files of all datasets: one to stdout or a file, several into a folder.
///
/// # Errors
///
/// `sidecar::missing` where no graph has a sidecar, `output::several` where several files have one
/// place, and those of the output.
pub(super) fn write_same(
    quads: &QuadBuffer,
    destination: Destination<'_>,
    report: &mut Report,
) -> Result<(), Stop> {
    write_same_after((quads, &QuadBuffer::new()), destination, report)
}

/// As [`write_same`], where it is known which statements are new, in the default graph of a buffer.
///
/// # Errors
///
/// The same.
pub(super) fn write_same_after(
    (quads, new): (&QuadBuffer, &QuadBuffer),
    destination: Destination<'_>,
    report: &mut Report,
) -> Result<(), Stop> {
    let datasets = Datasets::of(quads);
    let names: Vec<String> = datasets.names().map(str::to_owned).collect();
    report.add_all(&without_sidecar(&datasets));
    let folder = destination.folder();
    match names.as_slice() {
        [] => return Err(no_sidecar().into()),
        [_] => {}
        several if folder.is_none() => {
            let message = format!("the input holds {} files, and they do not go into one", several.len());
            let help = "name a folder: `-o DIR/`";
            return Err(Diagnostic::error("output::several", message).with_help(help).into());
        }
        _ => {}
    }
    let mut restored = Vec::with_capacity(names.len());
    for name in &names {
        match datasets.restore_after(name, new) {
            Ok(file) => {
                report.add_all(&file.findings);
                let (text, gone) = in_its_version(&file, name, report)?;
                report_unwritten(&datasets, (&file, &text), name, report);
                report.add_all(&gone_entries(gone, name));
                if let Some(path) = destination.path.filter(|_| folder.is_none()) {
                    report.add_all(&output_form::other_form(
                        path,
                        extensions_of(&text, (&file.dialect, file.file.as_ref())),
                    ));
                }
                restored.push((name, text));
            }
            Err(fault) => report.add(&fault),
        }
    }
    if report.has_failed() {
        return Err(Failure::Reported.into());
    }
    let Some(mut folder) = folder else {
        return restored.iter().try_for_each(|(_, text)| write_text(text, destination.path));
    };
    let mut taken = TakenNames::default();
    let documents = DocumentGraphs::of(quads);
    for (name, text) in restored {
        folder.add(&file_name(&documents, name, &mut taken), text)?;
    }
    folder.write()
}

/// The extensions that go with a file of that text, which was of a dialect and laid out so.
fn extensions_of(text: &str, (dialect, layout): (&str, Option<&FileLayout>)) -> &'static [&'static str] {
    let limits = Limits { size: u64::MAX, ..Limits::default() };
    let is_version_2 = Dialect::from_id(dialect).is_some_and(Dialect::is_version_2);
    // Files of records have the dialect of a system.
    if !dialect.contains('/') && !is_version_2 {
        return &["jsonld", "json", "json-ld"];
    }
    let Some(layout) = layout else { return &["json"] };
    match &layout.form {
        None if layout.style.json_lines => &["jsonl", "ndjson"],
        // What the form of a file cannot hold comes as JSON.
        Some(FileForm::Csv(_)) if parse("file", text.to_owned(), limits).is_err() => &["csv", "tsv"],
        Some(FileForm::Yaml(_)) if parse("file", text.to_owned(), limits).is_err() => &["yaml", "yml"],
        Some(FileForm::Yaml(_)) => &["json", "yaml", "yml"],
        _ => &["json"],
    }
}

/// The text of a file; of version 2.0, which the graph has as JSON-LD, in its own shape. And how many entries of
/// the sidecar are about what the graph has no more: who has taken that away need not be told.
pub(super) fn in_its_version(
    file: &Restored,
    graph: &str,
    report: &mut Report,
) -> Result<(String, u64), Failure> {
    let Some(shape) = Dialect::from_id(&file.dialect).and_then(Version2Shape::of) else {
        return Ok((file.text.clone(), file.gone));
    };
    let limits = Limits { size: u64::MAX, ..Limits::default() };
    let document = parse(graph, file.text.clone(), limits)?;
    let layout = file.file.clone().unwrap_or_default();
    match version_2::restored(&document, shape, (graph, &layout)) {
        Ok(written) => {
            report.add_all(&written.findings);
            report_changes(&written.changes, (Form::Version2(shape), graph), false, report);
            Ok((written.text, file.gone + written.gone))
        }
        Err(faults) => {
            report.add_all(&faults);
            Err(Failure::Reported)
        }
    }
}

/// What is said of a sidecar that knows more than its graph: what was deleted, or another labelling of its
/// blank nodes.
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
        .with_help("name the form: `--to karenina`, `karenina-spec`, `karenina-gui` or `karenina-v2`")
        .with_help("`convert FILE --to nq --with sidecar` keeps what `--to same` needs")
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

/// The stem of the file of a document graph; of a part of a dataset its path in the folder, with `-`.
pub(super) fn file_stem(documents: &DocumentGraphs<'_>, graph: &str) -> String {
    let name = file_name(documents, graph, &mut TakenNames::default()).replace('/', "-");
    name.split_once('.').map_or(name.clone(), |(stem, _)| stem.to_owned())
}

/// The names of files that were given so far.
#[derive(Default)]
struct TakenNames {
    names: HashSet<String>,
    numbering: Numbering,
}

impl TakenNames {
    /// The name, or one with a number behind the stem that no other file has.
    fn free(&mut self, wanted: &str, stem: &str, extension: &str) -> String {
        let named = |number| match number {
            1 => wanted.to_owned(),
            number => format!("{stem}-{number}.{extension}"),
        };
        let name = self.numbering.free(wanted, 1, named, |name| !self.names.contains(name));
        self.names.insert(name.clone());
        name
    }
}

/// The name for the file of a document graph: as the catalog has it, else its dataset's. A part of a dataset
/// goes where it was in the folder.
fn file_name(documents: &DocumentGraphs<'_>, graph: &str, taken: &mut TakenNames) -> String {
    let dataset = graph.strip_prefix(EVALGRAPH_GRAPH).unwrap_or(graph);
    let steps = dataset.matches('/').count().max(1);
    let known = documents.path_of_name(graph).and_then(|path| last_steps(path, steps));
    let (name, folder) = match dataset.split_once('/') {
        Some((_, part)) => (part, last_steps(part, steps)),
        None => (dataset, last_steps(dataset, 1)),
    };
    let own = || folder.unwrap_or_else(|| name.replace(['/', '\\'], "-")) + ".jsonld";
    let wanted = known.unwrap_or_else(own);
    let begin = wanted.rfind('/').map_or(0, |at| at + 1);
    let (stem, extension) = match wanted[begin..].split_once('.') {
        Some((stem, extension)) => (&wanted[..begin + stem.len()], extension),
        None => (wanted.as_str(), "jsonld"),
    };
    taken.free(&wanted, stem, extension)
}

/// The last steps of a path, none of which leads out of a folder: names from a graph may say anything.
fn last_steps(path: &str, count: usize) -> Option<String> {
    let mut steps: Vec<&str> = path.rsplit(['/', '\\']).take(count).collect();
    steps.reverse();
    // Nor is one hidden: `.bashrc`, `.git/hooks/…`.
    let is_plain =
        |step: &&str| !step.is_empty() && *step != "-" && !step.starts_with('.') && !step.contains('\0');
    steps.iter().all(is_plain).then(|| steps.join("/"))
}
