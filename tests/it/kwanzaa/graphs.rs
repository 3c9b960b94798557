//! Kwanzaa's files as graphs, and back.

use crate::cli::input::run;
use crate::karenina::fixtures::{fixture, path};
use crate::karenina::graphs::shuffled;
use evalgraph::json::{JsonDocument, Limits, parse};
use evalgraph::jsonld::{JsonLdOptions, JsonLdProcessor, LoadMode, NoLoader};
use evalgraph::rdf::QuadBuffer;
use evalgraph::source::items::{QuestionItem, items_of};
use evalgraph::source::kwanzaa::KwanzaaFileKind;
use evalgraph::source::records::compose;
use evalgraph::source::rewriting::IndexedGraph;
use std::fs;

const FILES: [&str; 7] = [
    "citation.json",
    "grounded-answer.json",
    "refusal.json",
    "format-compliance.json",
    "each-category.json",
    "variants.json",
    "chat.jsonl",
];

fn n_quads(name: &str, with: &[&str]) -> (String, String) {
    let folder = path("kwanzaa");
    let arguments = [&["convert", name, "--to", "nq"], with].concat();
    let (status, text, stderr) = run(&folder, &arguments);
    assert_eq!(status, 0, "{name}: {stderr}");
    (text, stderr)
}

#[test]
fn every_file_comes_back_from_its_shuffled_quads() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (seed, name) in FILES.into_iter().enumerate() {
        let (text, _) = n_quads(name, &["--with", "sidecar"]);
        fs::write(folder.path().join("quads.nq"), shuffled(&text, seed as u64)).expect("the folder is ours");
        let (status, back, stderr) = run(folder.path(), &["convert", "quads.nq", "--to", "same"]);
        assert_eq!((status, stderr.as_str()), (0, ""), "{name}");
        let file = fs::read_to_string(path("kwanzaa").join(name)).expect("the fixture is there");
        assert!(back == file, "{name}");
    }
}

#[test]
fn one_answer_comes_back() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = fs::read_to_string(path("kwanzaa/each-category.json")).expect("the fixture is there");
    let dataset: serde_json::Value = serde_json::from_str(&text).expect("fixtures are JSON");
    let answer = dataset["samples"][0]["expected_output"].to_string();
    fs::write(folder.path().join("answer.json"), &answer).expect("the folder is ours");
    let arguments = ["convert", "answer.json", "--to", "nq", "--with", "sidecar"];
    let (status, quads, stderr) = run(folder.path(), &arguments);
    assert_eq!((status, stderr.as_str()), (0, ""));
    fs::write(folder.path().join("quads.nq"), shuffled(&quads, 7)).expect("the folder is ours");
    let (_, back, _) = run(folder.path(), &["convert", "quads.nq", "--to", "same"]);
    assert_eq!(back, answer);
}

#[test]
fn the_graph_says_what_the_sample_says() {
    let (text, _) = n_quads("each-category.json", &[]);
    let sample = "urn:evalgraph:kwanzaa:each-category:citation_educator_101";
    for line in [
        format!("<{sample}> <http://schema.org/item> <{sample}/question> ."),
        format!("<{sample}/question> <http://schema.org/teaches> \"citation\" ."),
        format!("<{sample}/question> <http://schema.org/about> <{sample}/principle_focus/0> ."),
        format!("<{sample}/principle_focus/0> <http://schema.org/name> \"Umoja\" ."),
        format!("<{sample}/answer> <http://schema.org/comment> <{sample}/clarifying_questions/0> ."),
        format!("<{sample}/question> <http://schema.org/acceptedAnswer> <{sample}/answer> ."),
        format!(
            "<{sample}/answer> <http://schema.org/text> \"It was first held in 1966 and lasts seven days [1].\" ."
        ),
        format!(
            "<{sample}/retrieved_context/0/chunk> <http://schema.org/isPartOf> \
             <urn:evalgraph:kwanzaa:each-category:doc/firstkwanzaa> ."
        ),
        format!(
            "<{sample}/sources/0> <http://schema.org/isPartOf> \
             <urn:evalgraph:kwanzaa:each-category:doc/firstkwanzaa> ."
        ),
        "<urn:evalgraph:kwanzaa:each-category:doc/firstkwanzaa> <http://schema.org/datePublished> \"1971\" ."
            .to_owned(),
        format!(
            "<{sample}/retrieved_context/0> <urn:evalgraph:vocab:score> \
             \"0.92\"^^<http://www.w3.org/2001/XMLSchema#decimal> ."
        ),
        format!(
            "<{sample}/creation> <http://schema.org/endTime> \
             \"2026-03-08T09:30:00Z\"^^<http://www.w3.org/2001/XMLSchema#dateTime> ."
        ),
    ] {
        assert!(text.contains(&line), "{line}");
    }
}

