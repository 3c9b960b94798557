//! Defects in documents that are right: each is found where it is, and a misspelt name gets the one that was meant.

use super::CheckedText;
use crate::cli::input::run;
use crate::share::one_of;
use evalgraph::schema_org::{CheckLevel, CheckOptions, CheckRule, SchemaOrgFinding, SchemaOrgVocabulary};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::path::Path;

/// How many defects of each kind are made.
const EACH: usize = 250;

/// Documents without any finding that is an error or a warning.
pub(super) fn documents() -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/schema_org/right.json");
    let text = std::fs::read_to_string(path).expect("the documents can be read");
    let documents: Vec<Map<String, Value>> = serde_json::from_str(&text).expect("they are objects");
    let with_context = documents.into_iter().map(|document| {
        let mut all = json!({ "@context": { "@vocab": "http://schema.org/" } });
        all.as_object_mut().expect("it is an object").extend(document);
        all
    });
    with_context.collect()
}

fn faults(document: &Value) -> Vec<SchemaOrgFinding> {
    let mut found = CheckedText::new(&document.to_string()).findings(&CheckOptions::default());
    found.retain(|finding| finding.level >= CheckLevel::Warning);
    found
}

/// The pointers of all nodes of a document.
fn nodes(value: &Value, pointer: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            if members.contains_key("@id") && members.contains_key("@type") {
                found.push(pointer.to_owned());
            }
            members.iter().for_each(|(key, value)| nodes(value, &format!("{pointer}/{key}"), found));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| nodes(item, &format!("{pointer}/{at}"), found));
        }
        _ => {}
    }
}

/// One letter more, less or another, or two neighbours swapped.
fn misspelt(name: &str, random: &mut StdRng) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    let letter = char::from(random.random_range(b'a'..=b'z'));
    let at = random.random_range(1..letters.len());
    match random.random_range(0..4) {
        0 => letters.insert(at, letter),
        1 => letters[at] = letter,
        2 if letters.len() > 3 => drop(letters.remove(at)),
        _ => letters.swap(at - 1, at),
    }
    letters.into_iter().collect()
}

/// A defect: the node and property that it is told at, its rule, and the name that was meant.
struct Defect {
    node: String,
    property: String,
    codes: &'static [CheckRule],
    meant: Option<String>,
}

/// A kind of defects: makes one in a node, if the node has a place for it.
type Make = fn(&mut Map<String, Value>, &mut StdRng) -> Option<Defect>;

const KINDS: [(&str, Make); 8] = [
    ("a misspelt type", misspelt_type),
    ("a misspelt property", misspelt_property),
    ("a property in other letter case", other_case),
    ("a property of another class", other_domain),
    ("a value of another class", other_range),
    ("a date that is none", wrong_date),
    ("a misspelt member", misspelt_member),
    ("an IRI that is none", wrong_iri),
];

fn defect(
    node: &Map<String, Value>,
    property: &str,
    codes: &'static [CheckRule],
    meant: Option<String>,
) -> Defect {
    let node = node["@id"].as_str().expect("each node has an id").to_owned();
    Defect { node, property: property.to_owned(), codes, meant }
}

/// A property of the node that a test of its name and values takes.
fn any(
    node: &Map<String, Value>,
    random: &mut StdRng,
    is_wanted: impl Fn(&str, &Value) -> bool,
) -> Option<String> {
    let wanted = node.iter().filter(|(key, value)| !key.starts_with('@') && is_wanted(key, value));
    wanted.map(|(key, _)| key.clone()).collect::<Vec<_>>().choose(random).cloned()
}

fn rename(node: &mut Map<String, Value>, from: &str, to: &str) {
    let members = std::mem::take(node);
    node.extend(
        members.into_iter().map(|(key, value)| (if key == from { to.to_owned() } else { key }, value)),
    );
}

fn misspelt_type(node: &mut Map<String, Value>, random: &mut StdRng) -> Option<Defect> {
    let right = node["@type"].as_str()?.to_owned();
    let wrong = misspelt(&right, random);
    if SchemaOrgVocabulary::built_in().class(&wrong).is_some() {
        return None;
    }
    node.insert("@type".to_owned(), wrong.into());
    Some(defect(node, "@type", &[CheckRule::UnknownType], Some(right)))
}

fn misspelt_property(node: &mut Map<String, Value>, random: &mut StdRng) -> Option<Defect> {
    let right = any(node, random, |_, _| true)?;
    let wrong = misspelt(&right, random);
    renamed(node, right, &wrong)
}

