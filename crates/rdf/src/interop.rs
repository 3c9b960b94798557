//! Passes the quads of a [`QuadBuffer`] to the `sophia` toolkit, whose isomorphism, canonicalization and term model
//! other programs build on. The text of IRIs and literals is borrowed, not copied. `QuadBuffer` is defined in
//! `quad_buffer.rs`.

use sophia::api::MownStr;
use sophia::api::quad::Spog;
use sophia::api::term::{BnodeId, IriRef, LanguageTag, SimpleTerm};

use super::quad_buffer::{BufferLiteralKind, BufferTermId, QuadBuffer, TermRef};

impl QuadBuffer {
    /// The quads as a dataset of `sophia`. Blank nodes are labelled `b0`, `b1`, … in the order in which they were
    /// added, as the writers label them.
    ///
    /// ```
    /// use evalgraph_rdf::{QuadBuffer, QuadSink};
    /// use std::collections::HashSet;
    ///
    /// let mut quads = QuadBuffer::new();
    /// let (node, name) = (quads.blank_node(), quads.iri("http://schema.org/name"));
    /// let ada = quads.string("Ada");
    /// quads.quad(node, name, ada, None);
    /// let dataset: HashSet<_> = quads.to_sophia().into_iter().collect();
    /// let mut canonical = Vec::new();
    /// sophia::c14n::rdfc10::normalize(&dataset, &mut canonical)?;
    /// assert_eq!(canonical, b"_:c14n0 <http://schema.org/name> \"Ada\" .\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_sophia(&self) -> Vec<Spog<SimpleTerm<'_>>> {
        let term = |id| self.sophia_term(id);
        let quads = self.quads().iter();
        quads
            .map(|quad| {
                let triple = [term(quad.subject), term(quad.predicate), term(quad.object)];
                (triple, quad.graph.map(term))
            })
            .collect()
    }

    fn sophia_term(&self, id: BufferTermId) -> SimpleTerm<'_> {
        // The caller that fills a sink vouches for the form of IRIs and language tags.
        let iri = |text| IriRef::new_unchecked(MownStr::from_ref(text));
        match self.term(id) {
            TermRef::Iri(text) => SimpleTerm::Iri(iri(text)),
            TermRef::BlankNode => {
                let label = format!("b{}", self.blank_node_number(id).unwrap_or_default());
                SimpleTerm::BlankNode(BnodeId::new_unchecked(label.into()))
            }
            TermRef::Literal { lexical, kind } => {
                let lexical = MownStr::from_ref(lexical);
                match kind {
                    BufferLiteralKind::String => {
                        SimpleTerm::LiteralDatatype(lexical, iri(super::vocabulary::xsd::STRING))
                    }
                    BufferLiteralKind::Datatype(_, datatype) => {
                        SimpleTerm::LiteralDatatype(lexical, iri(datatype))
                    }
                    BufferLiteralKind::Language(tag) => {
                        let tag = LanguageTag::new_unchecked(MownStr::from_ref(tag));
                        SimpleTerm::LiteralLanguage(lexical, tag, None)
                    }
                }
            }
        }
    }
}
