//! `evalgraph convert`: from any RDF format to another, with nothing changed on the way; with
//! sidecars on request, and with these back to the files; to a checkpoint in one of Karenina's forms.

use std::path::Path;

use clap::Args;

use crate::cli::arguments::{
    CheckpointArguments, DatasetArguments, OutputArguments, PromptArguments, ShapeArguments,
    TrainingArguments, targets,
};
use crate::cli::output::write_text;
use crate::cli::output_folder::{Destination, FolderArguments, OutputFolder};
use crate::cli::output_form::{is_folder, known_extension};
use crate::cli::rdf_output::write_quads;
use crate::cli::same::write_same;
use crate::cli::written_files::write_files;
use crate::cli::{Answer, Stop, output_form};
use crate::convert::conversion::{Conversion, Converted};
use crate::convert::json_ld::JsonLdShape;
use crate::convert::kwanzaa::KwanzaaForm;
use crate::convert::output_form::OutputForm;
use crate::convert::written::Written;
use crate::diagnostic::{Diagnostic, Failure, Report};
use crate::input::corpus::CORPUS;
use crate::input::options::{Inputs, IriOptions};
use crate::load::checkpoint_file::check_size;
use crate::load::json_ld::{JsonLd, JsonLdSettings};
use crate::load::quads::With;
use crate::rdf::RdfFormat;
use crate::source::train::WriteOptions;
use crate::workspace::sources::sources;

