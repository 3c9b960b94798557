//! JSON with two blanks a level, and the line at which each of its values begins. It is written here, so that the lines
//! of the program are compared with others than its own.

use std::collections::HashMap;

use serde_json::Value;

/// A document as a text.
pub(super) struct Laid {
    pub(super) text: String,
    /// The line of each value, by its pointer.
    pub(super) lines: HashMap<String, u64>,
    line: u64,
}

/// Writes a document.
pub(super) fn lay_out(document: &Value) -> Laid {
    let mut laid = Laid { text: String::new(), lines: HashMap::new(), line: 1 };
    laid.add(document, "", 0);
    laid.text.push('\n');
    laid
}

impl Laid {
    fn add(&mut self, value: &Value, pointer: &str, depth: usize) {
        self.lines.insert(pointer.to_owned(), self.line);
        match value {
            Value::Object(members) if !members.is_empty() => {
                self.text.push('{');
                for (index, (key, member)) in members.iter().enumerate() {
                    self.next(index > 0, depth + 1);
                    self.text.push_str(&Value::from(key.as_str()).to_string());
                    self.text.push_str(": ");
                    let key = key.replace('~', "~0").replace('/', "~1");
                    self.add(member, &format!("{pointer}/{key}"), depth + 1);
                }
                self.next(false, depth);
                self.text.push('}');
            }
            Value::Array(items) if !items.is_empty() => {
                self.text.push('[');
                for (index, item) in items.iter().enumerate() {
                    self.next(index > 0, depth + 1);
                    self.add(item, &format!("{pointer}/{index}"), depth + 1);
                }
                self.next(false, depth);
                self.text.push(']');
            }
            leaf => self.text.push_str(&leaf.to_string()),
        }
    }

    fn next(&mut self, has_comma: bool, depth: usize) {
        self.text.push_str(if has_comma { ",\n" } else { "\n" });
        self.text.push_str(&"  ".repeat(depth));
        self.line += 1;
    }
}

#[test]
fn each_value_has_its_line() {
    let laid = lay_out(&serde_json::json!({"a": [1, {"b/c": []}], "d": {}}));
    assert_eq!(laid.text, "{\n  \"a\": [\n    1,\n    {\n      \"b/c\": []\n    }\n  ],\n  \"d\": {}\n}\n");
    assert_eq!([laid.lines["/a/1"], laid.lines["/a/1/b~1c"], laid.lines["/d"]], [4, 5, 8]);
}
