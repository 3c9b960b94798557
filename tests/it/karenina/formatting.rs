//! The layout of checkpoint files: nothing is lost, a second time changes nothing, and what a program
//! of Karenina's wrote stays as it wrote it.

use crate::beside::shared;
use crate::karenina::fixtures::{document, fixtures_in, path};
use evalgraph::json::{JsonDocument, JsonKind, TokenId};
use evalgraph::source::checkpoint::checkpoint_layout::format;
use evalgraph::source::registry::checkpoint_programs;
use proptest::prelude::*;

fn formatted(text: &str) -> String {
    format(&document(text)).expect("no key occurs twice")
}

/// Returns whether two values are the same JSON: objects as sets of members, the rest as it is spelled.
fn same(one: (&JsonDocument, TokenId), other: (&JsonDocument, TokenId)) -> bool {
    let ((a, x), (b, y)) = (one, other);
    match (a.kind(x), b.kind(y)) {
        (JsonKind::Object, JsonKind::Object) => {
            a.members(x).count() == b.members(y).count()
                && a.members(x).all(|member| {
                    let key = a.symbol_text(member.symbol);
                    b.get(y, key).is_some_and(|value| same((a, member.value), (b, value)))
                })
        }
        (JsonKind::Array, JsonKind::Array) => {
            a.items(x).count() == b.items(y).count()
                && a.items(x).zip(b.items(y)).all(|(x, y)| same((a, x), (b, y)))
        }
        (left, right) => left == right && a.raw(x) == b.raw(y),
    }
}

fn check(name: &str, text: &str) -> String {
    let once = formatted(text);
    let (before, after) = (document(text), document(&once));
    assert!(same((&before, before.root()), (&after, after.root())), "{name} is another value");
    assert_eq!(formatted(&once), once, "{name} changes a second time");
    once
}

#[test]
fn fixtures_stay_the_same_json() {
    for folder in ["karenina", "revisions"] {
        for name in fixtures_in(folder) {
            check(&name, &std::fs::read_to_string(path(&name)).expect("the fixture is there"));
        }
    }
}

#[test]
#[ignore = "needs ../shared/karenina"]
fn what_karenina_wrote_is_laid_out_as_it_wrote_it() {
    let folder = shared("karenina");
    // Written by the programs; the others were written by hand.
    let written = [
        "gui-dialect-of-v2-current.jsonld",
        "md5_ids.jsonld",
        "python-2025-08-example_benchmark.jsonld",
        "seed-dialect-of-v2-seed-era.jsonld",
    ];
    for name in ["minimal.jsonld", "with_rubrics.jsonld", "gui-e2e-multi_question.jsonld", "v2-current.json"]
        .iter()
        .chain(&written)
    {
        let text = std::fs::read_to_string(folder.join(name)).expect("the file can be read");
        let once = check(name, &text);
        if written.contains(name) {
            // They end without a line break.
            assert_eq!(once.trim_end(), text.trim_end(), "{name}");
        }
    }
}

#[test]
fn keys_come_in_the_order_of_the_program_and_unknown_ones_last() {
    let text = r#"{"zeta": 1, "dataFeedElement": [{"item": {"keywords": ["b", "a"], "mine": 1, "rating": [
        {"additionalType": "karenina:QuestionSpecificRubricTrait", "bestRating": 1.0, "name": "n",
         "additionalProperty": [{"value": {"z": "", "a": ""}, "name": "classes", "@type": "PropertyValue"}]}],
        "text": "t", "@type": "Question"}, "alpha": 2, "@id": "urn:x:1", "@type": "DataFeedItem"}],
        "alpha": 2, "@type": "DataFeed",
        "@context": {"karenina": "urn:karenina:vocab:", "@vocab": "https://schema.org/"}}"#;
    insta::assert_snapshot!(check("a text", text), @r#"
    {
      "@context": {
        "karenina": "urn:karenina:vocab:",
        "@vocab": "https://schema.org/"
      },
      "@type": "DataFeed",
      "dataFeedElement": [
        {
          "@type": "DataFeedItem",
          "@id": "urn:x:1",
          "item": {
            "@type": "Question",
            "text": "t",
            "rating": [
              {
                "name": "n",
                "bestRating": 1.0,
                "additionalType": "karenina:QuestionSpecificRubricTrait",
                "additionalProperty": [
                  {
                    "@type": "PropertyValue",
                    "name": "classes",
                    "value": {
                      "z": "",
                      "a": ""
                    }
                  }
                ]
              }
            ],
            "keywords": [
              "b",
              "a"
            ],
            "mine": 1
          },
          "alpha": 2
        }
      ],
      "zeta": 1,
      "alpha": 2
    }
    "#);
}

