//! `evalgraph set`: changes the answer, keywords or state of a question, in the store or in its file.

use clap::{ArgGroup, Args};

use crate::cli::question_change::{ChangeArguments, change_question};
use crate::cli::{CommandAnswer, CommandStop};
use evalgraph_diagnostics::RunReport;
use evalgraph_engine::question::edit::QuestionEdit;

const EXAMPLES: &str = "\
Examples:
  evalgraph set 'What is 2 + 2?' --answer 4
  evalgraph set urn:uuid:question-1 --finished true --keyword sums --keyword easy
  evalgraph set TRAIN_Q007 rows.json --answer 'In the second drawer'     (changes the file)
  evalgraph set 'What is 2 + 2?' --text 'How much is 2 + 2?' --print

QUESTION is its IRI or that of its item, its id in the file, or its exact text. `add` and `remove`
add and remove questions and keywords.

Without FILE the store is changed, and the files that were loaded stay as they are. With FILE that
file is changed in place: only the new values and the date of the change (`dateModified`) are
written. The change is a SPARQL update, which `--print` shows. With SOURCE_DATE_EPOCH in the
environment, a run can be repeated.";

/// The arguments of `set`.
#[derive(Debug, Args)]
#[command(
    after_help = EXAMPLES,
    override_usage = "evalgraph set [OPTIONS] <QUESTION> [FILE]",
    group = ArgGroup::new("what").required(true).multiple(true)
)]
pub(super) struct SetArguments {
    #[command(flatten)]
    change: ChangeArguments,
    /// New text of the accepted answer
    #[arg(long, value_name = "TEXT", group = "what")]
    answer: Option<String>,
    /// Mark the question as finished, or not
    #[arg(long, value_name = "true|false", group = "what", action = clap::ArgAction::Set)]
    finished: Option<bool>,
    /// All keywords it has afterwards; can be repeated
    #[arg(long, value_name = "TEXT", group = "what")]
    keyword: Vec<String>,
    /// New text of the question
    #[arg(long, value_name = "TEXT", group = "what")]
    text: Option<String>,
}

/// Runs `set`.
pub(super) fn run(arguments: &SetArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let edit = QuestionEdit::Set {
        question: arguments.change.question.clone(),
        answer: arguments.answer.clone(),
        finished: arguments.finished,
        keywords: (!arguments.keyword.is_empty()).then(|| arguments.keyword.clone()),
        text: arguments.text.clone(),
    };
    change_question(&edit, &arguments.change, report)
}
