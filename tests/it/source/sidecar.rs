//! A file, its graph and its sidecar: what goes into the graph comes out as the file.

use crate::karenina::graphs::{checkpoints, kept, n_quads, parsed, read_n_quads, shuffled};
use evalgraph::json::{JsonDocument, JsonKind, TokenId};
use evalgraph::rdf::QuadBuffer;
use evalgraph::source::rewriting::{JsonStyle, StyledJson};
use evalgraph::source::sidecar::{DocumentSidecars, RestoredFile};

/// The file that the only dataset among quads becomes.
fn restored(quads: &QuadBuffer) -> RestoredFile {
    let datasets = DocumentSidecars::new(quads);
    let names: Vec<&str> = datasets.names().collect();
    assert_eq!(names.len(), 1, "{names:?}");
    datasets.restore(names[0]).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns whether one style lays the whole file out, as programs write files and people do not.
fn is_regular(name: &str, text: &str) -> bool {
    let document = parsed(name, text);
    let mut json = StyledJson::new(JsonStyle::from_document(&document));
    json.json(&document, document.root());
    json.finish() == text
}

fn same_json(left: &JsonDocument, right: &JsonDocument, at: (TokenId, TokenId)) -> Result<(), String> {
    let (one, other) = at;
    let place = || format!("{} is {} and not {}", left.pointer(one), right.raw(other), left.raw(one));
    match (left.kind(one), right.kind(other)) {
        (JsonKind::Object, JsonKind::Object) => {
            let (members, others): (Vec<_>, Vec<_>) =
                (left.members(one).collect(), right.members(other).collect());
            if members.len() != others.len() {
                return Err(place());
            }
            members.iter().zip(&others).try_for_each(|(member, other)| {
                if left.symbol_text(member.symbol) != right.symbol_text(other.symbol) {
                    return Err(place());
                }
                same_json(left, right, (member.value, other.value))
            })
        }
        (JsonKind::Array, JsonKind::Array) => {
            let (items, others): (Vec<_>, Vec<_>) = (left.items(one).collect(), right.items(other).collect());
            if items.len() != others.len() {
                return Err(place());
            }
            items.iter().zip(&others).try_for_each(|(&item, &other)| same_json(left, right, (item, other)))
        }
        (JsonKind::Number, JsonKind::Number) if left.raw(one) == right.raw(other) => Ok(()),
        (JsonKind::Number, _) => Err(place()),
        (one_kind, other_kind) => match (left.string(one), right.string(other)) {
            (Some(one), Some(other)) if one == other => Ok(()),
            (None, None) if one_kind == other_kind => Ok(()),
            _ => Err(place()),
        },
    }
}

fn assert_same_json(name: &str, text: &str, written: &str) {
    let (left, right) = (parsed(name, text), parsed("written", written));
    if let Err(difference) = same_json(&left, &right, (left.root(), right.root())) {
        panic!("{name}: {difference}\n{written}");
    }
}

#[test]
fn every_checkpoint_comes_back_from_shuffled_quads() {
    for path in checkpoints() {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let quads = kept(&name, &text);
        for seed in 0..3 {
            let shuffled = read_n_quads(&shuffled(&n_quads(&quads), seed));
            let restored = restored(&shuffled);
            assert!(restored.findings.is_empty(), "{name}: {:?}", restored.findings);
            assert_same_json(&name, &text, &restored.text);
            if is_regular(&name, &text) {
                assert_eq!(restored.text, text, "{name}");
            }
        }
    }
}

#[test]
fn aliases_languages_and_coercions_come_back() {
    let text = "{
  \"@context\": {
    \"@vocab\": \"http://schema.org/\",
    \"@language\": \"de\",
    \"born\": {
      \"@id\": \"birthDate\",
      \"@type\": \"http://www.w3.org/2001/XMLSchema#date\"
    },
    \"kind\": \"@type\",
    \"key\": \"@id\"
  },
  \"kind\": \"DataFeed\",
  \"key\": \"urn:a\",
  \"born\": \"2000-01-01\",
  \"deathDate\": {
    \"@value\": \"2090-01-01\",
    \"@type\": \"http://www.w3.org/2001/XMLSchema#date\"
  },
  \"name\": [
    {
      \"@value\": \"Hello\",
      \"@language\": \"en\"
    },
    \"Hallo\",
    3
  ],
  \"editor\": {
    \"key\": \"urn:b\"
  }
}";
    let quads = read_n_quads(&shuffled(&n_quads(&kept("aliases", text)), 7));
    assert_eq!(restored(&quads).text, text);
}

#[test]
fn values_that_stay_json_keep_their_text_and_nothing_of_them_is_in_the_sidecar() {
    let text = r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "DataFeed",
        "dataFeedElement": [{"@type": "DataFeedItem", "@id": "urn:i", "item": {"@type": "Question"}}],
        "additionalProperty": [{"@type": "PropertyValue", "name": "n", "value":
        {"z": [1.0, 1e3, 12345678901234567890], "a": "\u00e9", "b": { }}}]}"#;
    let quads = n_quads(&kept("values", text));
    let value = r#""{\"z\":[1.0,1e3,12345678901234567890],\"a\":\"\\u00e9\",\"b\":{}}"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON>"#;
    assert!(quads.contains(value), "{quads}");
    assert!(!quads.lines().any(|line| line.contains("graph:sidecar:") && line.contains("1e3")), "{quads}");
}
