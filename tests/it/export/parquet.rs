//! The export as Parquet: the same quads as N-Quads, numbers that are the same in every export, files that are the same for
//! the same data, and values that are exact.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use evalgraph::source::parquet::json_lines;
use serde_json::Value;

use crate::cli::input::run;

fn fixture(name: &str) -> String {
    format!("{}/fixtures/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The rows of a file.
pub(super) fn rows(path: &Path) -> Vec<Value> {
    let lines = json_lines("a.parquet", fs::read(path).expect("it is there"), u64::MAX);
    let lines = lines.expect("it is whole").expect("the limit is not reached");
    lines.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect()
}

fn export(folder: &Path, inputs: &[&str]) -> String {
    let (status, stdout, stderr) =
        run(folder, &[&["export", "parquet", "out", "--replace"], inputs].concat());
    assert_eq!(status, 0, "{stderr}");
    stdout
}

/// The files of one predicate, with its number and its IRI, as the views have them.
fn predicates(folder: &Path) -> Vec<(String, i64, String)> {
    let views = fs::read_to_string(folder.join("out/views.duckdb.sql")).expect("it is there");
    let own = views.lines().filter_map(|line| {
        let (head, file) = line.split_once(" FROM read_parquet('")?;
        let (_, head) = head.split_once("CAST('")?;
        let (number, head) = head.split_once("' AS BIGINT) AS p_id, '")?;
        let (predicate, _) = head.split_once("' AS p")?;
        let file = file.split('\'').next().unwrap_or_default();
        Some((file.to_owned(), number.parse().expect("a number"), predicate.to_owned()))
    });
    own.collect()
}

/// The quads of rows as N-Quads, and the numbers of terms by their texts.
fn quads(folder: &Path) -> (BTreeSet<String>, BTreeMap<String, i64>) {
    let graphs = rows(&folder.join("out/graphs.parquet"));
    let graph = |id: &Value| graphs.iter().find(|row| row["g_id"] == *id).expect("the graph is there");
    let mut numbers = BTreeMap::new();
    let mut quads = BTreeSet::new();
    // A blank node has only a number.
    let node = |row: &Value, end: &str| match row.get(end).and_then(Value::as_str) {
        Some(iri) => format!("<{iri}>"),
        None => format!("_:b{}", row[format!("{end}_id")]),
    };
    let predicates = predicates(folder);
    let files = fs::read_dir(folder.join("out/p")).expect("it is there");
    let of_file = |path: std::path::PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let own = predicates.iter().find(|(file, ..)| file.ends_with(&name)).cloned();
        rows(&path).into_iter().map(move |mut row| {
            if let Some((_, number, predicate)) = &own {
                row["p_id"] = (*number).into();
                row["p"] = predicate.as_str().into();
            }
            row
        })
    };
    for row in files.flat_map(|file| of_file(file.expect("it is ours").path())) {
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        let object = match (row["o_kind"].as_str(), row.get("o_lang").and_then(Value::as_str)) {
            (Some("literal"), language) => {
                let value = serde_json::to_string(&text("o")).expect("a string");
                match (language, text("o_datatype")) {
                    (Some(language), _) => format!("{value}@{language}"),
                    (None, datatype) if datatype.ends_with("#string") => value,
                    (None, datatype) => format!("{value}^^<{datatype}>"),
                }
            }
            _ => node(&row, "o"),
        };
        for (id, term) in [("s_id", node(&row, "s")), ("p_id", node(&row, "p")), ("o_id", object.clone())] {
            let number = row[id].as_i64().expect("a number");
            assert_eq!(*numbers.entry(term.clone()).or_insert(number), number, "{term}");
        }
        let graph = graph(&row["g_id"])["g"].as_str().expect("a text").to_owned();
        quads.insert(format!("{} {} {object} <{graph}> .", node(&row, "s"), node(&row, "p")));
    }
    assert_eq!(numbers.values().collect::<BTreeSet<_>>().len(), numbers.len());
    (quads, numbers)
}

#[test]
fn the_files_have_the_quads_of_n_quads() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let inputs =
        ["karenina/p1-physics.jsonld", "train/support-desk.json", "rlcf/worked/export.json"].map(fixture);
    let inputs = inputs.each_ref().map(String::as_str);
    let names = export(folder.path(), &inputs);
    assert_eq!(names.lines().count(), 6, "{names}");
    let graphs = rows(&folder.path().join("out/graphs.parquet"));
    let files: BTreeSet<&str> = graphs.iter().filter_map(|row| row["file"].as_str()).collect();
    assert_eq!(files, inputs.into());
    let (quads, _) = quads(folder.path());
    fs::write(folder.path().join("ours.nq"), quads.into_iter().collect::<Vec<_>>().join("\n")).expect("ours");
    let (status, _, stderr) = run(folder.path(), &[&["export", "files", "nq"][..], &inputs].concat());
    assert_eq!(status, 0, "{stderr}");
    let (status, stdout, stderr) = run(folder.path(), &["diff", "ours.nq", "nq/data.nq"]);
    assert_eq!(status, 0, "{stdout}{stderr}");
}

