//! `evalgraph convert`: from any RDF format to another without a change, with sidecars on request; from sidecars back
//! to the files; to a checkpoint in one of Karenina's forms.

use crate::cli::arguments::option_groups::GroupedOptions;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, ValueParser};

use crate::cli::arguments::{
    EndpointArguments, OutputArguments, ProcessorArguments, ShapeArguments, choice, explained, preferences,
    targets,
};
use crate::cli::output::write_text;
use crate::cli::output_folder::{FolderArguments, OutputDestination, OutputFolder};
use crate::cli::output_form::{is_folder, known_extension};
use crate::cli::rdf_output::write_quads;
use crate::cli::same::write_same;
use crate::cli::{CommandAnswer, CommandStop, output_form, unless_failed};
use evalgraph_diagnostics::{Diagnostic, RunReport};
use evalgraph_engine::convert::checkpoint::CheckpointOptions;
use evalgraph_engine::convert::conversion::{Conversion, ConversionOutput};
use evalgraph_engine::convert::json_ld_shape::JsonLdShape;
use evalgraph_engine::convert::output_form::OutputForm;
use evalgraph_engine::input::input_options::RunInputs;
use evalgraph_engine::load::checkpoint_file::check_size;
use evalgraph_engine::load::quads::CompanionGraph;
use evalgraph_engine::load::read_session::ReadSession;
use evalgraph_engine::workspace::command_sources::sources;
use evalgraph_formats::checking::ProfileName;
use evalgraph_formats::checkpoint::checkpoint_merge::MergePreference;
use evalgraph_formats::checkpoint::writer::{CheckpointForm, Version2Shape};
use evalgraph_formats::corpus::CORPUS;
use evalgraph_formats::writing::{
    CopiedFile, FeedbackOptions, ImpossibleDefault, PromptFiles, RowIds, RowWriteOptions, WrittenFile,
    WrittenFiles,
};
use evalgraph_rdf::RdfFormat;

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
  evalgraph convert --endpoint http://localhost:3030/ds --to same -o files/

Several inputs become one document. Checkpoints become one file each in a folder; an existing file
with other content is an error unless `--force` is given. Formats without named graphs (nt, ttl,
rdfxml) contain the triples of all graphs, with a warning about the lost graph names. JSON-LD is
written in expanded form unless there is a context or a frame; `evalgraph from-rdf` has the options
of that conversion.

karenina is what today's Python library loads, karenina-spec the specification's 3.0.0-jsonld,
karenina-gui what the user interface loads, karenina-v2 version 2.0. They are written from a
checkpoint in any dialect, from version 2.0, or from a graph. Anything that such a form cannot
represent is a warning, and an error under `--strict`.

sft and preference are training data in JSON lines, made from RLCF's feedback: prompts with each
expert's answer, and pairs of the text that the expert prefers and the other one.

train is a dataset directory for a RAG evaluator: train.json with the questions of all inputs and
their ids, and corpus/ with their source texts. To stdout or FILE.json, only the rows are written.

rlcf is records of RLCF: one input in the form of its file, several as an object with an array for
each kind; in a folder, each has its own file. The questions of other inputs become tasks for
experts, of the type QA.

kwanzaa is a dataset of training samples. A question is left out, with a warning, if its answer has
source documents that lack details which a sample requires. hf-chat is conversations, one JSON text
per line. For samples, they are those of their contract; for other questions, they consist of the
question with its documents and the answer, with a system prompt only if one is given. Conversations
of samples can be read back; missing details are filled in and reported.";

