//! The vocabulary: look-ups, the table, and the table of a release in every format.

use evalgraph::json::{Limits, parse};
use evalgraph::jsonld::{JsonLdOptions, JsonLdProcessor, NoLoader};
use evalgraph::rdf::{RdfFormat, ReadOptions, read};
use evalgraph::schema_org::{SchemaOrgVocabulary, VocabularyTermKind};
use evalgraph::store::{Dataset, DocumentBuilder, NamedDocument};
use std::path::Path;
use std::sync::Arc;

/// The files of a made-up release, in the newer namespace.
pub(super) const FORMS: [&str; 5] =
    ["extract.nt", "extract.nq", "extract.ttl", "extract.rdf", "extract.jsonld"];

pub(super) fn release(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/schema_org/release").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()))
}

/// The text of a release in the older namespace.
pub(super) fn in_http(text: &str) -> String {
    text.replace("https://schema.org/", "http://schema.org/").replace("https://pending.", "http://pending.")
}

fn dataset(name: &str, text: String) -> Dataset {
    let mut builder = DocumentBuilder::new();
    let extension = Path::new(name).extension().and_then(|end| end.to_str()).expect("it has an extension");
    let format = RdfFormat::ALL.into_iter().find(|format| format.extensions().contains(&extension));
    match format.expect("it is the extension of a format") {
        RdfFormat::JsonLd => {
            let document = parse(name, text, Limits::default()).map(Arc::new).expect("it is JSON");
            let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader);
            processor.to_rdf(&document, &mut builder).expect("it is JSON-LD");
        }
        format => {
            read(name, text.as_bytes(), ReadOptions { format, base: None }, &mut builder).expect("it is RDF");
        }
    }
    let document = NamedDocument { graph: "urn:test:release".to_owned(), builder };
    Dataset::from_documents(vec![document])
}

#[test]
fn a_term_is_found_under_its_kind_alone() {
    let vocabulary = SchemaOrgVocabulary::built_in();
    assert!(vocabulary.class("Dataset").is_some() && vocabulary.property("Dataset").is_none());
    assert!(vocabulary.property("dataset").is_some() && vocabulary.class("dataset").is_none());
    assert!(vocabulary.class("Dermatology").is_some() && vocabulary.member("Dermatology").is_some());
    assert!(vocabulary.datatype("Duration").is_some_and(|duration| duration.is_below("Quantity")));
    let property = vocabulary.property("acceptedAnswer").expect("it is one");
    assert_eq!(property.domain().collect::<Vec<_>>(), ["Question"]);
    assert_eq!(property.range().collect::<Vec<_>>(), ["Answer", "ItemList"]);
    let kinds =
        VocabularyTermKind::ALL.map(|kind| vocabulary.terms().filter(|term| term.kind() == kind).count());
    assert_eq!(kinds, [939, 18, 537, 1529]);
}

#[test]
fn the_last_of_a_chain_is_the_successor() {
    let vocabulary = SchemaOrgVocabulary::built_in();
    let successor =
        |name| vocabulary.property(name).and_then(|term| term.successor()).map(|term| term.name());
    assert_eq!(successor("seasons"), Some("containsSeason"));
    assert_eq!(successor("variablesMeasured"), None);
    assert!(vocabulary.property("variablesMeasured").is_some_and(|term| term.is_retired()));
}

#[test]
fn the_name_that_was_meant_is_of_the_right_kind() {
    let vocabulary = SchemaOrgVocabulary::built_in();
    let (class, property) = ([VocabularyTermKind::Class], [VocabularyTermKind::Property]);
    for (wrong, kinds, meant) in [
        ("dataset", class, Some("Dataset")),
        ("Questionn", class, Some("Question")),
        ("Dateset", class, Some("Dataset")),
        ("PERSON", class, Some("Person")),
        ("ratingvalue", property, Some("ratingValue")),
        ("descriptoin", property, Some("description")),
        ("desciptoin", property, Some("description")),
        ("nmae", property, Some("name")),
        ("nnaame", property, None),
        ("rating", property, None),
        ("", property, None),
    ] {
        assert_eq!(vocabulary.nearest(wrong, &kinds), meant, "{wrong}");
    }
}

#[test]
fn a_table_is_written_as_it_was_read() {
    let table = SchemaOrgVocabulary::built_in().to_table();
    assert_eq!(table, include_str!("../../../crates/contexts/src/schema_org.tsv"));
    let again = SchemaOrgVocabulary::from_table("again", &table).expect("it is a table");
    assert_eq!(again.to_table(), table);
}

#[test]
fn a_fault_of_a_table_has_its_place() {
    let columns = "kind\tname\tup\tdom\trng\tsup\tinv\tlay\n";
    let faults = |text: &str| {
        let faults = SchemaOrgVocabulary::from_table("own.tsv", text).expect_err("it is at fault");
        let told = faults.iter().map(|fault| {
            assert_eq!(fault.code, "schema-org::table");
            let place = fault.place.as_ref().expect("it has a place");
            format!("{}:{} {}", place.line, place.column, fault.message)
        });
        told.collect::<Vec<_>>()
    };
    assert_eq!(faults("name\n"), ["1:1 the first line has to be `kind name up dom rng sup inv lay`"]);
    assert_eq!(faults(columns), ["1:1 the table has no term"]);
    let lines = "C\tThing\t\t\t\t\t\tcore\nX\tOther\t\t\t\t\t\tcore\nC\tThing\t\t\t\t\t\tcore\nC\tShort\n";
    assert_eq!(
        faults(&format!("{columns}{lines}")),
        [
            "3:1 `X` is not a kind of term: `C`, `D`, `M` or `P`",
            "4:1 the table has `Thing` twice in one kind",
            "5:1 the line has 2 columns, but a term has eight",
        ]
    );
}

#[test]
fn a_chain_or_a_hierarchy_that_comes_back_to_itself_ends() {
    let table = "kind\tname\tup\tdom\trng\tsup\tinv\tlay\n\
                 C\tA\tB\t\t\tB\t\tcore\nC\tB\tA\t\t\tA\t\tcore\n";
    let vocabulary = SchemaOrgVocabulary::from_table("circle.tsv", table).expect("it is a table");
    let a = vocabulary.class("A").expect("it is a class");
    assert!(a.is_below("B") && !a.is_below("C"));
    assert_eq!(a.successor().map(|term| term.name()), Some("B"));
}

#[test]
fn each_format_and_namespace_of_a_release_yields_one_table() {
    let table = release("extract.tsv");
    for name in FORMS {
        let text = release(name);
        assert!(text.contains("https://schema.org/"), "{name} is in the newer namespace");
        for text in [in_http(&text), text] {
            let vocabulary =
                SchemaOrgVocabulary::from_dataset(&dataset(name, text)).expect("it describes terms");
            assert_eq!(vocabulary.to_table(), table, "{name}");
        }
    }
}

#[test]
fn data_that_describe_no_term_are_no_release() {
    let data = "<urn:a> <http://schema.org/name> \"a\" .\n".to_owned();
    let fault = SchemaOrgVocabulary::from_dataset(&dataset("data.nt", data)).expect_err("it is none");
    assert_eq!(fault.code, "schema-org::release");
}
