//! `evalgraph sort`: writes a file with its records in another order.

use clap::Args;
use clap::builder::ValueParser;

use crate::cli::arguments::choice;
use crate::cli::record_selection::{SelectionArguments, SelectionCommand};
use crate::cli::{CommandAnswer, CommandStop};
use evalgraph_diagnostics::RunReport;
use evalgraph_engine::selection::record_order::{OrderKey, ordered};
use evalgraph_text_keys::reading_order::ReadingOrder;

const EXAMPLES: &str = "\
Examples:
  evalgraph sort checkpoint.jsonld --order-by text -o sorted.jsonld
  evalgraph sort tasks.jsonl --order-by type,created --reverse
  evalgraph sort rows.json --order-by id -o rows.json

Numbers in texts are compared as numbers, so `Q9` comes before `Q10`; case and accents count only
between texts that are otherwise equal. Records that are equal keep their order, and records without
a value come last. The text of each record stays byte for byte.";

/// The arguments of `sort`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct SortArguments {
    /// What to sort by, the most important first
    #[arg(long, alias = "by", value_name = "KEY", value_delimiter = ',', default_value = "id", value_parser = keys(),
          hide_possible_values = true)]
    order_by: Vec<OrderKey>,
    /// The greatest first
    #[arg(long)]
    reverse: bool,
    /// Sort texts as in this language, such as sv
    ///
    /// Some languages have places of their own for letters such as å, č or ñ; by default they stand beside a, c and n
    #[arg(long, value_name = "LANGUAGE", value_parser = ReadingOrder::from_language)]
    locale: Option<ReadingOrder>,
    #[command(flatten)]
    selection: SelectionArguments,
}

fn keys() -> ValueParser {
    choice(OrderKey::ALL)
}

/// Runs `sort`.
pub(super) fn run(arguments: &SortArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let command = SelectionCommand { name: "sort", summary: "", keeps_all: true };
    let SortArguments { order_by, reverse, locale, selection } = arguments;
    let texts = locale.clone().unwrap_or_default();
    selection.run(command, report, |opened, _| Ok(ordered(opened, order_by, &texts, *reverse)))
}
