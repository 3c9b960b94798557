//! The named queries beside `stats`: the same figures, over all fixtures; and no query prints a row twice.

use crate::cli::input::run;
use crate::fixture_files::{FOREIGN, OF_SHAPES};
use crate::karenina::fixtures::path;
use crate::share::one_of;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A row of an answer: the texts by variable.
pub(crate) type Row = BTreeMap<String, String>;

/// Every fixture that is a data file, with its path; the folders that are faults on purpose are left out.
pub(crate) fn data_files() -> Vec<String> {
    let mut files = Vec::new();
    let mut folders = vec![path("")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the fixtures are there") {
            let path = entry.expect("the folder can be read").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                folders.extend(Some(path).filter(|_| {
                    !["broken", "errors", FOREIGN, "frames", "hostile", OF_SHAPES].contains(&&*name)
                }));
            } else if !name.ends_with(".md") && !path.iter().any(|step| step == "corpus") {
                files.push(path.display().to_string());
            }
        }
    }
    files.sort();
    assert!(files.len() > 90, "{files:?}");
    files
}

/// The checkpoints of all dialects.
fn checkpoints() -> Vec<String> {
    let is_checkpoint = |file: &String| {
        let is_json_ld = file.ends_with(".jsonld");
        is_json_ld || file.contains("/karenina/")
    };
    data_files().into_iter().filter(is_checkpoint).collect()
}

/// What `stats` says of the files, or of the store of the folder where there are none.
pub(crate) fn stats(folder: &Path, files: &[String]) -> Vec<Value> {
    let mut arguments = vec!["stats", "--keep-going", "--format", "json"];
    arguments.extend(files.iter().map(String::as_str));
    let (_, stdout, stderr) = run(folder, &arguments);
    let figures: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stderr}"));
    figures.as_array().expect("a list").clone()
}

/// The rows of a query over files, or over the store of the folder where there are none.
pub(crate) fn rows(folder: &Path, query: &[&str], files: &[String]) -> Vec<Row> {
    let mut arguments = vec!["query", "--keep-going", "--format", "sparql-json"];
    arguments.extend(query);
    arguments.extend(files.iter().map(String::as_str));
    let (_, stdout, stderr) = run(folder, &arguments);
    let answer: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{query:?}: {stderr}"));
    let bindings = answer["results"]["bindings"].as_array().expect("a list");
    let text = |cell: &Value| cell["value"].as_str().expect("a text").to_owned();
    let row = |row: &Value| {
        let cells = row.as_object().expect("an object").iter();
        cells.map(|(name, cell)| (name.clone(), text(cell))).collect()
    };
    bindings.iter().map(row).collect()
}

pub(crate) fn named(name: &str, files: &[String]) -> Vec<Row> {
    rows(Path::new("."), &["-n", name], files)
}

pub(crate) fn number(row: &Row, name: &str) -> u64 {
    row[name].parse().unwrap_or_else(|_| panic!("{name}: {row:?}"))
}

/// The answers of all named queries about files, by the file, which a row names by its path or its dataset.
struct Answers {
    by_query: BTreeMap<&'static str, Vec<Row>>,
}

