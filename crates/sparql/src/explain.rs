//! The explanation of an evaluation: the plan as a tree with the solutions and the time of each step.

use spargebra::Query;

use super::engine;
use super::environment::EvaluationEnvironment;
use super::evaluate::{EvaluationError, ExecuteOptions};
use super::sparql_dataset::SparqlDataset;
use super::text::prefixes::QueryPrefixes;

/// Evaluates a query to its end and explains how.
pub(super) fn explain(
    query: &Query,
    dataset: SparqlDataset<'_>,
    options: ExecuteOptions,
    environment: &EvaluationEnvironment,
) -> Result<String, EvaluationError> {
    let (rows, steps) = engine::explain(query, dataset, options, environment)?;
    let steps: String = steps.lines().map(|step| format!("  {step}\n")).collect();
    let answer = match query {
        Query::Ask { .. } => (rows > 0).to_string(),
        _ => format!("{rows} solutions"),
    };
    Ok(format!("evaluated over columns\nanswer: {answer}\nplan:\n{steps}"))
}

/// A plan in which IRIs are shortened by prefixes, except those within strings.
pub(super) fn shortened(plan: &str, prefixes: &QueryPrefixes) -> String {
    let mut short = String::with_capacity(plan.len());
    let mut rest = plan;
    while let Some(at) = rest.find(['<', '"']) {
        let (before, from) = rest.split_at(at);
        short.push_str(before);
        let end = match from.strip_prefix('"') {
            Some(text) => end_of_text(text).map(|end| end + 1),
            None => from.find(['>', ' ', '\n']).filter(|end| from[*end..].starts_with('>')),
        };
        // A `<` without an end is not an IRI but, for example, the less-than sign.
        let end = end.unwrap_or(0);
        let (token, behind) = from.split_at(end + 1);
        let iri = token.strip_prefix('<').and_then(|token| token.strip_suffix('>'));
        match iri.and_then(|iri| prefixes.shorten(iri)) {
            Some(name) => short.push_str(&name),
            None => short.push_str(token),
        }
        rest = behind;
    }
    short + rest
}

/// The place of the quote that ends a string.
fn end_of_text(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.char_indices().find_map(|(at, c)| match c {
        '"' if !is_escaped => Some(at),
        '\n' => None,
        c => {
            is_escaped = c == '\\' && !is_escaped;
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iris_are_shortened_and_texts_stay() {
        let plan = "?q <http://schema.org/text> \"a <http://schema.org/b> \\\" <http://schema.org/c>\"  <urn:x> ?a < ?b\n";
        let expected = "?q s:text \"a <http://schema.org/b> \\\" <http://schema.org/c>\"  <urn:x> ?a < ?b\n";
        assert_eq!(shortened(plan, &QueryPrefixes::new()), expected);
        assert_eq!(shortened("\"no end <http://schema.org/a>", &QueryPrefixes::new()), "\"no end s:a");
    }
}
