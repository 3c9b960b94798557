//! train.json and the evaluator's outputs: each fixture becomes a graph and comes back from it, and
//! each is recognised for what it is.

use crate::karenina::fixtures::fixtures_in;
use crate::karenina::graphs::{n_quads, read_n_quads, shuffled};
use crate::train::fixtures::{document, text};
use evalgraph::json::{EmbeddedJson, JsonDocument, Limits, parse, parse_embedded};
use evalgraph::jsonld::{JsonLdOptions, JsonLdProcessor, LoadMode, NoLoader};
use evalgraph::rdf::{QuadBuffer, RdfFormat, write};
use evalgraph::source::records::{FileShape, RecognitionCertainty, compose, decompose};
use evalgraph::source::rewriting::{IndexedGraph, JsonStyle};
use evalgraph::source::rows::{RowFormat, RowOptions, read_rows};
use evalgraph::source::sidecar::json_difference::{DifferenceApplication, difference};
use evalgraph::source::train::{recognise, shapes};
use serde_json::Value;

const BASE: &str = "urn:evalgraph:train:set:";

fn graph_of(file: &JsonDocument, shape: &FileShape) -> QuadBuffer {
    let (composed, _) = compose(file, shape, BASE).expect("it is short");
    let mode = LoadMode { json_values: composed.json_values, ..LoadMode::default() };
    let mut quads = QuadBuffer::new();
    let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader).with_load_mode(mode);
    let conversion = processor.to_rdf(&composed.document, &mut quads).expect("it is JSON-LD");
    assert_eq!(conversion.warnings.len(), 0, "{:?}", conversion.warnings);
    quads
}

/// The native text of a graph, and how many kinds of statements it has no place for.
fn back(quads: &QuadBuffer, shape: &FileShape) -> String {
    let graph = IndexedGraph::new(quads, None);
    let root = quads.find_iri(BASE.trim_end_matches(':')).expect("the root has an IRI");
    let back = decompose(&graph, root, shape);
    assert_eq!(back.unread, [], "{}", back.json);
    back.json
}

fn triples(quads: &QuadBuffer) -> String {
    let mut text = Vec::new();
    write(quads, RdfFormat::NTriples, &mut text).expect("memory takes it");
    String::from_utf8(text).expect("N-Triples are UTF-8")
}

fn json(name: &str) -> JsonDocument {
    parse(name, text(name), Limits::default()).expect("it is JSON")
}

#[test]
fn every_fixture_comes_back_from_shuffled_quads() {
    let names = fixtures_in("train").into_iter().chain(fixtures_in("train/evaluation"));
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".json")).collect();
    names.push("train/general-knowledge/train.json".to_owned());
    assert!(names.len() > 7, "{names:?}");
    for name in names {
        let file = json(name.trim_start_matches("train/"));
        let shape = recognise(&file).map_or(shapes::ROWS, |recognised| recognised.shape);
        let quads = graph_of(&file, &shape);
        let written = document(&back(&quads, &shape));
        let difference = difference(&file, file.root(), &written, written.root());
        let difference = difference.map(|difference| document(&difference));
        for seed in 1..4 {
            let quads = read_n_quads(&shuffled(&n_quads(&quads), seed));
            let written = document(&back(&quads, &shape));
            let mut application = DifferenceApplication::new(&written);
            if let Some(difference) = &difference {
                application.add(written.root(), difference);
            }
            let applied = application.write(written.root(), JsonStyle::from_document(&file));
            assert_eq!(applied.stale.count, 0, "{name}");
            // Layout and keys that count no more are left of what no program writes.
            let value = |text: &str| serde_json::from_str::<Value>(text).expect("it is JSON").to_string();
            assert_eq!(value(&applied.text), value(file.text()), "{name}");
            if !name.contains("wrong-types") {
                assert_eq!(applied.text, file.text(), "{name}");
            }
        }
    }
}

#[test]
fn the_rows_of_a_good_dataset_need_no_sidecar() {
    let file = json("general-knowledge/train.json");
    let quads = graph_of(&file, &shapes::ROWS);
    let written = document(&back(&quads, &shapes::ROWS));
    let difference = difference(&file, file.root(), &written, written.root());
    // What RDF has no place for: empty arrays.
    let difference = difference.expect("there are empty arrays");
    assert!(difference.len() < 400, "{difference}");
    assert!(difference.contains("\"contexts\":[]"), "{difference}");
}

