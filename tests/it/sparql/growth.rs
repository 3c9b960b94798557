//! No named query, and no query that a built-in shape is, joins all records with all records: a step that does makes many more
//! solutions than its inputs have, and more than the data have triples.
//!
//! The data are those of `fixtures/across`, whose systems share questions and documents, with the records again and again.

use std::fs;
use std::path::Path;

use evalgraph::shacl::{BUILT_IN, ValidationOptions};
use evalgraph::sparql::{ExecuteOptions, NamedQueries, Query, QueryResults};
use evalgraph::store::{DatasetView, DefaultGraph};
use evalgraph::{LoadedData, Loader};
use serde_json::{Value, json};
use sparesults::QuerySolution;

use crate::karenina::fixtures::path;

/// How often each record is there: the records of each system in pairs are more than all triples.
const COPIES: usize = 120;

/// How many times as many solutions as its inputs a step may have. Each question has a few ratings, and each document some chunks.
const MOST_TIMES: usize = 50;

/// The files, and the keys of their lists of records; none where the file is the list.
const FILES: [(&str, &[&str]); 5] = [
    ("tenancy.jsonld", &["dataFeedElement"]),
    ("repairs.jsonld", &["dataFeedElement"]),
    ("handbook.json", &[]),
    ("library.json", &["samples"]),
    ("review.json", &["tasks", "responses", "feedback"]),
];

/// The data of these files with so many copies of each record, each file in so many of its kind.
fn data(of: &[(&str, &[&str])], copies: usize, files: usize) -> LoadedData {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut inputs = Vec::new();
    for (name, lists) in of {
        let text = fs::read_to_string(path("across").join(name)).expect("the fixture is there");
        let mut whole: Value = serde_json::from_str(&text).expect("it is JSON");
        rate(&mut whole);
        for file in 0..files {
            let mut whole = whole.clone();
            if let Some(id) = whole.get_mut("@id") {
                *id = format!("{}{file}", id.as_str().expect("a text")).into();
            }
            let numbers = (file..copies).step_by(files);
            if lists.is_empty() {
                multiply(&mut whole, numbers);
            } else {
                lists.iter().for_each(|list| multiply(&mut whole[*list], numbers.clone()));
            }
            inputs.push(written(folder.path(), &format!("{file}-{name}"), &whole));
        }
    }
    Loader::new().load(inputs).expect("the data can be loaded")
}

/// Gives each question of a checkpoint several traits, so that there are more of these than questions.
fn rate(checkpoint: &mut Value) {
    for item in checkpoint.get_mut("dataFeedElement").and_then(Value::as_array_mut).into_iter().flatten() {
        let rating = |number| {
            json!({
                "@type": "Rating", "name": format!("Trait {number}"), "bestRating": 5, "worstRating": 1,
                "additionalType": "karenina:QuestionSpecificLLMRubricTrait",
            })
        };
        item["item"]["rating"] = (0..4).map(rating).collect();
    }
}

fn written(folder: &Path, name: &str, whole: &Value) -> String {
    let file = folder.join(name);
    fs::write(&file, whole.to_string()).expect("the folder is ours");
    file.display().to_string()
}

/// Puts copies of each record of a list in the place of the record.
fn multiply(list: &mut Value, numbers: impl Iterator<Item = usize>) {
    let records = list.as_array().expect("it is a list").clone();
    let copies = numbers.flat_map(|number| {
        records.iter().map(move |record| {
            let mut copy = record.clone();
            tell_apart(&mut copy, number);
            copy
        })
    });
    *list = copies.collect();
}

/// Gives the ids and texts of a record a number, the same ones in all systems.
fn tell_apart(value: &mut Value, number: usize) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| tell_apart(item, number)),
        Value::Object(members) => {
            for (key, value) in members {
                match (key.as_str(), &mut *value) {
                    ("id" | "task_id" | "response_id", Value::Number(id)) => {
                        *id = (id.as_u64().expect("ids count") + number as u64 * 10).into();
                    }
                    ("@id" | "sample_id" | "chunk_id" | "doc_id", Value::String(text)) => {
                        text.push_str(&format!("{number:05}"));
                    }
                    ("text" | "question" | "user_query", Value::String(text)) => {
                        text.push_str(&format!(" {number}"));
                    }
                    ("filename" | "citation_label", Value::String(text)) => {
                        text.insert_str(0, &format!("{number} "));
                    }
                    (_, value) => tell_apart(value, number),
                }
            }
        }
        _ => {}
    }
}

