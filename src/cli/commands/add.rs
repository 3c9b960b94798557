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

With `--answer`, QUESTION is the text of a new question. It gets the id, the dates and the
template that the programs give to one whose files the dataset is of, and stands among the others
where these programs look for it. Without `--answer`, QUESTION is one that is there (its IRI or
that of its item, the id that its file gives it, or its exact text), and gets the keywords beside
those that it has. Without FILE the store is changed, and the files that were loaded stay as they
are; with FILE that file is changed in place, in what was added, in the dates that say when that
was (`dateModified`), and in nothing else. All is made as a SPARQL update, which `--print` shows.
With SOURCE_DATE_EPOCH in the environment a run can be repeated.";

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
    let (question, keywords) = (arguments.change.question.clone(), arguments.keyword.clone());
    let edit = match arguments.answer.clone() {
        Some(answer) => QuestionEdit::Add { text: question, answer, finished: arguments.finished, keywords },
        None => QuestionEdit::AddKeywords { question, keywords },
    };
    change_question(&edit, &arguments.change, report)
}
