//! The rules of the systems as SHACL: every rule is a shape, or the file says that it is none; every shape that carries
//! a rule is found by a file that breaks it.

use crate::fixture_files::{OF_SHAPES, root};
use oxttl::TurtleParser;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The files of shapes, the prefix of their shapes, and how the page of codes names the rules that each has.
const FILES: [(&str, &str, &[&str]); 8] = [
    ("karenina-spec", "egs", &["A rule of karenina (karenina-spec"]),
    ("karenina", "egk", &["A rule of karenina (karenina)", "A rule of karenina (karenina-spec, karenina"]),
    (
        "karenina-gui",
        "egg",
        &["A rule of karenina (karenina-gui)", "A rule of karenina (karenina-spec, karenina"],
    ),
    ("kwanzaa", "egw", &["A rule of kwanzaa ("]),
    ("train", "egt", &["A rule of train ("]),
    ("rlcf", "egr", &["A rule of rlcf ("]),
    // No system has rules about what others say.
    ("common", "egc", &[]),
    // Their rules are those of a vocabulary.
    ("croissant-tasks", "egct", &[]),
];

const SH: &str = "http://www.w3.org/ns/shacl#";

fn text(name: &str) -> String {
    let path = root().join("../shapes").join(name).with_extension("ttl");
    fs::read_to_string(path).expect("the shapes are there")
}

/// The triples of a file of shapes, each as three texts.
fn triples(name: &str) -> Vec<[String; 3]> {
    let text = text(name);
    let triples = TurtleParser::new().for_slice(text.as_bytes()).map(|triple| {
        let triple = triple.expect("the shapes are Turtle");
        [triple.subject.to_string(), triple.predicate.as_str().to_owned(), triple.object.to_string()]
    });
    triples.collect()
}

/// The shapes that tell something: those with a message of their own or of their query.
fn rules(name: &str) -> BTreeSet<String> {
    let tells = [format!("{SH}message"), format!("{SH}sparql")];
    let triples = triples(name).into_iter().filter(|[_, predicate, _]| tells.contains(predicate));
    let iris =
        triples.filter_map(|[subject, ..]| Some(subject.strip_prefix('<')?.strip_suffix('>')?.to_owned()));
    iris.collect()
}

/// The table of expected results without its head, by columns.
fn expected() -> Vec<[String; 6]> {
    let table = fs::read_to_string(root().join(OF_SHAPES).join("expected.tsv")).expect("the table is there");
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("fixture\tshapes\tshape\tfocus\tpath\tcomponent"));
    let rows = lines.map(|line| {
        let cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
        <[String; 6]>::try_from(cells).unwrap_or_else(|cells| panic!("{cells:?}"))
    });
    rows.collect()
}

#[test]
fn every_rule_is_a_shape_or_the_file_says_that_it_is_none() {
    let codes = fs::read_to_string(root().join("../docs/codes.md")).expect("the codes are there");
    for (name, prefix, told) in FILES {
        let text = text(name);
        let (head, body) = text.split_once("@prefix").expect("a file has prefixes");
        let rules = codes.lines().filter(|line| told.iter().any(|told| line.contains(told)));
        let rules = rules.filter_map(|line| line.split('`').nth(1));
        for rule in rules {
            let shape = format!("\n{prefix}:{rule}");
            let is_shape = body
                .match_indices(&shape)
                .any(|(at, found)| body[at + found.len()..].starts_with(['\n', '-']));
            let is_named =
                head.split(|char: char| !char.is_alphanumeric() && char != '-').any(|word| word == rule);
            assert!(is_shape || is_named, "{rule} is nowhere in {name}.ttl");
        }
    }
}

#[test]
fn every_shape_has_a_name_and_the_severity_of_its_rule() {
    let codes = fs::read_to_string(root().join("../docs/codes.md")).expect("the codes are there");
    for (name, _, told) in FILES {
        let triples = triples(name);
        let said = |shape: &str, predicate: &str| {
            let mut found = triples.iter().filter(|[subject, found, _]| {
                *subject == format!("<{shape}>") && *found == format!("{SH}{predicate}")
            });
            found.next().map(|[.., object]| object.clone())
        };
        for shape in rules(name) {
            let (base, id) = shape.split_once('#').expect("it has a fragment");
            assert_eq!(base, format!("urn:evalgraph:shapes:{name}"));
            assert!(said(&shape, "name").is_some(), "{shape} has no name");
            let severity = said(&shape, "severity").unwrap_or_else(|| format!("<{SH}Violation>"));
            // The longest rule that the name of the shape begins with.
            let rules = codes.lines().filter(|line| told.iter().any(|told| line.contains(told)));
            let rules = rules.filter_map(|line| {
                let rule = line.split('`').nth(1)?;
                let is_it = id == rule || id.strip_prefix(rule).is_some_and(|rest| rest.starts_with('-'));
                is_it.then(|| (rule.len(), line.split(" | ").nth(1).unwrap_or_default()))
            });
            let Some((_, of_rule)) = rules.max() else {
                assert!(told.is_empty(), "{shape} is of no rule");
                continue;
            };
            assert!(
                severity.to_lowercase().ends_with(&format!("#{of_rule}>")),
                "{shape}: {severity} {of_rule}"
            );
        }
    }
}

#[test]
fn every_shape_is_found_by_a_file_and_every_file_by_a_shape() {
    let expected = expected();
    let found: BTreeSet<&str> = expected.iter().map(|[_, _, shape, ..]| shape.as_str()).collect();
    let files: BTreeSet<&str> = expected.iter().map(|[file, ..]| file.as_str()).collect();
    for file in &files {
        assert!(root().join(OF_SHAPES).join(file).exists(), "{file}");
    }
    for (name, ..) in FILES {
        let rules = rules(name);
        for rule in &rules {
            assert!(found.contains(rule.as_str()), "nothing breaks {rule}");
        }
        for [file, _, shape, ..] in expected.iter().filter(|row| row[1] == format!("{name}.ttl")) {
            assert!(file.starts_with(&format!("{name}/")), "{file}");
            assert!(rules.contains(shape), "{shape} of {file}");
        }
        for entry in fs::read_dir(root().join(OF_SHAPES).join(name)).expect("the folder is there") {
            let file = entry.expect("the folder can be read").file_name();
            let file = Path::new(name).join(file).display().to_string();
            let is_told = files.contains(file.as_str()) || file.contains("/good");
            assert!(is_told, "{file} breaks nothing");
        }
    }
}
