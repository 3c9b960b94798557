//! Writes a node with all of its members as statements of an update, formatted for people.

use oxrdf::Literal;
use serde_json::{Map, Value};

/// The indentation of the members of a node.
const STEP: usize = 2;

/// Writes the statement that links a subject to a node, and the statements about the node. The node is an object whose
/// keys and classes are schema.org names or have a prefix, and whose `@id` is its IRI. A typed literal is a value
/// object.
///
/// Recurses once per level, so use it only for nodes that this program makes.
pub fn statements(subject: &str, property: &str, node: &Value) -> String {
    let mut writer = StatementWriter { text: String::new(), left: Vec::new() };
    writer.text.push_str(&format!("{subject} s:{property} "));
    writer.value(node, STEP);
    writer.text.push_str(" .");
    // A node with an IRI gets separate statements.
    let mut next = 0;
    while let Some(node) = writer.left.get(next).cloned() {
        next += 1;
        writer.text.push_str(&format!("\n  {} ", iri(&node).unwrap_or_default()));
        writer.members(&node, 2 * STEP);
        writer.text.push_str(" .");
    }
    writer.text
}

struct StatementWriter {
    text: String,
    /// Nodes with an IRI that were referred to.
    left: Vec<Map<String, Value>>,
}

impl StatementWriter {
    fn value(&mut self, value: &Value, indent: usize) {
        match value {
            Value::String(text) => self.text.push_str(&Literal::new_simple_literal(text).to_string()),
            Value::Object(literal) if literal.contains_key("@value") => {
                let part = |key: &str| literal.get(key).and_then(Value::as_str).unwrap_or_default();
                let text = Literal::new_simple_literal(part("@value"));
                self.text.push_str(&format!("{text}^^{}", part("@type")));
            }
            Value::Object(node) => match iri(node) {
                Some(iri) => {
                    self.text.push_str(&iri);
                    self.left.push(node.clone());
                }
                None => {
                    self.text.push_str("[\n");
                    self.text.push_str(&" ".repeat(indent + STEP));
                    self.members(node, indent + STEP);
                    self.text.push('\n');
                    self.text.push_str(&" ".repeat(indent));
                    self.text.push(']');
                }
            },
            plain => self.text.push_str(&plain.to_string()),
        }
    }

    /// Writes the members of a node, one per line.
    fn members(&mut self, node: &Map<String, Value>, indent: usize) {
        let members = node.iter().filter(|(key, _)| *key != "@id");
        for (number, (key, value)) in members.enumerate() {
            if number > 0 {
                self.text.push_str(" ;\n");
                self.text.push_str(&" ".repeat(indent));
            }
            let values = match value {
                Value::Array(values) => values.as_slice(),
                value => std::slice::from_ref(value),
            };
            self.text.push_str(&if key == "@type" { "a".to_owned() } else { prefixed(key) });
            for (number, value) in values.iter().enumerate() {
                self.text.push_str(if number > 0 { ", " } else { " " });
                match value {
                    Value::String(class) if key == "@type" => self.text.push_str(&prefixed(class)),
                    value => self.value(value, indent),
                }
            }
        }
    }
}

fn iri(node: &Map<String, Value>) -> Option<String> {
    node.get("@id").and_then(Value::as_str).map(|iri| format!("<{iri}>"))
}

fn prefixed(name: &str) -> String {
    if name.contains(':') { name.to_owned() } else { format!("s:{name}") }
}
