//! The labelled documents of `../shared/schemaorg/cases`: every finding that is expected, and no other.

use crate::beside::shared;
use crate::schema_org::{CheckedText, Row};
use evalgraph::schema_org::{CheckOptions, Finding};
use serde_json::Value;
use std::collections::BTreeSet;

/// How many cases there are at least.
const RECORDED_CASES: usize = 63;

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

fn row(finding: &Finding) -> Row {
    [finding.code.name(), finding.level.name(), &finding.node, &finding.property].map(str::to_owned)
}

/// Holds the findings of a case against those that it expects; names and texts count where the case fixes them.
fn complaint(case: &Value) -> Option<String> {
    let options = CheckOptions { pending: case["options"]["pending"] == true, ..CheckOptions::default() };
    let found = CheckedText::new(&case["input"].to_string()).findings(&options);
    let expected = case["expect"].as_array().expect("a case expects findings");
    let wanted: BTreeSet<Row> =
        expected.iter().map(|one| ["code", "level", "node", "property"].map(|key| text(one, key))).collect();
    let rows: BTreeSet<Row> = found.iter().map(row).collect();
    let is_met = |one: &Value| {
        found.iter().any(|finding| {
            let has = |key: &str, has: &Option<String>| {
                one[key].as_str().is_none_or(|text| has.as_deref() == Some(text))
            };
            has("term", &finding.term)
                && has("suggest", &finding.suggest)
                && row(finding) == ["code", "level", "node", "property"].map(|key| text(one, key))
        })
    };
    let is_met = rows == wanted && expected.iter().all(is_met);
    (!is_met).then(|| format!("{}: {found:#?}\nexpected {expected:#?}", text(case, "id")))
}

#[test]
#[ignore = "needs the cases beside the project"]
fn each_case_has_the_findings_that_are_expected_and_no_other() {
    let (mut complaints, mut seen) = (Vec::new(), 0);
    for entry in std::fs::read_dir(shared("schemaorg/cases")).expect("the cases can be read") {
        let path = entry.expect("the folder can be read").path();
        let case = std::fs::read_to_string(&path).expect("a case can be read");
        let case: Value = serde_json::from_str(&case).expect("a case is JSON");
        complaints.extend(complaint(&case));
        seen += 1;
    }
    assert!(seen >= RECORDED_CASES, "{seen} cases are there");
    assert!(complaints.is_empty(), "{} of {seen}: {}", complaints.len(), complaints.join("\n"));
}
