//! Explains why a query cannot be read, and warns of variables that are never bound.

use std::collections::HashSet;
use std::ops::Range;

use oxrdf::Variable;
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern};

use crate::algebra::{exists, operands, parts, pattern_of};
use crate::text::grammar::shortened;
use crate::text::query_text_fault::QueryTextFault;
use crate::text::tokens::{SparqlToken, SparqlTokenKind, tokenize};
use crate::text::ungrouped_variable::ungrouped_variable;
use evalgraph_diagnostics::nearest::nearest_variable;
use evalgraph_diagnostics::{Diagnostic, SourceText};
use evalgraph_rdf::RDF_1_2;

/// Faults of texts that follow the grammar: the parser's message, the keyword to point at, our message and its help.
const RULES: [(&str, &str, &str, &str); 6] = [
    ("Duplicated variable name in SELECT", "SELECT", "SELECT names a variable twice", "name it once"),
    ("SELECT * is not", "SELECT", "`SELECT *` cannot be used with GROUP BY", "name the variables"),
    (
        "SELECT overrides",
        "SELECT",
        "SELECT gives a value to a variable that has one already",
        "choose another name after AS",
    ),
    (
        "right side of LATERAL",
        "LATERAL",
        "LATERAL gives a value to a variable that has one already",
        "choose another name",
    ),
    (
        "Repeated variables are not allowed in VALUES",
        "VALUES",
        "VALUES names a variable twice",
        "name it once",
    ),
    ("Unexpected aggregate", "", "an aggregate is not allowed here", "use it in SELECT or HAVING"),
];

/// Explains why a text is not a query or an update. `refusal` is the parser's message. `first_fault` finds the first
/// token that breaks the grammar.
pub(crate) fn diagnose(
    text: &str,
    source: &SourceText<'_>,
    refusal: &str,
    first_fault: impl Fn(&str) -> Option<QueryTextFault>,
) -> Diagnostic {
    // The parser does not explain the fault of a nested SELECT.
    let first = first_fault(text);
    let fault = rdf_1_2(text, first.as_ref())
        .or(first)
        .or_else(|| relative_iri(text))
        .or_else(|| broken_rule(text, refusal))
        .or_else(|| ungrouped_variable(text))
        .unwrap_or_else(|| unreadable(text, refusal));
    fault.into_diagnostic(source)
}

/// The functions of SPARQL 1.2 for triple terms and directions.
const LATER_FUNCTIONS: [&str; 9] = [
    "TRIPLE",
    "SUBJECT",
    "PREDICATE",
    "OBJECT",
    "isTRIPLE",
    "LANGDIR",
    "hasLANG",
    "hasLANGDIR",
    "STRLANGDIR",
];

/// The first construct of SPARQL 1.2 in a refused text, unless an earlier token is at fault: the message says
/// that the construct is too new, not that it is wrong.
fn rdf_1_2(text: &str, first_fault: Option<&QueryTextFault>) -> Option<QueryTextFault> {
    let tokens = tokenize(text);
    let (at, length, what) = (0..tokens.len())
        .find_map(|at| construct(text, &tokens[at..]).map(|(length, what)| (at, length, what)))?;
    let span = tokens[at].span.start..tokens[at + length - 1].span.end;
    let is_first = first_fault.is_none_or(|fault| fault.start() >= span.start);
    let message = format!("RDF 1.2 is not read: `{}` {what}", &text[span.clone()]);
    is_first.then(|| QueryTextFault::new(RDF_1_2, span, message))
}

