//! Violations in the form in which engines are compared, and those that evalgraph finds.

use super::case::Case;
use evalgraph::rdf::{self, RdfFormat, ReadOptions};
use evalgraph::shacl::{
    PropertyPath, ResultPath, Shapes, ShapesOptions, ValidationOptions, ValidationResult,
};
use evalgraph::store::{Dataset, DatasetView, DefaultGraph, DocumentBuilder, NamedDocument};
use oxrdf::Term;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt;

/// A result of a validation; terms as in N-Triples without escapes, blank nodes by the labels of the question.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Violation {
    pub(crate) shape: Option<String>,
    pub(crate) component: Option<String>,
    pub(crate) focus: Option<String>,
    pub(crate) path: Option<String>,
    pub(crate) value: Option<String>,
    pub(crate) severity: Option<String>,
}

pub(crate) type Violations = BTreeSet<Violation>;

/// A case as the peers are asked it, with the answer of evalgraph.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) question: Value,
    pub(crate) violations: Violations,
}

/// Answers a case, or tells why it is none.
pub(crate) fn answered(case: &Case) -> Result<Answered, String> {
    let (data, shapes) = (dataset(&case.data)?, dataset(&case.shapes)?);
    let options = ShapesOptions { plain: true, ..ShapesOptions::default() };
    let compiled = Shapes::compile(&shapes, &options).map_err(|faults| {
        faults.iter().map(|fault| fault.diagnostic.to_string()).collect::<Vec<_>>().join("; ")
    })?;
    let report =
        compiled.validate(&data, &ValidationOptions::default()).map_err(|error| error.to_string())?;
    let violations = report.results().map(|result| of_result(&result)).collect();
    Ok(Answered { question: json!({ "data": n_triples(&data), "shapes": n_triples(&shapes) }), violations })
}

fn dataset(lines: &[String]) -> Result<Dataset, String> {
    let mut builder = DocumentBuilder::new();
    let options = ReadOptions { format: RdfFormat::NTriples, base: None };
    rdf::read("case.nt", lines.join("\n").as_bytes(), options, &mut builder)
        .map_err(|faults| format!("{faults:?}"))?;
    Ok(Dataset::from_documents(vec![NamedDocument { graph: "urn:case".to_owned(), builder }]))
}

fn n_triples(dataset: &Dataset) -> String {
    n_triples_of(&dataset.view(DefaultGraph::Union))
}

/// The triples with the labels that the dataset gives to blank nodes, as results have them.
pub(crate) fn n_triples_of(view: &DatasetView<'_>) -> String {
    let line = |triple: [_; 3]| {
        let [subject, predicate, object] = triple.map(|id| view.term(id));
        format!("{subject} {predicate} {object} .\n")
    };
    view.default_triples(None, None, None).map(line).collect()
}

fn of_result(result: &ValidationResult<'_, '_, '_>) -> Violation {
    let path = match result.path() {
        None => None,
        Some(ResultPath::OfShape(path)) => Some(path_text(path)),
        Some(ResultPath::Predicate(predicate)) => Some(predicate.to_string()),
    };
    Violation {
        shape: Some(text(result.source_shape())),
        component: Some(text(&result.source_constraint_component())),
        focus: Some(text(&result.focus_node())),
        path,
        value: result.value().map(|term| text(&term)),
        severity: Some(format!("<{}>", result.severity().iri())),
    }
}

pub(crate) fn text(term: &Term) -> String {
    match term {
        Term::Literal(literal) => match (literal.language(), literal.datatype()) {
            (Some(language), _) => format!("\"{}\"@{language}", literal.value()),
            (None, oxrdf::vocab::xsd::STRING) => format!("\"{}\"", literal.value()),
            (None, datatype) => format!("\"{}\"^^{datatype}", literal.value()),
        },
        other => other.to_string(),
    }
}

fn path_text(path: &PropertyPath) -> String {
    let all = |paths: &[PropertyPath]| paths.iter().map(path_text).collect::<Vec<_>>().join(",");
    match path {
        PropertyPath::Predicate(predicate, _) => predicate.to_string(),
        PropertyPath::Inverse(inner) => format!("inverse({})", path_text(inner)),
        PropertyPath::Sequence(paths) => format!("sequence({})", all(paths)),
        PropertyPath::Alternative(paths) => format!("alternative({})", all(paths)),
        PropertyPath::ZeroOrMore(inner) => format!("zeroOrMore({})", path_text(inner)),
        PropertyPath::OneOrMore(inner) => format!("oneOrMore({})", path_text(inner)),
        PropertyPath::ZeroOrOne(inner) => format!("zeroOrOne({})", path_text(inner)),
    }
}

/// The violations that a peer has written.
pub(crate) fn of_json(reply: &Value) -> Result<Violations, String> {
    if let Some(error) = reply.get("error") {
        return Err(error.as_str().unwrap_or_default().to_owned());
    }
    let rows = reply["results"].as_array().ok_or_else(|| format!("no results in {reply}"))?;
    let violation = |row: &Value| {
        let cell = |place: usize| row[place].as_str().map(str::to_owned);
        Violation {
            focus: cell(0),
            path: cell(1),
            value: cell(2),
            component: cell(3),
            shape: cell(4),
            severity: cell(5),
        }
    };
    Ok(rows.iter().map(violation).collect())
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cell = |cell: &Option<String>| match cell {
            None => "-".to_owned(),
            Some(text) => text.replace("http://www.w3.org/ns/shacl#", "sh:"),
        };
        write!(f, "{} fails {} of {}", cell(&self.focus), cell(&self.component), cell(&self.shape))?;
        write!(f, ", path {}, value {}, {}", cell(&self.path), cell(&self.value), cell(&self.severity))
    }
}
