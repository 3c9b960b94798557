//! The processor alone: frame and compaction of a flattened checkpoint are the checkpoint, order of
//! members left aside, wherever nothing stands in it that RDF does not have.

use crate::karenina::graphs::{checkpoints, parsed};
use evalgraph::json::{JsonDocument, JsonKind, TokenId, minified::write_minified};
use evalgraph::jsonld::{
    BuiltIn, CheckpointSampleContext, JsonLdLayout, JsonLdOptions, JsonLdProcessor, LoaderChain,
};
use std::collections::BTreeMap;

/// The fixtures that differ, each with what is hard in it.
const HARD: [(&str, &str); 15] = [
    ("g-ascii.jsonld", "items and questions share ids, and so do ratings"),
    ("g-ecology.jsonld", "two ratings share an id"),
    ("g-in-array.jsonld", "as g-ascii, and in an array"),
    ("g-one-line.jsonld", "as g-ascii"),
    ("gui-dialect-of-v2-current.jsonld", "two ratings share an id"),
    ("gui-e2e-multi_question.jsonld", "schema.org's context has another key for @type"),
    ("p2-genomics.jsonld", "values that are objects, with arrays of one"),
    ("p2-hostile.jsonld", "nearly everything"),
    ("p2-scenario.jsonld", "a scenario"),
    ("p2-dialogue.jsonld", "a scenario, and an empty list of items"),
    ("s0-cell-biology.jsonld", "ratings share ids"),
    ("s0b-chemistry.jsonld", "ratings share ids"),
    ("seed-dialect-of-v2-seed-era.jsonld", "ratings share ids"),
    ("t-general-knowledge.jsonld", "schema.org's context has another key for @type"),
    ("x-neuroscience.jsonld", "items and questions share ids"),
];

/// JSON without the order of members, the template of a question not in an array: Karenina's
/// contexts say that it stands in one, and its programs want none.
#[derive(Debug, PartialEq)]
enum Json {
    Scalar(String),
    Array(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

fn json(document: &JsonDocument, value: TokenId) -> Json {
    match document.kind(value) {
        JsonKind::Array => Json::Array(document.items(value).map(|item| json(document, item)).collect()),
        JsonKind::Object => {
            let is_question =
                document.get(value, "@type").is_some_and(|class| document.raw(class) == "\"Question\"");
            let members = document.members(value).map(|member| {
                let key = document.symbol_text(member.symbol);
                let inner = match json(document, member.value) {
                    Json::Array(mut items) if is_question && key == "hasPart" && items.len() == 1 => {
                        items.remove(0)
                    }
                    inner => inner,
                };
                (key.to_owned(), inner)
            });
            Json::Object(members.collect())
        }
        _ => match document.string(value) {
            Some(text) => Json::Scalar(format!("{text:?}")),
            None => Json::Scalar(document.raw(value).to_owned()),
        },
    }
}

/// Where two values differ first.
fn difference(left: &Json, right: &Json, place: &str) -> Option<String> {
    match (left, right) {
        (Json::Object(left), Json::Object(right)) => {
            let keys = left.keys().chain(right.keys());
            keys.into_iter().find_map(|key| {
                let inner = format!("{place}/{key}");
                match (left.get(key), right.get(key)) {
                    (Some(left), Some(right)) => difference(left, right, &inner),
                    _ => Some(inner),
                }
            })
        }
        (Json::Array(left), Json::Array(right)) if left.len() == right.len() => {
            let pairs = left.iter().zip(right).enumerate();
            pairs
                .into_iter()
                .find_map(|(at, (left, right))| difference(left, right, &format!("{place}/{at}")))
        }
        _ => (left != right).then(|| place.to_owned()),
    }
}

#[test]
fn frame_and_compaction_of_a_flattened_checkpoint_are_the_checkpoint() {
    let loader = LoaderChain::default().and(&BuiltIn).and(&CheckpointSampleContext);
    let options =
        JsonLdOptions { context_base: Some("file:///somewhere/".to_owned()), ..JsonLdOptions::default() };
    let mut wrong = Vec::new();
    let mut equal = 0;
    for path in checkpoints() {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let document = parsed(&name, &text);
        let mut processor = JsonLdProcessor::new(options.clone(), &loader);
        let flattened =
            processor.flatten(&document, None).expect("it is JSON-LD").to_json(JsonLdLayout::Compact);
        let root = document.root();
        let member = |key: &str| {
            let mut json = String::new();
            let value = document.get(root, key)?;
            write_minified(&document, value, &mut json);
            Some(format!("\"{key}\":{json}"))
        };
        let frame: Vec<String> = ["@context", "@type"].into_iter().filter_map(member).collect();
        let frame = parsed("frame", &format!("{{{}}}", frame.join(",")));
        let flattened = parsed("flattened", &flattened);
        let framed = processor.frame(&flattened, &frame).expect("it can be framed");
        let framed = parsed("framed", &framed.to_json(JsonLdLayout::Compact));
        let found = difference(&json(&document, root), &json(&framed, framed.root()), "");
        let is_hard = HARD.iter().any(|(hard, _)| *hard == name);
        match found {
            None if is_hard => wrong.push(format!("{name} is listed, and comes back")),
            None => equal += 1,
            Some(_) if is_hard => {}
            Some(place) => wrong.push(format!("{name} differs at {place}")),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(equal >= 8, "{equal} fixtures come back");
}
