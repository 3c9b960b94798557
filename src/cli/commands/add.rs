//! `evalgraph add`: adds a question, or keywords to an existing question, in the store or in its file.

use clap::{ArgGroup, Args};

use crate::cli::question_change::{ChangeArguments, change_question};
use crate::cli::{CommandAnswer, CommandStop};
use evalgraph_diagnostics::RunReport;
use evalgraph_engine::question::edit::QuestionEdit;

const EXAMPLES: &str = "\
Examples:
  evalgraph add 'What is 2 + 2?' --answer 4
  evalgraph add 'What is 2 + 2?' sums.jsonld --answer 4 --keyword sums     (changes the file)
  evalgraph add urn:uuid:question-1 --keyword easy
  evalgraph add 'What is 2 + 2?' --answer 4 --graph sums --print

With `--answer`, QUESTION is the text of a new question. It gets the id, the dates and the template
that the program of the dataset's format would give it, and is put where that program looks for it.
Without `--answer`, QUESTION is an existing question (its IRI or that of its item, its id in the
file, or its exact text), and the keywords are added to those that it has.

Without FILE the store is changed, and the files that were loaded stay as they are. With FILE that
file is changed in place: only the addition and the date of the change (`dateModified`) are written.
The change is a SPARQL update, which `--print` shows. With SOURCE_DATE_EPOCH in the environment, a
run can be repeated.";

/// The arguments of `add`.
#[derive(Debug, Args)]
#[command(
    after_help = EXAMPLES,
    override_usage = "evalgraph add [OPTIONS] <QUESTION> [FILE]",
    group = ArgGroup::new("what").required(true).multiple(true)
)]
pub(super) struct AddArguments {
    #[command(flatten)]
    change: ChangeArguments,
    /// Accepted answer of a new question
    #[arg(long, value_name = "TEXT", group = "what")]
    answer: Option<String>,
    /// Mark the new question as finished
    #[arg(long, value_name = "true|false", requires = "answer", action = clap::ArgAction::Set)]
    finished: Option<bool>,
    /// Keyword to add; can be repeated
    #[arg(long, value_name = "TEXT", group = "what")]
    keyword: Vec<String>,
}

/// Runs `add`.
pub(super) fn run(arguments: &AddArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let (question, keywords) = (arguments.change.question(), arguments.keyword.clone());
    let edit = match arguments.answer.clone() {
        Some(answer) => QuestionEdit::Add { text: question, answer, finished: arguments.finished, keywords },
        None => QuestionEdit::AddKeywords { question, keywords },
    };
    change_question(&edit, &arguments.change, report)
}
