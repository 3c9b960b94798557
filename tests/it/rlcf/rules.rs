//! The rules of RLCF: the fixtures keep to them, and each mutation breaks exactly one, at its place.

use crate::karenina::fixtures::path;
use crate::source::rules_table::{BadCase, GoodReport};
use evalgraph::diagnostic::validation::RuleReport;
use evalgraph::json::{JsonDocument, Limits, parse, parse_lines};
use evalgraph::source::rlcf::rules::{RecordRegister, RlcfProfile, RlcfRuleSettings, validate};
use evalgraph::source::rlcf::{RlcfFileRecords, tell};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;

/// Files that belong together: what one refers to stands in another.
const GROUPS: [&[&str]; 5] = [
    &[
        "users.json",
        "credentials.json",
        "tasks.jsonl",
        "responses.json",
        "feedback.jsonl",
        "ratings.json",
        "assignments.json",
        "devils_advocates.json",
        "accountability_reports.json",
        "bias_reports.json",
    ],
    &["export.json"],
    &[
        "requests/users.json",
        "requests/bulk_users.json",
        "requests/bulk.json",
        "requests/credentials.json",
        "requests/tasks.json",
        "requests/status_updates.json",
        "requests/responses.json",
        "requests/feedback.json",
        "requests/ratings.json",
        "requests/assignments.json",
        "requests/export_requests.json",
        "requests/yaml_content.json",
        "requests/ai_model_config.json",
    ],
    &[
        "replies/users/all.json",
        "replies/users/2.json",
        "replies/tasks/all.json",
        "replies/responses/all.json",
        "replies/feedback/all.json",
        "replies/feedback_ratings/all.json",
        "replies/credentials/all.json",
        "replies/assignments/all.json",
        "replies/bias_reports/all.json",
        "replies/config/model.json",
        "replies/config/tasks.json",
        "replies/analytics/system.json",
    ],
    &["datasets/nli_entailment.jsonl", "datasets/compliance_risk_spotting.jsonl"],
];

struct Parsed {
    document: JsonDocument,
    told: RlcfFileRecords,
}

fn parsed(name: &str, text: String) -> Parsed {
    let read = if name.ends_with(".jsonl") { parse_lines } else { parse };
    let document = read(name, text, Limits::default()).expect("the fixtures are JSON");
    let told = tell(&document, name, None).expect("the kinds are clear");
    Parsed { document, told }
}

fn group(names: &[&str], changed: Option<(&str, &str)>) -> Vec<Parsed> {
    let text = |name: &str| match changed {
        Some((other, text)) if other == name => text.to_owned(),
        _ => fs::read_to_string(path("rlcf").join(name)).expect("the fixture is there"),
    };
    names.iter().map(|name| parsed(name, text(name))).collect()
}

fn reports(files: &[Parsed], profile: RlcfProfile) -> Vec<(String, RuleReport)> {
    let mut register = RecordRegister::default();
    for file in files {
        register.add(&file.document, &file.told);
    }
    let settings = RlcfRuleSettings::default();
    let report = |file: &Parsed| {
        let report = validate(&file.document, &file.told, profile, &settings, &register);
        (file.document.name().to_string(), report)
    };
    files.iter().map(report).collect()
}

/// Every result: file, rule, and pointer of the value.
fn results(reports: &[(String, RuleReport)]) -> Vec<(String, String, String)> {
    let mut all = Vec::new();
    for (name, report) in reports {
        for result in &report.results {
            let place = result.place.as_ref().expect("every result has a place");
            let pointer = place.pointer.clone().unwrap_or_default();
            all.push((name.clone(), result.rule.to_string(), pointer));
        }
    }
    all
}

#[test]
fn the_fixtures_keep_to_both_profiles() {
    for profile in RlcfProfile::ALL {
        let mut looked_at = BTreeSet::new();
        for names in GROUPS {
            let reports = reports(&group(names, None), profile);
            assert_eq!(results(&reports), [], "{profile}");
            for rule in reports.iter().flat_map(|(_, report)| &report.rules).filter(|rule| rule.looked_at > 0)
            {
                looked_at.insert(rule.id.to_string());
            }
            assert!(
                reports.iter().all(|(name, report)| report.subjects > 0 || name.contains("bias_reports"))
            );
        }
        // Error codes are those of error replies, which have a test of their own.
        for rule in profile.rules().into_iter().filter(|rule| rule.id != "R-19") {
            assert!(looked_at.contains(rule.id), "{profile}: {} looked at nothing", rule.id);
        }
    }
}

