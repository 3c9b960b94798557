//! Mutants of JSON that stay JSON: values go, come twice, change places and kinds, and members get other names.

use super::made_up::value;
use rand::Rng;
use rand::rngs::StdRng;
use serde_json::{Map, Value};

/// The places of all values, as pointers.
fn places(value: &Value, pointer: &str, found: &mut Vec<String>) {
    found.push(pointer.to_owned());
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                places(value, &format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(at, value)| places(value, &format!("{pointer}/{at}"), found));
        }
        _ => {}
    }
}

fn some_place(random: &mut StdRng, places: &[String]) -> String {
    places[random.random_range(0..places.len())].clone()
}

/// Leaves out, doubles or renames a member, or an item of a list.
fn with_a_member_changed(random: &mut StdRng, value: &mut Value, other: &str) {
    match value {
        Value::Object(object) if !object.is_empty() => {
            let at = random.random_range(0..object.len());
            let mut members: Vec<(String, Value)> = std::mem::take(object).into_iter().collect();
            match random.random_range(0..4) {
                0 => drop(members.remove(at)),
                1 => members[at].0 = other.to_owned(),
                2 => members[at].0 = format!(" {}\u{a0}", members[at].0),
                _ => members.reverse(),
            }
            *object = members.into_iter().collect();
        }
        Value::Array(list) if !list.is_empty() => {
            let at = random.random_range(0..list.len());
            match random.random_range(0..4) {
                0 => drop(list.remove(at)),
                1 => list.insert(at, list[at].clone()),
                2 => list.reverse(),
                _ => {
                    let item = list[at].clone();
                    list.extend(std::iter::repeat_n(item, random.random_range(1..100)));
                }
            }
        }
        other => *other = Value::Array(vec![other.take()]),
    }
}

/// One change.
fn change(random: &mut StdRng, document: &mut Value) {
    let mut all = Vec::new();
    places(document, "", &mut all);
    let (place, elsewhere) = (some_place(random, &all), some_place(random, &all));
    let copy = document.pointer(&elsewhere).cloned().unwrap_or(Value::Null);
    let other = elsewhere.rsplit('/').next().unwrap_or_default().to_owned();
    let Some(value_there) = document.pointer_mut(&place) else { return };
    match random.random_range(0..8) {
        0 | 1 => *value_there = value(random, 2),
        2 => *value_there = copy,
        3 => *value_there = Value::Array(vec![value_there.take(), copy]),
        4 => *value_there = Value::Object(Map::from_iter([(other, value_there.take())])),
        5 => *value_there = Value::String(value_there.to_string()),
        _ => with_a_member_changed(random, value_there, &other),
    }
}

/// A document, or one a line, with one to three changes; nothing where it is not JSON.
pub(super) fn drawn(random: &mut StdRng, bytes: &[u8]) -> Option<Vec<u8>> {
    let documents: Result<Vec<Value>, _> = serde_json::Deserializer::from_slice(bytes).into_iter().collect();
    let mut documents = documents.ok().filter(|documents| !documents.is_empty())?;
    for _ in 0..random.random_range(1..4) {
        let at = random.random_range(0..documents.len());
        change(random, &mut documents[at]);
    }
    let is_laid_out = documents.len() == 1 && random.random_bool(0.7);
    let text = |value: &Value| if is_laid_out { format!("{value:#}\n") } else { format!("{value}\n") };
    Some(documents.iter().map(text).collect::<String>().into_bytes())
}
