//! A short name for the content of a graph. A resumed export uses it to recognise what an earlier one has sent. Neither
//! the order of the triples nor the labels of blank nodes affect it.

use super::hashed_triple::{TermText, hash_of};
use evalgraph_store::{EncodedQuad, TermDictionary};

/// The content of a graph, computed from the quads seen so far.
#[derive(Debug, Default)]
pub(super) struct GraphDigest {
    quads: u64,
    sum: u128,
    text: Vec<u8>,
}

impl GraphDigest {
    /// Adds a quad of the graph.
    pub(super) fn quad(&mut self, quad: EncodedQuad, terms: &TermDictionary) {
        let triple = [quad.subject, quad.predicate, quad.object].map(|term| TermText::from_id(term, terms));
        self.quads += 1;
        self.sum = self.sum.wrapping_add(hash_of(triple, &mut self.text));
    }

    /// The name: sixteen hexadecimal digits.
    pub(super) fn name(&self) -> String {
        let [high, low] = [self.sum >> 64, self.sum & u128::from(u64::MAX)];
        // The sum alone cannot distinguish an empty graph from triples whose hashes add up to zero; the count can.
        let number = high ^ low ^ u128::from(self.quads.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        format!("{number:016x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evalgraph_rdf::QuadSink;
    use evalgraph_store::{Dataset, DocumentBuilder, NamedDocument};

    /// The name of a graph of triples. An empty subject is a blank node.
    fn name(triples: &[[&str; 2]]) -> String {
        let mut builder = DocumentBuilder::new();
        for [subject, value] in triples {
            let subject = if subject.is_empty() { builder.blank_node() } else { builder.iri(subject) };
            let (predicate, value) = (builder.iri("urn:p"), builder.string(value));
            builder.quad(subject, predicate, value, None);
        }
        let document = NamedDocument { graph: "urn:g".to_owned(), builder };
        let dataset = Dataset::from_documents(vec![document]);
        let mut digest = GraphDigest::default();
        dataset.quads().for_each(|quad| digest.quad(quad, dataset.dictionary()));
        digest.name()
    }

    #[test]
    fn equal_graphs_have_one_name_and_others_another() {
        let some = name(&[["urn:a", "1"], ["urn:b", "2"], ["", "3"]]);
        assert_eq!(some, name(&[["", "3"], ["urn:b", "2"], ["urn:a", "1"]]));
        let others = [
            name(&[["urn:a", "1"], ["urn:b", "2"], ["", "4"]]),
            name(&[["urn:a", "2"], ["urn:b", "1"], ["", "3"]]),
            name(&[["urn:a", "1"], ["urn:b", "2"]]),
            name(&[["urn:a", "1"], ["urn:b", "2"], ["", "3"], ["", "3"]]),
            name(&[]),
        ];
        assert!(!others.contains(&some), "{some} {others:?}");
    }

    #[test]
    fn a_name_stays_the_same_in_every_version() {
        assert_eq!(name(&[["urn:a", "1"], ["", "2"]]), "c8f6fc46022872f0");
    }
}
