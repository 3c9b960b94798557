//! The common part of `add`, `set` and `remove`: their arguments, and the change of the store or of a file.

use std::path::Path;

use crate::cli::arguments::option_groups::GroupedOptions;
use clap::Args;

use super::argument_order::check_order;
use super::arguments::ProcessorArguments;
use super::output::{write, write_text};
use super::run_ending::{self, writer};
use super::unified_diff::write_diff;
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
    #[arg(value_name = "QUESTION", required = true)]
    question: Option<String>,
    #[command(flatten)]
    pub(super) input: GroupedOptions<RunInputs>,
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
    pub(super) processor: ProcessorArguments,
}

impl ChangeArguments {
    /// Returns the question.
    pub(super) fn question(&self) -> String {
        self.question.clone().unwrap_or_default()
    }

    /// Returns the arguments for a change without a question: its place has the file.
    pub(super) fn without_question(&self) -> RunInputs {
        let inputs = self.question.iter().chain(&self.input.inputs).cloned().collect();
        RunInputs { inputs, ..self.input.0.clone() }
    }
}

/// What becomes of a change of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChangeTarget {
    /// The file is written, and the store is changed.
    Written,
    /// The change is shown, as a diff of the file or as the update of the store.
    Shown,
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
    if let [file] = arguments.input.inputs.as_slice() {
        let usage = "… QUESTION FILE";
        check_order(arguments.question.as_deref(), &[Path::new(file)], usage)?;
    }
    change_in(edit, arguments, &arguments.input, ChangeTarget::Written, report)
}

/// Like [`change_question`], but changes these inputs, and may only show the change.
///
/// # Errors
///
/// The errors of [`change_question`].
pub(super) fn change_in(
    edit: &QuestionEdit,
    arguments: &ChangeArguments,
    input: &RunInputs,
    target: ChangeTarget,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    report.set_strictness(input.reading.strictness);
    let session = arguments.processor.session(&input.reading)?;
    let loader = DocumentLoading::new(input, &session, false, report.shows_all());
    let is_of_store = input.inputs.is_empty();
    let is_shown = target == ChangeTarget::Shown && !arguments.dry_run;
    let is_printed = arguments.print || is_shown && is_of_store;
    let is_dry = arguments.dry_run || is_shown;
    let change =
        QuestionChange { edit, graph: arguments.graph.as_deref(), node: None, loader: &loader, is_printed };
    let outcome = if is_of_store {
        if !is_printed {
            run_ending::listen();
        }
        change.in_store(&writer(edit.verb(), is_dry), report)?
    } else {
        change.in_file(is_dry, report)?
    };
    match outcome {
        QuestionChangeOutcome::Text(text) => write_text(&format!("{text}\n"), None)?,
        QuestionChangeOutcome::Done => {}
        QuestionChangeOutcome::File(path, text, told) => {
            if is_shown {
                let before = std::fs::read_to_string(&path).unwrap_or_default();
                write(None, |output| write_diff(&path.display().to_string(), &before, &text, output))?;
            } else if !is_dry {
                write_text(&text, Some(&path))?;
            }
            report.add(&told);
        }
    }
    Ok(CommandAnswer::Yes)
}