/// The arguments of `convert`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ConvertArguments {
    #[command(flatten)]
    input: GroupedOptions<RunInputs>,
    #[command(flatten)]
    endpoint: EndpointArguments,
    /// Format to write (default: by the name of -o)
    ///
    /// `same` writes files as they were read
    #[arg(long, alias = "format", value_name = "FORMAT", value_parser = targets())]
    to: Option<OutputForm>,
    /// Also write the catalog or sidecar graphs (nq, trig)
    ///
    /// Each document is loaded into its own graph, as in `query`, and these graphs are written beside it; needs a
    /// format with graph names
    #[arg(long, value_name = "GRAPH", value_delimiter = ',', value_parser = graphs_beside())]
    with: Vec<CompanionGraph>,
    /// Name of the dataset
    ///
    /// By default the root's `@id`, else the file's stem
    #[arg(long, value_name = "NAME", requires = "with")]
    dataset: Option<String>,
    #[command(flatten)]
    shape: ShapeArguments,
    /// List what the form cannot hold or had to fill in
    #[arg(long, help_heading = "Checkpoints")]
    report_loss: bool,
    /// Set `dateModified` to the time of the run
    #[arg(long, help_heading = "Checkpoints")]
    touch: bool,
    /// Shape of karenina-v2: a until September 2025, b autumn 2025, c since then
    #[arg(long, value_name = "SHAPE", default_value = "c", value_parser = shapes(),
          help_heading = "Checkpoints")]
    v2_shape: Version2Shape,
    /// Which input counts if several disagree on a question
    #[arg(long, value_name = "WHICH", value_parser = preferences(), help_heading = "Checkpoints")]
    prefer: Option<MergePreference>,
    /// System prompt of hf-chat
    ///
    /// May contain {persona}, {require_citations}, {primary_sources_only}, {creative_mode} and {version}; a line after
    /// {?persona=builder} or {?persona!=builder} is kept if that is true
    #[arg(long, value_name = "FILE")]
    system_prompt: Option<PathBuf>,
    /// Prompt of the user in hf-chat
    ///
    /// May contain {query}, {documents} and everything that a system prompt may contain
    #[arg(long, value_name = "FILE")]
    user_prompt: Option<PathBuf>,
    /// Rules for sft and preference [default: seed]
    ///
    /// seed takes every type of task and leaves out nulls; shipped writes what the program writes
    #[arg(long, value_name = "PROFILE", value_parser = profiles(), help_heading = "Training data")]
    profile: Option<ProfileName>,
    /// Only tasks of this type, e.g. QA
    #[arg(long, value_name = "TYPE", help_heading = "Training data")]
    task_type: Option<String>,
    /// train: write the rows only, no corpus/ folder
    #[arg(long, help_heading = "Datasets")]
    no_corpus: bool,
    /// train: value of is_impossible where it is unknown
    #[arg(long, value_name = "VALUE", default_value = "false", value_parser = impossible(),
          help_heading = "Datasets")]
    impossible: ImpossibleDefault,
    /// train: ids of the rows
    #[arg(long, value_name = "IDS", default_value = "source", value_parser = ids(),
          help_heading = "Datasets")]
    ids: RowIds,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    folder: FolderArguments,
    #[command(flatten)]
    processor: ProcessorArguments,
}

fn graphs_beside() -> ValueParser {
    let sidecar = "What RDF cannot express of each file: order, spelling, parts without meaning";
    let catalog = "The keys of every question, and where each file came from";
    explained([("sidecar", sidecar, CompanionGraph::Sidecar), ("catalog", catalog, CompanionGraph::Catalog)])
}

fn shapes() -> ValueParser {
    choice([("a", Version2Shape::A), ("b", Version2Shape::B), ("c", Version2Shape::C)])
}

fn profiles() -> ValueParser {
    let shipped = PossibleValue::new("shipped").alias("code");
    choice([(PossibleValue::new("seed"), ProfileName::SEED), (shipped, ProfileName::CODE)])
}

fn impossible() -> ValueParser {
    explained([("false", "false", ImpossibleDefault::False), ("omit", "Left out", ImpossibleDefault::Omit)])
}

fn ids() -> ValueParser {
    let source = "The ids that the questions have in their source";
    explained([("source", source, RowIds::Source), ("index", "The indexes of the rows", RowIds::Index)])
}

