//! Suggestions for a command that does not exist: one with a similar name, or one for a word of other programs.

use std::ffi::OsString;

use clap::Error;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use evalgraph_diagnostics::nearest::nearest;

/// Words from other programs, each with the corresponding commands.
const WORDS_OF_OTHERS: [(&str, &[&str]); 32] = [
    ("ask", &["query"]),
    ("compare", &["diff"]),
    ("concat", &["merge"]),
    ("console", &["shell"]),
    ("count", &["stats"]),
    ("create", &["new", "init"]),
    ("delete", &["remove"]),
    ("describe", &["schema", "sample"]),
    ("edit", &["set"]),
    ("fetch", &["query"]),
    ("find", &["query"]),
    ("format", &["fmt"]),
    ("fsck", &["doctor"]),
    ("grep", &["query"]),
    ("hash", &["canon"]),
    ("head", &["sample"]),
    ("import", &["load"]),
    ("info", &["stats"]),
    ("ingest", &["load"]),
    ("join", &["merge"]),
    ("lint", &["validate", "check"]),
    ("list", &["graphs", "queries"]),
    ("ls", &["graphs"]),
    ("normalize", &["canon"]),
    ("repair", &["doctor"]),
    ("repl", &["shell"]),
    ("rm", &["remove"]),
    ("search", &["query"]),
    ("select", &["query"]),
    ("summary", &["stats"]),
    ("transform", &["convert"]),
    ("verify", &["validate", "check"]),
];

/// Replaces the suggestions in an error about a command that does not exist. Of the similar names, only a really close
/// one is kept, and words from other programs lead to the corresponding commands. `arguments` are those of the process.
pub(super) fn with_what_was_meant(mut error: Error, arguments: &[OsString]) -> Error {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return error;
    }
    let Some(ContextValue::String(wrong)) = error.get(ContextKind::InvalidSubcommand) else { return error };
    let wrong = wrong.clone();
    // clap suggests to pass the word as a value, which is not possible for any command here.
    error.remove(ContextKind::Suggested);
    let alike = error.remove(ContextKind::SuggestedSubcommand);
    if let Some(commands) = of_others(&wrong).filter(|_| is_command_of_program(&wrong, arguments)) {
        let tip = match commands {
            [command] => format!("the command for that is '{command}'"),
            _ => format!("the commands for that are '{}'", commands.join("' and '")),
        };
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
    } else if let Some(ContextValue::Strings(alike)) = alike
        && let Some(near) = nearest(&wrong, alike.iter().map(String::as_str))
    {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![near.to_owned()]));
    }
    error
}

fn of_others(word: &str) -> Option<&'static [&'static str]> {
    WORDS_OF_OTHERS.iter().find(|(other, _)| *other == word).map(|(_, commands)| *commands)
}

/// Returns whether a word is in the position of a command of the program, rather than of a subcommand as in `graphs`.
fn is_command_of_program(word: &str, arguments: &[OsString]) -> bool {
    let mut words =
        arguments.iter().skip(1).filter(|argument| !argument.as_encoded_bytes().starts_with(b"-"));
    let first = words.next().filter(|first| *first != "help").or_else(|| words.next());
    first.is_some_and(|first| first == word)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::ProgramArguments;

    fn tips(arguments: &[&str]) -> Vec<String> {
        let arguments: Vec<OsString> = ["evalgraph"].iter().chain(arguments).map(OsString::from).collect();
        let error =
            ProgramArguments::command().try_get_matches_from(&arguments).expect_err("no such command");
        let text = with_what_was_meant(error, &arguments).render().to_string();
        let tips = text.lines().filter_map(|line| line.trim().strip_prefix("tip: "));
        tips.map(str::to_owned).collect()
    }

    #[test]
    fn words_of_others_lead_to_commands_that_exist() {
        assert!(WORDS_OF_OTHERS.is_sorted_by_key(|(word, _)| *word));
        let program = ProgramArguments::command();
        for (word, commands) in WORDS_OF_OTHERS {
            assert!(program.find_subcommand(word).is_none(), "{word}");
            for command in commands {
                assert!(program.find_subcommand(command).is_some(), "{command}");
            }
        }
        assert_eq!(tips(&["count", "a.jsonld"]), ["the command for that is 'stats'"]);
        assert_eq!(tips(&["--quiet", "lint", "."]), ["the commands for that are 'validate' and 'check'"]);
    }

    #[test]
    fn tips_name_what_is_really_near() {
        assert_eq!(tips(&["qurey"]), ["a similar subcommand exists: 'query'"]);
        assert_eq!(tips(&["statz"]), ["a similar subcommand exists: 'stats'"]);
        assert_eq!(tips(&["graphs", "dorp"]), ["a similar subcommand exists: 'drop'"]);
        for far in [&["corpus"][..], &["datasets"], &["frobnicate"], &["a.jsonld"], &["graphs", "lint"]] {
            assert_eq!(tips(far), [""; 0], "{far:?}");
        }
    }
}
