//! The model of a checkpoint: every dialect read into one form, and what is said where a file does
//! not hold what it should.

use crate::karenina::fixtures::{document, figures, fixture, fixtures_in};
use evalgraph::diagnostic::{Diagnostic, FindingSeverity};
use evalgraph::json::JsonDocument;
use evalgraph::source::checkpoint::TraitKind;
use evalgraph::source::checkpoint::model::{Checkpoint, CheckpointReading, RubricTrait};

fn read(document: &JsonDocument) -> CheckpointReading<'_> {
    Checkpoint::read(document).expect("it is a checkpoint")
}

fn findings(text: &str) -> Vec<String> {
    let document = document(text);
    let reading = read(&document);
    reading.findings.iter().map(line).collect()
}

/// `test.jsonld:1:2: severity[code]: message`
fn line(finding: &Diagnostic) -> String {
    let place = finding.place.as_ref().expect("every finding has a place");
    format!("{place}: {}[{}]: {}", finding.severity, finding.code, finding.message)
}

fn kinds(traits: &[RubricTrait<'_>]) -> [u64; TraitKind::ALL.len()] {
    let mut counts = [0; TraitKind::ALL.len()];
    for read in traits {
        counts[TraitKind::ALL.iter().position(|kind| *kind == read.kind).expect("a kind")] += 1;
    }
    counts
}

#[test]
fn every_fixture_is_read_with_the_figures_that_stats_shows() {
    for name in fixtures_in("karenina").iter().chain(&fixtures_in("revisions")) {
        let document = fixture(name);
        let figures = figures(&document);
        let CheckpointReading { checkpoint, findings } = read(&document);
        let errors: Vec<String> =
            findings.iter().filter(|finding| finding.severity == FindingSeverity::Error).map(line).collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
        assert_eq!(checkpoint.items.len() as u64, figures.questions, "{name}");
        assert_eq!(checkpoint.scenarios.len() as u64, figures.scenarios, "{name}");
        assert_eq!(kinds(&checkpoint.global_traits), figures.global_traits, "{name}");
        let own: Vec<RubricTrait<'_>> =
            checkpoint.items.iter().flat_map(|item| item.question.traits.clone()).collect();
        assert_eq!(kinds(&own), figures.question_traits, "{name}");
        let finished = checkpoint.items.iter().filter(|item| item.question.is_finished()).count();
        assert_eq!(finished as u64, figures.finished, "{name}");
    }
}

#[test]
fn values_keep_their_spelling_and_their_places() {
    let document = document(
        r#"{"@context": {"@vocab": "https://schema.org/"}, "@type": "DataFeed", "dataFeedElement": [
             {"@type": "DataFeedItem", "@id": "q", "item": {"@type": "Question", "text": "caf\u00e9?",
              "acceptedAnswer": {"text": ""}, "hasPart": {"text": "x"}, "keywords": [],
              "additionalProperty": [
                {"name": "custom_a", "value": 12345678901234567890},
                {"name": "custom_a", "value": {"b": [1.0, null, "\u0041"], "a": -0.10}},
                {"name": "custom_c"}, {"name": "custom_d", "value": null}]}}]}"#,
    );
    let CheckpointReading { checkpoint, findings } = read(&document);
    assert!(findings.is_empty(), "{findings:?}");
    let question = &checkpoint.items[0].question;
    assert_eq!(question.text.as_str().as_deref(), Some("café?"));
    assert_eq!(question.keywords.as_ref().map(|keywords| keywords.values.len()), Some(0));
    let values: Vec<Option<&str>> = question
        .properties
        .iter()
        .map(|property| property.value.as_ref().map(|value| value.as_json()))
        .collect();
    let object = r#"{"b":[1.0,null,"A"],"a":-0.10}"#;
    assert_eq!(values, [Some("12345678901234567890"), Some(object), None, None]);
    let origin = question.properties[1].origin;
    assert_eq!(origin.place().pointer.as_deref(), Some("/dataFeedElement/0/item/additionalProperty/1"));
}

#[test]
fn copies_of_global_traits_are_recognised() {
    let document = fixture("karenina/s0-cell-biology.jsonld");
    let CheckpointReading { checkpoint, .. } = read(&document);
    let names: Vec<String> =
        checkpoint.global_traits.iter().map(|read| read.name.shown().into_owned()).collect();
    assert_eq!(names, ["Accuracy", "Completeness"]);
    for item in &checkpoint.items {
        assert_eq!(item.question.copies.len(), 2);
    }
    let values: Vec<&str> = checkpoint.items[1]
        .question
        .copies
        .iter()
        .filter_map(|copy| copy.rating_value.as_ref().map(|value| value.as_json()))
        .collect();
    assert_eq!(values, ["1", "6"]);
}

