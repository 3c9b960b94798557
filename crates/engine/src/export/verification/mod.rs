//! The verification of an export. It compares each graph that the server returns with the local one: by the number of
//! triples, by the sum of their hashes, and by RDFC-1.0 if there are blank nodes.
//!
//! Both sides are streams, and memory is bounded: see [`tally`] for the hashes, and [`blank_node_triples`] for triples
//! with blank nodes. Graphs with more of these are compared only by the other terms, and this is reported.

mod blank_node_triples;
mod comparison;
mod habits;
mod normal_forms;
mod tally;

use oxrdf::Triple;

use self::blank_node_triples::{MOST_TEXT, MOST_TRIPLES};
pub(crate) use self::comparison::EachQuad;
use self::comparison::{EXAMPLES, GraphVerificationResult, compare};
pub(crate) use self::habits::ServerProduct;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, thousands};

/// The verification of all graphs of an export.
#[derive(Debug)]
pub(crate) struct ExportVerification {
    product: ServerProduct,
    /// The total over all graphs of the literals that were rewritten.
    sum: GraphVerificationResult,
    changed_graphs: u64,
    graphs_not_compared: Vec<String>,
}

impl ExportVerification {
    /// Starts a verification of graphs on a server of a product.
    pub(crate) fn new(product: ServerProduct) -> Self {
        let sum = GraphVerificationResult::default();
        Self { product, sum, changed_graphs: 0, graphs_not_compared: Vec::new() }
    }

    /// Compares a graph. Returns the difference, if there is one.
    ///
    /// # Errors
    ///
    /// The errors of either side.
    pub(crate) fn graph(
        &mut self,
        name: &str,
        ours: &mut EachQuad<'_>,
        theirs: impl Iterator<Item = Result<Triple, RunFailure>>,
    ) -> Result<Option<Diagnostic>, RunFailure> {
        let compared = compare(self.product, ours, theirs)?;
        if !compared.is_same {
            return Ok(Some(differs(name, &compared)));
        }
        self.changed_graphs += u64::from(compared.changed > 0);
        self.sum.changed += compared.changed;
        self.sum.is_at_least |= compared.is_at_least;
        for example in compared.examples {
            let examples = &mut self.sum.examples;
            if examples.len() < EXAMPLES && examples.iter().all(|known| known.datatype != example.datatype) {
                examples.push(example);
            }
        }
        self.sum.endangered += compared.endangered;
        self.sum.endangered_example = self.sum.endangered_example.take().or(compared.endangered_example);
        if compared.nodes_not_compared {
            self.graphs_not_compared.push(name.to_owned());
        }
        Ok(None)
    }

    /// Returns the notes about graphs that do not differ.
    pub(crate) fn notes(&self) -> Vec<Diagnostic> {
        let nodes = self.graphs_not_compared.iter().map(|graph| nodes_not_compared(graph));
        nodes.chain(self.changed()).chain(self.endangered()).collect()
    }

    /// The warning about integers that are right now but will change later.
    fn endangered(&self) -> Option<Diagnostic> {
        let example = self.sum.endangered_example.as_ref()?;
        let literals = counted(self.sum.endangered, "integer");
        let message = format!(
            "a dataset on disk (TDB2) will change {literals} beyond 64 bits, such as `{example}`, \
             although it returns them unchanged at first"
        );
        Some(Diagnostic::warning("export::large-integers", message))
    }

    /// The note about literals that the server has rewritten.
    fn changed(&self) -> Option<Diagnostic> {
        let GraphVerificationResult { changed, is_at_least, examples, .. } = &self.sum;
        let (literals, graphs) = (counted(*changed, "literal"), counted(self.changed_graphs, "graph"));
        let at_least = if *is_at_least { "at least " } else { "" };
        let examples = examples.iter().filter(|example| !example.ours.is_empty());
        let examples: Vec<String> =
            examples.map(|example| format!("`{}` as `{}`", example.ours, example.theirs)).collect();
        let such_as = if examples.is_empty() { "" } else { ", such as " };
        let message = format!(
            "the server writes {at_least}{literals} of {graphs} in another way{such_as}{}",
            examples.join(", ")
        );
        (*changed > 0).then(|| Diagnostic::new(FindingSeverity::Note, "export::changed", message))
    }
}

