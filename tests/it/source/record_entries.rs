//! Maps, other members and computed values of tables: what they are in the graph, and that the file comes back from the
//! graph alone.

use crate::karenina::fixtures::path;
use evalgraph::json::{JsonDocument, Limits, parse, parse_lines};
use evalgraph::jsonld::{JsonLdOptions, JsonLdProcessor, LoadMode, NoLoader};
use evalgraph::rdf::{QuadBuffer, QuadSink, RdfFormat, write};
use evalgraph::source::records::{
    CompositionFindings, ComputedValue, FileShape, MemberForm, ObjectIdentity, RecordMember, RecordPlacement,
    RecordShape, compose, decompose, member,
};
use evalgraph::source::registry::recognise;
use evalgraph::source::rewriting::IndexedGraph;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const SCORE: RecordShape = RecordShape {
    name: "score",
    node: "Rating+eg:Score",
    identity: ObjectIdentity::Inner,
    members: &[
        member("", "reviewAspect", MemberForm::EntryKey),
        member("value", "ratingValue", MemberForm::Alone(&MemberForm::Value)),
        member("why", "ratingExplanation", MemberForm::Value),
        member(
            "",
            "eg:of",
            MemberForm::Computed(|at| ComputedValue::scalar(at.document, at.document.get(at.outer?, "id")?)),
        ),
    ],
};

const OTHER: RecordShape = RecordShape {
    name: "other",
    node: "PropertyValue+eg:Other",
    identity: ObjectIdentity::Inner,
    members: &[
        member("", "name", MemberForm::EntryKey),
        member("", "value", MemberForm::Alone(&MemberForm::Any)),
    ],
};

const MEMBERS: &[RecordMember] = &[
    member("id", "identifier", MemberForm::Value),
    member("set", "eg:set", MemberForm::Value),
    member("ask", "eg:about:Question@question(set,id)/text", MemberForm::Value),
    member("scores", "reviewRating", MemberForm::Entries(&SCORE)),
    member("", "additionalProperty", MemberForm::OtherMembers(|_, _, key| key.starts_with("m_"), &OTHER)),
    member(
        "id",
        "eg:isFirst",
        MemberForm::Computed(|at| ComputedValue::truth(at.document.raw(at.value) == "1", at.value)),
    ),
    member("", "eg:file", MemberForm::OfFile(|file| ComputedValue::text(&**file.name(), file.root()))),
];

const ROW: RecordShape = RecordShape {
    name: "row",
    node: "Review+cr:EvaluationResult+eg:Row",
    identity: ObjectIdentity::Record { kind: "row", key: "id" },
    members: MEMBERS,
};

const ROOT: RecordShape =
    RecordShape { name: "file", node: "Dataset+eg:File", identity: ObjectIdentity::Blank, members: &[] };

const FILE: FileShape = FileShape { root: &ROOT, records: RecordPlacement::Items("hasPart", &ROW) };

fn graph_of(file: &JsonDocument, shape: &FileShape) -> (QuadBuffer, CompositionFindings) {
    let (composed, account) = compose(file, shape, "urn:evalgraph:toy:set:").expect("it is short");
    let mode = LoadMode { json_values: composed.json_values, ..LoadMode::default() };
    let mut quads = QuadBuffer::new();
    let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader).with_load_mode(mode);
    let conversion = processor.to_rdf(&composed.document, &mut quads).expect("it is JSON-LD");
    assert_eq!(conversion.warnings.len(), 0, "{:?}", conversion.warnings);
    (quads, account)
}

/// The file that a graph becomes, and the number of statements that are not in it.
fn back(quads: &QuadBuffer, shape: &FileShape) -> (Value, u64) {
    let graph = IndexedGraph::new(quads, None);
    let root = quads.find_iri("urn:evalgraph:toy:set").expect("the root has an IRI");
    let file = decompose(&graph, root, shape);
    let unread = file.unread.iter().map(|unread| unread.count).sum();
    (serde_json::from_str(&file.json).expect("it is JSON"), unread)
}

fn parsed(text: &str) -> JsonDocument {
    parse("rows.json", text.to_owned(), Limits::default()).expect("it is JSON")
}

#[test]
fn entries_and_other_members_are_nodes_and_come_back() {
    let rows = json!([
        {"id": 1, "set": "a/b", "ask": "Why?", "scores": {"match": {"value": 1, "why": "equal"}, "a b": 0.5},
         "m_list": [1, "x"], "m_object": {"k": null}, "m_text": "t", "m_truth": true},
        {"id": 2, "ask": "When?", "scores": {"match": 0}},
    ]);
    let (quads, account) = graph_of(&parsed(&rows.to_string()), &FILE);
    assert_eq!((account.unknown.len(), account.misplaced.len()), (0, 0), "{account:?}");
    assert_eq!(back(&quads, &FILE), (rows, 0));
    let mut text = Vec::new();
    write(&quads, RdfFormat::NTriples, &mut text).expect("memory takes it");
    let text = String::from_utf8(text).expect("it is UTF-8");
    let has = |triple: &str| assert!(text.contains(triple), "{triple}\n{text}");
    has("<urn:evalgraph:toy:set:row/1/scores/a%20b> <http://schema.org/reviewAspect> \"a b\"");
    has("<urn:evalgraph:toy:set:row/1/scores/match> <urn:evalgraph:vocab:of> \"1\"^^");
    has("<urn:evalgraph:toy:set:row/1/m_list> <http://schema.org/value> \"[1,\\\"x\\\"]\"^^");
    has("<urn:evalgraph:toy:set:question/a%2Fb/1> <http://schema.org/text> \"Why?\"");
    has("<urn:evalgraph:toy:set:question/2> <http://schema.org/text> \"When?\"");
    has("> <urn:evalgraph:vocab:isFirst> \"false\"^^<http://www.w3.org/2001/XMLSchema#boolean>");
    has("> <urn:evalgraph:vocab:file> \"rows.json\"");
    has("#type> <http://mlcommons.org/croissant/EvaluationResult>");
}

