//! An expression of SPARQL that chooses records. Variables hold the facts about a record, and patterns may ask for
//! anything else in the graph.

use hashbrown::HashSet;

use super::opened_records::{OpenedRecords, RecordFacts};
use evalgraph_diagnostics::{Diagnostic, RunFailure, SourcePlace, SourceText};
use evalgraph_rdf::minted::RECORDS_GRAPH;
use evalgraph_rdf::vocabulary::{EVALGRAPH, xsd};
use evalgraph_rdf::{QuadBuffer, QuadSink};
use evalgraph_sparql::{ExecuteOptions, Prologue, Query, QueryPrefixes, QueryResults, variables_of};
use evalgraph_store::{Dataset, DefaultGraph, DocumentBuilder, NamedDocument};

/// The variables of an expression, apart from `?question`. Each is a property of the record in the graph of records.
pub const VARIABLES: [&str; 8] = ["id", "text", "answer", "keyword", "state", "type", "created", "modified"];

/// An expression that chooses records.
#[derive(Debug)]
pub struct WhereExpression {
    query: Query,
}

impl WhereExpression {
    /// Parses an expression. `name` is its source, as messages show it.
    ///
    /// # Errors
    ///
    /// If it is not an expression of SPARQL, or uses a variable that no record has.
    pub fn parse(text: &str, name: &str, prefixes: QueryPrefixes) -> Result<Self, Box<Diagnostic>> {
        let head = head();
        let prologue = Prologue { prefixes, ..Prologue::default() };
        let query = Query::parse_in(&format!("{head}{text}\n) }}"), name, &prologue);
        let query = query.map_err(|fault| {
            Box::new(moved(*fault, head.len(), &SourceText::new(name, text.as_bytes()), text.len()))
        })?;
        let known = |name: &str| VARIABLES.contains(&name) || name == "question";
        // A pattern may have variables of its own.
        let has_pattern = text.contains('{');
        if let Some(unknown) = variables_of(text).iter().find(|name| !has_pattern && !known(name)) {
            let message = format!("a record has no variable `?{unknown}`");
            let names = VARIABLES.map(|name| format!("?{name}")).join(", ");
            let fault = Diagnostic::error("selection::variable", message);
            return Err(Box::new(fault.with_help(format!("the variables are ?question, {names}"))));
        }
        Ok(Self { query })
    }

    /// Returns the records for which the expression is true.
    ///
    /// # Errors
    ///
    /// If the evaluation fails.
    pub(super) fn records(&self, opened: &mut OpenedRecords) -> Result<HashSet<usize>, RunFailure> {
        add_facts(&opened.facts, &mut opened.quads);
        let mut builder = DocumentBuilder::new();
        opened.quads.copy_into(&mut builder);
        let document = NamedDocument { graph: RECORDS_GRAPH.to_owned(), builder };
        let dataset = Dataset::from_documents(vec![document]);
        let results = self.query.execute(dataset.view(DefaultGraph::Union), ExecuteOptions::default())?;
        let QueryResults::Solutions(solutions) = results else { return Ok(HashSet::new()) };
        let mut records = HashSet::new();
        for solution in solutions {
            let solution = solution?;
            let number: Option<usize> = match solution.get("number") {
                Some(oxrdf::Term::Literal(number)) => number.value().parse().ok(),
                _ => None,
            };
            records.extend(number);
        }
        Ok(records)
    }
}

/// The beginning of the query, up to the expression.
fn head() -> String {
    let optional = |name: &str| format!("OPTIONAL {{ ?record <{EVALGRAPH}{name}> ?{name} }} ");
    let optional: String = VARIABLES.iter().map(|name| optional(name)).collect();
    format!(
        "SELECT DISTINCT ?number {{ GRAPH <{RECORDS_GRAPH}> {{ ?record <{EVALGRAPH}number> ?number \
         OPTIONAL {{ ?record <{EVALGRAPH}question> ?question }} {optional}}} FILTER("
    )
}

/// Adds the facts about all records, in a graph of their own.
fn add_facts(facts: &[RecordFacts], quads: &mut QuadBuffer) {
    let graph = Some(quads.iri(RECORDS_GRAPH));
    let integer = quads.iri(xsd::INTEGER);
    let date_time = quads.iri(xsd::DATE_TIME);
    let property = |name: &str, quads: &mut QuadBuffer| quads.iri(&format!("{EVALGRAPH}{name}"));
    let properties = VARIABLES.map(|name| property(name, quads));
    let [id, text, answer, keyword, state, kind, created, modified] = properties;
    let [number, question] = ["number", "question"].map(|name| property(name, quads));
    for (at, facts) in facts.iter().enumerate() {
        let record = quads.blank_node();
        let value = quads.typed_literal(&at.to_string(), integer);
        quads.quad(record, number, value, graph);
        if let Some(node) = facts.node {
            quads.quad(record, question, node, graph);
        }
        for (property, value) in
            [(id, &facts.id), (text, &facts.text), (answer, &facts.answer), (state, &facts.state)]
        {
            if let Some(value) = value {
                let value = quads.string(value);
                quads.quad(record, property, value, graph);
            }
        }
        for (property, values) in [(keyword, &facts.keywords), (kind, &facts.types)] {
            for value in values {
                let value = quads.string(value);
                quads.quad(record, property, value, graph);
            }
        }
        for (property, value) in [(created, &facts.created), (modified, &facts.modified)] {
            if let Some(value) = value {
                let value = quads.typed_literal(value, date_time);
                quads.quad(record, property, value, graph);
            }
        }
    }
}

/// Moves the place of a finding from the query to the expression in it, which begins at a byte and has a length.
fn moved(mut finding: Diagnostic, start: usize, expression: &SourceText<'_>, length: usize) -> Diagnostic {
    let within = |byte: u64| (byte as usize).saturating_sub(start).min(length);
    let shift = |place: &SourcePlace| expression.place(within(place.bytes.start)..within(place.bytes.end));
    finding.place = finding.place.as_deref().map(shift).map(Box::new);
    finding
}
