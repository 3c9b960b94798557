//! Figures of datasets and evaluations, and Karenina's export of results.

use crate::cli::input::run;
use crate::karenina::fixtures::path;
use crate::train::fixtures::{corpus, document, text};
use evalgraph::source::corpus::GoldDocuments;
use evalgraph::source::train::retrieval_figures::{figures_of_evaluation, figures_of_rows};
use serde_json::{Value, json};

fn fixture(name: &str) -> String {
    path(name).display().to_string()
}

#[test]
fn rows_and_their_corpus_are_counted() {
    let rows = document(&text("general-knowledge/train.json"));
    let figures = figures_of_rows(&rows, Some(&corpus("general-knowledge/corpus")));
    assert_eq!((figures.rows, figures.impossible, figures.unsaid), (16, 3, 2));
    assert_eq!((figures.with_contexts, figures.contexts, figures.nameless), (11, 14, 2));
    assert_eq!(figures.documents, 9);
    let corpus = figures.corpus.expect("it is known");
    assert_eq!((corpus.files, corpus.missing, corpus.unnamed), (10, 0, 1));
}

/// By hand: of six rows with known documents two have them first, one half of them, two among the first
/// three, and one not at all.
#[test]
fn recall_is_what_was_retrieved_of_the_known_documents() {
    let mut gold = GoldDocuments::default();
    gold.add(&document(&text("general-knowledge/train.json")));
    let evaluation = document(&text("evaluation/rag_general_knowledge_evaluation_data.json"));
    let figures = figures_of_evaluation(&evaluation, &gold);
    assert_eq!((figures.rows, figures.answered, figures.measured), (7, 7, 6));
    let expected = [(1, 2.5 / 6.0), (3, 5.0 / 6.0), (5, 5.0 / 6.0), (10, 5.0 / 6.0)];
    assert_eq!(figures.recall.len(), 4);
    for ((rank, recall), (expected_rank, expected)) in figures.recall.iter().zip(expected) {
        assert!(*rank == expected_rank && (recall - expected).abs() < 1e-12, "@{rank}: {recall}");
    }
    assert_eq!(figures_of_evaluation(&evaluation, &GoldDocuments::default()).recall, []);
}

/// Two rows have one question: the first has a document, the second says that there is none.
#[test]
fn a_row_of_an_evaluation_is_joined_by_its_id_first() {
    let rows = r#"[{"id": 0, "question": "Why  so?", "contexts": [{"filename": "x.txt"}]},
                   {"id": "1", "question": "why so?", "is_impossible": true},
                   {"id": 2, "question": "And now?", "contexts": [{"filename": "y.txt"}]}]"#;
    let mut gold = GoldDocuments::default();
    gold.add(&document(rows));
    let row = |id: &str, question: &str, page: &str| {
        let row = format!(r#"[{{"id": {id}, "question": "{question}", "retrieved_docs": ["{page}"]}}]"#);
        let figures = figures_of_evaluation(&document(&row), &gold);
        let recall = figures.recall.first().map(|(_, recall)| *recall);
        (recall, figures.by_text, figures.ambiguous)
    };
    assert_eq!(row("0", "Why so?", "x_1"), (Some(1.0), 0, 0));
    assert_eq!(row("\"0\"", "Why so?", "z_1"), (Some(0.0), 0, 0));
    assert_eq!(row("1", "Why so?", "z_1"), (None, 0, 0), "nothing is known of it");
    // Another id, or none: the question decides where all rows that have it say the same.
    assert_eq!(row("7", "Why so?", "x_1"), (None, 0, 1));
    assert_eq!(row("null", "Why so?", "x_1"), (None, 0, 1));
    assert_eq!(row("7", "And now?", "y_1"), (Some(1.0), 1, 0));
    // The id of another question is that of another dataset.
    assert_eq!(row("0", "And now?", "y_1"), (Some(1.0), 1, 0));
    assert_eq!(row("0", "And then?", "x_1"), (None, 0, 0));
}

