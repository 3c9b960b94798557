//! Figures of the samples of one or several files: counts by category, persona, difficulty and
//! principle, and how good they are.

use super::samples::{TrainingSample, samples};
use super::{CATEGORIES, DIFFICULTIES, KwanzaaSettings, PERSONAS, PRINCIPLES};
use crate::named_enum::named_enum;
use crate::named_figures::{NamedFigure, RecordTally, count, fact};
use crate::train::Corpus;
use crate::train::retrieval_figures::GoldDocuments;
use evalgraph_diagnostics::thousands;
use evalgraph_json::{JsonDocument, TokenId};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Counts by value: the known values first, in their order, others by name.
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

    /// Tells how often a value was counted.
    pub fn get(&self, value: &str) -> u64 {
        let known = self.known.iter().find(|(known, _)| *known == value).map(|(_, count)| *count);
        known.or_else(|| self.others.get(value).copied()).unwrap_or(0)
    }

    /// The values with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        let known = self.known.iter().map(|(value, count)| (*value, *count));
        known.chain(self.others.iter().map(|(value, count)| (value.as_str(), *count)))
    }

    /// How often known values were counted.
    pub(super) fn known(&self) -> u64 {
        self.known.iter().map(|(_, count)| count).sum()
    }

    /// The known values that were not counted, in a row.
    pub(super) fn missing(&self) -> String {
        let missing = self.known.iter().filter(|(_, count)| *count == 0).map(|(value, _)| *value);
        missing.collect::<Vec<_>>().join(", ")
    }

    /// The values that were counted, with their counts.
    pub(super) fn counted(&self) -> impl Iterator<Item = (&str, u64)> {
        self.iter().filter(|(_, count)| *count > 0)
    }

    fn to_json(&self) -> Value {
        self.counted().map(|(value, count)| (value.to_owned(), json!(count))).collect()
    }

    /// The counts as a figure.
    pub(super) fn fact(&self, key: &'static str, label: &'static str) -> NamedFigure {
        let shown = self.counted().map(|(value, count)| format!("{value} {}", thousands(count)));
        fact(key, label, shown.collect::<Vec<_>>().join(", "), self.to_json())
    }
}

named_enum! {
    /// Tells how good a sample is, from the best on.
    pub enum QualityBand {
        /// From 0.9 on.
        Excellent = "excellent",
        /// From 0.8 on.
        Good = "good",
        /// From 0.7 on.
        Acceptable = "acceptable",
        /// Below: to be revised or removed.
        Revise = "revise or remove",
    }
}

impl QualityBand {
    /// The band of a quality.
    pub fn from_quality(quality: f64, settings: &KwanzaaSettings) -> Self {
        let bands = [
            (settings.excellent_quality, Self::Excellent),
            (settings.good_quality, Self::Good),
            (settings.acceptable_quality, Self::Acceptable),
        ];
        bands.iter().find(|(least, _)| quality >= *least).map_or(Self::Revise, |(_, band)| *band)
    }
}

/// The parts of 1 in which qualities are added up: as fine as a number near 1 can be told from its neighbours.
const QUALITY_PARTS: f64 = 1e16;

/// Figures of samples, counted anew: the statistics that a file states are not read.
#[derive(Debug, Clone)]
pub struct SampleStatistics {
    settings: KwanzaaSettings,
    /// How many samples.
    pub samples: u64,
    /// Samples by category.
    pub categories: KnownValueCounts,
    /// Samples by persona.
    pub personas: KnownValueCounts,
    /// Samples by difficulty.
    pub difficulties: KnownValueCounts,
    /// Samples that have a principle, by principle.
    pub principles: KnownValueCounts,
    /// Samples that speak to a persona and have a principle, by `persona/principle`.
    pub principles_of_personas: KnownValueCounts,
    /// Samples by how good they are, as [`QualityBand::ALL`].
    pub bands: [u64; 4],
    /// Samples marked as edge cases.
    pub edge_cases: u64,
    /// Samples by the failure that they say they show.
    pub failure_modes: KnownValueCounts,
    /// Samples with a document of a type, by the type of content.
    pub content_types: KnownValueCounts,
    /// Samples with a document of a decade, by its first year.
    pub decades: KnownValueCounts,
    /// Samples by the first word of their question, in lower case.
    pub first_words: KnownValueCounts,
    /// The sum of the qualities in [`QUALITY_PARTS`], so that the order of adding does not matter.
    quality: i128,
    rated: u64,
    lowest: f64,
    highest: f64,
}

impl SampleStatistics {
    /// Nothing counted yet.
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
            // The cast saturates: qualities far outside of their range take nothing from the others.
            self.quality = self.quality.saturating_add((quality * QUALITY_PARTS).round() as i128);
            self.rated += 1;
            self.lowest = self.lowest.min(quality);
            self.highest = self.highest.max(quality);
        }
    }

    /// Counts what the samples are about: a type or decade that a sample has twice counts once.
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

    /// A principle that a sample names twice counts once.
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

    /// The counts that include every sample, each by its key in a file.
    pub(super) fn tables(&self) -> [(&'static str, &KnownValueCounts); 3] {
        [
            ("by_category", &self.categories),
            ("by_persona", &self.personas),
            ("by_difficulty", &self.difficulties),
        ]
    }

    /// The `statistics` of a dataset, as JSON.
    pub fn to_json(&self) -> String {
        let total = ("total_samples".to_owned(), json!(self.samples));
        let tables = self.tables().map(|(key, counts)| (key.to_owned(), counts.to_json()));
        [total].into_iter().chain(tables).collect::<Value>().to_string()
    }

    /// The average quality of the samples that have one.
    pub fn average_quality(&self) -> Option<f64> {
        (self.rated > 0).then(|| self.quality as f64 / (self.rated as f64 * QUALITY_PARTS))
    }

    /// The lowest and the highest quality of the samples that have one.
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
