//! Figures about the samples of one or several files: counts by category, persona, difficulty and principle, and their
//! quality.

use super::samples::{TrainingSample, samples};
use super::{CATEGORIES, DIFFICULTIES, KwanzaaSettings, PERSONAS, PRINCIPLES};
use crate::corpus::{Corpus, GoldDocuments};
use crate::named_enum::named_enum;
use crate::named_figures::{NamedFigure, RecordTally, count, fact};
use evalgraph_diagnostics::thousands;
use evalgraph_json::{JsonDocument, TokenId};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Counts by value: first the known values in their order, then others by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownValueCounts {
    known: Vec<(&'static str, u64)>,
    others: BTreeMap<String, u64>,
}

impl KnownValueCounts {
    pub(super) fn new(known: &[&'static str]) -> Self {
        Self { known: known.iter().map(|value| (*value, 0)).collect(), others: BTreeMap::new() }
    }

    pub(super) fn add(&mut self, value: &str) {
        match self.known.iter_mut().find(|(known, _)| *known == value) {
            Some((_, count)) => *count += 1,
            None => match self.others.get_mut(value) {
                Some(count) => *count += 1,
                None => drop(self.others.insert(value.to_owned(), 1)),
            },
        }
    }

    /// Returns the count of a value.
    pub fn get(&self, value: &str) -> u64 {
        let known = self.known.iter().find(|(known, _)| *known == value).map(|(_, count)| *count);
        known.or_else(|| self.others.get(value).copied()).unwrap_or(0)
    }

    /// Returns the values with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        let known = self.known.iter().map(|(value, count)| (*value, *count));
        known.chain(self.others.iter().map(|(value, count)| (value.as_str(), *count)))
    }

    /// Returns the sum of the counts of known values.
    pub(super) fn known(&self) -> u64 {
        self.known.iter().map(|(_, count)| count).sum()
    }

    /// Returns the known values with a count of 0, as a list in text.
    pub(super) fn missing(&self) -> String {
        let missing = self.known.iter().filter(|(_, count)| *count == 0).map(|(value, _)| *value);
        missing.collect::<Vec<_>>().join(", ")
    }

    /// Returns the values with a count above 0, and their counts.
    pub(super) fn counted(&self) -> impl Iterator<Item = (&str, u64)> {
        self.iter().filter(|(_, count)| *count > 0)
    }

    fn to_json(&self) -> Value {
        self.counted().map(|(value, count)| (value.to_owned(), json!(count))).collect()
    }

    /// Returns the counts as a figure.
    pub(super) fn fact(&self, key: &'static str, label: &'static str) -> NamedFigure {
        let shown = self.counted().map(|(value, count)| format!("{value} {}", thousands(count)));
        fact(key, label, shown.collect::<Vec<_>>().join(", "), self.to_json())
    }
}

named_enum! {
    /// The quality of a sample, from the best down.
    pub enum QualityBand {
        /// 0.9 or more.
        Excellent = "excellent",
        /// 0.8 or more.
        Good = "good",
        /// 0.7 or more.
        Acceptable = "acceptable",
        /// Below 0.7: should be revised or removed.
        Revise = "revise or remove",
    }
}

impl QualityBand {
    /// Returns the band of a quality.
    pub fn from_quality(quality: f64, settings: &KwanzaaSettings) -> Self {
        let bands = [
            (settings.excellent_quality, Self::Excellent),
            (settings.good_quality, Self::Good),
            (settings.acceptable_quality, Self::Acceptable),
        ];
        bands.iter().find(|(least, _)| quality >= *least).map_or(Self::Revise, |(_, band)| *band)
    }
}

/// Qualities are added up as integers, in units of 1 over this number: about the precision of a double near 1.
const QUALITY_PARTS: f64 = 1e16;

/// Figures about samples. They are counted; the statistics that a file states are not read.
#[derive(Debug, Clone)]
pub struct SampleStatistics {
    settings: KwanzaaSettings,
    /// The number of samples.
    pub samples: u64,
    /// Samples by category.
    pub categories: KnownValueCounts,
    /// Samples by persona.
    pub personas: KnownValueCounts,
    /// Samples by difficulty.
    pub difficulties: KnownValueCounts,
    /// Samples that have a principle, by principle.
    pub principles: KnownValueCounts,
    /// Samples that have a persona and a principle, by `persona/principle`.
    pub principles_of_personas: KnownValueCounts,
    /// Samples by quality, in the order of [`QualityBand::ALL`].
    pub bands: [u64; 4],
    /// Samples marked as edge cases.
    pub edge_cases: u64,
    /// Samples by the failure mode that they state.
    pub failure_modes: KnownValueCounts,
    /// Samples by the types of content of their documents.
    pub content_types: KnownValueCounts,
    /// Samples by the decades of their documents, each named by its first year.
    pub decades: KnownValueCounts,
    /// Samples by the first word of their question, in lower case.
    pub first_words: KnownValueCounts,
    /// The sum of the qualities in [`QUALITY_PARTS`]. The sum of integers does not depend on the order.
    quality: i128,
    rated: u64,
    lowest: f64,
    highest: f64,
}

impl SampleStatistics {
    /// Creates figures of no samples.
    pub fn new(settings: KwanzaaSettings) -> Self {
        Self {
            settings,
            samples: 0,
            categories: KnownValueCounts::new(&CATEGORIES),
            personas: KnownValueCounts::new(&PERSONAS),
            difficulties: KnownValueCounts::new(&DIFFICULTIES),
            principles: KnownValueCounts::new(&PRINCIPLES),
            principles_of_personas: KnownValueCounts::default(),
            bands: [0; 4],
            edge_cases: 0,
            failure_modes: KnownValueCounts::default(),
            content_types: KnownValueCounts::default(),
            decades: KnownValueCounts::default(),
            first_words: KnownValueCounts::default(),
            quality: 0,
            rated: 0,
            lowest: f64::INFINITY,
            highest: f64::NEG_INFINITY,
        }
    }

    /// Counts the samples of a file.
    pub fn add(&mut self, document: &JsonDocument) {
        for sample in samples(document) {
            self.add_sample(&sample);
        }
    }

    /// Counts some of the samples of a file.
    pub fn add_samples(&mut self, document: &JsonDocument, samples: &[TokenId]) {
        for &token in samples {
            self.add_sample(&TrainingSample { document, token });
        }
    }

    fn add_sample(&mut self, sample: &TrainingSample<'_>) {
        self.samples += 1;
        let count = |counts: &mut KnownValueCounts, path: &[&str]| {
            if let Some(value) = sample.text(path) {
                counts.add(&value);
            }
        };
        count(&mut self.categories, &["category"]);
        count(&mut self.personas, &["persona"]);
        count(&mut self.difficulties, &["metadata", "difficulty"]);
        count(&mut self.failure_modes, &["metadata", "failure_mode"]);
        self.edge_cases += u64::from(sample.boolean(&["metadata", "edge_case"]) == Some(true));
        self.add_principles(sample);
        self.add_diversity(sample);
        if let Some(quality) = sample.number(&["metadata", "quality_score"]) {
            self.bands[QualityBand::from_quality(quality, &self.settings) as usize] += 1;
            // The cast saturates, so a quality far outside its range cannot make the sum overflow.
            self.quality = self.quality.saturating_add((quality * QUALITY_PARTS).round() as i128);
            self.rated += 1;
            self.lowest = self.lowest.min(quality);
            self.highest = self.highest.max(quality);
        }
    }

    /// Counts the types of content and the decades of a sample. One that a sample has twice counts once.
    fn add_diversity(&mut self, sample: &TrainingSample<'_>) {
        let question = sample.text(&["user_query"]).unwrap_or_default();
        if let Some(word) = question.split_whitespace().next() {
            self.first_words.add(&word.to_lowercase());
        }
        let (mut types, mut decades) = (BTreeSet::new(), BTreeSet::new());
        for result in sample.items(&["retrieved_context"]) {
            let Some(metadata) = sample.document.get(result, "metadata") else { continue };
            let content_type = sample.document.get(metadata, "content_type");
            types.extend(content_type.and_then(|value| sample.document.string(value)));
            decades.extend(sample.number_of(metadata, "year").map(|year| (year / 10.0).floor() as i64 * 10));
        }
        types.iter().for_each(|content_type| self.content_types.add(content_type));
        decades.iter().for_each(|decade| self.decades.add(&decade.to_string()));
    }

    /// Counts the principles of a sample. One that a sample names twice counts once.
    fn add_principles(&mut self, sample: &TrainingSample<'_>) {
        let persona = sample.text(&["persona"]);
        let named = sample.items(&["metadata", "principle_focus"]);
        let mut named: Vec<_> = named.filter_map(|item| sample.document.string(item)).collect();
        named.sort();
        named.dedup();
        for principle in named {
            self.principles.add(&principle);
            if let Some(persona) = &persona {
                self.principles_of_personas.add(&format!("{persona}/{principle}"));
            }
        }
    }

    /// Returns the counts that include every sample, each with its key in a file.
    pub(super) fn tables(&self) -> [(&'static str, &KnownValueCounts); 3] {
        [
            ("by_category", &self.categories),
            ("by_persona", &self.personas),
            ("by_difficulty", &self.difficulties),
        ]
    }

    /// Returns the `statistics` of a dataset as JSON.
    pub fn to_json(&self) -> String {
        let total = ("total_samples".to_owned(), json!(self.samples));
        let tables = self.tables().map(|(key, counts)| (key.to_owned(), counts.to_json()));
        [total].into_iter().chain(tables).collect::<Value>().to_string()
    }

    /// Returns the average quality of the samples that have one.
    pub fn average_quality(&self) -> Option<f64> {
        (self.rated > 0).then(|| self.quality as f64 / (self.rated as f64 * QUALITY_PARTS))
    }

    /// Returns the lowest and the highest quality of the samples that have one.
    pub fn range_of_quality(&self) -> Option<(f64, f64)> {
        (self.rated > 0).then_some((self.lowest, self.highest))
    }
}

impl RecordTally for SampleStatistics {
    fn add(&mut self, document: &JsonDocument, _gold: &GoldDocuments) {
        Self::add(self, document);
    }

    fn facts(&self, _corpus: Option<&Corpus>) -> Vec<NamedFigure> {
        let mut facts = vec![
            count("samples", "samples", self.samples),
            self.categories.fact("byCategory", "by category"),
            self.personas.fact("byPersona", "by persona"),
            self.difficulties.fact("byDifficulty", "by difficulty"),
            self.principles.fact("byPrinciple", "by principle"),
        ];
        if let Some(average) = self.average_quality() {
            facts.push(fact("averageQuality", "average quality", format!("{average:.3}"), average));
        }
        facts
    }
}
