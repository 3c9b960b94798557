//! The forms in JSON-LD are what the Compaction Algorithm makes under their contexts, but for the
//! unwrapping; long lists, which are written in parts, as short ones.

use crate::karenina::conversions::{checkpoints, options, parsed};
use evalgraph::json::{JsonDocument, TokenId, minified::write_minified, write_string};
use evalgraph::jsonld::{BuiltIn, JsonLdLayout, JsonLdOptions, JsonLdProcessor, NoLoader};
use evalgraph::source::checkpoint::model::Checkpoint;
use evalgraph::source::checkpoint::writer::{CheckpointForm, write};
use evalgraph::source::rewriting::{JsonStyle, StyledJson};
use serde_json::Value;
use std::sync::Arc;

const JSON_LD: [CheckpointForm; 3] =
    [CheckpointForm::Library, CheckpointForm::Specification, CheckpointForm::Interface];

fn written(document: &JsonDocument, form: CheckpointForm) -> String {
    let checkpoint = Checkpoint::read(document).expect("it is a checkpoint").checkpoint;
    write(&checkpoint, form, &options()).map(|written| written.text).unwrap_or_default()
}

/// What the unwrapping undoes: a template in an array, literals of JSON as value objects. `None` for
/// the rest.
fn wrapped(document: &JsonDocument, form: CheckpointForm, value: TokenId, key: &str, out: &mut String) {
    let is_literal = key == "value" || key.starts_with("deep_judgment_");
    if is_literal && (document.is_array(value) || document.is_object(value)) {
        out.push_str("{\"@type\":\"@json\",\"@value\":");
        write_minified(document, value, out);
        out.push('}');
    } else if document.is_object(value) {
        // The context of the user interface has no array for it.
        let is_template = key == "hasPart" && form != CheckpointForm::Interface;
        out.push_str(if is_template { "[{" } else { "{" });
        for (at, member) in document.members(value).enumerate() {
            let key = document.symbol_text(member.symbol);
            out.push_str(if at > 0 { "," } else { "" });
            write_string(key, out);
            out.push(':');
            match key {
                "@context" => write_minified(document, member.value, out),
                _ => wrapped(document, form, member.value, key, out),
            }
        }
        out.push_str(if is_template { "}]" } else { "}" });
    } else if document.is_array(value) {
        out.push('[');
        for (at, item) in document.items(value).enumerate() {
            out.push_str(if at > 0 { "," } else { "" });
            wrapped(document, form, item, "", out);
        }
        out.push(']');
    } else {
        out.push_str(document.raw(value));
    }
}

/// A document expanded and compacted again.
fn compacted_again(text: &str, form: CheckpointForm) -> Value {
    let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader);
    let document = Arc::new(parsed("written", text.to_owned()));
    let expanded = processor.expand(&document).expect("it is JSON-LD").to_json(JsonLdLayout::Compact);
    let expanded = Arc::new(parsed("expanded", expanded));
    let context = BuiltIn::named(form.name()).expect("it has a context");
    let compacted = processor.compact(&expanded, &context).expect("it is compacted");
    serde_json::from_str(&compacted.to_json(JsonLdLayout::Compact)).expect("it is JSON")
}

/// The first difference of two values.
fn difference(one: &Value, other: &Value) -> Option<String> {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) if one.keys().all(|key| other.contains_key(key)) => {
            other.iter().find_map(|(key, other)| difference(one.get(key).unwrap_or(&Value::Null), other))
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            one.iter().zip(other).find_map(|(one, other)| difference(one, other))
        }
        _ => (one != other).then(|| format!("{one} and not {other}")),
    }
}

#[test]
fn what_is_written_is_what_compaction_makes_but_for_the_unwrapping() {
    for (name, document) in checkpoints() {
        for form in JSON_LD {
            let text = written(&document, form);
            // Scenarios stay JSON, in a list of what may be nodes.
            let has_items = !Checkpoint::read(&document).expect("it is read").checkpoint.items.is_empty();
            if text.is_empty() || !has_items {
                continue;
            }
            let document = parsed("written", text);
            let mut text = String::new();
            wrapped(&document, form, document.root(), "", &mut text);
            let own: Value = serde_json::from_str(&text).expect("it is JSON");
            if let Some(difference) = difference(&own, &compacted_again(&text, form)) {
                panic!("{name} as {form}: {difference}");
            }
        }
    }
}

#[test]
fn a_long_list_is_written_as_a_short_one() {
    let item = |number: usize| {
        format!(
            r#"{{"@type":"DataFeedItem","@id":"urn:x:{number}","dateCreated":"2026-01-01T00:00:00","dateModified":"2026-01-01T00:00:00","item":{{"@type":"Question","text":"What is {number}?","acceptedAnswer":{{"@type":"Answer","text":"It"}},"keywords":["{number}"]}}}}"#
        )
    };
    let checkpoint = |numbers: &[usize]| {
        let items: Vec<String> = numbers.iter().map(|&number| item(number)).collect();
        let text = format!(
            r#"{{"@context":{{"@vocab":"https://schema.org/"}},"@type":"DataFeed","@id":"urn:x","name":"n","version":"1","dateCreated":"2026-01-01T00:00:00","dateModified":"2026-01-01T00:00:00","dataFeedElement":[{}]}}"#,
            items.join(",")
        );
        parsed("made", text)
    };
    for form in JSON_LD {
        let all = parsed("written", written(&checkpoint(&(0..777).collect::<Vec<_>>()), form));
        let mut laid_out = StyledJson::new(JsonStyle::default());
        laid_out.json(&all, all.root());
        assert_eq!(laid_out.finish(), all.text(), "{form}");
        let list = |document: &JsonDocument| {
            let keys = ["dataFeedElement", "hasPart"];
            let list = keys.into_iter().find_map(|key| document.get(document.root(), key));
            let list = list.expect("it has a list");
            document.items(list).map(|item| document.raw(item).to_owned()).collect::<Vec<String>>()
        };
        let items = list(&all);
        assert_eq!(items.len(), 777);
        for number in [0, 249, 250, 500, 776] {
            let one = parsed("written", written(&checkpoint(&[number]), form));
            assert_eq!(list(&one), items[number..=number], "{form}");
        }
    }
}
