//! Equality of expanded documents: arrays are bags, except in lists and in JSON literals.

use serde_json::Value;

/// Returns whether two expanded documents are equal, whatever the order in their arrays.
pub fn equal_as_bags(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Array(left), Value::Array(right)) => equal_bags(left, right),
        (Value::Object(left), Value::Object(right)) => {
            let is_json_literal = left.get("@type").is_some_and(|datatype| datatype == "@json");
            left.len() == right.len()
                && left.iter().all(|(key, value)| {
                    right.get(key).is_some_and(|other| match (key.as_str(), value, other) {
                        ("@value", ..) if is_json_literal => value == other,
                        ("@list", Value::Array(items), Value::Array(others)) => {
                            items.len() == others.len()
                                && items.iter().zip(others).all(|(item, other)| equal_as_bags(item, other))
                        }
                        _ => equal_as_bags(value, other),
                    })
                })
        }
        (Value::Number(left), Value::Number(right)) => left.as_f64() == right.as_f64(),
        _ => left == right,
    }
}

/// Equality is an equivalence, so the first free partner is as good as any.
fn equal_bags(left: &[Value], right: &[Value]) -> bool {
    let mut free: Vec<&Value> = right.iter().collect();
    left.len() == right.len()
        && left.iter().all(|item| match free.iter().position(|other| equal_as_bags(item, other)) {
            Some(at) => {
                free.swap_remove(at);
                true
            }
            None => false,
        })
}
