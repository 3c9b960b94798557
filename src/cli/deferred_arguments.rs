//! Arguments of a command that are described only when the command is requested. Describing the arguments of all
//! commands takes longer than a small query.

use clap::builder::Resettable;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

use super::arguments::in_order;
use super::short_help::{is_short_help_asked, shortened};

/// Arguments that are described lazily.
#[derive(Debug)]
pub(super) struct DeferredArguments<A>(pub(super) A);

impl<A: Args> Args for DeferredArguments<A> {
    fn augment_args(command: Command) -> Command {
        command.defer(described::<A>)
    }

    fn augment_args_for_update(command: Command) -> Command {
        A::augment_args_for_update(command)
    }
}

/// Adds the arguments to a command, which keeps its own help text. The arguments that it already has, which are common
/// to all commands, come last in the help.
fn described<A: Args>(command: Command) -> Command {
    let about = Resettable::from(command.get_about().cloned());
    let long_about = Resettable::from(command.get_long_about().cloned());
    let command = in_order(A::augment_args(command).about(about).long_about(long_about));
    if is_short_help_asked() { shortened(command) } else { command }
}

impl<A: FromArgMatches> FromArgMatches for DeferredArguments<A> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        A::from_arg_matches(matches).map(Self)
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
        A::from_arg_matches_mut(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}
