//! Cases are made small by leaving out what the difference does not need: lines of the data, parts of the text
//! between brackets that match, members and items of JSON. Nothing is known of how a case was drawn.

use super::data::Case;
use serde_json::Value;

/// A case of which smaller ones can be made.
pub(crate) trait Shrinkable: Sized + Clone {
    /// The smaller case of a number; `None` beyond the last.
    fn smaller(&self, number: usize) -> Option<Self>;
}

/// The smallest case that can be reached for which something is still true.
pub(crate) fn made_small<C: Shrinkable>(case: C, mut still: impl FnMut(&C) -> bool) -> C {
    let mut case = case;
    // Enough for what is drawn here; beyond it the case is shown as large as it is.
    let mut tries = 4_000;
    loop {
        let (mut number, mut is_smaller) = (0, false);
        while let Some(candidate) = case.smaller(number).filter(|_| tries > 0) {
            tries -= 1;
            if still(&candidate) {
                (case, is_smaller) = (candidate, true);
            } else {
                number += 1;
            }
        }
        if !is_smaller {
            return case;
        }
    }
}

impl Shrinkable for Case {
    fn smaller(&self, number: usize) -> Option<Self> {
        let tokens = tokens(&self.text);
        let spans = removable(&tokens);
        if let Some(kept) = spans.get(number) {
            let mut left: Vec<_> = tokens.clone();
            for span in kept.iter().rev() {
                left.drain(span.clone());
            }
            return Some(Self { text: left.join(" "), ..self.clone() });
        }
        let mut lines = self.lines.clone();
        let line = number - spans.len();
        (line < lines.len()).then(|| {
            lines.remove(line);
            Self { lines, ..self.clone() }
        })
    }
}

/// The words of a query: brackets, texts with what hangs on them, and what stands between spaces.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let quoted =
            if first == '"' { 1 + rest[1..].find('"').map_or(rest.len() - 1, |end| end + 1) } else { 0 };
        let end = match first {
            '{' | '}' | '(' | ')' => 1,
            _ => quoted + rest[quoted..].find([' ', '{', '}', '(', ')']).unwrap_or(rest.len() - quoted),
        };
        tokens.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    tokens
}

/// Parts that can go: spans whose brackets match, longest first, and pairs of brackets.
fn removable(tokens: &[&str]) -> Vec<Vec<std::ops::Range<usize>>> {
    let mut spans = Vec::new();
    let mut pairs = Vec::new();
    for start in 0..tokens.len() {
        let mut depth = 0_i32;
        for end in start..tokens.len() {
            match tokens[end] {
                "{" | "(" => depth += 1,
                "}" | ")" => depth -= 1,
                _ => {}
            }
            if depth < 0 {
                break;
            }
            if depth == 0 {
                spans.push(start..end + 1);
                if end > start
                    && matches!(tokens[start], "{" | "(")
                    && pairs.last().is_none_or(|&(first, _)| first != start)
                {
                    pairs.push((start, end));
                }
            }
        }
    }
    spans.sort_by_key(|span| std::cmp::Reverse(span.len()));
    let pairs = pairs.into_iter().map(|(start, end)| vec![start..start + 1, end..end + 1]);
    spans.into_iter().map(|span| vec![span]).chain(pairs).collect()
}

impl Shrinkable for Value {
    fn smaller(&self, number: usize) -> Option<Self> {
        let mut number = number;
        smaller_value(self, &mut number)
    }
}

/// Counts down through the changes of a value, its children's after its own.
fn smaller_value(value: &Value, number: &mut usize) -> Option<Value> {
    let children: Vec<(Value, &Value)> = match value {
        Value::Array(items) => {
            items.iter().enumerate().map(|(place, item)| (Value::from(place), item)).collect()
        }
        Value::Object(members) => {
            members.iter().map(|(key, item)| (Value::from(key.as_str()), item)).collect()
        }
        _ => return None,
    };
    let replaced = |place: &Value, item: Option<Value>| {
        let mut value = value.clone();
        match (&mut value, place, item) {
            (Value::Array(items), Value::Number(place), item) => {
                let place = place.as_u64().expect("a place") as usize;
                items.splice(place..=place, item);
            }
            (Value::Object(members), Value::String(key), Some(item)) => {
                drop(members.insert(key.clone(), item));
            }
            (Value::Object(members), Value::String(key), None) => drop(members.shift_remove(key)),
            _ => unreachable!("a child has the place of its kind"),
        }
        value
    };
    for (place, child) in &children {
        // Without the child, and with what is in it in its place.
        if *number == 0 {
            return Some(replaced(place, None));
        }
        *number -= 1;
        // Parts of a context mean something else outside of it.
        let inner: Vec<Value> = match child {
            Value::Array(items) if items.len() == 1 => items.clone(),
            Value::Object(members)
                if place != "@context" && place != "document" && !members.contains_key("@id") =>
            {
                members.values().filter(|inner| inner.is_object() || inner.is_array()).cloned().collect()
            }
            Value::String(text) => without_a_line(text),
            _ => Vec::new(),
        };
        for item in inner {
            if *number == 0 {
                return Some(replaced(place, Some(item)));
            }
            *number -= 1;
        }
    }
    for (place, child) in &children {
        if let Some(smaller) = smaller_value(child, number) {
            return Some(replaced(place, Some(smaller)));
        }
    }
    None
}

/// A text of several lines, without one of them.
fn without_a_line(text: &str) -> Vec<Value> {
    let lines: Vec<&str> = text.lines().collect();
    let without = |left: usize| {
        let kept = lines.iter().enumerate().filter(|(number, _)| *number != left);
        Value::from(kept.map(|(_, line)| format!("{line}\n")).collect::<String>())
    };
    if lines.len() < 2 { Vec::new() } else { (0..lines.len()).map(without).collect() }
}

#[test]
fn a_case_is_as_small_as_its_difference_allows() {
    let lines = ["<e:a> <e:p> \"( {\" .", "<e:b> <e:q> <e:c> ."].map(str::to_owned).to_vec();
    let text = "SELECT * { { ?x <e:p> ?y . OPTIONAL { ?x <e:q> ?z } } FILTER ( ?y = \"a }\" ) }".to_owned();
    let small = made_small(Case { lines, text, union: true }, |case| {
        case.text.contains("FILTER ( ?y")
            && case.text.matches('{').count() == case.text.matches('}').count()
            && case.lines.iter().any(|line| line.contains("<e:b>"))
    });
    assert_eq!((small.text.as_str(), small.lines.len()), ("FILTER ( ?y )", 1));
    let value = serde_json::json!({"a": [1, {"b": {"c": 2, "d": 3}}], "e": 4});
    assert_eq!(
        made_small(value, |value| value.to_string().contains("\"d\"")).to_string(),
        "{\"a\":{\"d\":3}}"
    );
}