fn other_case(node: &mut Map<String, Value>, random: &mut StdRng) -> Option<Defect> {
    let right = any(node, random, |_, _| true)?;
    let at = random.random_range(0..right.len());
    let turn = |(place, letter): (usize, char)| match place == at {
        true if letter.is_lowercase() => letter.to_ascii_uppercase(),
        true => letter.to_ascii_lowercase(),
        false => letter,
    };
    let wrong: String = right.chars().enumerate().map(turn).collect();
    renamed(node, right, &wrong)
}

fn renamed(node: &mut Map<String, Value>, right: String, wrong: &str) -> Option<Defect> {
    if SchemaOrgVocabulary::built_in().property(wrong).is_some() || node.contains_key(wrong) {
        return None;
    }
    rename(node, &right, wrong);
    Some(defect(node, wrong, &[CheckRule::UnknownProperty], Some(right)))
}

fn other_domain(node: &mut Map<String, Value>, random: &mut StdRng) -> Option<Defect> {
    let class = SchemaOrgVocabulary::built_in().class(node["@type"].as_str()?)?;
    let is_other = |domain: &&str| class.is_below(domain);
    let properties = SchemaOrgVocabulary::built_in().terms().filter(|term| {
        term.domain().next().is_some()
            && term.domain().all(|domain| !is_other(&domain))
            && term.range().any(|name| name == "Text")
    });
    let name = properties.map(|term| term.name()).collect::<Vec<_>>().choose(random).copied()?;
    node.insert(name.to_owned(), "a text".into());
    Some(defect(node, name, &[CheckRule::Domain], None))
}

fn other_range(node: &mut Map<String, Value>, random: &mut StdRng) -> Option<Defect> {
    let vocabulary = SchemaOrgVocabulary::built_in();
    let is_of_classes = |key: &str, _: &Value| {
        let range = vocabulary.property(key).map(|term| term.range().collect::<Vec<_>>()).unwrap_or_default();
        !range.iter().any(|name| ["URL", "Thing", "Intangible", "Action"].contains(name))
    };
    let key = any(node, random, is_of_classes)?;
    node.insert(key.clone(), json!({ "@id": "urn:other", "@type": "DrinkAction" }));
    Some(defect(node, &key, &[CheckRule::Range], None))
}

fn wrong_date(node: &mut Map<String, Value>, random: &mut StdRng) -> Option<Defect> {
    let is_date = |key: &str, _: &Value| {
        let property = SchemaOrgVocabulary::built_in().property(key);
        property.is_some_and(|term| term.range().all(|name| ["Date", "DateTime"].contains(&name)))
    };
    let key = any(node, random, is_date)?;
    let wrong = ["soon", "2024-02-30", "2024-13-01", "12/05/2024", "2024-01-01T99:00", "2023-366"];
    node.insert(key.clone(), (*wrong.choose(random)?).into());
    Some(defect(node, &key, &[CheckRule::Datatype], None))
}

fn misspelt_member(node: &mut Map<String, Value>, random: &mut StdRng) -> Option<Defect> {
    let member = |value: &Value| {
        let iri = value["@id"].as_str()?.strip_prefix("http://schema.org/")?;
        SchemaOrgVocabulary::built_in().member(iri).map(|term| term.name().to_owned())
    };
    let key = any(node, random, |_, value| member(value).is_some())?;
    let right = member(&node[&key])?;
    let wrong = misspelt(&right, random);
    if SchemaOrgVocabulary::built_in().member(&wrong).is_some() {
        return None;
    }
    // Where texts are expected, one that names no member is a text.
    let takes_texts = SchemaOrgVocabulary::built_in()
        .property(&key)
        .is_some_and(|term| term.range().any(|name| name == "Text"));
    let value = match takes_texts || random.random_bool(0.5) {
        true => json!({ "@id": format!("http://schema.org/{wrong}") }),
        false => wrong.into(),
    };
    node.insert(key.clone(), value);
    Some(defect(node, &key, &[CheckRule::UnknownTerm, CheckRule::EnumValue], Some(right)))
}

fn wrong_iri(node: &mut Map<String, Value>, random: &mut StdRng) -> Option<Defect> {
    let key = any(node, random, |_, value| value.is_object())?;
    let wrong = ["urn:a b", "https://example.org/{id}", "https://example.org/<a>", "see there"];
    node.insert(key.clone(), json!({ "@id": *wrong.choose(random)? }));
    Some(defect(node, &key, &[CheckRule::BadIri], None))
}

