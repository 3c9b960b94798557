//! The prefixes that the context in a document defines.

use crate::json::{Document, Member, TokenId};
use crate::rdf::iri::is_iri;

/// The characters that a namespace ends with, so that its term is a prefix without saying so.
const GEN_DELIMS: [char; 7] = [':', '/', '?', '#', '[', ']', '@'];

/// Returns the terms in the `@context` of the root that are prefixes, with their namespaces (JSON-LD 1.1, section 4.1.5):
/// those of one absolute IRI that ends as a namespace does. What a context elsewhere defines is not among them.
pub fn inline_prefixes(document: &Document) -> Vec<(String, String)> {
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

fn add_terms(document: &Document, context: TokenId, found: &mut Vec<(String, String)>) {
    if !document.is_object(context) {
        return;
    }
    for Member { key, value, .. } in document.members(context) {
        let (Some(term), Some(iri)) = (document.string(key), document.string(value)) else { continue };
        if !term.starts_with('@') && !term.contains([':', '/']) && iri.ends_with(GEN_DELIMS) && is_iri(&iri) {
            found.push((term.into_owned(), iri.into_owned()));
        }
    }
}
