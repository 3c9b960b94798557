//! Pairs the samples of two sides: by their ids, or else by the texts of their questions. Samples are never paired by
//! their positions.

use hashbrown::HashMap;

use super::run_sides::{RunSide, SideSample};
use super::run_table::NameNumber;

/// The pairs of samples of two sides, and the samples without a partner. Samples are given by their indices in their
/// side.
#[derive(Debug, Default)]
pub struct SamplePairing {
    /// The pairs, in the order of the first side.
    pub pairs: Vec<PairedSample>,
    /// How many pairs were found by the text of the question.
    pub by_text: usize,
    /// How many samples of the first side have the id of a sample of the second, but another question.
    pub other_questions: usize,
    /// The samples that only the first side has.
    pub only_first: Vec<usize>,
    /// The samples that only the second side has.
    pub only_second: Vec<usize>,
    /// Both sides have one task each, with different names, which were taken as one task.
    pub has_renamed_task: bool,
}

/// A sample that both sides have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairedSample {
    /// The sample of the first side.
    pub first: usize,
    /// The sample of the second side.
    pub second: usize,
}

/// Finds the partner of a sample in one way.
type PairKey = (Option<NameNumber>, Option<NameNumber>, Option<u128>);

impl SamplePairing {
    /// Pairs the samples of two sides within each task. A sample has the partner with the same id and question; if a
    /// question is not known, the one with the same id; else the one with the same question.
    ///
    /// Cost: linear in the number of samples.
    pub fn new(first: &RunSide, second: &RunSide) -> Self {
        let mut pairing = Self::default();
        // Names of tasks differ between harnesses: a single task on each side is the same task.
        let is_one_task = first.tasks.len() <= 1 && second.tasks.len() <= 1;
        pairing.has_renamed_task =
            is_one_task && first.tasks != second.tasks && !first.tasks.is_empty() && !second.tasks.is_empty();
        let task = |sample: &SideSample| if is_one_task { None } else { sample.task };
        let mut partners: Vec<Option<usize>> = vec![None; first.samples.len()];
        let mut is_taken = vec![false; second.samples.len()];
        let mut pass = |key: &dyn Fn(&SideSample) -> Option<PairKey>,
                        fits: &dyn Fn(&SideSample, &SideSample) -> bool| {
            let mut known: HashMap<PairKey, usize> = HashMap::with_capacity(second.samples.len());
            for (at, sample) in second.samples.iter().enumerate().filter(|(at, _)| !is_taken[*at]) {
                if let Some(key) = key(sample) {
                    known.entry(key).or_insert(at);
                }
            }
            let mut found = 0;
            for (at, sample) in first.samples.iter().enumerate() {
                if partners[at].is_some() {
                    continue;
                }
                let partner = key(sample).and_then(|key| known.get(&key).copied());
                let partner = partner.filter(|&partner| !is_taken[partner]);
                if let Some(partner) = partner.filter(|&partner| fits(sample, &second.samples[partner])) {
                    partners[at] = Some(partner);
                    is_taken[partner] = true;
                    found += 1;
                }
            }
            found
        };
        pass(&|sample| Some((task(sample), Some(sample.sample?), sample.question)), &|_, _| true);
        let is_unknown =
            |first: &SideSample, second: &SideSample| first.question.is_none() || second.question.is_none();
        pass(&|sample| Some((task(sample), Some(sample.sample?), None)), &is_unknown);
        pairing.by_text = pass(&|sample| Some((task(sample), None, Some(sample.question?))), &|_, _| true);
        let ids: HashMap<PairKey, usize> = second
            .samples
            .iter()
            .enumerate()
            .filter_map(|(at, sample)| Some(((task(sample), Some(sample.sample?), None), at)))
            .collect();
        for (at, (sample, partner)) in first.samples.iter().zip(&partners).enumerate() {
            match partner {
                Some(partner) => pairing.pairs.push(PairedSample { first: at, second: *partner }),
                None => pairing.only_first.push(at),
            }
            let same_id = sample.sample.and_then(|id| ids.get(&(task(sample), Some(id), None)));
            let is_other = |other: &SideSample| {
                sample.question.is_some() && other.question.is_some() && sample.question != other.question
            };
            pairing.other_questions +=
                usize::from(same_id.is_some_and(|other| is_other(&second.samples[*other])));
        }
        let lone = is_taken.iter().enumerate().filter(|(_, is_taken)| !**is_taken);
        pairing.only_second = lone.map(|(at, _)| at).collect();
        pairing
    }
}