#[test]
fn recall_and_links_go_by_the_same_id() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write =
        |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("the folder is ours");
    write(
        "train.json",
        r#"[{"id": 0, "question": "Why  so?", "answer": "A", "is_impossible": false, "contexts": [{"filename": "x.txt", "text": "t"}]},
            {"id": 1, "question": "Why so?", "answer": "-", "is_impossible": true, "contexts": []}]"#,
    );
    write(
        "rag_d_evaluation_data.json",
        r#"[{"id": 0, "question": "Why  so?", "answer": "A", "generated_answer": "A", "contexts": ["t"], "retrieved_docs": ["x_1"]},
            {"id": 1, "question": "Why so?", "answer": "-", "generated_answer": "B", "contexts": [], "retrieved_docs": ["z_1"]}]"#,
    );
    let files = ["rag_d_evaluation_data.json", "train.json"];
    for extra in [&[][..], &["--in-pieces-of", "1"]] {
        let arguments = [&["stats"], &files[..], extra].concat();
        let (status, stdout, stderr) = run(folder.path(), &arguments);
        assert_eq!(status, 0, "{stderr}");
        assert!(stdout.contains("with known documents  1\n") && stdout.contains("@1 1.000"), "{stdout}");
    }
    let query =
        "SELECT ?answer ?id { GRAPH <urn:evalgraph:graph:catalog> { ?a s:parentItem ?q . ?q eg:localId ?id }
        ?a s:text ?answer } ORDER BY ?answer";
    let arguments = [&["query"], &files[..], &["-q", query, "--format", "csv"]].concat();
    let (status, stdout, stderr) = run(folder.path(), &arguments);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(stdout.lines().collect::<Vec<_>>(), ["answer,id", "A,0", "B,1"]);
}

#[test]
fn pages_go_by_the_name_of_their_file() {
    let rows = document(r#"[{"id": 1, "question": "a?", "contexts": [{"filename": "x_1.txt"}]}]"#);
    let mut gold = GoldDocuments::default();
    gold.add(&rows);
    let recall = |retrieved: &str| {
        let row = format!(r#"[{{"id": 2, "question": "A?", "retrieved_docs": ["{retrieved}"]}}]"#);
        figures_of_evaluation(&document(&row), &gold).recall[0].1
    };
    for (retrieved, expected) in [
        ("x_1", 1.0),
        ("x_1_12", 1.0),
        ("x_1.txt_3", 1.0),
        ("x_1.txt", 1.0),
        ("x", 0.0),
        ("x_1_a", 0.0),
        ("x_11", 0.0),
    ] {
        assert_eq!(recall(retrieved), expected, "{retrieved}");
    }
}

#[test]
fn stats_shows_datasets_with_their_evaluation() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (dataset, evaluation) = (fixture("train/general-knowledge"), fixture("train/evaluation"));
    let (status, stdout, stderr) = run(folder.path(), &["stats", &dataset, &evaluation, "--format", "json"]);
    assert_eq!(status, 0, "{stderr}");
    let files: Value = serde_json::from_str(&stdout).expect("it is JSON");
    let of = |kind: &str| {
        let files = files.as_array().expect("a list");
        files
            .iter()
            .find(|file| file["kind"] == kind)
            .cloned()
            .unwrap_or_else(|| panic!("no {kind}: {stdout}"))
    };
    let rows = of("train/rows");
    assert_eq!(
        (&rows["rows"], &rows["impossible"], &rows["corpusFiles"]),
        (&json!(16), &json!(3), &json!(10))
    );
    assert_eq!((&rows["fileType"], &rows["extensions"]["txt"]), (&json!("txt"), &json!(7)));
    let data = of("train/evaluation data");
    assert_eq!((&data["measured"], &data["recall"]["3"]), (&json!(6), &json!(5.0 / 6.0)));
    of("train/evaluation results");
    let (status, stdout, _) = run(folder.path(), &["stats", &dataset, "--explain"]);
    assert_eq!(status, 0);
    assert!(stdout.contains("its objects have `question`, `answer`, `is_impossible`"), "{stdout}");
    assert!(stdout.contains("3 (18.8 %)"), "{stdout}");
}

#[test]
fn results_are_judgements_on_the_questions_of_a_checkpoint() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let export = fixture("results/results-export.json");
    let query = "SELECT ?text ?answer ?right ?model {
        ?result a eg:VerificationResult ; eg:verifyResult ?right ; eg:answeringModel ?model ; s:itemReviewed ?a .
        ?a s:text ?answer ; s:parentItem/s:text ?text }";
    let (status, stdout, stderr) = run(folder.path(), &["query", &export, "-q", query, "--format", "csv"]);
    assert_eq!(status, 0, "{stderr}");
    let rows: Vec<&str> = stdout.lines().skip(1).collect();
    assert_eq!(rows, ["What is 12 times 12?,144,true,model-a"]);
    let arguments = ["convert", &export, "--to", "nq", "--with", "sidecar", "-o", "r.nq"];
    let (status, _, stderr) = run(folder.path(), &arguments);
    assert_eq!(status, 0, "{stderr}");
    let (status, stdout, stderr) = run(folder.path(), &["convert", "r.nq", "--to", "same"]);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(stdout, std::fs::read_to_string(&export).expect("the fixture is there"));
}

