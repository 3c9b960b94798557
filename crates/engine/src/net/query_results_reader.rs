//! Reads query results: the SPARQL 1.1 formats in JSON, XML and TSV.

use oxrdf::{Term, Variable};
use sparesults::{QueryResultsFormat, QueryResultsParser, SliceQueryResultsParserOutput};

use evalgraph_diagnostics::Diagnostic;
use evalgraph_rdf::RDF_1_2;

/// The supported formats of results, the preferred one first.
pub(super) const ACCEPT: &str = "application/sparql-results+json, application/sparql-results+xml;q=0.9, \
     application/json;q=0.5, text/tab-separated-values;q=0.3";

/// The format of results with a media type. `None` for CSV, which does not distinguish IRIs from strings, and for
/// anything that is not a result format.
pub(super) fn format_of(media_type: &str) -> Option<QueryResultsFormat> {
    match media_type {
        "application/sparql-results+json" | "application/json" => Some(QueryResultsFormat::Json),
        "application/sparql-results+xml" | "application/xml" | "text/xml" => Some(QueryResultsFormat::Xml),
        "text/tab-separated-values" => Some(QueryResultsFormat::Tsv),
        _ => None,
    }
}

/// The columns and rows of a table.
pub(crate) type QueryResultsTable = (Vec<Variable>, Vec<Vec<Option<Term>>>);

/// Reads a whole table.
///
/// # Errors
///
/// The reason why the body is not a table. It may quote the body.
pub fn table(body: &[u8], format: QueryResultsFormat) -> Result<QueryResultsTable, String> {
    let output =
        QueryResultsParser::from_format(format).for_slice(body).map_err(|error| error.to_string())?;
    let SliceQueryResultsParserOutput::Solutions(solutions) = output else {
        return Err("the answer is a boolean, not solutions".to_owned());
    };
    let variables = solutions.variables().to_vec();
    let rows = solutions.map(|row| row.map(|row| row.values().to_vec()).map_err(|error| error.to_string()));
    Ok((variables, rows.collect::<Result<_, _>>()?))
}

/// The fault for a malformed response from `place`.
pub(super) fn malformed(place: &str, code: &'static str, reason: &str) -> Box<Diagnostic> {
    // The JSON and XML parsers mention these features of RDF 1.2 in their errors.
    if ["'triple'", "its:dir", "RDF 1.2"].iter().any(|mark| reason.contains(mark)) {
        let message = format!("{place} answers with RDF 1.2, which is not supported: {reason}");
        return Box::new(Diagnostic::error(RDF_1_2, message));
    }
    Box::new(Diagnostic::error(code, format!("{place} does not answer as it should: {reason}")))
}