const EXAMPLES: &str = "\
Examples:
  evalgraph convert checkpoint.jsonld --to ttl
  evalgraph convert data/ -o all.nq.gz
  evalgraph convert data.ttl --to jsonld --context schema.org
  curl -s https://example.org/data | evalgraph convert - --to trig
  evalgraph convert checkpoint.jsonld --with sidecar -o checkpoint.nq
  evalgraph convert checkpoint.nq --to same -o checkpoint.jsonld
  evalgraph convert old.jsonld --to karenina -o new.jsonld --report-loss
  evalgraph convert checkpoints/ --to karenina-gui -o gui/
  evalgraph convert training/*.json --to hf-chat -o chat.jsonl
  evalgraph convert rlcf-export.json --to sft -o sft.jsonl
  evalgraph convert checkpoint.jsonld --to train -o dataset/

Several inputs become one document; checkpoints become a file each in a folder, where a file that
is there and says something else is an error unless `--force` is given. Formats without
named graphs (nt, ttl, rdfxml) take the triples of all graphs; the lost graph names are a warning.
JSON-LD is written in expanded form unless there is a context or a frame; `evalgraph from-rdf` has
the options of that conversion.

karenina is what today's Python library loads, karenina-spec the specification's 3.0.0-jsonld,
karenina-gui what the user interface loads, karenina-v2 version 2.0. They are written from a
checkpoint in any dialect, from version 2.0, or from a graph. What such a form cannot hold is a
warning, and an error under `--strict`.

sft and preference are training data in JSON lines, made of RLCF's feedback: what is asked with each
expert's answer, and pairs of the text that the expert prefers and the other one.

train is a dataset directory for a RAG evaluator: train.json with the questions of all inputs and
their ids, and corpus/ with the texts that they rest on; to stdout or FILE.json the rows alone.

rlcf is records of RLCF: one input as the file that it was, several as an object with arrays under
the names of their kinds, in a folder each as its file. The questions of other inputs are tasks for
experts, of the type QA.

kwanzaa is a dataset of training samples. A question whose answer rests on documents of which a
sample has to say more than the input does is left out, and told. hf-chat is conversations, a JSON
text on each line: of samples those of their contract, of other questions the question with its
documents and the answer, without a system prompt unless one is given. Conversations of samples are
read back; what they do not say is filled in and told.";

/// The arguments of `convert`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ConvertArguments {
    #[command(flatten)]
    input: Inputs,
    /// The format to write, or `same` for files as they were read; without it the extension of the
    /// output file tells
    #[arg(long, value_name = "FORMAT", value_parser = targets())]
    to: Option<OutputForm>,
    /// Load each document into a graph of its own, as `query` does, and write these graphs beside it;
    /// needs a format with graph names, nq or trig
    #[arg(long, value_name = "GRAPH", value_delimiter = ',')]
    with: Vec<With>,
    /// The name of the dataset, where it is not to be the root's `@id` or the file's stem
    #[arg(long, value_name = "NAME", requires = "with")]
    dataset: Option<String>,
    #[command(flatten)]
    shape: ShapeArguments,
    #[command(flatten)]
    checkpoint: CheckpointArguments,
    #[command(flatten)]
    prompts: PromptArguments,
    #[command(flatten)]
    training: TrainingArguments,
    #[command(flatten)]
    dataset_form: DatasetArguments,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    folder: FolderArguments,
    #[command(flatten)]
    iris: IriOptions,
    #[command(flatten)]
    json_ld: JsonLdSettings,
}

/// Runs `convert`.
pub(super) fn run(arguments: &ConvertArguments, report: &mut Report) -> Result<Answer, Stop> {
    let path = arguments.output.output.as_deref();
    let destination = Destination { path, arguments: arguments.folder };
    let takes_several = destination.folder().is_some();
    let target = target_of(arguments, report)?;
    if arguments.checkpoint.report_loss {
        report.show_losses_in_full();
    }
    let mut json_ld = JsonLd::new(&arguments.iris, &arguments.json_ld, &arguments.input.reading)?;
    let loses = matches!(target, OutputForm::Train | OutputForm::Rlcf | OutputForm::Kwanzaa(_));
    let flag = arguments.checkpoint.flag(loses).filter(|_| !matches!(target, OutputForm::Karenina(_)));
    if let Some(flag) = flag {
        let message = format!("`{flag}` is for checkpoints, and the output is {}", target.name());
        return Err(Diagnostic::error("output::format", message).with_help("add `--to karenina`").into());
    }
    if let (Some(flag), false) = (arguments.training.flag(), matches!(target, OutputForm::Training(_))) {
        let message = format!("`{flag}` is for training data, and the output is {}", target.name());
        return Err(Diagnostic::error("output::format", message).with_help("add `--to sft`").into());
    }
    if let (Some(flag), true) = (arguments.prompts.flag(), target != OutputForm::Kwanzaa(KwanzaaForm::Chat)) {
        let message = format!("`{flag}` is for hf-chat, and the output is {}", target.name());
        return Err(Diagnostic::error("output::format", message).with_help("add `--to hf-chat`").into());
    }
    let target = target.with_shape(arguments.checkpoint.v2_shape);
    let shape = match target {
        OutputForm::Rdf(format) => {
            let shape = arguments.shape.shape(format, &mut json_ld)?;
            if !arguments.with.is_empty() && !matches!(format, RdfFormat::NQuads | RdfFormat::TriG) {
                let message = format!("{format} has no place for the graphs of `--with`");
                let help = "write N-Quads or TriG: `--to nq`, `--to trig`";
                return Err(Diagnostic::error("output::with", message).with_help(help).into());
            }
            shape
        }
        OutputForm::Same | OutputForm::Training(_) => JsonLdShape::Expanded,
        form => refuse_flags(arguments, form.name()).map(|()| JsonLdShape::Expanded)?,
    };
    let dataset = path.filter(|path| target == OutputForm::Train && is_dataset_folder(path));
    let conversion = Conversion {
        form: target,
        takes_several,
        with: arguments.with.clone(),
        dataset: arguments.dataset.clone(),
        checkpoint: arguments.checkpoint.options(),
        training: arguments.training.options(),
        rows: arguments.dataset_form.options(dataset.is_some()),
        prompts: arguments.prompts.files(),
        json_ld: shape,
    };
    let input = &arguments.input;
    let converted = conversion.run(sources(input, report)?, (input, &json_ld), report)?;
    match (target, converted) {
        (OutputForm::Rdf(format), Converted::Quads(quads)) => {
            write_quads(quads, format, path, (&json_ld, &conversion.json_ld), report)?;
        }
        (_, Converted::Quads(_)) => {}
        (_, Converted::Same(changed)) => write_same(&changed, destination, report)?,
        (OutputForm::Training(_), Converted::Files(files, _)) => {
            let [file] = files.as_slice() else { return Ok(Answer::No) };
            write_text(&file.text, path)?;
        }
        (OutputForm::Karenina(_), Converted::Files(files, _)) => {
            let goes_on = report.has_failed() || input.keep_going;
            check_sizes(&files, destination, goes_on, report)?;
            write_files(files, destination)?;
        }
        (_, Converted::Files(files, note)) => match dataset {
            Some(folder) => {
                write_dataset(files, OutputFolder::new(folder, destination.arguments), conversion.rows)?;
                report.add_all(&note);
            }
            None => write_files(files, destination)?,
        },
    }
    Ok(Answer::Yes)
}

/// Refuses what only RDF formats have.
fn refuse_flags(arguments: &ConvertArguments, form: &str) -> Result<(), Stop> {
    if let Some(flag) = arguments.shape.flag() {
        let message = format!("`{flag}` is for JSON-LD, and the output is {form}");
        return Err(Diagnostic::error("output::format", message).into());
    }
    if !arguments.with.is_empty() {
        let message = format!("{form} has no place for the graphs of `--with`");
        return Err(Diagnostic::error("output::with", message).into());
    }
    Ok(())
}

/// Refuses checkpoints that are too large to be read again, unless others are wanted in spite of it.
fn check_sizes(
    files: &[Written],
    destination: Destination<'_>,
    goes_on: bool,
    report: &mut Report,
) -> Result<(), Stop> {
    for file in files {
        check_size(&destination.shown(&file.path), file.text.len(), report);
    }
    if report.has_failed() && !goes_on { Err(Failure::Reported.into()) } else { Ok(()) }
}

/// Writes a dataset of train.json into its folder.
fn write_dataset(
    files: Vec<Written>,
    mut folder: OutputFolder<'_>,
    options: WriteOptions,
) -> Result<(), Stop> {
    if options.with_corpus {
        folder.add_folder(CORPUS);
    }
    for Written { path, text } in files {
        folder.add(&path, text)?;
    }
    folder.write()
}

/// Tells whether a path is meant for a directory: what is not named as files are is.
fn is_dataset_folder(path: &Path) -> bool {
    is_folder(path) || !(path == Path::new("-") || known_extension(path).is_some())
}

/// Returns what is to be written: as named, else by the extension of the output.
fn target_of(arguments: &ConvertArguments, report: &mut Report) -> Result<OutputForm, Stop> {
    let path = arguments.output.output.as_deref();
    let chosen = output_form::CONVERT.chosen(path, arguments.to.map(OutputForm::name), report)?;
    let named = arguments.to.or_else(|| OutputForm::all().find(|target| Some(target.name()) == chosen));
    named.ok_or_else(|| {
        let names: Vec<&str> = OutputForm::all().map(OutputForm::name).collect();
        let help = format!("name it with `--to`: {}", names.join(", "));
        Diagnostic::error("output::format", "the format to write is not known").with_help(help).into()
    })
}
