//! What is compacted is read back: `expand(compact(expand(x), context))` is `expand(x)`.

use crate::conformance::json::equal_as_bags;
use crate::generated::choices::Choices;
use crate::generated::compaction::{BASE, Case, case};
use evalgraph::json::{self, JsonDocument, Limits};
use evalgraph::jsonld::{JsonLdLayout, JsonLdOptions, JsonLdProcessor, NoLoader};
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestError, TestRunner};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::Arc;

/// How many cases are drawn: a few hundred, or as many as `EVALGRAPH_ROUND_TRIPS` says.
fn cases() -> u32 {
    std::env::var("EVALGRAPH_ROUND_TRIPS").ok().and_then(|number| number.parse().ok()).unwrap_or(400)
}

#[test]
fn compacted_documents_are_read_back() {
    let counts = RefCell::new(BTreeMap::from(FEATURES.map(|feature| (feature, 0_usize))));
    let mut runner = TestRunner::new(crate::generated::cases(cases()));
    let outcome = runner.run(&proptest::collection::vec(any::<u16>(), 150..600), |drawn| {
        let case = case(&mut Choices::new(&drawn));
        let compacted = round_trip(&case).map_err(TestCaseError::fail)?;
        for feature in features(&compacted) {
            *counts.borrow_mut().entry(feature).or_default() += 1;
        }
        Ok(())
    });
    if let Err(TestError::Fail(reason, drawn)) = outcome {
        let Case { document, context, compact_arrays, .. } = case(&mut Choices::new(&drawn));
        panic!("{reason}\ndocument {document}\ncontext {context}\ncompact arrays: {compact_arrays}");
    }
    let counts = counts.into_inner();
    let _ = writeln!(std::io::stderr(), "round trips with: {counts:?}");
    let missing: Vec<_> = counts.iter().filter(|(_, count)| **count == 0).collect();
    assert!(missing.is_empty(), "never drawn: {missing:?}");
}

fn parse(text: &str) -> Arc<JsonDocument> {
    Arc::new(json::parse("generated", text.to_owned(), Limits::default()).expect("it is JSON"))
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}

/// The compacted document, or how it is read back otherwise than it was.
fn round_trip(case: &Case) -> Result<Value, String> {
    let options = JsonLdOptions {
        base: Some(BASE.to_owned()),
        compact_arrays: case.compact_arrays,
        ordered: case.ordered,
        ..JsonLdOptions::default()
    };
    let mut processor = JsonLdProcessor::new(options, &NoLoader);
    let (document, context) = (parse(&case.document), parse(&case.context));
    let expanded =
        processor.expand(&document).map_err(|error| error.to_string())?.to_json(JsonLdLayout::Compact);
    let compacted = processor.compact(&document, &context).map_err(|error| error.to_string())?;
    if !compacted.warnings.is_empty() {
        return Err(format!("warnings: {:?}", compacted.warnings));
    }
    let (text, indented) =
        (compacted.to_json(JsonLdLayout::Compact), compacted.to_json(JsonLdLayout::Indented));
    let mut streamed = Vec::new();
    compacted.write_to(JsonLdLayout::Indented, &mut streamed).map_err(|error| error.to_string())?;
    if streamed != indented.as_bytes() || value(&text) != value(&indented) {
        return Err(format!("the layouts differ: {text}"));
    }
    let again = processor
        .expand(&parse(&text))
        .map_err(|error| format!("{error}: {text}"))?
        .to_json(JsonLdLayout::Compact);
    if equal_as_bags(&in_lower_case(value(&expanded)), &in_lower_case(value(&again))) {
        Ok(value(&text))
    } else {
        Err(format!("read back as\n{again}\nwhat was\n{expanded}\ncompacted to\n{text}"))
    }
}

/// An expanded document with its languages in lower case.
fn in_lower_case(expanded: Value) -> Value {
    match expanded {
        Value::Array(items) => items.into_iter().map(in_lower_case).collect(),
        Value::Object(members) => members
            .into_iter()
            .map(|(key, value)| match value {
                Value::String(language) if key == "@language" => (key, language.to_lowercase().into()),
                value => (key, in_lower_case(value)),
            })
            .collect(),
        scalar => scalar,
    }
}

/// What has to occur, as [`features`] calls it.
const FEATURES: [&str; 20] = [
    "byId",
    "byIndex",
    "byKey",
    "byLanguage",
    "byType",
    "direction",
    "graph",
    "graph by id",
    "graph by index",
    "included",
    "json",
    "list container",
    "list of lists",
    "nest",
    "relative IRI",
    "reverse term",
    "@reverse",
    "property-scoped",
    "type-scoped",
    "not propagated",
];

/// Which features a compacted document uses.
fn features(compacted: &Value) -> Vec<&'static str> {
    let mut found = Vec::new();
    let Value::Object(members) = compacted else { return found };
    for (key, value) in members.iter().filter(|(key, _)| *key != "@context") {
        walk(Some(key), value, &mut found);
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn walk(key: Option<&str>, value: &Value, found: &mut Vec<&'static str>) {
    found.extend(key.and_then(|key| by_key(key, value)));
    match value {
        Value::Object(members) => members.iter().for_each(|(key, value)| walk(Some(key), value, found)),
        Value::Array(items) => items.iter().for_each(|item| walk(None, item, found)),
        _ => {}
    }
}

fn by_key(key: &str, value: &Value) -> Option<&'static str> {
    Some(match key {
        "@id" | "id" => match value.as_str() {
            Some(id) if !id.contains(':') => "relative IRI",
            _ => return None,
        },
        "@direction" | "dir" | "plainRtl" | "plainFrenchLtr" => "direction",
        "@included" | "also" => "included",
        "@nest" | "inside" => "nest",
        "@reverse" | "back" => "@reverse",
        "up" | "upSet" | "upIndexed" => "reverse term",
        "graph" => "graph",
        "graphid" => "graph by id",
        "graphindex" => "graph by index",
        "list" | "listOfDates" | "listOfReferences" | "listInFrench" => match value {
            Value::Array(items) if items.iter().any(Value::is_array) => "list of lists",
            _ => "list container",
        },
        "own" => "property-scoped",
        "Scoped" => "type-scoped",
        "@type" | "type" if value.to_string().contains("\"Scoped\"") => "type-scoped",
        "unpropagated" => "not propagated",
        key => return FEATURES.into_iter().find(|feature| *feature == key),
    })
}
