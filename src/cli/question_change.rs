//! The common part of `add`, `set` and `remove`: their arguments, and the change of the store or of a file.

use crate::cli::arguments::option_groups::GroupedOptions;
use clap::Args;

use super::arguments::ProcessorArguments;
use super::output::write_text;
use super::run_ending::{self, writer};
use super::{CommandAnswer, CommandStop};
use evalgraph_diagnostics::RunReport;
use evalgraph_engine::input::input_options::RunInputs;
use evalgraph_engine::load::document_loading::DocumentLoading;
use evalgraph_engine::question::edit::QuestionEdit;
use evalgraph_engine::workspace::question_change::{QuestionChange, QuestionChangeOutcome};

/// The arguments of every command that changes a question.
#[derive(Debug, Args)]
#[command(mut_arg("inputs", |inputs| inputs.value_name("FILE").help("The file that is changed in place; without it the store")))]
pub(super) struct ChangeArguments {
    /// Question: its IRI, its id, or its exact text
    #[arg(value_name = "QUESTION")]
    pub(super) question: String,
    #[command(flatten)]
    input: GroupedOptions<RunInputs>,
    /// Graph of the question: IRI, dataset, or file
    ///
    /// If several contain the question
    #[arg(long, value_name = "GRAPH")]
    graph: Option<String>,
    /// Print the SPARQL update, and change nothing
    #[arg(long)]
    print: bool,
    /// Say what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    processor: ProcessorArguments,
}

/// Changes one question in the store or in the named file, with the update that the edit yields.
///
/// # Errors
///
/// Fails if the edit does not apply, or if the store, the file or the update fails. Then nothing has changed.
pub(super) fn change_question(
    edit: &QuestionEdit,
    arguments: &ChangeArguments,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    report.set_strictness(arguments.input.reading.strictness);
    let session = arguments.processor.session(&arguments.input.reading)?;
    let loader = DocumentLoading::new(&arguments.input, &session, false, report.shows_all());
    let change = QuestionChange {
        edit,
        graph: arguments.graph.as_deref(),
        node: None,
        loader: &loader,
        is_printed: arguments.print,
    };
    let outcome = if arguments.input.inputs.is_empty() {
        if !arguments.print {
            run_ending::listen();
        }
        change.in_store(&writer(edit.verb(), arguments.dry_run), report)?
    } else {
        change.in_file(arguments.dry_run, report)?
    };
    match outcome {
        QuestionChangeOutcome::Text(text) => write_text(&format!("{text}\n"), None)?,
        QuestionChangeOutcome::Done => {}
        QuestionChangeOutcome::File(path, text, told) => {
            if !arguments.dry_run {
                write_text(&text, Some(&path))?;
            }
            report.add(&told);
        }
    }
    Ok(CommandAnswer::Yes)
}