/// The warning about a graph that the server has not kept unchanged.
fn differs(graph: &str, compared: &GraphVerificationResult) -> Diagnostic {
    let GraphVerificationResult { ours, theirs, missing, .. } = compared;
    let sent =
        if *ours == 1 { "1 triple was".to_owned() } else { format!("{} triples were", thousands(*ours)) };
    let found = if theirs == ours { "as many, but different ones".to_owned() } else { thousands(*theirs) };
    let missing = missing.as_ref().map(|triple| format!("; it lacks `{triple}`")).unwrap_or_default();
    let message = format!("the server has not kept `{graph}`: {sent} sent, and it has {found}{missing}");
    Diagnostic::warning("export::differs", message)
}

/// The note about a graph with too many blank nodes to compare.
fn nodes_not_compared(graph: &str) -> Diagnostic {
    let (triples, text) = (thousands(MOST_TRIPLES as u64), MOST_TEXT >> 20);
    let message = format!(
        "the blank nodes of `{graph}` are not compared, only the number of triples and their other terms: \
         it has more than {triples} triples with them or {text} MiB of their text, or they are too alike"
    );
    Diagnostic::new(FindingSeverity::Note, "export::counted", message)
}

fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", thousands(number), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use oxttl::NTriplesParser;

    use super::*;
    use evalgraph_rdf::{RdfFormat, ReadOptions, read};
    use evalgraph_store::{Dataset, DocumentBuilder, NamedDocument};

    const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

    /// Compares two texts of N-Triples, and returns the difference and the notes.
    fn verified(product: ServerProduct, ours: &str, theirs: &str) -> (Option<String>, Vec<String>) {
        let mut builder = DocumentBuilder::new();
        let options = ReadOptions { format: RdfFormat::NTriples, base: None };
        read("ours", ours.as_bytes(), options, &mut builder).expect("it is N-Triples");
        let dataset = Dataset::from_documents(vec![NamedDocument { graph: "urn:g".to_owned(), builder }]);
        let mut verification = ExportVerification::new(product);
        let each = &mut |take: &mut dyn FnMut(_, &_) -> ControlFlow<()>| {
            let _ = dataset.quads().try_for_each(|quad| take(quad, dataset.dictionary()));
            Ok(())
        };
        let theirs =
            NTriplesParser::new().for_slice(theirs).map(|triple| Ok(triple.expect("it is N-Triples")));
        let difference = verification.graph("urn:g", each, theirs).expect("both sides can be read");
        let notes = verification.notes().iter().map(ToString::to_string).collect();
        (difference.map(|difference| difference.to_string()), notes)
    }

    fn triple(subject: &str, object: &str) -> String {
        format!("{subject} <urn:p> {} .\n", object.replace("xsd:", XSD))
    }

    #[test]
    fn the_order_of_triples_and_the_labels_of_blank_nodes_do_not_matter() {
        let [node, text] = [triple("_:a", "<urn:o>"), triple("<urn:s>", "\"text\\n\"@en")];
        let theirs = text.clone() + &triple("_:genid", "<urn:o>");
        assert_eq!(verified(ServerProduct::Rdf4j, &(node + &text), &theirs), (None, Vec::new()));
    }

    #[test]
    fn a_triple_that_is_lost_changed_or_double_is_a_difference() {
        let objects = ["<urn:o>", "\"text\"", "\"1\"^^<xsd:integer>", "\"text\"@en", "_:node"];
        for at in 0..objects.len() {
            let ours: String = objects.iter().map(|object| triple("<urn:s>", object)).collect();
            let others = objects.iter().enumerate().filter(|(other, _)| *other != at);
            let lost: String = others.map(|(_, object)| triple("<urn:s>", object)).collect();
            let (difference, _) = verified(ServerProduct::Jena, &ours, &lost);
            let lacking =
                if objects[at] == "_:node" { "_:b".to_owned() } else { triple("<urn:s>", objects[at]) };
            let start = "export::differs: the server has not kept `urn:g`: 5 triples were sent, and it has 4; it lacks `";
            let difference = difference.expect("a triple is missing");
            assert!(difference.starts_with(start), "{difference}");
            assert!(difference.contains(lacking.trim_end()), "{difference}");
            let changed = lost.clone() + &triple("<urn:s>", "\"2\"^^<xsd:integer>");
            let found = verified(ServerProduct::Jena, &ours, &changed).0.expect("a triple was changed");
            assert!(found.contains("5 triples were sent, and it has as many, but different ones"), "{found}");
            let double = ours.clone() + &triple("<urn:s>", objects[at]);
            let found = verified(ServerProduct::Jena, &ours, &double).0.expect("a triple is there twice");
            assert!(found.ends_with("5 triples were sent, and it has 6"), "{found}");
        }
    }

    #[test]
    fn literals_that_are_written_in_another_way_are_told() {
        let sides = |forms: [&str; 5]| -> String {
            let subjects = ["<urn:a>", "<urn:b>", "_:c", "<urn:d>", "<urn:d>"];
            subjects.iter().zip(forms).map(|(subject, form)| triple(subject, form)).collect()
        };
        let [ours, theirs] = [
            sides([
                "\"01\"^^<xsd:integer>",
                "\"a\"@en-gb",
                "\"1.0E2\"^^<xsd:double>",
                "\"2.0\"^^<xsd:decimal>",
                "\"2\"^^<xsd:decimal>",
            ]),
            sides([
                "\"1\"^^<xsd:integer>",
                "\"a\"@en-GB",
                "\"100.0e0\"^^<xsd:double>",
                "\"2.0\"^^<xsd:decimal>",
                "\"2.0\"^^<xsd:decimal>",
            ]),
        ];
        let theirs = theirs.trim_end().rsplit_once('\n').map_or("", |(all_but_one, _)| all_but_one);
        let (difference, notes) = verified(ServerProduct::Jena, &ours, theirs);
        assert_eq!(difference, None);
        let note = "export::changed: the server writes 3 literals of 1 graph in another way, such as \
                    `\"01\"^^xsd:integer` as `\"1\"^^xsd:integer`, \
                    `\"1.0E2\"^^xsd:double` as `\"100.0e0\"^^xsd:double`";
        assert_eq!(notes, [note]);
        assert!(verified(ServerProduct::Rdf4j, &ours, theirs).0.is_some());
    }

    #[test]
    fn triples_on_other_blank_nodes_are_a_difference() {
        let ours = triple("_:a", "_:b") + &triple("_:b", "_:a");
        let theirs = triple("_:a", "_:a") + &triple("_:b", "_:b");
        let (difference, _) = verified(ServerProduct::Jena, &ours, &theirs);
        assert!(
            difference.is_some_and(|difference| difference.ends_with("it has as many, but different ones"))
        );
    }

    #[test]
    fn too_many_blank_nodes_are_told_and_counted() {
        let nodes = |skipped: usize| -> String {
            let each = |at| triple(&format!("_:n{at}"), &format!("\"{at}\""));
            (skipped..=MOST_TRIPLES).map(each).collect()
        };
        let (difference, notes) = verified(ServerProduct::Jena, &nodes(0), &nodes(0));
        assert_eq!((difference, notes.len()), (None, 1));
        assert!(
            notes[0].starts_with("export::counted: the blank nodes of `urn:g` are not compared"),
            "{notes:?}"
        );
        assert!(verified(ServerProduct::Jena, &nodes(0), &nodes(1)).0.is_some());
    }
}
