//! The numbers that rules and figures compare with. The documents' own are the default.

use crate::diagnostic::Diagnostic;
use crate::json::Document;

/// Thresholds of rules and figures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// A citation sample has a score above this.
    pub citation_score: f64,
    /// The scores of a refusal are below this, in the documents.
    pub refusal_score: f64,
    /// The scores of a refusal are not above this, in the shipped code.
    pub refusal_score_of_code: f64,
    /// How many results and sources a grounded answer has at least.
    pub grounded_sources: usize,
    /// The quality from which on a sample is excellent.
    pub excellent_quality: f64,
    /// The quality from which on a sample is good, and which the average should reach.
    pub good_quality: f64,
    /// The quality below which a sample is to be revised or removed.
    pub acceptable_quality: f64,
    /// How many samples each category has at least.
    pub samples_of_category: u64,
    /// How many samples there are at least in all.
    pub samples_in_all: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            citation_score: 0.8,
            refusal_score: 0.7,
            refusal_score_of_code: 0.75,
            grounded_sources: 2,
            excellent_quality: 0.9,
            good_quality: 0.8,
            acceptable_quality: 0.7,
            samples_of_category: 5,
            samples_in_all: 40,
        }
    }
}

impl Settings {
    /// Reads the thresholds that an object names; the others are the documents'.
    ///
    /// ```
    /// use evalgraph::json::{Limits, parse};
    /// use evalgraph::source::kwanzaa::Settings;
    ///
    /// let document = parse("config.json", r#"{"refusal_score": 0.6}"#.to_owned(), Limits::default())?;
    /// let settings = Settings::read(&document)?;
    /// assert_eq!(settings, Settings { refusal_score: 0.6, ..Settings::default() });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `kwanzaa::settings` for a key that is no threshold, or a value that is no number.
    pub fn read(document: &Document) -> Result<Self, Box<Diagnostic>> {
        let mut settings = Self::default();
        let root = document.root();
        let fault = |token, message: String| {
            Diagnostic::error("kwanzaa::settings", message).at(document.place(token))
        };
        if !document.is_object(root) {
            return Err(Box::new(fault(root, "the settings are not an object".to_owned())));
        }
        for member in document.members(root) {
            let key = document.symbol_text(member.symbol);
            let number = document.number(member.value).and_then(|number| number.parse::<f64>().ok());
            let Some(number) = number.filter(|number| *number >= 0.0) else {
                return Err(Box::new(fault(member.value, format!("`{key}` is no number from 0 on"))));
            };
            if !settings.set(key, number) {
                return Err(Box::new(fault(member.key, format!("`{key}` is no threshold"))));
            }
        }
        Ok(settings)
    }

    fn set(&mut self, key: &str, number: f64) -> bool {
        match key {
            "citation_score" => self.citation_score = number,
            "refusal_score" => self.refusal_score = number,
            "refusal_score_of_code" => self.refusal_score_of_code = number,
            "grounded_sources" => self.grounded_sources = number as usize,
            "excellent_quality" => self.excellent_quality = number,
            "good_quality" => self.good_quality = number,
            "acceptable_quality" => self.acceptable_quality = number,
            "samples_of_category" => self.samples_of_category = number as u64,
            "samples_in_all" => self.samples_in_all = number as u64,
            _ => return false,
        }
        true
    }
}
