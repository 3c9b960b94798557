//! The rules of Kwanzaa's datasets: each has a change to a good file that breaks it, found at the right
//! place and nowhere else.

use crate::karenina::fixtures::{document, fixture, fixtures_in, path};
use crate::source::rules_table::{BadCase, GoodReport};
use evalgraph::diagnostic::validation::{ResultSeverity, RuleReport};
use evalgraph::source::kwanzaa::rules::{KwanzaaProfile, KwanzaaValidator, validate};
use evalgraph::source::kwanzaa::{KwanzaaSettings, SampleStatistics};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Changes that break a rule of a profile, and the pointer that the one result has. A change is the
/// pointer of what is changed and the new value; none removes it.
struct Case {
    profile: KwanzaaProfile,
    rule: &'static str,
    changes: Vec<(String, Option<Value>)>,
    found_at: String,
}

const GOOD: [&str; 5] = [
    "kwanzaa/citation.json",
    "kwanzaa/grounded-answer.json",
    "kwanzaa/refusal.json",
    "kwanzaa/format-compliance.json",
    "kwanzaa/each-category.json",
];

fn base() -> Value {
    let text = std::fs::read_to_string(path("kwanzaa/each-category.json")).expect("the fixture is there");
    serde_json::from_str(&text).expect("fixtures are well-formed JSON")
}

fn change(value: &mut Value, pointer: &str, new: Option<&Value>) {
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer has a slash");
    match value.pointer_mut(parent).expect("the parent is there") {
        Value::Object(object) => match new {
            Some(new) => drop(object.insert(key.to_owned(), new.clone())),
            None => drop(object.shift_remove(key).expect("there is something to remove")),
        },
        Value::Array(array) => {
            let index = key.parse::<usize>().expect("an index");
            match new {
                Some(new) => array[index] = new.clone(),
                None => drop(array.remove(index)),
            }
        }
        _ => panic!("{pointer} has no parent"),
    }
}

fn changed(changes: &[(String, Option<Value>)]) -> Value {
    let mut value = base();
    for (pointer, new) in changes {
        change(&mut value, pointer, new.as_ref());
    }
    value
}

fn found(report: &RuleReport) -> BTreeSet<(String, String, String)> {
    let entry = |result: &evalgraph::diagnostic::validation::RuleResult| {
        let pointer = result.place.as_ref().and_then(|place| place.pointer.clone());
        (result.rule.to_string(), pointer.expect("every result has a pointer"), result.message.clone())
    };
    report.results.iter().map(entry).collect()
}

fn report(profile: KwanzaaProfile, value: &Value) -> RuleReport {
    validate(&document(&value.to_string()), profile, &KwanzaaSettings::default())
}

#[test]
fn good_files_conform_to_every_profile() {
    for name in GOOD {
        for profile in KwanzaaProfile::ALL {
            let report = validate(&fixture(name), profile, &KwanzaaSettings::default());
            let bad: Vec<_> =
                report.results.iter().filter(|result| result.severity == ResultSeverity::Violation).collect();
            assert!(bad.is_empty(), "{name}, {profile}: {bad:#?}");
            assert!(report.subjects > 0);
        }
    }
}

#[test]
fn the_good_base_gives_every_rule_something_to_look_at() {
    for profile in KwanzaaProfile::ALL {
        let report = report(profile, &base());
        let idle: Vec<_> = report.idle_rules().map(|rule| rule.id.to_string()).collect();
        assert!(idle.is_empty(), "{profile}: {idle:?}");
    }
}

