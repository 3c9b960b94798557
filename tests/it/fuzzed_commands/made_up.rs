//! Small files that are made up: values, statements and requests that are read, and words and signs of a syntax in any
//! order.

use super::words::{
    CONTEXT, CSV, HTML, JSON, KEYS, LINES, OBJECTS, SPARQL, TURTLE, UPDATE, VALUES, XML, YAML,
};
use rand::Rng;
use rand::rngs::StdRng;
use serde_json::Value;

/// The extensions of data that are made up.
pub(super) const SYNTAXES: [&str; 12] =
    ["json", "jsonld", "jsonl", "yaml", "csv", "nt", "nq", "ttl", "trig", "rdf", "n3", "html"];

/// A value with members that mean something, in any order.
pub(super) fn value(random: &mut StdRng, depth: usize) -> Value {
    let word = |random: &mut StdRng| {
        let value = VALUES[random.random_range(0..VALUES.len())];
        serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()))
    };
    match random.random_range(0..if depth == 0 { 2 } else { 8 }) {
        0 | 1 => word(random),
        2 | 3 => (0..random.random_range(0..4)).map(|_| value(random, depth - 1)).collect(),
        _ => {
            let member = |random: &mut StdRng| {
                (KEYS[random.random_range(0..KEYS.len())].to_owned(), value(random, depth - 1))
            };
            Value::Object((0..random.random_range(0..6)).map(|_| member(random)).collect())
        }
    }
}

/// Statements that are read, of terms in any order.
fn statements(random: &mut StdRng, syntax: &str) -> String {
    let is_long = !["nt", "nq"].contains(&syntax);
    let node = |random: &mut StdRng| match random.random_range(0..if is_long { 7 } else { 4 }) {
        0 => "_:b".to_owned(),
        1 | 2 => format!("<http://e/{}>", random.random_range(0..4)),
        3 => "<urn:evalgraph:graph:catalog>".to_owned(),
        4 => ":x".to_owned(),
        5 => "( 1 :x ( ) )".to_owned(),
        _ => "[ :p \"a\"@en, 01, 1.50, true ; a :C ]".to_owned(),
    };
    let name = |random: &mut StdRng| {
        const NAMES: &[&str] =
            &["text", "name", "hasPart", "acceptedAnswer", "Question", "Dataset", "item", "dateModified"];
        match random.random_range(0..4) {
            0 => "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>".to_owned(),
            1 => "<urn:evalgraph:vocab:path>".to_owned(),
            _ => format!("<http://schema.org/{}>", NAMES[random.random_range(0..NAMES.len())]),
        }
    };
    let mut text = if is_long { "@prefix : <http://e/> .\n".to_owned() } else { String::new() };
    for _ in 0..random.random_range(1..12) {
        let object = match random.random_range(0..4) {
            0 => "\"Who?\"".to_owned(),
            1 => "\"\\u001b[2J\\u202e\"^^<http://www.w3.org/2001/XMLSchema#date>".to_owned(),
            2 => name(random),
            _ => node(random),
        };
        let graph = if syntax == "nq" && random.random_bool(0.4) { name(random) } else { String::new() };
        let statement = format!("{} {} {object} {graph} .\n", node(random), name(random));
        if syntax == "trig" && random.random_bool(0.4) {
            text.push_str(&format!("{} {{ {statement} }}\n", name(random)));
        } else {
            text.push_str(&statement);
        }
    }
    text
}

