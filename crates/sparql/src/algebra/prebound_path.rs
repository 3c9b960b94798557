//! Replaces `$PATH` with a property path (SHACL, sections 5 and 6). The variable may only be used as the predicate of a
//! triple pattern.

use oxrdf::Variable;
use spargebra::algebra::{Expression, GraphPattern, PropertyPathExpression};
use spargebra::term::{NamedNodePattern, TermPattern};
use spargebra::{Query, SparqlParser};

use crate::algebra::{any, exists_mut, expressions, operands, parts_mut};
use crate::algebra::{pattern_of, pattern_of_mut};
use crate::text::query_text_fault::QueryTextFault;
use crate::text::size::check_size;
use crate::text::tokens::{SparqlToken, SparqlTokenKind, tokenize};
use evalgraph_diagnostics::Diagnostic;

const PATH: &str = "PATH";
const CODE: &str = "shacl::path";

/// Reads the text of a property path.
///
/// # Errors
///
/// If the text is not a property path.
pub(crate) fn parse_path(
    text: &str,
    parser: SparqlParser,
) -> Result<PropertyPathExpression, Box<Diagnostic>> {
    let refused = || {
        let message = format!("`{text}` is not a property path, so it cannot replace `$PATH`");
        Box::new(Diagnostic::error(CODE, message))
    };
    check_size(text, &tokenize(text)).map_err(|_| refused())?;
    // The parser splits a sequence into triple patterns, unless it is inside another path.
    let query = parser.parse_query(&format!("ASK {{ ?s ({text}\n)? ?o }}")).map_err(|_| refused())?;
    let Query::Ask { mut pattern, .. } = query else { return Err(refused()) };
    if let GraphPattern::Project { inner, .. } = pattern {
        pattern = *inner;
    }
    match pattern {
        GraphPattern::Path { path: PropertyPathExpression::ZeroOrOne(path), .. } => Ok(*path),
        _ => Err(refused()),
    }
}

/// Replaces `$PATH` with a path.
///
/// # Errors
///
/// A fault at `$PATH` if there is no path, or if the variable is used anywhere but as a predicate.
pub(crate) fn put_path(
    text: &str,
    tokens: &[SparqlToken],
    query: &mut Query,
    path: Option<&PropertyPathExpression>,
) -> Result<(), QueryTextFault> {
    let uses: Vec<usize> = (0..tokens.len()).filter(|&at| is_path(text, &tokens[at])).collect();
    let Some(&first) = uses.first() else { return Ok(()) };
    let Some(path) = path else {
        let message = "`$PATH` has no value, since the query is not one for a property shape";
        return Err(QueryTextFault::new(CODE, tokens[first].span.clone(), message));
    };
    let elsewhere = |at: usize| {
        let message = "`$PATH` can only be the predicate of a triple pattern";
        QueryTextFault::new(CODE, tokens[at].span.clone(), message)
    };
    if let Some(&shown) = uses.iter().find(|&&at| is_in_select(text, &tokens[..at])) {
        return Err(elsewhere(shown));
    }
    let pattern = pattern_of_mut(query);
    in_pattern(pattern, path);
    if any(pattern_of(query), &has_path_elsewhere) {
        let is_elsewhere =
            |&at: &usize| at.checked_sub(1).is_some_and(|before| is_before_operand(text, &tokens[before]));
        return Err(elsewhere(uses.iter().copied().find(is_elsewhere).unwrap_or(first)));
    }
    Ok(())
}

fn is_path(text: &str, token: &SparqlToken) -> bool {
    token.kind == SparqlTokenKind::Variable && text[token.span.start + 1..token.span.end] == *PATH
}

/// Returns whether a SELECT clause is open at the end of some tokens.
fn is_in_select(text: &str, before: &[SparqlToken]) -> bool {
    let word = |token: &SparqlToken| text[token.span.clone()].to_ascii_lowercase();
    let last =
        before.iter().rev().map(word).find(|word| ["select", "where", "{", "}"].contains(&word.as_str()));
    last.as_deref() == Some("select")
}

/// Returns whether a token is followed by the operand of an expression, the name of a graph or a key.
fn is_before_operand(text: &str, token: &SparqlToken) -> bool {
    let word = &text[token.span.clone()];
    match token.kind {
        SparqlTokenKind::Word => {
            word != "a" && !["true", "false"].iter().any(|value| word.eq_ignore_ascii_case(value))
        }
        SparqlTokenKind::Symbol => !matches!(word, ")" | "]" | ";"),
        _ => false,
    }
}

fn in_pattern(pattern: &mut GraphPattern, path: &PropertyPathExpression) {
    exists_mut(pattern).into_iter().for_each(|inside| in_pattern(inside, path));
    parts_mut(pattern).into_iter().for_each(|part| in_pattern(part, path));
    if let GraphPattern::Project { variables, .. } = pattern {
        // The parser has added the variable to the columns of `SELECT *`.
        variables.retain(|variable| variable.as_str() != PATH);
    }
    let GraphPattern::Bgp { patterns } = pattern else { return };
    let mut paths = Vec::new();
    let mut triples = Vec::with_capacity(patterns.len());
    for mut triple in std::mem::take(patterns) {
        match path {
            _ if !is_path_name(&triple.predicate) => triples.push(triple),
            PropertyPathExpression::NamedNode(node) => {
                triple.predicate = node.clone().into();
                triples.push(triple);
            }
            path => paths.push(GraphPattern::Path {
                subject: triple.subject,
                path: path.clone(),
                object: triple.object,
            }),
        }
    }
    let triples = (!triples.is_empty()).then_some(GraphPattern::Bgp { patterns: triples });
    let joined = triples
        .into_iter()
        .chain(paths)
        .reduce(|left, right| GraphPattern::Join { left: Box::new(left), right: Box::new(right) });
    *pattern = joined.unwrap_or_default();
}

fn is_path_name(name: &NamedNodePattern) -> bool {
    matches!(name, NamedNodePattern::Variable(variable) if variable.as_str() == PATH)
}

/// Returns whether a pattern, without its parts, mentions `$PATH`.
fn has_path_elsewhere(pattern: &GraphPattern) -> bool {
    let is_path = |variable: &Variable| variable.as_str() == PATH;
    let is_end =
        |term: &TermPattern| matches!(term, TermPattern::Variable(variable) if variable.as_str() == PATH);
    let is_here = match pattern {
        GraphPattern::Bgp { patterns } => {
            patterns.iter().any(|triple| is_end(&triple.subject) || is_end(&triple.object))
        }
        GraphPattern::Path { subject, object, .. } => is_end(subject) || is_end(object),
        GraphPattern::Graph { name, .. } | GraphPattern::Service { name, .. } => is_path_name(name),
        GraphPattern::Extend { variable, .. } => is_path(variable),
        GraphPattern::Values { variables, .. } => variables.iter().any(is_path),
        GraphPattern::Group { variables, aggregates, .. } => {
            variables.iter().chain(aggregates.iter().map(|(variable, _)| variable)).any(is_path)
        }
        _ => false,
    };
    is_here || expressions(pattern).into_iter().any(asks_path)
}

/// Returns whether an expression, without its EXISTS, mentions `$PATH`.
fn asks_path(expression: &Expression) -> bool {
    match expression {
        Expression::Variable(variable) | Expression::Bound(variable) => variable.as_str() == PATH,
        _ => operands(expression).into_iter().any(asks_path),
    }
}
