//! Random documents of JSON-LD: each means the same on every way to its quads, and is processed as by jsonld.js and
//! PyLD where `EVALGRAPH_ENGINES` has them.

use crate::answers::shown;
use crate::generated::smaller::made_small;
use crate::generated::{json_ld, numbers};
use crate::jsonld::collecting_sink::CollectingSink;
use crate::jsonld::oracle_differences::with_canonical_doubles;
use crate::jsonld::peers::differ as differ_at;
use crate::random::engines::{Answer, Engine};
use crate::random::work::{NOT_COUNTED, Work};
use crate::rdf::isomorphism::{Quad, isomorphic, try_read_n_quads};
use evalgraph::json::{self, JsonDocument, Limits};
use evalgraph::jsonld::{
    DocumentLoader, JsonLdLayout, JsonLdOptions, JsonLdProcessor, LoadDocumentOptions, LoadError, NoLoader,
    RemoteDocument,
};
use evalgraph::rdf::{QuadBuffer, RdfFormat, ReadOptions};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

#[test]
fn random_documents_are_processed_as_by_other_processors() {
    let work = Work {
        subject: "json-ld",
        few: 1_000,
        case: json_ld::case,
        ours,
        theirs,
        unlike: differ,
        shown: asked,
    };
    work.run(Engine::of_json_ld());
}

#[test]
fn random_documents_mean_the_same_on_every_way_to_their_quads() {
    for number in numbers(600) {
        let case = json_ld::case(number);
        let is_whole = case["operation"] == "expand" || case["operation"] == "to-rdf";
        if is_whole && let Some(difference) = of_ways(&case) {
            let small = made_small(case, |case| of_ways(case).is_some());
            panic!("json-ld {number}: {difference}\n{small}");
        }
    }
}

/// How the quads of an expanded or flattened document differ from those of the document.
fn of_ways(case: &Value) -> Option<String> {
    let by = |operation: &str, document: &Value| {
        let mut case = case.clone();
        // What is still relative after expansion was to stay so.
        if document != &case["document"] {
            case["options"]["base"] = Value::Null;
        }
        case["operation"] = operation.into();
        case["document"] = document.clone();
        ours(&case)
    };
    let Answer::Quads(quads) = by("to-rdf", &case["document"]) else { return None };
    ["expand", "flatten"].into_iter().find_map(|way| {
        let other = match by(way, &case["document"]) {
            Answer::Json(mut document) => {
                free_nodes_of_lists(&mut document);
                by("to-rdf", &document)
            }
            answer => answer,
        };
        let is_same = matches!(&other, Answer::Quads(others) if isomorphic(&quads, others));
        // Two indexes of one node are an error of the node map.
        let is_error = matches!(&other, Answer::None(reason) if reason == NOT_COUNTED);
        (!is_same && !is_error).then(|| {
            format!("by {way}:\n{}\nat once:\n{}", shown(&other), shown(&Answer::Quads(quads.clone())))
        })
    })
}

/// Puts the nodes of a list that nothing points to beside it. In a graph that a container made it is kept, and dropped with
/// its nodes where the expanded form is expanded again (Expansion 19.1).
fn free_nodes_of_lists(value: &mut Value) {
    fn nodes(element: &Value) -> Vec<Value> {
        match element.get("@list").and_then(Value::as_array) {
            Some(items) => items.iter().flat_map(nodes).collect(),
            None => vec![element.clone()],
        }
    }
    match value {
        Value::Array(items) => items.iter_mut().for_each(free_nodes_of_lists),
        Value::Object(members) => {
            if let Some(Value::Array(elements)) = members.get_mut("@graph") {
                *elements = elements.iter().flat_map(nodes).collect();
            }
            members.values_mut().for_each(free_nodes_of_lists);
        }
        _ => {}
    }
}

/// The case without the contexts that lie elsewhere, which are always the same.
fn asked(case: &Value) -> String {
    let part = |name: &str| format!("{name} {}", case[name]);
    ["operation", "document", "context", "options"].map(part).join("\n")
}

fn theirs(engine: &mut Engine, case: &Value) -> Answer {
    match engine.processed(case) {
        Answer::Json(Value::String(text)) => try_read_n_quads(&text)
            .map_or_else(Answer::None, |quads| Answer::Quads(with_canonical_doubles(&quads))),
        answer => answer,
    }
}

/// The contexts of a case.
struct Remote<'c>(&'c Value);

impl DocumentLoader for Remote<'_> {
    fn load(&self, url: &str, _options: &LoadDocumentOptions) -> Result<RemoteDocument, LoadError> {
        let context = self.0.get(url).ok_or(LoadError::Unknown)?;
        Ok(RemoteDocument::new(url, parsed(&context.to_string())))
    }
}

fn parsed(text: &str) -> Arc<JsonDocument> {
    Arc::new(json::parse("generated", text.to_owned(), Limits::default()).expect("it is JSON"))
}

