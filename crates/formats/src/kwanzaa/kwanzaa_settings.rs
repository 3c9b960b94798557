//! The numbers with which rules and figures compare. The defaults are those of the format's documents.

use crate::checking::settings_reader::{FromZero, SettingsReader};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::JsonDocument;

/// Thresholds of rules and figures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KwanzaaSettings {
    /// A citation sample needs a score above this.
    pub citation_score: f64,
    /// The scores of a refusal must be below this, according to the documents.
    pub refusal_score: f64,
    /// The scores of a refusal must not be above this, according to the shipped code.
    pub refusal_score_of_code: f64,
    /// The least number of results and of sources for a grounded answer.
    pub grounded_sources: u64,
    /// The least quality of an excellent sample.
    pub excellent_quality: f64,
    /// The least quality of a good sample, which the average should also reach.
    pub good_quality: f64,
    /// A sample with a quality below this should be revised or removed.
    pub acceptable_quality: f64,
    /// The least number of samples in each category.
    pub samples_of_category: u64,
    /// The least number of samples in total.
    pub samples_in_all: u64,
}

impl Default for KwanzaaSettings {
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

impl KwanzaaSettings {
    /// Reads the thresholds that an object names. The others keep their defaults.
    ///
    /// ```
    /// use evalgraph_json::{Limits, parse};
    /// use evalgraph_formats::kwanzaa::KwanzaaSettings;
    ///
    /// let document = parse("config.json", r#"{"refusal_score": 0.6}"#.to_owned(), Limits::default())?;
    /// let settings = KwanzaaSettings::read(&document)?;
    /// assert_eq!(settings, KwanzaaSettings { refusal_score: 0.6, ..KwanzaaSettings::default() });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `kwanzaa::settings` for a key that is not a threshold, or a value that is negative or not a number.
    pub fn read(document: &JsonDocument) -> Result<Self, Box<Diagnostic>> {
        let mut settings = Self::default();
        SettingsReader { document, code: "kwanzaa::settings" }.read(&mut [
            ("citation_score", &mut FromZero(&mut settings.citation_score)),
            ("refusal_score", &mut FromZero(&mut settings.refusal_score)),
            ("refusal_score_of_code", &mut FromZero(&mut settings.refusal_score_of_code)),
            ("grounded_sources", &mut settings.grounded_sources),
            ("excellent_quality", &mut FromZero(&mut settings.excellent_quality)),
            ("good_quality", &mut FromZero(&mut settings.good_quality)),
            ("acceptable_quality", &mut FromZero(&mut settings.acceptable_quality)),
            ("samples_of_category", &mut settings.samples_of_category),
            ("samples_in_all", &mut settings.samples_in_all),
        ])?;
        Ok(settings)
    }
}
