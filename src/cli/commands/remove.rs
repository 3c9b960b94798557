//! `evalgraph remove`: removes a question with everything that belongs to it, or some of its keywords, in the store or
//! in its file.

use clap::Args;

use crate::cli::question_change::{ChangeArguments, change_question};
use crate::cli::{CommandAnswer, CommandStop};
use evalgraph_diagnostics::RunReport;
use evalgraph_engine::question::edit::QuestionEdit;

const EXAMPLES: &str = "\
Examples:
  evalgraph remove 'What is 2 + 2?'
  evalgraph remove TRAIN_Q007 rows.json               (changes the file)
  evalgraph remove urn:uuid:question-1 --keyword sums --keyword easy
  evalgraph remove 'What is 2 + 2?' --print

QUESTION is its IRI or that of its item, its id in the file, or its exact text. The question is
removed with its item, its answer, its template, its rubric and everything else that only the
question refers to. Anything that is used elsewhere stays, and so do counts of questions in a file.
With `--keyword` the question stays, without these keywords.

Without FILE the store is changed, and the files that were loaded stay as they are. With FILE that
file is changed in place: only the removal and the date of the change (`dateModified`) are written.
The change is a SPARQL update, which `--print` shows. With SOURCE_DATE_EPOCH in the environment, a
run can be repeated.";

/// The arguments of `remove`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, override_usage = "evalgraph remove [OPTIONS] <QUESTION> [FILE]")]
pub(super) struct RemoveArguments {
    #[command(flatten)]
    change: ChangeArguments,
    /// Remove only this keyword; can be repeated
    ///
    /// The question stays
    #[arg(long, value_name = "TEXT")]
    keyword: Vec<String>,
}

/// Runs `remove`.
pub(super) fn run(arguments: &RemoveArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let (question, keywords) = (arguments.change.question(), arguments.keyword.clone());
    let edit = match keywords.is_empty() {
        true => QuestionEdit::Remove { question },
        false => QuestionEdit::RemoveKeywords { question, keywords },
    };
    change_question(&edit, &arguments.change, report)
}