/// A pattern of a query.
fn pattern(random: &mut StdRng, depth: usize) -> String {
    let variable = |random: &mut StdRng| format!("?v{}", random.random_range(0..4));
    let path = |random: &mut StdRng| {
        const PATHS: &[&str] = &[
            "?p",
            "a",
            "s:text",
            "s:text|s:name",
            "(s:a/^s:b)*",
            "!(s:a|^s:b)",
            "s:a?",
            "(s:a|!s:b)+",
            "^(s:a|s:b)/s:c*",
        ];
        PATHS[random.random_range(0..PATHS.len())]
    };
    let inner = |random: &mut StdRng| {
        let many = random.random_range(0..3);
        (0..many).map(|_| pattern(random, depth.saturating_sub(1))).collect::<Vec<_>>().join(" . ")
    };
    let condition = |random: &mut StdRng| {
        const CONDITIONS: &[&str] = &[
            "BOUND(?v0)",
            "?v0 = ?v1",
            "STR(?v1) < \"x\"",
            "REGEX(STR(?v0), \"[a-z-[b]]+(a)*\")",
            "?v0 IN (1, ?v1)",
            "!(?v0 > 1) || isIRI(?v1)",
            "COALESCE(?v1, 1/0) = 1",
            "REPLACE(?v0, \"(\", \"$9\") = \"\"",
            "xsd:integer(?v1) + 1 > 0",
            "IF(?v0, 1, 2)",
            "CONCAT(STR(?v0), \"\u{1b}\") = \"\"",
            "LANG(?v1) = \"en\"",
        ];
        CONDITIONS[random.random_range(0..CONDITIONS.len())]
    };
    match random.random_range(0..if depth == 0 { 3 } else { 13 }) {
        0..3 => format!("{} {} {}", variable(random), path(random), variable(random)),
        3 => format!("OPTIONAL {{ {} }}", inner(random)),
        4 => format!("MINUS {{ {} }}", inner(random)),
        5 => format!("{{ {} }} UNION {{ {} }}", inner(random), inner(random)),
        6 => format!("GRAPH {} {{ {} }}", variable(random), inner(random)),
        7 => format!("FILTER({})", condition(random)),
        8 => format!("FILTER NOT EXISTS {{ {} }}", inner(random)),
        9 => format!("BIND({} AS ?b{})", condition(random), random.random_range(0..1000)),
        10 => "VALUES (?v0 ?v1) { (1 UNDEF) (s:a \"x\"@en) (UNDEF UNDEF) }".to_owned(),
        11 => format!(
            "{{ SELECT {} (COUNT(*) AS ?n) {{ {} }} GROUP BY ?v0 HAVING (COUNT(*) > 0) }}",
            "?v0",
            inner(random)
        ),
        _ => format!(
            "{{ SELECT DISTINCT * {{ {} }} ORDER BY ?v1 DESC({}) LIMIT 3 OFFSET 1 }}",
            inner(random),
            condition(random)
        ),
    }
}

/// A query or a request of updates that is read.
fn request(random: &mut StdRng, syntax: &str) -> String {
    let mut group = |random: &mut StdRng| {
        let many = random.random_range(1..4);
        (0..many).map(|_| pattern(random, 2)).collect::<Vec<_>>().join(" . ")
    };
    let group = &mut group;
    if syntax == "rq" {
        return match random.random_range(0..5) {
            0 => format!("ASK {{ {} }}", group(random)),
            1 => format!("CONSTRUCT {{ ?v0 ?v1 ?v2 . [] s:p ?v0 }} {{ {} }}", group(random)),
            2 => format!("DESCRIBE ?v0 {{ {} }} LIMIT 2", group(random)),
            3 => format!(
                "SELECT ?v0 (MIN(?v1) AS ?m) (COUNT(DISTINCT *) AS ?n) {{ {} }} GROUP BY ?v0",
                group(random)
            ),
            _ => format!("SELECT * {{ {} }} ORDER BY ?v0 LIMIT 50", group(random)),
        };
    }
    let one = |random: &mut StdRng, group: &str| match random.random_range(0..8) {
        0 => format!("INSERT {{ ?v0 s:p ?v1 . GRAPH ?v1 {{ ?v0 s:q [] }} }} WHERE {{ {group} }}"),
        1 => format!("DELETE {{ ?v0 ?p ?v1 }} INSERT {{ ?v1 s:p ?v0 }} WHERE {{ {group} }}"),
        2 => format!("WITH s:g DELETE {{ ?v0 ?v1 ?v2 }} USING s:h WHERE {{ {group} }}"),
        3 => "INSERT DATA { s:a s:text \"Who?\" GRAPH s:g { _:b s:text 01, \"\u{1b}\" } }".to_owned(),
        4 => "DELETE WHERE { ?s s:text ?o }".to_owned(),
        5 => "COPY SILENT s:g TO s:h".to_owned(),
        6 => "CLEAR ALL".to_owned(),
        _ => "DROP SILENT GRAPH s:g".to_owned(),
    };
    let many = random.random_range(1..4);
    (0..many)
        .map(|_| {
            let group = group(random);
            one(random, &group)
        })
        .collect::<Vec<_>>()
        .join(" ;\n")
}

