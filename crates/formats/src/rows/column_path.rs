//! A path from a row to the value of a column inside of it: `answers.text.0`, `messages.-1.content`, `choices[answer]`.
//!
//! Keys are separated by `.`. In a list, a number is an item, counted from 0, or from the end if it is negative; `*` is
//! every item. `choices[answer]` is the item of the list `choices` whose number, or whose letter, is the value of
//! `answer`. `choices.text[choices.label=answerKey]` is the item at the place where the list `choices.label` has the
//! value of `answerKey`.

use evalgraph_json::{JsonDocument, JsonKind, TokenId};

/// The deepest nesting of brackets.
const DEEPEST: usize = 4;

/// A path from a row to a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ColumnPath {
    steps: Vec<PathStep>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum PathStep {
    /// The value of a key, or the item of a list with this number.
    Key(String),
    /// Every item of a list.
    Each,
    /// The item that the value of a column names: by its number or letter, or by its place in a list of labels.
    Chosen { labels: Option<ColumnPath>, by: ColumnPath },
}

/// The values at the end of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FoundValues {
    /// One value.
    One(TokenId),
    /// Several values, which make a list.
    List(Vec<TokenId>),
}

/// A value that names no item of its list.
#[derive(Debug)]
pub(crate) struct ChoiceFault {
    /// What is wrong.
    pub(crate) message: String,
    /// The next step.
    pub(crate) help: Option<String>,
    /// The value.
    pub(crate) value: TokenId,
}

/// The last value that a path reaches in a row, and the part of the path that leads there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReachedValue {
    /// The number of steps.
    pub(crate) steps: usize,
    /// The value.
    pub(crate) value: TokenId,
}

impl ColumnPath {
    /// Reads a path, or returns `None` if the text is not a path.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut rest = text;
        let path = Self::begin(&mut rest, DEEPEST)?;
        rest.is_empty().then_some(path)
    }

    /// Reads a path up to a bracket that closes, or to `=`, or to the end.
    fn begin(rest: &mut &str, depth: usize) -> Option<Self> {
        let mut steps = vec![PathStep::from_key(key(rest)?)];
        loop {
            if let Some(after) = rest.strip_prefix('.') {
                *rest = after;
                steps.push(PathStep::from_key(key(rest)?));
            } else if let Some(after) = rest.strip_prefix('[') {
                *rest = after;
                steps.push(PathStep::chosen(rest, depth.checked_sub(1)?)?);
            } else {
                return Some(Self { steps });
            }
        }
    }

    /// Returns the column of the row in which the path begins.
    pub(crate) fn column(&self) -> &str {
        match self.steps.first() {
            Some(PathStep::Key(key)) => key,
            _ => "*",
        }
    }

    /// Returns the path as text, up to the given number of steps.
    pub(crate) fn text(&self, steps: usize) -> String {
        let mut text = String::new();
        for step in self.steps.iter().take(steps) {
            let key = match step {
                PathStep::Key(key) => key,
                PathStep::Each => "*",
                PathStep::Chosen { labels, by } => {
                    let labels = labels.as_ref().map(|labels| format!("{}=", labels.whole()));
                    text.push_str(&format!("[{}{}]", labels.unwrap_or_default(), by.whole()));
                    continue;
                }
            };
            if !text.is_empty() {
                text.push('.');
            }
            text.push_str(key);
        }
        text
    }

    fn whole(&self) -> String {
        self.text(self.steps.len())
    }

    /// Returns the key that the path has after the given number of steps, if a key is there.
    pub(crate) fn key_after(&self, steps: usize) -> Option<&str> {
        match self.steps.get(steps)? {
            PathStep::Key(key) => Some(key),
            PathStep::Each | PathStep::Chosen { .. } => None,
        }
    }

    /// Returns the path with another key after the given number of steps, and without the rest.
    pub(crate) fn with_key(&self, steps: usize, key: &str) -> String {
        let above = self.text(steps);
        if above.is_empty() { key.to_owned() } else { format!("{above}.{key}") }
    }

    /// Returns the values of a row, or `None` if the row has none at this path. Null is not a value.
    ///
    /// # Errors
    /// If a value in brackets names no item.
    pub(crate) fn values(
        &self,
        document: &JsonDocument,
        row: TokenId,
    ) -> Result<Option<FoundValues>, ChoiceFault> {
        let (mut found, mut is_list) = (vec![row], false);
        for (at, step) in self.steps.iter().enumerate() {
            found = match step {
                PathStep::Key(key) => {
                    found.iter().filter_map(|&value| inner_value(document, value, key)).collect()
                }
                PathStep::Each => {
                    is_list = true;
                    found.iter().flat_map(|&value| document.items(value)).collect()
                }
                PathStep::Chosen { labels, by } => {
                    let list = ListedValues { items: items(document, &found, is_list), path: self.text(at) };
                    let Some(by_values) = by.values(document, row)? else { return Ok(None) };
                    let label_values = match labels {
                        Some(labels) => Some(ListedValues {
                            items: match labels.values(document, row)? {
                                Some(FoundValues::One(value)) => items(document, &[value], false),
                                Some(FoundValues::List(values)) => values,
                                None => return Ok(None),
                            },
                            path: labels.whole(),
                        }),
                        None => None,
                    };
                    let named = match by_values {
                        FoundValues::One(value) if document.is_array(value) => {
                            is_list = true;
                            document.items(value).collect()
                        }
                        FoundValues::One(value) => {
                            is_list = false;
                            vec![value]
                        }
                        FoundValues::List(values) => {
                            is_list = true;
                            values
                        }
                    };
                    if list.items.is_empty() {
                        return Ok(None);
                    }
                    let mut chosen = Vec::with_capacity(named.len());
                    for value in named {
                        let choice = ItemChoice { document, value, by: by.whole() };
                        chosen.extend(match &label_values {
                            Some(labels) => choice.by_label(&list, labels)?,
                            None => choice.by_number(&list)?,
                        });
                    }
                    chosen
                }
            };
            found.retain(|&value| document.kind(value) != JsonKind::Null);
            if found.is_empty() {
                return Ok(None);
            }
        }
        Ok(if is_list {
            Some(FoundValues::List(found))
        } else {
            found.first().copied().map(FoundValues::One)
        })
    }

    /// Returns the last value that the path reaches in a row before a step that leads nowhere.
    pub(crate) fn reached(&self, document: &JsonDocument, row: TokenId) -> ReachedValue {
        let mut reached = ReachedValue { steps: 0, value: row };
        for step in &self.steps {
            let next = match step {
                PathStep::Key(key) => inner_value(document, reached.value, key),
                PathStep::Each => document.items(reached.value).next(),
                PathStep::Chosen { .. } => None,
            };
            let Some(next) = next.filter(|&next| document.kind(next) != JsonKind::Null) else { break };
            reached = ReachedValue { steps: reached.steps + 1, value: next };
        }
        reached
    }
}

