//! rudof as a process: a case a line, its results a line, both JSON (see ../README.md).

use std::error::Error;
use std::io::{BufRead as _, Write as _, stdin, stdout};

use rudof_iri::IriS;
use rudof_rdf::rdf_core::term::Object;
use rudof_rdf::rdf_core::{RDFFormat, SHACLPath};
use rudof_rdf::rdf_impl::{OxigraphInMemory, ReaderMode};
use serde_json::{Value, json};
use shacl::validator::processor::{GraphValidation, ShaclProcessor as _};
use shacl::validator::report::ValidationResult;
use shacl::validator::store::{Graph, ShaclDataManager};
use shacl::validator::{ShaclConfig, ShaclValidationMode};

fn main() {
    for line in stdin().lock().lines().map_while(Result::ok) {
        let reply = answer(&line).unwrap_or_else(|error| json!({ "error": error.to_string() }));
        let mut output = stdout().lock();
        writeln!(output, "{reply}").and_then(|()| output.flush()).expect("somebody reads");
    }
}

fn answer(line: &str) -> Result<Value, Box<dyn Error>> {
    let question: Value = serde_json::from_str(line)?;
    let text = |key: &str| question[key].as_str().unwrap_or_default();
    let format = RDFFormat::NTriples;
    let mut shapes = text("shapes").as_bytes();
    let shapes = ShaclDataManager::load(&mut shapes, "shapes", &format, None)?;
    let mode = ReaderMode::default();
    let data = OxigraphInMemory::from_reader(&mut text("data").as_bytes(), "data", &format, None, &mode)?;
    let mut validation = GraphValidation::new(Graph::try_from(data)?);
    let report = validation.validate(&shapes, &ShaclValidationMode::Native, &ShaclConfig::default())?;
    Ok(json!({ "results": report.results().iter().map(row).collect::<Vec<_>>() }))
}

fn row(result: &ValidationResult) -> Value {
    json!([
        term(result.focus_node()),
        result.path().map(path),
        result.value().map(term),
        term(result.constraint_component()),
        result.source().map(term),
        format!("<{}>", IriS::from(result.severity()).as_str()),
    ])
}

fn term(term: &Object) -> String {
    match oxrdf::Term::from(term.clone()) {
        oxrdf::Term::Literal(literal) => match (literal.language(), literal.datatype()) {
            (Some(language), _) => format!("\"{}\"@{}", literal.value(), language.to_lowercase()),
            (None, oxrdf::vocab::xsd::STRING) => format!("\"{}\"", literal.value()),
            (None, datatype) => format!("\"{}\"^^{datatype}", literal.value()),
        },
        other => other.to_string(),
    }
}

fn path(path: &SHACLPath) -> String {
    let all = |paths: &[SHACLPath]| paths.iter().map(self::path).collect::<Vec<_>>().join(",");
    match path {
        SHACLPath::Predicate { pred } => format!("<{}>", pred.as_str()),
        SHACLPath::Inverse { path } => format!("inverse({})", self::path(path)),
        SHACLPath::Sequence { paths } => format!("sequence({})", all(paths)),
        SHACLPath::Alternative { paths } => format!("alternative({})", all(paths)),
        SHACLPath::ZeroOrMore { path } => format!("zeroOrMore({})", self::path(path)),
        SHACLPath::OneOrMore { path } => format!("oneOrMore({})", self::path(path)),
        SHACLPath::ZeroOrOne { path } => format!("zeroOrOne({})", self::path(path)),
    }
}
