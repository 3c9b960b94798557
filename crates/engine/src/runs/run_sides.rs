//! The sides of a comparison: which results belong to each, and its samples, with repeats averaged.

use std::ops::Range;

use hashbrown::HashMap;

use super::run_table::{HeldResult, NameNumber, RunTable};
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{Diagnostic, thousands};

/// What distinguishes the sides of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SideKey {
    /// Each argument is a side.
    Argument,
    /// Each model is a side.
    Model,
    /// Each run is a side.
    Run,
}

/// The results of one side: a model, a run, or what an argument names.
#[derive(Debug)]
pub struct RunSide {
    /// Its name: that of the argument, the model or the run.
    pub name: String,
    /// The number of results.
    pub results: usize,
    /// The models that the results name.
    pub models: Vec<NameNumber>,
    /// The tasks that the results name.
    pub tasks: Vec<NameNumber>,
    /// The samples, in the order in which they appear.
    pub samples: Vec<SideSample>,
    scores: Vec<MeanScore>,
}

/// A sample with the results of one side. A sample that ran several times has one score for each metric: the mean.
#[derive(Debug, Clone)]
pub struct SideSample {
    /// The task.
    pub task: Option<NameNumber>,
    /// The id.
    pub sample: Option<NameNumber>,
    /// The key of the question's text.
    pub question: Option<u128>,
    /// The group of samples that depend on each other.
    pub group: Option<NameNumber>,
    /// The index of its first result in the table.
    pub first: usize,
    /// How often it ran.
    pub repeats: u32,
    scores: Range<usize>,
}

/// The mean score of a sample for a metric.
#[derive(Debug, Clone, Copy)]
pub struct MeanScore {
    /// The metric.
    pub metric: NameNumber,
    sum: f64,
    count: u32,
}

impl MeanScore {
    /// Returns the mean of the scores.
    pub fn value(&self) -> f64 {
        self.sum / f64::from(self.count)
    }
}

impl RunSide {
    /// Collects the samples of some results of a table, which are given by their indices.
    pub fn new(name: String, results: &[usize], table: &RunTable) -> Self {
        let mut side = Self {
            name,
            results: 0,
            models: Vec::new(),
            tasks: Vec::new(),
            samples: Vec::new(),
            scores: Vec::new(),
        };
        let mut known: HashMap<SampleKey, usize> = HashMap::with_capacity(results.len());
        let mut members: Vec<Vec<usize>> = Vec::new();
        for &at in results {
            let result = &table.results[at];
            if result.is_joined {
                continue;
            }
            side.results += 1;
            add_once(&mut side.models, result.model);
            add_once(&mut side.tasks, result.task);
            let sample = match SampleKey::from_result(result) {
                Some(key) => *known.entry(key).or_insert(side.samples.len()),
                None => side.samples.len(),
            };
            if sample == side.samples.len() {
                side.samples.push(SideSample {
                    task: result.task,
                    sample: result.sample,
                    question: result.question,
                    group: result.group,
                    first: at,
                    repeats: 0,
                    scores: 0..0,
                });
                members.push(Vec::new());
            }
            side.samples[sample].repeats += 1;
            members[sample].push(at);
        }
        for (sample, members) in side.samples.iter_mut().zip(members) {
            let begin = side.scores.len();
            for score in members.iter().flat_map(|&at| table.scores_of(&table.results[at])) {
                match side.scores[begin..].iter_mut().find(|known| known.metric == score.metric) {
                    Some(known) => {
                        known.sum += score.value;
                        known.count += 1;
                    }
                    None => side.scores.push(MeanScore { metric: score.metric, sum: score.value, count: 1 }),
                }
            }
            sample.scores = begin..side.scores.len();
        }
        side
    }

    /// Returns the scores of a sample of this side.
    pub fn scores_of(&self, sample: &SideSample) -> &[MeanScore] {
        &self.scores[sample.scores.clone()]
    }

    /// Returns the score of a sample for a metric.
    pub fn score(&self, sample: &SideSample, metric: NameNumber) -> Option<f64> {
        self.scores_of(sample).iter().find(|score| score.metric == metric).map(MeanScore::value)
    }

    /// Returns the most often that a sample ran.
    pub fn most_repeats(&self) -> u32 {
        self.samples.iter().map(|sample| sample.repeats).max().unwrap_or_default()
    }
}

