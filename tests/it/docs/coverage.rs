//! What the program knows by name has its place in the book: codes, rules, named queries, profiles, shapes, forms.

use serde_json::Value;

use super::page::{page_at, root};
use crate::cli::input::run;

/// Names without a row of a table on a page.
fn without_a_row(names: &[String], page: &str) -> Vec<String> {
    let page = page_at(page);
    let has_row = |name: &String| {
        let mut first_cells =
            page.text.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
        first_cells.any(|cell| cell.contains(&format!("`{name}`")))
    };
    names.iter().filter(|name| !has_row(name)).cloned().collect()
}

fn json(arguments: &[&str]) -> Vec<Value> {
    let (status, stdout, stderr) = run(&root(), arguments);
    assert_eq!(status, 0, "{stderr}");
    serde_json::from_str(&stdout).expect("a list")
}

fn texts(list: &[Value], key: &str) -> Vec<String> {
    list.iter().map(|item| item[key].as_str().expect("a text").to_owned()).collect()
}

/// The values that an option takes, by the message that names them.
fn values(command: &str, option: &str) -> Vec<String> {
    let (_, _, stderr) = run(&root(), &[command, option, "none-of-them", "input"]);
    let (_, list) = stderr.split_once("[possible values: ").expect("the values are listed");
    let (list, _) = list.split_once(']').expect("the list ends");
    list.split(',').map(|value| value.trim().to_owned()).collect()
}

#[test]
fn every_code_and_every_rule_has_its_place() {
    let codes = texts(&json(&["explain", "--format", "json"]), "code");
    assert!(codes.len() > 300, "{} codes", codes.len());
    assert_eq!(without_a_row(&codes, "docs/codes.md"), Vec::<String>::new());
}

/// The names of the files of a folder that end so.
fn stems(folder: &str, extension: &str) -> Vec<String> {
    let files = std::fs::read_dir(root().join(folder)).expect("the folder is there");
    let paths = files.map(|entry| entry.expect("the folder can be read").path());
    let of_kind = paths.filter(|path| path.extension().is_some_and(|found| found == extension));
    of_kind.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect()
}

#[test]
fn every_named_query_has_its_place_and_its_description() {
    let queries = json(&["queries", "--format", "json"]);
    assert_eq!(stems("queries", "rq").len(), queries.len());
    let page = page_at("docs/queries.md");
    for query in &queries {
        let (name, description) = (&query["name"], &query["description"]);
        let parameters = query["parameters"].as_array().expect("a list");
        let parameters: Vec<String> =
            parameters.iter().map(|of| format!("`{}`", of["name"].as_str().expect("a name"))).collect();
        let (name, description) = (name.as_str().expect("a name"), description.as_str().expect("a text"));
        let row = format!("| `{name}` | {description} | {} |", parameters.join(", "));
        let is_there = page.text.lines().any(|line| line.trim() == row.replace("|  |", "| |"));
        assert!(is_there, "docs/queries.md should have the row\n{row}");
    }
}

#[test]
fn every_profile_has_its_place() {
    let profiles = values("validate", "--profile");
    assert!(profiles.len() > 5);
    assert_eq!(without_a_row(&profiles, "docs/validation.md"), Vec::<String>::new());
}

#[test]
fn every_form_of_a_report_has_its_place() {
    let mut forms = values("validate", "--format");
    // Those of RDF are the formats of the page on them, in reports of shapes.
    let of_rdf = ["ttl", "trig", "nt", "nq", "rdfxml", "jsonld"];
    forms.retain(|form| !of_rdf.contains(&form.as_str()));
    assert!(forms.len() > 5);
    assert_eq!(without_a_row(&forms, "docs/validation.md"), Vec::<String>::new());
}

#[test]
fn the_built_in_shapes_have_their_place() {
    let mut names = stems("shapes", "ttl");
    names.retain(|name| name != "vocabulary");
    assert!(names.len() > 5);
    assert_eq!(without_a_row(&names, "docs/shapes.md"), Vec::<String>::new());
}

#[test]
fn every_form_that_convert_writes_has_its_place() {
    let pages = [page_at("docs/conversion.md"), page_at("docs/formats.md")];
    for form in values("convert", "--to") {
        let quoted = format!("`{form}`");
        assert!(pages.iter().any(|page| page.text.contains(&quoted)), "{form} is on no page");
    }
}
