//! Dialects: every fixture is what it was made to be, and what is not a checkpoint is said to be none.

use crate::karenina::fixtures::{document, fixture};
use evalgraph::diagnostic::Diagnostic;
use evalgraph::source::checkpoint::{CheckpointDialect, CheckpointSurvey, DETECTION_ORDER, DialectDetection};

fn detect(text: &str) -> DialectDetection {
    CheckpointSurvey::from_document(&document(text)).detect()
}

fn refusal(text: &str) -> Option<Diagnostic> {
    let document = document(text);
    let survey = CheckpointSurvey::from_document(&document);
    survey.refusal(&document, &survey.detect(), false)
}

#[test]
fn every_fixture_is_of_the_dialect_it_was_made_for() {
    let expected = [
        ("karenina/s0-cell-biology.jsonld", CheckpointDialect::S0),
        ("karenina/s0b-chemistry.jsonld", CheckpointDialect::S0b),
        ("karenina/s0c-pharmacology.jsonld", CheckpointDialect::S0c),
        ("karenina/s1-astronomy.jsonld", CheckpointDialect::S1),
        ("karenina/p0-programming.jsonld", CheckpointDialect::P0),
        ("karenina/p1-physics.jsonld", CheckpointDialect::P1),
        ("karenina/p2-genomics.jsonld", CheckpointDialect::P2),
        ("karenina/p2-md5-arithmetic.jsonld", CheckpointDialect::P2),
        ("karenina/p2-awkward-ids.jsonld", CheckpointDialect::P2),
        ("karenina/p2-scenario.jsonld", CheckpointDialect::P2),
        ("karenina/p2-dialogue.jsonld", CheckpointDialect::P2),
        ("karenina/g-ecology.jsonld", CheckpointDialect::G),
        ("karenina/gdev-geology.jsonld", CheckpointDialect::GDev),
        ("karenina/m-history.jsonld", CheckpointDialect::M),
        ("karenina/t-general-knowledge.jsonld", CheckpointDialect::T),
        ("karenina/x-neuroscience.jsonld", CheckpointDialect::X),
        ("revisions/enzymes-2026-01.jsonld", CheckpointDialect::P2),
        ("revisions/enzymes-2026-03.jsonld", CheckpointDialect::P2),
        ("karenina/v2a-mycology.json", CheckpointDialect::V2a),
        ("karenina/v2b-meteorology.json", CheckpointDialect::V2b),
        ("karenina/v2c-oceans.json", CheckpointDialect::V2c),
        ("results/results-export.json", CheckpointDialect::ResultsExport),
    ];
    for (name, dialect) in expected {
        let detection = CheckpointSurvey::from_document(&fixture(name)).detect();
        assert_eq!(detection.dialect, dialect, "{name}: {}", detection.explain());
        assert_eq!(detection.nearest, None, "{name}");
    }
}

#[test]
fn the_deciding_row_is_named_with_its_reason() {
    let detection = CheckpointSurvey::from_document(&fixture("karenina/g-ecology.jsonld")).detect();
    assert_eq!(
        detection.explain(),
        "row 19 of 21: a DataFeed by the user interface: its rating ids or `checkpoint_format_version`"
    );
    assert_eq!(
        detect(r#"{"@context": {}, "@type": "Person"}"#).explain(),
        "no row of the detection table fits: not a Karenina checkpoint"
    );
}

#[test]
fn a_hybrid_names_the_two_dialects_it_is_nearest_to() {
    let detection = detect(
        r#"{"@context": {"@vocab": "http://schema.org/", "rating": {"@id": "rating"}}, "@type": "DataFeed",
            "dataFeedElement": [{"@type": "DataFeedItem", "item": {"@type": "Question", "rating": [
              {"@type": "Rating", "@id": "urn:uuid:rating-a", "author": "Global Rubric", "ratingValue": 1}]}}]}"#,
    );
    assert_eq!(detection.dialect, CheckpointDialect::Hybrid);
    assert_eq!(detection.row.map(|row| DETECTION_ORDER[row].dialect), Some(CheckpointDialect::M));
    assert_eq!(detection.nearest, Some([CheckpointDialect::M, CheckpointDialect::S0]));
    assert!(detection.explain().ends_with("the nearest dialects are M and S0"));
}

