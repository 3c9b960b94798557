//! Suggestions for a command or an option that does not exist: one with a similar name, or one for a word of other
//! programs.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

use super::request_text::is_named_query;
use evalgraph_diagnostics::nearest::nearest;

/// Words from other programs, each with the corresponding commands.
const WORDS_OF_OTHERS: [(&str, &[&str]); 48] = [
    ("ask", &["query"]),
    ("chart", &["query --chart bar"]),
    ("concat", &["merge"]),
    ("console", &["shell"]),
    ("count", &["stats"]),
    ("create", &["new", "init"]),
    ("deduplicate", &["dedupe"]),
    ("delete", &["remove"]),
    ("describe", &["schema", "stats"]),
    ("draw", &["query --chart bar", "query --network"]),
    ("edit", &["set"]),
    ("fetch", &["query"]),
    ("find", &["filter", "query"]),
    ("format", &["fmt"]),
    ("fsck", &["doctor"]),
    ("graph", &["query --network", "query --around"]),
    ("grep", &["filter", "query"]),
    ("hash", &["canon"]),
    ("head", &["sample"]),
    ("history", &["query -n revisions"]),
    ("import", &["load"]),
    ("info", &["stats"]),
    ("ingest", &["load"]),
    ("join", &["merge"]),
    ("lint", &["validate", "check"]),
    ("list", &["graphs", "queries"]),
    ("ls", &["graphs"]),
    ("mv", &["move"]),
    ("network", &["query --network", "query --around"]),
    ("normalize", &["canon"]),
    ("order", &["sort"]),
    ("pick", &["filter", "sample"]),
    ("plot", &["query --chart bar"]),
    ("repair", &["doctor"]),
    ("repl", &["shell"]),
    ("revert", &["undo"]),
    ("rm", &["remove"]),
    ("rollback", &["undo"]),
    ("save", &["backup", "dump"]),
    ("search", &["filter", "query"]),
    ("select", &["filter", "query"]),
    ("subset", &["filter", "sample"]),
    ("summary", &["stats"]),
    ("transform", &["convert"]),
    ("uniq", &["dedupe"]),
    ("unique", &["dedupe"]),
    ("verify", &["validate", "check"]),
    ("where", &["filter"]),
];

/// Options that people expect, each with the one that does it, and the command that has it.
const OPTIONS_OF_OTHERS: [(&str, &str, &str); 8] = [
    ("--finished", "filter", "--state finished"),
    ("--grep", "filter", "--text WORDS"),
    ("--not-finished", "filter", "--state unfinished"),
    ("--port", "serve", "--bind 127.0.0.1:8080"),
    ("--reject", "filter", "--invert"),
    ("--search", "filter", "--text WORDS"),
    ("--tag", "filter", "--keyword KEYWORD"),
    ("--unfinished", "filter", "--state unfinished"),
];

/// Replaces the suggestions in an error about an unknown command or option. A similar name is kept only if it is really
/// close, and a word from another program leads to the corresponding command. `arguments` are those of the process, and
/// `program` creates the whole program.
pub(super) fn with_what_was_meant(error: Error, arguments: &[OsString], program: fn() -> Command) -> Error {
    match error.kind() {
        ErrorKind::InvalidSubcommand => with_command(error, arguments),
        ErrorKind::UnknownArgument => with_option(error, arguments, program),
        _ => error,
    }
}

fn with_option(mut error: Error, arguments: &[OsString], program: fn() -> Command) -> Error {
    let Some(ContextValue::String(wrong)) = error.get(ContextKind::InvalidArg) else { return error };
    let wrong = wrong.clone();
    // clap suggests to pass the option as a value.
    error.remove(ContextKind::Suggested);
    let option = wrong.split('=').next().unwrap_or_default();
    let meant = OPTIONS_OF_OTHERS
        .iter()
        .find(|(other, command, _)| *other == option && is_command_of_program(command, arguments));
    if let Some((_, _, meant)) = meant {
        error.remove(ContextKind::SuggestedArg);
        let tip = StyledStr::from(format!("the option for that is '{meant}'"));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
        return error;
    }
    let is_near = match error.get(ContextKind::SuggestedArg) {
        Some(ContextValue::String(alike)) => nearest(&wrong, [alike.as_str()]).is_some(),
        _ => false,
    };
    if !is_near {
        if error.remove(ContextKind::SuggestedArg).is_some() {
            // The usage shows the option as if it were meant.
            error.remove(ContextKind::Usage);
        }
        if let Some(tip) = with_this_option(option, program) {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
        }
    }
    error
}

