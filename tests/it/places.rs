//! Where something that was loaded stands in its file.

use crate::fixture_files::{files_below, short};
use evalgraph::Loader;
use evalgraph::rdf::place_finder::{DocumentTerm, WantedPlace};
use evalgraph::store::Dataset;
use oxrdf::Term;
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;

/// The terms of a dataset of one document as wanted terms.
struct Terms {
    blank_nodes: HashMap<Term, u64>,
}

impl Terms {
    fn of(dataset: &Dataset) -> Self {
        let dictionary = dataset.dictionary();
        let labels = (0..dictionary.len()).map(|number| format!("b{number}"));
        let nodes = labels.filter_map(|label| dictionary.find_blank_node(&label));
        let blank_nodes = nodes.zip(0..).map(|(id, number)| (dictionary.term(id), number)).collect();
        Self { blank_nodes }
    }

    fn get<'t>(&self, term: &'t Term) -> DocumentTerm<'t> {
        match term {
            Term::NamedNode(iri) => DocumentTerm::Iri(iri.as_str()),
            Term::BlankNode(_) => DocumentTerm::BlankNode(self.blank_nodes[term]),
            Term::Literal(literal) => DocumentTerm::Literal(literal.as_ref()),
        }
    }

    fn wanted<'t>(&self, triple: &'t [Term; 3]) -> WantedPlace<'t> {
        let Term::NamedNode(predicate) = &triple[1] else { panic!("a predicate is an IRI") };
        WantedPlace {
            node: self.get(&triple[0]),
            predicate: Some(predicate.as_str()),
            value: Some(self.get(&triple[2])),
        }
    }
}

/// All triples of a file that can be loaded, without the catalog, and the terms in them.
fn triples(path: &Path) -> Option<(Vec<[Term; 3]>, Terms)> {
    let loaded = Loader::new().load([path.display().to_string()]).ok()?;
    let dataset = loaded.dataset();
    let terms = Terms::of(dataset);
    let term = |id| dataset.dictionary().term(id);
    let triple =
        |quad: evalgraph::store::EncodedQuad| [term(quad.subject), term(quad.predicate), term(quad.object)];
    Some((dataset.quads_of_data().map(triple).collect(), terms))
}

/// Returns whether a text in a file is that of a literal.
fn is_text_of(written: &str, literal: &oxrdf::Literal) -> bool {
    let value = literal.value();
    let same = |text: &str| text == value || text.trim() == value.trim() || text.to_lowercase() == value;
    match serde_json::from_str::<Value>(written) {
        Ok(Value::String(text)) => same(&text) || written == value,
        Ok(Value::Number(number)) => {
            // Doubles are rounded on their way to RDF.
            let is_near = |a: f64, b: f64| (a - b).abs() <= a.abs() * 1e-9;
            let numbers = number.as_f64().zip(value.parse().ok());
            written == value || numbers.is_some_and(|(a, b)| is_near(a, b))
        }
        Ok(other) => serde_json::from_str::<Value>(value).is_ok_and(|value| value == other),
        // A container is marked at its bracket.
        Err(_) if ["{", "["].contains(&written) => value.starts_with(written),
        Err(_) => {
            let quoted = written.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
            same(written) || quoted.is_some_and(|text| same(&text.replace("\"\"", "\"")))
        }
    }
}

/// Properties whose values a file does not have: they follow from the place or the kind of what it has.
const IMPLIED: [&str; 7] = [
    "http://schema.org/applicationSubCategory",
    "http://schema.org/position",
    "http://schema.org/reviewAspect",
    "http://schema.org/worstRating",
    "http://schema.org/bestRating",
    "http://schema.org/variableMeasured",
    "urn:evalgraph:vocab:ingestionIndex",
];

/// Returns whether a file has no value that a literal is: its text is not there, or is that of a key.
fn is_implied(text: &str, predicate: &Term, literal: &oxrdf::Literal) -> bool {
    let predicate = predicate.to_string();
    let is_made = IMPLIED.iter().any(|name| predicate == format!("<{name}>"));
    let quoted = Value::from(literal.value()).to_string();
    let is_there = text.contains(literal.value()) || text.contains(quoted.trim_matches('"'));
    is_made || !is_there || text.contains(&format!("{quoted}:"))
}

