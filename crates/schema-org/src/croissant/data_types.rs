//! The rules about data types of fields and record sets, and the properties that fields are equal to.

use super::graph::Graph;
use super::names::CroissantIri;
use super::reporter::Reporter;
use super::terms::class_names;
use crate::code::Code;
use crate::namespace::SchemaIri;
use crate::teller::{At, Fault, shortened};
use crate::term_kind::TermKind;
use crate::vocabulary::Vocabulary;
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_store::TermId;

/// Classes whose values programs read without another type.
const READABLE: [&str; 5] = ["AudioObject", "ImageObject", "VideoObject", "BoundingBox", "SegmentationMask"];

/// Checks that each data type is one that its vocabulary has.
pub(super) fn known(
    graph: &Graph<'_>,
    vocabulary: &Vocabulary,
    reporter: &mut Reporter<'_, '_>,
    node: TermId,
) {
    for at in graph.values(node, "dataType") {
        let Some(value) = at.value else { continue };
        match graph.iri(value) {
            Some(iri) => known_type(vocabulary, reporter, at, iri),
            None if graph.is_node(value) => {}
            None => text(reporter, at, graph.dictionary.lexical(value)),
        }
    }
    for at in graph.values(node, "equivalentProperty") {
        let iri = at.value.map(|value| graph.dictionary.lexical(value)).and_then(SchemaIri::of);
        let Some(local) = iri.filter(SchemaIri::is_term).map(|iri| iri.local) else { continue };
        if vocabulary.property(local).is_none() {
            reporter.tell(Code::CroissantDataType, at, "field", || {
                unknown(local, vocabulary.nearest(local, &[TermKind::Property]), "property of schema.org")
            });
        }
    }
}

/// A text where the IRI of a type is expected.
fn text(reporter: &mut Reporter<'_, '_>, at: At, text: &str) {
    reporter.tell(Code::CroissantFieldType, at, "datatype", || {
        let message = format!(
            "the data type is the text `{}`, and no IRI: the context has to map `dataType` with `\"@type\": \"@vocab\"`",
            shortened(text)
        );
        Fault { term: Some(text.to_owned()), ..Fault::new(message) }
    });
}

fn known_type(vocabulary: &Vocabulary, reporter: &mut Reporter<'_, '_>, at: At, iri: &str) {
    if let Some(iri) = CroissantIri::of(iri) {
        if class_names().any(|name| name == iri.local) {
            return;
        }
        return reporter.tell(Code::CroissantDataType, at, "datatype", || {
            unknown(iri.local, nearest(iri.local, class_names()), "data type of Croissant")
        });
    }
    let Some(local) = SchemaIri::of(iri).filter(SchemaIri::is_term).map(|iri| iri.local) else { return };
    if TermKind::ALL.into_iter().any(|kind| vocabulary.term(local, kind).is_some()) {
        return;
    }
    reporter.tell(Code::CroissantDataType, at, "datatype", || {
        // The specification itself has `sc:String` where it means a text.
        let text = (local == "String").then_some("Text");
        let near = || vocabulary.nearest(local, &[TermKind::Datatype]);
        let suggest = text.or_else(near).or_else(|| vocabulary.nearest(local, &[TermKind::Class]));
        unknown(local, suggest, "data type of schema.org")
    });
}

fn unknown(local: &str, suggest: Option<&str>, what: &str) -> Fault {
    let message = format!("`{}` is not a {what}", shortened(local));
    Fault { term: Some(local.to_owned()), suggest: suggest.map(str::to_owned), ..Fault::new(message) }
}

/// Checks that a field has a type that programs can read, or takes it from another field.
pub(super) fn of_field(
    graph: &Graph<'_>,
    vocabulary: &Vocabulary,
    reporter: &mut Reporter<'_, '_>,
    field: TermId,
) {
    let types = graph.values(field, "dataType");
    let is_readable = |at: &At| {
        let iri = at.value.and_then(|value| graph.iri(value)).unwrap_or_default();
        match CroissantIri::of(iri) {
            Some(iri) => {
                READABLE.contains(&iri.local)
                    || iri.local.starts_with(['I', 'U', 'F']) && iri.local.ends_with(char::is_numeric)
            }
            None => SchemaIri::of(iri)
                .is_some_and(|iri| READABLE.contains(&iri.local) || vocabulary.datatype(iri.local).is_some()),
        }
    };
    let has_type = types.len() == 1 || types.iter().any(is_readable);
    if has_type || takes_type_of_another(graph, field) {
        return;
    }
    let at = types.first().copied().unwrap_or(At { node: field, predicate: None, value: None });
    reporter.tell(Code::CroissantFieldType, at, "datatype", || {
        let message = match types.is_empty() {
            true => "the `Field` has no `dataType`",
            false => "none of the data types is an atomic one, such as `Text` or `Integer`",
        };
        Fault { property: Some("dataType"), ..Fault::new(message) }
    });
}

fn takes_type_of_another(graph: &Graph<'_>, field: TermId) -> bool {
    let sources = ["source", "references"].into_iter().flat_map(|name| graph.values(field, name));
    sources
        .filter_map(|at| at.value)
        .any(|source| graph.origin(source).is_some_and(|origin| graph.is_field(origin)))
}