/// Recognises a construct of SPARQL 1.2 at the first token. Returns the number of its tokens and its description.
fn construct(text: &str, tokens: &[SparqlToken]) -> Option<(usize, &'static str)> {
    let word = |at: usize| tokens.get(at).map_or("", |token| &text[token.span.clone()]);
    // Two tokens with nothing between them.
    let touches = |at: usize| {
        let pair = tokens.get(at).zip(tokens.get(at + 1));
        pair.is_some_and(|(first, second)| first.span.end == second.span.start)
    };
    let is_word = |token: &SparqlToken, known: &str| {
        token.kind == SparqlTokenKind::Word && text[token.span.clone()].eq_ignore_ascii_case(known)
    };
    let first = tokens.first()?;
    match first.kind {
        SparqlTokenKind::Symbol if word(0) == "<" && word(1) == "<" && touches(0) => {
            let is_term = word(2) == "(" && touches(1);
            Some(if is_term { (3, "begins a triple term") } else { (2, "begins a reified triple") })
        }
        // `<<` before an IRI.
        SparqlTokenKind::Symbol if word(0) == "<" && word(1).starts_with('<') && touches(0) => {
            Some((1, "begins a reified triple"))
        }
        SparqlTokenKind::Symbol if word(0) == "{" && word(1).starts_with('|') && touches(0) => {
            Some((2, "begins an annotation"))
        }
        SparqlTokenKind::Stray if word(0) == "~" => Some((1, "names a reifier")),
        SparqlTokenKind::LanguageTag if word(0).contains("--") => Some((1, "gives a string a direction")),
        SparqlTokenKind::Word if is_word(first, "VERSION") => {
            let is_text = tokens.get(1).is_some_and(|token| token.kind == SparqlTokenKind::String);
            is_text.then_some((1, "announces a version"))
        }
        SparqlTokenKind::Word
            if word(1) == "(" && LATER_FUNCTIONS.iter().any(|known| is_word(first, known)) =>
        {
            Some((1, "is a function of SPARQL 1.2"))
        }
        _ => None,
    }
}

fn relative_iri(text: &str) -> Option<QueryTextFault> {
    let tokens = tokenize(text);
    let has_base = tokens.iter().any(|token| text[token.span.clone()].eq_ignore_ascii_case("base"));
    let is_wrong = |token: &&SparqlToken| {
        let word = &text[token.span.clone()];
        token.kind == SparqlTokenKind::Iri && !evalgraph_rdf::iri::is_iri(&word[1..word.len() - 1])
    };
    let wrong = tokens.iter().find(is_wrong)?;
    let iri = shortened(&text[wrong.span.clone()]);
    let fault = QueryTextFault::new(
        "sparql::invalid-iri",
        wrong.span.clone(),
        format!("`{iri}` is not an absolute IRI"),
    );
    (!has_base).then(|| match text[wrong.span.clone()].trim_matches(['<', '>']) {
        name if names_a_file(name) => fault.with_help(format!(
            "the graph of a file is found by the file's name: `GRAPH ?g {{ … }} FILTER(egf:file(?g) = \"{}\")`",
            shortened(name)
        )),
        _ => fault.with_help("write it in full, or declare `BASE <…>`"),
    })
}

/// Returns whether a word that should be an IRI looks like a file name.
fn names_a_file(word: &str) -> bool {
    let extension = word.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| {
        let is_data =
            ["json", "jsonld", "jsonl", "csv", "ttl", "nt", "nq", "trig", "rdf"].contains(&extension);
        is_data && !word.contains(char::is_whitespace)
    })
}

/// The fault that breaks a rule beyond the grammar, at its keyword or else where the parser gave up.
fn broken_rule(text: &str, refusal: &str) -> Option<QueryTextFault> {
    let (_, keyword, message, help) = RULES.into_iter().find(|(needle, ..)| refusal.contains(needle))?;
    let mut tokens = tokenize(text).into_iter();
    let anchor = tokens
        .find(|token| text[token.span.clone()].eq_ignore_ascii_case(keyword))
        .map_or_else(|| refused_span(text, refusal), |token| token.span);
    Some(QueryTextFault::syntax(anchor, message).with_help(help))
}

/// The fault at the place where the parser gave up, for a text without a better explanation.
fn unreadable(text: &str, refusal: &str) -> QueryTextFault {
    let span = refused_span(text, refusal);
    let message = match &text[span.clone()] {
        "" => "the text cannot be read up to its end".to_owned(),
        token => format!("the text cannot be read from `{}` on", shortened(token)),
    };
    QueryTextFault::syntax(span, message)
}

/// The last token that begins before the place where the parser gave up: the parser reports the furthest place that it
/// read, which is one token too far.
fn refused_span(text: &str, refusal: &str) -> Range<usize> {
    let offset = refused_offset(text, refusal).unwrap_or(text.len());
    tokenize(text)
        .into_iter()
        .rev()
        .find(|token| token.span.start < offset)
        .map_or(offset..offset, |token| token.span)
}

/// Reads `error at line:column:`.
fn refused_offset(text: &str, refusal: &str) -> Option<usize> {
    let mut numbers = refusal.strip_prefix("error at ")?.split(':');
    let line: usize = numbers.next()?.trim().parse().ok()?;
    let column: usize = numbers.next()?.trim().parse().ok()?;
    let line_start: usize = text.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum();
    let in_line = text[line_start..].char_indices().nth(column.checked_sub(1)?);
    Some(in_line.map_or(text.len(), |(at, _)| line_start + at))
}

