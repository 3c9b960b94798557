//! The report as RDF (SHACL, section 3.6): each result is a node of its own, and its path is copied whole.

use std::collections::HashMap;

use oxrdf::{BlankNode, Literal, NamedNode, Term};

use super::path::Path;
use super::report::{ResultPath, ValidationReport, ValidationResult};
use super::vocabulary::SH;
use crate::rdf::sink::QuadSink;
use crate::rdf::vocabulary::{rdf, xsd};

impl ValidationReport<'_, '_> {
    /// Hands the report to a sink as triples of its default graph. Blank nodes of the data and of the shapes keep apart.
    pub fn to_quads<S: QuadSink>(&self, sink: &mut S) {
        let mut writer = Writer { report: self, sink, blank_nodes: HashMap::new() };
        let report = writer.sink.blank_node();
        writer.iri(report, rdf::TYPE, &sh("ValidationReport"));
        let datatype = writer.sink.iri(xsd::BOOLEAN);
        let conforms = if self.conforms() { "true" } else { "false" };
        let conforms = writer.sink.typed_literal(conforms, datatype);
        writer.quad(report, &sh("conforms"), conforms);
        for severity in &self.conformance_disallows {
            writer.iri(report, &sh("conformanceDisallows"), &severity.iri());
        }
        for result in self.results() {
            let node = writer.result(&result);
            writer.quad(report, &sh("result"), node);
        }
    }
}

fn sh(name: &str) -> String {
    format!("{SH}{name}")
}

struct Writer<'w, S: QuadSink> {
    report: &'w ValidationReport<'w, 'w>,
    sink: &'w mut S,
    /// The blank nodes by their names, those of the data apart from those of the shapes.
    blank_nodes: HashMap<(bool, BlankNode), S::Term>,
}

impl<S: QuadSink> Writer<'_, S> {
    fn quad(&mut self, subject: S::Term, predicate: &str, object: S::Term) {
        let predicate = self.sink.iri(predicate);
        self.sink.quad(subject, predicate, object, None);
    }

    fn iri(&mut self, subject: S::Term, predicate: &str, object: &str) {
        let object = self.sink.iri(object);
        self.quad(subject, predicate, object);
    }

    fn term(&mut self, term: &Term, is_of_data: bool) -> S::Term {
        match term {
            Term::NamedNode(node) => self.sink.iri(node.as_str()),
            Term::Literal(literal) => self.literal(literal),
            Term::BlankNode(node) => {
                let sink = &mut *self.sink;
                *self.blank_nodes.entry((is_of_data, node.clone())).or_insert_with(|| sink.blank_node())
            }
        }
    }

    fn literal(&mut self, literal: &Literal) -> S::Term {
        if let Some(language) = literal.language() {
            return self.sink.language_string(literal.value(), language);
        }
        if literal.datatype().as_str() == xsd::STRING {
            return self.sink.string(literal.value());
        }
        let datatype = self.sink.iri(literal.datatype().as_str());
        self.sink.typed_literal(literal.value(), datatype)
    }

    /// Writes a result with its details, which are nested no deeper than shapes are evaluated.
    fn result(&mut self, result: &ValidationResult<'_, '_, '_>) -> S::Term {
        let node = self.sink.blank_node();
        self.iri(node, rdf::TYPE, &sh("ValidationResult"));
        let focus = result.focus_node();
        let focus = self.term(&focus, self.report.is_of_data(&focus));
        self.quad(node, &sh("focusNode"), focus);
        if let Some(path) = result.path() {
            let path = match path {
                ResultPath::Predicate(predicate) => self.sink.iri(predicate.as_str()),
                ResultPath::OfShape(path) => self.path(path),
            };
            self.quad(node, &sh("resultPath"), path);
        }
        if let Some(value) = result.value() {
            let value = self.term(&value, self.report.is_of_data(&value));
            self.quad(node, &sh("value"), value);
        }
        self.iri(node, &sh("resultSeverity"), &result.severity().iri());
        let component = self.term(&result.source_constraint_component(), false);
        self.quad(node, &sh("sourceConstraintComponent"), component);
        let shape = self.term(result.source_shape(), false);
        self.quad(node, &sh("sourceShape"), shape);
        if let Some(constraint) = result.source_constraint() {
            let constraint = self.term(constraint, false);
            self.quad(node, &sh("sourceConstraint"), constraint);
        }
        for message in result.messages() {
            let message = self.literal(&message);
            self.quad(node, &sh("resultMessage"), message);
        }
        for detail in result.details() {
            let detail = self.result(&detail);
            self.quad(node, &sh("detail"), detail);
        }
        node
    }

    /// Writes a path with blank nodes of its own.
    fn path(&mut self, path: &Path) -> S::Term {
        match path {
            Path::Predicate(predicate, _) => self.predicate(predicate),
            Path::Sequence(paths) => self.list(paths),
            Path::Alternative(paths) => {
                let list = self.list(paths);
                self.with("alternativePath", list)
            }
            Path::Inverse(inner) => self.nested("inversePath", inner),
            Path::ZeroOrMore(inner) => self.nested("zeroOrMorePath", inner),
            Path::OneOrMore(inner) => self.nested("oneOrMorePath", inner),
            Path::ZeroOrOne(inner) => self.nested("zeroOrOnePath", inner),
        }
    }

    fn predicate(&mut self, predicate: &NamedNode) -> S::Term {
        self.sink.iri(predicate.as_str())
    }

    fn nested(&mut self, name: &str, inner: &Path) -> S::Term {
        let inner = self.path(inner);
        self.with(name, inner)
    }

    fn with(&mut self, name: &str, object: S::Term) -> S::Term {
        let node = self.sink.blank_node();
        self.quad(node, &sh(name), object);
        node
    }

    fn list(&mut self, paths: &[Path]) -> S::Term {
        let mut rest = self.sink.iri(rdf::NIL);
        for path in paths.iter().rev() {
            let node = self.sink.blank_node();
            let item = self.path(path);
            self.quad(node, rdf::FIRST, item);
            self.quad(node, rdf::REST, rest);
            rest = node;
        }
        rest
    }
}