/// What a mutation does to a value.
enum To {
    Value(Value),
    /// The member is taken away.
    Nothing,
}

struct Mutation {
    rule: &'static str,
    file: &'static str,
    pointer: &'static str,
    to: To,
    /// Where it is found; the pointer itself, where it is empty.
    at: &'static str,
    profiles: &'static [RlcfProfile],
}

const BOTH: &[RlcfProfile] = &RlcfProfile::ALL;
const SEED: &[RlcfProfile] = &[RlcfProfile::Seed];
const SHIPPED: &[RlcfProfile] = &[RlcfProfile::Shipped];

fn value(
    rule: &'static str,
    file: &'static str,
    pointer: &'static str,
    to: Value,
    profiles: &'static [RlcfProfile],
) -> Mutation {
    Mutation { rule, file, pointer, to: To::Value(to), at: pointer, profiles }
}

fn missing(
    rule: &'static str,
    file: &'static str,
    pointer: &'static str,
    at: &'static str,
    profiles: &'static [RlcfProfile],
) -> Mutation {
    Mutation { rule, file, pointer, to: To::Nothing, at, profiles }
}

fn mutations() -> Vec<Mutation> {
    let mut mutations = mutations_of_schemas();
    mutations.extend(mutations_of_values());
    mutations
}

/// Changes that break the rules before R-6.
fn mutations_of_schemas() -> Vec<Mutation> {
    let users = ["users.json", "requests/bulk_users.json", "export.json"];
    vec![
        missing("R-schema", users[0], "/1/username", "/1", BOTH),
        value("R-schema", users[0], "/0/authority_score", json!("high"), BOTH),
        value("R-schema", "feedback.jsonl", "/3/is_blind_phase", json!("yes"), BOTH),
        value("R-schema", "feedback.jsonl", "/3/community_helpfulness_rating", json!(1.5), BOTH),
        value("R-schema", "tasks.jsonl", "/4/input_data", json!("facts"), BOTH),
        value("R-schema", "responses.json", "/4/feedback", json!({}), BOTH),
        value("R-schema", "users.json", "/2/credentials/1/weight", json!(null), BOTH),
        value("R-schema", users[1], "/usernames/1", json!(7), BOTH).at("/usernames"),
        missing("R-schema", "bias_reports.json", "/0/calculated_at", "/0", SEED),
        missing("R-schema", "bias_reports.json", "/0/created_at", "/0", SHIPPED),
        missing("R-schema", "replies/analytics/system.json", "/completionRate", "", BOTH),
        value("R-1", "tasks.jsonl", "/7/task_type", json!("Drafting"), BOTH),
        value("R-1", "requests/export_requests.json", "/0/task_type", json!("ESSAY"), BOTH),
        value("R-1", "requests/export_requests.json", "/0/task_type", json!("NLI_ENTAILMENT"), SEED),
        missing("R-2", "tasks.jsonl", "/0/input_data/context", "/0/input_data", BOTH),
        value("R-2", "tasks.jsonl", "/1/input_data/context_count", json!("one"), SEED),
        value("R-2", "tasks.jsonl", "/6/input_data/tokens/2", json!(3), SEED),
        value("R-2", "requests/tasks.json", "/input_data/premise", json!(null), SEED),
        missing("R-3", "feedback.jsonl", "/3/feedback_data/legal_accuracy", "/3/feedback_data", SEED),
        value("R-3", "feedback.jsonl", "/5/feedback_data/validated_labels", json!("one"), SEED),
        value("R-3", "export.json", "/tasks/0/responses/0/feedback/0/feedback_data/position", json!(1), SEED),
        value("R-4", "feedback.jsonl", "/2/response_id", json!(11), BOTH),
        value("R-5", "ratings.json", "/2/helpfulness_score", json!(0), BOTH),
        value("R-5", "ratings.json", "/2/helpfulness_score", json!("4"), BOTH),
        value("R-5", "ratings.json", "/2/helpfulness_score", json!(4.5), BOTH),
        value("R-5", "ratings.json", "/2/helpfulness_score", json!(4.0), SEED),
        value("R-5", "requests/ratings.json", "/0/helpfulness_score", json!(6), BOTH),
    ]
}

