//! The explanation of an evaluation: the plan as a tree with the solutions and the time of each step.

use std::fmt::Write;

use serde_json::Value;
use spargebra::Query;

use super::algebra::pattern_of_mut;
use super::engine;
use super::environment::Environment;
use super::evaluate::{Evaluation, EvaluationError, ExecuteOptions, QueryResults};
use super::order::take_order;
use super::point::Queryable;
use super::prefixes::Prefixes;

/// Evaluates a query over columns and explains how, if the engine takes it.
pub(super) fn explain_columns<'a, D: Queryable<'a>>(
    query: &Query,
    dataset: &D,
    options: ExecuteOptions,
    environment: &Environment,
) -> Result<Option<String>, EvaluationError> {
    let explained = engine::explain(query, dataset, options, environment)?;
    Ok(explained.map(|(rows, steps)| {
        let steps: String = steps.lines().map(|step| format!("  {step}\n")).collect();
        let answer = match query {
            Query::Ask { .. } => (rows > 0).to_string(),
            _ => format!("{rows} solutions"),
        };
        format!("evaluated over columns\nanswer: {answer}\nplan:\n{steps}")
    }))
}

/// Evaluates a query to its end and explains how.
pub(super) fn explain<'a, D: Queryable<'a>>(
    query: &Query,
    dataset: D,
    options: ExecuteOptions,
    environment: &Environment,
) -> Result<String, EvaluationError> {
    let mut text = String::new();
    if let Some(plan) = take_order(pattern_of_mut(&mut query.clone())) {
        let keys: Vec<String> = plan
            .keys
            .iter()
            .map(|(key, descends)| format!("{} {key}", if *descends { "descending" } else { "ascending" }))
            .collect();
        let kept = plan.length.and_then(|length| length.checked_add(plan.start));
        let kept = kept.map_or_else(|| "all kept".to_owned(), |kept| format!("the first {kept} kept"));
        line(&mut text, 0, &format!("ordered: {}, {kept}", keys.join(", ")));
    }
    let evaluation = Evaluation::new(options, environment, true).with_written(dataset.written());
    let (results, explanation) = evaluation.run(query, dataset)?;
    line(&mut text, 0, &format!("answer: {}", drain(results)?));
    let mut json = Vec::new();
    let is_written = explanation.is_some_and(|explanation| explanation.write_in_json(&mut json).is_ok());
    if is_written && let Ok(plan) = serde_json::from_slice::<Value>(&json) {
        line(&mut text, 0, "plan:");
        node(&mut text, 1, &plan["plan"]);
    }
    Ok(text)
}

fn line(text: &mut String, depth: usize, what: &str) {
    writeln!(text, "{:indent$}{what}", "", indent = depth * 2).expect("a string takes all text");
}

fn drain(results: QueryResults<'_>) -> Result<String, EvaluationError> {
    Ok(match results {
        QueryResults::Boolean(answer) => answer.to_string(),
        QueryResults::Solutions(solutions) => format!("{} solutions", count(solutions)?),
        QueryResults::Graph(triples) => format!("{} triples", count(triples)?),
    })
}

fn count<T>(mut results: impl Iterator<Item = Result<T, EvaluationError>>) -> Result<usize, EvaluationError> {
    results.try_fold(0, |count, result| result.map(|_| count + 1))
}

fn node(text: &mut String, depth: usize, plan: &Value) {
    let label = plan["name"].as_str().unwrap_or_default();
    let count = plan["number of results"].as_u64().unwrap_or_default();
    let seconds = plan["duration in seconds"].as_f64().unwrap_or_default();
    line(text, depth, &format!("{label}  [{count} solutions, {:.3} ms]", seconds * 1000.0));
    for child in plan["children"].as_array().into_iter().flatten() {
        node(text, depth + 1, child);
    }
}
/// A plan in which IRIs are shortened by prefixes; those within texts stay.
pub(super) fn shortened(plan: &str, prefixes: &Prefixes) -> String {
    let mut short = String::with_capacity(plan.len());
    let mut rest = plan;
    while let Some(at) = rest.find(['<', '"']) {
        let (before, from) = rest.split_at(at);
        short.push_str(before);
        let end = match from.strip_prefix('"') {
            Some(text) => end_of_text(text).map(|end| end + 1),
            None => from.find(['>', ' ', '\n']).filter(|end| from[*end..].starts_with('>')),
        };
        // What has no end is no IRI, such as the sign for less.
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

/// The place of the quote that ends a text.
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
        assert_eq!(shortened(plan, &Prefixes::new()), expected);
        assert_eq!(shortened("\"no end <http://schema.org/a>", &Prefixes::new()), "\"no end s:a");
    }
}
