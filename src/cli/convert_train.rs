//! `evalgraph convert --to train`: the questions of any inputs as a dataset directory, or as its rows.

use std::fs;
use std::io::Write;
use std::path::Path;

use clap::{Args, ValueEnum};

use super::Stop;
use super::corpus::{CORPUS, ROWS};
use super::input::plain;
use super::loss_report::report_unread;
use super::output::Output;
use super::render::thousands;
use super::report::Report;
use super::same::is_folder;
use crate::diagnostic::{Diagnostic, Severity};
use crate::rdf::QuadBuffer;
use crate::rdf::quad_buffer::{TermId, TermRef};
use crate::rdf::vocabulary::is_beside_documents;
use crate::source::items::{Item, items_of};
use crate::source::rewriting::Graph;
use crate::source::train::{Impossible, WriteOptions, dataset_of_items};

/// How datasets of train.json are written.
#[derive(Debug, Args)]
pub(super) struct DatasetArguments {
    /// Of train: write the rows alone, no files from contexts and documents
    #[arg(long, help_heading = "Datasets")]
    no_corpus: bool,

    /// Of train: what is_impossible is where a question does not say
    #[arg(long, value_name = "VALUE", default_value = "false", help_heading = "Datasets")]
    impossible: ImpossibleArgument,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ImpossibleArgument {
    /// false
    False,
    /// Left out
    Omit,
}

/// Writes the questions of all graphs, and what they rest on where there is a folder for it.
///
/// # Errors
///
/// `convert::no-questions` where there are none, and those of the output.
pub(super) fn write_dataset(
    quads: &QuadBuffer,
    arguments: &DatasetArguments,
    path: Option<&Path>,
    report: &mut Report,
) -> Result<(), Stop> {
    let folder = path.filter(|path| is_dataset_folder(path));
    let had_failed = report.has_failed();
    let items = items(quads, "train.json", report);
    if items.is_empty() {
        return Err(Diagnostic::error("convert::no-questions", "the inputs have no questions").into());
    }
    let options = WriteOptions {
        impossible: match arguments.impossible {
            ImpossibleArgument::False => Impossible::False,
            ImpossibleArgument::Omit => Impossible::Omit,
        },
        with_corpus: folder.is_some() && !arguments.no_corpus,
    };
    let dataset = dataset_of_items(&items, options);
    report.add_all(&dataset.findings);
    if report.has_failed() && !had_failed {
        return Err(Stop::Failed);
    }
    let Some(folder) = folder else { return write(path, &dataset.rows) };
    let made = if options.with_corpus { folder.join(CORPUS) } else { folder.to_owned() };
    fs::create_dir_all(&made).map_err(|error| {
        let message = format!("the folder `{}` cannot be made: {}", made.display(), plain(&error));
        Diagnostic::error("output::unwritable", message)
    })?;
    for (name, text) in &dataset.corpus {
        write(Some(&folder.join(CORPUS).join(name)), text)?;
    }
    write(Some(&folder.join(ROWS)), &dataset.rows)?;
    let counted = |count: usize, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        count => format!("{} {many}", thousands(count as u64)),
    };
    let (rows, files) = (counted(items.len(), "row", "rows"), dataset.corpus.len());
    let message = format!("{rows}, and {} in the corpus", counted(files, "file", "files"));
    report.add(&Diagnostic::new(Severity::Note, "train::written", message));
    Ok(())
}

/// Whether a path is meant for a directory: what does not end in `.json` is.
fn is_dataset_folder(path: &Path) -> bool {
    let name = path.as_os_str().to_string_lossy();
    let plain = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    is_folder(path) || !(name == "-" || plain.ends_with(".json"))
}

fn write(path: Option<&Path>, text: &str) -> Result<(), Stop> {
    let mut output = Output::open(path)?;
    output.write_all(text.as_bytes()).map_err(|error| output.stop(&error))?;
    output.finish()
}

/// The questions of the document graphs, in the order of these; what the form has no place for is
/// reported.
pub(super) fn items(quads: &QuadBuffer, form: &str, report: &mut Report) -> Vec<Item> {
    let mut graphs: Vec<Option<TermId>> = Vec::new();
    for quad in quads.quads() {
        let is_beside = quad.graph.is_some_and(|graph| match quads.term(graph) {
            TermRef::Iri(iri) => is_beside_documents(iri),
            _ => false,
        });
        if graphs.last() != Some(&quad.graph) && !is_beside && !graphs.contains(&quad.graph) {
            graphs.push(quad.graph);
        }
    }
    let mut all = Vec::new();
    for name in graphs {
        let graph = Graph::of(quads, name);
        let found = items_of(&graph);
        let shown = name.map_or_else(|| "the default graph".to_owned(), |name| graph.shown(name));
        if !found.items.is_empty() {
            report_unread(&found.unread, (form, &shown), &graph, report);
        }
        all.extend(found.items);
    }
    all
}
