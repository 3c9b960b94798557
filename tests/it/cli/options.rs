//! An option has one meaning, whichever command takes it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::input::run;

/// Options whose values differ by command, and why.
const DIFFERENT: [(&str, &str); 1] = [("output", "what `split` writes is a folder of files")];

/// What the options are for that every command with such a need has, and their values.
const MEANINGS: [(&str, &str); 12] = [
    ("graph", "GRAPH"),
    ("name", "NAME"),
    ("profile", "PROFILE"),
    ("format", "FORM"),
    ("to", "FORMAT"),
    ("from", "FORMAT"),
    ("shown", "COUNT"),
    ("config", "FILE"),
    ("diagnostics", "FORM"),
    ("max-size", "SIZE"),
    ("max-depth", "LEVELS"),
    ("max-memory", "SIZE"),
];

fn help(arguments: &[&str]) -> String {
    let (status, stdout, stderr) = run(Path::new("."), arguments);
    assert_eq!(status, 0, "{arguments:?}: {stderr}");
    stdout
}

/// The names of the commands, which stand in groups.
pub(super) fn commands() -> Vec<String> {
    let all = help(&["--help"]);
    let (groups, _) = all.split_once("\nExamples:\n").expect("examples stand behind the commands");
    let lines = groups.lines().filter_map(|line| line.strip_prefix("  "));
    lines
        .filter_map(|line| line.split(' ').next())
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// What a command says at a width of the terminal.
fn help_at(columns: usize, arguments: &[&str]) -> String {
    let output = crate::program::program()
        .args(arguments)
        .env("COLUMNS", columns.to_string())
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("help is UTF-8")
}

/// The headings of a help text.
fn headings(text: &str) -> Vec<&str> {
    let options = text.split("\nExamples:\n").next().unwrap_or_default();
    let is_heading = |line: &&str| line.ends_with(':') && !line.starts_with(' ');
    options.lines().filter(is_heading).map(|line| line.trim_end_matches(':')).collect()
}

#[test]
fn short_help_is_one_screen_with_the_own_options() {
    for command in commands() {
        let text = help_at(80, &[&command, "-h"]);
        assert!(text.lines().count() <= 45, "{command}: {} lines\n{text}", text.lines().count());
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{command}\n{text}");
        assert!(text.contains("\nExamples:\n  evalgraph "), "{command}\n{text}");
        let own = ["Arguments", "Commands", "Options"];
        let foreign: Vec<&str> =
            headings(&text).into_iter().filter(|heading| !own.contains(heading)).collect();
        assert!(foreign.is_empty(), "{command}: {foreign:?}");
    }
}

#[test]
fn shared_options_stand_last_and_in_one_order() {
    const ORDER: [&str; 7] = ["Input", "Store", "JSON-LD", "Server", "Network", "Limits", "Messages"];
    let place = |heading: &str| ORDER.iter().position(|known| *known == heading);
    for command in commands() {
        let text = help(&[&command, "--help"]);
        let places: Vec<Option<usize>> = headings(&text).into_iter().map(place).collect();
        assert!(places.is_sorted(), "{command}: {:?}", headings(&text));
        assert_eq!(places.last(), Some(&Some(ORDER.len() - 1)), "{command}");
    }
}

#[test]
fn help_of_a_command_is_asked_for_in_either_way() {
    for command in commands() {
        // `serve` gives options of its own to limits that every command has; those stand in another order then.
        let lines = |text: String| text.lines().map(str::to_owned).collect::<BTreeSet<String>>();
        assert_eq!(lines(help(&["help", &command])), lines(help(&[&command, "--help"])), "{command}");
    }
    assert!(help(&["--version"]).contains("SPARQL 1.1"));
    assert_eq!(help(&["-V"]).trim(), format!("evalgraph {}", env!("CARGO_PKG_VERSION")));
}

/// Options that stand under a heading of their own in one command, and why.
const UNDER_ANOTHER_HEADING: [(&str, &str); 4] = [
    ("dataset", "`convert` takes it for the graphs that it writes beside documents"),
    ("prefer", "`convert` takes it for checkpoints alone"),
    ("profile", "`convert` takes it for training data alone"),
    ("token-file", "`serve` is a server itself"),
];

#[test]
fn an_option_stands_under_one_heading() {
    let mut headings: BTreeMap<String, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for command in commands() {
        let mut heading = String::new();
        let text = help(&[&command, "--help"]);
        for line in text.split("\nExamples:\n").next().unwrap_or_default().lines() {
            if let Some(title) = line.strip_suffix(':').filter(|title| !title.starts_with(' ')) {
                title.clone_into(&mut heading);
            }
            // What is said of an option stands further to the right.
            let option = line.trim_start();
            let is_option = option.starts_with('-') && line.len() - option.len() <= 6;
            let long = option.split_once("--").filter(|_| is_option);
            let name = long.and_then(|(_, rest)| rest.split([' ', '.', '[']).next());
            if let Some(name) = name {
                let under = headings.entry(name.to_owned()).or_default().entry(heading.clone());
                under.or_default().insert(command.clone());
            }
        }
    }
    assert!(headings["output"]["Options"].len() > 15, "{headings:?}");
    for (name, under) in headings {
        let may_differ = UNDER_ANOTHER_HEADING.iter().any(|(different, _)| *different == name);
        assert_eq!(under.len() > 1, may_differ, "--{name}: {under:?}");
    }
}

/// The values of each option, with the commands that take it.
fn options() -> BTreeMap<String, BTreeMap<String, BTreeSet<String>>> {
    let mut options: BTreeMap<String, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for command in commands() {
        // Before the options stands how a command is called; behind them, examples.
        let text = help(&[&command, "--help"]);
        let options_of = text.split_once("\nOptions:\n").map_or("", |(_, rest)| rest);
        let options_of = options_of.split("\nExamples:\n").next().unwrap_or_default();
        // What is said of an option stands further to the right.
        let is_option = |line: &&str| line.len() - line.trim_start().len() <= 6;
        for line in options_of.lines().filter(is_option).map(str::trim_start) {
            let long = match line.split_once("--") {
                Some(("", rest)) => rest,
                Some((short, rest)) if short.starts_with('-') && short.len() == 4 => rest,
                _ => continue,
            };
            let (name, rest) = long.split_once(' ').unwrap_or((long, ""));
            let value = rest.strip_prefix('<').and_then(|rest| rest.split('>').next()).unwrap_or_default();
            let takers = options.entry(name.to_owned()).or_default().entry(value.to_owned()).or_default();
            takers.insert(command.clone());
        }
    }
    options
}

#[test]
fn an_option_has_one_meaning() {
    let options = options();
    assert!(options.len() > 60 && options["max-size"]["SIZE"].len() > 15, "{options:?}");
    for (name, values) in &options {
        let may_differ = DIFFERENT.iter().any(|(different, _)| different == name);
        assert_eq!(values.len() > 1, may_differ, "--{name}: {values:?}");
        if name.starts_with("max-") {
            assert!(!values.contains_key(""), "--{name} is a limit, and has a value");
        }
    }
    for (name, value) in MEANINGS {
        let values: Vec<&str> = options[name].keys().map(String::as_str).collect();
        assert_eq!(values, [value], "--{name}");
    }
}
