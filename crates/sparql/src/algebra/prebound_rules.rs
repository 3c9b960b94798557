//! The restrictions on queries with prebound variables (SHACL, appendix A): no MINUS, no SERVICE and no VALUES, no
//! value computed for such a variable, and no subquery that hides one. Prebinding would have no clear meaning there:
//! MINUS depends on the variables that its sides share, a service does not know the values, and the others compute
//! their own.

use std::ops::Range;

use spargebra::Query;
use spargebra::algebra::GraphPattern;

use crate::algebra::{exists, parts, pattern_of};
use crate::text::query_text_fault::QueryTextFault;
use crate::text::tokens::{SparqlToken, SparqlTokenKind};

const CODE: &str = "shacl::prebinding";

/// The variables that a subquery need not project.
const OPTIONAL: [&str; 2] = ["shapesGraph", "currentShape"];

/// The keywords that are not allowed, each with advice.
const FORBIDDEN: [(&str, &str); 3] = [
    ("MINUS", "write `FILTER NOT EXISTS { … }`"),
    ("SERVICE", "ask the data of the validation only"),
    ("VALUES", "write `FILTER(?x IN (…))`, or a union of patterns with BIND"),
];

/// Refuses a text at the first token that breaks a restriction.
pub(crate) fn check_text(
    text: &str,
    tokens: &[SparqlToken],
    prebound: &[&str],
) -> Result<(), QueryTextFault> {
    let is_prebound = |token: &SparqlToken| prebound.contains(&name_of(text, token));
    let mut subqueries = subqueries(text, tokens).into_iter().peekable();
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == SparqlTokenKind::Word) {
        let span = token.span.clone();
        if let Some((keyword, help)) = FORBIDDEN.iter().find(|(keyword, _)| is_word(text, token, keyword)) {
            let message = format!("{keyword} is not allowed in a query with prebound variables");
            return Err(QueryTextFault::new(CODE, span, message).with_help(*help));
        }
        let next = tokens.get(at + 1).filter(|next| next.kind == SparqlTokenKind::Variable);
        if let Some(variable) = next.filter(|_| is_word(text, token, "AS")).filter(|next| is_prebound(next)) {
            let name = &text[variable.span.clone()];
            let message = format!("`{name}` is prebound, and the query cannot give it another value");
            return Err(QueryTextFault::new(CODE, variable.span.clone(), message)
                .with_help("choose another name after AS"));
        }
        if let Some(subquery) = subqueries.next_if(|subquery| subquery.select == span)
            && let Some(shown) = subquery.shown
            && let Some(hidden) = hidden(prebound, |name| shown.contains(&name))
        {
            return Err(hides(subquery.select, hidden));
        }
    }
    Ok(())
}

/// Refuses CONSTRUCT and DESCRIBE.
pub(crate) fn check_forms(text: &str, tokens: &[SparqlToken], query: &Query) -> Result<(), QueryTextFault> {
    let form = match query {
        Query::Select { .. } | Query::Ask { .. } => return Ok(()),
        Query::Construct { .. } => "CONSTRUCT",
        Query::Describe { .. } => "DESCRIBE",
    };
    let keyword = tokens.iter().find(|token| is_word(text, token, form));
    let span = keyword.map_or(0..0, |token| token.span.clone());
    Err(QueryTextFault::new(CODE, span, format!("{form} is not a query with prebound variables"))
        .with_help("write SELECT or ASK"))
}

/// Refuses a query with a subquery `SELECT *` that does not have all prebound variables. The other subqueries were
/// checked with the text.
pub(crate) fn check_stars(
    text: &str,
    tokens: &[SparqlToken],
    query: &Query,
    prebound: &[&str],
) -> Result<(), QueryTextFault> {
    // The parser also gives ASK a projection.
    let mut is_outermost = true;
    let Some(hidden) = hidden_by(pattern_of(query), &mut is_outermost, prebound) else { return Ok(()) };
    let stars: Vec<SubqueryTokens<'_>> =
        subqueries(text, tokens).into_iter().filter(|subquery| subquery.shown.is_none()).collect();
    let lacks = |subquery: &&SubqueryTokens<'_>| {
        !tokens[subquery.body.clone()].iter().any(|token| name_of(text, token) == hidden)
    };
    let select = stars.iter().find(lacks).or(stars.first()).map_or(0..0, |subquery| subquery.select.clone());
    Err(hides(select, hidden))
}

