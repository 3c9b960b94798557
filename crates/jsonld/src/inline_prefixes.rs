//! The prefixes that the `@context` of a document defines.

use std::borrow::Cow;

use evalgraph_json::{JsonDocument, JsonMember, TokenId};
use evalgraph_rdf::iri::is_iri;

/// The characters at the end of a namespace. A term whose IRI ends with one is a prefix without `@prefix`.
pub(super) const GEN_DELIMS: [char; 7] = [':', '/', '?', '#', '[', ']', '@'];

/// Returns the prefixes in the `@context` of the root, with their namespaces (JSON-LD 1.1, section 4.1.5): the terms of
/// an absolute IRI that ends like a namespace, or that have `@prefix`. Prefixes of other contexts, and those that
/// depend on other terms, are left out, because this is called for every record of a file and has to cost next to
/// nothing.
pub fn inline_prefixes(document: &JsonDocument) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let root = document.root();
    if document.is_object(root)
        && let Some(context) = document.get(root, "@context")
    {
        if document.is_array(context) {
            document.items(context).for_each(|item| add_terms(document, item, &mut found));
        } else {
            add_terms(document, context, &mut found);
        }
    }
    found
}

fn add_terms(document: &JsonDocument, context: TokenId, found: &mut Vec<(String, String)>) {
    if !document.is_object(context) {
        return;
    }
    for JsonMember { key, value, .. } in document.members(context) {
        let (Some(term), Some(iri)) = (document.string(key), namespace(document, value)) else { continue };
        if !term.starts_with('@') && !term.contains([':', '/']) && is_absolute(&iri) {
            found.push((term.into_owned(), iri.into_owned()));
        }
    }
}

/// Returns the IRI of a term that is a prefix.
fn namespace(document: &JsonDocument, definition: TokenId) -> Option<Cow<'_, str>> {
    if document.is_object(definition) {
        let is_prefix = document.raw(document.get(definition, "@prefix")?) == "true";
        return document.string(document.get(definition, "@id")?).filter(|_| is_prefix);
    }
    document.string(definition).filter(|iri| iri.ends_with(GEN_DELIMS))
}

/// Returns whether an IRI is absolute, whatever terms there are: `a:b` could be a compact IRI.
fn is_absolute(iri: &str) -> bool {
    let is_complete = |(scheme, rest): (&str, &str)| scheme == "urn" || rest.starts_with("//");
    iri.split_once(':').is_some_and(is_complete) && is_iri(iri)
}