impl PathStep {
    fn from_key(key: &str) -> Self {
        if key == "*" { Self::Each } else { Self::Key(key.to_owned()) }
    }

    /// Reads what is in brackets, and the bracket that closes.
    fn chosen(rest: &mut &str, depth: usize) -> Option<Self> {
        let mut by = ColumnPath::begin(rest, depth)?;
        let mut labels = None;
        if let Some(after) = rest.strip_prefix('=') {
            *rest = after;
            labels = Some(std::mem::replace(&mut by, ColumnPath::begin(rest, depth)?));
        }
        *rest = rest.strip_prefix(']')?;
        Some(Self::Chosen { labels, by })
    }
}

/// Reads a key up to the next mark of a path.
fn key<'t>(rest: &mut &'t str) -> Option<&'t str> {
    let end = rest.find(['.', '[', ']', '=']).unwrap_or(rest.len());
    let (key, after) = rest.split_at(end);
    *rest = after;
    (!key.is_empty()).then_some(key)
}

/// Returns the value of a key in an object, or the item of a list with this number.
fn inner_value(document: &JsonDocument, value: TokenId, key: &str) -> Option<TokenId> {
    if document.is_object(value) {
        return document.get(value, key);
    }
    if !document.is_array(value) {
        return None;
    }
    match key.strip_prefix('-') {
        Some(from_end) => {
            let from_end: usize = from_end.parse().ok()?;
            let items: Vec<TokenId> = document.items(value).collect();
            items.len().checked_sub(from_end).and_then(|at| items.get(at).copied())
        }
        None => document.items(value).nth(key.parse().ok()?),
    }
}

/// Returns the items of a list: those of an array, or the values that a path has found.
fn items(document: &JsonDocument, found: &[TokenId], is_list: bool) -> Vec<TokenId> {
    match found {
        [list] if !is_list => document.items(*list).collect(),
        found => found.to_vec(),
    }
}

/// A list, and the path that leads to it.
struct ListedValues {
    items: Vec<TokenId>,
    path: String,
}

/// A value that names an item of a list.
struct ItemChoice<'d> {
    document: &'d JsonDocument,
    value: TokenId,
    /// The path of the value.
    by: String,
}