fn hides(select: Range<usize>, name: &str) -> QueryTextFault {
    let message = format!("the subquery does not return the prebound variable `${name}`");
    QueryTextFault::new(CODE, select, message).with_help(format!("add `${name}` to this SELECT"))
}

/// The first variable that must be projected but is not.
fn hidden<'p>(prebound: &[&'p str], is_shown: impl Fn(&str) -> bool) -> Option<&'p str> {
    prebound.iter().copied().find(|name| !OPTIONAL.contains(name) && !is_shown(name))
}

/// The first prebound variable that a subquery hides. `is_outermost` is `true` until the projection of the query itself
/// has been seen.
fn hidden_by<'p>(pattern: &GraphPattern, is_outermost: &mut bool, prebound: &[&'p str]) -> Option<&'p str> {
    let is_modifier = matches!(
        pattern,
        GraphPattern::Slice { .. } | GraphPattern::Distinct { .. } | GraphPattern::Reduced { .. }
    );
    let own = match pattern {
        GraphPattern::Project { variables, .. } if !*is_outermost => {
            hidden(prebound, |name| variables.iter().any(|variable| variable.as_str() == name))
        }
        _ => None,
    };
    *is_outermost &= is_modifier;
    own.or_else(|| {
        let mut inside = exists(pattern).into_iter().chain(parts(pattern));
        inside.find_map(|inside| hidden_by(inside, is_outermost, prebound))
    })
}

/// A SELECT inside another query.
struct SubqueryTokens<'t> {
    /// The place of its keyword.
    select: Range<usize>,
    /// The names of its columns, or `None` for `SELECT *`.
    shown: Option<Vec<&'t str>>,
    /// The numbers of its tokens.
    body: Range<usize>,
}

fn subqueries<'t>(text: &'t str, tokens: &[SparqlToken]) -> Vec<SubqueryTokens<'t>> {
    let mut depth = 0_usize;
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match &text[token.span.clone()] {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ if depth > 0 && is_word(text, token, "SELECT") => found.push(subquery(text, tokens, at)),
            _ => {}
        }
    }
    found
}

/// The subquery whose keyword is the token `at`.
fn subquery<'t>(text: &'t str, tokens: &[SparqlToken], at: usize) -> SubqueryTokens<'t> {
    let (mut depth, mut is_star, mut shown) = (0_usize, false, Vec::new());
    let mut end = tokens.len();
    for (number, token) in tokens.iter().enumerate().skip(at + 1) {
        match &text[token.span.clone()] {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            "{" if depth == 0 => {
                end = number;
                break;
            }
            "*" if depth == 0 => is_star = true,
            _ if token.kind == SparqlTokenKind::Variable
                && (depth == 0 || depth == 1 && is_word(text, &tokens[number - 1], "AS")) =>
            {
                shown.push(name_of(text, token));
            }
            _ => {}
        }
    }
    let mut braces = 0_usize;
    let close = tokens[end..].iter().position(|token| {
        match &text[token.span.clone()] {
            "{" => braces += 1,
            "}" => braces = braces.saturating_sub(1),
            _ => {}
        }
        braces == 0
    });
    let body = end..close.map_or(tokens.len(), |close| end + close);
    SubqueryTokens { select: tokens[at].span.clone(), shown: (!is_star).then_some(shown), body }
}

fn is_word(text: &str, token: &SparqlToken, word: &str) -> bool {
    token.kind == SparqlTokenKind::Word && text[token.span.clone()].eq_ignore_ascii_case(word)
}

/// The name of a variable; empty for any other token.
fn name_of<'t>(text: &'t str, token: &SparqlToken) -> &'t str {
    match token.kind {
        SparqlTokenKind::Variable => &text[token.span.start + 1..token.span.end],
        _ => "",
    }
}