#[test]
fn values_in_wrong_places_are_reported() {
    let text = r#"[{"id": 1, "": 7, "other": 1, "scores": 5, "m_null": null},
        {"id": 2, "scores": {"a": [1], "b": null}}, {"id": 3, "scores": {}}]"#;
    let (quads, account) = graph_of(&parsed(text), &FILE);
    let unknown: Vec<&str> = account.unknown.keys().map(String::as_str).collect();
    assert_eq!(unknown, ["", "other"]);
    assert_eq!(account.misplaced.len(), 2, "{:?}", account.misplaced);
    let expected = json!([{"id": 1, "scores": 5}, {"id": 2}, {"id": 3}]);
    assert_eq!(back(&quads, &FILE), (expected, 0));
}

/// Of two entries with one key the first is written. An entry without a key, or with one of another member, is not.
#[test]
fn entries_that_have_no_place_stay_unread() {
    let (mut quads, _) = graph_of(&parsed(r#"[{"id": 1, "scores": {"a": 1}, "m_x": 2}]"#), &FILE);
    let names = [
        "http://schema.org/reviewAspect",
        "http://schema.org/name",
        "http://schema.org/reviewRating",
        "http://schema.org/additionalProperty",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
    ];
    let [aspect, name, rating, property, rdf_type] = names.map(|iri| quads.iri(iri));
    let [row, score, other] =
        ["urn:evalgraph:toy:set:row/1", "urn:evalgraph:vocab:Score", "urn:evalgraph:vocab:Other"]
            .map(|iri| quads.iri(iri));
    let added = [
        ("urn:x:again", rating, score, Some((aspect, "a"))),
        ("urn:x:nameless", rating, score, None),
        ("urn:x:id", property, other, Some((name, "id"))),
    ];
    for (node, link, class, key) in added {
        let node = quads.iri(node);
        quads.quad(row, link, node, None);
        quads.quad(node, rdf_type, class, None);
        if let Some((key, text)) = key {
            let text = quads.string(text);
            quads.quad(node, key, text, None);
        }
    }
    let (file, unread) = back(&quads, &FILE);
    assert_eq!(file, json!([{"id": 1, "scores": {"a": 1}, "m_x": 2}]));
    assert_eq!(unread, 5);
}

/// A value without null, empty lists and empty objects, which a graph does not have. Values of a list are in any order,
/// and a number may be spelled as a string.
fn bare(value: &Value) -> Value {
    let is_empty = |value: &Value| match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    match value {
        Value::Array(items) => {
            let items = items.iter().map(bare).filter(|item| !is_empty(item));
            let sorted: BTreeMap<String, Value> = items.map(|item| (item.to_string(), item)).collect();
            sorted.into_values().collect()
        }
        Value::Object(members) => {
            let members = members.iter().map(|(key, value)| (key.clone(), bare(value)));
            let sorted: BTreeMap<String, Value> = members.filter(|(_, value)| !is_empty(value)).collect();
            Value::Object(sorted.into_iter().collect())
        }
        Value::Number(number) => {
            json!(number.as_f64().map_or_else(|| number.to_string(), |float| float.to_string()))
        }
        Value::String(text) => {
            json!(text.parse::<f64>().map_or_else(|_| text.clone(), |float| float.to_string()))
        }
        other => other.clone(),
    }
}

#[test]
fn evaluation_runs_come_back_from_their_graphs_alone() {
    let files = [
        "every-eval-ever/boats_samples.jsonl",
        "every-eval-ever/one-sample.json",
        "every-eval-ever/run.json",
        "every-eval-ever/index.jsonl",
        "inspect/boats.json",
        "lm-eval/samples_boats_2026-03-01T09-00-00.123456.jsonl",
        "lm-eval/samples_boats-of-old.jsonl",
        "lm-eval/results_2026-03-01T09-00-00.123456.json",
        "helm/boats-port=brest,model=example_small/scenario_state.json",
        "helm/boats-port=brest,model=example_small/per_instance_stats.json",
        "helm/boats-port=brest,model=example_small/stats.json",
        "helm/boats-port=brest,model=example_small/run_spec.json",
        "helm/boats-port=brest,model=example_small/scenario.json",
    ];
    for name in files {
        let text = std::fs::read_to_string(path(name)).expect("the fixture is there");
        let (document, expected) = match name.ends_with(".jsonl") {
            true => {
                let rows = text.lines().map(|row| serde_json::from_str::<Value>(row).expect("it is JSON"));
                (parse_lines(name, text.clone(), Limits::default()), rows.collect())
            }
            false => {
                let value = serde_json::from_str(&text).expect("it is JSON");
                (parse(name, text.clone(), Limits::default()), value)
            }
        };
        let document = document.expect("it is JSON");
        let recognised = recognise(&document, None, None).expect("it is clear").expect("it is of a system");
        let (quads, account) = graph_of(&document, &recognised.shape);
        assert_eq!((account.unknown.len(), account.misplaced.len()), (0, 0), "{name}: {account:?}");
        let (mut file, unread) = back(&quads, &recognised.shape);
        for sample in file.as_array_mut().into_iter().flatten() {
            // The last text of several turns is the answer, like the output of a single one.
            if sample["interaction_type"] != "single_turn" && sample.get("messages").is_some() {
                sample.as_object_mut().expect("a sample is an object").remove("output");
            }
        }
        assert_eq!((bare(&file), unread), (bare(&expected), 0), "{name}");
    }
}
