//! The help of `-h`, which fits on one screen: the command's own options with one line each, their values, and three
//! examples. `--help` has the rest.

use clap::Command;
use clap::builder::StyledStr;

use super::process_words::words;

/// How many examples are shown, and their maximum length, so each fits on a line.
const EXAMPLES: usize = 3;
const WIDTH: usize = 80;

/// Returns whether the short help was requested. If `-h` is the value of an option, no help is shown.
pub(super) fn is_short_help_asked() -> bool {
    words().iter().any(|argument| argument == "-h")
}

/// Returns whether help may have been requested, or the manual, which is made from it. Otherwise the order of options
/// does not matter, and sorting them takes as long as reading a small file.
pub(super) fn may_show_help() -> bool {
    const WORDS: [&str; 4] = ["-h", "--help", "help", "man"];
    words().iter().any(|argument| WORDS.iter().any(|word| argument == *word))
}

/// Removes everything from the help of a command that `-h` does not show.
pub(super) fn shortened(command: Command) -> Command {
    let mut headings: Vec<String> = Vec::new();
    for heading in command.get_arguments().filter_map(|argument| argument.get_help_heading()) {
        if !headings.iter().any(|known| known == heading) {
            headings.push(heading.to_owned());
        }
    }
    let name = command.get_name().to_owned();
    let examples = command.get_after_help().map(StyledStr::to_string).unwrap_or_default();
    let more = match headings.as_slice() {
        [] => String::new(),
        headings => format!("More options (evalgraph {name} --help): {}", headings.join(", ")),
    };
    let parts = [first_examples(&examples), values(&command), more];
    let ending: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let ending = ending.join("\n\n");
    let command = command.mut_args(|argument| {
        let is_shared = argument.get_help_heading().is_some();
        let argument = argument.hide_short_help(is_shared);
        match argument.get_action().takes_values() {
            true => argument.hide_possible_values(true),
            false => argument,
        }
    });
    command.after_help(ending.trim().to_owned())
}

/// The values of the command's own options, a paragraph for each option.
fn values(command: &Command) -> String {
    let own = command.get_arguments().filter(|argument| argument.get_help_heading().is_none());
    let listed = own.filter_map(|argument| {
        let name = format!("--{}", argument.get_long()?);
        let values = argument.get_possible_values();
        let values = values.iter().filter(|value| !value.is_hide_set()).map(|value| value.get_name());
        let values: Vec<&str> = values.collect();
        (argument.get_action().takes_values() && values.len() > 1).then(|| wrapped(&name, &values))
    });
    let listed: Vec<String> = listed.collect();
    if listed.is_empty() { String::new() } else { format!("Values:\n{}", listed.join("\n")) }
}

/// The values behind the name of their option, in lines of the usual width.
fn wrapped(name: &str, values: &[&str]) -> String {
    let indent = 2 + name.len() + 2;
    let mut text = format!("  {name}  ");
    let mut length = indent;
    for (at, value) in values.iter().enumerate() {
        let piece = if at + 1 < values.len() { format!("{value}, ") } else { (*value).to_owned() };
        if length > indent && length + piece.trim_end().len() > WIDTH {
            text.truncate(text.trim_end().len());
            text += &format!("\n{:indent$}", "");
            length = indent;
        }
        length += piece.len();
        text += &piece;
    }
    text
}

/// The first examples of a text that begins with examples.
fn first_examples(text: &str) -> String {
    let examples = text.lines().take_while(|line| !line.is_empty()).filter(|line| line.len() <= WIDTH);
    examples.take(1 + EXAMPLES).collect::<Vec<_>>().join("\n")
}
