//! Graphs in Turtle.

use evalgraph::rdf::{self, RdfFormat, ReadOptions};
use evalgraph::store::{Dataset, DocumentBuilder, NamedDocument};

/// A dataset of one graph.
pub(crate) fn read(turtle: &str) -> Dataset {
    let mut builder = DocumentBuilder::new();
    let options = ReadOptions { format: RdfFormat::Turtle, base: None };
    rdf::read("shapes.ttl", turtle.as_bytes(), options, &mut builder).expect("it is Turtle");
    Dataset::from_documents(vec![NamedDocument { graph: "urn:shapes".to_owned(), builder }])
}
