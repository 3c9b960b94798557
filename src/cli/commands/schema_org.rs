//! `evalgraph schema-org`: the vocabulary of schema.org as a table of facts.

use crate::cli::arguments::option_groups::GroupedOptions;
use clap::{Args, Subcommand};

use crate::cli::arguments::OutputArguments;
use crate::cli::output::write_text;
use crate::cli::{CommandAnswer, CommandStop, output_form, unless_failed};
use evalgraph_diagnostics::RunReport;
use evalgraph_engine::input::input_options::{IriOptions, ReadingOptions};
use evalgraph_engine::validation::schema_org::schema_org_vocabulary::read_vocabulary;

const EXAMPLES: &str = "\
Examples:
  evalgraph schema-org table schemaorg-all-https.nt -o schema.org.tsv
  evalgraph schema-org table own-terms.ttl";

const TABLE_HELP: &str = "\
FILE is a release of schema.org, or your own terms described in the same way, in any RDF format and
in either namespace. Use the file `all` of a release, since `current` does not contain retired terms.

The table has a line for each term and kind, sorted by name: the kind (C class, D datatype,
M member, P property), the name, the terms above it, the classes of a property, the classes of its
values, the successor, the inverse, and the part of schema.org.";

/// The arguments of `schema-org`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct SchemaOrgArguments {
    #[command(subcommand)]
    action: SchemaOrgAction,
}

#[derive(Debug, Subcommand)]
enum SchemaOrgAction {
    /// Write the facts of a release as a table
    Table(Box<TableArguments>),
}

#[derive(Debug, Args)]
#[command(after_help = TABLE_HELP)]
struct TableArguments {
    /// File, URL, or `-` for stdin; .gz and .zst are opened
    #[arg(value_name = "FILE")]
    file: String,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    reading: GroupedOptions<ReadingOptions>,
    #[command(flatten)]
    iris: GroupedOptions<IriOptions>,
}

/// Runs `schema-org`.
pub(super) fn run(
    arguments: &SchemaOrgArguments,
    report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    match &arguments.action {
        SchemaOrgAction::Table(arguments) => table(arguments, report),
    }
}

fn table(arguments: &TableArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    report.set_strictness(arguments.reading.strictness);
    let path = arguments.output.output.as_deref();
    output_form::SCHEMA_ORG_TABLE.check(path, report)?;
    let vocabulary = read_vocabulary(&arguments.file, &arguments.reading, &arguments.iris, report)?;
    unless_failed(report)?;
    write_text(&vocabulary.to_table(), path)?;
    Ok(CommandAnswer::Yes)
}
