//! Quads as the toolkit `sophia` has them, which judges isomorphism and canonicalization.

use evalgraph::rdf::QuadBuffer;
use evalgraph::rdf::quad_buffer::{BufferLiteralKind, BufferTermId, TermRef};
use evalgraph::rdf::vocabulary::xsd;
use sophia::api::MownStr;
use sophia::api::quad::Spog;
use sophia::api::term::{BnodeId, IriRef, LanguageTag, SimpleTerm};

/// The quads, with blank nodes as the writers label them.
pub(crate) fn to_sophia(quads: &QuadBuffer) -> Vec<Spog<SimpleTerm<'_>>> {
    let term = |id| term(quads, id);
    let triple = |subject, predicate, object| [term(subject), term(predicate), term(object)];
    let each = quads.quads().iter();
    each.map(|quad| (triple(quad.subject, quad.predicate, quad.object), quad.graph.map(term))).collect()
}

fn term(quads: &QuadBuffer, id: BufferTermId) -> SimpleTerm<'_> {
    let text = MownStr::from_ref;
    let iri = |iri| IriRef::new_unchecked(text(iri));
    match quads.term(id) {
        TermRef::Iri(name) => SimpleTerm::Iri(iri(name)),
        TermRef::BlankNode => {
            let number = quads.blank_node_number(id).expect("it is a blank node");
            SimpleTerm::BlankNode(BnodeId::new_unchecked(format!("b{number}").into()))
        }
        TermRef::Literal { lexical, kind: BufferLiteralKind::String } => {
            SimpleTerm::LiteralDatatype(text(lexical), iri(xsd::STRING))
        }
        TermRef::Literal { lexical, kind: BufferLiteralKind::Datatype(_, datatype) } => {
            SimpleTerm::LiteralDatatype(text(lexical), iri(datatype))
        }
        TermRef::Literal { lexical, kind: BufferLiteralKind::Language(tag) } => {
            SimpleTerm::LiteralLanguage(text(lexical), LanguageTag::new_unchecked(text(tag)), None)
        }
    }
}