#[test]
fn a_change_breaks_the_rule_and_no_other() {
    let mut cases = seed_cases();
    cases.extend(code_cases());
    cases.extend(contract_cases());
    let before = KwanzaaProfile::ALL.map(|profile| found(&report(profile, &base())));
    let mut wrong = Vec::new();
    for Case { profile, rule, changes, found_at } in &cases {
        let after = found(&report(*profile, &changed(changes)));
        // What is only worth knowing follows from ids and from all samples together.
        let counts = |id: &str| id == *rule || !["W-24", "W-25", "W-26", "W-29"].contains(&id);
        let added: Vec<_> =
            after.difference(&before[*profile as usize]).filter(|(id, ..)| counts(id)).collect();
        if added.len() != 1 || added[0].0 != *rule || added[0].1 != *found_at {
            wrong.push(format!("{profile} {rule} at {found_at}: {changes:?}: {added:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for profile in KwanzaaProfile::ALL {
        for rule in profile.rules() {
            let is_broken = cases.iter().any(|case| case.profile == profile && case.rule == rule.id);
            assert!(
                is_broken || ["W-25", "W-26", "W-29"].contains(&rule.id),
                "{profile}: {} has no case",
                rule.id
            );
        }
    }
}

/// What `variants.json` has of the rules on all samples together, and where it is found first.
const OF_ALL_SAMPLES: [(&str, &str); 2] = [("W-25", "/samples"), ("W-26", "/samples")];

#[test]
fn what_all_samples_lack_is_found_at_its_place() {
    let report =
        validate(&fixture("kwanzaa/variants.json"), KwanzaaProfile::Seed, &KwanzaaSettings::default());
    let found = found(&report);
    for (rule, place) in OF_ALL_SAMPLES {
        let places = found.iter().filter(|(id, ..)| id == rule).map(|(_, place, _)| place.as_str());
        assert_eq!(places.collect::<Vec<_>>().first(), Some(&place), "{rule}");
    }
}

#[test]
fn samples_that_are_all_alike_are_worth_knowing_from_a_number_on() {
    let of = |count: usize| {
        let mut value = base();
        let sample = value["samples"][0].clone();
        let samples = (0..count).map(|at| {
            let mut sample = sample.clone();
            sample["sample_id"] = json!(format!("citation_educator_{at:03}"));
            sample["user_query"] = json!(format!("When was the Kwanzaa of year {at}?"));
            for result in sample["retrieved_context"].as_array_mut().expect("an array") {
                result["metadata"]["year"] = json!(1966);
                result["metadata"]["content_type"] = json!("book");
            }
            sample
        });
        value["samples"] = samples.collect();
        let report = report(KwanzaaProfile::Seed, &value);
        let alike = report.results.iter().filter(|result| result.rule == "W-29");
        alike.map(|result| result.message.clone()).collect::<Vec<_>>()
    };
    assert!(of(4).is_empty());
    let expected = [
        "every question begins with `when`",
        "every source is of the type `book`",
        "every source is of the decade from `1960`",
    ];
    assert_eq!(of(5), expected);
}

#[test]
fn the_average_quality_is_exact() {
    let mut value = base();
    for sample in value["samples"].as_array_mut().expect("an array") {
        sample["metadata"]["quality_score"] = json!(0.90004);
    }
    let mut statistics = SampleStatistics::new(KwanzaaSettings::default());
    statistics.add(&document(&value.to_string()));
    assert_eq!(statistics.average_quality(), Some(0.90004));
}

/// For the table of all rules: by profile, what is found where.
pub(crate) fn bad_cases() -> Vec<BadCase> {
    let cases = [seed_cases(), code_cases(), contract_cases()].into_iter().flatten();
    let alike = (KwanzaaProfile::Seed.to_string(), "W-29", "/samples".to_owned());
    let of_all =
        OF_ALL_SAMPLES.map(|(rule, place)| (KwanzaaProfile::Seed.to_string(), rule, place.to_owned()));
    cases
        .map(|case| (case.profile.to_string(), case.rule, case.found_at))
        .chain(of_all)
        .chain([alike])
        .collect()
}

/// For the table of all rules: files that keep them.
pub(crate) fn good_reports() -> Vec<GoodReport> {
    let of = |profile: KwanzaaProfile| {
        GOOD.map(|name| (profile.to_string(), validate(&fixture(name), profile, &KwanzaaSettings::default())))
    };
    let seed = |report| (KwanzaaProfile::Seed.to_string(), report);
    // Three samples have ids as the convention is, and all files together have enough of each kind.
    let mut named = base();
    named["samples"].as_array_mut().expect("an array").truncate(3);
    let named = seed(report(KwanzaaProfile::Seed, &named));
    let mut validator = KwanzaaValidator::new(KwanzaaProfile::Seed, KwanzaaSettings::default());
    for name in GOOD.into_iter().chain(["kwanzaa/variants.json"]) {
        validator.validate(&fixture(name));
    }
    let together = seed(validator.finish());
    KwanzaaProfile::ALL.into_iter().flat_map(of).chain([named, together]).collect()
}

/// A case at the value that is changed.
fn at(profile: KwanzaaProfile, rule: &'static str, pointer: impl Into<String>, new: Value) -> Case {
    let pointer = pointer.into();
    Case { profile, rule, changes: vec![(pointer.clone(), Some(new))], found_at: pointer }
}

/// A case of a key that is removed, found at its object.
fn without(profile: KwanzaaProfile, rule: &'static str, pointer: impl Into<String>) -> Case {
    let pointer = pointer.into();
    let object = pointer.rsplit_once('/').expect("a pointer has a slash").0.to_owned();
    Case { profile, rule, changes: vec![(pointer, None)], found_at: object }
}

impl Case {
    /// Changes something else besides, without which more than the rule would be broken.
    fn and(mut self, pointer: &str, new: Value) -> Self {
        self.changes.push((pointer.to_owned(), Some(new)));
        self
    }
}

fn letters(count: usize) -> Value {
    Value::String("é".repeat(count))
}

/// The fields of a dataset that seed and code have alike.
fn dataset_cases(profile: KwanzaaProfile) -> Vec<Case> {
    let one = "/samples/0";
    let result = "/samples/0/retrieved_context/0";
    const SAME_RANK: &str = "/samples/0/expected_output/retrieval_summary/results/0/rank";
    vec![
        at(profile, "W-TrainingDataset", "/dataset_version", json!("1.0")),
        at(profile, "W-TrainingDataset", "/dataset_version", json!("1.0.x")),
        at(profile, "W-TrainingDataset", "/created_at", json!("February")),
        at(profile, "W-TrainingDataset", "/description", json!(1)),
        at(profile, "W-TrainingDataset", "/statistics", json!([])),
        at(profile, "W-Statistics", "/statistics/by_persona", json!([])),
        at(profile, "W-Statistics", "/statistics/total_samples", json!("many")),
        at(profile, "W-TrainingSample", format!("{one}/sample_id"), json!("All-Fields")),
        at(profile, "W-TrainingSample", format!("{one}/sample_id"), json!("")),
        at(profile, "W-TrainingSample", format!("{one}/persona"), json!("teacher")),
        at(profile, "W-TrainingSample", "/samples/3/category", json!("format")),
        at(profile, "W-TrainingSample", format!("{one}/user_query"), letters(501)),
        at(profile, "W-TrainingSample", format!("{one}/user_query"), json!("")),
        at(profile, "W-TrainingSample", "/samples/0", json!("a sample")),
        at(profile, "W-RetrievalResult", format!("{result}/content"), letters(2001)),
        at(profile, "W-RetrievalResult", format!("{result}/rank"), json!(0)).and(SAME_RANK, json!(0)),
        at(profile, "W-RetrievalResult", format!("{result}/rank"), json!(1.5)).and(SAME_RANK, json!(1.5)),
        at(profile, "W-RetrievalResult", format!("{result}/chunk_id"), json!(7)),
        at(profile, "W-RetrievalResult", format!("{result}/metadata"), json!("none")),
        at(profile, "W-RetrievalMetadata", format!("{result}/metadata/year"), json!(1599)),
        at(profile, "W-RetrievalMetadata", format!("{result}/metadata/year"), json!(2101)),
        at(profile, "W-RetrievalMetadata", format!("{result}/metadata/tags"), json!("a, b")),
        at(profile, "W-SampleMetadata", format!("{one}/metadata/difficulty"), json!("mild")),
        at(profile, "W-SampleMetadata", format!("{one}/metadata/quality_score"), json!(1.01)),
        at(profile, "W-SampleMetadata", format!("{one}/metadata/reviewer"), json!(["A"])),
        at(profile, "W-SampleMetadata", format!("{one}/metadata/edge_case"), json!("perhaps")),
        at(profile, "W-1", "/samples/1/sample_id", json!("citation_educator_101")),
        at(profile, "W-2", format!("{one}/expected_output/persona"), json!("builder")),
        without(profile, "W-TrainingDataset", "/created_at"),
        without(profile, "W-TrainingDataset", "/dataset_version"),
        without(profile, "W-RetrievalResult", format!("{result}/namespace")),
        without(profile, "W-RetrievalMetadata", format!("{result}/metadata/license")),
        without(profile, "W-SampleMetadata", format!("{one}/metadata/difficulty")),
        without(profile, "W-TrainingSample", format!("{one}/user_query")),
        without(profile, "W-TrainingSample", format!("{one}/metadata")),
        at(profile, "W-SampleMetadata", format!("{one}/metadata/principle_focus/1"), json!("Faith")),
    ]
}

fn seed_cases() -> Vec<Case> {
    let seed = KwanzaaProfile::Seed;
    let answer = "/samples/0/expected_output";
    let grounded = "/samples/1";
    let refusal = "/samples/2";
    let form = "/samples/3";
    let mut cases = dataset_cases(seed);
    cases.extend([
        at(
            seed,
            "W-RetrievalMetadata",
            "/samples/0/retrieved_context/0/metadata/canonical_url",
            json!("no url"),
        ),
        at(seed, "W-TrainingSample", "/samples/0/user_query", letters(9)),
        at(seed, "W-SampleMetadata", "/samples/0/metadata/edge_case", json!(1)),
        at(seed, "W-SampleMetadata", "/samples/0/metadata/reviewer", Value::Null),
        without(seed, "W-TrainingSample", format!("{form}/expected_output")),
        at(seed, "W-AnswerJson", format!("{answer}/version"), json!("kwanzaa.answer.1")),
        at(seed, "W-AnswerJson", format!("{answer}/model_mode"), json!("turbo")),
        without(seed, "W-AnswerJson", format!("{answer}/version")),
        at(seed, "W-Toggles", format!("{answer}/toggles/creative_mode"), json!("no")),
        at(seed, "W-Answer", format!("{answer}/answer/tone"), json!("scholarly")),
        at(seed, "W-Answer", format!("{answer}/answer/confidence"), json!(-0.1)),
        at(seed, "W-Answer", format!("{answer}/answer/text"), json!("")),
        at(seed, "W-RetrievalSummary", format!("{answer}/retrieval_summary/top_k"), json!("5")),
        without(seed, "W-RetrievalSummary", format!("{answer}/retrieval_summary/top_k")),
        without(seed, "W-RetrievalSummary", format!("{answer}/retrieval_summary/namespaces")),
        at(seed, "W-TrainingDataset", "/created_at", json!("2026-02-01T08:00:00")),
        at(seed, "W-28", "/samples/1/expected_output/integrity/retrieval_confidence", json!("medium")),
        at(
            seed,
            "W-27",
            "/samples/1/user_query",
            json!("when was the first Kwanzaa, and how long does it last? "),
        ),
        at(seed, "W-RetrievalSummary", format!("{answer}/retrieval_summary/query"), json!([])),
        at(seed, "W-Unknowns", format!("{answer}/unknowns/missing_context"), json!("none")),
        without(seed, "W-Unknowns", format!("{answer}/unknowns/unsupported_claims")),
        at(seed, "W-Integrity", format!("{answer}/integrity/citation_required"), json!(1)),
        at(seed, "W-Provenance", format!("{answer}/provenance/generated_at"), json!("now")),
        at(seed, "W-3", "/samples/0/retrieved_context", one_result(0, 0.8).0)
            .and("/samples/0/expected_output/retrieval_summary/results", one_result(0, 0.8).1),
        at(seed, "W-4", format!("{answer}/sources"), json!([]))
            .and("/samples/0/expected_output/toggles/require_citations", json!(false)),
        at(seed, "W-7", format!("{refusal}/retrieved_context/0/score"), json!(0.7))
            .and("/samples/2/expected_output/retrieval_summary/results/0/score", json!(0.7)),
        at(seed, "W-13", format!("{grounded}/retrieved_context"), one_result(1, 0.9).0)
            .and("/samples/1/expected_output/retrieval_summary/results", one_result(1, 0.9).1),
        at(seed, "W-14", format!("{grounded}/expected_output/sources"), json!([{"doc_id": "boycott"}])),
        at(seed, "W-23", format!("{grounded}/retrieved_context/1/rank"), json!(3))
            .and("/samples/1/expected_output/retrieval_summary/results/1/rank", json!(3)),
        at(seed, "W-23", format!("{grounded}/retrieved_context/1/score"), json!(0.95))
            .and("/samples/1/expected_output/retrieval_summary/results/1/score", json!(0.95)),
        at(seed, "W-5", format!("{answer}/integrity/citations_provided"), json!(false)),
        without(seed, "W-5", format!("{answer}/integrity/citations_provided")),
        at(seed, "W-6", format!("{answer}/integrity/retrieval_confidence"), json!("low")),
        without(seed, "W-6", format!("{answer}/integrity/retrieval_confidence")),
        at(seed, "W-8", format!("{refusal}/expected_output/sources"), json!([{}])),
        at(seed, "W-9", format!("{refusal}/expected_output/integrity/citations_provided"), json!(true)),
        at(
            seed,
            "W-10",
            format!("{refusal}/expected_output/integrity/fallback_behavior"),
            json!("not_needed"),
        ),
        at(
            seed,
            "W-11",
            format!("{refusal}/expected_output/unknowns"),
            json!({"unsupported_claims": [], "missing_context": [], "clarifying_questions": []}),
        ),
        at(seed, "W-15", format!("{grounded}/expected_output/answer/text"), json!("No number here [a].")),
        at(seed, "W-16", format!("{form}/expected_output/sources"), json!([])),
        at(seed, "W-17", format!("{answer}/retrieval_summary/results/1/chunk_id"), json!("other_001")),
        at(seed, "W-17", format!("{answer}/retrieval_summary/results/1/score"), json!(0.61)),
        at(seed, "W-17", format!("{answer}/retrieval_summary/results"), json!([])),
        without(seed, "W-17", format!("{answer}/retrieval_summary/results/1/chunk_id")),
        at(seed, "W-20", "/statistics/total_samples", json!(5)),
        at(seed, "W-20", "/statistics/by_category/refusal", json!(2)),
        at(seed, "W-20", "/statistics/by_difficulty/impossible", json!(1)),
        without(seed, "W-20", "/statistics/by_persona/educator"),
        at(seed, "W-22", "/samples/0/metadata/quality_score", json!(0.69)),
        at(seed, "W-24", "/samples/0/sample_id", json!("citation_educator_one")),
    ]);
    cases
}

/// The first result of a sample with a score, as the sample has it and as its answer does.
fn one_result(sample: usize, score: f64) -> (Value, Value) {
    let base = base();
    let first = |pointer: &str| {
        let mut result = base.pointer(&format!("/samples/{sample}{pointer}/0")).expect("it is there").clone();
        result["score"] = json!(score);
        json!([result])
    };
    (first("/retrieved_context"), first("/expected_output/retrieval_summary/results"))
}

fn code_cases() -> Vec<Case> {
    let code = KwanzaaProfile::Code;
    let answer = "/samples/0/expected_output";
    let mut cases = dataset_cases(code);
    cases.extend([
        at(code, "W-SampleMetadata", "/samples/0/metadata/principle_focus", json!([])),
        at(
            code,
            "W-RetrievalMetadata",
            "/samples/0/retrieved_context/0/metadata/citation_label",
            letters(501),
        ),
        at(code, "W-RetrievalMetadata", "/samples/0/retrieved_context/0/metadata/source_org", letters(201)),
        at(code, "W-RetrievalMetadata", "/samples/0/retrieved_context/0/metadata/content_type", json!("")),
        at(code, "W-RetrievalMetadata", "/samples/0/retrieved_context/0/metadata/license", json!("")),
        at(code, "W-RetrievalResult", "/samples/0/retrieved_context/0/doc_id", json!("")),
        at(code, "W-TrainingSample", "/samples/0/expected_output", json!("text")),
        at(code, "W-SampleMetadata", "/samples/0/metadata/edge_case", json!(2)),
        without(code, "W-Statistics", "/statistics/total_samples"),
        at(code, "W-AnswerJson", format!("{answer}/version"), json!("1")),
        at(code, "W-AnswerJson", format!("{answer}/sources"), json!("a")),
        at(code, "W-AnswerJson", format!("{answer}/persona"), json!(7)),
        at(code, "W-AnswerJson", format!("{answer}/integrity"), json!([])),
        without(code, "W-AnswerJson", format!("{answer}/unknowns")),
        at(code, "W-Answer", format!("{answer}/answer/text"), json!("")),
        without(code, "W-RetrievalSummary", format!("{answer}/retrieval_summary/top_k")),
        without(code, "W-Unknowns", format!("{answer}/unknowns/missing_context")),
        at(code, "W-2", format!("{answer}/persona"), json!("teacher")),
        at(code, "W-3", "/samples/0/retrieved_context", json!([])),
        Case { found_at: "/samples/0".to_owned(), ..without(code, "W-3", "/samples/0/retrieved_context") },
        at(code, "W-7", "/samples/2/retrieved_context/0/score", json!(0.76)),
    ]);
    cases
}

fn contract_cases() -> Vec<Case> {
    let contract = KwanzaaProfile::Contract;
    let answer = "/samples/0/expected_output";
    let source = "/samples/0/expected_output/sources/0";
    let summary = "/samples/0/expected_output/retrieval_summary";
    let result = "/samples/0/expected_output/retrieval_summary/results/0";
    let unknowns = "/samples/0/expected_output/unknowns";
    let case = |rule, pointer: String, new| at(contract, rule, pointer, new);
    let mut cases = vec![
        at(contract, "W-1", "/samples/1/sample_id", json!("citation_educator_101")),
        case("W-2", format!("{answer}/persona"), json!("builder")),
        without(contract, "W-2", format!("{answer}/persona")),
        without(contract, "W-AnswerJson", "/samples/0/expected_output"),
        at(contract, "W-AnswerJson", "/samples/0/expected_output", json!([])),
        case("W-AnswerJson", format!("{answer}/citation_style"), json!("numbers")),
        case("W-AnswerJson", format!("{answer}/persona"), json!("teacher")),
        without(contract, "W-AnswerJson", format!("{answer}/unknowns")),
        without(contract, "W-AnswerJson", format!("{answer}/version")),
        without(contract, "W-Toggles", format!("{answer}/toggles/creative_mode")),
        case("W-Answer", format!("{answer}/answer/text"), letters(10_001)),
        case("W-Answer", format!("{answer}/answer/completeness"), json!("half")),
        case("W-Filters", format!("{summary}/filters/year_gte"), json!(1599)),
        case("W-Filters", format!("{summary}/filters/year_lte"), json!(1959)),
        case("W-Filters", format!("{summary}/filters/tags"), json!("kwanzaa")),
        case("W-RetrievalSummary", format!("{summary}/top_k"), json!(0)),
        case("W-RetrievalSummary", format!("{summary}/top_k"), json!(101)),
        case("W-RetrievalSummary", format!("{summary}/query"), letters(1001)),
        case("W-RetrievalSummary", format!("{summary}/namespaces"), json!([])),
        case("W-RetrievalSummary", format!("{summary}/execution_time_ms"), json!(-1)),
        without(contract, "W-RetrievalSummary", format!("{summary}/results")),
        case("W-Result", format!("{result}/rank"), json!(0)),
        case("W-Result", format!("{result}/snippet"), letters(2001)),
        case("W-Integrity", format!("{answer}/integrity/retrieval_confidence"), json!("certain")),
        case("W-Integrity", format!("{answer}/integrity/safety_flags/0"), letters(201)),
        case("W-Provenance", format!("{answer}/provenance/session_id"), json!("12")),
        without(contract, "W-Provenance", format!("{answer}/provenance/generated_at")),
        case("W-Unknowns", format!("{unknowns}/clarifying_questions/0"), letters(501)),
        case("W-Unknowns", format!("{unknowns}/out_of_scope/0"), letters(1001)),
        at(contract, "W-12", "/samples/2/expected_output/answer/completeness", json!("partial")),
        without(contract, "W-12", "/samples/2/expected_output/answer/completeness"),
        case("W-18", format!("{answer}/answer/text"), json!("In 1966 [1], for seven days [2].")),
        case("W-18", format!("{answer}/answer/text"), json!("In 1966 [0].")),
        case(
            "W-19",
            format!("{source}/canonical_url"),
            json!("ftp://lantern-hill.example.org/seven-candles"),
        ),
        case("W-19", format!("{result}/canonical_url"), json!("urn:isbn:0")),
        at(
            contract,
            "W-21",
            "/samples/2/expected_output/integrity",
            json!({"citation_required": true, "citations_provided": false}),
        ),
    ];
    for (key, most) in [
        ("citation_label", 500),
        ("source_org", 200),
        ("content_type", 100),
        ("license", 200),
        ("namespace", 100),
        ("doc_id", 200),
        ("chunk_id", 200),
    ] {
        cases.push(case("W-Source", format!("{source}/{key}"), letters(most + 1)));
        cases.push(case("W-Source", format!("{source}/{key}"), json!("")));
        cases.push(without(contract, "W-Source", format!("{source}/{key}")));
    }
    cases.extend([
        case("W-Source", format!("{source}/year"), json!("1971")),
        case("W-Source", format!("{source}/relevance_score"), json!(2)),
        case("W-Source", format!("{source}/tags/0"), letters(101)),
        case("W-Source", format!("{source}/tags"), json!(vec!["a"; 51])),
        without(contract, "W-Source", format!("{source}/canonical_url")),
    ]);
    for key in ["rank", "score", "citation_label", "canonical_url", "doc_id", "chunk_id", "namespace"] {
        cases.push(without(contract, "W-Result", format!("{result}/{key}")));
    }
    cases
}

/// What the fixtures that go against the documents break, by rule.
#[test]
fn fixtures_break_what_they_were_made_to_break() {
    let expected = [
        (
            KwanzaaProfile::Seed,
            "W-TrainingSample 1, W-Answer 1, W-5 1, W-6 1, W-7 1, W-8 1, W-9 1, W-17 1, W-20 1, W-22 1, \
             W-24 5, W-25 2, W-26 4, W-27 1",
        ),
        (KwanzaaProfile::Code, ""),
        (KwanzaaProfile::Contract, "W-Answer 1, W-RetrievalSummary 1, W-Result 8, W-21 1"),
    ];
    let found = expected.map(|(profile, _)| {
        let report = validate(&fixture("kwanzaa/variants.json"), profile, &KwanzaaSettings::default());
        let broken = report.rules.iter().filter(|rule| rule.results > 0);
        let broken: Vec<String> = broken.map(|rule| format!("{} {}", rule.id, rule.results)).collect();
        (profile, broken.join(", "))
    });
    assert_eq!(found, expected.map(|(profile, broken)| (profile, broken.to_owned())));
}

#[test]
fn each_bad_file_breaks_one_rule() {
    let expected = [
        ("no-third-source", KwanzaaProfile::Contract, "W-18", "/samples/0/expected_output/answer/text"),
        ("refusal-with-context", KwanzaaProfile::Seed, "W-7", "/samples/2/retrieved_context/0/score"),
        ("same-id", KwanzaaProfile::Seed, "W-1", "/samples/1/sample_id"),
        ("statistics", KwanzaaProfile::Seed, "W-20", "/statistics/total_samples"),
        (
            "unknown-key",
            KwanzaaProfile::Contract,
            "W-AnswerJson",
            "/samples/0/expected_output/citation_style",
        ),
        (
            "year-as-text",
            KwanzaaProfile::Seed,
            "W-RetrievalMetadata",
            "/samples/3/retrieved_context/0/metadata/year",
        ),
    ];
    assert_eq!(fixtures_in("kwanzaa/bad").len(), expected.len());
    for (name, profile, rule, pointer) in expected {
        let document = fixture(&format!("kwanzaa/bad/{name}.json"));
        let report = validate(&document, profile, &KwanzaaSettings::default());
        let found = found(&report);
        let found: Vec<_> = found
            .iter()
            .map(|(rule, pointer, _)| (rule.as_str(), pointer.as_str()))
            .filter(|(rule, _)| !["W-24", "W-25", "W-26"].contains(rule))
            .collect();
        assert_eq!(found, [(rule, pointer)], "{name}");
    }
}

/// The bad file says where the first of two samples with one id stands.
#[test]
fn the_second_of_two_ids_names_the_first() {
    let document = fixture("kwanzaa/bad/same-id.json");
    let report = validate(&document, KwanzaaProfile::Seed, &KwanzaaSettings::default());
    let result = report.results_of("W-1").next().expect("there is a result");
    assert_eq!(result.message, "`citation_educator_101` is also the id of /samples/0");
    let (place, label) = result.related.as_deref().expect("it has the other place");
    assert_eq!((place.pointer.as_deref(), label.as_str()), (Some("/samples/0/sample_id"), "the first one"));
}

#[test]
fn ids_are_unique_across_files_and_samples_of_all_files_count() {
    let mut validator = KwanzaaValidator::new(KwanzaaProfile::Seed, KwanzaaSettings::default());
    let conforms = GOOD.map(|name| validator.validate(&fixture(name)).conforms());
    assert_eq!(conforms, [true; 5]);
    let again = validator.validate(&fixture("kwanzaa/bad/same-id.json"));
    let messages: Vec<&str> = again.results_of("W-1").map(|result| result.message.as_str()).collect();
    assert_eq!(
        messages[0],
        "`citation_educator_101` is also the id of /samples/0 of kwanzaa/each-category.json"
    );
    assert_eq!(messages.len(), 4);
    // 35 samples of the good files and 4 of the bad one: every kind is there, one is missing in all.
    let messages: Vec<String> = validator.finish().results.into_iter().map(|result| result.message).collect();
    assert_eq!(messages, ["there are fewer than 40 samples in all: 39"]);
}

#[test]
fn what_is_missing_in_all_is_told_at_the_samples() {
    let mut value = base();
    value["samples"].as_array_mut().expect("an array").truncate(1);
    value.as_object_mut().expect("an object").shift_remove("statistics");
    let report = report(KwanzaaProfile::Seed, &value);
    let messages: Vec<&str> = report.results.iter().map(|result| result.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "there is no sample of category refusal, grounded_answer, format_compliance",
            "there is no sample of persona researcher, creator, builder",
            "there is no sample of principle Kujichagulia, Ujima, Ujamaa, Nia, Kuumba",
            "every sample is medium",
            "category citation has fewer than 5 samples: 1",
            "there are fewer than 40 samples in all: 1",
        ]
    );
    assert!(report.results.iter().all(|result| result.focus.as_str().is_empty()));
}

#[test]
fn thresholds_come_from_the_settings() {
    let settings = KwanzaaSettings { refusal_score: 0.5, ..KwanzaaSettings::default() };
    let report = validate(&fixture("kwanzaa/refusal.json"), KwanzaaProfile::Seed, &settings);
    assert_eq!(report.results_of("W-7").count(), 4);
    assert!(KwanzaaSettings::read(&document("{\"refusal_scores\": 1}")).is_err());
    assert!(KwanzaaSettings::read(&document("{\"refusal_score\": \"1\"}")).is_err());
    assert!(KwanzaaSettings::read(&document("[]")).is_err());
}

#[test]
fn the_code_takes_null_for_absent_and_numbers_in_strings() {
    let mut value = base();
    change(&mut value, "/samples/0/metadata/reviewer", Some(&Value::Null));
    change(&mut value, "/samples/0/metadata/quality_score", Some(&json!("0.9")));
    change(&mut value, "/samples/0/user_query", Some(&json!("Hi")));
    assert!(report(KwanzaaProfile::Code, &value).conforms());
    let seed = report(KwanzaaProfile::Seed, &value);
    let rules: Vec<&str> = seed
        .results
        .iter()
        .filter(|result| result.severity == ResultSeverity::Violation)
        .map(|result| result.rule.as_ref())
        .collect();
    assert_eq!(rules, ["W-TrainingSample", "W-SampleMetadata", "W-SampleMetadata"]);
}

#[test]
fn what_is_no_dataset_is_a_finding_and_no_crash() {
    for text in [
        "[]",
        "null",
        "1",
        "\"a\"",
        "{}",
        r#"{"samples": {}}"#,
        r#"{"samples": [null, [], 1, {"expected_output": []}, {"metadata": [], "retrieved_context": [1, {}]}]}"#,
        r#"{"samples": [{"category": "refusal", "expected_output": {"integrity": 1, "answer": [], "sources": 2}}]}"#,
    ] {
        for profile in KwanzaaProfile::ALL {
            let report = validate(&document(text), profile, &KwanzaaSettings::default());
            assert!(!report.conforms(), "{profile}: {text}");
        }
    }
}