#[test]
fn questions_of_version_2_keep_their_order() {
    let text = r#"{"checkpoint": {"b": {"finished": true, "question": "q"}, "a": {}}, "version": "2.0"}"#;
    insta::assert_snapshot!(check("version 2", text), @r#"
    {
      "version": "2.0",
      "checkpoint": {
        "b": {
          "question": "q",
          "finished": true
        },
        "a": {}
      }
    }
    "#);
}

#[test]
fn spelling_stays_byte_for_byte() {
    let text =
        r#"{"b":[1.0,1e2,-0,12345678901234567890,"\u00e9é\/\n","",[],{}, null,true],"a":{"é":1,"\u0041":2}}"#;
    insta::assert_snapshot!(check("a text", text), @r#"
    {
      "b": [
        1.0,
        1e2,
        -0,
        12345678901234567890,
        "\u00e9é\/\n",
        "",
        [],
        {},
        null,
        true
      ],
      "a": {
        "é": 1,
        "\u0041": 2
      }
    }
    "#);
    for text in ["1", "\"a\"", "[]", "{}", "null", "[[[]]]"] {
        assert_eq!(check(text, text).split_whitespace().collect::<String>(), text);
    }
}

#[test]
fn a_key_that_stands_twice_is_refused_with_both_lines() {
    let faults =
        format(&document("{\n\"a\": 1,\n\"b\": {\"c\": 1, \"c\": 2},\n\"a\": 3}")).expect_err("it loses");
    let messages: Vec<&str> = faults.iter().map(|fault| fault.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "the key `c` occurs twice in one object, in lines 3 and 3; one of them would be lost",
            "the key `a` occurs twice in one object, in lines 2 and 4; one of them would be lost",
        ]
    );
}

/// A JSON text with keys that checkpoints use, so that places and orders are met.
fn json_text() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("1.50".to_owned()),
        Just("\"DataFeed\"".to_owned()),
        Just("\"DataFeedItem\"".to_owned()),
        Just("\"Question\"".to_owned()),
        "[a-z\u{e9}]{0,3}".prop_map(|text| format!("\"{text}\\u0020\"")),
    ];
    let keys = [
        "@type",
        "@context",
        "hasPart",
        "dataFeedElement",
        "item",
        "rating",
        "name",
        "value",
        "zz",
        "checkpoint",
    ];
    scalar.prop_recursive(5, 40, 5, move |inner| {
        let member = (proptest::sample::select(keys.to_vec()), inner.clone());
        prop_oneof![
            proptest::collection::vec(inner, 0..4).prop_map(|items| format!("[{}]", items.join(" , "))),
            proptest::collection::vec(member, 0..5).prop_map(|members| {
                let mut seen = std::collections::HashSet::new();
                let members = members.into_iter().filter(|(key, _)| seen.insert(*key));
                let members: Vec<String> = members.map(|(key, value)| format!("\"{key}\":{value}")).collect();
                format!("{{{}}}", members.join(",\n"))
            }),
        ]
    })
}

