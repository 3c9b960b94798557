//! Functions of evalgraph rewritten in SPARQL 1.1, since servers do not have them: the file of a graph, the member of a
//! JSON object.

use oxrdf::{Literal, Variable};
use spargebra::algebra::{Expression, Function};

use evalgraph_rdf::minted::{GRAPHS, document_name};

/// The characters that have a special meaning in regular expressions.
const SPECIAL: &str = r"\|.?*+(){}[]^$-";

/// The file of a graph, as a server can compute it: one of the known names, else the name of the graph's dataset, which
/// is part of its IRI.
pub(crate) fn file_of(graph: &Expression, files: &[(String, String)]) -> Expression {
    let graph = call(Function::Str, vec![graph.clone()]);
    let in_iri = call(Function::StrAfter, vec![graph.clone(), text(GRAPHS)]);
    let is_plain = |(iri, name): &(String, String)| document_name(iri) == Some(name);
    let known: Vec<_> = files.iter().filter(|file| !is_plain(file)).collect();
    if known.is_empty() {
        return in_iri;
    }
    // CONCAT of alternatives, instead of nested IFs: the depth does not grow with the number of graphs.
    let mut parts: Vec<Expression> = Vec::with_capacity(known.len() + 1);
    for (iri, name) in &known {
        let is_it = Expression::Equal(Box::new(graph.clone()), Box::new(text(iri)));
        parts.push(Expression::If(Box::new(is_it), Box::new(text(name)), Box::new(text(""))));
    }
    let iris = known.iter().map(|(iri, _)| text(iri)).collect();
    let is_known = Expression::In(Box::new(graph), iris);
    parts.push(Expression::If(Box::new(is_known), Box::new(text("")), Box::new(in_iri)));
    call(Function::Concat, parts)
}

/// The string under a key of a JSON object, found by regular expressions. These ignore nesting, so a key of an inner
/// object is also found. Escapes of characters by their numbers are kept, since SPARQL cannot decode them.
pub(crate) fn member_of(json: &Expression, key: &str) -> Expression {
    let mut pattern = String::from(r#"^\s*\{.*?""#);
    for character in key.chars() {
        if SPECIAL.contains(character) {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push_str(r#""\s*:\s*"((\\.|[^"\\])*)".*$"#);
    let json = || call(Function::Str, vec![json.clone()]);
    let replaced = |value: Expression, pattern: &str, by: &str| {
        call(Function::Replace, vec![value, text(pattern), text(by), text("s")])
    };
    let value = replaced(json(), &pattern, "$1");
    let unescaped = replaced(replaced(value, r#"\\(["/])"#, "$1"), r"\\\\", r"\\");
    let is_there = call(Function::Regex, vec![json(), text(&pattern), text("s")]);
    // A variable that is never bound has no value.
    let none = Expression::Variable(Variable::new_unchecked("no_member"));
    Expression::If(Box::new(is_there), Box::new(unescaped), Box::new(none))
}

fn text(text: &str) -> Expression {
    Expression::Literal(Literal::new_simple_literal(text))
}

fn call(function: Function, arguments: Vec<Expression>) -> Expression {
    Expression::FunctionCall(function, arguments)
}