impl ItemChoice<'_> {
    /// Returns the item with the number or letter that the value is, or `None` if the value is empty.
    fn by_number(&self, list: &ListedValues) -> Result<Option<TokenId>, ChoiceFault> {
        let (by, path) = (&self.by, &list.path);
        let text = self.document.string(self.value);
        let number = match &text {
            None => self.document.number(self.value).and_then(|number| number.parse::<usize>().ok()),
            Some(text) if text.trim().is_empty() => return Ok(None),
            Some(text) => letter_number(text.trim()),
        };
        let shown = self.document.raw(self.value);
        let Some(number) = number else {
            let message = format!("`{by}` is {shown}, neither a number from 0 nor a letter from A");
            // Digits in quotes are numbers from 0 in some datasets, and labels that begin with 1 in others.
            let help = format!("if a list has the labels of `{path}`, name it: `{path}[LABELS={by}]`");
            return Err(ChoiceFault { message, help: Some(help), value: self.value });
        };
        match list.items.get(number) {
            Some(&item) => Ok(Some(item)),
            None => {
                let count = list.items.len();
                let message = format!("`{by}` is {shown}, but `{path}` has {count} values");
                Err(ChoiceFault { message, help: None, value: self.value })
            }
        }
    }

    /// Returns the item at the place where a list of labels has the value, or `None` if the value is empty.
    fn by_label(&self, list: &ListedValues, labels: &ListedValues) -> Result<Option<TokenId>, ChoiceFault> {
        let text = |value: TokenId| match self.document.string(value) {
            Some(text) => text.trim().to_owned(),
            None => self.document.raw(value).to_owned(),
        };
        let label = text(self.value);
        if label.is_empty() {
            return Ok(None);
        }
        let counts = [list.items.len(), labels.items.len()];
        if counts[0] != counts[1] {
            let message =
                format!("`{}` has {} values, but `{}` has {}", list.path, counts[0], labels.path, counts[1]);
            return Err(ChoiceFault { message, help: None, value: self.value });
        }
        let at = labels.items.iter().position(|&known| text(known) == label);
        match at.and_then(|at| list.items.get(at)) {
            Some(&item) => Ok(Some(item)),
            None => {
                let message = format!("`{}` is `{label}`, which `{}` does not have", self.by, labels.path);
                Err(ChoiceFault { message, help: None, value: self.value })
            }
        }
    }
}

/// Returns the number of a letter: 0 for A.
fn letter_number(text: &str) -> Option<usize> {
    match text.as_bytes() {
        [letter] if letter.is_ascii_alphabetic() => Some(usize::from(letter.to_ascii_uppercase() - b'A')),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{ColumnPath, FoundValues};
    use evalgraph_json::{Limits, parse};

    /// The values of a path in a row, as JSON; a fault as its message.
    fn found(row: &str, path: &str) -> String {
        let document = parse("row.json", row.to_owned(), Limits::default()).expect("it is JSON");
        let path = ColumnPath::parse(path).expect("it is a path");
        match path.values(&document, document.root()) {
            Ok(None) => "none".to_owned(),
            Ok(Some(FoundValues::One(value))) => document.raw(value).to_owned(),
            Ok(Some(FoundValues::List(values))) => {
                values.iter().map(|&value| document.raw(value)).collect::<Vec<_>>().join(" ")
            }
            Err(fault) => fault.message,
        }
    }

    #[test]
    fn keys_numbers_and_stars_lead_to_values() {
        let row = r#"{"a": {"b": ["x", null, "z"]}, "l": [{"t": 1}, {"t": 2}, {}]}"#;
        let cases = [
            ("a.b.0", "\"x\""),
            ("a.b.1", "none"),
            ("a.b.-1", "\"z\""),
            ("a.b.-4", "none"),
            ("a.b.3", "none"),
            ("a.b", r#"["x", null, "z"]"#),
            ("a.b.*", "\"x\" \"z\""),
            ("l.*.t", "1 2"),
            ("l.0.t.0", "none"),
            ("a.c", "none"),
            ("a.b.18446744073709551616", "none"),
        ];
        for (path, expected) in cases {
            assert_eq!(found(row, path), expected, "{path}");
        }
    }

    #[test]
    fn a_number_a_letter_or_a_label_names_a_choice() {
        let row = |answer: &str| format!(r#"{{"c": ["x", "y"], "l": ["1", "2"], "a": {answer}}}"#);
        let cases = [
            ("1", "c[a]", "\"y\""),
            ("\"B\"", "c[a]", "\"y\""),
            ("\" b \"", "c[a]", "\"y\""),
            ("\"\"", "c[a]", "none"),
            ("null", "c[a]", "none"),
            ("[0, \"B\"]", "c[a]", "\"x\" \"y\""),
            ("2", "c[a]", "`a` is 2, but `c` has 2 values"),
            ("-1", "c[a]", "`a` is -1, neither a number from 0 nor a letter from A"),
            ("\"1\"", "c[a]", "`a` is \"1\", neither a number from 0 nor a letter from A"),
            ("\"1\"", "c[l=a]", "\"x\""),
            ("2", "c[l=a]", "\"y\""),
            ("\"3\"", "c[l=a]", "`a` is `3`, which `l` does not have"),
            ("0", "d[a]", "none"),
        ];
        for (answer, path, expected) in cases {
            assert_eq!(found(&row(answer), path), expected, "{path} of {answer}");
        }
        let nested = r#"{"q": {"c": [{"t": "x", "l": "A"}, {"t": "y", "l": "B"}]}, "k": "B"}"#;
        assert_eq!(found(nested, "q.c.*.t[q.c.*.l=k]"), "\"y\"");
        assert_eq!(found(nested, "q.c[k].t"), "\"y\"");
    }

    #[test]
    fn other_texts_are_no_paths() {
        for text in ["", ".", "a.", ".a", "a..b", "a[", "a[]", "a[b", "a]", "a=b", "a[b=]", "a[b]c"] {
            assert_eq!(ColumnPath::parse(text), None, "{text}");
        }
        assert_eq!(ColumnPath::parse(&"a[".repeat(1000)), None);
    }
}