proptest! {
    #[test]
    fn any_json_keeps_its_value_and_changes_once(text in json_text()) {
        check("generated", &text);
    }

    #[test]
    fn any_checkpoint_keeps_its_value_and_changes_once(text in json_text()) {
        check("generated", &format!(
            r#"{{"dataFeedElement": [{{"item": {text}, "@type": "DataFeedItem"}}], "x": {text}, "rating": {text},
                "@type": "DataFeed", "@context": {{"@vocab": "https://schema.org/"}}}}"#
        ));
    }
}

#[test]
fn what_the_writers_write_is_laid_out_already() {
    use evalgraph::source::checkpoint::model::Checkpoint;
    use evalgraph::source::checkpoint::writer::{
        CheckpointForm, CheckpointWriteOptions, WritePurpose, write,
    };
    let now = chrono::DateTime::from_timestamp(1_767_225_600, 0).expect("a time");
    // Where item and question have one id, the file is taken for one of the library's, whose order of
    // keys is another.
    for name in fixtures_in("karenina").into_iter().filter(|name| !name.starts_with("karenina/x-")) {
        let source = crate::karenina::fixtures::fixture(&name);
        let checkpoint = Checkpoint::read(&source).expect("fixtures are checkpoints").checkpoint;
        // Version 2.0 writes the settings of a trait in the order of the source.
        for form in [CheckpointForm::Library, CheckpointForm::Specification, CheckpointForm::Interface] {
            let options = CheckpointWriteOptions {
                dataset: "any",
                now,
                touch: false,
                purpose: WritePurpose::File(checkpoint_programs()),
            };
            let text = write(&checkpoint, form, &options).expect("fixtures can be written").text;
            // Like the programs, the writers end a file without a line break.
            let laid_out = formatted(&text);
            let differs = laid_out.lines().zip(text.lines()).find(|(left, right)| left != right);
            assert_eq!(differs, None, "{name} as {form}");
        }
    }
}

#[test]
fn a_long_list_is_written_as_a_short_one_is() {
    use evalgraph::source::checkpoint::model::Checkpoint;
    use evalgraph::source::checkpoint::writer::{
        CheckpointForm, CheckpointWriteOptions, WritePurpose, write,
    };
    let now = chrono::DateTime::from_timestamp(1_767_225_600, 0).expect("a time");
    let options = CheckpointWriteOptions {
        dataset: "any",
        now,
        touch: false,
        purpose: WritePurpose::File(checkpoint_programs()),
    };
    let source = crate::karenina::fixtures::fixture("karenina/p2-genomics.jsonld");
    let short = Checkpoint::read(&source).expect("the fixture is a checkpoint").checkpoint;
    for form in [CheckpointForm::Library, CheckpointForm::Specification, CheckpointForm::Interface] {
        let written = write(&short, form, &options).expect("the fixture can be written").text;
        let mut long = short.clone();
        long.items = short.items.iter().cycle().take(100 * short.items.len()).cloned().collect();
        for (at, item) in long.items.iter_mut().enumerate() {
            // No two items have one id.
            item.id = (at < short.items.len()).then(|| item.id.clone()).flatten();
        }
        let text = write(&long, form, &options).expect("it can be written").text;
        // What is the same in all copies: all lines but those with ids.
        let lines = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| !line.contains("\"@id\""));
            lines.map(|line| line.trim_end_matches(',').to_owned()).collect()
        };
        let (once, often) = (lines(&written), lines(&text));
        let head = once.iter().zip(&often).take_while(|(left, right)| left == right).count();
        let tail =
            once.iter().rev().zip(often.iter().rev()).take_while(|(left, right)| left == right).count();
        assert!(head + tail >= once.len(), "{form}: {:?} <> {:?}", once[head], often[head]);
        let copy = (often.len() - once.len()) / 99;
        assert_eq!(once.len() + 99 * copy, often.len(), "{form}");
        let items = &often[head - copy..often.len() - tail + copy];
        let repeats = items.windows(copy + 1).all(|lines| lines[0] == lines[copy]);
        assert!(repeats, "{form}");
    }
}
