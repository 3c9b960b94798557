//! Merges datasets into one: appends their samples, and counts the statistics again.

use super::samples::{TrainingSample, samples};
use super::{KwanzaaSettings, SampleStatistics};
use crate::counts::ConversionCounts;
use crate::numbering::NameNumbering;
use crate::rewriting::{JsonStyle, StyledJson};
use evalgraph_diagnostics::{Diagnostic, SourceText};
use evalgraph_json::{JsonDocument, TokenId};
use std::collections::HashMap;

/// A dataset to merge.
#[derive(Debug, Clone, Copy)]
pub struct DatasetPart<'d> {
    /// Its document.
    pub document: &'d JsonDocument,
    /// The path of its file.
    pub path: &'d str,
    /// `true` if the ids of its samples come from its file. Generated ids may be replaced by others.
    pub has_own_ids: bool,
}

/// The merged dataset.
#[derive(Debug)]
pub struct MergedDataset {
    /// The dataset as JSON.
    pub json: String,
    /// The values that were filled in, with their counts.
    pub defaults: ConversionCounts,
    /// The differences between the merged dataset and its parts, each with the index of the part.
    pub losses: Vec<(usize, String)>,
}

/// A value in one of the datasets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct PartValue {
    /// The index of the dataset.
    part: usize,
    token: TokenId,
}

/// Merges datasets in their order. Where their own members differ, the value of the first dataset is kept; if
/// `created_at` differs, it becomes `time`.
///
/// # Errors
/// `kwanzaa::clash` with both places if two files have the same `sample_id`.
pub fn merged(parts: &[DatasetPart<'_>], time: &str) -> Result<MergedDataset, Box<Diagnostic>> {
    let ids = distinct_ids(parts)?;
    let json = StyledJson::new(JsonStyle::default());
    let mut merger = DatasetMerger { parts, json, defaults: ConversionCounts::new(), losses: Vec::new() };
    merger.json.open('{');
    merger.head(time);
    merger.statistics();
    merger.json.key("samples").open('[');
    for (part, dataset) in parts.iter().enumerate() {
        for sample in samples(dataset.document) {
            merger.sample(&sample, ids.get(&PartValue { part, token: sample.token }));
        }
    }
    merger.json.close(']');
    merger.json.close('}');
    let DatasetMerger { json, defaults, losses, .. } = merger;
    Ok(MergedDataset { json: json.finish() + "\n", defaults, losses })
}

/// Returns new ids for the samples with a generated id that another sample also has.
fn distinct_ids(parts: &[DatasetPart<'_>]) -> Result<HashMap<PartValue, String>, Box<Diagnostic>> {
    let mut taken: HashMap<String, PartValue> = HashMap::new();
    let with_ids = |is_own: bool| {
        let chosen = parts.iter().enumerate().filter(move |(_, part)| part.has_own_ids == is_own);
        chosen.flat_map(|(at, part)| {
            samples(part.document).filter_map(move |sample| Some((at, sample, sample.text(&["sample_id"])?)))
        })
    };
    for (part, sample, id) in with_ids(true) {
        let value = PartValue { part, token: sample.at(&["sample_id"]).unwrap_or(sample.token) };
        // An id that occurs twice in one file is reported by the rules.
        match taken.get(id.as_ref()) {
            Some(&first) if first.part != part => return Err(clash(parts, &id, first, value)),
            Some(_) => {}
            None => drop(taken.insert(id.into_owned(), value)),
        }
    }
    let (mut made, mut numbering) = (HashMap::new(), NameNumbering::default());
    for (part, sample, id) in with_ids(false) {
        let value = PartValue { part, token: sample.token };
        let named = |number| if number == 1 { id.clone().into_owned() } else { format!("{id}_{number}") };
        let free = numbering.free(&id, 1, named, |id| !taken.contains_key(id));
        if free != id {
            made.insert(value, free.clone());
        }
        taken.insert(free, value);
    }
    Ok(made)
}

fn clash(parts: &[DatasetPart<'_>], id: &str, first: PartValue, second: PartValue) -> Box<Diagnostic> {
    let place = |PartValue { part, token }| {
        let DatasetPart { document, path, .. } = parts[part];
        document.place_in(&SourceText::new(path, document.text().as_bytes()), token)
    };
    let there = place(first);
    let message = format!("`{id}` is also the id of a sample in {}:{}", there.source, there.line);
    let fault = Diagnostic::error("kwanzaa::clash", message).at(place(second));
    let fault = fault.with_related(there, "the first one");
    Box::new(fault.with_help("write each input to its own file: `-o DIR/`"))
}

struct DatasetMerger<'p, 'd> {
    parts: &'p [DatasetPart<'d>],
    json: StyledJson,
    defaults: ConversionCounts,
    losses: Vec<(usize, String)>,
}

impl DatasetMerger<'_, '_> {
    /// Writes the members of the dataset itself, without samples and statistics.
    fn head(&mut self, time: &str) {
        let mut keys: Vec<&str> = Vec::new();
        for part in self.parts {
            for member in part.document.members(part.document.root()) {
                let key = part.document.symbol_text(member.symbol);
                if !keys.contains(&key) && !matches!(key, "samples" | "statistics") {
                    keys.push(key);
                }
            }
        }
        for key in keys {
            let values = self.parts.iter().enumerate();
            let values: Vec<(usize, &JsonDocument, TokenId)> = values
                .filter_map(|(at, part)| {
                    Some((at, part.document, part.document.get(part.document.root(), key)?))
                })
                .collect();
            let &[(_, document, first), ref others @ ..] = values.as_slice() else { continue };
            let is_other = |&&(_, other, value): &&(usize, &JsonDocument, TokenId)| {
                other.raw(value) != document.raw(first)
            };
            self.json.key(key);
            if key == "created_at" && others.iter().any(|other| is_other(&other)) {
                self.json.string(time);
                self.defaults.add("`created_at` is the time of the conversion");
                continue;
            }
            self.json.json(document, first);
            let lost = others.iter().filter(is_other).map(|&(at, ..)| (at, format!("another `{key}`")));
            self.losses.extend(lost);
        }
    }

    fn statistics(&mut self) {
        let mut counted = SampleStatistics::new(KwanzaaSettings::default());
        self.parts.iter().for_each(|part| counted.add(part.document));
        self.json.key("statistics").json_text(&counted.to_json());
    }

    fn sample(&mut self, sample: &TrainingSample<'_>, id: Option<&String>) {
        let document = sample.document;
        self.json.item();
        let Some(id) = id else { return self.json.json(document, sample.token) };
        self.defaults.add("`sample_id` ends in a number, because another sample has the same id");
        self.json.open('{');
        for member in document.members(sample.token) {
            let key = document.symbol_text(member.symbol);
            self.json.key(key);
            match key {
                "sample_id" => self.json.string(id),
                _ => self.json.json(document, member.value),
            }
        }
        self.json.close('}');
    }
}
