//! The program's own shapes over its fixtures of shapes, a few of whose triples are changed.

use super::case::Case;
use super::violations::n_triples_of;
use crate::generated::choices::{Choices, drawn_for};
use crate::generated::{numbers, shaped_data};
use evalgraph::Loader;
use evalgraph::rdf::{self, QuadBuffer, RdfFormat, ReadOptions};
use evalgraph::shacl::{BUILT_IN, BuiltInShapes};
use evalgraph::store::DefaultGraph;
use std::path::{Path, PathBuf};

/// The cases, with their names.
pub(crate) fn cases() -> impl Iterator<Item = (String, Case)> {
    let all: Vec<_> =
        BUILT_IN.iter().map(|shapes| (shapes, lines_of_shapes(shapes), files(shapes))).collect();
    numbers(90).map(move |number| {
        let drawn = drawn_for("shacl fixtures", number, 40);
        let choices = &mut Choices::new(&drawn);
        let (shapes, lines, files) = &all[choices.below(all.len())];
        let file = &files[choices.below(files.len())];
        let mut data = lines_of_data(shapes, file);
        for _ in 0..1 + choices.below(4) {
            change(&mut data, choices);
        }
        (format!("case {number}, {}", file.display()), Case { data, shapes: lines.clone() })
    })
}

fn files(shapes: &BuiltInShapes) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/shapes").join(shapes.name);
    let entries = std::fs::read_dir(folder).expect("there are fixtures of each shapes graph");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    files.sort();
    files
}

fn lines_of_shapes(shapes: &BuiltInShapes) -> Vec<String> {
    let mut quads = QuadBuffer::new();
    let options = ReadOptions { format: RdfFormat::Turtle, base: None };
    rdf::read("shapes.ttl", shapes.text.as_bytes(), options, &mut quads).expect("the shapes are Turtle");
    let mut text = Vec::new();
    rdf::write::write(&quads, RdfFormat::NTriples, &mut text).expect("memory takes it");
    String::from_utf8(text).expect("the text is UTF-8").lines().map(str::to_owned).collect()
}

/// The union of the graphs of a file, and the catalog where the shapes are about it.
fn lines_of_data(shapes: &BuiltInShapes, file: &Path) -> Vec<String> {
    let loaded = Loader::new().load([file.display().to_string()]).expect("a fixture can be loaded");
    let view = loaded.dataset().view(DefaultGraph::Union);
    let compiled = Loader::new().shapes([shapes.name]).expect("the shapes are in order");
    let view = if compiled.with_catalog() { view.with_catalog() } else { view };
    n_triples_of(&view).lines().map(str::to_owned).collect()
}

/// Takes a triple away, doubles it with another object, or gives it another object, subject or datatype.
fn change(lines: &mut Vec<String>, choices: &mut Choices<'_>) {
    if lines.is_empty() {
        return;
    }
    let (place, other) = (choices.below(lines.len()), choices.below(lines.len()));
    let parts = |line: &str| -> Vec<String> { line.splitn(3, ' ').map(str::to_owned).collect() };
    let (line, from) = (parts(&lines[place]), parts(&lines[other]));
    let object =
        if choices.once_in(2) { from[2].clone() } else { format!("{} .", shaped_data::literal(choices)) };
    match choices.below(5) {
        0 => drop(lines.remove(place)),
        1 => lines.push(format!("{} {} {object}", line[0], line[1])),
        2 => lines[place] = format!("{} {} {}", from[0], line[1], line[2]),
        3 if line[2].starts_with('"') => {
            let lexical = line[2].rsplit_once('"').map_or(line[2].as_str(), |(lexical, _)| lexical);
            lines[place] =
                format!("{} {} {lexical}\"^^<http://www.w3.org/2001/XMLSchema#date> .", line[0], line[1]);
        }
        _ => lines[place] = format!("{} {} {object}", line[0], line[1]),
    }
}
