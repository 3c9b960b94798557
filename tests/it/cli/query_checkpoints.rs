//! The named queries about checkpoints: names and ids as Karenina's library writes them, and nothing of other systems.

use crate::cli::query_figures::{Row, named, rows};
use crate::karenina::fixtures::path;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// A fixture with a change.
fn changed(fixture: &str, change: impl FnOnce(&mut Value)) -> String {
    let text = fs::read_to_string(path(fixture)).expect("the fixture is there");
    let mut checkpoint: Value = serde_json::from_str(&text).expect("it is JSON");
    change(&mut checkpoint);
    checkpoint.to_string()
}

fn cells<'r>(rows: &'r [Row], names: &[&str]) -> Vec<Vec<&'r str>> {
    let cell = |row: &'r Row, name: &&str| row.get(*name).map_or("", String::as_str);
    rows.iter().map(|row| names.iter().map(|name| cell(row, name)).collect()).collect()
}

fn written(folder: &Path, files: &[(&str, String)]) -> Vec<String> {
    let write = |(name, text): &(&str, String)| {
        let file = folder.join(name);
        fs::write(&file, text).expect("the folder is ours");
        file.display().to_string()
    };
    files.iter().map(write).collect()
}

/// A checkpoint whose first questions have these authors, each a text.
fn with_authors(authors: &[String]) -> String {
    changed("across/tenancy.jsonld", |checkpoint| {
        let items = checkpoint["dataFeedElement"].as_array_mut().expect("a list");
        for (item, author) in items.iter_mut().zip(authors) {
            let property = json!({"@type": "PropertyValue", "name": "author", "value": author});
            item["item"]["additionalProperty"].as_array_mut().expect("a list").push(property);
        }
    })
}

#[test]
fn an_author_is_named_however_the_name_is_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // Python writes what is not ASCII by numbers.
    let by_numbers = r#"{"@type": "Person", "name": "Zo\u00eb \"Z\" \u00d6z \ud83d\ude00"}"#.to_owned();
    let as_it_is =
        json!({"affiliation": {"name": "Delft"}, "name": "Zoë \"Z\" Öz 😀", "email": "z@example.org"});
    let authors = [by_numbers, as_it_is.to_string(), "Zoë \"Z\" Öz 😀".to_owned()];
    let files = written(folder.path(), &[("a.jsonld", with_authors(&authors))]);
    let of_questions: Vec<Row> =
        named("authors", &files).into_iter().filter(|row| row["of"] == "question").collect();
    assert_eq!(cells(&of_questions, &["author", "works"]), [["Zoë \"Z\" Öz 😀", "3"]]);
    for (author, shown) in
        [(r#"{"name": 7}"#, r#"{"name": 7}"#), (r#"["Ada"]"#, r#"["Ada"]"#), ("Ada", "Ada")]
    {
        let files = written(folder.path(), &[("a.jsonld", with_authors(&[author.to_owned()]))]);
        let found = named("authors", &files);
        assert!(found.iter().any(|row| row["author"] == shown), "{author}: {found:?}");
    }
}

#[test]
fn files_of_one_id_are_revisions_whatever_the_id() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let checkpoint = |id: Option<&str>, version: &str| {
        changed("across/tenancy.jsonld", |checkpoint| {
            checkpoint["version"] = json!(version);
            checkpoint["@id"] = json!(id);
            if id.is_none() {
                checkpoint.as_object_mut().expect("an object").remove("@id");
            }
        })
    };
    let ids = ["urn:uuid:a", "tides", "my tides/é:1", "https://example.org/tides"];
    let shown = ["urn:uuid:a", "tides", "my%20tides%2F%C3%A9%3A1", "https://example.org/tides"];
    for (id, shown) in ids.into_iter().zip(shown) {
        let files = [
            ("a.jsonld", checkpoint(Some(id), "0.1.0")),
            ("b.jsonld", checkpoint(Some(id), "0.2.0")),
            ("c.jsonld", checkpoint(Some("other"), "0.3.0")),
            ("d.jsonld", checkpoint(None, "0.4.0")),
            ("e.jsonld", checkpoint(None, "0.5.0")),
        ];
        let found = named("revisions", &written(folder.path(), &files));
        assert_eq!(cells(&found, &["checkpoint", "version"]), [[shown, "0.1.0"], [shown, "0.2.0"]], "{id}");
    }
}

#[test]
fn files_of_other_systems_lack_nothing_that_checkpoints_have() {
    let others = ["train", "kwanzaa", "rlcf", "results"].map(|folder| path(folder).display().to_string());
    let checkpoints = ["karenina", "across/tenancy.jsonld"].map(|name| path(name).display().to_string());
    for query in ["unfinished", "no-template", "questions-without-traits", "progress"] {
        assert!(named(query, &others).is_empty(), "{query}");
        let alone = named(query, &checkpoints);
        let both = named(query, &[&others[..], &checkpoints].concat());
        assert!(!alone.is_empty() && alone == both, "{query}");
    }
}

/// Data that no system claims are asked as ever.
#[test]
fn questions_without_a_catalog_count() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let turtle = "@prefix s: <http://schema.org/> . <urn:q> a s:Question ; s:text \"How deep is it?\" .";
    let files = written(folder.path(), &[("q.ttl", turtle.to_owned())]);
    for query in ["unfinished", "no-template", "questions-without-traits"] {
        let found = rows(folder.path(), &["-n", query], &files);
        assert_eq!(cells(&found, &["question_text"]), [["How deep is it?"]], "{query}");
    }
}