/// The union of the documents' graphs, with the catalog where shapes look at it.
fn view_of(data: &LoadedData, with_catalog: bool) -> DatasetView<'_> {
    let view = data.dataset().view(DefaultGraph::Union);
    if with_catalog { view.with_catalog() } else { view }
}

/// A step of an evaluation, as its explanation shows it.
#[derive(Debug)]
struct Step<'e> {
    depth: usize,
    label: &'e str,
    solutions: usize,
}

impl<'e> Step<'e> {
    fn of(line: &'e str) -> Option<Self> {
        let (label, found) = line.rsplit_once("  [")?;
        let (before, _) = found.split_once(" solutions")?;
        let solutions = before.rsplit(' ').next()?.parse().ok()?;
        Some(Self { depth: label.len() - label.trim_start().len(), label: label.trim_start(), solutions })
    }
}

/// How many solutions a step starts from at most: those of the steps within it, or those of the triple patterns before it; none where
/// it reads triples alone.
fn most_of_inputs(steps: &[Step<'_>], at: usize) -> Option<usize> {
    let depth = steps[at].depth;
    let within = steps[at + 1..].iter().take_while(|step| step.depth > depth);
    let before = steps[..at].iter().rev().take_while(|step| step.depth >= depth);
    let around = steps[..at].iter().rev().find(|step| step.depth < depth);
    let is_pattern = around.is_some_and(|step| step.label == "basic graph pattern");
    let before = before.filter(|step| is_pattern && step.depth == depth);
    within.chain(before).map(|step| step.solutions).max()
}

/// The steps that join all with all.
fn products(query: &Query, view: DatasetView<'_>, triples: usize) -> Vec<String> {
    let explained = query.explain(view, ExecuteOptions::default()).expect("the query can be evaluated");
    let steps: Vec<Step<'_>> = explained.lines().filter_map(Step::of).collect();
    assert!(!steps.is_empty(), "{explained}");
    let is_product = |at: &usize| {
        let inputs = most_of_inputs(&steps, *at);
        steps[*at].solutions > triples
            && inputs.is_some_and(|inputs| steps[*at].solutions > MOST_TIMES * inputs)
    };
    (0..steps.len()).filter(is_product).map(|at| format!("{:?}", steps[at])).collect()
}

#[test]
fn no_named_query_joins_all_with_all() {
    // Checkpoints alone have fewer triples beside the questions and traits.
    for (of, files) in [(&FILES[..], 1), (&FILES[..], 8), (&FILES[..2], 1)] {
        let data = data(of, COPIES, files);
        for named in NamedQueries::built_in().expect("they are well formed").iter() {
            let query = named.query().expect("it is well formed");
            let query = query.with_parameters(&[], &named.parameters).expect("its parameters have defaults");
            let found = products(&query, view_of(&data, false), data.dataset().quad_count());
            assert!(found.is_empty(), "{}, {files} files: {found:?}", named.name);
        }
    }
}

#[test]
fn no_query_of_a_built_in_shape_joins_all_with_all() {
    let data = data(&FILES, COPIES, 1);
    for built_in in BUILT_IN {
        let shapes = Loader::new().shapes([built_in.name]).expect("the shapes are in order");
        let mut asked = 0;
        let mut ask = |text: &str, take: &mut dyn FnMut(&QuerySolution)| {
            let query = Query::parse_plain(text, "shape").expect("the query is standard");
            let view = || view_of(&data, shapes.with_catalog());
            let found = products(&query, view(), data.dataset().quad_count());
            assert!(found.is_empty(), "{}: {found:?}\n{text}", built_in.name);
            // Queries about nodes that are not there are not asked.
            let results = query.execute(view(), ExecuteOptions::default()).expect("it can be evaluated");
            let QueryResults::Solutions(solutions) = results else { panic!("{text} is not a SELECT") };
            solutions.for_each(|solution| take(&solution.expect("a solution")));
            asked += 1;
            Ok(())
        };
        shapes.validate_by_queries(&ValidationOptions::default(), &mut ask).expect("it can be validated");
        assert!(asked > 0, "{}", built_in.name);
    }
}

#[test]
fn a_query_that_joins_all_with_all_is_found() {
    let data = data(&FILES, COPIES / 3, 1);
    let text = "SELECT (COUNT(*) AS ?n) { ?a a s:Question . ?b a s:Question FILTER(?a != ?b) }";
    let query = Query::parse(text, "pairs").expect("it is well formed");
    assert!(!products(&query, view_of(&data, false), data.dataset().quad_count()).is_empty());
}