/// Those that break the rules from R-6 on.
fn mutations_of_values() -> Vec<Mutation> {
    let users = ["users.json", "requests/bulk_users.json", "export.json"];
    vec![
        value("R-6", "feedback.jsonl", "/0/accuracy_score", json!(10.5), SEED),
        value("R-6", "feedback.jsonl", "/0/transparency_score", json!(-1), SEED),
        value("R-6", "requests/feedback.json", "/utility_score", json!(11), SEED),
        value("R-7", "feedback.jsonl", "/7/feedback_data/confidence", json!(1.01), SEED),
        value(
            "R-7",
            "feedback.jsonl",
            "/5/feedback_data/confidence_per_label/force majeure",
            json!(95),
            SEED,
        ),
        value("R-7", "responses.json", "/0/output_data/confidence", json!(-0.1), SEED),
        value("R-8", "ratings.json", "/3/id", json!(0), BOTH),
        value("R-8", "accountability_reports.json", "/0/id", json!("1"), BOTH),
        value("R-8", "accountability_reports.json", "/0/id", json!(1.0), BOTH),
        value("R-8", "feedback.jsonl", "/0/user_id", json!(99), BOTH),
        value("R-8", "ratings.json", "/3/feedback_id", json!(99), BOTH),
        value("R-8", "assignments.json", "/1/task_id", json!(99), BOTH),
        value("R-8", "ratings.json", "/3/id", json!(3), BOTH),
        value("R-8", "export.json", "/ratings/1/feedback_id", json!(1), BOTH),
        value("R-9", "users.json", "/3/username", json!("do"), SEED),
        value("R-9", "users.json", "/3/username", json!("d".repeat(51)), SEED),
        value("R-9", "users.json", "/3/username", json!("ada_moreau"), BOTH),
        value("R-9", users[1], "/usernames/2", json!("new_evaluator"), BOTH),
        value("R-9", users[2], "/users/2/username", json!("hana_sato"), BOTH),
        value("R-10", "feedback.jsonl", "/9/feedback_data/reasoning", json!("Too short"), SEED),
        value("R-10", "feedback.jsonl", "/9/feedback_data/reasoning", json!("é".repeat(5001)), SEED),
        value("R-10", "tasks.jsonl", "/0/input_data/question", json!("Why so?"), SEED),
        value("R-11", "tasks.jsonl", "/0/created_at", json!("1 February 2026"), BOTH),
        value("R-11", "feedback.jsonl", "/0/submitted_at", json!(1770000000), BOTH),
        value("R-11", "bias_reports.json", "/1/calculated_at", json!("2026-02-30T00:00:00"), BOTH),
        value("R-12", "credentials.json", "/0/type", json!("DEGREE"), SEED),
        value("R-12", "credentials.json", "/1/value", json!("nine"), SEED),
        value("R-12", "users.json", "/2/credentials/1/value", json!("NaN"), SEED),
        value("R-13", "requests/export_requests.json", "/1/export_format", json!("SFT"), BOTH),
        value("R-14", "replies/config/model.json", "/authority_weights/track_record", json!(0.5), SEED)
            .at("/authority_weights"),
        value("R-14", "export.json", "/model_config/authority_weights/track_record", json!("0.5"), SEED),
        value("R-15", "users.json", "/2/track_record_score", json!(1.05), SEED),
        value("R-12", "credentials.json", "/0/value", json!("MBA"), SEED),
        value("R-12", "users.json", "/2/credentials/0/value", json!("Boss"), SEED),
        value("R-14", "replies/config/model.json", "/authority_weights/track_record", json!(-0.5), SEED),
        value("R-15", "users.json", "/2/authority_score", json!(-0.1), SEED),
        value("R-15", "users.json", "/2/baseline_credential_score", json!(-1), SEED),
        value("R-15", "credentials.json", "/0/weight", json!(-0.5), SEED),
        value("R-15", "feedback.jsonl", "/3/consistency_score", json!(1.5), SEED),
        value("R-15", "feedback.jsonl", "/3/correctness_score", json!(7), SEED),
        value("R-15", "bias_reports.json", "/0/bias_score", json!(-1), SEED),
        value("R-15", "replies/analytics/system.json", "/averageConsensus", json!(-2), SEED),
        value("R-15", "replies/analytics/system.json", "/completionRate", json!(1.5), SEED),
        value("R-17", "feedback.jsonl", "/3/feedback_data/position", json!("odd"), SEED),
        value("R-17", "feedback.jsonl", "/3/feedback_data/legal_accuracy", json!("High"), SEED),
        value("R-17", "feedback.jsonl", "/3/feedback_data/citation_quality", json!("odd"), SEED),
        value("R-18", "requests/yaml_content.json", "/yaml_content", json!("tasks: ["), SEED),
        value("R-18", "requests/yaml_content.json", "/yaml_content", json!("a: 1"), SEED),
        value(
            "R-1",
            "requests/yaml_content.json",
            "/yaml_content",
            json!("tasks:\n  - task_type: NOPE\n    input_data: {question: Why is it so?}"),
            SEED,
        ),
        value("R-16", "tasks.jsonl", "/2/status", json!("Closed"), BOTH),
        value("R-16", "requests/status_updates.json", "/1/status", json!("DONE"), BOTH),
    ]
}

