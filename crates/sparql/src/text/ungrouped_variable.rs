//! Finds the variable that a grouped SELECT must not use, because it is neither grouped nor inside an aggregate. The
//! parser only reports that there is one.

use crate::text::grammar_expression::AGGREGATES;
use crate::text::query_text_fault::QueryTextFault;
use crate::text::tokens::{SparqlToken, SparqlTokenKind, tokenize};
use std::collections::HashSet;

/// The fault at the ungrouped variable, in the innermost SELECT that has one.
pub(crate) fn ungrouped_variable(text: &str) -> Option<QueryTextFault> {
    let tokens = tokenize(text);
    let selects = (0..tokens.len()).rev().filter(|&at| is_word(text, &tokens[at], "SELECT"));
    selects.filter_map(|at| SelectTokens::at(text, &tokens, at)).find_map(|select| select.fault(text))
}

fn is_word(text: &str, token: &SparqlToken, word: &str) -> bool {
    token.kind == SparqlTokenKind::Word && text[token.span.clone()].eq_ignore_ascii_case(word)
}

/// A SELECT: its clause, and the modifiers after its pattern.
struct SelectTokens<'t> {
    clause: &'t [SparqlToken],
    modifiers: &'t [SparqlToken],
}

impl<'t> SelectTokens<'t> {
    fn at(text: &str, tokens: &'t [SparqlToken], at: usize) -> Option<Self> {
        let rest = &tokens[at + 1..];
        let is = |token: &SparqlToken, symbol: &str| &text[token.span.clone()] == symbol;
        let open = rest.iter().position(|token| is(token, "{"))?;
        let mut depth = 0_usize;
        let close = rest[open..].iter().position(|token| {
            depth += usize::from(is(token, "{"));
            depth -= usize::from(is(token, "}"));
            depth == 0
        })?;
        let modifiers = &rest[open + close + 1..];
        let end = modifiers.iter().position(|token| is(token, "}")).unwrap_or(modifiers.len());
        Some(Self { clause: &rest[..open], modifiers: &modifiers[..end] })
    }

    fn fault(&self, text: &str) -> Option<QueryTextFault> {
        let conditions = self.conditions(text);
        let grouped: HashSet<&str> = grouped(text, conditions);
        let mut given = HashSet::new();
        let is_grouped = |token: &SparqlToken| {
            let modifier = ["GROUP", "HAVING"].into_iter().any(|word| is_word(text, token, word));
            modifier || is_aggregate(text, token)
        };
        if !self.clause.iter().chain(self.modifiers).any(is_grouped) {
            return None;
        }
        let (mut depth, mut aggregate) = (0_usize, None);
        for (number, token) in self.clause.iter().enumerate() {
            let word = &text[token.span.clone()];
            match word {
                "(" => {
                    let is_called = number > 0 && is_aggregate(text, &self.clause[number - 1]);
                    aggregate = aggregate.or_else(|| is_called.then_some(depth));
                    depth += 1;
                }
                ")" => {
                    depth = depth.saturating_sub(1);
                    aggregate = aggregate.filter(|&begun| begun < depth);
                }
                _ if token.kind != SparqlTokenKind::Variable || aggregate.is_some() => {}
                name if number > 0 && is_word(text, &self.clause[number - 1], "AS") => {
                    given.insert(name);
                }
                name if given.contains(name) => return Some(given_here(text, token)),
                name if !grouped.contains(name) => return Some(Self::told(text, token, conditions, depth)),
                _ => {}
            }
        }
        None
    }

    /// The conditions of GROUP BY.
    fn conditions(&self, text: &str) -> &'t [SparqlToken] {
        let Some(group) = self.modifiers.iter().position(|token| is_word(text, token, "GROUP")) else {
            return &[];
        };
        let conditions = &self.modifiers[(group + 2).min(self.modifiers.len())..];
        let ends = ["HAVING", "ORDER", "LIMIT", "OFFSET", "VALUES"];
        let is_end = |token: &SparqlToken| ends.into_iter().any(|word| is_word(text, token, word));
        &conditions[..conditions.iter().position(is_end).unwrap_or(conditions.len())]
    }

    fn told(text: &str, token: &SparqlToken, conditions: &[SparqlToken], depth: usize) -> QueryTextFault {
        let name = &text[token.span.clone()];
        let message = format!("`{name}` is neither grouped nor inside an aggregate");
        let is_in_expression = conditions.iter().any(|condition| &text[condition.span.clone()] == name);
        let help = match (is_in_expression, depth) {
            (true, _) => format!(
                "GROUP BY groups by an expression of `{name}`: name its value, `GROUP BY (… AS ?value)`, and select `?value`"
            ),
            (false, 0) => format!("add it to GROUP BY, or select `(SAMPLE({name}) AS ?any)`"),
            (false, _) => format!("add it to GROUP BY, or write `SAMPLE({name})` in its place"),
        };
        QueryTextFault::new("sparql::not-grouped", token.span.clone(), message).with_help(help)
    }
}

/// The fault for a variable that gets its value in the same SELECT. The recommendation allows its use, the parser does
/// not.
fn given_here(text: &str, token: &SparqlToken) -> QueryTextFault {
    let name = &text[token.span.clone()];
    let message = format!("a grouped SELECT gives `{name}` a value and cannot use it in another expression");
    QueryTextFault::new("sparql::not-grouped", token.span.clone(), message)
        .with_help("write the expression again, or select from a subquery that gives the value")
}

fn is_aggregate(text: &str, token: &SparqlToken) -> bool {
    AGGREGATES.into_iter().any(|name| is_word(text, token, name))
}

/// The variables that are conditions of GROUP BY, and the names that GROUP BY gives to expressions.
pub(crate) fn grouped<'t>(text: &'t str, conditions: &[SparqlToken]) -> HashSet<&'t str> {
    let mut depth = 0_usize;
    let mut grouped = HashSet::new();
    for (number, token) in conditions.iter().enumerate() {
        let word = &text[token.span.clone()];
        let before = number.checked_sub(1).map(|before| &conditions[before]);
        let is_named = before.is_some_and(|before| is_word(text, before, "AS"));
        // `(?t)` is also just the variable.
        let is_alone = depth == 1
            && before.is_some_and(|before| &text[before.span.clone()] == "(")
            && conditions.get(number + 1).is_some_and(|after| &text[after.span.clone()] == ")")
            && !number.checked_sub(2).is_some_and(|at| is_called(&conditions[at]));
        match word {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ if token.kind == SparqlTokenKind::Variable && (depth == 0 || is_named || is_alone) => {
                grouped.insert(word);
            }
            _ => {}
        }
    }
    grouped
}

/// Returns whether a token is the name of a function.
fn is_called(token: &SparqlToken) -> bool {
    matches!(token.kind, SparqlTokenKind::Word | SparqlTokenKind::Iri | SparqlTokenKind::PrefixedName)
}