/// What results about the same sample have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct SampleKey {
    task: Option<NameNumber>,
    sample: Option<NameNumber>,
    question: Option<u128>,
}

impl SampleKey {
    /// Returns the key, or `None` for a result from which its sample cannot be recognised.
    fn from_result(result: &HeldResult) -> Option<Self> {
        let key = Self { task: result.task, sample: result.sample, question: result.question };
        (key.sample.is_some() || key.question.is_some()).then_some(key)
    }
}

fn add_once(names: &mut Vec<NameNumber>, name: Option<NameNumber>) {
    if let Some(name) = name.filter(|name| !names.contains(name)) {
        names.push(name);
    }
}

/// Divides results among sides by their model or run, in the order in which these appear. `arguments` has the results of
/// each argument with its name.
///
/// # Errors
///
/// `compare::sides` if there are not two sides, if a side has no results, or if an argument has results of several
/// models, which must not be mixed.
pub fn sides(
    table: &RunTable,
    arguments: &[(String, Range<usize>)],
    key: SideKey,
) -> Result<Vec<RunSide>, Box<Diagnostic>> {
    let sides: Vec<RunSide> = match key {
        SideKey::Argument => {
            let side = |(name, results): &(String, Range<usize>)| {
                RunSide::new(name.clone(), &results.clone().collect::<Vec<usize>>(), table)
            };
            arguments.iter().map(side).collect()
        }
        SideKey::Model => divided(table, "model", |result| result.model)?,
        SideKey::Run => divided(table, "run", |result| result.run)?,
    };
    if let Some(empty) = sides.iter().find(|side| side.results == 0) {
        let message = format!("`{}` has no results of models on samples", empty.name);
        return Err(Box::new(Diagnostic::error("compare::sides", message)));
    }
    if let Some(mixed) = sides.iter().find(|side| side.models.len() > 1 && key == SideKey::Argument) {
        let models: Vec<&str> = mixed.models.iter().take(4).map(|model| table.text(*model)).collect();
        let message = format!(
            "`{}` has results of {} models, which would be mixed: {}",
            mixed.name,
            thousands(mixed.models.len() as u64),
            quoted_list(&models, mixed.models.len()),
        );
        let help = help!["compare its models with each other: ", setting("by").to("model")];
        return Err(Box::new(Diagnostic::error("compare::sides", message).with_help(help)));
    }
    if sides.len() < 2 {
        let only = sides.first().map_or_else(String::new, |side| format!(", `{}`", side.name));
        let (what, help) = match key {
            SideKey::Argument => {
                ("input", help!["name two inputs, or compare what is inside one by its models"])
            }
            SideKey::Model => ("model", help!["name the results of another model as well"]),
            SideKey::Run => ("run", help!["name the results of another run as well"]),
        };
        let message = format!("a comparison has at least two sides, and there is only one {what}{only}");
        return Err(Box::new(Diagnostic::error("compare::sides", message).with_help(help)));
    }
    Ok(sides)
}

fn divided(
    table: &RunTable,
    what: &str,
    name_of: impl Fn(&HeldResult) -> Option<NameNumber>,
) -> Result<Vec<RunSide>, Box<Diagnostic>> {
    let mut order: Vec<NameNumber> = Vec::new();
    let mut results: HashMap<NameNumber, Vec<usize>> = HashMap::new();
    for (at, result) in table.results.iter().enumerate() {
        if result.is_joined {
            continue;
        }
        let Some(name) = name_of(result) else {
            let place = &result.place;
            let file = table.files.get(place.file as usize).map_or("", |file| &**file);
            let message = format!("the result at {file}:{}:{} names no {what}", place.line, place.column);
            return Err(Box::new(Diagnostic::error("compare::sides", message)));
        };
        results.entry(name).or_insert_with(|| {
            order.push(name);
            Vec::new()
        });
        results.entry(name).and_modify(|results| results.push(at));
    }
    let side = |name: &NameNumber| RunSide::new(table.text(*name).to_owned(), &results[name], table);
    Ok(order.iter().map(side).collect())
}

/// Lists names in quotes, and says how many more there are.
pub(super) fn quoted_list(names: &[&str], all: usize) -> String {
    let listed = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match all.saturating_sub(names.len()) {
        0 => listed,
        more => format!("{listed} and {} more", thousands(more as u64)),
    }
}