/// The evaluator's figures by row, joined with the questions that were asked.
#[test]
fn figures_are_about_answers_to_the_questions_of_the_rows() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let dataset = fixture("train/general-knowledge");
    let run_of =
        |name: &str| fixture(&format!("train/evaluation/rag_general_knowledge_evaluation_{name}.json"));
    let (data, results) = (run_of("data"), run_of("results"));
    let text =
        "SELECT ?id ?value { ?review s:reviewAspect 'nv_accuracy' ; s:reviewRating/s:ratingValue ?value ;
        s:position ?position . ?row a eg:TrainRow ; s:item ?question ; s:identifier ?id
        GRAPH <urn:evalgraph:graph:catalog> { ?review s:itemReviewed ?answer . ?answer s:parentItem ?question }
        } ORDER BY ?id";
    let asked = |inputs: &[&str]| -> Vec<String> {
        let arguments = [&["query"], inputs, &["-q", text, "--format", "csv"]].concat();
        let (status, stdout, stderr) = run(folder.path(), &arguments);
        assert_eq!(status, 0, "{stderr}");
        stdout.lines().skip(1).map(str::to_owned).collect()
    };
    let rows: Vec<Value> =
        serde_json::from_str(&std::fs::read_to_string(&data).expect("the fixture is there")).expect("JSON");
    let values = ["1.0", "1.0", "0.0", "1.0", "0.5", "1.0", "0.75"];
    let mut expected: Vec<String> =
        rows.iter().zip(values).map(|(row, value)| format!("{},{value}", row["id"])).collect();
    expected.sort();
    assert_eq!(asked(&[&dataset, &data, &results]), expected);
    assert_eq!(asked(&[&dataset, &fixture("train/evaluation")]), expected);
    let arguments = ["convert", &dataset, &data, &results, "--to", "nq", "--with", "catalog", "-o", "all.nq"];
    let (status, _, stderr) = run(folder.path(), &arguments);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(asked(&["all.nq"]), expected);
    // Without the answers nobody knows what a figure is about, and not with those of another run.
    assert_eq!(asked(&[&dataset, &results]), [""; 0]);
    let fewer = serde_json::to_string(&rows[1..]).expect("it is JSON");
    std::fs::write(folder.path().join("data.json"), fewer).expect("the folder is ours");
    assert_eq!(asked(&[&dataset, "data.json", &results]), [""; 0]);
}
