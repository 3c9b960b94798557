//! Terms, variables, triples. `AlgebraWriter` is defined in `mod.rs`.

use oxrdf::{BlankNode, Literal, NamedNode, Variable};
use spargebra::term::{GroundTerm, NamedNodePattern, TermPattern, TriplePattern};

use super::AlgebraWriter;
use evalgraph_rdf::short_forms::has_short_form;
use evalgraph_rdf::vocabulary::{rdf, xsd};

impl AlgebraWriter<'_> {
    pub(super) fn triple(&mut self, triple: &TriplePattern) {
        self.term(&triple.subject);
        self.push(" ");
        match &triple.predicate {
            NamedNodePattern::NamedNode(node) if node.as_str() == rdf::TYPE => self.push("a"),
            predicate => self.name(predicate),
        }
        self.push(" ");
        self.term(&triple.object);
        self.push(" .");
    }

    pub(super) fn term(&mut self, term: &TermPattern) {
        match term {
            TermPattern::NamedNode(node) => self.iri(node),
            TermPattern::Literal(literal) => self.literal(literal),
            TermPattern::Variable(variable) => self.variable(variable),
            TermPattern::BlankNode(node) => {
                let variable = self.variable_for(node);
                self.variable(&variable);
            }
        }
    }

    /// The variable that represents a blank node.
    fn variable_for(&mut self, node: &BlankNode) -> Variable {
        if let Some(known) = self.blank_nodes.get(node.as_str()) {
            return known.clone();
        }
        let mut names = (1..).map(|number| Variable::new_unchecked(format!("blank{number}")));
        let fresh = names.find(|name| !self.variables.contains(name));
        let fresh = fresh.unwrap_or_else(|| Variable::new_unchecked(node.as_str()));
        self.variables.insert(fresh.clone());
        self.blank_nodes.insert(node.as_str().to_owned(), fresh.clone());
        fresh
    }

    pub(super) fn ground_term(&mut self, term: &GroundTerm) {
        match term {
            GroundTerm::NamedNode(node) => self.iri(node),
            GroundTerm::Literal(literal) => self.literal(literal),
        }
    }

    pub(super) fn name(&mut self, name: &NamedNodePattern) {
        match name {
            NamedNodePattern::NamedNode(node) => self.iri(node),
            NamedNodePattern::Variable(variable) => self.variable(variable),
        }
    }

    pub(super) fn variable(&mut self, variable: &Variable) {
        self.push("?");
        self.push(variable.as_str());
    }

    pub(super) fn iri(&mut self, node: &NamedNode) {
        if let Some((prefix, namespace, local)) = self.short(node.as_str()) {
            self.used.insert(prefix, namespace);
            let short = format!("{prefix}:{local}");
            return self.push(&short);
        }
        let is_forbidden =
            |c: char| c <= ' ' || matches!(c, '<' | '>' | '"' | '{' | '}' | '|' | '^' | '`' | '\\');
        if node.as_str().contains(is_forbidden) {
            self.object("SPARQL cannot write one of its IRIs");
        }
        self.push(&format!("<{}>", node.as_str()));
    }

    pub(super) fn literal(&mut self, literal: &Literal) {
        let datatype = literal.datatype();
        if literal.language().is_some() || datatype.as_str() == xsd::STRING {
            return self.push(&literal.to_string());
        }
        if has_short_form(literal.value(), datatype.as_str()) {
            return self.push(literal.value());
        }
        self.push(&Literal::new_simple_literal(literal.value()).to_string());
        self.push("^^");
        self.iri(&datatype.into_owned());
    }
}

impl<'w> AlgebraWriter<'w> {
    /// The prefix, the namespace and the rest of an IRI, for the longest namespace that leaves a valid name.
    fn short<'i>(&self, iri: &'i str) -> Option<(&'w str, &'w str, &'i str)> {
        let is_inside = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let is_name = |local: &str| {
            local.bytes().all(is_inside) && local.bytes().next().is_some_and(|first| first != b'-')
        };
        let shortened = self.prefixes.iter().filter_map(|(prefix, namespace)| {
            Some((prefix, namespace, iri.strip_prefix(namespace).filter(|local| is_name(local))?))
        });
        shortened.min_by_key(|(.., local)| local.len())
    }
}
