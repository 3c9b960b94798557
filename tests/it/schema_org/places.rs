//! Each finding carries what it takes to find its place when the document is processed again.

use super::CheckedText;
use evalgraph::diagnostic::SourcePlace;
use evalgraph::json::{JsonDocument, Limits, TokenId, parse};
use evalgraph::jsonld::{BuiltIn, JsonLdOptions, JsonLdProcessor};
use evalgraph::rdf::QuadSink as _;
use evalgraph::rdf::place_finder::{DocumentTerm, FoundPlace, PlaceFinder, QuadPart, WantedPlace};
use evalgraph::schema_org::{CheckOptions, FaultyStatement, SchemaOrgFinding};
use evalgraph::store::RdfTermKind;
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

/// The findings of a text that was loaded with a base, each with its place; a finding about the whole document has none.
pub(crate) fn placed(text: &str, base: Option<&str>) -> Vec<(SchemaOrgFinding, Option<SourcePlace>)> {
    let checked = CheckedText::with_base(text, base);
    let found = checked.findings(&CheckOptions::default());
    let statements: Vec<FaultyStatement> = found
        .iter()
        .filter_map(|finding| finding.statement.clone())
        .flat_map(|statement| {
            [statement.clone(), FaultyStatement { predicate: None, value: None, ..statement }]
        })
        .collect();
    let mut finder = PlaceFinder::new(statements.iter().map(|statement| checked.wanted(statement)));
    let document: Arc<JsonDocument> =
        Arc::new(parse("text", text.to_owned(), Limits::default()).expect("it is JSON"));
    let options = JsonLdOptions { base: base.map(str::to_owned), ..JsonLdOptions::default() };
    JsonLdProcessor::new(options, &BuiltIn).to_rdf(&document, &mut finder).expect("it is JSON-LD");
    finder.document_end(&document);
    let mut places = finder.finish().places.into_iter();
    let with_place = found.into_iter().map(|finding| {
        let place = finding.statement.is_some().then(|| {
            let [exact, of_node] = [(); 2].map(|()| places.next().flatten());
            exact.or(of_node).map(|place| document.place(token(&place)))
        });
        (finding, place.flatten())
    });
    with_place.collect()
}

impl CheckedText {
    fn wanted<'s>(&self, statement: &'s FaultyStatement) -> WantedPlace<'s> {
        WantedPlace {
            node: self.term(&statement.node),
            predicate: statement.predicate.as_ref().map(|iri| iri.as_str()),
            value: statement.value.as_ref().map(|value| self.term(value)),
        }
    }

    fn term<'s>(&self, term: &'s Term) -> DocumentTerm<'s> {
        match term {
            Term::NamedNode(node) => DocumentTerm::Iri(node.as_str()),
            Term::Literal(literal) => DocumentTerm::Literal(literal.as_ref()),
            Term::BlankNode(node) => {
                let dictionary = self.dataset.dictionary();
                let id = dictionary.find_blank_node(node.as_str()).expect("the dataset has it");
                let before = dictionary.ids().take_while(|other| *other != id);
                let blank = before.filter(|other| dictionary.kind(*other) == RdfTermKind::BlankNode).count();
                DocumentTerm::BlankNode(blank as u64)
            }
        }
    }
}

fn token(place: &FoundPlace) -> TokenId {
    let tokens = place.tokens.expect("it is JSON-LD");
    match place.part {
        QuadPart::Subject => tokens.subject_id.or(tokens.subject).unwrap_or(tokens.key),
        QuadPart::Predicate => tokens.key,
        QuadPart::Object => tokens.object_id.unwrap_or(tokens.object),
    }
}

#[test]
fn a_finding_leads_to_its_line() {
    let line = |(finding, place): &(SchemaOrgFinding, Option<SourcePlace>)| {
        let place = place.as_ref().expect("it has a place");
        format!("{}:{} {}", place.line, place.column, finding.code.name())
    };
    let mut lines: Vec<String> = placed(TEXT, None).iter().map(line).collect();
    lines.sort();
    assert_eq!(
        lines,
        ["10:20 bad-iri", "11:21 literal-kind", "7:3 unknown-property", "8:13 bad-iri", "9:3 dropped-key"]
    );
}
