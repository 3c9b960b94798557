//! `evalgraph dedupe`: writes a file without the records that repeat an earlier one.

use clap::Args;

use crate::cli::record_selection::{SelectionArguments, SelectionCommand};
use crate::cli::{CommandAnswer, CommandStop};
use evalgraph_diagnostics::shortened::shortened;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport};
use evalgraph_engine::selection::equal_records::{EqualRecords, equal_records, kept_of};
use evalgraph_engine::selection::opened_records::OpenedRecords;
use evalgraph_formats::file_records::FileRecords;
use evalgraph_text_keys::near_texts::MOST_PAIRS;

const EXAMPLES: &str = "\
Examples:
  evalgraph dedupe checkpoint.jsonld -o clean.jsonld
  evalgraph dedupe questions.jsonl --near 0.9 --dry-run

Two records are the same if their questions are, apart from case and white space; the first one is
kept. With --near, questions are also the same if their sets of three-character shingles have at
least this Jaccard similarity: 0.9 is one changed letter in a line. Each pair is listed with its
lines. Records without a question are kept. The text of what is kept stays byte for byte.";

/// The longest question in a message, in characters.
const SHOWN: usize = 80;

/// The arguments of `dedupe`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct DedupeArguments {
    /// Least similarity of two questions, such as 0.9
    ///
    /// Without it only equal ones are left out
    #[arg(long, value_name = "SHARE", value_parser = similarity)]
    near: Option<f64>,
    #[command(flatten)]
    selection: SelectionArguments,
}

fn similarity(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share: &f64| *share >= 0.3 && *share <= 1.0);
    share.ok_or_else(|| "expected a similarity from 0.3 to 1, such as 0.9".to_owned())
}

/// Runs `dedupe`.
pub(super) fn run(arguments: &DedupeArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let command = SelectionCommand { name: "dedupe", summary: "dedupe::summary", keeps_all: false };
    arguments.selection.run(command, report, |opened, report| {
        let list = opened.list()?;
        let Some(pairs) = equal_records(opened, arguments.near) else {
            let message = format!("more than {MOST_PAIRS} pairs of questions are that similar");
            let fault = Diagnostic::error("dedupe::pairs", message);
            return Err(fault.with_help("leave out equal ones first, or raise `--near`").into());
        };
        for pair in &pairs {
            report.add(&told(pair, opened, &list));
        }
        Ok(kept_of(list.len(), &pairs))
    })
}

/// A note about two records that are the same.
fn told(pair: &EqualRecords, opened: &OpenedRecords, list: &FileRecords<'_>) -> Diagnostic {
    let text = opened.facts[pair.second].text.as_deref().unwrap_or_default();
    let (shown, first) = (shortened(text, SHOWN), opened.place(list, pair.first));
    let message = match pair.similarity == 1.0 {
        true => format!("`{shown}` repeats the question of {first}"),
        false => format!("`{shown}` is like the question of {first}: similarity {:.3}", pair.similarity),
    };
    Diagnostic::new(FindingSeverity::Note, "dedupe::pair", message).at(opened.place(list, pair.second))
}