/// The same chunk id has another text in another sample: each keeps its own.
#[test]
fn chunks_are_their_samples_and_documents_the_datasets() {
    let (text, _) = n_quads("variants.json", &[]);
    let texts: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("/retrieved_context/0/chunk> <http://schema.org/text> "))
        .filter(|line| line.contains("_boycott_days/") || line.contains("same_question_again/"))
        .collect();
    assert_eq!(texts.len(), 2, "{texts:#?}");
    let identifier = "doc/boycott> <http://schema.org/identifier> \"boycott\" .";
    assert_eq!(text.lines().filter(|line| line.ends_with(identifier)).count(), 1);
}

#[test]
fn keys_without_a_meaning_are_told() {
    let (_, stderr) = n_quads("variants.json", &[]);
    for key in ["annotator_batch", "license_note"] {
        assert!(stderr.contains(&format!("`{key}` is not a key of kwanzaa")), "{stderr}");
    }
}

#[test]
fn every_term_that_is_written_is_described() {
    let vocabulary = fs::read_to_string(path("../shapes/vocabulary.ttl")).expect("the vocabulary is there");
    for name in FILES {
        let (text, _) = n_quads(name, &[]);
        for rest in text.split("<urn:evalgraph:vocab:").skip(1) {
            let term = rest.split('>').next().expect("an IRI ends");
            assert!(vocabulary.contains(&format!("\neg:{term}\n")), "eg:{term} is not described");
        }
    }
}

#[test]
fn files_are_told_by_keys_that_nobody_else_has() {
    let kind = |text: &str| {
        KwanzaaFileKind::from_document(
            &parse("any", text.to_owned(), Limits::default()).expect("well-formed JSON"),
        )
    };
    assert_eq!(
        kind(r#"{"samples": [{"sample_id": "a", "retrieved_context": []}]}"#),
        Some(KwanzaaFileKind::Dataset)
    );
    assert_eq!(kind(r#"{"version": "kwanzaa.answer.v1", "answer": {}}"#), Some(KwanzaaFileKind::Answer));
    let chat =
        r#"[{"messages": [{"role": "assistant", "content": "{\"version\": \"kwanzaa.answer.v1\"}"}]}]"#;
    assert_eq!(kind(chat), Some(KwanzaaFileKind::Chat));
    for other in [
        "{}",
        "[]",
        "1",
        r#"{"samples": []}"#,
        r#"{"samples": [{"id": 1}]}"#,
        r#"[{"messages": [{"role": "assistant", "content": "Hello"}]}]"#,
        r#"[{"messages": []}, {"messages": 1}, {}]"#,
        r#"{"version": "1.0.0", "answer": "x"}"#,
        r#"[{"question": "Why?", "answer": "So"}]"#,
    ] {
        assert_eq!(kind(other), None, "{other}");
    }
}

fn items(name: &str) -> Vec<QuestionItem> {
    items_of_file(&fixture(&format!("kwanzaa/{name}")))
}

fn items_of_file(file: &JsonDocument) -> Vec<QuestionItem> {
    let (composed, _) =
        compose(file, &KwanzaaFileKind::Dataset.shape(), "urn:evalgraph:kwanzaa:set:").expect("it is short");
    let mode = LoadMode { json_values: composed.json_values, ..LoadMode::default() };
    let mut quads = QuadBuffer::new();
    let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader).with_load_mode(mode);
    processor.to_rdf(&composed.document, &mut quads).expect("it is JSON-LD");
    items_of(&IndexedGraph::new(&quads, None)).items
}

#[test]
fn what_a_search_found_is_context_and_a_refusal_is_no_answer() {
    let grounded = items("grounded-answer.json");
    assert_eq!(grounded.len(), 8);
    let second = &grounded[1];
    assert_eq!(second.local_id, "grounded_answer_researcher_001");
    let contexts: Vec<(&str, &str)> = second
        .contexts
        .iter()
        .map(|context| {
            let text = context.text.as_deref().unwrap_or_default();
            (context.name.as_deref().unwrap_or_default(), &text[..14])
        })
        .collect();
    assert_eq!(
        contexts,
        [
            ("Montgomery, a Chronology (1957)", "The bus boycot"),
            ("Greensboro Scrapbook (1960)", "On 1 February "),
            ("Civil Rights Act of 1964, Title II", "Title II cover"),
        ]
    );
    assert!(grounded.iter().all(|item| item.is_impossible.is_none()));
    let refused = items("refusal.json");
    assert!(refused.iter().all(|item| item.is_impossible == Some(true)));
}

#[test]
fn data_that_are_insufficient_give_no_answer_whatever_is_trained() {
    let file = fixture("kwanzaa/refusal.json");
    let text = file.text().replace(r#""category": "refusal""#, r#""category": "format_compliance""#);
    let parsed = parse("a.json", text, Limits::default()).expect("it is JSON");
    let insufficient = items_of_file(&parsed);
    assert_eq!(insufficient.len(), 7);
    assert!(insufficient.iter().all(|item| item.is_impossible == Some(true)));
    let text =
        parsed.text().replace(r#""completeness": "insufficient_data""#, r#""completeness": "partial""#);
    let partial = items_of_file(&parse("a.json", text, Limits::default()).expect("it is JSON"));
    assert!(partial.iter().all(|item| item.is_impossible.is_none()));
}