/// Runs `convert`.
pub(super) fn run(
    arguments: &ConvertArguments,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let path = arguments.output.output.as_deref();
    let destination = OutputDestination { path, arguments: arguments.folder };
    let takes_several = destination.folder().is_some();
    let target = target_of(arguments, report)?;
    if arguments.report_loss {
        report.show_losses_in_full();
    }
    let mut session = arguments.processor.session(&arguments.input.reading)?;
    refuse_flags_of_others(arguments, target)?;
    let target = target.with_shape(arguments.v2_shape);
    let shape = json_ld_shape(arguments, target, &mut session)?;
    let dataset = path.filter(|path| target.has_corpus() && is_dataset_folder(path));
    let conversion = Conversion {
        form: target,
        takes_several,
        with: arguments.with.clone(),
        dataset: arguments.dataset.clone(),
        checkpoint: CheckpointOptions {
            lists_losses: arguments.report_loss,
            touch: arguments.touch,
            prefer: arguments.prefer,
        },
        training: FeedbackOptions {
            profile: arguments.profile.unwrap_or(ProfileName::SEED),
            task_type: arguments.task_type.clone(),
        },
        rows: RowWriteOptions {
            impossible: arguments.impossible,
            with_corpus: dataset.is_some() && !arguments.no_corpus,
            ids: arguments.ids,
        },
        prompts: PromptFiles { system: arguments.system_prompt.clone(), user: arguments.user_prompt.clone() },
        json_ld: shape,
    };
    let net = &arguments.processor.iris.net;
    let input = &arguments.endpoint.instead_of(&arguments.input, net, &[], report)?;
    let converted = conversion.run(sources(input, report)?, input, &session, report)?;
    match (target, converted) {
        (OutputForm::Rdf(format), ConversionOutput::Quads(quads)) => {
            write_quads(quads, format, path, &session, &conversion.json_ld, report)?;
        }
        (_, ConversionOutput::Quads(_)) => {}
        (_, ConversionOutput::Same(changed)) => write_same(&changed, destination, report)?,
        (form, ConversionOutput::Files(WrittenFiles { files, .. })) if form.is_from_records() => {
            let [file] = files.as_slice() else { return Ok(CommandAnswer::No) };
            write_text(&file.text, path)?;
        }
        (OutputForm::Checkpoint(_), ConversionOutput::Files(WrittenFiles { files, .. })) => {
            write_checkpoints(files, destination, report.has_failed() || input.keep_going, report)?;
        }
        (_, ConversionOutput::Files(written)) => match dataset {
            Some(folder) => {
                let folder = OutputFolder::new(folder, arguments.folder);
                write_dataset(written, folder, conversion.rows.with_corpus, report)?;
            }
            None => destination.write(written.files)?,
        },
    }
    Ok(CommandAnswer::Yes)
}

/// Returns the shape of JSON-LD, which only RDF has. Rejects flags that the form does not have.
fn json_ld_shape(
    arguments: &ConvertArguments,
    target: OutputForm,
    session: &mut ReadSession,
) -> Result<JsonLdShape, CommandStop> {
    match target {
        OutputForm::Rdf(format) => {
            if !arguments.with.is_empty() && !matches!(format, RdfFormat::NQuads | RdfFormat::TriG) {
                let message = format!("{format} has no place for the graphs of `--with`");
                let help = "write N-Quads or TriG: `--to nq`, `--to trig`";
                return Err(Diagnostic::error("output::with", message).with_help(help).into());
            }
            arguments.shape.shape(format, session)
        }
        OutputForm::Same => Ok(JsonLdShape::Expanded),
        form if form.is_from_records() => Ok(JsonLdShape::Expanded),
        form => refuse_flags(arguments, form.name()).map(|()| JsonLdShape::Expanded),
    }
}