/// Warns of each variable that is never bound in the query, at its first occurrence.
pub(crate) fn unbound_variables(
    text: &str,
    query: &Query,
    given: &HashSet<String>,
    source: &SourceText<'_>,
) -> Vec<Diagnostic> {
    let mut bound = HashSet::new();
    bound_in_pattern(pattern_of(query), &mut bound);
    let mut offered: Vec<&str> = bound.iter().map(Variable::as_str).collect();
    offered.retain(|name| text.contains(*name));
    offered.sort_unstable();
    let mut seen = HashSet::new();
    let mut warnings = Vec::new();
    for token in tokenize(text) {
        if token.kind != SparqlTokenKind::Variable {
            continue;
        }
        let name = &text[token.span.start + 1..token.span.end];
        if bound.iter().any(|variable| variable.as_str() == name)
            || given.contains(name)
            || !seen.insert(name)
        {
            continue;
        }
        let message = format!("`?{name}` is never bound in the query");
        let warning = Diagnostic::warning("sparql::unbound-variable", message).at(source.place(token.span));
        warnings.push(match nearest_variable(name, &offered) {
            Some(meant) => warning.with_help(format!("did you mean `?{meant}`?")),
            None => warning,
        });
    }
    warnings
}

/// Warns of each variable in HAVING that gets its value from SELECT. SELECT is evaluated later (section 18.2.4), so the
/// condition is true for no group.
pub(crate) fn unbound_in_having(text: &str, query: &Query, source: &SourceText<'_>) -> Vec<Diagnostic> {
    let mut unbound = HashSet::new();
    later_than_having(pattern_of(query), &mut unbound);
    if unbound.is_empty() {
        return Vec::new();
    }
    let tokens = tokenize(text);
    let is_having = |token: &SparqlToken| text[token.span.clone()].eq_ignore_ascii_case("having");
    let behind = tokens.iter().skip_while(|token| !is_having(token));
    let mut warnings = Vec::new();
    for token in behind.filter(|token| token.kind == SparqlTokenKind::Variable) {
        let name = &text[token.span.start + 1..token.span.end];
        if !unbound.remove(&Variable::new_unchecked(name)) {
            continue;
        }
        let message = format!("`?{name}` has no value in HAVING, since SELECT gives it one later");
        let warning = Diagnostic::warning("sparql::unbound-variable", message);
        warnings.push(
            warning
                .at(source.place(token.span.clone()))
                .with_help(format!("write the expression of `?{name}` in its place")),
        );
    }
    warnings
}

/// Collects the variables that a condition over a group uses and that an expression around the condition binds.
fn later_than_having(pattern: &GraphPattern, found: &mut HashSet<Variable>) {
    if let GraphPattern::Extend { variable, .. } = pattern {
        let mut inner = pattern;
        while let GraphPattern::Extend { inner: next, .. } = inner {
            inner = next;
        }
        if let GraphPattern::Filter { expr, inner } = inner
            && matches!(inner.as_ref(), GraphPattern::Group { .. })
            && is_asked(expr, variable)
        {
            found.insert(variable.clone());
        }
    }
    parts(pattern).into_iter().for_each(|part| later_than_having(part, found));
}

/// Returns whether an expression uses a variable outside its EXISTS patterns.
fn is_asked(expression: &Expression, variable: &Variable) -> bool {
    match expression {
        Expression::Variable(asked) | Expression::Bound(asked) => asked == variable,
        _ => operands(expression).into_iter().any(|operand| is_asked(operand, variable)),
    }
}

fn bound_in_pattern(pattern: &GraphPattern, bound: &mut HashSet<Variable>) {
    match pattern {
        GraphPattern::Bgp { .. }
        | GraphPattern::Path { .. }
        | GraphPattern::Values { .. }
        | GraphPattern::Graph { .. }
        | GraphPattern::Extend { .. } => pattern.on_in_scope_variable(|variable| {
            bound.insert(variable.clone());
        }),
        GraphPattern::Group { aggregates, .. } => {
            bound.extend(aggregates.iter().map(|(variable, _)| variable.clone()));
        }
        _ => {}
    }
    exists(pattern).into_iter().chain(parts(pattern)).for_each(|inside| bound_in_pattern(inside, bound));
}