/// Returns whether a value is computed from others, at whose place it is: the number of a letter, the sum of the tokens of all
/// models, a text with its attachments.
fn is_computed(path: &Path, predicate: &Term) -> bool {
    let is_of_run =
        ["every-eval-ever/", "inspect/", "lm-eval/"].iter().any(|folder| short(path).starts_with(folder));
    let predicate = predicate.to_string();
    let name = predicate.trim_end_matches('>').rsplit(['/', ':']).next().unwrap_or_default();
    is_of_run && COMPUTED.contains(&name)
}

/// The properties whose values may be computed.
const COMPUTED: [&str; 11] = [
    "dateCreated",
    "executionTime",
    "inputTokens",
    "lowerIsBetter",
    "metric",
    "outputTokens",
    "ratingValue",
    "reviewAspect",
    "text",
    "totalTokens",
    "verifyResult",
];

#[test]
fn literals_of_all_fixtures_stand_at_their_places() {
    let (mut all, mut right, mut implied) = (0, 0, 0);
    let mut exceptions: Vec<String> = Vec::new();
    for path in files_below("") {
        let Some((triples, terms)) = triples(&path) else { continue };
        let literals: Vec<&[Term; 3]> = triples.iter().filter(|triple| triple[2].is_literal()).collect();
        let wanted: Vec<WantedPlace<'_>> = literals.iter().map(|triple| terms.wanted(triple)).collect();
        let places = Loader::new().places(&path.display().to_string(), &wanted).expect("it was loaded");
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let is_json = path.extension().is_some_and(|extension| extension == "json" || extension == "jsonld");
        let json: Option<Value> = serde_json::from_str(&text).ok().filter(|_| is_json);
        for (triple, place) in literals.into_iter().zip(places) {
            let Term::Literal(literal) = &triple[2] else { panic!("it is a literal") };
            let Some(place) = place else {
                // Documents of a corpus are other files.
                assert!(path.with_file_name("corpus").is_dir(), "{}: {}", short(&path), triple[2]);
                continue;
            };
            // Version 2.0 is not JSON-LD: a document is made of the whole file.
            if place.is_whole() {
                assert!(short(&path).starts_with("karenina/v2"), "{}: {}", short(&path), triple[2]);
                continue;
            }
            let written = &text[place.bytes.start as usize..place.bytes.end as usize];
            let at_pointer = || json.as_ref()?.pointer(place.pointer.as_deref()?).map(Value::to_string);
            let is_pointed = json.is_none() || at_pointer().is_some_and(|text| is_text_of(&text, literal));
            if is_pointed && is_text_of(written, literal) {
                right += 1;
            } else if is_implied(&text, &triple[1], literal) || is_computed(&path, &triple[1]) {
                implied += 1;
                continue;
            } else {
                exceptions.push(format!("{}: {} {literal}: {written}", short(&path), triple[1]));
            }
            all += 1;
        }
    }
    let told = exceptions.join("\n");
    assert!(all > 5000 && right * 1000 >= all * 995, "{right} of {all}, {implied} beside\n{told}");
    // What is read out of the texts of a conversation stands at its list of messages.
    let are_of_chat = exceptions.iter().all(|told| told.starts_with("kwanzaa/chat.jsonl"));
    assert!(are_of_chat, "{told}");
}

fn written_node(term: &str) -> DocumentTerm<'_> {
    match term.strip_prefix("_:") {
        Some(number) => DocumentTerm::BlankNode(number.parse().expect("a number")),
        None => DocumentTerm::Iri(term),
    }
}

fn written_value(term: &str) -> DocumentTerm<'_> {
    match term.strip_prefix('"') {
        Some(value) => DocumentTerm::Literal(oxrdf::LiteralRef::new_simple_literal(value)),
        None => written_node(term),
    }
}