/// Writes checkpoints. A file that is too large to be read again is an error; if the run `goes_on`, all files are still
/// written.
fn write_checkpoints(
    files: Vec<WrittenFile>,
    destination: OutputDestination<'_>,
    goes_on: bool,
    report: &mut RunReport,
) -> Result<(), CommandStop> {
    for file in &files {
        check_size(&destination.shown(&file.path), file.text.len(), report);
    }
    if !goes_on {
        unless_failed(report)?;
    }
    destination.write(files)
}

/// Writes the folder of a dataset, with the files of its corpus.
fn write_dataset(
    WrittenFiles { files, copies, note }: WrittenFiles,
    mut folder: OutputFolder<'_>,
    with_corpus: bool,
    report: &mut RunReport,
) -> Result<(), CommandStop> {
    if with_corpus {
        folder.add_folder(CORPUS);
    }
    for CopiedFile { path, from } in copies {
        folder.add_copy(&path, from)?;
    }
    folder.write_files(files)?;
    report.add_all(&note);
    Ok(())
}

/// Rejects flags of other forms. `--report-loss` is allowed for every form that is made from questions.
fn refuse_flags_of_others(arguments: &ConvertArguments, target: OutputForm) -> Result<(), CommandStop> {
    let is_checkpoint = matches!(target, OutputForm::Checkpoint(_));
    let (loses, is_training) = (target.is_from_graphs(), target.is_from_records());
    let takes_prompts = target.takes_prompts();
    let checkpoint = CheckpointForm::Library.name();
    let ConvertArguments { report_loss, touch, profile, task_type, .. } = arguments;
    let ConvertArguments { system_prompt, user_prompt, .. } = arguments;
    let flags = [
        ("--report-loss", *report_loss, is_checkpoint || loses, "checkpoints", checkpoint),
        ("--touch", *touch, is_checkpoint, "checkpoints", checkpoint),
        ("--profile", profile.is_some(), is_training, "training data", "sft"),
        ("--task-type", task_type.is_some(), is_training, "training data", "sft"),
        ("--system-prompt", system_prompt.is_some(), takes_prompts, "hf-chat", "hf-chat"),
        ("--user-prompt", user_prompt.is_some(), takes_prompts, "hf-chat", "hf-chat"),
    ];
    let wrong = flags.into_iter().find(|(_, is_given, is_right, ..)| *is_given && !is_right);
    let Some((flag, .., what, form)) = wrong else { return Ok(()) };
    let message = format!("`{flag}` is for {what}, but the output is {}", target.name());
    Err(Diagnostic::error("output::format", message).with_help(format!("add `--to {form}`")).into())
}

/// Rejects the flags that only RDF formats have.
fn refuse_flags(arguments: &ConvertArguments, form: &str) -> Result<(), CommandStop> {
    if let Some(flag) = arguments.shape.flag() {
        let message = format!("`{flag}` is for JSON-LD, but the output is {form}");
        return Err(Diagnostic::error("output::format", message).into());
    }
    if !arguments.with.is_empty() {
        let message = format!("{form} has no place for the graphs of `--with`");
        return Err(Diagnostic::error("output::with", message).into());
    }
    Ok(())
}

/// Returns whether a path is meant for a directory: a folder, or a path other than `-` without a known extension.
fn is_dataset_folder(path: &Path) -> bool {
    is_folder(path) || !(path == Path::new("-") || known_extension(path).is_some())
}

/// Returns the form to write: the one named by `--to`, or else the one of the output's extension.
fn target_of(arguments: &ConvertArguments, report: &mut RunReport) -> Result<OutputForm, CommandStop> {
    let path = arguments.output.output.as_deref();
    let chosen = output_form::CONVERT.chosen(path, arguments.to.map(OutputForm::name), report)?;
    let named = arguments.to.or_else(|| OutputForm::all().find(|target| Some(target.name()) == chosen));
    named.ok_or_else(|| {
        let names: Vec<&str> = OutputForm::all().map(OutputForm::name).collect();
        let help = format!("name it with `--to`: {}", names.join(", "));
        Diagnostic::error("output::format", "the format to write is not known").with_help(help).into()
    })
}
