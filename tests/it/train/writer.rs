//! Datasets of train.json made of the questions of other files.

use crate::cli::input::run;
use crate::karenina::fixtures::{fixtures_in, path};
use evalgraph::rdf::{QuadBuffer, QuadSink};
use evalgraph::source::counts::ConversionCounts;
use evalgraph::source::items::{ItemContext, QuestionItem, SourceId};
use evalgraph::source::train::{WrittenDataset, dataset_of_items};
use evalgraph::source::writing::{ImpossibleDefault, RowIds, RowWriteOptions};
use hashbrown::HashSet;
use serde_json::{Value, json};
use std::fs;

fn item(question: &str, answer: Option<&str>, contexts: &[(&str, &str)]) -> QuestionItem {
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    QuestionItem {
        node: QuadBuffer::new().iri("urn:x:1"),
        local_id: "7".to_owned(),
        source_id: None,
        question: question.to_owned(),
        answer: answer.map(str::to_owned),
        no_answer: None,
        is_impossible: None,
        contexts: contexts
            .iter()
            .map(|(name, of)| ItemContext { name: text(name), text: text(of), document: None })
            .collect(),
        keywords: Vec::new(),
        date_created: None,
        date_modified: None,
    }
}

const WITH_CORPUS: RowWriteOptions =
    RowWriteOptions { impossible: ImpossibleDefault::False, with_corpus: true, ids: RowIds::Source };
const ROWS_ALONE: RowWriteOptions =
    RowWriteOptions { impossible: ImpossibleDefault::Omit, with_corpus: false, ids: RowIds::Source };

/// A dataset whose corpus has no files yet.
fn dataset(items: &[QuestionItem], options: RowWriteOptions) -> WrittenDataset {
    dataset_of_items(items, options, &HashSet::new())
}

fn counts(counts: &ConversionCounts) -> Vec<(&str, u64)> {
    counts.iter().collect()
}

#[test]
fn rows_look_as_the_evaluator_writes_its_own_files() {
    let items = [item("Wie \"groß\"?", Some("So"), &[("a.txt", "So groß."), ("b.txt", "")])];
    let written = dataset(&items, WITH_CORPUS);
    let expected = r#"[
  {
    "id": 0,
    "question": "Wie \"groß\"?",
    "answer": "So",
    "is_impossible": false,
    "contexts": [
      {
        "filename": "a.txt",
        "text": "So groß."
      },
      {
        "filename": "b.txt"
      }
    ]
  }
]"#;
    assert_eq!(written.rows, expected);
    assert_eq!(written.corpus.into_iter().collect::<Vec<_>>(), [("a.txt".to_owned(), "So groß.".to_owned())]);
    assert_eq!(dataset(&[], WITH_CORPUS).rows, "[]");
}

#[test]
fn what_is_not_said_is_not_made_up() {
    let mut impossible = item("When?", None, &[]);
    impossible.is_impossible = Some(true);
    let items = [item("Why?", None, &[("", "Plain.")]), impossible];
    let written = dataset(&items, ROWS_ALONE);
    let rows: Value = serde_json::from_str(&written.rows).expect("it is JSON");
    let expected = json!([
        {"id": 0, "question": "Why?", "answer": "", "contexts": ["Plain."]},
        {"id": 1, "question": "When?", "answer": "-", "is_impossible": true, "contexts": []},
    ]);
    assert_eq!(rows, expected);
    let ids = "`id` is the index of the row, or the next number that is free";
    assert_eq!(counts(&written.defaults), [("`answer` is empty", 1), (ids, 2)]);
    assert!(counts(&written.losses).is_empty());
}

