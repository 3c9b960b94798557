//! The metadata of real datasets: what is found in them, each with its reason, and what is found after a change.

use super::changes::{OF_METADATA, read};
use super::rows;
use crate::beside::shared;
use evalgraph::schema_org::CheckLevel;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The findings of the metadata, warnings and errors: file, rule, property, how many, and why they are right.
const REASONS: &str = include_str!("metadata.tsv");

fn folder() -> PathBuf {
    shared("suites/croissant/metadata")
}

#[test]
#[ignore = "needs the metadata beside the project"]
fn metadata_of_real_datasets_have_the_findings_that_have_a_reason_and_no_other() {
    let mut reasons = BTreeMap::new();
    for line in REASONS.lines().skip(1) {
        let [file, code, property, count, reason] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("five cells: {line}")
        };
        assert!(!reason.is_empty(), "a finding has a reason: {line}");
        let count: usize = count.parse().expect("a number of findings");
        reasons.insert([file, code, property].map(str::to_owned), count);
    }
    let mut found: BTreeMap<[String; 3], usize> = BTreeMap::new();
    for entry in std::fs::read_dir(folder()).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        let file = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        for (finding, _) in super::found(&read(&path)) {
            if finding.level >= CheckLevel::Warning {
                let row = [file.clone(), finding.code.name().to_owned(), finding.property];
                *found.entry(row).or_default() += 1;
            }
        }
    }
    assert_eq!(found, reasons);
}

#[test]
#[ignore = "needs the metadata beside the project"]
fn each_change_of_metadata_is_found_where_it_is_and_nothing_else() {
    let mut complaints = Vec::new();
    for change in OF_METADATA {
        let before = rows(&read(&folder().join(change.file)));
        let mut found = rows(&change.made(&folder()));
        found.retain(|row| !before.contains(row));
        if found != change.finds {
            complaints.push(format!("{}: {found:#?}", change.name));
        }
    }
    assert!(complaints.is_empty(), "{} changes:\n{}", complaints.len(), complaints.join("\n"));
}
