//! Verdicts of Karenina's own programs on changed checkpoints: the judge in `tests/judges` learnt them, and every row
//! of its table has to come out the same here.

use evalgraph::diagnostic::validation::ResultSeverity;
use evalgraph::json::{Limits, parse};
use evalgraph::source::checkpoint::{CheckpointProfile, ContextMeaning};
use evalgraph::source::karenina::rules::validate;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Profile, file, operation, pointer, new value, and the rule that is violated; `-` for none.
const ROWS: &str = include_str!("../../judges/karenina-verdicts.tsv");

struct Row {
    profile: CheckpointProfile,
    file: &'static str,
    operation: &'static str,
    pointer: &'static str,
    value: Value,
    rule: &'static str,
}

fn rows() -> impl Iterator<Item = Row> {
    ROWS.lines().map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [profile, file, operation, pointer, value, rule] = columns[..] else {
            panic!("six columns: {line}")
        };
        let profile =
            CheckpointProfile::ALL.into_iter().find(|known| known.name() == profile).expect("a profile");
        let value = serde_json::from_str(value).expect("a value in JSON");
        Row { profile, file, operation, pointer, value, rule }
    })
}

/// The document with the change of a row.
fn changed(document: &Value, row: &Row) -> Value {
    let mut document = document.clone();
    let (parent, key) = row.pointer.rsplit_once('/').expect("a pointer has a slash");
    let key = key.replace("~1", "/").replace("~0", "~");
    let index = || key.parse::<usize>().expect("an index");
    match (document.pointer_mut(parent).expect("the parent is there"), row.operation) {
        (Value::Object(object), "remove") => drop(object.shift_remove(&key)),
        (Value::Object(object), "rename") => {
            let name = row.value.as_str().expect("a new name");
            let renamed = std::mem::take(object).into_iter();
            object
                .extend(renamed.map(|(own, value)| (if own == key { name.to_owned() } else { own }, value)));
        }
        (Value::Object(object), _) => drop(object.insert(key, row.value.clone())),
        (Value::Array(array), "add") => array.push(row.value.clone()),
        (Value::Array(array), "remove") => drop(array.remove(index())),
        (Value::Array(array), _) => array[index()] = row.value.clone(),
        _ => panic!("{} has no parent", row.pointer),
    }
    document
}

#[test]
fn verdicts_are_those_of_the_programs() {
    let mut documents: BTreeMap<&str, Value> = BTreeMap::new();
    let (mut count, mut wrong) = (0, Vec::new());
    for row in rows() {
        count += 1;
        let document = documents.entry(row.file).or_insert_with(|| {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(row.file);
            let text = std::fs::read_to_string(&path).expect("the file of a row is there");
            serde_json::from_str(&text).expect("it is JSON")
        });
        let text = changed(document, &row).to_string();
        let parsed = parse("changed", text, Limits::default()).expect("it is JSON");
        let report = validate(&parsed, row.profile, &ContextMeaning::SchemaOrg);
        let violations = report.results.iter().filter(|result| result.severity == ResultSeverity::Violation);
        let rules: Vec<&str> = violations.map(|result| result.rule.as_ref()).collect();
        let is_same = if row.rule == "-" { rules.is_empty() } else { rules.contains(&row.rule) };
        if !is_same {
            let Row { profile, file, operation, pointer, value, rule } = row;
            wrong.push(format!("{profile} {file} {operation} {pointer} {value}: {rules:?}, not {rule}"));
        }
    }
    assert!(count > 500, "{count} rows");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}