/// The results of a run are joined with the questions by these.
#[test]
fn rows_keep_the_ids_of_their_questions_each_once() {
    let with_id = |text: &str, is_string| QuestionItem {
        source_id: Some(SourceId { text: text.to_owned(), is_string }),
        ..item("Why?", Some("So"), &[])
    };
    let items = [
        item("When?", Some("Then"), &[]),
        with_id("TRAIN_Q000", true),
        with_id("0", false),
        with_id("7", true),
        with_id("TRAIN_Q000", true),
        with_id("0", false),
    ];
    let written = dataset(&items, ROWS_ALONE);
    let rows: Value = serde_json::from_str(&written.rows).expect("it is JSON");
    let ids: Vec<&Value> = rows.as_array().expect("rows").iter().map(|row| &row["id"]).collect();
    assert_eq!(
        ids,
        [&json!(1), &json!("TRAIN_Q000"), &json!(0), &json!("7"), &json!("TRAIN_Q000-2"), &json!(3)]
    );
    assert_eq!(counts(&written.losses), [("the id of a question that another one has", 2)]);
    let by_index = dataset(&items, RowWriteOptions { ids: RowIds::Index, ..ROWS_ALONE });
    let rows: Value = serde_json::from_str(&by_index.rows).expect("it is JSON");
    assert_eq!((&rows[0]["id"], &rows[5]["id"]), (&json!(0), &json!(5)));
    assert_eq!(counts(&by_index.losses), [("the id of a question", 5)]);
}

/// Two documents of one name have two files, and a document of two names the one that is used more.
#[test]
fn a_file_is_of_one_document() {
    let context = |id: &str, name: &str, of: &str| ItemContext {
        name: Some(name.to_owned()),
        text: Some(of.to_owned()),
        document: Some(id.to_owned()),
    };
    let contexts = vec![
        context("global", "Holiday", "Of the world."),
        context("creation", "Holiday", "How it began."),
        context("rides", "Rides", "One."),
        context("rides", "Rides of 1961", "Two."),
        context("rides", "Rides of 1961", "Three."),
    ];
    let items = [QuestionItem { contexts, ..item("Why?", Some("So"), &[]) }];
    let written = dataset(&items, WITH_CORPUS);
    let files: Vec<(&str, &str)> =
        written.corpus.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    assert_eq!(
        files,
        [
            ("Holiday-2.txt", "How it began."),
            ("Holiday.txt", "Of the world."),
            ("Rides of 1961.txt", "One.\n\nTwo.\n\nThree."),
        ]
    );
    assert_eq!(
        counts(&written.losses),
        [
            ("the name of the document `Holiday`, which becomes the file `Holiday-2.txt`,", 1),
            ("the other name of a document that has two", 1),
        ]
    );
}

#[test]
fn documents_become_files_with_safe_names() {
    let items = [
        item("1?", Some("1"), &[("../etc/passwd", "x"), ("manual.pdf", "y"), ("..", "z"), ("Salt", "s")]),
        item(
            "2?",
            Some("2"),
            &[("a/b.txt", "one"), ("a_b.txt", "two"), ("A_B.TXT", "three"), ("", "nameless")],
        ),
        item("3?", Some("3"), &[("a/b.txt", "more"), ("", "nameless"), ("unknown.txt", "")]),
    ];
    let written = dataset(&items, WITH_CORPUS);
    let names: Vec<&str> = written.corpus.keys().map(String::as_str).collect();
    let expected = [
        "A_B-3.TXT",
        "Salt",
        "_...txt",
        "_.._etc_passwd.txt",
        "a_b-2.txt",
        "a_b.txt",
        "context-1.txt",
        "manual.pdf.txt",
    ];
    assert_eq!(names, expected);
    assert_eq!(written.corpus["a_b.txt"], "one\n\nmore");
    let losses = counts(&written.losses);
    let collision = "the name of the document `a_b.txt`, which becomes the file `a_b-2.txt`,";
    assert!(losses.contains(&(collision, 1)), "{losses:#?}");
    assert!(losses.contains(&("a document without a text in the corpus", 1)), "{losses:#?}");
    let extension = ("the extension of the file `manual.pdf.txt`", 1);
    assert!(counts(&written.defaults).contains(&extension), "{:#?}", written.defaults);
    let long = "ä".repeat(300);
    let written = dataset(&[item("?", Some("!"), &[(&long, "x")])], WITH_CORPUS);
    assert!(written.corpus.keys().all(|name| name.len() <= 255 && name.ends_with("ä.txt")));
}