#[test]
fn the_graph_is_what_the_table_says() {
    let row = r#"[
        {"id": 7, "question": "Why?", "answer": "So", "is_impossible": false,
         "contexts": [{"filename": "Caf%C3%A9#1.txt", "text": "So it is."}, "Plain."]},
        {"id": "7", "question": "When?", "answer": "-", "is_impossible": true, "contexts": []},
        {"id": null, "question": "Who?", "answer": "-"}]"#;
    let text = triples(&graph_of(&document(row), &shapes::ROWS));
    let document = "<urn:evalgraph:train:set:file/Caf%25C3%25A9%231.txt>";
    for line in [
        "<urn:evalgraph:train:set> <http://schema.org/dataFeedElement> <urn:evalgraph:train:set:7> .",
        "<urn:evalgraph:train:set:7> <urn:evalgraph:vocab:rowId> \"7\"^^<http://www.w3.org/2001/XMLSchema#integer> .",
        "<urn:evalgraph:train:set:7> <http://schema.org/identifier> \"7\" .",
        "<urn:evalgraph:train:set:7~~1> <urn:evalgraph:vocab:rowId> \"7\" .",
        "<urn:evalgraph:train:set:~2/question> <http://schema.org/text> \"Who?\" .",
        "<urn:evalgraph:train:set:7/question> <http://schema.org/acceptedAnswer> <urn:evalgraph:train:set:7/answer> .",
        "<urn:evalgraph:train:set:7/answer> <http://schema.org/isBasedOn> <urn:evalgraph:train:set:7/contexts/0> .",
        &format!("<urn:evalgraph:train:set:7/contexts/0> <http://schema.org/isPartOf> {document} ."),
        &format!("{document} <http://schema.org/name> \"Caf%C3%A9#1.txt\" ."),
        "<urn:evalgraph:train:set:7/contexts/1> <http://schema.org/text> \"Plain.\" .",
        // What stands for no answer is not the text of one, but only where the row says that it is impossible.
        "<urn:evalgraph:train:set:7~~1/question> <urn:evalgraph:vocab:noAnswer> \"-\" .",
        "<urn:evalgraph:train:set:~2/answer> <http://schema.org/text> \"-\" .",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(!text.contains("<urn:evalgraph:train:set:7~~1/answer>"), "{text}");
}

#[test]
fn a_question_keeps_its_path_from_the_file_of_karenina() {
    let quads = graph_of(&json("general-knowledge/train.json"), &shapes::ROWS);
    let text = triples(&quads);
    assert_eq!(text.matches("<http://schema.org/dataFeedElement>").count(), 16);
    assert_eq!(text.matches("<http://schema.org/item>").count(), 16);
    assert_eq!(text.matches("<http://schema.org/acceptedAnswer>").count(), 13);
    assert_eq!(text.matches("<urn:evalgraph:vocab:noAnswer>").count(), 3);
}

