//! The names of types, constructors and files: a search for a name finds one thing, and a name says what the thing is.

use std::collections::BTreeMap;

use crate::architecture::{SourceFile, source_files};

/// The types whose name is one word, each with the specification or format that uses the word for it.
const ONE_WORD: [(&str, &str); 17] = [
    ("Challenge", "RFC 9110, 11.3"),
    ("Checkpoint", "Karenina"),
    ("Constraint", "SHACL"),
    ("Corpus", "train.json"),
    ("Credential", "RLCF"),
    ("Credentials", "RFC 9110, 11.4"),
    ("Dataset", "RDF 1.1"),
    ("Diagnostic", "Language Server Protocol"),
    ("Document", "JSON-LD 1.1"),
    ("Feedback", "RLCF"),
    ("Keyword", "JSON-LD 1.1"),
    ("Prologue", "SPARQL 1.1"),
    ("Query", "SPARQL 1.1"),
    ("Severity", "SHACL"),
    ("Shape", "SHACL"),
    ("Shapes", "SHACL"),
    ("Update", "SPARQL 1.1 Update"),
];

/// What programs that use the library write most, in one word as in other libraries of Rust.
const LIBRARY: [&str; 7] = ["Conversion", "Error", "Evaluations", "Limits", "Loader", "Server", "Store"];

/// The files that each system has, under the same name in each folder.
const FILES_OF_SYSTEMS: [&str; 2] = ["shapes.rs", "system.rs"];

/// The type that a line defines. Associated types, which are indented, have the names of their trait.
fn defined_type(line: &str) -> Option<&str> {
    let item = line.trim_start();
    let is_indented = item.len() < line.len();
    let item = match item.strip_prefix("pub").and_then(|rest| rest.strip_prefix('(')) {
        Some(rest) => rest.split_once(") ")?.1,
        None => item.strip_prefix("pub ").unwrap_or(item),
    };
    let (keyword, rest) = item.split_once(' ')?;
    let is_type =
        matches!(keyword, "struct" | "enum" | "trait" | "union") || keyword == "type" && !is_indented;
    let name = rest.split(|character: char| !character.is_alphanumeric()).next()?;
    (is_type && name.starts_with(char::is_uppercase)).then_some(name)
}

fn words(name: &str) -> usize {
    let bytes = name.as_bytes();
    1 + bytes.windows(2).filter(|pair| !pair[0].is_ascii_uppercase() && pair[1].is_ascii_uppercase()).count()
}

/// The places of each type. A type that only carries the examples of a README does not count.
fn types(files: &[SourceFile]) -> BTreeMap<&str, Vec<String>> {
    let mut types: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for file in files {
        let names = file.code.lines().filter_map(defined_type).filter(|&name| name != "Readme");
        for name in names {
            types.entry(name).or_default().push(file.path.display().to_string());
        }
    }
    assert!(types.len() > 1000, "{} types were found", types.len());
    types
}

#[test]
fn a_type_has_a_name_that_no_other_has() {
    let files = source_files();
    let shared: Vec<_> = types(&files).into_iter().filter(|(_, places)| places.len() > 1).collect();
    assert!(shared.is_empty(), "{shared:#?}");
}

#[test]
fn a_type_has_two_words_unless_a_specification_has_one() {
    let files = source_files();
    let types = types(&files);
    let is_listed = |name: &str| LIBRARY.contains(&name) || ONE_WORD.iter().any(|(word, _)| *word == name);
    let short: Vec<_> = types.iter().filter(|(name, _)| words(name) < 2 && !is_listed(name)).collect();
    assert!(short.is_empty(), "{short:#?}");
    let listed = LIBRARY.into_iter().chain(ONE_WORD.into_iter().map(|(word, _)| word));
    let gone: Vec<_> = listed.filter(|name| !types.contains_key(name)).collect();
    assert!(gone.is_empty(), "no type has the name any more: {gone:?}");
}

#[test]
fn a_constructor_says_what_a_value_is_made_from() {
    for file in source_files() {
        let has_of = file.code.contains("fn of(") || file.code.contains("fn of<");
        assert!(!has_of, "{}: `of` is `new`, or `from_` with a noun", file.path.display());
    }
}

#[test]
fn a_file_has_a_name_that_no_other_of_its_crate_has() {
    let files = source_files();
    let mut places: BTreeMap<(String, &str), Vec<String>> = BTreeMap::new();
    for SourceFile { path, .. } in &files {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name in plain text");
        if ["mod.rs", "lib.rs", "main.rs"].contains(&name) || FILES_OF_SYSTEMS.contains(&name) {
            continue;
        }
        let text = path.display().to_string();
        let (package, _) = text.rsplit_once("/src/").unwrap_or((&text, ""));
        places.entry((package.to_owned(), name)).or_default().push(text.clone());
    }
    let shared: Vec<_> = places.into_values().filter(|places| places.len() > 1).collect();
    assert!(shared.is_empty(), "{shared:#?}");
}

#[test]
fn definitions_are_found_and_words_counted() {
    assert_eq!(defined_type("pub(in crate::load) struct WordReader<'a> {"), Some("WordReader"));
    assert_eq!(defined_type("enum RowTest {"), Some("RowTest"));
    assert_eq!(defined_type("    pub trait QuadSink {"), Some("QuadSink"));
    assert_eq!(defined_type("    type Item = u8;"), None);
    assert_eq!(defined_type("pub type ParsedQuery = u8;"), Some("ParsedQuery"));
    assert_eq!(defined_type("let struct_like = 1;"), None);
    assert_eq!([words("Query"), words("RdfTerm"), words("Sha256Digest")], [1, 2, 2]);
}
