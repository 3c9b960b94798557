//! GROUP BY, HAVING and aggregates in ASK, CONSTRUCT and DESCRIBE (SPARQL 1.1, productions 10 to 12 and 18). The parser
//! accepts these only in SELECT, so the query is parsed as a SELECT, and its pattern becomes that of the original form.

use spargebra::{Query, SparqlSyntaxError};

use crate::text::grammar_expression::AGGREGATES;
use crate::text::tokens::{SparqlToken, SparqlTokenKind, tokenize};
use crate::text::ungrouped_variable::grouped;

/// Parses such a query. Returns `None` if the text is another kind of query or breaks the grammar.
pub(crate) fn parse_grouped(
    text: &str,
    parse: &dyn Fn(&str) -> Result<Query, SparqlSyntaxError>,
) -> Option<Query> {
    let tokens = tokenize(text);
    let word = |token: &SparqlToken| &text[token.span.clone()];
    let is = |token: &SparqlToken, name: &str| {
        matches!(token.kind, SparqlTokenKind::Word | SparqlTokenKind::Symbol)
            && word(token).eq_ignore_ascii_case(name)
    };
    let is_any = |token: &SparqlToken, names: &[&str]| names.iter().any(|name| is(token, name));
    let at = tokens.iter().position(|token| is_any(token, &["SELECT", "ASK", "CONSTRUCT", "DESCRIBE"]))?;
    let (prologue, form) = (&text[..tokens[at].span.start], &tokens[at]);
    let after = &tokens[at + 1..];
    // The tokens between the form and its dataset and pattern: a template, or terms.
    let head = match () {
        () if is(form, "ASK") => 0,
        () if is(form, "CONSTRUCT") && after.first().is_some_and(|token| is(token, "{")) => {
            end_of_group(after, text)?
        }
        () if is(form, "CONSTRUCT") => 0,
        () if is(form, "DESCRIBE") => {
            after.iter().take_while(|token| token.kind == SparqlTokenKind::Variable).count()
        }
        () => return None,
    };
    let (head, rest) = after.split_at(head);
    let open = rest.iter().position(|token| is(token, "{"))?;
    let close = open + end_of_group(&rest[open..], text)?;
    let modifiers = &rest[close..];
    if !modifiers.iter().any(|token| is_any(token, &["GROUP", "HAVING"]) || is_any(token, &AGGREGATES)) {
        return None;
    }
    // The template of `CONSTRUCT WHERE` is its pattern.
    let template = if head.is_empty() && is(form, "CONSTRUCT") { &rest[open..close] } else { head };
    let keys = modifiers.iter().position(|token| is(token, "GROUP")).map_or(&[][..], |group| {
        let keys = &modifiers[(group + 2).min(modifiers.len())..];
        let is_end = |token: &SparqlToken| is_any(token, &["HAVING", "ORDER", "LIMIT", "OFFSET", "VALUES"]);
        &keys[..keys.iter().position(is_end).unwrap_or(keys.len())]
    });
    let keys = grouped(text, keys);
    let mut columns: Vec<&str> =
        template.iter().filter(|token| token.kind == SparqlTokenKind::Variable).map(word).collect();
    if is(form, "CONSTRUCT") {
        // A triple with another variable is left out, as for any variable without a value.
        columns.retain(|name| keys.contains(name));
    }
    columns.sort_unstable();
    columns.dedup();
    let columns = match columns.as_slice() {
        [] => format!("(1 AS ?{})", unused_name(text)),
        columns => columns.join(" "),
    };
    let rest = rest.first().map_or("", |first| &text[first.span.start..]);
    let Query::Select { dataset, pattern, base_iri } =
        parse(&format!("{prologue}SELECT {columns} {rest}")).ok()?
    else {
        return None;
    };
    Some(match () {
        () if is(form, "ASK") => Query::Ask { dataset, pattern, base_iri },
        () if is(form, "DESCRIBE") => Query::Describe { dataset, pattern, base_iri },
        () => {
            let (first, last) = (template.first()?, template.last()?);
            let template = &text[first.span.start..last.span.end];
            match parse(&format!("{prologue}CONSTRUCT {template} WHERE {{}}")).ok()? {
                Query::Construct { template, .. } => {
                    Query::Construct { template, dataset, pattern, base_iri }
                }
                _ => return None,
            }
        }
    })
}

/// The number of tokens of a group in curly brackets that begins with the first token.
fn end_of_group(tokens: &[SparqlToken], text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let end = tokens.iter().position(|token| {
        let word = if token.kind == SparqlTokenKind::Symbol { &text[token.span.clone()] } else { "" };
        depth += usize::from(word == "{");
        depth = depth.saturating_sub(usize::from(word == "}"));
        depth == 0
    });
    end.map(|end| end + 1)
}

/// A name that no variable of the text has.
fn unused_name(text: &str) -> String {
    let mut name = "one".to_owned();
    while text.contains(&name) {
        name.push('_');
    }
    name
}
