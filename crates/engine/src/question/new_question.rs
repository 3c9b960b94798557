//! The graph that a question is added to, and the id of the question.

use oxrdf::vocab::xsd;
use oxrdf::{Literal, Term};
use serde_json::{Value, json};

use super::scope::QuestionScope;
use evalgraph_diagnostics::{Diagnostic, RunFailure};
use evalgraph_formats::new_question::QuestionGraph;
use evalgraph_formats::system_name::SystemName;
use evalgraph_rdf::minted::node_base_of_graph;

/// The graph that a question is added to, within the data.
pub(crate) struct GraphInScope<'s> {
    pub(crate) scope: QuestionScope<'s>,
    pub(crate) graph: &'s str,
}

impl QuestionGraph for GraphInScope<'_> {
    fn node_base(&self, system: SystemName) -> String {
        node_base_of_graph(system.name(), self.graph)
    }

    fn texts(&self, pattern: &str, variables: &[&str]) -> Result<Vec<Vec<Option<String>>>, RunFailure> {
        let text = |term: Term| match term {
            Term::Literal(literal) => literal.value().to_owned(),
            other => other.to_string(),
        };
        let rows = self.scope.rows(self.graph, pattern, variables)?.into_iter();
        Ok(rows.map(|row| row.into_iter().map(|term| term.map(text)).collect()).collect())
    }

    fn next_id(&self, pattern: &str, variables: &[&str]) -> Result<Option<Value>, RunFailure> {
        let rows = self.scope.rows(self.graph, pattern, variables)?;
        let ids: Vec<Term> = rows.into_iter().filter_map(|row| row.into_iter().next().flatten()).collect();
        if ids.is_empty() { Ok(None) } else { next_id(self.scope, ids.into_iter()).map(Some) }
    }

    fn knows(&self, iri: &str) -> Result<bool, RunFailure> {
        self.scope.knows(self.graph, iri)
    }

    fn fault(&self, code: &str, message: String) -> Diagnostic {
        self.scope.fault(code, message)
    }
}

/// Returns the id that follows the last one: the next number, or the text of the last id with the next number at its
/// end.
///
/// # Errors
///
/// `next-id`, with the command's prefix, if no id ends with a number.
pub fn next_id(scope: QuestionScope<'_>, ids: impl Iterator<Item = Term>) -> Result<Value, RunFailure> {
    let mut last: Option<(u64, Literal, usize)> = None;
    for id in ids {
        let Term::Literal(id) = id else { continue };
        let digits = id.value().bytes().rev().take_while(u8::is_ascii_digit).count();
        let number = id.value()[id.value().len() - digits..].parse().ok().filter(|number| *number < u64::MAX);
        if let Some(number) = number
            && last.as_ref().is_none_or(|(known, ..)| *known < number)
        {
            last = Some((number, id, digits));
        }
    }
    let Some((number, id, digits)) = last else {
        let message = "the ids of the other questions do not end with a number, so the next id is unknown";
        let help = "write the question into its file, with an id";
        return Err(scope.fault("next-id", message).with_help(help).into());
    };
    let next = number + 1;
    if id.datatype() == xsd::INTEGER {
        return Ok(json!(next));
    }
    let text = id.value();
    Ok(json!(format!("{}{next:0digits$}", &text[..text.len() - digits])))
}
