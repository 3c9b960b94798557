//! `evalgraph convert --to train`: the questions of any inputs as a dataset directory, or as its rows.

use std::path::Path;

use clap::{Args, ValueEnum};

use super::Stop;
use super::convert_items::{joined, questions_of_documents};
use super::output::write_text;
use super::output_folder::{Destination, OutputFolder};
use super::output_form::{is_folder, known_extension};
use crate::convert::losses::{report_defaults, report_losses};
use crate::diagnostic::{Diagnostic, Failure, Report, Severity, thousands};
use crate::input::corpus::{CORPUS, ROWS};
use crate::rdf::QuadBuffer;
use crate::source::train::{Impossible, RowIds, WriteOptions, dataset_of_items};

/// The name on the command line.
const FORM: &str = "train";

/// How datasets of train.json are written.
#[derive(Debug, Args)]
pub(super) struct DatasetArguments {
    /// Of train: write the rows alone, no files from contexts and documents
    #[arg(long, help_heading = "Datasets")]
    no_corpus: bool,

    /// Of train: what is_impossible is where a question does not say
    #[arg(long, value_name = "VALUE", default_value = "omit", help_heading = "Datasets")]
    impossible: ImpossibleArgument,

    /// Of train: the ids of rows
    #[arg(long, value_name = "IDS", default_value = "source", help_heading = "Datasets")]
    ids: IdsArgument,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ImpossibleArgument {
    /// false
    False,
    /// Left out
    Omit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum IdsArgument {
    /// Those that the questions have where they came from
    Source,
    /// The indexes of the rows
    Index,
}

/// Writes the questions of all graphs, and what they rest on where there is a folder for it.
///
/// # Errors
///
/// `convert::no-questions` where there are none, and those of the output.
pub(super) fn write_dataset(
    quads: &QuadBuffer,
    arguments: &DatasetArguments,
    destination: Destination<'_>,
    report: &mut Report,
) -> Result<(), Stop> {
    let folder = destination.path.filter(|path| is_dataset_folder(path));
    let had_failed = report.has_failed();
    let (items, name) = joined(questions_of_documents(quads, FORM, report)?);
    let options = WriteOptions {
        impossible: match arguments.impossible {
            ImpossibleArgument::False => Impossible::False,
            ImpossibleArgument::Omit => Impossible::Omit,
        },
        with_corpus: folder.is_some() && !arguments.no_corpus,
        ids: match arguments.ids {
            IdsArgument::Source => RowIds::Source,
            IdsArgument::Index => RowIds::Index,
        },
    };
    let dataset = dataset_of_items(&items, options);
    report_losses(dataset.losses.iter(), (FORM, &name), report);
    report_defaults(&dataset.defaults, &name, report);
    if report.has_failed() && !had_failed {
        return Err(Failure::Reported.into());
    }
    let Some(folder) = folder else { return write_text(&dataset.rows, destination.path) };
    let files = dataset.corpus.len();
    let mut folder = OutputFolder::new(folder, destination.arguments);
    if options.with_corpus {
        folder.add_folder(CORPUS);
    }
    for (name, text) in dataset.corpus {
        folder.add(&format!("{CORPUS}/{name}"), text)?;
    }
    folder.add(ROWS, dataset.rows)?;
    folder.write()?;
    let counted = |count: usize, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        count => format!("{} {many}", thousands(count as u64)),
    };
    let rows = counted(items.len(), "row", "rows");
    let message = format!("{rows}, and {} in the corpus", counted(files, "file", "files"));
    report.add(&Diagnostic::new(Severity::Note, "train::written", message));
    Ok(())
}

/// Whether a path is meant for a directory: what is not named as files are is.
fn is_dataset_folder(path: &Path) -> bool {
    is_folder(path) || !(path == Path::new("-") || known_extension(path).is_some())
}
