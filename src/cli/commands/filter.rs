//! `evalgraph filter`: writes the records of a file that meet criteria, as a file of the same kind.

use clap::Args;
use clap::builder::ValueParser;

use crate::cli::arguments::choice;
use crate::cli::preferences::preferences;
use crate::cli::record_selection::{SelectionArguments, SelectionCommand};
use crate::cli::{CommandAnswer, CommandStop};
use evalgraph_diagnostics::{Diagnostic, RunReport};
use evalgraph_engine::selection::criteria::{RecordCriteria, WhereExpression};
use evalgraph_engine::selection::criteria_values::CriteriaValues;
use evalgraph_formats::system_name::SystemName;

const EXAMPLES: &str = "\
Examples:
  evalgraph filter checkpoint.jsonld --state finished -o finished.jsonld
  evalgraph filter tasks.json --type QA --since 2026-01-01 --until 2026-06
  evalgraph filter checkpoints/ --keyword algebra -o algebra/
  evalgraph filter rows.jsonl --where 'strlen(?answer) < 40'
  evalgraph filter checkpoint.jsonld --where 'NOT EXISTS { ?question s:rating|s:contentRating ?trait }'

A record has to meet all criteria; several values of one criterion are alternatives. Everything else
in the file stays byte for byte. What belongs to a record that is left out, in another list of the
same file, is left out as well, and statistics of a dataset are counted anew.

Keywords, states, types and texts are compared without regard to case and accents. A date is that of
the last change, or else of the creation, as written in the file; `--until 2026-06` includes June.

In --where, ?id, ?text, ?answer, ?keyword, ?state, ?type, ?created and ?modified are those of the
record, and ?question is its node in the graph. Where a record has nothing, or an empty text or `-` as
its answer, the variable is unbound: `!BOUND(?answer)`. With several inputs the files that have such
records are written into the folder that -o names. The exit status is 1 if there are none.";

/// The arguments of `filter`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct FilterArguments {
    /// State: finished, unfinished, or a task's status
    #[arg(long, value_name = "STATE")]
    state: Vec<String>,
    /// Keyword; can be repeated
    #[arg(long, value_name = "TEXT")]
    keyword: Vec<String>,
    /// Type of a task, of a sample or of a question
    #[arg(long = "type", value_name = "TYPE")]
    types: Vec<String>,
    /// System of the file; can be repeated
    #[arg(long, value_name = "SYSTEM", value_parser = systems(), hide_possible_values = true)]
    system: Vec<SystemName>,
    /// Part of the question or of the answer
    #[arg(long, value_name = "TEXT")]
    text: Vec<String>,
    /// Id of a record; can be repeated
    #[arg(long, value_name = "ID")]
    id: Vec<String>,
    /// Changed or created on this day or later
    #[arg(long, value_name = "DATE", value_parser = date)]
    since: Option<String>,
    /// Changed or created on this day or earlier
    #[arg(long, value_name = "DATE", value_parser = date)]
    until: Option<String>,
    /// Expression of SPARQL that is true of the record
    #[arg(long = "where", value_name = "EXPRESSION")]
    expression: Option<String>,
    /// Keep the records that do not meet the criteria
    #[arg(long)]
    invert: bool,
    #[command(flatten)]
    selection: SelectionArguments,
}

fn systems() -> ValueParser {
    choice(SystemName::ALL.map(|system| (system.name(), system)))
}

/// A date as in files, or the beginning of one: a year, a month, a day, a time.
fn date(text: &str) -> Result<String, String> {
    let is_date = text.len() >= 4
        && text.bytes().zip(b"0000-00-00T00:00:00".iter().chain(&[b'.'; 40])).all(
            |(byte, form)| match form {
                b'0' => byte.is_ascii_digit(),
                b'.' => byte.is_ascii_graphic(),
                _ => byte == *form,
            },
        );
    is_date
        .then(|| text.to_owned())
        .ok_or_else(|| "expected a date such as 2026-01-31, 2026-01 or 2026".to_owned())
}

/// Runs `filter`.
pub(super) fn run(arguments: &FilterArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let FilterArguments { state, keyword, types, system, text, id, since, until, invert, .. } = arguments;
    let expression = match &arguments.expression {
        Some(text) => Some(WhereExpression::parse(text, "--where", preferences()?.prefixes(&[]))?),
        None => None,
    };
    let criteria = RecordCriteria {
        systems: system.clone(),
        ids: id.clone(),
        states: state.clone(),
        keywords: keyword.clone(),
        types: types.clone(),
        texts: text.clone(),
        since: since.clone(),
        until: until.clone(),
        expression,
        are_inverted: *invert,
    };
    if criteria.are_empty() {
        let fault = Diagnostic::error(
            "filter::criteria",
            "the command has no criterion, so every record would be kept",
        );
        return Err(fault.with_help("name one, such as `--state finished` or `--text WORD`").into());
    }
    let command = SelectionCommand { name: "filter", summary: "filter::summary", keeps_all: false };
    let mut values = CriteriaValues::default();
    let answer = arguments.selection.run(command, report, |opened, _| {
        values.add(&opened.facts);
        Ok(criteria.chosen(opened)?)
    })?;
    if answer == CommandAnswer::No && !criteria.are_inverted {
        report.add_all(&values.unknown(&criteria));
    }
    Ok(answer)
}