impl Mutation {
    fn at(mut self, at: &'static str) -> Self {
        self.at = at;
        self
    }

    fn apply(&self) -> String {
        let text = fs::read_to_string(path("rlcf").join(self.file)).expect("the fixture is there");
        let is_lines = self.file.ends_with(".jsonl");
        let line = |line: &str| serde_json::from_str::<Value>(line).expect("the line is JSON");
        let mut value = if is_lines { Value::Array(text.lines().map(line).collect()) } else { line(&text) };
        match &self.to {
            To::Value(new) => {
                *value.pointer_mut(self.pointer).expect("the value is there") = new.clone();
            }
            To::Nothing => {
                let (parent, key) = self.pointer.rsplit_once('/').expect("it is a member");
                let parent = value.pointer_mut(parent).and_then(Value::as_object_mut);
                parent.expect("it is an object").shift_remove(key).expect("the member is there");
            }
        }
        let lines =
            |value: &Value| value.as_array().map(|all| all.iter().map(|one| format!("{one}\n")).collect());
        if is_lines { lines(&value).expect("lines are an array") } else { value.to_string() }
    }
}

#[test]
fn each_mutation_breaks_one_rule_at_its_place() {
    for mutation in mutations() {
        let names =
            GROUPS.into_iter().find(|names| names.contains(&mutation.file)).expect("it is of a group");
        let files = group(names, Some((mutation.file, &mutation.apply())));
        for profile in RlcfProfile::ALL {
            let found = results(&reports(&files, profile));
            let what = format!("{} at {} of {} in {profile}", mutation.rule, mutation.pointer, mutation.file);
            if mutation.profiles.contains(&profile) {
                let expected = (mutation.file.to_owned(), mutation.rule.to_owned(), mutation.at.to_owned());
                assert_eq!(found, [expected], "{what}");
            } else {
                assert_eq!(found, [], "{what}");
            }
        }
    }
}

#[test]
fn every_rule_has_a_mutation_in_each_of_its_profiles() {
    for profile in RlcfProfile::ALL {
        for rule in profile.rules().into_iter().filter(|rule| !["R-reply", "R-19"].contains(&rule.id)) {
            let mut all = mutations().into_iter();
            let has = all.any(|mutation| mutation.rule == rule.id && mutation.profiles.contains(&profile));
            assert!(has, "{} of {profile}", rule.id);
        }
    }
}

/// For the table of all rules: by profile, what is found where.
pub(crate) fn bad_cases() -> Vec<BadCase> {
    let of = |case: Mutation| {
        let place = format!("{}{}", case.file, case.at);
        case.profiles.iter().map(move |profile| (profile.to_string(), case.rule, place.clone()))
    };
    let reply = RlcfProfile::ALL
        .map(|profile| (profile.to_string(), "R-reply", "errors/not_found.json/detail".to_owned()));
    let code = ("seed".to_owned(), "R-19", "errors/odd.json/error_code".to_owned());
    mutations().into_iter().flat_map(of).chain(reply).chain([code]).collect()
}

/// For the table of all rules: files that keep them.
pub(crate) fn good_reports() -> Vec<GoodReport> {
    let of = |profile: RlcfProfile| {
        let reports = GROUPS.into_iter().flat_map(move |names| reports(&group(names, None), profile));
        reports.map(move |(_, report)| (profile.to_string(), report))
    };
    let reply = reports(&group(&["errors/not_found.json"], None), RlcfProfile::Seed);
    let reply = reply.into_iter().map(|(_, report)| (RlcfProfile::Seed.to_string(), report));
    RlcfProfile::ALL.into_iter().flat_map(of).chain(reply).collect()
}

