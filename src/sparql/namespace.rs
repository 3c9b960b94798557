//! The one namespace that the store has for schema.org, and the forms of it that people write.

use oxrdf::NamedNode;

use crate::rdf::vocabulary::SCHEMA_ORG;

const OTHER_FORMS: [&str; 3] = ["https://schema.org/", "http://www.schema.org/", "https://www.schema.org/"];

/// The IRI in the namespace of the store; nothing where it is there already or is not schema.org's.
pub fn in_store_namespace(iri: &str) -> Option<String> {
    let name = OTHER_FORMS.iter().find_map(|form| iri.strip_prefix(form))?;
    Some(format!("{SCHEMA_ORG}{name}"))
}

/// Moves an IRI of schema.org into the namespace of the store; says whether it did.
pub(super) fn move_to_store_namespace(node: &mut NamedNode) -> bool {
    match in_store_namespace(node.as_str()) {
        Some(iri) => {
            *node = NamedNode::new_unchecked(iri);
            true
        }
        None => false,
    }
}