#[test]
fn the_same_data_give_the_same_files_and_numbers_in_any_order_and_company() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [one, other] = ["karenina/g-ecology.jsonld", "train/support-desk.json"].map(fixture);
    let bytes = || {
        ["p/rest.parquet", "graphs.parquet", "views.duckdb.sql", "_schema.json"]
            .map(|name| fs::read(folder.path().join("out").join(name)).expect("it is there"))
    };
    export(folder.path(), &[&one, &other]);
    let (first, (both, numbers)) = (bytes(), quads(folder.path()));
    export(folder.path(), &[&other, &one]);
    assert!(first == bytes());
    export(folder.path(), &[&other]);
    let (alone, numbers_alone) = quads(folder.path());
    assert!(!alone.is_empty() && alone.is_subset(&both), "{:?}", alone.difference(&both).next());
    assert!(numbers_alone.iter().all(|(term, number)| numbers[term] == *number));
    // A store gives what its files give.
    let store = |arguments: &[&str]| assert_eq!(run(folder.path(), arguments).0, 0, "{arguments:?}");
    store(&["init"]);
    store(&["load", &one, &other]);
    export(folder.path(), &[]);
    let of_store = quads(folder.path());
    assert_eq!(of_store, (both, numbers));
}

#[test]
fn the_description_of_the_folder_conforms_to_croissant() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let inputs = ["karenina/g-ecology.jsonld", "train/support-desk.json"].map(fixture);
    let inputs = inputs.each_ref().map(String::as_str);
    let options = ["--own-file", "20", "--closure", "http://schema.org/item"];
    export(folder.path(), &[&inputs[..], &options].concat());
    let (status, stdout, stderr) = run(folder.path(), &["check", "out/_schema.json"]);
    assert_eq!(status, 0, "{stdout}{stderr}");
    assert!(stdout.contains("0 violations, 0 warnings, 0 info"), "{stdout}");
    let text = fs::read_to_string(folder.path().join("out/_schema.json")).expect("it is there");
    let schema: Value = serde_json::from_str(&text).expect("it is JSON");
    // It has each file of rows with each of its columns.
    let mut described: Vec<&str> = schema["distribution"]
        .as_array()
        .expect("files")
        .iter()
        .map(|file| file["contentUrl"].as_str().expect("a path"))
        .collect();
    for (file, rows_of) in described.iter().zip(schema["recordSet"].as_array().expect("record sets")) {
        let names: Vec<&str> = rows_of["field"]
            .as_array()
            .expect("fields")
            .iter()
            .map(|field| field["source"]["extract"]["column"].as_str().expect("a column"))
            .collect();
        let of_file: BTreeSet<String> = rows(&folder.path().join("out").join(file))
            .iter()
            .flat_map(|row| row.as_object().expect("a row").keys().cloned().collect::<Vec<_>>())
            .collect();
        assert!(of_file.iter().all(|name| names.contains(&name.as_str())), "{file}: {names:?} {of_file:?}");
    }
    described.sort_unstable();
    let list = fs::read_to_string(folder.path().join("out/export.json")).expect("it is there");
    let list: Value = serde_json::from_str(&list).expect("it is JSON");
    let mut files: Vec<&str> = list["files"]
        .as_array()
        .expect("files")
        .iter()
        .filter_map(|file| file["name"].as_str().filter(|name| name.ends_with(".parquet")))
        .collect();
    files.sort_unstable();
    assert_eq!(described, files);
    assert!(files.len() > 4, "{files:?}");
}

#[test]
fn predicates_with_files_of_their_own_have_the_same_quads() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let input = fixture("karenina/g-ecology.jsonld");
    export(folder.path(), &[&input]);
    let together = quads(folder.path());
    let names = export(folder.path(), &[&input, "--own-file", "10"]);
    assert!(names.lines().count() > 5, "{names}");
    assert_eq!(quads(folder.path()), together);
}

