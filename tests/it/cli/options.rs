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

/// The values of each option, with the commands that take it.
fn options() -> BTreeMap<String, BTreeMap<String, BTreeSet<String>>> {
    let all = help(&["--help"]);
    let commands = all.split("Commands:\n").nth(1).expect("there are commands").lines();
    let commands = commands.take_while(|line| !line.is_empty()).filter(|line| line.starts_with("  "));
    let names = commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let mut options: BTreeMap<String, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for command in names.filter(|name| !name.is_empty() && *name != "help") {
        // Before the options stands how a command is called; behind them, examples.
        let text = help(&[command, "--help"]);
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
            takers.insert(command.to_owned());
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
