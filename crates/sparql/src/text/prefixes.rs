//! The prefixes that a query and its parameters may use without declaring them: the built-in ones and those of the
//! context, such as the project. Also shortens IRIs with them.

use std::sync::Arc;

use oxrdf::NamedNode;

use evalgraph_rdf::vocabulary::{self, SCHEMA_ORG, schema_org_alias};

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
    (vocabulary::CHECKPOINT_PREFIX, vocabulary::CHECKPOINT),
    ("eg", vocabulary::EVALGRAPH),
    ("egf", vocabulary::EVALGRAPH_FUNCTION),
];

/// Prefixes and their namespaces: those that a query declares, then the built-in ones, then those of its context.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueryPrefixes {
    declared: Vec<(String, String)>,
    around: Arc<[(String, String)]>,
    /// `true` if the prefixes of the context replace built-in ones of the same name.
    replaces_built_in: bool,
}

impl QueryPrefixes {
    /// The built-in prefixes.
    pub fn new() -> Self {
        Self::default()
    }

    /// The built-in prefixes, and those of the context: of a project, or of the data. The first meaning of a prefix
    /// counts. Built-in prefixes keep theirs.
    pub fn around(prefixes: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut around: Vec<(String, String)> = Vec::new();
        for (prefix, namespace) in prefixes {
            let is = |known: &str| known == prefix;
            if !is_built_in(&prefix) && !around.iter().any(|(known, _)| is(known)) {
                around.push((prefix, namespace));
            }
        }
        Self { around: around.into(), ..Self::default() }
    }

    /// Like [`Self::around`], but a prefix of the context replaces the built-in one of the same name.
    ///
    /// ```
    /// use evalgraph_sparql::QueryPrefixes;
    ///
    /// let prefixes = QueryPrefixes::replacing_built_in([("schema".to_owned(), "https://schema.org/".to_owned())]);
    /// assert_eq!(prefixes.namespace("schema"), Some("https://schema.org/"));
    /// ```
    pub fn replacing_built_in(prefixes: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut around: Vec<(String, String)> = Vec::new();
        for (prefix, namespace) in prefixes {
            if !around.iter().any(|(known, _)| *known == prefix) {
                around.push((prefix, namespace));
            }
        }
        Self { around: around.into(), replaces_built_in: true, ..Self::default() }
    }

    /// Declares a prefix and replaces its earlier meaning.
    pub fn declare(&mut self, prefix: &str, namespace: &str) {
        self.declared.retain(|(known, _)| known != prefix);
        self.declared.push((prefix.to_owned(), namespace.to_owned()));
    }

    /// The namespace of a prefix.
    pub fn namespace(&self, prefix: &str) -> Option<&str> {
        self.iter().find(|(known, _)| *known == prefix).map(|(_, namespace)| namespace)
    }

    /// Returns whether the query declares the prefix itself.
    pub fn is_declared(&self, prefix: &str) -> bool {
        self.declared.iter().any(|(known, _)| known == prefix)
    }

    /// All prefixes with their namespaces, those of the query first.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let is_replaced =
            |prefix: &str| self.replaces_built_in && self.around.iter().any(|(known, _)| known == prefix);
        let built_in = BUILT_IN_PREFIXES.into_iter().filter(move |(prefix, _)| !is_replaced(prefix));
        let others = built_in.chain(self.around.iter().map(pair));
        self.declared.iter().map(pair).chain(others.filter(|(prefix, _)| !self.is_declared(prefix)))
    }

    /// `prefix:name` for an IRI in a known namespace, if the rest needs no escapes.
    pub fn shorten(&self, iri: &str) -> Option<String> {
        let (prefix, rest) = self
            .iter()
            .filter_map(|(prefix, namespace)| Some((prefix, iri.strip_prefix(namespace)?)))
            .min_by_key(|(_, rest)| rest.len())?;
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        (!rest.is_empty() && rest.chars().all(is_plain)).then(|| format!("{prefix}:{rest}"))
    }
}

fn pair(of: &(String, String)) -> (&str, &str) {
    (&of.0, &of.1)
}

/// Returns whether a prefix is one of those that every query has.
pub fn is_built_in(prefix: &str) -> bool {
    BUILT_IN_PREFIXES.iter().any(|(known, _)| *known == prefix)
}

/// Moves an IRI of schema.org into the namespace that the store uses; returns whether the IRI changed.
pub fn move_to_store_namespace(node: &mut NamedNode) -> bool {
    let moved = schema_org_alias(node.as_str()).map(|name| format!("{SCHEMA_ORG}{name}"));
    moved.map(|iri| *node = NamedNode::new_unchecked(iri)).is_some()
}