#[test]
fn the_text_of_global_traits_counts_more_than_a_rating() {
    let file = r#"{"@context": {}, "@type": "Dataset", "hasPart": [
  {"@type": "DataFeedItem", "item": {"@type": "Question", "text": "a", "acceptedAnswer": {"text": "b"},
   "rating": [{"name": "Zero", "worstRating": 1, "bestRating": 10, "ratingValue": 1, "author": "Global Rubric"},
              {"name": "Unit", "worstRating": 0, "bestRating": 1, "ratingValue": 0, "author": "Global Rubric"}]}}],
  "additionalProperty": [{"name": "global_rubric_traits", "value":
    "[{\"name\":\"Zero\",\"kind\":\"score\",\"min_score\":0,\"max_score\":10},{\"name\":\"Unit\",\"kind\":\"score\",\"min_score\":0,\"max_score\":1}]"}]}"#;
    let document = document(file);
    let CheckpointReading { checkpoint, findings } = read(&document);
    let traits = &checkpoint.global_traits;
    assert_eq!(traits[0].worst.as_ref().map(|worst| worst.as_json()), Some("0"));
    assert_eq!(traits[1].kind, TraitKind::Score);
    assert!(checkpoint.properties.is_empty());
    assert_eq!(
        findings.iter().map(line).collect::<Vec<_>>(),
        ["test.jsonld:3:15: warning[karenina::trait-text]: the rating `Zero` differs from the trait in \
          `global_rubric_traits`, which takes precedence"]
    );
}

#[test]
fn a_trait_text_that_is_no_json_stays_a_property() {
    let file = r#"{"@context": {}, "@type": "Dataset", "hasPart": [{"@type": "DataFeedItem", "item":
 {"@type": "Question", "text": "a", "acceptedAnswer": {"text": "b"}}}],
 "additionalProperty": [{"name": "global_rubric_traits", "value": "[oops"}]}"#;
    let document = document(file);
    let CheckpointReading { checkpoint, findings } = read(&document);
    assert_eq!(checkpoint.properties.len(), 1);
    assert_eq!(
        findings.iter().map(line).collect::<Vec<_>>(),
        [
            "test.jsonld:3:67: warning[karenina::no-json]: `global_rubric_traits` is not a string with a JSON list \
          of traits; it stays a property"
        ]
    );
}

#[test]
fn a_question_has_one_text_one_answer_and_one_template() {
    let question = |parts: &str| {
        findings(&format!(
            r#"{{"@context": {{}}, "@type": "DataFeed", "dataFeedElement": [{{"@type": "DataFeedItem",
"item": {{"@type": "Question"{parts}}}}}]}}"#
        ))
    };
    let answer = r#", "acceptedAnswer": {"text": "b"}"#;
    let cases = [
        (answer.to_owned(), "test.jsonld:2:9: error[karenina::no-text]: a question without `text`"),
        (
            r#", "text": "a", "acceptedAnswer": [{"text": "b"}, {"text": "c"}]"#.to_owned(),
            "test.jsonld:2:78: error[karenina::two-answers]: a question with two answers",
        ),
        (
            r#", "text": "a""#.to_owned(),
            "test.jsonld:2:9: error[karenina::no-answer]: a question without `acceptedAnswer`",
        ),
        (
            r#", "text": "a", "acceptedAnswer": {}"#.to_owned(),
            "test.jsonld:2:62: error[karenina::no-text]: an answer without `text`",
        ),
        (
            format!(
                r#", "text": "a"{answer}, "hasPart": [{{"@type": "SoftwareSourceCode", "text": "1"}},
 {{"@type": "SoftwareSourceCode", "text": "2"}}]"#
            ),
            "test.jsonld:3:2: error[karenina::two-templates]: a question with two templates",
        ),
        (
            format!(r#", "text": ["a", "c"]{answer}"#),
            "test.jsonld:2:45: error[karenina::several-values]: `text` has several values, and one is expected",
        ),
    ];
    for (parts, expected) in cases {
        let found = question(&parts);
        assert!(found.iter().any(|line| line == expected), "{parts}: {found:#?}");
    }
}

