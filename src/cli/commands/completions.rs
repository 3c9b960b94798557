//! `evalgraph completions`: the completions of a shell, with the names of the built-in queries and of their parameters.
//! A shell executes this output, so names from folders are never put into it.

use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use clap_complete::{Shell, generate};

use crate::cli::arguments::OutputArguments;
use crate::cli::output::write_text;
use crate::cli::{CommandAnswer, CommandStop};
use evalgraph_diagnostics::RunReport;
use evalgraph_engine::named_queries::NamedQueries;

const EXAMPLES: &str = "\
Examples:
  evalgraph completions bash > ~/.local/share/bash-completion/completions/evalgraph
  evalgraph completions zsh > ~/.zfunc/_evalgraph
  evalgraph completions fish > ~/.config/fish/completions/evalgraph.fish";

/// The arguments of `completions`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct CompletionsArguments {
    /// Shell
    shell: Shell,
    #[command(flatten)]
    output: OutputArguments,
}

/// Runs `completions`.
pub(super) fn run(
    arguments: &CompletionsArguments,
    mut program: Command,
    _report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    program.build();
    let queries = NamedQueries::built_in()?;
    // clap needs values with a static lifetime, and the program ends here.
    let names: Vec<&'static str> = queries.iter().map(|query| &*query.name.clone().leak()).collect();
    let parameters = queries.iter().flat_map(|query| &query.parameters);
    let mut parameters: Vec<&'static str> =
        parameters.map(|parameter| &*format!("{}=", parameter.name).leak()).collect();
    parameters.sort();
    parameters.dedup();
    let named = |command: Command, argument: &str, values: &[&'static str]| {
        let values = PossibleValuesParser::new(values.to_vec());
        command.mut_arg(argument, |argument| argument.value_parser(values))
    };
    let mut program = program
        .mut_subcommand("query", |query| named(named(query, "name", &names), "parameters", &parameters))
        .mut_subcommand("queries", |queries| named(queries, "name", &names));
    let mut text = Vec::new();
    generate(arguments.shell, &mut program, "evalgraph", &mut text);
    write_text(&String::from_utf8_lossy(&text), arguments.output.output.as_deref())?;
    Ok(CommandAnswer::Yes)
}
