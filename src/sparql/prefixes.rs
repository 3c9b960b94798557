//! The prefixes that every query and parameter may use without declaring them, and the way back
//! from an IRI to its short form. A prefix that the query declares itself wins.

use oxrdf::NamedNode;

use crate::rdf::vocabulary::{self, SCHEMA_ORG, schema_org_alias};

/// Prefix and namespace, in the order in which an IRI is shortened.
pub const BUILT_IN_PREFIXES: [(&str, &str); 12] = [
    ("s", SCHEMA_ORG),
    ("schema", SCHEMA_ORG),
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
    ("owl", "http://www.w3.org/2002/07/owl#"),
    ("sh", "http://www.w3.org/ns/shacl#"),
    ("prov", "http://www.w3.org/ns/prov#"),
    ("dcat", "http://www.w3.org/ns/dcat#"),
    ("karenina", vocabulary::KARENINA),
    ("eg", vocabulary::EVALGRAPH),
    ("egf", vocabulary::EVALGRAPH_FUNCTION),
];

/// Prefixes and their namespaces, the ones of the query before the built-in ones.
#[derive(Debug, Clone, Default)]
pub struct Prefixes {
    declared: Vec<(String, String)>,
}

impl Prefixes {
    /// The built-in prefixes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Declares a prefix; an earlier meaning of it is forgotten.
    pub fn declare(&mut self, prefix: &str, namespace: &str) {
        self.declared.retain(|(known, _)| known != prefix);
        self.declared.push((prefix.to_owned(), namespace.to_owned()));
    }

    /// The namespace of a prefix.
    pub fn namespace(&self, prefix: &str) -> Option<&str> {
        self.iter().find(|(known, _)| *known == prefix).map(|(_, namespace)| namespace)
    }

    /// Tells whether the query declares the prefix itself.
    pub fn is_declared(&self, prefix: &str) -> bool {
        self.declared.iter().any(|(known, _)| known == prefix)
    }

    /// All prefixes with their namespaces, those of the query first.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let declared = self.declared.iter().map(|(prefix, namespace)| (prefix.as_str(), namespace.as_str()));
        declared.chain(BUILT_IN_PREFIXES.into_iter().filter(|(prefix, _)| !self.is_declared(prefix)))
    }

    /// `prefix:name` for an IRI in a known namespace, where the rest can stand without escapes.
    pub fn shorten(&self, iri: &str) -> Option<String> {
        let (prefix, rest) = self
            .iter()
            .filter_map(|(prefix, namespace)| Some((prefix, iri.strip_prefix(namespace)?)))
            .min_by_key(|(_, rest)| rest.len())?;
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        (!rest.is_empty() && rest.chars().all(is_plain)).then(|| format!("{prefix}:{rest}"))
    }
}

/// Moves an IRI of schema.org into the namespace that the store uses; returns whether the IRI changed.
pub(crate) fn move_to_store_namespace(node: &mut NamedNode) -> bool {
    let moved = schema_org_alias(node.as_str()).map(|name| format!("{SCHEMA_ORG}{name}"));
    moved.map(|iri| *node = NamedNode::new_unchecked(iri)).is_some()
}