/// Whole beginnings, so that not everything ends at its first sign.
fn beginnings(syntax: &str) -> &'static [&'static str] {
    match syntax {
        "ttl" | "trig" | "n3" => &["", "@prefix : <http://e/> . "],
        "rdf" => {
            &["", "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:e=\"http://e/\">"]
        }
        "rq" => &["", "SELECT * { ?s ?p ?o ", "ASK { ", "CONSTRUCT { ?s ?p ?o } WHERE {"],
        "ru" => &["", "INSERT { ?s ?p 1 } WHERE {", "DELETE WHERE {", "INSERT DATA {"],
        "csv" => &["", "question,answer\n", "id,question,answer,is_impossible\n", "a,b\n"],
        "yaml" => &["", "tasks:\n  - task_type: QA\n    input_data:\n      "],
        "html" => &["", "<script type=\"application/ld+json\">"],
        _ => &["", "[", "{"],
    }
}

/// Draws a text: most are read, the others are words and signs as they come.
pub(super) fn drawn(random: &mut StdRng, syntax: &str) -> String {
    if random.random_bool(0.3) {
        return in_any_order(random, syntax);
    }
    match syntax {
        "json" | "jsonld" => format!("{:#}", value(random, 5)),
        "context" => format!("{{\"@context\": {}}}", value(random, 4)),
        "jsonl" => (0..random.random_range(1..6)).map(|_| format!("{}\n", value(random, 3))).collect(),
        // All JSON is YAML.
        "yaml" if random.random_bool(0.5) => format!("{:#}", value(random, 4)),
        "nt" | "nq" | "ttl" | "trig" | "n3" => statements(random, syntax),
        "html" => format!("<html><script type=\"application/ld+json\">{}</script></html>", value(random, 4)),
        "rq" | "ru" => request(random, syntax),
        _ => in_any_order(random, syntax),
    }
}

/// Words and signs of a syntax as they come.
fn in_any_order(random: &mut StdRng, syntax: &str) -> String {
    let words = match syntax {
        "json" | "jsonld" if random.random_bool(0.5) => JSON,
        "json" | "jsonl" | "jsonld" => OBJECTS,
        "context" => CONTEXT,
        "yaml" => YAML,
        "csv" => CSV,
        "nt" | "nq" => LINES,
        "rdf" => XML,
        "html" => HTML,
        "rq" => SPARQL,
        "ru" => UPDATE,
        _ => TURTLE,
    };
    let begins = beginnings(syntax);
    let mut text = begins[random.random_range(0..begins.len())].to_owned();
    let mut open = Vec::new();
    for _ in 0..random.random_range(0..24) {
        let word = words[random.random_range(0..words.len())];
        text.push_str(word);
        // Objects stand on lines of their own, or in a list.
        match syntax {
            "jsonl" if random.random_bool(0.9) => text.push('\n'),
            "json" | "jsonld" if words.len() == OBJECTS.len() && random.random_bool(0.9) => text.push(','),
            _ => {}
        }
        if ["rq", "ru"].contains(&syntax) || syntax != "csv" && random.random_bool(0.3) {
            text.push(' ');
        }
        match word {
            "{" => open.push("}"),
            "[" => open.push("]"),
            "(" => open.push(")"),
            _ => {}
        }
    }
    if text.ends_with(',') {
        text.pop();
    }
    // Half of them are closed, so that some get through the parser.
    if random.random_bool(0.5) {
        open.iter().rev().for_each(|close| text.push_str(close));
    }
    text
}
