//! The rules of train.json: each finds its fault at its place, and nothing else, in a file that was
//! good before.

use crate::source::rules_table::{BadCase, GoodReport};
use crate::train::fixtures::{corpus, document, text};
use evalgraph::diagnostic::validation::{ResultSeverity, RuleReport};
use evalgraph::json::{EmbeddedJson, Limits, TextEncoding, decode_as, parse, parse_embedded};
use evalgraph::source::corpus::{Corpus, CorpusFile};
use evalgraph::source::train::rules::{
    DatasetDirectory, TrainFile, TrainProfile, TrainRuleSettings, validate, without_rows,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const PATH: &str = "general-knowledge";

/// What was found: the rule, and the pointer or the file.
fn found(report: &RuleReport) -> BTreeSet<(String, String)> {
    let place = |result: &evalgraph::diagnostic::validation::RuleResult| {
        let place = result.place.as_deref().expect("every result has a place");
        place.pointer.clone().unwrap_or_else(|| place.source.to_string())
    };
    report.results.iter().map(|result| (result.rule.to_string(), place(result))).collect()
}

fn check(rows: &str, corpus: Option<&Corpus>, profile: TrainProfile) -> RuleReport {
    let document = document(rows);
    let directory = Some(DatasetDirectory { path: PATH, corpus });
    let file = TrainFile { document: &document, encoding: TextEncoding::Auto, directory };
    validate(&file, profile, &TrainRuleSettings::default())
}

/// The good dataset: its rows, and a corpus of text files that rows name.
fn good() -> (Value, Corpus) {
    let rows: Value = serde_json::from_str(&text("general-knowledge/train.json")).expect("it is JSON");
    (rows, corpus("general-knowledge/corpus"))
}

fn file(path: &str, head: &[u8]) -> CorpusFile {
    let name = path.rsplit('/').next().unwrap_or_default().as_bytes().to_vec();
    CorpusFile { path: path.to_owned(), name, size: head.len() as u64, head: head.to_vec() }
}

struct Case {
    rule: &'static str,
    place: &'static str,
    /// `true` if the evaluator's profile says it as well.
    in_code: bool,
    change: fn(&mut Value, &mut Vec<CorpusFile>),
}

const fn case(
    rule: &'static str,
    place: &'static str,
    in_code: bool,
    change: fn(&mut Value, &mut Vec<CorpusFile>),
) -> Case {
    Case { rule, place, in_code, change }
}

const CASES: [Case; 30] = [
    case("T-3", "/16", true, |rows, _| rows.as_array_mut().expect("rows").push(json!("What is 2+3?"))),
    case("T-4", "/14/question", true, |rows, _| rows[14]["question"] = json!(" \n")),
    case("T-4", "/14/question", true, |rows, _| rows[14]["question"] = json!(4)),
    case("T-4", "/14", true, |rows, _| drop(rows[14].as_object_mut().expect("a row").remove("question"))),
    case("T-5", "/14", true, |rows, _| drop(rows[14].as_object_mut().expect("a row").remove("answer"))),
    case("T-5", "/14/answer", true, |rows, _| rows[14]["answer"] = json!(4)),
    case("T-5", "/14/answer", true, |rows, _| rows[14]["answer"] = json!(null)),
    case("T-6", "/14/id", false, |rows, _| rows[14]["id"] = json!("14")),
    case("T-6", "/14/id", false, |rows, _| rows[14]["id"] = json!(14.0)),
    case("T-6", "/14/id", true, |rows, _| rows[14]["id"] = json!([14])),
    case("T-7", "/14/query_id", true, |rows, _| rows[14]["query_id"] = json!("q-14")),
    case("T-8", "/14/is_impossible", false, |rows, _| rows[14]["is_impossible"] = json!("no")),
    case("T-8", "/14/is_impossible", false, |rows, _| rows[14]["is_impossible"] = json!(null)),
    case("T-9", "/14/contexts", false, |rows, _| rows[14]["contexts"] = json!("Ceramics.txt")),
    case("T-9", "/14/contexts/0", false, |rows, _| rows[14]["contexts"] = json!([7])),
    case("T-9", "/14/contexts/0", false, |rows, _| rows[14]["contexts"] = json!([{"text": "t"}])),
    case("T-9", "/14/contexts/0/filename", false, |rows, _| rows[14]["contexts"] = json!([{"filename": ""}])),
    case("T-10", "/14/contexts/0/filename", false, |rows, _| {
        rows[14]["contexts"] = json!([{"filename": "pages/Salt#Production.html"}]);
    }),
    // The decoded name is another one.
    case("T-11", "/14/contexts/0/filename", false, |rows, _| {
        rows[14]["contexts"] = json!([{"filename": "Café#History.txt"}]);
    }),
    case("T-12", "/0/contexts/0/text", false, |rows, _| rows[0]["contexts"][0]["text"] = json!(["5,895"])),
    case("T-13", "/0/source", false, |rows, _| rows[0]["source"] = json!("quiz")),
    case("T-13", "/0/contexts/0/page", false, |rows, _| rows[0]["contexts"][0]["page"] = json!(1)),
    case("T-14", "/15/question", true, |rows, _| rows[15]["question"] = json!("What is 2+2?")),
    case("T-15", "/15/answer", false, |rows, _| rows[15]["is_impossible"] = json!(true)),
    case("T-15", "/8/contexts", false, |rows, _| rows[8]["contexts"] = json!(["Tides follow the moon."])),
    case("T-15b", "/15/contexts", false, |rows, _| rows[15]["is_impossible"] = json!(false)),
    case("T-16", "old/Mount_Kilimanjaro.txt", true, |_, files| {
        files.push(file("old/Mount_Kilimanjaro.txt", b"Kibo"));
    }),
    case("T-18", "/14/id", false, |rows, _| rows[14]["id"] = json!(99)),
    case("T-C1", "Tea.txt", false, |_, files| files.push(file("Tea.txt", b"Tea grows in Assam."))),
    case("T-C2", "Ceramics.txt", true, |_, files| {
        let ceramics = files.iter_mut().find(|file| file.path == "Ceramics.txt").expect("it is there");
        ceramics.head = b"<!DOCTYPE html><html><head><title>Please sign in</title>".to_vec();
    }),
];

#[test]
fn each_rule_finds_its_fault_and_nothing_else() {
    let (rows, corpus) = good();
    for Case { rule, place, in_code, change } in CASES {
        let (mut changed, mut files) = (rows.clone(), corpus.files().to_vec());
        change(&mut changed, &mut files);
        for profile in TrainProfile::ALL {
            let before = found(&check(&rows.to_string(), Some(&corpus), profile));
            let after = found(&check(&changed.to_string(), Some(&Corpus::new(files.clone())), profile));
            let mut new: Vec<_> = after.difference(&before).cloned().collect();
            // How many files there are of which kind is another sentence, not another result.
            new.retain(|(rule, _)| rule != "T-C3");
            let is_expected = profile == TrainProfile::Seed || in_code;
            let expected = if is_expected { vec![(rule.to_owned(), place.to_owned())] } else { Vec::new() };
            assert_eq!(new, expected, "{rule} by {profile}");
        }
    }
}

/// The rules whose bad case is not a change of a row or a file of the good dataset, and where each is
/// found; tested below.
const ELSEWHERE: [(&str, &str); 4] = [("T-1", PATH), ("T-2", ""), ("T-17", ""), ("T-C3", PATH)];

/// For the table of all rules: by profile, what is found where.
pub(crate) fn bad_cases() -> Vec<BadCase> {
    let bad = |profile: TrainProfile, rule, place: &str| (profile.to_string(), rule, place.to_owned());
    let elsewhere =
        ELSEWHERE.iter().flat_map(|&(rule, place)| TrainProfile::ALL.map(|by| bad(by, rule, place)));
    let cases = CASES.iter().flat_map(|case| {
        let profiles = TrainProfile::ALL.into_iter().filter(|by| *by == TrainProfile::Seed || case.in_code);
        profiles.map(|by| bad(by, case.rule, case.place))
    });
    cases.chain(elsewhere).collect()
}

/// For the table of all rules: files that keep them.
pub(crate) fn good_reports() -> Vec<GoodReport> {
    let (rows, corpus) = good();
    let small = r#"[{"question": "a?", "answer": "a", "contexts": [{"filename": "a.txt"}]}]"#;
    let small_corpus = Corpus::new(vec![file("a.txt", b"a")]);
    let of = |profile: TrainProfile| {
        let reports =
            [check(&rows.to_string(), Some(&corpus), profile), check(small, Some(&small_corpus), profile)];
        reports.map(|report| (profile.to_string(), report))
    };
    TrainProfile::ALL.into_iter().flat_map(of).collect()
}

#[test]
fn every_rule_has_a_good_and_a_bad_case() {
    let elsewhere = ELSEWHERE.iter().map(|(rule, _)| *rule);
    let cases: BTreeSet<&str> = CASES.iter().map(|case| case.rule).chain(elsewhere).collect();
    let mut rules: BTreeSet<&str> = BTreeSet::new();
    for profile in TrainProfile::ALL {
        rules.extend(profile.rules().iter().map(|rule| rule.id));
    }
    assert_eq!(cases, rules);
    let (rows, corpus) = good();
    let report = check(&rows.to_string(), Some(&corpus), TrainProfile::Seed);
    let idle: Vec<_> = report.idle_rules().map(|rule| rule.id.as_ref()).collect();
    assert!(idle.is_empty(), "nothing to look at for {idle:?}");
    assert!(report.conforms() && report.count(ResultSeverity::Warning) == 0, "{:?}", report.results);
    // The good dataset has a file that no row names, and files of four kinds.
    let expected = [("T-C1", "Ceramics.txt"), ("T-C3", PATH)];
    assert_eq!(found(&report), expected.map(|(rule, place)| (rule.to_owned(), place.to_owned())).into());
}

#[test]
fn a_file_that_is_no_array_says_where_the_rows_may_be() {
    for profile in TrainProfile::ALL {
        let document = document(&text("bad/object.json"));
        let file = TrainFile { document: &document, encoding: TextEncoding::Auto, directory: None };
        let report = validate(&file, profile, &TrainRuleSettings::default());
        assert_eq!(found(&report), [("T-2".to_owned(), String::new())].into());
        assert_eq!(report.results[0].message, "the file is an object; its rows may be in `questions`");
        assert_eq!(report.subjects, 0);
    }
}

#[test]
fn rows_that_are_no_objects_are_told() {
    let document = document(&text("bad/rows.json"));
    let file = TrainFile { document: &document, encoding: TextEncoding::Auto, directory: None };
    let report = validate(&file, TrainProfile::Code, &TrainRuleSettings::default());
    let places = ["/1", "/2"].map(|place| ("T-3".to_owned(), place.to_owned()));
    assert_eq!(found(&report), places.into());
    assert_eq!(report.results[1].message, "the row is an array, not an object");
    let place = report.results[0].place.as_deref().expect("a place");
    assert_eq!((place.line, place.column), (3, 3));
}

#[test]
fn a_directory_has_both_parts() {
    let corpus = Corpus::new(vec![file("a.txt", b"a")]);
    let without_corpus = check("[]", None, TrainProfile::Seed);
    assert_eq!(found(&without_corpus), [("T-1".to_owned(), PATH.to_owned())].into());
    for profile in TrainProfile::ALL {
        let report = without_rows(DatasetDirectory { path: PATH, corpus: Some(&corpus) }, profile);
        assert_eq!(found(&report), [("T-1".to_owned(), PATH.to_owned())].into());
        assert!(!report.conforms());
    }
    assert!(check("[]", Some(&Corpus::default()), TrainProfile::Seed).conforms());
}

#[test]
fn the_file_is_utf_8_without_a_mark() {
    let result = |report: &RuleReport| {
        let [result] = report.results.as_slice() else { panic!("{:?}", report.results) };
        let pointer = result.place.as_deref().and_then(|place| place.pointer.clone());
        assert_eq!(pointer.as_deref(), Some(""));
        (result.rule.to_string(), result.message.clone())
    };
    let rows = "[{\"id\": 0, \"question\": \"Wo?\", \"answer\": \"Köln\"}]";
    let check = |text: String, encoding| {
        let document = parse("train.json", text, Limits::default()).expect("it is JSON");
        let file = TrainFile { document: &document, encoding, directory: None };
        let [seed, code] =
            TrainProfile::ALL.map(|profile| validate(&file, profile, &TrainRuleSettings::default()));
        assert_eq!(found(&seed), found(&code));
        code
    };
    assert!(check(rows.to_owned(), TextEncoding::Auto).results.is_empty());
    let marked = check(format!("\u{feff}{rows}"), TextEncoding::Auto);
    let message = "the file begins with a byte order mark".to_owned();
    assert_eq!(result(&marked), ("T-17".to_owned(), message));
    let bytes: Vec<u8> = rows.chars().map(|character| character as u8).collect();
    let text = decode_as("train.json", bytes, TextEncoding::Latin1).expect("any byte is a character");
    let decoded = check(text, TextEncoding::Latin1);
    assert_eq!(result(&decoded), ("T-17".to_owned(), "the file is latin1, not utf-8".to_owned()));
}

#[test]
fn the_file_type_is_that_of_most_files() {
    let texts = [file("a.txt", b"a"), file("b.txt", b"b")];
    let rows =
        r#"[{"question": "a?", "answer": "a", "contexts": [{"filename": "a.txt"}, {"filename": "b.txt"}]}]"#;
    let one = check(rows, Some(&Corpus::new(texts.to_vec())), TrainProfile::Seed);
    assert!(one.results.is_empty(), "{:?}", one.results);
    let several = Corpus::new([&texts[..], &[file("c.md", b"c"), file("README", b"d")]].concat());
    let report = check(rows, Some(&several), TrainProfile::Code);
    assert_eq!(found(&report), [("T-C3".to_owned(), PATH.to_owned())].into());
    let message = "4 files: 2 .txt, 1 without, 1 .md; the type `txt` takes 2";
    assert_eq!(report.results[0].message, message);
    assert_eq!(several.file_type().as_deref(), Some("txt"));
}

#[test]
fn the_corpus_on_disk_has_each_fault_once() {
    let rows = text("bad/corpus-faults/train.json");
    let report = check(&rows, Some(&corpus("bad/corpus-faults/corpus")), TrainProfile::Seed);
    let expected = [
        ("T-11", "/1/contexts/0/filename"),
        ("T-11", "/2/contexts/0/filename"),
        ("T-16", "old/manual.txt"),
        ("T-C1", "oil.txt"),
        ("T-C1", "scan.txt"),
        ("T-C1", "Caf%C3%A9.txt"),
        ("T-C2", "invoice.pdf"),
        ("T-C2", "scan.txt"),
        ("T-C3", PATH),
    ];
    assert_eq!(found(&report), expected.map(|(rule, place)| (rule.to_owned(), place.to_owned())).into());
    let messages: Vec<&str> = report.results_of("T-11").map(|result| result.message.as_str()).collect();
    let decoded = "`Café.txt` is not in the corpus, which has `Caf%C3%A9.txt`";
    assert_eq!(messages, ["`Oil.txt` is not in the corpus, which has `oil.txt`", decoded]);
    let messages: Vec<&str> = report.results_of("T-C2").map(|result| result.message.as_str()).collect();
    let page = "the name ends in `.pdf`, but the file is an HTML page";
    assert_eq!(messages, [page, "the name ends in `.txt`, but the file is a PDF document"]);
}

#[test]
fn many_faults_are_all_told() {
    let report = check(&text("bad/mixed.json"), None, TrainProfile::Seed);
    let rules: Vec<&str> = report.results.iter().map(|result| result.rule.as_ref()).collect();
    let expected = [
        "T-1", "T-4", "T-5", "T-6", "T-7", "T-8", "T-9", "T-9", "T-10", "T-12", "T-13", "T-14", "T-14",
        "T-15", "T-18",
    ];
    assert_eq!(rules, expected);
}

#[test]
fn the_other_fixtures_keep_the_rules_of_the_evaluator() {
    for name in ["support-desk.json", "awkward-rows.json"] {
        let document = document(&text(name));
        let file = TrainFile { document: &document, encoding: TextEncoding::Auto, directory: None };
        let report = validate(&file, TrainProfile::Code, &TrainRuleSettings::default());
        assert!(report.conforms(), "{name}: {:?}", report.results);
        assert_eq!(report.subjects, 8);
    }
    let lines = text("lines.jsonl");
    let mut start = 0;
    let parts = lines.split_inclusive('\n').map(|line| {
        start += line.len();
        start - line.len()..start
    });
    let parts = EmbeddedJson::Array(parts.collect());
    let document = parse_embedded("lines.jsonl", lines, parts, Limits::default()).expect("it is JSON");
    let file = TrainFile { document: &document, encoding: TextEncoding::Auto, directory: None };
    let report = validate(&file, TrainProfile::Seed, &TrainRuleSettings::default());
    assert!(report.results.is_empty() && report.subjects == 6, "{:?}", report.results);
}

#[test]
fn what_stands_for_no_answer_can_be_said() {
    let rows = r#"[{"question": "a?", "answer": "n/a", "is_impossible": true}]"#;
    let document = document(rows);
    let file = TrainFile { document: &document, encoding: TextEncoding::Auto, directory: None };
    let settings = TrainRuleSettings { no_answer: vec!["n/a".to_owned()], ..TrainRuleSettings::default() };
    assert!(validate(&file, TrainProfile::Seed, &settings).results.is_empty());
    assert_eq!(validate(&file, TrainProfile::Seed, &TrainRuleSettings::default()).results[0].rule, "T-15");
}
