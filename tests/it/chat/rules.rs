//! The rules of conversations: each finds its fault at its place, and nothing else, in a file that was good before.

use crate::karenina::fixtures::path;
use crate::source::rules_table::{BadCase, GoodReport};
use evalgraph::diagnostic::validation::{ResultSeverity, RuleReport};
use evalgraph::json::{JsonDocument, Limits, parse, parse_lines};
use evalgraph::source::chat::rules::{ChatProfile, validate};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;

fn text(name: &str) -> String {
    fs::read_to_string(path("chat").join(name)).expect("the fixture is there")
}

fn lines(name: &str) -> JsonDocument {
    parse_lines(name, text(name), Limits::default()).expect("the fixture is JSON Lines")
}

/// What was found: the rule, and the pointer.
fn found(report: &RuleReport) -> BTreeSet<(String, String)> {
    let place = |pointer: Option<String>| pointer.expect("a result is at a value of the file");
    let results = report.results.iter();
    let results = results.map(|result| {
        let pointer = result.place.as_deref().and_then(|place| place.pointer.clone());
        (result.rule.to_string(), place(pointer))
    });
    results.collect()
}

fn check(records: &Value, profile: ChatProfile) -> RuleReport {
    let document = parse("chat.json", records.to_string(), Limits::default()).expect("it is JSON");
    validate(&document, profile)
}

/// The good file: ten conversations with a question and its answer, and a call of a tool in the first.
fn good() -> Value {
    let records = text("tides.jsonl");
    let records = records.lines().map(|line| serde_json::from_str::<Value>(line).expect("it is JSON"));
    let mut records: Value = records.collect();
    let messages = records[0]["messages"].as_array_mut().expect("messages");
    let call =
        json!({"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function"}], "weight": 0});
    messages.insert(2, call);
    messages.insert(3, json!({"role": "tool", "tool_call_id": "call_1", "content": "5.2"}));
    records
}

struct Case {
    rule: &'static str,
    place: &'static str,
    /// `true` if TRL's profile has the rule as well.
    in_code: bool,
    change: fn(&mut Value),
}

const fn case(rule: &'static str, place: &'static str, in_code: bool, change: fn(&mut Value)) -> Case {
    Case { rule, place, in_code, change }
}

fn messages(records: &mut Value, at: usize) -> &mut Vec<Value> {
    records[at]["messages"].as_array_mut().expect("messages")
}

const CASES: [Case; 26] = [
    case("C-1", "/10", true, |records| records.as_array_mut().expect("records").push(json!("Why?"))),
    case("C-2", "/1/messages", true, |records| records[1]["messages"] = json!([])),
    case("C-2", "/1/messages", true, |records| records[1]["messages"] = json!("Why?")),
    case("C-2", "/1", true, |records| records[1] = json!({"prompt": "Why?"})),
    case("C-3", "/1/messages/1", true, |records| messages(records, 1).insert(1, json!("Why?"))),
    case("C-3", "/1/messages/0", true, |records| messages(records, 1)[0] = json!({"content": "Be brief."})),
    case("C-3", "/1/messages/0/role", true, |records| records[1]["messages"][0]["role"] = json!(1)),
    case("C-4", "/1/messages/0/role", true, |records| records[1]["messages"][0]["role"] = json!("human")),
    case("C-5", "/1/messages/2", true, |records| messages(records, 1)[2] = json!({"role": "assistant"})),
    case("C-5", "/1/messages/1/content", true, |records| records[1]["messages"][1]["content"] = json!(null)),
    case("C-5", "/1/messages/1/content", true, |records| records[1]["messages"][1]["content"] = json!(" ")),
    case("C-5", "/1/messages/1/content", true, |records| records[1]["messages"][1]["content"] = json!(7)),
    case("C-5", "/1/messages/1/content", true, |records| records[1]["messages"][1]["content"] = json!([])),
    case("C-5", "/1/messages/1/content/0", true, |records| {
        records[1]["messages"][1]["content"] = json!(["Why?"]);
    }),
    case("C-6", "/1/messages", true, |records| drop(messages(records, 1).pop())),
    case("C-7", "/1/messages/3", true, |records| {
        messages(records, 1).push(json!({"role": "user", "content": "Thanks."}));
    }),
    case("C-8", "/1/messages/1", true, |records| drop(messages(records, 1).remove(1))),
    case("C-9", "/0/messages/3/tool_call_id", false, |records| {
        records[0]["messages"][3]["tool_call_id"] = json!("call_2");
    }),
    case("C-9", "/0/messages/3", false, |records| {
        messages(records, 0)[3] = json!({"role": "tool", "content": "5.2"});
    }),
    // The answer comes before the call.
    case("C-9", "/0/messages/2/tool_call_id", false, |records| messages(records, 0).swap(2, 3)),
    case("C-10", "/0/messages/2/weight", false, |records| records[0]["messages"][2]["weight"] = json!(0.5)),
    case("C-10", "/0/messages/2/weight", false, |records| records[0]["messages"][2]["weight"] = json!("1")),
    case("C-10", "/0/messages/1/weight", false, |records| records[0]["messages"][1]["weight"] = json!(1)),
    case("C-11", "/0/messages/1/lang", false, |records| records[0]["messages"][1]["lang"] = json!("en")),
    case("C-12", "", false, |records| drop(records.as_array_mut().expect("records").pop())),
    case("C-12", "", false, |records| records.as_array_mut().expect("records").truncate(1)),
];

