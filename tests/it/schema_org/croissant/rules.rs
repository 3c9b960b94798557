//! The rules, each by one change to a document that is right.

use super::changes::{Change, OF_FIXTURES, read};
use super::rows;
use evalgraph::schema_org::CheckRule;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/croissant")
}

/// Checks what is found after a change against what is expected.
pub(crate) fn complaint(change: &Change, folder: &Path) -> Option<String> {
    let found = rows(&change.made(folder));
    (found != change.finds).then(|| format!("{}: {found:#?}", change.name))
}

#[test]
fn documents_that_are_right_have_no_findings() {
    for name in ["owls-1.1.json", "tides-1.0.json"] {
        let found = rows(&read(&folder().join(name)));
        assert!(found.is_empty(), "{name}: {found:#?}");
    }
}

#[test]
fn each_change_is_found_where_it_is_and_nothing_else() {
    let complaints: Vec<String> =
        OF_FIXTURES.iter().filter_map(|change| complaint(change, &folder())).collect();
    assert!(complaints.is_empty(), "{} changes:\n{}", complaints.len(), complaints.join("\n"));
}

/// Croissant Tasks share the namespace, and are checked by shapes of their own.
#[test]
fn tasks_are_left_alone() {
    let task = serde_json::json!({
        "@context": {"cr": "http://mlcommons.org/croissant/", "schema": "https://schema.org/"},
        "@type": "cr:TaskProblem",
        "@id": "urn:task",
        "cr:input": {"@type": "schema:Dataset", "@id": "urn:questions"},
        "cr:output": {
            "@type": "cr:OutputSpec",
            "@id": "urn:output",
            "cr:schema": {"@type": "cr:RecordSet", "@id": "urn:schema"}
        }
    });
    assert!(rows(&task).is_empty(), "{:#?}", rows(&task));
    let mut dataset = read(&folder().join("owls-1.1.json"));
    dataset["cr:evaluation"] = task;
    assert!(rows(&dataset).is_empty(), "{:#?}", rows(&dataset));
}

#[test]
fn each_rule_has_a_change_that_breaks_it() {
    for code in CheckRule::all().filter(|code| code.is_of_croissant()) {
        let is_broken = OF_FIXTURES
            .iter()
            .flat_map(|change| change.finds)
            .any(|find| find.split(' ').next() == Some(code.name()));
        assert!(is_broken, "no change breaks `{}`", code.name());
    }
}