#[test]
fn version_2_says_what_is_missing_or_wrong() {
    let found = findings(
        r#"{"version": "2.0", "global_rubric": {"traits": [
 {"name": "a", "kind": "colour"},
 {"name": "b", "kind": "score", "min_score": 5, "max_score": 1},
 {"kind": "boolean"}]},
 "checkpoint": {"q": {"question": "a", "raw_answer": "b", "original_answer_template": "",
 "last_modified": "2025-01-01", "finished": false},
 "r": {"raw_answer": "b"}}}"#,
    );
    assert_eq!(
        found,
        [
            "test.jsonld:2:24: error[karenina::trait-kind]: no kind of trait is called `colour`",
            "test.jsonld:3:46: error[karenina::range]: the worst rating of the trait `b`, 5, is above the \
             best, 1",
            "test.jsonld:4:2: error[karenina::no-name]: a trait without `name`",
            "test.jsonld:5:22: warning[karenina::v2-missing]: a question without `answer_template`, which \
             version 2.0 requires",
            "test.jsonld:7:7: error[karenina::no-text]: a question without `question`, which version 2.0 \
             requires",
            "test.jsonld:7:7: warning[karenina::v2-missing]: a question without `original_answer_template`, \
             which version 2.0 requires",
            "test.jsonld:7:7: warning[karenina::v2-missing]: a question without `answer_template`, which \
             version 2.0 requires",
            "test.jsonld:7:7: warning[karenina::v2-missing]: a question without `last_modified`, which \
             version 2.0 requires",
            "test.jsonld:7:7: warning[karenina::v2-missing]: a question without `finished`, which version \
             2.0 requires",
        ]
    );
}

#[test]
fn plain_code_counts_as_base64() {
    let document = fixture("karenina/t-general-knowledge.jsonld");
    let CheckpointReading { checkpoint, findings } = read(&document);
    let code = checkpoint.global_traits.iter().find_map(|read| read.setting("callable_code"));
    let code = code.and_then(|code| code.as_str()).expect("a trait has code");
    assert!(code.starts_with("ZGVmIGV2YWx1YXRl"), "{code}");
    let codes: Vec<&str> = findings.iter().map(|finding| finding.code.as_ref()).collect();
    assert_eq!(codes, ["karenina::plain-code"]);
}

#[test]
fn version_2_keeps_what_ratings_have_no_key_for() {
    let document = document(
        r#"{"version": "2.0", "global_rubric": {"llm_traits": [
   {"name": "a", "kind": "boolean", "min_score": null, "deep_judgment_enabled": true}],
  "regex_traits": [{"name": "b", "pattern": "x"}]},
 "dataset_metadata": {"name": "D", "license": "MIT", "keywords": ["k"], "custom_properties": {"c": [1]}},
 "checkpoint": {"q": {"question": "a", "raw_answer": "", "original_answer_template": "o",
  "answer_template": "", "last_modified": "x", "finished": true,
  "custom_metadata": {"d": "e"}, "author": {"@type": "Person", "name": "A"}, "keywords": ["z", "z"]}}}"#,
    );
    let CheckpointReading { checkpoint, findings } = read(&document);
    assert!(findings.is_empty(), "{findings:?}");
    let names = |properties: &[evalgraph::source::checkpoint::model::PropertyValue<'_>]| -> Vec<String> {
        let shown =
            |value: &evalgraph::source::checkpoint::model::PlacedValue<'_>| value.as_json().to_owned();
        properties
            .iter()
            .map(|property| {
                format!("{}={}", property.name, property.value.as_ref().map_or_else(String::new, shown))
            })
            .collect()
    };
    assert_eq!(names(&checkpoint.properties), ["license=\"MIT\"", "keywords=\"[\\\"k\\\"]\"", "c=[1]"]);
    assert_eq!(names(&checkpoint.global_traits[0].properties), ["min_score=", "deep_judgment_enabled=true"]);
    assert_eq!(
        names(&checkpoint.global_traits[1].properties),
        ["pattern=\"x\"", "case_sensitive=true", "invert_result=false"]
    );
    let item = &checkpoint.items[0];
    assert_eq!(
        item.id.as_ref().and_then(|id| id.as_str().map(|id| id.into_owned())).as_deref(),
        Some("urn:uuid:q")
    );
    assert_eq!(
        names(&item.question.properties),
        [
            "finished=true",
            "original_answer_template=\"o\"",
            r#"author="{\"@type\":\"Person\",\"name\":\"A\"}""#,
            "custom_d=\"e\""
        ]
    );
}
