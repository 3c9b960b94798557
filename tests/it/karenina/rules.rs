//! The rules of Karenina's readers: each has a file that keeps it and one that breaks it, found at
//! the right place and nowhere else.

use crate::beside::shared;
use crate::karenina::fixtures::{document, fixture, fixtures_in};
use crate::source::rules_table::{BadCase, GoodReport};
use evalgraph::diagnostic::validation::{ResultSeverity, RuleReport};
use evalgraph::json::{Limits, parse};
use evalgraph::source::checkpoint::{CheckpointProfile, CheckpointSurvey, ContextMeaning};
use evalgraph::source::karenina::rules::validate;
use serde_json::{Value, json};

/// A change that breaks a rule: profile, rule, pointer of what is changed, the new value (none
/// removes it), and the pointer that the result has.
type Case = (CheckpointProfile, &'static str, &'static str, Option<Value>, &'static str);

fn report(profile: CheckpointProfile, value: &Value) -> RuleReport {
    validate(&document(&value.to_string()), profile, &ContextMeaning::SchemaOrg)
}

fn property(name: &str, value: Value) -> Value {
    let mut property = json!({"@type": "PropertyValue", "name": name});
    property["value"] = value;
    property
}

fn spec() -> Value {
    let rating = |name: &str, author: &str, value: f64, best: f64| {
        json!({"@type": "Rating", "@id": format!("urn:uuid:rating-{name}"), "name": name, "ratingValue": value,
               "bestRating": best, "worstRating": 0, "author": author})
    };
    json!({
        "@context": {"@vocab": "http://schema.org/"},
        "@type": "Dataset",
        "@id": "urn:uuid:karenina-checkpoint-2026-01-01",
        "version": "3.0.0-jsonld",
        "dateCreated": "2026-01-01T00:00:00Z",
        "dateModified": "2026-01-01T00:00:00Z",
        "hasPart": [{
            "@type": "DataFeedItem",
            "@id": "urn:uuid:a",
            "dateModified": "2026-01-01T00:00:00Z",
            "item": {
                "@type": "Question",
                "@id": "urn:uuid:question-why-0",
                "text": "Why?",
                "acceptedAnswer": {"@type": "Answer", "@id": "urn:uuid:answer-a", "text": ""},
                "hasPart": {"@type": "SoftwareSourceCode", "@id": "urn:uuid:template-a", "text": "pass",
                            "programmingLanguage": "Python"},
                "rating": [rating("clear", "Global Rubric", 1.0, 1.0),
                           rating("deep", "Question-Specific Rubric", 2.5, 5.0)],
                "additionalProperty": [property("finished", json!(true)),
                                       property("original_answer_template", json!("pass"))]
            }
        }],
        "additionalProperty": [
            property("checkpoint_format_version", json!("3.0.0-jsonld")),
            property("global_rubric_traits", json!(r#"[{"name":"clear","kind":"boolean"}]"#)),
            property("conversion_metadata", json!("{}")),
            property("anything", json!([1]))
        ]
    })
}

fn library_rating(stem: &str, name: &str, properties: Vec<Value>) -> Value {
    let mut rating = json!({"@type": "Rating", "name": name, "additionalType": format!("karenina:Global{stem}"),
                            "bestRating": 1.0, "worstRating": 0.0});
    rating["additionalProperty"] = Value::Array(properties);
    rating
}

/// A value with one more member.
trait With {
    fn with(self, key: &str, text: &str) -> Value;
}

impl With for Value {
    fn with(mut self, key: &str, text: &str) -> Value {
        self[key] = json!(text);
        self
    }
}

/// A checkpoint with a scenario in place of questions.
fn dialogue() -> Value {
    let question = json!({"text": "", "acceptedAnswer": {"text": ""}, "hasPart": {"name": "", "text": ""}});
    json!({
        "@context": {"@vocab": "https://schema.org/"},
        "name": "Any",
        "dateCreated": "2026-01-01T00:00:00",
        "dateModified": "2026-01-01T00:00:00",
        "dataFeedElement": [],
        "hasPart": [{
            "name": "Ask twice",
            "entryNode": "a",
            "nodes": {
                "a": {"nodeId": "a", "question": question,
                      "questionData": {"question": "Why?", "raw_answer": "Because", "tags": ["k", null]},
                      "modelOverride": {"answering_model": {"id": "m", "model_name": "m"}}},
            },
            "edges": [{"source": "a", "target": "__end__", "condition":
                {"field": "verify_result", "verify_with": {"type": "NumericTolerance", "tolerance": 0.1}}}],
            "outcomeCriteria": [{"name": "ends", "check": {"type": "AllOf", "conditions": [
                {"type": "TurnCheck", "scope": {"type": "turn_at", "index": -1}, "field": "verify_result",
                 "verify_with": {"type": "BooleanMatch"}}]}}]
        }]
    })
}

fn library() -> Value {
    let mut literal = library_rating(
        "LLMRubricTrait",
        "tone",
        vec![property("kind", json!("literal")), property("classes", json!({"a": "A", "b": "B", "c": "C"}))],
    );
    // The library takes the range from the classes.
    literal["bestRating"] = json!(4.0);
    let mut template = library_rating(
        "LLMRubricTrait",
        "claims",
        vec![property("kind", json!({"type": "template", "schema": {}}))],
    );
    template["additionalProperty"]
        .as_array_mut()
        .expect("an array")
        .push(property("higher_is_better", json!(true)));
    template["bestRating"] = json!(0.0);
    json!({
        "@context": {"@vocab": "https://schema.org/"},
        "@type": "DataFeed",
        "@id": "urn:uuid:karenina-checkpoint-1.5",
        "name": "Any",
        "creator": {"@type": "Person", "name": "Ada"},
        "dateCreated": "2026-01-01T00:00:00.000001",
        "dateModified": "2026-01-01T00:00:00",
        "rating": [
            library_rating("RubricTrait", "correct", vec![]),
            literal,
            template,
            library_rating("RegexTrait", "cites", vec![property("pattern", json!("\\d"))]),
            library_rating("CallableTrait", "short", vec![property("kind", json!("boolean"))]),
            library_rating("MetricRubricTrait", "genes", vec![
                property("evaluation_mode", json!("full_matrix")),
                property("metrics", json!(["precision", "accuracy"])),
                property("tp_instructions", json!("[\"as JSON in a string\"]")),
                property("tn_instructions", json!(["x"])),
            ]),
            library_rating("AgenticRubricTrait", "searched", vec![
                property("context_mode", json!("trace_only")),
                property("materialize_trace", json!(true)),
                property("max_turns", json!(3)),
                property("timeout_seconds", json!("60")),
            ]).with("description", "Did it look?"),
            library_rating("DynamicRubricTrait", "protocol", vec![property("dynamic_trait_type", json!("llm"))])
                .with("description", "A protocol"),
        ],
        "dataFeedElement": [{
            "@type": "DataFeedItem",
            "@id": "urn:uuid:question-why-1",
            "dateCreated": "2026-01-01T00:00:00",
            "dateModified": "2026-01-01T00:00:00",
            "item": {
                "@type": "Question",
                "text": "Why?",
                "acceptedAnswer": {"@type": "Answer", "text": ""},
                "hasPart": {"@type": "SoftwareSourceCode", "name": "Why?... Answer Template", "text": "pass"},
                "rating": [{"name": "own", "additionalType": "QuestionSpecificRubricTrait",
                            "bestRating": "5", "worstRating": true}],
                "additionalProperty": [property("finished", json!(true)), {"name": "nothing"}],
                "keywords": ["k"]
            }
        }, {
            "@id": "urn:uuid:question-what-2",
            "dateCreated": "any text",
            "dateModified": "2026-01-01T00:00:00",
            "item": {
                "text": "What?",
                "acceptedAnswer": {"text": "x"},
                "hasPart": {"name": "", "text": ""}
            }
        }]
    })
}

fn interface_rating(stem: &str, properties: Vec<Value>) -> Value {
    let mut rating = library_rating(stem, stem, properties);
    rating["additionalType"] = json!(format!("QuestionSpecific{stem}"));
    rating
}

fn interface() -> Value {
    json!({
        "@context": {"@vocab": "http://schema.org/"},
        "@type": "DataFeed",
        "version": "0.1.0",
        "dataFeedElement": [{
            "@type": "DataFeedItem",
            "item": {
                "@type": "Question",
                "text": "Why?",
                "acceptedAnswer": {"@type": "Answer", "text": ""},
                "hasPart": {"@type": "SoftwareSourceCode", "text": "pass"},
                "rating": [{"@type": "Rating", "name": "a", "bestRating": 5, "worstRating": 1,
                            "additionalType": "QuestionSpecificRubricTrait"},
                           interface_rating("RegexTrait", vec![property("pattern", json!("a"))]),
                           interface_rating("CallableTrait", vec![property("callable_code", json!("cGFzcw==")),
                                                                  property("kind", json!("boolean"))]),
                           interface_rating("MetricRubricTrait", vec![
                               property("evaluation_mode", json!("tp_only")), property("metrics", json!(["f1"])),
                               property("tp_instructions", json!(["x"]))])],
                "additionalProperty": [property("finished", json!(true))]
            }
        }]
    })
}

fn base(profile: CheckpointProfile) -> Value {
    match profile {
        CheckpointProfile::Spec => spec(),
        CheckpointProfile::Library => library(),
        CheckpointProfile::Interface => interface(),
    }
}

/// The base with one change: that with a scenario where the change is in it.
fn changed(profile: CheckpointProfile, pointer: &str, new: Option<&Value>) -> Value {
    let is_dialogue = profile == CheckpointProfile::Library && pointer.starts_with("/hasPart/");
    let mut value = if is_dialogue { dialogue() } else { base(profile) };
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer has a slash");
    match value.pointer_mut(parent).expect("the parent is there") {
        Value::Object(object) => match new {
            Some(new) => drop(object.insert(key.to_owned(), new.clone())),
            None => drop(object.shift_remove(key).expect("there is something to remove")),
        },
        Value::Array(array) => {
            array[key.parse::<usize>().expect("an index")] = new.expect("a new item").clone();
        }
        _ => panic!("{pointer} has no parent"),
    }
    value
}

#[test]
fn what_keeps_every_rule_conforms_and_is_looked_at() {
    for profile in CheckpointProfile::ALL {
        let report = report(profile, &base(profile));
        assert!(report.conforms(), "{profile}: {:#?}", report.results);
        let idle: Vec<_> =
            report.idle_rules().filter(|rule| rule.severity == ResultSeverity::Violation).collect();
        let idle: Vec<_> = idle.into_iter().filter(|rule| rule.id != "K-P-Scenario").collect();
        assert!(idle.is_empty(), "{profile}: {idle:?}");
        assert!(report.subjects > 0);
    }
    let report = report(CheckpointProfile::Library, &dialogue());
    assert!(report.conforms(), "{:#?}", report.results);
}

#[test]
fn a_change_breaks_the_rule_and_no_other() {
    let cases: Vec<Case> = spec_cases().into_iter().chain(library_cases()).chain(interface_cases()).collect();
    for (profile, rule, pointer, new, found_at) in &cases {
        let report = report(*profile, &changed(*profile, pointer, new.as_ref()));
        let found: Vec<(&str, &str)> = report
            .results
            .iter()
            .filter(|result| {
                result.severity == ResultSeverity::Violation
                    || ["K-S13", "K-S17", "K-P7"].contains(&result.rule.as_ref())
            })
            .map(|result| {
                let place = result.place.as_ref().and_then(|place| place.pointer.as_deref());
                (result.rule.as_ref(), place.expect("every result has a pointer"))
            })
            .collect();
        assert_eq!(found, [(*rule, *found_at)], "{profile}: {pointer} = {new:?}");
    }
    for profile in CheckpointProfile::ALL {
        for rule in report(profile, &base(profile)).rules {
            let is_broken = cases.iter().any(|(_, id, ..)| *id == rule.id);
            // K-S12 is not a matter of the file alone; it has a test of its own.
            assert!(is_broken || rule.id.starts_with("K-X") || rule.id == "K-S12", "{} has no case", rule.id);
        }
    }
}

/// For the table of all rules: by profile, what is found where.
pub(crate) fn bad_cases() -> Vec<BadCase> {
    let cases = spec_cases().into_iter().chain(library_cases()).chain(interface_cases());
    let broken = cases.map(|(profile, rule, _, _, place)| (profile.to_string(), rule, place.to_owned()));
    let advised = |by: CheckpointProfile, rule, place: &str| (by.to_string(), rule, place.to_owned());
    let advice = advice_cases()
        .into_iter()
        .map(|(rule, _, _, place)| advised(CheckpointProfile::Library, rule, place));
    let more = MORE_ADVICE.map(|(rule, place)| advised(CheckpointProfile::Spec, rule, place));
    broken.chain(advice).chain(more).chain([advised(CheckpointProfile::Spec, "K-S12", CONTEXT)]).collect()
}

/// For the table of all rules: files that keep them.
pub(crate) fn good_reports() -> Vec<GoodReport> {
    let of = |profile: CheckpointProfile| (profile.to_string(), report(profile, &base(profile)));
    let in_order = report(CheckpointProfile::Library, &without_any_text(&library()));
    let dialogue = report(CheckpointProfile::Library, &dialogue());
    // The library's traits are not good ones of the interface, but their names are.
    let agentic = report(CheckpointProfile::Interface, &library());
    let reports = CheckpointProfile::ALL.map(of).into_iter();
    let more = [in_order, dialogue].map(|report| (CheckpointProfile::Library.to_string(), report));
    reports.chain(more).chain([(CheckpointProfile::Interface.to_string(), agentic)]).collect()
}

/// Where a context is found that is not schema.org's.
const CONTEXT: &str = "/@context";

/// What else is only advice, in a file of the specification, and where.
const MORE_ADVICE: [(&str, &str); 4] = [
    ("K-X4", "/hasPart/0/item/rating/2/name"),
    ("K-X5", "/hasPart/0/item/rating/3/name"),
    ("K-X8", "/hasPart/0/item/rating/1/@id"),
    ("K-X11", "/dateCreated"),
];

fn spec_cases() -> Vec<Case> {
    [spec_cases_to_8(), spec_cases_9_to_13(), spec_cases_from_14()].concat()
}

/// Changes of a good file that break the rules about its structure, K-S1 to K-S8.
fn spec_cases_to_8() -> Vec<Case> {
    let case = |rule, pointer, new, found| (CheckpointProfile::Spec, rule, pointer, new, found);
    const RATING: &str = "/hasPart/0/item/rating/0";
    vec![
        case("K-S1", "/@type", Some(json!("DataFeed")), "/@type"),
        case("K-S1", "/@type", Some(json!(["Dataset"])), "/@type"),
        case("K-S1", "/@context", None, ""),
        case("K-S2", "/version", Some(json!("1.0.0")), "/version"),
        case("K-S2", "/version", None, ""),
        case("K-S3", "/hasPart", Some(json!({})), "/hasPart"),
        case("K-S3", "/hasPart/0/@type", Some(json!("Thing")), "/hasPart/0/@type"),
        case("K-S4", "/hasPart/0/dateModified", None, "/hasPart/0"),
        case("K-S4", "/hasPart/0/item/@type", Some(json!("Person")), "/hasPart/0/item"),
        case("K-S5", "/hasPart/0/item/text", Some(json!(7)), "/hasPart/0/item/text"),
        case("K-S5", "/hasPart/0/item/acceptedAnswer", None, "/hasPart/0/item"),
        case("K-S5", "/hasPart/0/item/acceptedAnswer/text", None, "/hasPart/0/item/acceptedAnswer"),
        case("K-S5", "/hasPart/0/item/hasPart/@type", None, "/hasPart/0/item/hasPart"),
        case(
            "K-S5",
            "/hasPart/0/item/hasPart/programmingLanguage",
            Some(json!("R")),
            "/hasPart/0/item/hasPart/programmingLanguage",
        ),
        case("K-S6", "/hasPart/0/item/rating/0/name", None, RATING),
        case(
            "K-S6",
            "/hasPart/0/item/rating/0/bestRating",
            Some(json!("1")),
            "/hasPart/0/item/rating/0/bestRating",
        ),
        case("K-S6", "/hasPart/0/item/rating/0/ratingValue", None, RATING),
        case(
            "K-S7",
            "/hasPart/0/item/rating/1/ratingValue",
            Some(json!(6)),
            "/hasPart/0/item/rating/1/ratingValue",
        ),
        case(
            "K-S8",
            "/hasPart/0/item/rating/0/ratingValue",
            Some(json!(0.5)),
            "/hasPart/0/item/rating/0/ratingValue",
        ),
    ]
}

/// Those that break the rules K-S9 to K-S13.
fn spec_cases_9_to_13() -> Vec<Case> {
    let case = |rule, pointer, new, found| (CheckpointProfile::Spec, rule, pointer, new, found);
    vec![
        case(
            "K-S9",
            "/hasPart/0/item/rating/1",
            Some(
                json!({"@type": "Rating", "name": "a", "ratingValue": 2, "bestRating": 2, "worstRating": 2}),
            ),
            "/hasPart/0/item/rating/1/bestRating",
        ),
        case(
            "K-S10",
            "/hasPart/0/item/rating/0/author",
            Some(json!("me")),
            "/hasPart/0/item/rating/0/author",
        ),
        case("K-S11", "/dateCreated", Some(json!("yesterday")), "/dateCreated"),
        case(
            "K-S11",
            "/hasPart/0/dateModified",
            Some(json!("2026-02-30T00:00:00Z")),
            "/hasPart/0/dateModified",
        ),
        case("K-S13", "/hasPart/0/item/@id", Some(json!("urn:x:y")), "/hasPart/0/item/@id"),
        case("K-S13", "/hasPart/0/item/@id", Some(json!("urn:uuid:question-how-0")), "/hasPart/0/item/@id"),
        case("K-S13", "/@id", Some(json!("urn:uuid:karenina-checkpoint-")), "/@id"),
        case("K-S13", "/@id", Some(json!("urn:uuid:karenina-checkpoint-new")), "/@id"),
        case(
            "K-S13",
            "/hasPart/0/item/acceptedAnswer/@id",
            Some(json!("urn:uuid:answer-b")),
            "/hasPart/0/item/acceptedAnswer/@id",
        ),
        case(
            "K-S13",
            "/hasPart/0/item/hasPart/@id",
            Some(json!("urn:uuid:template-aa")),
            "/hasPart/0/item/hasPart/@id",
        ),
        case(
            "K-S13",
            "/hasPart/0/item/rating/1/@id",
            Some(json!("urn:uuid:rating-wide")),
            "/hasPart/0/item/rating/1/@id",
        ),
    ]
}

/// Those that break the rules from K-S14 on.
fn spec_cases_from_14() -> Vec<Case> {
    let case = |rule, pointer, new, found| (CheckpointProfile::Spec, rule, pointer, new, found);
    vec![
        case("K-S14", "/hasPart/0/item/acceptedAnswer/@type", None, "/hasPart/0/item/acceptedAnswer"),
        case(
            "K-S14",
            "/hasPart/0/item/rating/1/@type",
            Some(json!("Review")),
            "/hasPart/0/item/rating/1/@type",
        ),
        case("K-S14", "/additionalProperty/3/@type", None, "/additionalProperty/3"),
        case("K-S14", "/additionalProperty/3/name", Some(json!(3)), "/additionalProperty/3/name"),
        case("K-S14", "/additionalProperty/3/value", None, "/additionalProperty/3"),
        case("K-S14", "/additionalProperty/3", Some(json!("x")), "/additionalProperty/3"),
        case(
            "K-S15",
            "/hasPart/0/item/additionalProperty/0/value",
            Some(json!("yes")),
            "/hasPart/0/item/additionalProperty/0/value",
        ),
        case(
            "K-S15",
            "/hasPart/0/item/additionalProperty/1/value",
            Some(json!(null)),
            "/hasPart/0/item/additionalProperty/1/value",
        ),
        case("K-S15", "/additionalProperty/0/value", Some(json!("2.0")), "/additionalProperty/0/value"),
        case("K-S15", "/additionalProperty/1/value", Some(json!("[{")), "/additionalProperty/1/value"),
        case("K-S15", "/additionalProperty/1/value", Some(json!("{}")), "/additionalProperty/1/value"),
        case(
            "K-S15",
            "/additionalProperty/1/value",
            Some(json!(r#"[{"name":"a","kind":"odd"}]"#)),
            "/additionalProperty/1/value",
        ),
        case("K-S15", "/additionalProperty/2/value", Some(json!({})), "/additionalProperty/2/value"),
        case(
            "K-S16",
            "/hasPart/0/item/rating/0/bestRating",
            Some(json!(2)),
            "/hasPart/0/item/rating/0/bestRating",
        ),
        case(
            "K-S17",
            "/hasPart/0/item/rating/1",
            Some(
                json!({"@type": "Rating", "name": "clear", "ratingValue": 2, "bestRating": 5, "worstRating": 0,
                        "author": "Question-Specific Rubric"}),
            ),
            "/hasPart/0/item/rating/1/bestRating",
        ),
    ]
}

fn library_cases() -> Vec<Case> {
    let case = |rule, pointer, new, found| (CheckpointProfile::Library, rule, pointer, new, found);
    let mut cases = vec![
        case("K-P-DataFeed", "/@context", Some(json!("https://schema.org")), "/@context"),
        case("K-P-DataFeed", "/@context", None, ""),
        case("K-P-DataFeed", "/@type", Some(json!("Person")), "/@type"),
        case("K-P-DataFeed", "/name", Some(json!("")), "/name"),
        case("K-P-DataFeed", "/name", Some(Value::Null), "/name"),
        case("K-P-DataFeed", "/creator", Some(json!({"url": "x"})), "/creator"),
        case("K-P-DataFeed", "/dateCreated", None, ""),
        case("K-P-DataFeed", "/dateModified", None, ""),
        case("K-P-DataFeed", "/dataFeedElement", None, ""),
        case("K-P-DataFeed", "/dataFeedElement/1", Some(json!(1)), "/dataFeedElement/1"),
        case("K-P-DataFeed", "/rating", Some(json!({})), "/rating"),
        case("K-P-DataFeedItem", "/dataFeedElement/0/dateCreated", None, "/dataFeedElement/0"),
        case("K-P-DataFeedItem", "/dataFeedElement/1/item", None, "/dataFeedElement/1"),
        case(
            "K-P-DataFeedItem",
            "/dataFeedElement/0/keywords",
            Some(json!(["a", 1])),
            "/dataFeedElement/0/keywords/1",
        ),
        case("K-P-Question", "/dataFeedElement/0/item/text", None, "/dataFeedElement/0/item"),
        case("K-P-Question", "/dataFeedElement/0/item/text", Some(json!("")), "/dataFeedElement/0/item/text"),
        case(
            "K-P-Question",
            "/dataFeedElement/0/item/hasPart",
            Some(json!([{"name": "", "text": ""}])),
            "/dataFeedElement/0/item/hasPart",
        ),
        case(
            "K-P-Answer",
            "/dataFeedElement/0/item/acceptedAnswer/text",
            Some(json!(4)),
            "/dataFeedElement/0/item/acceptedAnswer/text",
        ),
        case(
            "K-P-SoftwareSourceCode",
            "/dataFeedElement/0/item/hasPart/name",
            None,
            "/dataFeedElement/0/item/hasPart",
        ),
        case("K-P-Rating", "/rating/0/bestRating", Some(json!("many")), "/rating/0/bestRating"),
        case("K-P-Rating", "/rating/0/additionalType", None, "/rating/0"),
        case(
            "K-P-PropertyValue",
            "/dataFeedElement/0/item/additionalProperty/1/name",
            None,
            "/dataFeedElement/0/item/additionalProperty/1",
        ),
        case(
            "K-P1",
            "/dataFeedElement/0/item/rating/0/additionalType",
            Some(json!("karenina:GlobalManualRubricTrait")),
            "/dataFeedElement/0/item/rating/0/additionalType",
        ),
        case(
            "K-P2",
            "/rating/0/additionalType",
            Some(json!("karenina:QuestionSpecificRubricTrait")),
            "/rating/0/additionalType",
        ),
        case("K-P4", "/hasPart", Some(dialogue()["hasPart"].clone()), "/hasPart"),
        case("K-P5", "/rating/3/name", Some(json!("correct")), "/rating/3/name"),
        case("K-P5", "/rating/6/name", Some(json!("a.b")), "/rating/6/name"),
        case("K-P6", FINISHED, Some(json!("done")), FINISHED),
        case("K-P6", FINISHED, None, "/dataFeedElement/0/item/additionalProperty/0"),
        case(
            "K-P7",
            "/dataFeedElement/0/item/rating/0/additionalType",
            Some(json!("karenina:QuestionSpecificDynamicRubricTrait")),
            "/dataFeedElement/0/item/rating/0/additionalType",
        ),
        case(
            "K-P7",
            "/rating/7/additionalProperty/0/value",
            Some(json!("magic")),
            "/rating/7/additionalProperty/0/value",
        ),
        case("K-P-DataFeed", "/@type", Some(Value::Null), "/@type"),
        case("K-P-Rating", "/rating/0/@type", Some(Value::Null), "/rating/0/@type"),
    ];
    cases.extend(scenario_cases());
    cases.extend(kind_cases());
    cases
}

/// The value of `finished` of the first question.
const FINISHED: &str = "/dataFeedElement/0/item/additionalProperty/0/value";

/// What the library asks of the parts of a scenario.
fn scenario_cases() -> Vec<Case> {
    let case = |pointer, new, found| (CheckpointProfile::Library, "K-P-Scenario", pointer, new, found);
    let at = |pointer, new: Value| (CheckpointProfile::Library, "K-P-Scenario", pointer, Some(new), pointer);
    const MODEL: &str = "/hasPart/0/nodes/a/modelOverride/answering_model";
    vec![
        case("/hasPart/0/entryNode", None, "/hasPart/0"),
        at("/hasPart/0/@type", json!("Scenario")),
        case("/hasPart/0/nodes/a/question", None, "/hasPart/0/nodes/a"),
        at("/hasPart/0/nodes/a/questionData/answer", json!("more")),
        at("/hasPart/0/nodes/a/questionData/raw_answer", json!("")),
        case("/hasPart/0/nodes/a/modelOverride/answering_model/id", None, MODEL),
        at("/hasPart/0/edges/0/condition/verify_with/type", json!("Guess")),
        case("/hasPart/0/edges/0/condition/verify_with", None, "/hasPart/0/edges/0/condition"),
        at("/hasPart/0/outcomeCriteria/0/check/type", json!("Some")),
        case(
            "/hasPart/0/outcomeCriteria/0/check",
            Some(json!({"type": "at_least_n", "n": -1})),
            "/hasPart/0/outcomeCriteria/0/check/n",
        ),
        at("/hasPart/0/outcomeCriteria/0/check", json!([])),
    ]
}

/// The rules of the kinds of traits.
fn kind_cases() -> Vec<Case> {
    let case = |pointer, new, found| (CheckpointProfile::Library, "K-P3", pointer, new, found);
    let at = |pointer: &'static str, new: Value| case(pointer, Some(new), pointer);
    let with = |name, of, properties| Some(library_rating(name, of, properties));
    let classes = |count: usize| {
        let names = (0..count).map(|number| (format!("c{number}"), json!("C")));
        Value::Object(names.collect())
    };
    let literal = |classes: Value, best: u64| {
        let properties = vec![property("kind", json!("literal")), property("classes", classes)];
        let mut rating = library_rating("LLMRubricTrait", "tone", properties);
        rating["bestRating"] = json!(best);
        Some(rating)
    };
    let of_template = {
        let schema = property("kind", json!({"type": "template", "schema": {}}));
        let properties = vec![schema, property("higher_is_better", json!(true))];
        let template = library_rating("AgenticRubricTrait", "searched", properties);
        Some(template.with("description", "Did it look?"))
    };
    let names = "/rating/1/additionalProperty/1/value";
    vec![
        case("/rating/1", literal(json!({"only": "one"}), 0), names),
        case("/rating/1", literal(classes(21), 20), names),
        case(names, Some(json!({"a": "A", "A": "B", "c": "C"})), "/rating/1/additionalProperty/1/value/A"),
        case(names, Some(json!({"a": "A", " ": "B", "c": "C"})), "/rating/1/additionalProperty/1/value/ "),
        case(names, Some(json!({"a": "A", "b": " "})), "/rating/1/additionalProperty/1/value/b"),
        at("/rating/2/additionalProperty/0/value", json!({"type": "template", "schema": null})),
        case("/rating/6", of_template, "/rating/6/additionalProperty/1/value"),
        case("/rating/6/description", None, "/rating/6"),
        case(
            "/rating/4",
            with("CallableTrait", "short", vec![property("kind", json!("literal"))]),
            "/rating/4",
        ),
        case(
            "/rating/4",
            with("CallableTrait", "short", vec![property("callable_code", json!("abc"))]),
            "/rating/4/additionalProperty/0/value",
        ),
        case("/rating/3/additionalProperty/0/value", None, "/rating/3/additionalProperty/0"),
        case(
            "/rating/3",
            with("RegexTrait", "cites", vec![property("case_sensitive", json!("maybe"))]),
            "/rating/3/additionalProperty/0/value",
        ),
        at("/rating/3/additionalProperty/0/value", json!(7)),
        at("/rating/4/additionalProperty/0/value", json!("other")),
        at("/rating/5/additionalProperty/0/value", json!("tp_and_tn")),
        at("/rating/5/additionalProperty/1/value", json!(["precision", "luck"])),
        at("/rating/5/additionalProperty/1/value", json!([])),
        at("/rating/5/additionalProperty/2/value", json!("[]")),
        at("/rating/5/additionalProperty/3/value", json!([])),
        at("/rating/6/additionalProperty/0/value", json!("everything")),
        case(
            "/rating/6/additionalProperty/0/value",
            Some(json!("workspace_only")),
            "/rating/6/additionalProperty/1/value",
        ),
        at("/rating/6/additionalProperty/2/value", json!(0)),
        at("/rating/6/additionalProperty/3/value", json!(-1.5)),
        case("/rating/7/description", None, "/rating/7"),
    ]
}

fn interface_cases() -> Vec<Case> {
    let case = |rule, pointer, new, found| (CheckpointProfile::Interface, rule, pointer, new, found);
    let at = |rule, pointer, new: Value| (CheckpointProfile::Interface, rule, pointer, Some(new), pointer);
    vec![
        case("K-G1", "/@type", Some(json!("Dataset")), "/@type"),
        case("K-G2", "/dataFeedElement", Some(json!("x")), "/dataFeedElement"),
        case("K-G2", "/dataFeedElement", None, ""),
        case("K-G3", "/dataFeedElement/0/@type", None, "/dataFeedElement/0"),
        case("K-G3", "/dataFeedElement/0/item/@type", Some(json!("Thing")), "/dataFeedElement/0/item"),
        case("K-G4", "/dataFeedElement/0/item/text", Some(json!("")), "/dataFeedElement/0/item/text"),
        case("K-G4", "/dataFeedElement/0/item/acceptedAnswer", None, "/dataFeedElement/0/item"),
        case("K-G5", "/dataFeedElement/0/item/hasPart", Some(json!([])), "/dataFeedElement/0/item/hasPart"),
        case(
            "K-G6",
            "/dataFeedElement/0/item/rating/0/bestRating",
            Some(json!("5")),
            "/dataFeedElement/0/item/rating/0/bestRating",
        ),
        case(
            "K-G7",
            "/dataFeedElement/0/item/rating/0/additionalType",
            Some(json!("karenina:QuestionSpecificRubricTrait")),
            "/dataFeedElement/0/item/rating/0/additionalType",
        ),
        case(
            "K-G7",
            "/dataFeedElement/0/item/rating/0/additionalType",
            Some(json!("QuestionSpecificLLMRubricTrait")),
            "/dataFeedElement/0/item/rating/0/additionalType",
        ),
        case("K-G8", "/version", None, ""),
        at("K-G8", "/version", json!(1)),
        case("K-G8", "/@context", None, ""),
        case("K-G9", "/dataFeedElement/0/item/rating/0/@type", None, "/dataFeedElement/0/item/rating/0"),
        at("K-G10", "/dataFeedElement/0/item/additionalProperty", json!({})),
        case(
            "K-G10",
            "/dataFeedElement/0/item/additionalProperty/0/name",
            None,
            "/dataFeedElement/0/item/additionalProperty/0",
        ),
        case(
            "K-G11",
            "/dataFeedElement/0/item/rating/0/worstRating",
            Some(json!(5)),
            "/dataFeedElement/0/item/rating/0/bestRating",
        ),
        at("K-G11", "/dataFeedElement/0/item/rating/0/name", json!(" ")),
        at("K-G11", "/dataFeedElement/0/item/rating/1/additionalProperty/0/value", json!("")),
        at("K-G11", "/dataFeedElement/0/item/rating/2/additionalProperty/1/value", json!("literal")),
        at("K-G11", "/dataFeedElement/0/item/rating/3/additionalProperty/0/value", json!("full_matrix")),
        at("K-G12", "/dataFeedElement/0/@id", json!(7)),
    ]
}

/// Changes that bring a rule's advice: rule, pointer of what is changed, the new value, and the pointer
/// that the result has.
fn advice_cases() -> [(&'static str, &'static str, Value, &'static str); 11] {
    let stub = evalgraph::source::checkpoint::template::default_stub("What?");
    let finished = json!([property("finished", json!(true))]);
    const ITEM: &str = "/dataFeedElement/1/item";
    [
        ("K-X1", "/dataFeedElement/1/@id", json!("urn:uuid:question-why-1"), "/dataFeedElement/1/@id"),
        ("K-X2", "/dataFeedElement/1/item/text", json!("Why?"), "/dataFeedElement/1/item/text"),
        (
            "K-X3",
            ITEM,
            json!({"@type": "Question", "text": "What?", "acceptedAnswer": {"text": ""},
                   "hasPart": {"name": "", "text": stub}, "additionalProperty": finished}),
            "/dataFeedElement/1/item/additionalProperty/0/value",
        ),
        (
            "K-X6",
            "/rating/1/additionalProperty/1/value",
            json!({"good": "G", "2": "T", "1": "O"}),
            "/rating/1/additionalProperty/1/value",
        ),
        (
            "K-X7",
            "/rating/4/additionalProperty/0",
            property("callable_code", json!("cGFzcw==")),
            "/rating/4/additionalProperty/0/value",
        ),
        (
            "K-X9",
            "/dataFeedElement/1/@id",
            json!("0cc175b9c0f1b6a831c399e269772661"),
            "/dataFeedElement/1/@id",
        ),
        ("K-X9", "/@id", json!("urn:a b"), "/@id"),
        ("K-X10", "/dateModified", json!("last week"), "/dateModified"),
        (
            "K-X12",
            "/rating/0/additionalProperty",
            json!([property("min_score", json!(0)), property("max_score", json!(1.0))]),
            "/rating/0/additionalProperty/1/value",
        ),
        ("K-X13", "/rating/0/bestRating", json!(-1), "/rating/0/bestRating"),
        ("K-X14", "/rating/3/additionalProperty/0/value", json!(""), "/rating/3/additionalProperty/0/value"),
    ]
}

#[test]
fn advice_is_given_where_nothing_is_broken() {
    // One timestamp of the base is any text, which the library takes.
    let untouched = report(CheckpointProfile::Library, &without_any_text(&library()));
    assert!(untouched.results.is_empty(), "{:#?}", untouched.results);
    for (rule, pointer, new, found_at) in advice_cases() {
        let value = without_any_text(&changed(CheckpointProfile::Library, pointer, Some(&new)));
        let report = report(CheckpointProfile::Library, &value);
        let found: Vec<_> = report
            .results
            .iter()
            .map(|result| {
                let place = result.place.as_ref().and_then(|place| place.pointer.as_deref());
                (result.rule.as_ref(), place.expect("every result has a pointer"))
            })
            .collect();
        assert_eq!(found, [(rule, found_at)], "{pointer} = {new}");
        assert!(report.conforms());
    }
}

/// The base of the library with all timestamps in order, and the class of its bare item.
fn without_any_text(value: &Value) -> Value {
    let mut value = value.clone();
    value["dataFeedElement"][1]["dateCreated"] = json!("2026-01-01T00:00:00");
    value["dataFeedElement"][1]["@type"] = json!("DataFeedItem");
    value
}

#[test]
fn names_and_ids_of_ratings_and_time_zones_are_advice_too() {
    let mut value = spec();
    value["hasPart"][0]["item"]["rating"][1]["@id"] = json!("urn:uuid:rating-clear");
    value["dateCreated"] = json!("2026-01-01T00:00:00");
    let ratings = value["hasPart"][0]["item"]["rating"].as_array_mut().expect("an array");
    for (id, name) in [("second", "clear"), ("third", "a.b")] {
        let mut copy = ratings[0].clone();
        copy["@id"] = json!(format!("urn:uuid:rating-{id}"));
        copy["name"] = json!(name);
        copy["additionalType"] = json!("GlobalAgenticRubricTrait");
        ratings.push(copy);
    }
    let report = report(CheckpointProfile::Spec, &value);
    let place = |result: &evalgraph::diagnostic::validation::RuleResult| {
        result.place.as_ref().and_then(|place| place.pointer.clone()).expect("every result has a pointer")
    };
    // The ids are not those of the names, which is the specification's matter.
    let found: Vec<(&str, String)> = report
        .results
        .iter()
        .filter(|result| result.rule != "K-S13")
        .map(|result| (result.rule.as_ref(), place(result)))
        .collect();
    assert_eq!(found, MORE_ADVICE.map(|(rule, place)| (rule, place.to_owned())));
    assert!(report.conforms());
    let of_ids = report.results.iter().find(|result| result.rule == "K-X8").expect("it is found");
    let (place, label) = of_ids.related.as_deref().expect("the first is named");
    assert_eq!(
        (place.pointer.as_deref(), label.as_str()),
        (Some("/hasPart/0/item/rating/0/@id"), "the first")
    );
}

#[test]
fn the_context_has_to_be_that_of_schema_org() {
    let cases = [
        (ContextMeaning::Other(vec!["text"]), "`text` is not schema.org's under this context"),
        (ContextMeaning::Other(vec!["name", "url"]), "`name`, `url` are not schema.org's under this context"),
        (ContextMeaning::Fault("it is broken".to_owned()), "the context cannot be used: it is broken"),
    ];
    for (meaning, message) in cases {
        let report = validate(&document(&spec().to_string()), CheckpointProfile::Spec, &meaning);
        assert_eq!(report.results.len(), 1);
        let result = &report.results[0];
        assert_eq!((result.rule.as_ref(), result.message.as_str()), ("K-S12", message));
        let place = result.place.as_ref().and_then(|place| place.pointer.as_deref());
        assert_eq!(place, Some(CONTEXT));
    }
}

/// What each fixture breaks of its own profile, by rule.
#[test]
fn fixtures_break_what_they_were_made_to_break() {
    let expected = [
        ("g-ecology", "K-X8 1"),
        ("gdev-geology", ""),
        ("m-history", ""),
        ("p0-programming", "K-P-DataFeed 2"),
        ("p1-physics", "K-P1 1, K-P2 1"),
        ("p2-awkward-ids", "K-X9 4"),
        ("p2-genomics", "K-X7 1"),
        ("p2-md5-arithmetic", "K-X3 1, K-X9 4"),
        ("p2-scenario", "K-P-Scenario 8, K-P4 1"),
        ("s0-cell-biology", "K-S7 2, K-S8 1, K-X8 8"),
        ("s0b-chemistry", "K-S6 9, K-X8 6"),
        ("s0c-pharmacology", "K-S7 1"),
        ("s1-astronomy", "K-S2 1, K-S6 3"),
        ("t-general-knowledge", "K-G3 10"),
        ("x-neuroscience", ""),
    ];
    let names = fixtures_in("karenina");
    for (name, expected) in expected {
        let name = format!("karenina/{name}.jsonld");
        assert!(names.contains(&name), "{name} is there");
        let document = fixture(&name);
        assert_eq!(summary(&document), expected, "{name}");
    }
}

fn summary(document: &evalgraph::json::JsonDocument) -> String {
    let dialect = CheckpointSurvey::from_document(document).detect().dialect;
    let profile = CheckpointProfile::from_dialect(dialect).expect("fixtures are checkpoints");
    let report = validate(document, profile, &ContextMeaning::SchemaOrg);
    let found = report.rules.iter().filter(|rule| rule.results > 0);
    found.map(|rule| format!("{} {}", rule.id, rule.results)).collect::<Vec<_>>().join(", ")
}

#[test]
#[ignore = "needs ../shared/karenina"]
fn files_of_the_programs_keep_the_rules_of_their_programs() {
    let folder = shared("karenina");
    let expected = [
        ("minimal", ""),
        ("with_rubrics", "K-X7 2"),
        ("md5_ids", "K-X3 2, K-X9 1"),
        ("seed-dialect-of-v2-seed-era", "K-S17 2, K-X8 4"),
        ("gui-dialect-of-v2-current", "K-X8 1"),
        // What these two are was never read by the programs of today.
        ("python-2025-08-example_benchmark", "K-P-DataFeed 2"),
        ("gui-e2e-multi_question", "K-G3 10"),
    ];
    for (name, expected) in expected {
        let text =
            std::fs::read_to_string(folder.join(format!("{name}.jsonld"))).expect("the file can be read");
        let document = parse(name, text, Limits::default()).expect("they are well-formed JSON");
        assert_eq!(summary(&document), expected, "{name}");
    }
}

#[test]
fn what_the_library_refuses_is_refused_without_a_crash() {
    let nested = (0..50).fold(json!({"name": "deepest"}), |inner, _| json!({"additionalProperty": inner}));
    let cases = [
        json!({"@type": "DataFeed", "name": "a"}),
        json!({"@context": {}, "@type": "Person", "name": "a"}),
        json!({"@context": {}, "name": "a", "dataFeedElement": []}),
        changed(CheckpointProfile::Library, "/dataFeedElement/0/item/additionalProperty", Some(&nested)),
        changed(
            CheckpointProfile::Library,
            "/dataFeedElement/0/item/additionalProperty",
            Some(&json!([nested])),
        ),
        changed(CheckpointProfile::Library, "/dataFeedElement/0/item/text", None),
        changed(CheckpointProfile::Library, "/rating/0/additionalType", Some(&json!("karenina:Oracle"))),
        changed(
            CheckpointProfile::Library,
            "/rating/0/additionalType",
            Some(&json!("karenina:QuestionSpecificRubricTrait")),
        ),
    ];
    for case in cases {
        assert!(!report(CheckpointProfile::Library, &case).conforms(), "{case}");
    }
    for text in [
        "[]",
        "null",
        "1",
        "\"a\"",
        "[[]]",
        "{}",
        "[{}, {}]",
        r#"{"dataFeedElement": [null, [], {"item": []}]}"#,
    ] {
        for profile in CheckpointProfile::ALL {
            let report = validate(&document(text), profile, &ContextMeaning::Absent);
            assert!(!report.conforms(), "{profile}: {text}");
        }
    }
}
