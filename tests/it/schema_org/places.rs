//! Each finding carries what it takes to find its place when the document is processed again.

use super::CheckedText;
use evalgraph::json::{Document, Limits, TokenId, parse};
use evalgraph::jsonld::{JsonLdOptions, JsonLdProcessor, NoLoader};
use evalgraph::rdf::QuadSink as _;
use evalgraph::rdf::place_finder::{DocumentTerm, FoundPlace, Part, PlaceFinder, WantedPlace};
use evalgraph::schema_org::{CheckOptions, Statement};
use oxrdf::Term;
use std::sync::Arc;

const TEXT: &str = r#"{
  "@context": {
    "s": "https://schema.org/", "name": "s:name", "sameAs": {"@id": "s:sameAs", "@type": "@id"}, "about": "s:about"
  },
  "@id": "urn:d", "@type": "s:Dataset",
  "name": "Set",
  "s:nmae": "Set",
  "sameAs": "see there",
  "titel": "Set",
  "about": {"@id": "no id", "@type": "s:Thing",
            "name": 5}
}"#;

fn term(term: &Term) -> DocumentTerm<'_> {
    match term {
        Term::NamedNode(node) => DocumentTerm::Iri(node.as_str()),
        Term::Literal(literal) => DocumentTerm::Literal(literal.as_ref()),
        Term::BlankNode(node) => panic!("{node} has no name in the document"),
    }
}

fn wanted(statement: &Statement) -> WantedPlace<'_> {
    WantedPlace {
        node: term(&statement.node),
        predicate: statement.predicate.as_ref().map(|iri| iri.as_str()),
        value: statement.value.as_ref().map(term),
    }
}

fn token(place: &FoundPlace) -> TokenId {
    let tokens = place.tokens.expect("it is JSON-LD");
    match place.part {
        Part::Subject => tokens.subject.unwrap_or(tokens.key),
        Part::Predicate => tokens.key,
        Part::Object => tokens.object,
    }
}

#[test]
fn a_finding_leads_to_its_line() {
    let found = CheckedText::with_base(TEXT, None).findings(&CheckOptions::default());
    let statements = found.iter().map(|finding| finding.statement.as_ref().expect("it is of a statement"));
    let mut finder = PlaceFinder::new(statements.map(wanted));
    let document: Arc<Document> =
        Arc::new(parse("text", TEXT.to_owned(), Limits::default()).expect("it is JSON"));
    let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader);
    processor.to_rdf(&document, &mut finder).expect("it is JSON-LD");
    finder.document_end(&document);
    let places = finder.finish().places;
    let mut lines: Vec<String> = found
        .iter()
        .zip(&places)
        .map(|(finding, place)| {
            let place = document.place(token(place.as_ref().expect("it has a place")));
            format!("{}:{} {}", place.line, place.column, finding.code.name())
        })
        .collect();
    lines.sort();
    assert_eq!(lines, ["10:12 bad-iri", "7:3 unknown-property", "8:13 bad-iri", "9:3 dropped-key"]);
}
