//! Conversion to RDF where neither the suites nor the peers look.

use crate::jsonld::collecting_sink::CollectingSink;
use evalgraph::json::{self, Limits};
use evalgraph::jsonld::{JsonLdOptions, JsonLdProcessor, NoLoader, RdfDirection};
use std::sync::Arc;

/// How many quads a document has under `compound-literal`.
fn compound_quads(text: &str) -> usize {
    let document = json::parse("here.jsonld", text.to_owned(), Limits::default()).expect("it is JSON");
    let options =
        JsonLdOptions { rdf_direction: Some(RdfDirection::CompoundLiteral), ..JsonLdOptions::default() };
    let mut sink = CollectingSink::default();
    JsonLdProcessor::new(options, &NoLoader).to_rdf(&Arc::new(document), &mut sink).expect("it is JSON-LD");
    sink.quads().len()
}

/// The node map holds equal values of a property once (Node Map Generation 4.1.2), and what makes
/// nodes of them works on that.
#[test]
fn equal_strings_with_a_direction_are_one_node() {
    let value = r#"{"@value": "שלום", "@language": "he", "@direction": "rtl"}"#;
    let other = r#"{"@value": "שלום", "@language": "he", "@direction": "ltr"}"#;
    let node = |values: &str| format!(r#"{{"@id": "urn:n", "urn:p": [{values}]}}"#);
    assert_eq!(compound_quads(&node(value)), 4);
    assert_eq!(compound_quads(&node(&format!("{value}, {value}"))), 4);
    assert_eq!(compound_quads(&node(&format!("{value}, {other}"))), 8);
    // The same node elsewhere in the document, another property, and a list, which keeps what is equal.
    assert_eq!(compound_quads(&format!("[{}, {}]", node(value), node(value))), 4);
    assert_eq!(compound_quads(&format!(r#"{{"@id": "urn:n", "urn:p": {value}, "urn:q": {value}}}"#)), 8);
    assert_eq!(compound_quads(&node(&format!(r#"{{"@list": [{value}, {value}]}}"#))), 11);
}