impl Answers {
    fn of(queries: &[&'static str], files: &[String]) -> Self {
        Self { by_query: queries.iter().map(|name| (*name, named(name, files))).collect() }
    }

    fn about<'a>(&'a self, query: &str, file: &'a Value) -> impl Iterator<Item = &'a Row> {
        let names = [file["file"].as_str(), file["dataset"].as_str()];
        self.by_query[query].iter().filter(move |row| {
            let name = row.get("file").or_else(|| row.get("benchmark"));
            names.contains(&name.map(String::as_str))
        })
    }

    fn count(&self, query: &str, file: &Value) -> u64 {
        self.about(query, file).count() as u64
    }

    fn sum(&self, query: &str, column: &str, file: &Value) -> u64 {
        self.about(query, file).map(|row| number(row, column)).sum()
    }
}

/// The traits of a scope by kind, as `stats` has them.
fn traits(file: &Value, scope: &str) -> BTreeMap<String, u64> {
    let counts = file[scope].as_object().expect("an object").iter();
    let counts = counts.map(|(kind, count)| (kind.clone(), count.as_u64().expect("a count")));
    counts.filter(|(_, count)| *count > 0).collect()
}

#[test]
fn queries_about_checkpoints_count_as_stats_does() {
    let files = checkpoints();
    let answers = Answers::of(
        &["overview", "progress", "unfinished", "no-template", "question-cards", "traits", "trait-ranges"],
        &files,
    );
    for file in stats(Path::new("."), &files) {
        let name = &file["file"];
        let of = |key: &str| file[key].as_u64().expect("a count");
        let (questions, finished, templates) = (of("questions"), of("finished"), of("templates"));
        for row in answers.about("overview", &file) {
            let counted = ["questions", "finished", "templates"].map(|column| number(row, column));
            assert_eq!(counted, [questions, finished, templates], "{name}");
        }
        assert_eq!(answers.count("overview", &file), u64::from(questions > 0), "{name}");
        assert_eq!(answers.sum("progress", "finished", &file), finished, "{name}");
        assert_eq!(answers.sum("progress", "questions", &file), questions, "{name}");
        assert_eq!(answers.count("unfinished", &file), questions - finished, "{name}");
        assert_eq!(answers.count("no-template", &file), questions - templates, "{name}");
        let stubs = answers.about("no-template", &file).filter(|row| row["template"] == "default stub");
        assert_eq!(stubs.count() as u64, of("stubs"), "{name}");
        assert_eq!(answers.count("question-cards", &file), questions, "{name}");
        // A trait of all questions counts by its name, one of a single question each time.
        for (scope, column, key) in
            [("global", "names", "globalTraits"), ("question", "definitions", "questionTraits")]
        {
            let rows = answers.about("traits", &file).filter(|row| row["scope"] == scope);
            let counted: BTreeMap<String, u64> =
                rows.map(|row| (row["kind"].clone(), number(row, column))).collect();
            assert_eq!(counted, traits(&file, key), "{name}: {scope}");
        }
        assert_eq!(answers.sum("trait-ranges", "given", &file), of("ratingValues"), "{name}");
        // Only the dialect T has traits that are not ratings.
        if file["dialect"] != "T" {
            assert_eq!(answers.sum("trait-ranges", "definitions", &file), of("ratings"), "{name}");
        }
    }
}

#[test]
fn guards_are_the_traits_that_stats_counts() {
    let files = checkpoints();
    let answers = Answers::of(&["guards", "questions-without-traits"], &files);
    let mut kinds = BTreeSet::new();
    for file in stats(Path::new("."), &files) {
        let name = &file["file"];
        let questions = file["questions"].as_u64().expect("a count");
        let guarded: BTreeMap<&str, u64> = answers
            .about("guards", &file)
            .map(|row| (row["kind"].as_str(), number(row, "questions")))
            .collect();
        let by_a_model = |kind: &str| ["boolean", "score", "literal", "template"].contains(&kind);
        let guard = |kind: &String| if by_a_model(kind) { "llm".to_owned() } else { kind.clone() };
        let (global, own) = (traits(&file, "globalTraits"), traits(&file, "questionTraits"));
        for kind in global.keys().map(guard).filter(|_| questions > 0) {
            assert_eq!(guarded.get(kind.as_str()), Some(&questions), "{name}: {kind}");
        }
        let expected: BTreeSet<String> =
            global.keys().chain(own.keys()).map(guard).filter(|_| questions > 0).collect();
        let found: BTreeSet<String> =
            guarded.keys().filter(|kind| **kind != "none").map(|kind| (*kind).to_owned()).collect();
        assert_eq!(found, expected, "{name}");
        let none = guarded.get("none").copied().unwrap_or(0);
        assert_eq!(none, answers.count("questions-without-traits", &file), "{name}");
        kinds.extend(found);
    }
    assert_eq!(kinds.len(), 6, "the fixtures have every kind of guard: {kinds:?}");
}

#[test]
fn an_export_of_results_is_no_benchmark_without_guards() {
    let files = ["results/results-export.json", "karenina/t-general-knowledge.jsonld"];
    let rows = named("guards", &files.map(|name| path(name).display().to_string()));
    let kinds: Vec<(&str, &str)> = rows.iter().map(|row| (&*row["kind"], &*row["questions"])).collect();
    assert_eq!(kinds, [("callable", "5"), ("llm", "5"), ("regex", "5")]);
}

#[test]
fn systems_have_the_questions_and_answers_that_stats_counts() {
    let files = checkpoints();
    let figures = stats(Path::new("."), &files);
    let sum = |key: &str| figures.iter().filter_map(|file| file[key].as_u64()).sum::<u64>();
    let rows = rows(
        Path::new("."),
        &[
            "-q",
            "SELECT (COUNT(?q) AS ?questions) (SUM(IF(?yes, 1, 0)) AS ?answers) {
            GRAPH <urn:evalgraph:graph:catalog> { ?graph eg:path ?path }
            GRAPH ?graph { ?q a s:Question }
            GRAPH <urn:evalgraph:graph:catalog> { ?q eg:answerable ?yes } }",
        ],
        // Two revisions share questions, of which one might have an answer and the other none.
        &files,
    );
    assert_eq!(number(&rows[0], "questions"), sum("questions"));
    assert_eq!(number(&rows[0], "answers"), sum("answers"));
}