#[test]
fn files_are_recognised_by_their_keys() {
    let found = |text: &str| {
        recognise(&document(text))
            .map(|found| (found.kind.into_owned(), found.certainty, found.why.into_owned()))
    };
    let rows = |certainty, why: &str| Some(("rows".to_owned(), certainty, why.to_owned()));
    let both = "its objects have `question`, `answer`";
    assert_eq!(found(r#"[{"question": "a", "answer": "b"}]"#), rows(RecognitionCertainty::Likely, both));
    assert_eq!(
        found(r#"[{"question": "a", "answer": "b", "is_impossible": false}]"#),
        rows(RecognitionCertainty::Sure, "its objects have `question`, `answer`, `is_impossible`")
    );
    assert_eq!(
        found(r#"[{"question": "a", "answer": "b", "contexts": [{"filename": "c"}]}]"#),
        rows(RecognitionCertainty::Sure, "its objects have `question`, `answer`, `contexts`")
    );
    for other in [
        "[]",
        "{}",
        "7",
        "[1, \"question\"]",
        r#"[{"question": "a"}]"#,
        r#"{"question": "a", "answer": "b"}"#,
        r#"[{"@type": "Question", "question": "a", "answer": "b"}]"#,
        r#"[{"task_type": "QA", "question": "a", "answer": "b"}]"#,
        r#"[{"sample_id": "s", "question": "a", "answer": "b"}]"#,
    ] {
        assert_eq!(found(other), None, "{other}");
    }
    let kinds = [
        ("general-knowledge/train.json", "rows", RecognitionCertainty::Sure),
        ("support-desk.json", "rows", RecognitionCertainty::Sure),
        (
            "evaluation/rag_general_knowledge_evaluation_data.json",
            "evaluation data",
            RecognitionCertainty::Sure,
        ),
        (
            "evaluation/rag_general_knowledge_evaluation_results.json",
            "evaluation results",
            RecognitionCertainty::Sure,
        ),
        (
            "evaluation/rag_general_knowledge_evaluation_summary.json",
            "evaluation summary",
            RecognitionCertainty::Sure,
        ),
        (
            "evaluation/rag_general_knowledge_evaluation_metrics.json",
            "evaluation metrics",
            RecognitionCertainty::Sure,
        ),
    ];
    for (name, kind, certainty) in kinds {
        let found = recognise(&json(name)).expect("it is of this system");
        assert_eq!((found.kind.as_ref(), found.certainty), (kind, certainty), "{name}");
    }
}

fn rows(name: &str, format: RowFormat, columns: &[(&str, &str)]) -> JsonDocument {
    let columns = columns.iter().map(|&(key, name)| (key.to_owned(), name.to_owned())).collect();
    let options = RowOptions { columns, ..RowOptions::default() };
    read_rows(name, text(name), format, &options, Limits::default()).expect("the fixture is without fault")
}

#[test]
fn lines_and_tables_are_rows_as_well() {
    let lines = rows("lines.jsonl", RowFormat::JsonLines, &[]);
    let native = back(&graph_of(&lines, &shapes::ROWS), &shapes::ROWS);
    assert!(native.starts_with(r#"[{"question":"What is the chemical symbol of gold?","answer":"Au"},"#));

    let mapped = rows("prompts.jsonl", RowFormat::JsonLines, &[("question", "prompt"), ("answer", "gold")]);
    let native = back(&graph_of(&mapped, &shapes::ROWS), &shapes::ROWS);
    assert!(native.ends_with(r#"{"question":"What is 7 × 8?","answer":"56"}]"#), "{native}");
    let question = mapped.items(mapped.root()).nth(3).and_then(|row| mapped.get(row, "question"));
    let place = mapped.place(question.expect("the column was mapped"));
    assert_eq!((place.line, place.column, place.pointer.as_deref()), (4, 12, Some("/3/question")));

    let table = rows("table.csv", RowFormat::Csv, &[]);
    let native = back(&graph_of(&table, &shapes::ROWS), &shapes::ROWS);
    let expected = concat!(
        r#"[{"id":0,"question":"What is the largest desert?","answer":"Antarctica","is_impossible":false},"#,
        r#"{"id":1,"question":"Which note comes after \"la\"?","answer":"ti","is_impossible":false},"#,
        r#"{"id":2,"question":"Name the parts of a flower:\nfirst the inner, then the outer","#,
        r#""answer":"Pistil, stamens, petals, sepals","is_impossible":false},"#,
        r#"{"id":3,"question":"How many people will live on Mars in 2100?","answer":"-","is_impossible":true},"#,
        r#"{"id":4,"question":"What is the currency of Japan?","answer":"Yen","is_impossible":false}]"#,
    );
    assert_eq!(native, expected);
    let rows: Vec<_> = table.items(table.root()).collect();
    let place = |row: usize, key: &str| {
        let place = table.place(table.get(rows[row], key).expect("the column is there"));
        (place.line, place.column)
    };
    assert_eq!([place(0, "id"), place(0, "question"), place(4, "answer")], [(2, 1), (2, 3), (7, 34)]);
    assert_eq!(place(2, "question"), (4, 3));
}

#[test]
fn columns_that_cannot_be_used_are_told() {
    let fault = |text: &str, format, columns: &[(&str, &str)]| {
        let columns = columns.iter().map(|&(key, name)| (key.to_owned(), name.to_owned())).collect();
        let options = RowOptions { columns, ..RowOptions::default() };
        let fault = read_rows("t", text.to_owned(), format, &options, Limits::default());
        fault.expect_err("it is at fault").to_string()
    };
    let table = "prompt,gold\na,b\n";
    let missing = fault(table, RowFormat::Csv, &[("question", "text")]);
    assert_eq!(missing, "t:1:1: train::column: no column is named `text`; there are `prompt`, `gold`");
    let twice = fault("a,b,a\n", RowFormat::Csv, &[]);
    assert_eq!(twice, "t:1:5: train::column: two columns are named `a`");
    let short = fault("a,b\nc\n", RowFormat::Csv, &[]);
    assert_eq!(short, "t:2:1: train::fields: 1 field, but the first line names 2");
    let line = fault("{\"a\": 1}\n", RowFormat::JsonLines, &[("question", "q")]);
    assert_eq!(line, "t:1:1: train::column: no column is named `q`; there are `a`");
}

#[test]
fn a_column_that_another_one_replaces_keeps_its_content_under_another_name() {
    let options =
        RowOptions { columns: vec![("question".to_owned(), "q".to_owned())], ..RowOptions::default() };
    let text = "{\"question\": \"old\", \"q\": \"new\"}\n{\"q\": 7}\n[]\n".to_owned();
    let rows = read_rows("t", text, RowFormat::JsonLines, &options, Limits::default()).expect("it is JSON");
    let row = rows.items(rows.root()).next().expect("there are three");
    let get =
        |key: &str| rows.get(row, key).and_then(|value| rows.string(value)).map(|text| text.into_owned());
    assert_eq!((get("question").as_deref(), get("unmapped_question").as_deref()), (Some("new"), Some("old")));
    assert_eq!(rows.items(rows.root()).count(), 3);
}

#[test]
fn a_row_of_lines_has_the_place_of_its_line() {
    let text = "{\"question\": \"a\"}\n{\"question\": \"b\"}\n".to_owned();
    let parts = EmbeddedJson::Array(vec![0..18, 18..36]);
    let document = parse_embedded("a.jsonl", text, parts, Limits::default()).expect("it is JSON");
    let second = document.items(document.root()).nth(1).expect("there are two");
    assert_eq!(document.place(second).line, 2);
}
