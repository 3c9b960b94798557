//! Shows settings and commands of the library as options of the command line.

use evalgraph_diagnostics::{FindingHelp, HelpPart, SuggestedCommand, SuggestedSetting};
use evalgraph_engine::input::input_options::StoreChoice;

/// Returns a help text in which settings and commands appear as the user types them.
pub(super) fn worded(help: &FindingHelp) -> String {
    let part = |part: &HelpPart| match part {
        HelpPart::Text(text) => text.to_string(),
        HelpPart::Setting(setting) => format!("`{}`", option(setting)),
        HelpPart::Command(SuggestedCommand { name, arguments }) => {
            let arguments: String = arguments.iter().map(|part| format!(" {}", argument(part))).collect();
            format!("`evalgraph {name}{arguments}`")
        }
    };
    help.parts().iter().map(part).collect()
}

/// A word or an option of a command.
fn argument(part: &HelpPart) -> String {
    match part {
        HelpPart::Text(word) => quoted(word),
        HelpPart::Setting(setting) => option(setting),
        HelpPart::Command(SuggestedCommand { name, .. }) => (*name).to_owned(),
    }
}

fn option(SuggestedSetting { name, value }: &SuggestedSetting) -> String {
    let flag = if *name == "output" { "-o".to_owned() } else { format!("--{name}") };
    match value {
        Some(value) => format!("{flag} {}", quoted(value)),
        None => flag,
    }
}

/// Returns a command line of the program for the same store.
pub(super) fn command(what: &str, store: &StoreChoice) -> String {
    let store =
        store.store.as_ref().map(|store| format!(" --store {}", quoted(&store.display().to_string())));
    format!("evalgraph {what}{}", store.unwrap_or_default())
}

/// Quotes a word if a shell needs that.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/.:-_%~+=@,…".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
