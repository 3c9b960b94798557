//! Verdicts of Kwanzaa's own program, as `tests/judges/kwanzaa.py` has learnt them: each line of its table is
//! one change to a good file, and by which rules each profile refuses the changed file.

use crate::karenina::fixtures::{document, path};
use evalgraph::source::kwanzaa::KwanzaaSettings;
use evalgraph::source::kwanzaa::rules::{KwanzaaProfile, validate};
use serde_json::Value;
use std::collections::BTreeSet;

const TABLE: &str = include_str!("../../judges/kwanzaa-verdicts.tsv");

/// Rules that the documents and the validator of answers add to the schemas, which the table is about.
fn is_beyond(profile: KwanzaaProfile, rule: &str) -> bool {
    match profile {
        KwanzaaProfile::Code => false,
        KwanzaaProfile::Seed => rule.strip_prefix("W-").is_some_and(|rest| rest.parse::<u8>().is_ok()),
        KwanzaaProfile::Contract => ["W-1", "W-2", "W-12", "W-18", "W-19"].contains(&rule),
    }
}

/// A value as the table has it: JSON, or a letter and how often it stands there.
fn value(cell: &str) -> Value {
    match cell.split_once(" × ") {
        Some((letter, count)) => {
            let letter: String = serde_json::from_str(letter).expect("a text");
            Value::String(letter.repeat(count.parse().expect("a count")))
        }
        None => serde_json::from_str(cell).expect("a value is JSON"),
    }
}

fn changed(base: &Value, pointer: &str, cell: &str) -> Value {
    let mut changed = base.clone();
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer has a slash");
    match changed.pointer_mut(parent).expect("the parent is there") {
        Value::Object(object) if cell == "removed" => {
            drop(object.shift_remove(key).expect("the key is there"));
        }
        Value::Object(object) => drop(object.insert(key.to_owned(), value(cell))),
        Value::Array(array) if cell == "removed" => drop(array.remove(key.parse().expect("an index"))),
        Value::Array(array) => array[key.parse::<usize>().expect("an index")] = value(cell),
        _ => panic!("{pointer} has no parent"),
    }
    changed
}

fn verdict(profile: KwanzaaProfile, value: &Value) -> String {
    let report = validate(&document(&value.to_string()), profile, &KwanzaaSettings::default());
    let violations = report.results.iter().filter(|result| result.severity.to_string() == "violation");
    let rules: BTreeSet<&str> = violations.map(|result| result.rule.as_ref()).collect();
    let rules: Vec<&str> = rules.into_iter().filter(|rule| !is_beyond(profile, rule)).collect();
    if rules.is_empty() { "takes".to_owned() } else { rules.join(" ") }
}

#[test]
fn each_change_has_the_verdicts_of_the_program() {
    let base = std::fs::read_to_string(path("kwanzaa/each-category.json")).expect("the fixture is there");
    let base: Value = serde_json::from_str(&base).expect("fixtures are JSON");
    let mut wrong = Vec::new();
    let mut lines = 0;
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        let [pointer, cell, code, seed, contract] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("a line has five cells: {line}");
        };
        lines += 1;
        let changed = changed(&base, pointer, cell);
        let expected = [
            (KwanzaaProfile::Code, code),
            (KwanzaaProfile::Seed, seed),
            (KwanzaaProfile::Contract, contract),
        ];
        for (profile, expected) in expected {
            let found = verdict(profile, &changed);
            if found != expected {
                wrong.push(format!("{pointer} {cell}: {profile} is {found}, not {expected}"));
            }
        }
    }
    assert!(lines > 150, "the table has {lines} lines");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