#[test]
fn an_error_reply_is_reported_with_its_code() {
    for (code, rules) in [("NOT_FOUND", vec!["R-reply"]), ("ODD", vec!["R-reply", "R-19"])] {
        let text = json!({"detail": "Gone", "error_code": code, "timestamp": "2026-02-01T00:00:00Z"});
        let file = parsed("errors/odd.json", text.to_string());
        let report = validate(
            &file.document,
            &file.told,
            RlcfProfile::Seed,
            &RlcfRuleSettings::default(),
            &RecordRegister::default(),
        );
        let found: Vec<&str> = report.results.iter().map(|result| result.rule.as_ref()).collect();
        assert_eq!(found, rules, "{code}");
        let message = format!("the file contains an API error (`\"{code}\"`), not data");
        assert_eq!(report.results[0].message, message);
    }
}

#[test]
fn a_finding_in_a_text_of_yaml_names_its_line() {
    let yaml = "tasks:\n  - task_type: QA\n    input_data: {question: Why is it so?, context: c}\n  - task_type: NOPE\n    input_data: {}\n";
    let file = parsed("yaml_content.json", json!({ "yaml_content": yaml }).to_string());
    let report = validate(
        &file.document,
        &file.told,
        RlcfProfile::Seed,
        &RlcfRuleSettings::default(),
        &RecordRegister::default(),
    );
    let found: Vec<_> =
        report.results.iter().map(|result| (&*result.rule, result.message.as_str())).collect();
    assert_eq!(found, [("R-1", "line 4 of the text: `\"NOPE\"` is not a task type")]);
}

#[test]
fn an_error_reply_is_named_as_such() {
    for name in ["replies/exported_dataset.jsonl", "errors/validation.json", "errors/not_found.json"] {
        for profile in RlcfProfile::ALL {
            let reports = reports(&group(&[name], None), profile);
            let found = results(&reports);
            let pointer = if name.ends_with('l') { "/0/detail" } else { "/detail" };
            assert_eq!(found, [(name.to_owned(), "R-reply".to_owned(), pointer.to_owned())]);
            assert!(reports[0].1.conforms(), "a reply is not a violation");
        }
    }
}

#[test]
fn bad_files_say_what_they_are_bad_for() {
    for (name, rule, pointer) in [
        ("bad/r-5-helpfulness.json", "R-5", "/1/helpfulness_score"),
        ("bad/r-6-scores.jsonl", "R-6", "/0/utility_score"),
        ("bad/r-11-times.json", "R-11", "/0/assigned_at"),
        ("bad/r-16-status.json", "R-16", "/status"),
    ] {
        // Which records these are is said by their keys, not by their names.
        let found = results(&reports(&group(&[name], None), RlcfProfile::Seed));
        assert_eq!(found, [(name.to_owned(), rule.to_owned(), pointer.to_owned())]);
    }
}

#[test]
fn settings_change_what_rules_compare_with() {
    let text = r#"{"scores": [0, 5], "username": [1, 9], "task_types": {"ESSAY": {"input_data": {"topic": "str"}}}}"#;
    let document = parse("settings.json", text.to_owned(), Limits::default()).expect("it is JSON");
    let settings = RlcfRuleSettings::read(&document).expect("they are settings");
    assert_eq!(settings.scores, 0.0..=5.0);
    assert_eq!(settings.username, 1..=9);
    let file = parsed("tasks.json", r#"[{"task_type": "ESSAY", "input_data": {}}]"#.to_owned());
    let report =
        validate(&file.document, &file.told, RlcfProfile::Seed, &settings, &RecordRegister::default());
    let found: Vec<_> =
        report.results.iter().map(|result| (&*result.rule, result.message.as_str())).collect();
    assert_eq!(found, [("R-2", "`topic` is missing")]);
    let wrong = parse("settings.json", r#"{"scores": 5}"#.to_owned(), Limits::default()).expect("it is JSON");
    let fault = RlcfRuleSettings::read(&wrong).expect_err("it is not a range");
    assert_eq!(
        fault.to_string(),
        "settings.json:1:12: rlcf::settings: expected an array of two numbers: `[minimum, maximum]`"
    );
}
