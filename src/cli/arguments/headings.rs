//! The headings under which help shows the options that many commands share, behind the own ones of the command.

use clap::{Command, Id};

use crate::cli::short_help::may_show_help;

/// Options for what is read.
pub(in crate::cli) const INPUT: &str = "Input";
/// Options for the store.
pub(in crate::cli) const STORE: &str = "Store";
/// Options of the JSON-LD API.
pub(in crate::cli) const JSON_LD: &str = "JSON-LD";
/// Options for a server that is asked.
pub(in crate::cli) const SERVER: &str = "Server";
/// Options for the network.
pub(in crate::cli) const NETWORK: &str = "Network";
/// Options for what a run may cost.
pub(in crate::cli) const LIMITS: &str = "Limits";
/// Options for what is said on stderr.
pub(in crate::cli) const MESSAGES: &str = "Messages";

/// The headings of shared options, as help shows them behind the own options of a command.
const ORDER: [&str; 7] = [INPUT, STORE, JSON_LD, SERVER, NETWORK, LIMITS, MESSAGES];

/// Adds a group of arguments to a command, and puts those of its options under a heading that have none.
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

/// Puts shared options behind the own ones of a command, by their headings.
pub(in crate::cli) fn in_order(command: Command) -> Command {
    if !may_show_help() {
        return command;
    }
    ORDER.iter().fold(command, |command, heading| {
        let of_heading = ids(&command, |argument| argument.get_help_heading() == Some(heading));
        // An argument that is changed becomes the last.
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