#[test]
fn one_row_of_each_triple_is_the_first() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data =
        ["<urn:a> <urn:p> 1 , 2 .", "<urn:a> <urn:p> 2 , 3 . <urn:a> <urn:q> 2 .", "<urn:a> <urn:p> 2 ."];
    for (name, data) in ["a.ttl", "b.ttl", "c.ttl"].iter().zip(data) {
        fs::write(folder.path().join(name), data).expect("ours");
    }
    export(folder.path(), &["a.ttl", "b.ttl", "c.ttl"]);
    let rows = rows(&folder.path().join("out/p/rest.parquet"));
    let first = rows.iter().filter(|row| row["is_first"] == true);
    let first: Vec<String> = first.map(|row| format!("{} {}", row["p"], row["o"])).collect();
    assert_eq!((rows.len(), first.len()), (6, 4), "{first:?}");
    assert_eq!(first.iter().collect::<BTreeSet<_>>().len(), 4, "{first:?}");
}

#[test]
fn the_blank_nodes_of_a_graph_have_numbers_that_follow_each_other() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    export(folder.path(), &[&fixture("karenina/p2-genomics.jsonld")]);
    let mut numbers = BTreeSet::new();
    for row in rows(&folder.path().join("out/p/rest.parquet")) {
        for end in ["s", "o"] {
            if row.get(end).is_none() {
                numbers.insert(row[format!("{end}_id")].as_i64().expect("a number"));
            }
        }
    }
    let (first, last) = (numbers.first().expect("there are some"), numbers.last().expect("there are some"));
    assert_eq!(usize::try_from(last - first).expect("it is small") + 1, numbers.len());
    assert!(numbers.len() > 10, "{numbers:?}");
}

#[test]
fn values_have_columns_of_their_own() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = "@prefix x: <http://www.w3.org/2001/XMLSchema#> .
<urn:a> <urn:p> 1 , 01 , 1.50 , 1.0e0 , true , \"1\" , \"x\"@en-US , \"yes\"^^x:boolean , <urn:b> , [] ,
  \"2026-01-01T01:00:00+01:00\"^^x:dateTime , \"2026-01-01T00:00:00\"^^x:dateTime , \"0.1234567890123456789\"^^x:decimal .";
    fs::write(folder.path().join("a.ttl"), data).expect("ours");
    export(folder.path(), &["a.ttl"]);
    let mut shown: Vec<String> = rows(&folder.path().join("out/p/rest.parquet"))
        .iter()
        .map(|row| {
            let keys = ["o", "o_kind", "o_lang", "o_num", "o_dbl", "o_bool", "o_time", "o_zoned"];
            let cell = |key: &str| match row.get(key) {
                Some(Value::String(text)) => text.clone(),
                Some(value) => value.to_string(),
                None => "-".to_owned(),
            };
            keys.map(cell).join(" ")
        })
        .collect();
    shown.sort();
    insta::assert_snapshot!(shown.join("\n"), @r"
    - blank - - - - - -
    0.1234567890123456789 literal - - - - - -
    01 literal - 1.0 1.0 - - -
    1 literal - - - - - -
    1 literal - 1.0 1.0 - - -
    1.0e0 literal - - 1.0 - - -
    1.50 literal - 1.5 1.5 - - -
    2026-01-01T00:00:00 literal - - - - 2026-01-01T00:00:00Z false
    2026-01-01T01:00:00+01:00 literal - - - - 2026-01-01T00:00:00Z true
    true literal - - - true - -
    urn:b iri - - - - - -
    x literal en-us - - - - -
    yes literal - - - - - -
    ");
}

#[test]
fn an_export_replaces_only_exports_and_leaves_out_sidecars() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = fixture("karenina/g-ecology.jsonld");
    let said = |arguments: &[&str]| {
        let (status, _, stderr) =
            run(folder.path(), &[&["export", "parquet", "out", &file], arguments].concat());
        (status, stderr.lines().next().unwrap_or_default().to_owned())
    };
    assert_eq!(said(&["--dry-run"]).0, 0);
    assert!(!folder.path().join("out").exists());
    assert_eq!(said(&[]).0, 0);
    assert!(said(&[]).1.starts_with("error[export::exists]"));
    assert_eq!(said(&["--replace"]).0, 0);
    assert!(said(&["--replace", "--with", "sidecar"]).1.starts_with("error[export::sidecar]"));
    fs::write(folder.path().join("out/own.txt"), "mine").expect("ours");
    assert!(said(&["--replace"]).1.starts_with("error[export::other-files]"));
}
