//! Values of a graph that a function computes from those of a file, such as a score from a letter.

use evalgraph_json::{JsonDocument, TokenId};

/// A value of a file, and where it is.
#[derive(Debug, Clone, Copy)]
pub struct ValueContext<'d> {
    /// The file.
    pub document: &'d JsonDocument,
    /// The value of the row's key, or the object if the row has no key.
    pub value: TokenId,
    /// The object whose table has the row.
    pub object: TokenId,
    /// The key of the object, if it is an entry of a map.
    pub key: Option<&'d str>,
    /// The object around that object.
    pub outer: Option<TokenId>,
    /// The key of the object around it, if that is an entry of a map.
    pub outer_key: Option<&'d str>,
}

impl<'d> ValueContext<'d> {
    /// Returns a member of the object.
    pub fn member(&self, key: &str) -> Option<TokenId> {
        self.document.get(self.object, key)
    }

    /// Returns the key of the object around it as a text.
    pub fn outer_key_text(&self) -> Option<ComputedValue> {
        let text = self.outer_key?.to_owned();
        Some(ComputedValue { content: ComputedContent::Text(text), found_in: self.value })
    }
}

/// A computed value with the value that it was found in, whose place it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComputedValue {
    /// The value.
    pub content: ComputedContent,
    /// The place of the value.
    pub found_in: TokenId,
}

/// What was computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ComputedContent {
    /// A string.
    Text(String),
    /// A number, as JSON spells it.
    Number(String),
    /// A boolean.
    Truth(bool),
}

impl ComputedValue {
    /// Returns a string that is in the file.
    pub fn string(document: &JsonDocument, value: TokenId) -> Option<Self> {
        let content = ComputedContent::Text(document.string(value)?.into_owned());
        Some(Self { content, found_in: value })
    }

    /// Returns a string, number or boolean that is in the file.
    pub fn scalar(document: &JsonDocument, value: TokenId) -> Option<Self> {
        let content = match document.number(value) {
            Some(number) => ComputedContent::Number(number.to_owned()),
            None if document.is_string(value) => return Self::string(document, value),
            None => ComputedContent::Truth(truth_of(document, value)?),
        };
        Some(Self { content, found_in: value })
    }

    /// Returns a number.
    pub fn number(number: f64, found_in: TokenId) -> Option<Self> {
        let content = ComputedContent::Number(number.is_finite().then(|| number.to_string())?);
        Some(Self { content, found_in })
    }

    /// Returns a text.
    pub fn text(text: impl Into<String>, found_in: TokenId) -> Option<Self> {
        Some(Self { content: ComputedContent::Text(text.into()), found_in })
    }

    /// Returns a time in seconds since 1970 as `xsd:dateTime` has it, without fractions of a second.
    pub fn unix_time(seconds: f64, found_in: TokenId) -> Option<Self> {
        let time = chrono::DateTime::from_timestamp(seconds as i64, 0)?;
        Self::text(time.format("%Y-%m-%dT%H:%M:%SZ").to_string(), found_in)
    }

    /// Returns a boolean.
    pub fn truth(truth: bool, found_in: TokenId) -> Option<Self> {
        Some(Self { content: ComputedContent::Truth(truth), found_in })
    }
}

/// Returns the boolean that a value is.
pub fn truth_of(document: &JsonDocument, value: TokenId) -> Option<bool> {
    match document.raw(value) {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}
