//! An option has one meaning, whichever command takes it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::input::run;

/// Options whose values differ by command, and why.
const DIFFERENT: [(&str, &str); 4] = [
    ("frame", "`frame` takes the names of frames that come with the program, too"),
    ("graph", "an update goes into a graph that need not be there yet: only an IRI names it"),
    ("output", "what `split` writes is a folder of files"),
    ("profile", "figures know two sets of rules, and name them"),
];

/// What the options are for that every command with such a need has, and their values.
const MEANINGS: [(&str, &str); 9] = [
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

/// The names of the commands.
fn commands() -> Vec<String> {
    let all = help(&["--help"]);
    let commands = all.split("Commands:\n").nth(1).expect("there are commands").lines();
    let commands = commands.take_while(|line| !line.is_empty()).filter(|line| line.starts_with("  "));
    let names = commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| !name.is_empty() && *name != "help").map(str::to_owned).collect()
}

/// Options that stand under a heading of their own in one command, and why.
const UNDER_ANOTHER_HEADING: [(&str, &str); 2] = [
    ("prefer", "`convert` takes it for checkpoints alone"),
    ("profile", "`convert` takes it for training data alone"),
];

#[test]
fn an_option_stands_under_one_heading() {
    let mut headings: BTreeMap<String, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for command in commands() {
        let mut heading = String::new();
        let text = help(&[&command, "-h"]);
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
