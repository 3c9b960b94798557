//! `evalgraph sample`: writes some random records of a file, as a file of the same kind.

use clap::Args;

use crate::cli::record_selection::{SelectionArguments, SelectionCommand};
use crate::cli::{CommandAnswer, CommandStop};
use evalgraph_diagnostics::RunReport;
use evalgraph_formats::random_split::chosen;

const EXAMPLES: &str = "\
Examples:
  evalgraph sample 20 checkpoint.jsonld -o small.jsonld
  evalgraph sample 100 samples.json --seed 7 -o samples-100.json

The same seed draws the same records of the same file on any machine. They keep their order, and
everything else in the file stays byte for byte. If the file has fewer records, all are kept. With
several inputs, as many are drawn from each file.

`evalgraph schema --examples` shows some nodes of a class with everything said about them.";

/// The arguments of `sample`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct SampleArguments {
    /// How many records
    #[arg(value_name = "COUNT", value_parser = count)]
    count: usize,
    /// Which records are drawn
    #[arg(long, value_name = "NUMBER", default_value_t = 42)]
    seed: u64,
    #[command(flatten)]
    selection: SelectionArguments,
}

fn count(text: &str) -> Result<usize, String> {
    let help = "the number of records comes before the files: `evalgraph sample 20 FILE`";
    text.parse().map_err(|_| help.to_owned())
}

/// Runs `sample`.
pub(super) fn run(arguments: &SampleArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let command = SelectionCommand { name: "sample", summary: "sample::summary", keeps_all: false };
    let SampleArguments { count, seed, selection } = arguments;
    selection.run(command, report, |opened, _| Ok(chosen(opened.facts.len(), *count, *seed)))
}
