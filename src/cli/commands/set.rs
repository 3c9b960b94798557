//! `evalgraph set`: changes the answer, keywords or state of a question, in the store or in its file.

use clap::{ArgGroup, Args};

use crate::cli::question_change::{ChangeArguments, ChangeTarget, change_in, change_question};
use crate::cli::{CommandAnswer, CommandStop};
use evalgraph_diagnostics::RunReport;
use evalgraph_engine::input::input_options::{ReadingOptions, RunInputs};
use evalgraph_engine::question::edit::QuestionEdit;
use evalgraph_engine::workspace::question_rows::question_rows;
use evalgraph_formats::rows::RowOptions;

const EXAMPLES: &str = "\
Examples:
  evalgraph set 'What is 2 + 2?' --answer 4
  evalgraph set urn:uuid:question-1 --finished true --keyword sums --keyword easy
  evalgraph set TRAIN_Q007 rows.json --answer 'In the second drawer'     (changes the file)
  evalgraph set 'What is 2 + 2?' --text 'How much is 2 + 2?' --print
  evalgraph set --edits cards.xlsx --key id rows.json     (shows a diff; `--write` writes it)

QUESTION is its IRI or that of its item, its id in the file, or its exact text. `add` and `remove`
add and remove questions and keywords.

Without FILE the store is changed, and the files that were loaded stay as they are. With FILE that
file is changed in place: only the new values and the date of the change (`dateModified`) are
written. The change is a SPARQL update, which `--print` shows. With SOURCE_DATE_EPOCH in the
environment, a run can be repeated.

With `--edits`, each row of a table says what one question should be, for example a row of `query -n
question-cards -o cards.xlsx` that was edited in Excel. `--sheet`, `--separator` and `--map-column`
are then about the table.";

/// The arguments of `set`.
#[derive(Debug, Args)]
#[command(
    after_help = EXAMPLES,
    override_usage = "evalgraph set [OPTIONS] <QUESTION> [FILE]\n       evalgraph set --edits <TABLE> --key <COLUMN> [--write] [FILE]",
    mut_arg("question", |question| question.required(false).required_unless_present("edits")),
    // An argument that was changed goes to the end, and the file comes after the question.
    mut_arg("inputs", |inputs| inputs),
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
    /// Table (xlsx, CSV or JSON lines) with the values of many questions
    ///
    /// Its columns answer, question (or text), keywords and finished are compared with the file, and what differs is
    /// the change. Empty cells change nothing
    #[arg(long, value_name = "TABLE", group = "what", requires = "key", conflicts_with_all = ["answer", "finished", "keyword", "text"])]
    edits: Option<String>,
    /// Column of the table that names the questions, e.g. id
    #[arg(long, value_name = "COLUMN", requires = "edits")]
    key: Option<String>,
    /// Write the changes of the table; without it they are only shown
    #[arg(long, requires = "edits")]
    write: bool,
}

/// Runs `set`.
pub(super) fn run(arguments: &SetArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    if let (Some(table), Some(key)) = (&arguments.edits, &arguments.key) {
        return set_rows(table, key, arguments, report);
    }
    let edit = QuestionEdit::Set {
        question: arguments.change.question(),
        answer: arguments.answer.clone(),
        finished: arguments.finished,
        keywords: (!arguments.keyword.is_empty()).then(|| arguments.keyword.clone()),
        text: arguments.text.clone(),
    };
    change_question(&edit, &arguments.change, report)
}

/// Changes the questions that the rows of a table name.
fn set_rows(
    table: &str,
    key: &str,
    arguments: &SetArguments,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    let change = &arguments.change;
    let RunInputs { reading, .. } = change.without_question();
    report.set_strictness(reading.strictness);
    // The options about rows are those of the table, the others those of the file.
    let of_table = ReadingOptions { rows: reading.rows.clone(), ..reading.for_files_beside() };
    let session = change.processor.session(&of_table)?;
    let edit = QuestionEdit::SetRows(question_rows(table, key, &session, report)?);
    let of_file = ReadingOptions { rows: RowOptions::default(), ..reading };
    let input = RunInputs { reading: of_file, ..change.without_question() };
    let target = if arguments.write { ChangeTarget::Written } else { ChangeTarget::Shown };
    change_in(&edit, change, &input, target, report)
}
