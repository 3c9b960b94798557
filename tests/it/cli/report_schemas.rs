//! The structure of the formats that have a schema, as far as the program writes it: SARIF 2.1.0, and JUnit's XML as
//! Jenkins has it.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::cli::xml_tree::Element;

pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().expect("it is an array")
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().expect("it is a string")
}

/// Asserts that an object has the keys that it has to have, and no others than it may have.
pub(crate) fn hold_keys<'v>(value: &'v Value, required: &[&str], optional: &[&str]) -> &'v Value {
    let object = value.as_object().unwrap_or_else(|| panic!("{value} is not an object"));
    for key in required {
        assert!(object.contains_key(*key), "{value} has no `{key}`");
    }
    for key in object.keys() {
        assert!(required.contains(&key.as_str()) || optional.contains(&key.as_str()), "{value} has `{key}`");
    }
    value
}

/// Checks a report against the schema of SARIF 2.1.0: the objects that it has, their keys and the kinds of their values.
pub(crate) fn hold_sarif(log: &Value) {
    hold_keys(log, &["version", "runs"], &["$schema"]);
    assert_eq!(log["version"], "2.1.0");
    for run in list(&log["runs"]) {
        hold_keys(run, &["tool", "results"], &["invocations", "originalUriBaseIds", "columnKind"]);
        run.get("invocations").into_iter().flat_map(list).for_each(hold_invocation);
        assert_eq!(run["columnKind"], "unicodeCodePoints");
        let driver = hold_keys(
            &hold_keys(&run["tool"], &["driver"], &[])["driver"],
            &["name"],
            &["semanticVersion", "rules"],
        );
        let mut ids = BTreeSet::new();
        for rule in list(&driver["rules"]) {
            let optional = ["shortDescription", "fullDescription", "helpUri", "help", "defaultConfiguration"];
            hold_keys(rule, &["id"], &optional);
            assert!(ids.insert(text(&rule["id"])), "{rule} is there twice");
            for name in ["shortDescription", "fullDescription", "help"] {
                hold_message(&rule[name], &["markdown"]);
            }
            hold_level(&rule["defaultConfiguration"]["level"]);
        }
        let mut fingerprints = BTreeSet::new();
        for result in list(&run["results"]) {
            let optional = [
                "ruleId",
                "ruleIndex",
                "level",
                "locations",
                "relatedLocations",
                "partialFingerprints",
                "baselineState",
                "properties",
            ];
            hold_keys(result, &["message"], &optional);
            let index = result["ruleIndex"].as_u64().expect("a number") as usize;
            assert_eq!(driver["rules"][index]["id"], result["ruleId"]);
            hold_level(&result["level"]);
            hold_message(&result["message"], &[]);
            list(&result["locations"]).iter().for_each(hold_location);
            result.get("relatedLocations").into_iter().flat_map(list).for_each(hold_location);
            assert!(fingerprints.insert(text(&result["partialFingerprints"]["evalgraph/v1"])), "{result}");
        }
    }
}

fn hold_invocation(invocation: &Value) {
    hold_keys(invocation, &["executionSuccessful"], &["toolExecutionNotifications"]);
    for notification in list(&invocation["toolExecutionNotifications"]) {
        hold_keys(notification, &["message"], &["descriptor", "level", "locations"]);
        text(&hold_keys(&notification["descriptor"], &["id"], &[])["id"]);
        hold_level(&notification["level"]);
        hold_message(&notification["message"], &[]);
        list(&notification["locations"]).iter().for_each(hold_location);
    }
}

fn hold_level(level: &Value) {
    assert!(["none", "note", "warning", "error"].contains(&text(level)), "{level}");
}

fn hold_message(message: &Value, optional: &[&str]) {
    let message = text(&hold_keys(message, &["text"], optional)["text"]);
    // Neither placeholders nor links, for there are no arguments and no link of ours.
    let braces = message.replace("{{", "").replace("}}", "");
    assert!(!braces.contains(['{', '}']), "{message}");
    assert!(!message.contains("](") || message.contains("\\]("), "{message}");
}

fn hold_location(location: &Value) {
    hold_keys(location, &["physicalLocation"], &["logicalLocations", "message"]);
    let physical = hold_keys(&location["physicalLocation"], &["artifactLocation"], &["region"]);
    let artifact = hold_keys(&physical["artifactLocation"], &["uri"], &["uriBaseId"]);
    let uri = text(&artifact["uri"]);
    let is_plain = uri.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~/%:".contains(&byte));
    assert!(is_plain && !uri.split('/').any(|part| part == ".."), "{uri}");
    if let Some(region) = physical.get("region") {
        hold_keys(region, &["startLine", "startColumn"], &["endLine", "endColumn"]);
        assert!(region.as_object().expect("an object").values().all(|number| number.as_u64() > Some(0)));
    }
    for logical in location.get("logicalLocations").into_iter().flat_map(list) {
        text(&hold_keys(logical, &["fullyQualifiedName"], &[])["fullyQualifiedName"]);
    }
}

/// The attributes of an element of `junit-10.xsd` that have to be there, others that may, and its children.
fn junit_element(name: &str) -> [&'static [&'static str]; 3] {
    match name {
        "testsuites" => [&[], &["name", "time", "tests", "failures", "errors"], &["testsuite"]],
        "testsuite" => [
            &["name", "tests", "failures", "errors"],
            &["group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"],
            &["testsuite", "properties", "testcase", "system-out", "system-err"],
        ],
        "testcase" => [
            &["name"],
            &["time", "classname", "group"],
            &["skipped", "error", "failure", "system-out", "system-err"],
        ],
        "failure" | "error" | "skipped" => [&[], &["type", "message"], &[]],
        "system-out" | "system-err" => [&[], &[], &[]],
        other => panic!("the schema has no `{other}`"),
    }
}

/// Checks a report against the schema that Jenkins publishes, and its counts against what it has.
pub(crate) fn hold_junit(xml: &str) -> Element {
    let root = Element::read(xml);
    assert_eq!(root.name, "testsuites");
    hold_element(&root);
    for suite in &root.children {
        let count = |name: &str| {
            let has = |case: &&Element| case.children.iter().any(|child| child.name == name);
            suite.children.iter().filter(has).count().to_string()
        };
        assert_eq!(suite.attributes["tests"], suite.children.len().to_string());
        assert_eq!(suite.attributes["failures"], count("failure"));
        assert_eq!(suite.attributes["errors"], count("error"));
        assert_eq!(suite.attributes["skipped"], count("skipped"));
    }
    root
}

fn hold_element(element: &Element) {
    let [required, optional, children] = junit_element(&element.name);
    assert!(required.iter().all(|name| element.attributes.contains_key(*name)), "{element:?}");
    for name in element.attributes.keys().map(String::as_str) {
        assert!(required.contains(&name) || optional.contains(&name), "`{}` has `{name}`", element.name);
    }
    for child in &element.children {
        assert!(children.contains(&child.name.as_str()), "`{}` has `{}`", element.name, child.name);
        hold_element(child);
    }
    assert!(children.is_empty() || element.text.trim().is_empty(), "{element:?}");
}
