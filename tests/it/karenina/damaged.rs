//! Checkpoints with any value in any place: whatever works on them answers, and does not panic.

use crate::karenina::fixtures::{fixtures_in, path};
use evalgraph::json::{JsonDocument, Limits, parse};
use evalgraph::source::checkpoint::checkpoint_layout::format;
use evalgraph::source::checkpoint::checkpoint_merge::{MergePreference, merge};
use evalgraph::source::checkpoint::checkpoint_split::{SplitLimit, split};
use evalgraph::source::checkpoint::comparison::compare;
use evalgraph::source::checkpoint::model::Checkpoint;
use evalgraph::source::checkpoint::template_files::{replace_templates, template_files};
use evalgraph::source::checkpoint::{CheckpointProfile, ContextMeaning};
use evalgraph::source::karenina::rules::validate;
use proptest::prelude::*;
use serde_json::{Value, json};

fn document(value: &Value) -> JsonDocument {
    parse("damaged.jsonld", value.to_string(), Limits::default()).expect("it is JSON")
}

/// Every place of a value, as pointers.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                pointers(value, &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                pointers(item, &format!("{at}/{index}"), found);
            }
        }
        _ => {}
    }
}

fn replacement() -> impl Strategy<Value = Value> {
    proptest::sample::select(vec![
        json!(null),
        json!(true),
        json!(-1.5),
        json!(""),
        json!("é\u{1f600}\n"),
        json!([]),
        json!({}),
        json!([null]),
        json!([[{}]]),
        json!([{"@type": "Question", "text": "a"}, {"@type": "DataFeedItem"}]),
        json!({"@type": ["Rating"], "@value": 1, "name": [], "value": {"@id": 1}}),
    ])
}

fn check(value: &Value, other: &Value) {
    let (document, second) = (document(value), document(other));
    for profile in CheckpointProfile::ALL {
        let report = validate(&document, profile, &ContextMeaning::SchemaOrg);
        assert_eq!(report.results.len() as u64, report.rules.iter().map(|rule| rule.results).sum::<u64>());
    }
    let laid_out = format(&document).expect("no key occurs twice");
    assert_eq!(&serde_json::from_str::<Value>(&laid_out).expect("it is JSON"), value);
    let (Ok(one), Ok(two)) = (Checkpoint::read(&document), Checkpoint::read(&second)) else { return };
    let (one, two) = (one.checkpoint, two.checkpoint);
    assert!(compare(&one, &one, &[]).is_empty());
    let there = compare(&one, &two, &[]);
    let back = compare(&two, &one, &[]);
    assert_eq!((there.added.len(), there.removed.len()), (back.removed.len(), back.added.len()));
    assert_eq!(there.is_empty(), back.is_empty());
    for prefer in
        [None, Some(MergePreference::First), Some(MergePreference::Last), Some(MergePreference::Newest)]
    {
        if let Ok(merged) = merge(&[one.clone(), two.clone()], prefer) {
            serde_json::from_str::<Value>(&merged.text).expect("what is merged is JSON");
        }
    }
    if let Ok(parts) = split(&document, one.dialect, SplitLimit::Questions(2)) {
        for part in parts.parts {
            serde_json::from_str::<Value>(&part).expect("a part is JSON");
        }
    }
    let texts =
        template_files(&one).into_iter().filter_map(|file| Some((file.template?.clone(), "x".to_owned())));
    let (text, _) = replace_templates(&one, texts.collect::<Vec<_>>());
    serde_json::from_str::<Value>(&text).expect("edited text is JSON");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn damaged_checkpoints_are_answered(
        file in any::<prop::sample::Index>(),
        damages in proptest::collection::vec((any::<prop::sample::Index>(), replacement()), 1..4),
    ) {
        let names = fixtures_in("karenina");
        let text = std::fs::read_to_string(path(&names[file.index(names.len())])).expect("the fixture is there");
        let whole: Value = serde_json::from_str(&text).expect("it is JSON");
        let mut damaged = whole.clone();
        for (place, value) in damages {
            let mut places = Vec::new();
            pointers(&damaged, "", &mut places);
            *damaged.pointer_mut(&places[place.index(places.len())]).expect("it was found there") = value;
        }
        check(&damaged, &whole);
        check(&whole, &damaged);
    }
}