fn ours(case: &Value) -> Answer {
    let (Some(operation), Some(document)) = (case["operation"].as_str(), case.get("document")) else {
        return Answer::None(NOT_COUNTED.to_owned());
    };
    let is_whole = |part: &str| case[part].is_object();
    let has_base = case["options"].get("base").is_some() || ["frame", "from-rdf"].contains(&operation);
    let is_document = document.is_object() || document.is_array() || operation == "from-rdf";
    if !is_whole("remote") || !is_whole("options") || !has_base || !is_document {
        return Answer::None(NOT_COUNTED.to_owned());
    }
    let option = |name: &str| case["options"][name].as_bool();
    let options = JsonLdOptions {
        base: case["options"]["base"].as_str().map(str::to_owned),
        ordered: true,
        compact_arrays: option("compactArrays").unwrap_or(true),
        use_native_types: option("useNativeTypes").unwrap_or(false),
        use_rdf_type: option("useRdfType").unwrap_or(false),
        ..JsonLdOptions::default()
    };
    let remote = Remote(&case["remote"]);
    let mut processor = JsonLdProcessor::new(options, &remote);
    let json = |text: String| Answer::Json(serde_json::from_str(&text).expect("it is JSON"));
    let error =
        |error: Box<evalgraph::jsonld::JsonLdError>| Answer::Json(json!({"error": error.to_string()}));
    if operation == "from-rdf" {
        let Some(Ok(quads)) = document.as_str().map(read) else {
            return Answer::None(NOT_COUNTED.to_owned());
        };
        let mut text = Vec::new();
        return match processor.from_rdf(&quads, JsonLdLayout::Compact, &mut text) {
            Ok(()) => json(String::from_utf8(text).expect("JSON is UTF-8")),
            Err(fault) => Answer::Json(json!({"error": fault.to_string()})),
        };
    }
    let (document, context) = (parsed(&document.to_string()), parsed(&case["context"].to_string()));
    match operation {
        "expand" => processor
            .expand(&document)
            .map_or_else(error, |expanded| json(expanded.to_json(JsonLdLayout::Compact))),
        "compact" => processor
            .compact(&document, &context)
            .map_or_else(error, |compacted| json(compacted.to_json(JsonLdLayout::Compact))),
        "flatten" => processor
            .flatten(&document, None)
            .map_or_else(error, |flat| json(flat.to_json(JsonLdLayout::Compact))),
        "frame" => processor
            .frame(&document, &context)
            .map_or_else(error, |framed| json(framed.to_json(JsonLdLayout::Compact))),
        "to-rdf" => {
            let mut sink = CollectingSink::default();
            let done = processor.to_rdf(&document, &mut sink).map(|_| ());
            done.map_or_else(error, |()| Answer::Quads(sink.quads()))
        }
        _ => Answer::None(NOT_COUNTED.to_owned()),
    }
}

/// The quads of a document that needs no context.
fn quads_of(document: &Value) -> BTreeSet<Quad> {
    let mut sink = CollectingSink::default();
    let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader);
    match processor.to_rdf(&parsed(&document.to_string()), &mut sink) {
        Ok(_) => sink.quads(),
        Err(_) => BTreeSet::new(),
    }
}

/// Values as they are compared. API, 5.3: processors may normalize language tags to lower case; `xsd:string` is
/// the datatype of a text without one.
fn normal(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(normal).collect(),
        Value::Object(members) => {
            let is_plain =
                members.get("@type").is_some_and(|kind| kind == "http://www.w3.org/2001/XMLSchema#string");
            let kept = members.iter().filter(|(key, _)| !(is_plain && *key == "@type"));
            let member = |(key, value): (&String, &Value)| match value {
                Value::String(tag) if key == "@language" => (key.clone(), tag.to_ascii_lowercase().into()),
                value => (key.clone(), normal(value)),
            };
            Value::Object(kept.map(member).collect())
        }
        value => value.clone(),
    }
}

fn read(text: &str) -> Result<QuadBuffer, String> {
    let mut quads = QuadBuffer::new();
    let options = ReadOptions { format: RdfFormat::NQuads, base: None };
    evalgraph::rdf::read("data.nq", text.as_bytes(), options, &mut quads)
        .map_err(|error| format!("{error:?}"))?;
    Ok(quads)
}

fn differ(case: &Value, ours: &Answer, theirs: &Answer) -> Option<String> {
    let is_error = |answer: &Answer| matches!(answer, Answer::Json(value) if value.get("error").is_some());
    if is_error(ours) && is_error(theirs) {
        return None;
    }
    let kind = match (is_error(ours), is_error(theirs)) {
        (true, _) => "only we refuse",
        (_, true) => "only they refuse",
        _ => "values differ",
    };
    let said = || Some(format!("{kind}\nours:\n{}\ntheirs:\n{}", shown(ours), shown(theirs)));
    match (ours, theirs) {
        (Answer::Json(ours), Answer::Json(theirs)) => {
            // Flattening is of a document whose keys are in no order, and so are labels and values.
            if case["operation"] == "flatten" && isomorphic(&quads_of(ours), &quads_of(theirs)) {
                return None;
            }
            let mut found = Vec::new();
            differ_at("", &normal(ours), &normal(theirs), &mut found);
            if found.is_empty() { None } else { said() }
        }
        (Answer::Quads(ours), Answer::Quads(theirs)) if isomorphic(ours, theirs) => None,
        _ => said(),
    }
}
