//! `evalgraph man`: the manual, made from the same texts as the help.

use std::fmt::Write as _;

use clap::{Arg, Args, Command, ValueEnum};
use clap_mangen::Man;

use crate::cli::arguments::OutputArguments;
use crate::cli::output::write_text;
use crate::cli::output_folder::{FolderArguments, OutputDestination};
use crate::cli::output_form::is_folder;
use crate::cli::{CommandAnswer, CommandStop};
use evalgraph_diagnostics::{Diagnostic, RunReport};
use evalgraph_formats::writing::WrittenFile;

const EXAMPLES: &str = "\
Examples:
  evalgraph man query | man -l -
  evalgraph man -o ~/.local/share/man/man1/
  evalgraph man --format markdown -o commands.md";

/// The arguments of `man`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ManArguments {
    /// Command (default: the program)
    command: Option<String>,
    /// Form: a page for man, or all commands in Markdown
    #[arg(long, value_name = "FORM", default_value = "roff")]
    format: ManForm,
    #[command(flatten)]
    folder: FolderArguments,
    #[command(flatten)]
    output: OutputArguments,
}

/// The forms of the manual.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ManForm {
    /// Pages for man
    Roff,
    /// One page with all commands
    Markdown,
}

/// Runs `man`.
pub(super) fn run(
    arguments: &ManArguments,
    mut program: Command,
    _report: &mut RunReport,
) -> Result<CommandAnswer, CommandStop> {
    program.build();
    let path = arguments.output.output.as_deref();
    if arguments.format == ManForm::Markdown {
        write_text(&markdown(&program), path)?;
        return Ok(CommandAnswer::Yes);
    }
    if let Some(name) = &arguments.command {
        let Some(command) = program.find_subcommand(name) else {
            let fault = Diagnostic::error("man::unknown-command", format!("there is no command `{name}`"));
            return Err(fault.with_help("`evalgraph help` lists them").into());
        };
        write_text(&page(command)?, path)?;
        return Ok(CommandAnswer::Yes);
    }
    if path.is_none_or(|path| !is_folder(path)) {
        write_text(&page(&program)?, path)?;
        return Ok(CommandAnswer::Yes);
    }
    let mut files = vec![WrittenFile { path: "evalgraph.1".to_owned(), text: page(&program)? }];
    for command in commands(&program) {
        files.push(WrittenFile { path: format!("evalgraph-{}.1", command.get_name()), text: page(command)? });
    }
    OutputDestination { path, arguments: arguments.folder }.write(files)?;
    Ok(CommandAnswer::Yes)
}

/// The commands of the program that have a manual page.
fn commands(program: &Command) -> impl Iterator<Item = &Command> {
    program.get_subcommands().filter(|command| command.get_name() != "help")
}

fn page(command: &Command) -> Result<String, CommandStop> {
    let mut page = Vec::new();
    // Writing into memory does not fail.
    Man::new(command.clone())
        .render(&mut page)
        .map_err(|error| Diagnostic::error("output::unwritable", error.to_string()))?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

/// All commands with their arguments, one section each.
fn markdown(program: &Command) -> String {
    let mut page = "# Commands\n\nMade by `evalgraph man --format markdown`.\n".to_owned();
    for command in commands(program) {
        add_section(command, "##", &mut page);
    }
    page
}

fn add_section(command: &Command, level: &str, page: &mut String) {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    let usage = command.clone().render_usage().to_string();
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let _ = write!(page, "\n{level} {name}\n\n{about}.\n\n```text\n{usage}\n```\n");
    let shown = |argument: &&Arg| !argument.is_hide_set() && argument.get_id() != "help";
    let mut heading = None;
    for argument in command.get_arguments().filter(shown) {
        let own = argument.get_help_heading().unwrap_or(if argument.is_positional() {
            "Arguments"
        } else {
            "Options"
        });
        if heading != Some(own) {
            let _ = write!(page, "\n**{own}**\n\n");
            heading = Some(own);
        }
        add_argument(argument, page);
    }
    if let Some(text) = command.get_after_long_help().or(command.get_after_help()) {
        let _ = write!(page, "\n```text\n{text}\n```\n");
    }
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        add_section(inner, &format!("{level}#"), page);
    }
}

/// The text with `<` as Markdown needs it, but unchanged in code.
fn outside_of_code(text: &str) -> String {
    let pieces = text.split('`').enumerate();
    let pieces = pieces
        .map(|(index, piece)| if index % 2 == 0 { piece.replace('<', "&lt;") } else { piece.to_owned() });
    pieces.collect::<Vec<_>>().join("`")
}

fn add_argument(argument: &Arg, page: &mut String) {
    let text = argument.get_long_help().or(argument.get_help()).map(ToString::to_string).unwrap_or_default();
    let paragraphs = text.split("\n\n").map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    let text = outside_of_code(&paragraphs.collect::<Vec<_>>().join(". "));
    let short = argument.get_short().map(|short| format!("`-{short}`, ")).unwrap_or_default();
    let _ = write!(page, "- {short}`{argument}`: {text}");
    let values = argument.get_possible_values();
    let names: Vec<String> = values
        .iter()
        .filter(|value| !value.is_hide_set())
        .map(|value| format!("`{}`", value.get_name()))
        .collect();
    if argument.get_action().takes_values() && !names.is_empty() && !argument.is_hide_possible_values_set() {
        let _ = write!(page, " — {}", names.join(", "));
    }
    page.push('\n');
}
