//! The headings for options that many commands share. Help shows them after the command's own options.

use clap::{Command, Id};

use crate::cli::short_help::may_show_help;

/// Options for the input.
pub(in crate::cli) const INPUT: &str = "Input";
/// Options for the store.
pub(in crate::cli) const STORE: &str = "Store";
/// Options of the JSON-LD API.
pub(in crate::cli) const JSON_LD: &str = "JSON-LD";
/// Options for a remote server.
pub(in crate::cli) const SERVER: &str = "Server";
/// Options for the network.
pub(in crate::cli) const NETWORK: &str = "Network";
/// Options that limit the cost of a run.
pub(in crate::cli) const LIMITS: &str = "Limits";
/// Options for messages on stderr.
pub(in crate::cli) const MESSAGES: &str = "Messages";

/// The headings of shared options, in the order in which help shows them after the command's own options.
const ORDER: [&str; 7] = [INPUT, STORE, JSON_LD, SERVER, NETWORK, LIMITS, MESSAGES];

/// Adds a group of arguments to a command, and gives a heading to those of its options that have none.
pub(super) fn under(
    heading: &'static str,
    command: Command,
    augment: impl FnOnce(Command) -> Command,
) -> Command {
    if !may_show_help() {
        return augment(command);
    }
    let known = ids(&command, |_| true);
    let command = augment(command);
    let new = ids(&command, |argument| !argument.is_positional() && argument.get_help_heading().is_none());
    let new = new.into_iter().filter(|id| !known.contains(id));
    new.fold(command, |command, id| command.mut_arg(id, |argument| argument.help_heading(heading)))
}

/// Moves shared options after the command's own options, sorted by heading.
pub(in crate::cli) fn in_order(command: Command) -> Command {
    if !may_show_help() {
        return command;
    }
    ORDER.iter().fold(command, |command, heading| {
        let of_heading = ids(&command, |argument| argument.get_help_heading() == Some(heading));
        // Changing an argument moves it to the end.
        of_heading.into_iter().fold(command, |command, id| command.mut_arg(id, |argument| argument))
    })
}

fn ids(command: &Command, is_meant: impl Fn(&clap::Arg) -> bool) -> Vec<Id> {
    command
        .get_arguments()
        .filter(|argument| is_meant(argument))
        .map(|argument| argument.get_id().clone())
        .collect()
}