#[test]
fn passages_that_others_hold_are_not_said_twice() {
    let contexts = [("a.txt", "b"), ("a.txt", "c"), ("a.txt", "a b"), ("a.txt", "a"), ("a.txt", "c")];
    let written = dataset(&[item("?", Some("!"), &contexts)], WITH_CORPUS);
    assert_eq!(written.corpus["a.txt"], "c\n\na b");
}

#[test]
fn a_dataset_is_made_of_any_file_with_questions_and_keeps_its_rules() {
    let karenina = fixtures_in("karenina").into_iter().filter(|name| !name.contains("dialogue"));
    let train = ["awkward-rows.json", "lines.jsonl", "support-desk.json", "table.csv"];
    let names = karenina.chain(train.map(|name| format!("train/{name}")));
    for name in names {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let input = path(&name).display().to_string();
        let (status, stdout, stderr) =
            run(folder.path(), &["convert", &input, "--to", "train", "-o", "set", "--ids", "index"]);
        assert_eq!((status, stdout.as_str()), (0, ""), "{name}: {stderr}");
        let (status, stdout, stderr) = run(folder.path(), &["validate", "set/"]);
        assert_eq!(status, 0, "{name}: {stdout}{stderr}");
        assert!(stdout.starts_with("set/train.json: conforms to seed"), "{name}: {stdout}");
    }
}

/// Of a document that is named without a text nobody knows the content.
#[test]
fn a_dataset_comes_back_with_its_questions_and_passages() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let input = path("train/general-knowledge").display().to_string();
    let (status, _, stderr) = run(folder.path(), &["convert", &input, "--to", "train", "-o", "set/"]);
    assert_eq!(status, 0, "{stderr}");
    let read = |file: &std::path::Path| -> Value {
        serde_json::from_str(&fs::read_to_string(file).expect("it was written")).expect("it is JSON")
    };
    let mut rows = read(&path("train/general-knowledge/train.json"));
    let mut written = read(&folder.path().join("set/train.json"));
    // What the source does not say has its default, and a plain text has become a file.
    assert_eq!((&written[14]["is_impossible"], &written[14]["contexts"]), (&json!(false), &json!([])));
    assert_eq!(written[13]["contexts"][0]["filename"], "context-13.txt");
    for index in [12, 13, 14, 15, 11] {
        rows.as_array_mut().expect("rows").remove(index.min(11));
        written.as_array_mut().expect("rows").remove(index.min(11));
    }
    assert_eq!(written, rows);
    // The files of the corpus are there as they are.
    let corpus = folder.path().join("set/corpus");
    for file in fs::read_dir(path("train/general-knowledge/corpus")).expect("the corpus is there") {
        let file = file.expect("the corpus can be read").path();
        if file.is_file() {
            let name = file.file_name().expect("a file has a name");
            assert_eq!(fs::read(&file).ok(), fs::read(corpus.join(name)).ok(), "{}", file.display());
        }
    }
    let text = fs::read_to_string(corpus.join("Mount_Kilimanjaro.txt")).expect("it was written");
    assert!(text.contains("It has three volcanic cones"), "{text}");
    let (status, stdout, _) = run(folder.path(), &["convert", &input, "--to", "train"]);
    assert!(status == 0 && stdout.starts_with("[\n  {\n    \"id\": 0,"), "{stdout}");
    let (status, _, stderr) =
        run(folder.path(), &["convert", &input, "--to", "train", "-o", "b", "--no-corpus"]);
    assert!(status == 0 && !folder.path().join("b/corpus").exists(), "{stderr}");
}

#[test]
fn inputs_without_questions_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.ttl"), "<urn:x:a> <urn:x:b> 1 .\n").expect("the folder is ours");
    let (status, _, stderr) = run(folder.path(), &["convert", "a.ttl", "--to", "train"]);
    assert!(status == 2 && stderr.contains("convert::no-questions"), "{stderr}");
}