/// The places of wanted nodes, properties and values of a text, each as line, column, pointer and the text there.
fn shown(name: &str, text: &str, wanted: &[(&str, &str, &str)]) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("it can be written");
    let wanted = wanted.iter().map(|(subject, predicate, object)| WantedPlace {
        node: written_node(subject),
        predicate: Some(*predicate).filter(|text| !text.is_empty()),
        value: Some(*object).filter(|text| !text.is_empty()).map(written_value),
    });
    let wanted: Vec<WantedPlace<'_>> = wanted.collect();
    let places =
        Loader::new().plain().places(&path.display().to_string(), &wanted).expect("it can be loaded");
    let shown = places.into_iter().map(|place| match place {
        Some(place) => {
            let written = &text[place.bytes.start as usize..place.bytes.end as usize];
            let pointer = place.pointer.unwrap_or_default();
            format!("{}:{} {pointer} {written}\n", place.line, place.column)
        }
        None => "nowhere\n".to_owned(),
    });
    shown.collect()
}

#[test]
fn nodes_properties_and_values_of_json_ld_have_places() {
    let text = r#"{
  "@context": {"@vocab": "urn:v:", "l": {"@container": "@list"}, "of": {"@reverse": "urn:v:has"}, "same": "urn:v:name"},
  "@id": "urn:a", "@type": "T",
  "name": "one", "same": ["two"],
  "knows": [{"@id": "urn:b"}, {"name": "two", "knows": {"@id": "urn:a"}}],
  "l": ["x", {"@id": "urn:a"}, []],
  "of": {"@id": "urn:c", "name": "three"}
}"#;
    let wanted = [
        ("urn:a", "", ""),
        ("urn:a", "http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "urn:v:T"),
        ("urn:a", "urn:v:name", ""),
        ("urn:a", "urn:v:name", "\"two"),
        ("urn:b", "", ""),
        ("urn:a", "urn:v:knows", "urn:b"),
        ("urn:a", "", "_:0"),
        ("_:0", "", ""),
        ("_:0", "urn:v:name", ""),
        ("_:0", "urn:v:knows", "urn:a"),
        ("urn:a", "urn:v:l", ""),
        ("urn:c", "", ""),
        ("urn:c", "urn:v:has", "urn:a"),
        ("urn:c", "urn:v:has", ""),
        ("urn:c", "urn:v:name", "\"three"),
        ("urn:c", "urn:v:name", "\"four"),
        ("urn:d", "", ""),
    ];
    insta::assert_snapshot!(shown("a.jsonld", text, &wanted), @r#"
1:1  {
3:28 /@type "T"
4:3 /name "name"
4:27 /same/0 "two"
5:21 /knows/0/@id "urn:b"
5:21 /knows/0/@id "urn:b"
5:31 /knows/1 {
5:31 /knows/1 {
5:32 /knows/1/name "name"
5:64 /knows/1/knows/@id "urn:a"
6:3 /l "l"
7:9 /of {
7:9 /of {
7:3 /of "of"
7:34 /of/name "three"
nowhere
nowhere
"#);
}

#[test]
fn nodes_properties_and_values_of_records_and_rdf_have_places() {
    let rows = r#"[
  {"id": "r1", "question": "Why?", "answer": "So.", "is_impossible": false, "contexts": []}
]"#;
    let row = "urn:evalgraph:train:rows:r1";
    let question = "urn:evalgraph:train:rows:r1/question";
    let wanted = [
        (row, "", ""),
        (question, "http://schema.org/text", ""),
        (question, "http://schema.org/text", "\"Why?"),
        (row, "http://schema.org/identifier", "\"r1"),
    ];
    insta::assert_snapshot!(shown("rows.json", rows, &wanted), @r#"
2:3 /0 {
2:16 /0/question "question"
2:28 /0/question "Why?"
2:10 /0/id "r1"
"#);
    let turtle = "@prefix : <urn:> .\n:a :b [ :c \"x\" ] ;\n  :d :e .";
    let wanted = [
        ("urn:a", "", ""),
        ("_:0", "", ""),
        ("_:0", "urn:c", "\"x"),
        ("urn:a", "urn:b", "_:0"),
        ("urn:a", "urn:d", ""),
        ("urn:e", "", ""),
    ];
    insta::assert_snapshot!(shown("a.ttl", turtle, &wanted), @r#"
2:1  :a
2:7  [
2:12  "x"
2:7  [
3:3  :d
3:6  :e
"#);
    insta::assert_snapshot!(shown("a.n3", turtle, &wanted[..1]), @"nowhere");
}
