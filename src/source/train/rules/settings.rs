//! What the rules leave to whoever uses them. The documents' own words and numbers are the default.

use crate::diagnostic::Diagnostic;
use crate::json::{Document, TokenId};

/// What the rules leave to whoever uses them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// What stands for an answer in a row that is impossible.
    pub no_answer: Vec<String>,
    /// The keys that a row may have besides those of the documents.
    pub other_keys: Vec<String>,
    /// The id of the first row, from which ids count.
    pub first_id: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { no_answer: vec!["-".to_owned(), String::new()], other_keys: Vec::new(), first_id: 0 }
    }
}

impl Settings {
    /// Reads the settings that an object names; the others are the documents'.
    ///
    /// ```
    /// use evalgraph::json::{Limits, parse};
    /// use evalgraph::source::train::rules::Settings;
    ///
    /// let text = r#"{"no_answer": ["N/A"], "first_id": 1}"#;
    /// let settings = Settings::read(&parse("config.json", text.to_owned(), Limits::default())?)?;
    /// assert_eq!((settings.no_answer, settings.first_id), (vec!["N/A".to_owned()], 1));
    /// # Ok::<(), Box<evalgraph::diagnostic::Diagnostic>>(())
    /// ```
    ///
    /// # Errors
    /// `train::settings` for a key that is no setting, or a value of a wrong type.
    pub fn read(document: &Document) -> Result<Self, Box<Diagnostic>> {
        let mut settings = Self::default();
        let root = document.root();
        if !document.is_object(root) {
            return Err(fault(document, root, "the settings are not an object".to_owned()));
        }
        for member in document.members(root) {
            let (key, value) = (document.symbol_text(member.symbol), member.value);
            match key {
                "no_answer" => settings.no_answer = texts(document, key, value)?,
                "other_keys" => settings.other_keys = texts(document, key, value)?,
                "first_id" => {
                    let number = document.number(value).and_then(|number| number.parse().ok());
                    let wrong = || fault(document, value, format!("`{key}` is no whole number from 0 on"));
                    settings.first_id = number.ok_or_else(wrong)?;
                }
                _ => {
                    let message = format!("`{key}` is no setting; there are no_answer, other_keys, first_id");
                    return Err(fault(document, member.key, message));
                }
            }
        }
        Ok(settings)
    }
}

fn texts(document: &Document, key: &str, list: TokenId) -> Result<Vec<String>, Box<Diagnostic>> {
    let is_text = |item| document.is_string(item);
    if !document.is_array(list) || !document.items(list).all(is_text) {
        return Err(fault(document, list, format!("`{key}` is no array of texts")));
    }
    Ok(document.items(list).filter_map(|item| document.string(item)).map(|text| text.into_owned()).collect())
}

fn fault(document: &Document, token: TokenId, message: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("train::settings", message).at(document.place(token)))
}