#[test]
fn version_2_is_told_apart_by_its_rubrics() {
    let file =
        |rubric: &str| format!(r#"{{"version": "2.0", "global_rubric": {rubric}, "checkpoint": {{}}}}"#);
    let cases = [
        (r#"{"traits": []}"#, CheckpointDialect::V2a),
        (r#"{"traits": [], "manual_traits": []}"#, CheckpointDialect::V2b),
        (r#"{"traits": [], "metric_traits": []}"#, CheckpointDialect::V2b),
        (r#"{"llm_traits": []}"#, CheckpointDialect::V2c),
        ("null", CheckpointDialect::V2a),
    ];
    for (rubric, dialect) in cases {
        assert_eq!(detect(&file(rubric)).dialect, dialect, "{rubric}");
    }
    let tagged_only = r#"{"version": "2.0", "questions": [], "checkpoint": []}"#;
    assert_eq!(detect(tagged_only).dialect, CheckpointDialect::None);
}

#[test]
fn other_json_ld_is_no_checkpoint() {
    let cases = [
        r#"{"@context": "https://schema.org", "@type": "Dataset", "hasPart": [{"@type": "Dataset", "name": "a"}]}"#,
        r#"{"@context": "https://schema.org", "@type": "DataFeed", "dataFeedElement": [{"@type": "Product"}]}"#,
        r#"{"@context": "https://schema.org", "@type": "Question", "acceptedAnswer": {"@type": "Answer"}}"#,
        r#"[{"@id": "http://a.example/", "@type": ["http://schema.org/Dataset"]}]"#,
        r#"{"@context": {}, "@graph": []}"#,
        "[1, 2]",
        "\"text\"",
    ];
    for text in cases {
        assert_eq!(detect(text).dialect, CheckpointDialect::None, "{text}");
        assert!(refusal(text).is_none(), "{text}");
    }
}

#[test]
fn an_empty_python_checkpoint_is_one() {
    let empty = r#"{"@context": {"@vocab": "https://schema.org/", "rating": {"@id": "contentRating"}},
                    "@type": "DataFeed", "dataFeedElement": []}"#;
    assert_eq!(detect(empty).dialect, CheckpointDialect::P2);
}

#[test]
fn a_checkpoint_without_context_is_told_what_to_add() {
    let error = refusal(
        r#"{"@type": "Dataset", "version": "3.0.0-jsonld", "hasPart": [
            {"@type": "DataFeedItem", "item": {"@type": "Question", "text": "What is 1 plus 1?"}}]}"#,
    )
    .expect("a checkpoint without a context has no triples");
    assert_eq!(error.code, "karenina::no-context");
    assert_eq!(
        error.message,
        "a Karenina checkpoint (dialect S0, specification 3.0.0-jsonld) without `@context`: \
         none of its keys has a meaning"
    );
    assert_eq!(
        error.help.iter().map(ToString::to_string).collect::<Vec<_>>(),
        [
            "add `\"@context\": \"urn:evalgraph:context:karenina-spec\",` after the first brace",
            "or add the `@context` of another checkpoint that the same program wrote",
        ]
    );
    for text in [r#"{"@type": "DataFeed"}"#, r#"{"dataFeedElement": [{"@type": "DataFeedItem"}]}"#] {
        assert_eq!(
            refusal(text).map(|error| error.code.into_owned()).as_deref(),
            Some("karenina::no-context")
        );
    }
}

#[test]
fn a_context_of_the_callers_is_a_context() {
    let document = document(r#"{"@type": "Dataset", "hasPart": [{"@type": "DataFeedItem"}]}"#);
    let survey = CheckpointSurvey::from_document(&document);
    assert!(survey.refusal(&document, &survey.detect(), true).is_none());
}

#[test]
fn error_replies_are_named() {
    let cases = [
        (
            r#"{"detail":"Not Found"}"#,
            "an error reply of a web service, not data: `detail` is `\"Not Found\"`",
        ),
        (
            r#"{"message": "Bad credentials", "documentation_url": "https://x.example", "status": "401"}"#,
            "an error reply of a web service, not data: `message` is `\"Bad credentials\"`",
        ),
        (
            r#"{"error": {"message": "rate limit", "code": 429}}"#,
            "an error reply of a web service, not data: `error` is `{\"message\": \"rate limit\", \"code\": 429}`",
        ),
    ];
    for (text, message) in cases {
        let error = refusal(text).expect("an error reply is not data");
        assert_eq!(error.code, "input::error-reply");
        assert_eq!(error.message, message);
    }
    for text in
        [r#"{"title": "a", "name": "b"}"#, r#"{"@id": "urn:a", "message": "b"}"#, "{}", r#"{"code": 1}"#]
    {
        assert!(refusal(text).is_none(), "{text}");
    }
}

#[test]
fn verification_results_are_not_read_yet() {
    let document = fixture("results/results-export.json");
    let survey = CheckpointSurvey::from_document(&document);
    let error = survey.refusal(&document, &survey.detect(), false).expect("it is not read yet");
    assert_eq!(error.code, "karenina::results-export");
    assert!(error.message.ends_with("which is not read yet"), "{}", error.message);
}

#[test]
fn version_2_needs_no_context() {
    for name in ["v2a-mycology", "v2b-meteorology", "v2c-oceans"] {
        let document = fixture(&format!("karenina/{name}.json"));
        let survey = CheckpointSurvey::from_document(&document);
        assert!(survey.refusal(&document, &survey.detect(), false).is_none(), "{name}");
    }
}