/// Returns a tip if only a few commands have an option.
fn with_this_option(option: &str, program: fn() -> Command) -> Option<String> {
    const FEW: usize = 3;
    let name = option.strip_prefix("--")?;
    let mut program = program();
    // The arguments of a command are added when it is built.
    program.build();
    let has = |command: &&Command| command.get_arguments().any(|one| one.get_long() == Some(name));
    let commands: Vec<&str> = program
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
        .filter(has)
        .map(Command::get_name)
        .collect();
    (1..=FEW)
        .contains(&commands.len())
        .then(|| format!("'{option}' is an option of '{}'", commands.join("' and '")))
}

fn with_command(mut error: Error, arguments: &[OsString]) -> Error {
    let Some(ContextValue::String(wrong)) = error.get(ContextKind::InvalidSubcommand) else { return error };
    let wrong = wrong.clone();
    // clap suggests to pass the word as a value, which is not possible for any command here.
    error.remove(ContextKind::Suggested);
    let alike = error.remove(ContextKind::SuggestedSubcommand);
    let commands = match is_command_of_program(&wrong, arguments) {
        true => of_others(&wrong),
        false => Vec::new(),
    };
    if !commands.is_empty() {
        let tip = match commands.as_slice() {
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

/// Returns the commands for a word of other programs, or for the name of a built-in query.
fn of_others(word: &str) -> Vec<String> {
    let known = WORDS_OF_OTHERS.iter().find(|(other, _)| *other == word);
    let known: Vec<String> =
        known.iter().flat_map(|(_, commands)| *commands).map(|command| (*command).to_owned()).collect();
    match is_named_query(word) {
        true if known.is_empty() => vec![format!("query -n {word}")],
        _ => known,
    }
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
        let text = with_what_was_meant(error, &arguments, ProgramArguments::command).render().to_string();
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
                let name = command.split(' ').next().unwrap_or_default();
                assert!(program.find_subcommand(name).is_some(), "{command}");
            }
        }
        assert_eq!(tips(&["count", "a.jsonld"]), ["the command for that is 'stats'"]);
        assert_eq!(tips(&["--quiet", "lint", "."]), ["the commands for that are 'validate' and 'check'"]);
    }

    #[test]
    fn options_of_others_lead_to_options_that_exist() {
        assert!(OPTIONS_OF_OTHERS.is_sorted());
        for (other, command, meant) in OPTIONS_OF_OTHERS {
            assert_eq!(tips(&[command, other, "a.jsonld"]), [format!("the option for that is '{meant}'")]);
            let words: Vec<&str> = [command, "a.jsonld"].into_iter().chain(meant.split(' ')).collect();
            ProgramArguments::command()
                .try_get_matches_from(["evalgraph"].iter().chain(&words))
                .unwrap_or_else(|error| {
                    // The last word is in the place of a value.
                    assert_eq!(error.kind(), ErrorKind::InvalidValue, "{meant}: {error}");
                    Default::default()
                });
        }
        assert_eq!(tips(&["filter", "--count", "a.jsonld"]), ["'--count' is an option of 'schema'"]);
        assert_eq!(tips(&["filter", "--frobnicate", "a.jsonld"]), [""; 0]);
        assert_eq!(tips(&["validate", "--fix", "a.jsonld"]), ["'--fix' is an option of 'check'"]);
        assert_eq!(tips(&["filter", "--keywrod", "x"]), ["a similar argument exists: '--keyword'"]);
        assert_eq!(tips(&["keywords", "a.jsonld"]), ["the command for that is 'query -n keywords'"]);
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