#[test]
fn each_rule_finds_its_fault_and_nothing_else() {
    for Case { rule, place, in_code, change } in CASES {
        let mut changed = good();
        change(&mut changed);
        for profile in ChatProfile::ALL {
            let is_expected = profile == ChatProfile::Seed || in_code;
            let expected = is_expected.then(|| (rule.to_owned(), place.to_owned()));
            let report = check(&changed, profile);
            assert_eq!(found(&report), expected.into_iter().collect(), "{rule} by {profile}");
        }
    }
}

/// For the table of all rules: by profile, what is found where.
pub(crate) fn bad_cases() -> Vec<BadCase> {
    let cases = CASES.iter().flat_map(|case| {
        let profiles = ChatProfile::ALL.into_iter().filter(|by| *by == ChatProfile::Seed || case.in_code);
        profiles.map(|by| (by.to_string(), case.rule, case.place.to_owned()))
    });
    cases.collect()
}

/// For the table of all rules: files that keep them.
pub(crate) fn good_reports() -> Vec<GoodReport> {
    let of = |profile: ChatProfile| (profile.to_string(), check(&good(), profile));
    ChatProfile::ALL.into_iter().map(of).collect()
}

#[test]
fn a_good_file_gives_every_rule_something_to_look_at() {
    for profile in ChatProfile::ALL {
        let report = check(&good(), profile);
        assert!(report.results.is_empty(), "{:?}", report.results);
        let idle: Vec<_> = report.idle_rules().map(|rule| rule.id.as_ref()).collect();
        let expected: &[&str] = if profile == ChatProfile::Seed { &["C-11"] } else { &[] };
        assert!(idle.is_empty() || idle == expected, "nothing to look at for {idle:?}");
        assert_eq!(report.subjects, 10);
    }
    let cases: BTreeSet<&str> = CASES.iter().map(|case| case.rule).collect();
    let rules: BTreeSet<&str> = ChatProfile::Seed.rules().iter().map(|rule| rule.id).collect();
    assert_eq!(cases, rules);
}

#[test]
fn the_fixtures_conform_and_each_bad_one_has_one_fault() {
    for name in ["tides.jsonl", "all-keys.jsonl"] {
        let report = validate(&lines(name), ChatProfile::Seed);
        assert!(report.conforms() && report.count(ResultSeverity::Warning) == 0, "{:?}", report.results);
    }
    let bad = [
        ("last-of-user", "C-7", "/3/messages/3"),
        ("unknown-role", "C-4", "/4/messages/0/role"),
        ("no-content", "C-5", "/5/messages/2/content"),
        ("no-messages", "C-2", "/6/messages"),
        ("no-question", "C-8", "/7/messages/1"),
    ];
    for (name, rule, place) in bad {
        let report = validate(&lines(&format!("bad/{name}.jsonl")), ChatProfile::Code);
        assert_eq!(found(&report), [(rule.to_owned(), place.to_owned())].into(), "{name}");
    }
}
