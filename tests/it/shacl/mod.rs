//! SHACL in process: mistakes in shapes, results and their reasons, the shapes of the program, shapes as queries, and other
//! engines.

pub(crate) mod built_in;
pub(crate) mod by_queries;
pub(crate) mod faults;
pub(crate) mod literals;
pub(crate) mod peers;
pub(crate) mod queries;
pub(crate) mod reasons;
pub(crate) mod results;

use evalgraph::rdf::{self, RdfFormat, ReadOptions};
use evalgraph::store::{Dataset, DocumentBuilder, NamedDocument};

const PREFIXES: &str = "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix ex: <http://example.org/> . \
    @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . ";

/// A dataset of a graph in Turtle, with the usual prefixes.
fn read(turtle: &str) -> Dataset {
    let mut builder = DocumentBuilder::new();
    let options = ReadOptions { format: RdfFormat::Turtle, base: None };
    let text = format!("{PREFIXES}{turtle}");
    rdf::read("shapes.ttl", text.as_bytes(), options, &mut builder).expect("it is Turtle");
    Dataset::from_documents(vec![NamedDocument { graph: "urn:graph".to_owned(), builder }])
}
