//! mlcroissant, Croissant's own program, beside the rules: where it refuses a document, an error is found, or the difference is
//! in a table with the section that decides.

use super::changes::{Change, OF_FIXTURES, OF_METADATA, read};
use super::found;
use crate::beside::{shared, skipped};
use crate::random::engines::Process;
use evalgraph::schema_org::CheckLevel;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The differences: change, what is found here, what the peer says, and the section of the specification that decides.
const DIFFERENCES: &str = include_str!("../../../peers/croissant-differences.tsv");

/// The process, if it is installed.
fn peer() -> Option<Process> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers");
    let installed = folder.join(".venv-mlcroissant/installed.txt");
    if !installed.exists() {
        let why = format!("{} is not there; `tests/peers/install mlcroissant` makes it", installed.display());
        skipped("the comparison with mlcroissant", &why);
        return None;
    }
    let script = folder.join("mlcroissant_peer.py").display().to_string();
    Some(Process::new("mlcroissant", &folder.join(".venv-mlcroissant/bin/python"), &[script]))
}

/// Tells why the peer refuses a document, if it does.
fn refusal(peer: &mut Process, document: &Value) -> Option<String> {
    let reply = peer.ask(&json!({ "document": document })).expect("it answers");
    reply["refuses"].as_str().map(str::to_owned)
}

/// The highest level of what is found in a document and not in the one before.
fn level(before: &Value, after: &Value) -> &'static str {
    let rows = |document: &Value| -> BTreeSet<(CheckLevel, String)> {
        let row = |finding: evalgraph::schema_org::SchemaOrgFinding| {
            let place =
                format!("{} {} {} {:?}", finding.code.name(), finding.node, finding.property, finding.term);
            (finding.level, place)
        };
        found(document).into_iter().map(|(finding, _)| row(finding)).collect()
    };
    let (before, after) = (rows(before), rows(after));
    after.difference(&before).map(|(level, _)| *level).max().map_or("nothing", CheckLevel::name)
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/croissant")
}

/// What both say to changes, where they differ: the level here, and whether the peer refuses.
fn differences(peer: &mut Process, changes: &[Change], folder: &Path) -> BTreeMap<String, [String; 2]> {
    let mut differences = BTreeMap::new();
    for change in changes {
        let (before, after) = (read(&folder.join(change.file)), change.made(folder));
        let refusal = refusal(peer, &after);
        let ours = level(&before, &after);
        let theirs = if refusal.is_some() { "refuses" } else { "takes" };
        if (ours == "error") != (theirs == "refuses") {
            differences.insert(change.name.to_owned(), [ours, theirs].map(str::to_owned));
        }
    }
    differences
}

#[test]
#[ignore = "needs mlcroissant, which tests/peers/install installs, and the metadata beside the project"]
fn mlcroissant_refuses_what_has_an_error_or_the_difference_is_decided() {
    let Some(mut peer) = peer() else { return };
    let metadata = shared("suites/croissant/metadata");
    for entry in std::fs::read_dir(&metadata).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        assert_eq!(refusal(&mut peer, &read(&path)), None, "{}", path.display());
    }
    let mut found = differences(&mut peer, OF_FIXTURES, &fixtures());
    found.extend(differences(&mut peer, OF_METADATA, &metadata));
    let decided: BTreeMap<String, [String; 2]> = DIFFERENCES
        .lines()
        .skip(1)
        .map(|line| {
            let [change, ours, theirs, section] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("four cells: {line}")
            };
            assert!(section.contains(": "), "a section decides: {line}");
            (change.to_owned(), [ours, theirs].map(str::to_owned))
        })
        .collect();
    assert_eq!(found, decided);
}