#[test]
fn keywords_and_properties_are_those_of_the_files() {
    for file in checkpoints() {
        let files = [file.clone()];
        let figures = &stats(Path::new("."), &files)[0];
        assert_eq!(named("keywords", &files).len() as u64, figures["keywords"], "{file}");
        let properties = named("properties", &files);
        let finished = properties.iter().find(|row| row["of"] == "question" && row["property"] == "finished");
        let said = finished.map_or(0, |row| number(row, "times"));
        assert!(said >= figures["finished"].as_u64().expect("a count"), "{file}");
        assert!(said <= figures["questions"].as_u64().expect("a count"), "{file}: {said}");
    }
}

/// A checkpoint in which everything occurs twice but the ids: questions of one text, which they also have as
/// their name, with a trait that is out of its range.
fn twins() -> Value {
    let text = fs::read_to_string(path("across/tenancy.jsonld")).expect("the fixture is there");
    let mut checkpoint: Value = serde_json::from_str(&text).expect("it is JSON");
    let items = checkpoint["dataFeedElement"].as_array_mut().expect("a list");
    for item in items.iter_mut() {
        item["item"]["name"] = item["item"]["text"].clone();
        for rating in item["item"]["rating"].as_array_mut().into_iter().flatten() {
            rating["ratingValue"] = json!(7);
        }
    }
    let mut copies = items.clone();
    for copy in &mut copies {
        copy["@id"] = json!(format!("{}-again", copy["@id"].as_str().expect("an id")));
    }
    items.extend(copies);
    checkpoint["@id"] = json!("urn:uuid:karenina-checkpoint-twins");
    checkpoint
}

#[test]
fn no_named_query_prints_a_row_twice() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let twins_file = folder.path().join("twins.jsonld");
    fs::write(&twins_file, twins().to_string()).expect("the folder is ours");
    let mut files = data_files();
    files.push(twins_file.display().to_string());
    let (_, stdout, _) = run(Path::new("."), &["queries", "--format", "json"]);
    let queries: Value = serde_json::from_str(&stdout).expect("it is JSON");
    let names: Vec<&str> =
        queries.as_array().expect("a list").iter().filter_map(|query| query["name"].as_str()).collect();
    assert!(names.len() > 20, "{names:?}");
    for name in names.into_iter().step_by(one_of(2)) {
        let rows = named(name, &files);
        assert!(!rows.is_empty(), "{name}");
        let mut seen = BTreeSet::new();
        for row in rows {
            assert!(seen.insert(row.clone()), "{name}: {row:?}");
        }
    }
    let both = named("contested-questions", &files);
    let of_twins = both.iter().filter(|row| row["benchmark"].ends_with("twins"));
    let ids: Vec<&str> = of_twins.map(|row| row["id"].as_str()).collect();
    assert_eq!(ids, ["urn:uuid:question-tenancy-1", "urn:uuid:question-tenancy-1-again"]);
    let (only, doubled) =
        (vec![path("across/tenancy.jsonld").display().to_string()], vec![files.pop().expect("ours")]);
    for query in
        ["unfinished", "no-template", "question-cards", "questions-without-traits", "recently-modified"]
    {
        let (once, twice) = (named(query, &only), named(query, &doubled));
        assert!(
            !once.is_empty() && twice.len() == 2 * once.len(),
            "{query}: {} of {}",
            twice.len(),
            once.len()
        );
    }
}
