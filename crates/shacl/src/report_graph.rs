//! The report as RDF (SHACL, section 3.6): each result is a separate node, and its path is copied completely.
//!
//! `ValidationReport` is defined in `validation_report.rs`.

use std::collections::HashMap;
use std::fmt;

use oxrdf::{BlankNode, Literal, NamedNode, Term};

use super::property_path::PropertyPath;
use super::shacl_vocabulary::SH;
use super::shape::Severity;
use super::validation_report::{ResultPath, ValidationReport, ValidationResult};
use evalgraph_rdf::sink::QuadSink;
use evalgraph_rdf::vocabulary::{rdf, xsd};

impl ValidationReport<'_, '_> {
    /// Passes the report to a sink as triples of its default graph. Blank nodes of the data and of the shapes stay
    /// separate.
    pub fn to_quads<S: QuadSink>(&self, sink: &mut S) {
        let mut graph = ReportGraph::new(sink);
        graph.add(self);
        graph.finish();
    }
}

/// The graph of one report about several validations with the same shapes, such as one for each file.
pub struct ReportGraph<'w, S: QuadSink> {
    writer: ReportGraphWriter<'w, S>,
    report: S::Term,
    conforms: bool,
    conformance_disallows: Vec<Severity>,
}

impl<S: QuadSink> fmt::Debug for ReportGraph<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReportGraph").field("conforms", &self.conforms).finish_non_exhaustive()
    }
}

impl<'w, S: QuadSink> ReportGraph<'w, S> {
    /// Begins a report in the default graph of a sink.
    pub fn new(sink: &'w mut S) -> Self {
        let mut writer = ReportGraphWriter { sink, blank_nodes: HashMap::new() };
        let report = writer.sink.blank_node();
        writer.iri(report, rdf::TYPE, &sh("ValidationReport"));
        Self { writer, report, conforms: true, conformance_disallows: Vec::new() }
    }

    /// Adds the results of a validation. Its data share no blank nodes with previous data; the shapes are the same.
    pub fn add(&mut self, report: &ValidationReport<'_, '_>) {
        // The next data may use the same names for other blank nodes.
        self.writer.blank_nodes.retain(|(is_of_data, _), _| !is_of_data);
        self.conforms &= report.conforms();
        self.conformance_disallows.clone_from(&report.conformance_disallows);
        for result in report.results() {
            let node = self.writer.result(report, &result);
            self.writer.quad(self.report, &sh("result"), node);
        }
    }

    /// Ends the report with its verdict.
    pub fn finish(self) {
        let Self { mut writer, report, conforms, conformance_disallows } = self;
        let datatype = writer.sink.iri(xsd::BOOLEAN);
        let conforms = if conforms { "true" } else { "false" };
        let conforms = writer.sink.typed_literal(conforms, datatype);
        writer.quad(report, &sh("conforms"), conforms);
        for severity in conformance_disallows {
            writer.iri(report, &sh("conformanceDisallows"), &severity.iri());
        }
    }
}

fn sh(name: &str) -> String {
    format!("{SH}{name}")
}

struct ReportGraphWriter<'w, S: QuadSink> {
    sink: &'w mut S,
    /// The blank nodes by their names; those of the data are separate from those of the shapes.
    blank_nodes: HashMap<(bool, BlankNode), S::Term>,
}

impl<S: QuadSink> ReportGraphWriter<'_, S> {
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

    /// Writes a result with its details. They are nested no deeper than the evaluation of shapes.
    fn result(
        &mut self,
        report: &ValidationReport<'_, '_>,
        result: &ValidationResult<'_, '_, '_>,
    ) -> S::Term {
        let node = self.sink.blank_node();
        self.iri(node, rdf::TYPE, &sh("ValidationResult"));
        let focus = result.focus_node();
        let focus = self.term(&focus, report.is_of_data(&focus));
        self.quad(node, &sh("focusNode"), focus);
        if let Some(path) = result.path() {
            let path = match path {
                ResultPath::Predicate(predicate) => self.sink.iri(predicate.as_str()),
                ResultPath::OfShape(path) => self.path(path),
            };
            self.quad(node, &sh("resultPath"), path);
        }
        if let Some(value) = result.value() {
            let value = self.term(&value, report.is_of_data(&value));
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
            let detail = self.result(report, &detail);
            self.quad(node, &sh("detail"), detail);
        }
        node
    }

    /// Writes a path with new blank nodes.
    fn path(&mut self, path: &PropertyPath) -> S::Term {
        match path {
            PropertyPath::Predicate(predicate, _) => self.predicate(predicate),
            PropertyPath::Sequence(paths) => self.list(paths),
            PropertyPath::Alternative(paths) => {
                let list = self.list(paths);
                self.with("alternativePath", list)
            }
            PropertyPath::Inverse(inner) => self.nested("inversePath", inner),
            PropertyPath::ZeroOrMore(inner) => self.nested("zeroOrMorePath", inner),
            PropertyPath::OneOrMore(inner) => self.nested("oneOrMorePath", inner),
            PropertyPath::ZeroOrOne(inner) => self.nested("zeroOrOnePath", inner),
        }
    }

    fn predicate(&mut self, predicate: &NamedNode) -> S::Term {
        self.sink.iri(predicate.as_str())
    }

    fn nested(&mut self, name: &str, inner: &PropertyPath) -> S::Term {
        let inner = self.path(inner);
        self.with(name, inner)
    }

    fn with(&mut self, name: &str, object: S::Term) -> S::Term {
        let node = self.sink.blank_node();
        self.quad(node, &sh(name), object);
        node
    }

    fn list(&mut self, paths: &[PropertyPath]) -> S::Term {
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
