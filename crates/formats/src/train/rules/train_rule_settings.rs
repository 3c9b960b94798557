//! The settings that the rules leave to the user. The words and numbers of the documents are the defaults.

use crate::checking::settings_reader::SettingsReader;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::JsonDocument;

/// The settings that the rules leave to the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainRuleSettings {
    /// The strings that an impossible row may have in place of an answer.
    pub no_answer: Vec<String>,
    /// The keys that a row may have besides those of the documents.
    pub other_keys: Vec<String>,
    /// The id of the first row. Ids count up from it.
    pub first_id: u64,
}

impl Default for TrainRuleSettings {
    fn default() -> Self {
        Self { no_answer: vec!["-".to_owned(), String::new()], other_keys: Vec::new(), first_id: 0 }
    }
}

impl TrainRuleSettings {
    /// Reads the settings that an object names. The others keep their defaults.
    ///
    /// ```
    /// use evalgraph_json::{Limits, parse};
    /// use evalgraph_formats::train::rules::TrainRuleSettings;
    ///
    /// let text = r#"{"no_answer": ["N/A"], "first_id": 1}"#;
    /// let settings = TrainRuleSettings::read(&parse("config.json", text.to_owned(), Limits::default())?)?;
    /// assert_eq!((settings.no_answer, settings.first_id), (vec!["N/A".to_owned()], 1));
    /// # Ok::<(), Box<evalgraph_diagnostics::Diagnostic>>(())
    /// ```
    ///
    /// # Errors
    /// `train::settings` for a key that is not a setting, or a value with a wrong type.
    pub fn read(document: &JsonDocument) -> Result<Self, Box<Diagnostic>> {
        let mut settings = Self::default();
        SettingsReader { document, code: "train::settings" }.read(&mut [
            ("no_answer", &mut settings.no_answer),
            ("other_keys", &mut settings.other_keys),
            ("first_id", &mut settings.first_id),
        ])?;
        Ok(settings)
    }
}