#[test]
fn documents_that_are_right_have_no_findings() {
    for document in documents() {
        let found = faults(&document);
        assert!(found.is_empty(), "{document:#}\n{found:#?}");
    }
}

/// A document with a defect of a kind.
struct Mutant {
    kind: &'static str,
    document: Value,
    defect: Defect,
}

/// Mutants of all kinds.
fn mutants() -> Vec<Mutant> {
    let documents = documents();
    let mut random = StdRng::seed_from_u64(19);
    let mut made = Vec::new();
    for (number, (kind, make)) in KINDS.into_iter().enumerate() {
        let mut tries = 0;
        while made.len() < (number + 1) * EACH {
            tries += 1;
            assert!(tries < 100 * EACH, "the documents have a place for {kind}");
            let mut document = documents.choose(&mut random).expect("there are documents").clone();
            let mut pointers = Vec::new();
            nodes(&document, "", &mut pointers);
            let pointer = pointers.choose(&mut random).expect("a document has nodes");
            let node = document.pointer_mut(pointer).and_then(Value::as_object_mut).expect("it is a node");
            if let Some(defect) = make(node, &mut random) {
                made.push(Mutant { kind, document, defect });
            }
        }
    }
    made
}

#[test]
fn each_defect_is_found_and_a_misspelt_name_gets_the_right_one() {
    let (mut misspelt, mut right) = (0_u32, 0_u32);
    for Mutant { kind, document, defect } in mutants() {
        let found = faults(&document);
        let is_it = |finding: &&SchemaOrgFinding| {
            defect.codes.contains(&finding.code)
                && finding.node == defect.node
                && finding.property == defect.property
        };
        let finding = found.iter().find(is_it);
        let finding = finding.unwrap_or_else(|| panic!("{kind} is not found: {document:#}\n{found:#?}"));
        if let Some(meant) = defect.meant {
            misspelt += 1;
            right += u32::from(finding.suggest == Some(meant));
        }
    }
    assert!(100 * right >= 99 * misspelt, "{right} of {misspelt} names were the ones that were meant");
}

#[test]
fn the_program_finds_each_defect_in_its_line() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mutants: Vec<Mutant> = mutants().into_iter().step_by(one_of(2)).collect();
    let texts: Vec<String> = mutants.iter().map(|mutant| format!("{:#}\n", mutant.document)).collect();
    for (number, text) in texts.iter().enumerate() {
        let path = folder.path().join(format!("{number}.jsonld"));
        std::fs::write(path, text).expect("the folder is ours");
    }
    let (status, found, stderr) =
        run(folder.path(), &["check", ".", "--format", "jsonl", "--base", "https://example.org/doc"]);
    assert_eq!(status, 1, "{stderr}");
    let mut by_file: HashMap<String, Vec<Value>> = HashMap::new();
    for line in found.lines() {
        let finding: Value = serde_json::from_str(line).expect("each line is JSON");
        by_file.entry(text_of(&finding, "file").replace("./", "")).or_default().push(finding);
    }
    for (number, (Mutant { kind, defect, .. }, text)) in mutants.iter().zip(&texts).enumerate() {
        let found = by_file.remove(&format!("{number}.jsonld")).unwrap_or_default();
        let is_it = |finding: &&Value| {
            let code = CheckRule::named(text_of(finding, "code")).expect("it is a rule");
            defect.codes.contains(&code)
                && text_of(finding, "node") == defect.node
                && text_of(finding, "property") == defect.property
        };
        let finding = found.iter().find(is_it).unwrap_or_else(|| panic!("{kind}: {text}\n{found:#?}"));
        let line = finding["line"].as_u64().and_then(|line| text.lines().nth(line as usize - 1));
        let line = line.unwrap_or_else(|| panic!("{kind} has no line: {finding:#}"));
        // A name or text at fault stands there itself, an IRI as it is written; of a value the property may.
        let is_there = |key: &str| finding[key].as_str().is_some_and(|term| line.contains(term));
        let written = line.split('"').rev().nth(1).unwrap_or_default();
        let is_written = text_of(finding, "term").ends_with(written) && !written.is_empty();
        assert!(is_there("term") || is_there("property") || is_written, "{kind}: {line}\n{finding:#}");
    }
}

fn text_of<'v>(finding: &'v Value, key: &str) -> &'v str {
    finding[key].as_str().unwrap_or_default()
}
