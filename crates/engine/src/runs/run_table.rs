//! The results of runs, in memory: every text once, and a row for each result.

use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::Arc;

use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use std::hash::BuildHasher as _;

use evalgraph_formats::runs::{MetricFacts, RunFacts, SampleResult, ScoreScale};
use evalgraph_text_keys::folded;
use twox_hash::XxHash3_128;

/// A text of a [`RunTable`].
pub type NameNumber = NonZeroU32;

/// The results of all files that were read.
#[derive(Debug, Default)]
pub struct RunTable {
    names: NameList,
    /// The names of the files.
    pub files: Vec<Arc<str>>,
    /// The results, in the order of the files.
    pub results: Vec<HeldResult>,
    scores: Vec<HeldScore>,
    keywords: Vec<NameNumber>,
    /// What files say about metrics.
    pub metrics: Vec<HeldMetric>,
}

/// A result. Texts are those of the table.
#[derive(Debug, Clone)]
pub struct HeldResult {
    /// The place in the files.
    pub place: ResultPlace,
    /// The index of the result in a run whose files have a part of each result.
    pub position: Option<u64>,
    /// The id of the sample.
    pub sample: Option<NameNumber>,
    /// The key of the question's text: equal texts have equal keys, regardless of case and white space.
    pub question: Option<u128>,
    /// The task.
    pub task: Option<NameNumber>,
    /// The model.
    pub model: Option<NameNumber>,
    /// The run.
    pub run: Option<NameNumber>,
    /// The number of the attempt.
    pub repeat: Option<NameNumber>,
    /// The group of samples that depend on each other.
    pub group: Option<NameNumber>,
    /// `true` if the result was a part of another one, which has its scores now.
    pub is_joined: bool,
    scores: Range<u32>,
    keywords: Range<u32>,
}

/// Where a result is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ResultPlace {
    /// The index of the file in the table.
    pub file: u32,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// A score of a result.
#[derive(Debug, Clone, Copy)]
pub struct HeldScore {
    /// The metric.
    pub metric: NameNumber,
    /// The score.
    pub value: f64,
    /// The scale, if the file names it.
    pub scale: Option<ScoreScale>,
}

/// What a file says about a metric.
#[derive(Debug, Clone)]
pub struct HeldMetric {
    /// The run; `None` if the file names none.
    pub run: Option<NameNumber>,
    /// The task; `None` if the metric is that of all tasks.
    pub task: Option<NameNumber>,
    /// The metric.
    pub metric: NameNumber,
    /// The id by which scores refer to it, if that is not its name.
    pub result: Option<NameNumber>,
    /// `true` if a lower score is a better one.
    pub lower_is_better: Option<bool>,
    /// The scale.
    pub scale: Option<ScoreScale>,
}

impl RunTable {
    /// Returns the number of a text.
    pub fn name(&mut self, text: &str) -> NameNumber {
        self.names.number(text)
    }

    /// Returns a text.
    pub fn text(&self, name: NameNumber) -> &str {
        self.names.text(name)
    }

    /// Returns the scores of a result.
    pub fn scores_of(&self, result: &HeldResult) -> &[HeldScore] {
        &self.scores[result.scores.start as usize..result.scores.end as usize]
    }

    /// Returns the keywords of the question of a result.
    pub fn keywords_of(&self, result: &HeldResult) -> &[NameNumber] {
        &self.keywords[result.keywords.start as usize..result.keywords.end as usize]
    }

    /// Adds a result.
    pub fn push(&mut self, result: &SampleResult<'_>, place: ResultPlace) {
        let (first_score, first_keyword) = (self.scores.len() as u32, self.keywords.len() as u32);
        for score in &result.scores {
            let metric = self.names.number(&score.metric);
            self.scores.push(HeldScore { metric, value: score.value, scale: score.scale });
        }
        for keyword in &result.keywords {
            let keyword = self.names.number(keyword);
            self.keywords.push(keyword);
        }
        let mut number = |text: &Option<std::borrow::Cow<'_, str>>| {
            text.as_deref().filter(|text| !text.is_empty()).map(|text| self.names.number(text))
        };
        let held = HeldResult {
            place,
            position: result.position,
            sample: number(&result.sample),
            question: result.question.as_deref().and_then(question_key),
            task: number(&result.task),
            model: number(&result.model),
            run: number(&result.run),
            repeat: number(&result.repeat),
            group: number(&result.group),
            is_joined: false,
            scores: first_score..self.scores.len() as u32,
            keywords: first_keyword..self.keywords.len() as u32,
        };
        self.results.push(held);
    }

    /// Adds what a file says about the metrics of a run.
    pub fn push_metrics(&mut self, facts: &RunFacts) {
        let run = facts.run.as_deref().map(|run| self.names.number(run));
        for MetricFacts { task, metric, result, lower_is_better, scale } in &facts.metrics {
            let task = task.as_deref().or(facts.task.as_deref()).map(|task| self.names.number(task));
            let metric = self.names.number(metric);
            let result = result.as_deref().map(|result| self.names.number(result));
            let (lower_is_better, scale) = (*lower_is_better, *scale);
            self.metrics.push(HeldMetric { run, task, metric, result, lower_is_better, scale });
        }
    }

    /// Adds the results of another table after those of this one.
    pub fn absorb(&mut self, other: Self) {
        if self.results.is_empty() && self.files.is_empty() && self.metrics.is_empty() {
            *self = other;
            return;
        }
        let numbers: Vec<NameNumber> = other.names.texts().map(|text| self.names.number(text)).collect();
        let renamed = |name: NameNumber| numbers[name.get() as usize - 1];
        let maybe = |name: Option<NameNumber>| name.map(renamed);
        let (file, score) = (self.files.len() as u32, self.scores.len() as u32);
        let keyword = self.keywords.len() as u32;
        self.files.extend(other.files);
        self.scores.extend(
            other.scores.into_iter().map(|score| HeldScore { metric: renamed(score.metric), ..score }),
        );
        self.keywords.extend(other.keywords.into_iter().map(renamed));
        self.metrics.extend(other.metrics.into_iter().map(|metric| HeldMetric {
            run: maybe(metric.run),
            task: maybe(metric.task),
            metric: renamed(metric.metric),
            result: maybe(metric.result),
            ..metric
        }));
        self.results.extend(other.results.into_iter().map(|result| HeldResult {
            place: ResultPlace { file: result.place.file + file, ..result.place },
            sample: maybe(result.sample),
            task: maybe(result.task),
            model: maybe(result.model),
            run: maybe(result.run),
            repeat: maybe(result.repeat),
            group: maybe(result.group),
            scores: result.scores.start + score..result.scores.end + score,
            keywords: result.keywords.start + keyword..result.keywords.end + keyword,
            ..result
        }));
    }

    /// Moves the scores of a part of a result to the other part.
    pub(super) fn join(&mut self, from: usize, to: usize) {
        let scores = std::mem::replace(&mut self.results[from].scores, 0..0);
        self.results[from].is_joined = true;
        self.results[to].scores = scores;
    }

    /// Gives scores the names and the scales that files say about the metrics of their runs.
    pub(super) fn describe_scores(&mut self) {
        let mut known: HashMap<MetricKey, Option<usize>> = HashMap::new();
        for (at, metric) in self.metrics.iter().enumerate() {
            for name in [Some(metric.metric), metric.result].into_iter().flatten() {
                // A name of several metrics describes none of them.
                let key = (metric.run, metric.task, name);
                known.entry(key).and_modify(|known| *known = None).or_insert(Some(at));
            }
        }
        for result in &self.results {
            for score in &mut self.scores[result.scores.start as usize..result.scores.end as usize] {
                let keys = [(result.run, result.task), (result.run, None), (None, result.task), (None, None)];
                let mut found = keys.into_iter().map(|(run, task)| known.get(&(run, task, score.metric)));
                let Some(metric) = found.find_map(|found| *found?).map(|at| &self.metrics[at]) else {
                    continue;
                };
                score.scale = score.scale.or(metric.scale);
                let is_only =
                    known.get(&(metric.run, metric.task, metric.metric)).is_some_and(Option::is_some);
                if is_only {
                    score.metric = metric.metric;
                }
            }
        }
    }
}

/// A run, a task, and the name or id of a metric.
type MetricKey = (Option<NameNumber>, Option<NameNumber>, NameNumber);

/// Returns the key of a question's text, or `None` for a blank text.
fn question_key(text: &str) -> Option<u128> {
    let folded = folded(text);
    (!folded.is_empty()).then(|| XxHash3_128::oneshot(folded.as_bytes()))
}

/// Distinct texts, one after the other.
#[derive(Debug, Default)]
struct NameList {
    text: String,
    /// The end of each text.
    ends: Vec<usize>,
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl NameList {
    fn number(&mut self, text: &str) -> NameNumber {
        let (all, ends, hasher) = (&self.text, &self.ends, &self.hasher);
        let at = |index: u32| text_at(all, ends, index);
        let hash = hasher.hash_one(text);
        if let Some(&known) = self.table.find(hash, |&known| at(known) == text) {
            return NonZeroU32::MIN.saturating_add(known);
        }
        let index = self.ends.len() as u32;
        self.table.insert_unique(hash, index, |&known| hasher.hash_one(at(known)));
        self.text.push_str(text);
        self.ends.push(self.text.len());
        NonZeroU32::MIN.saturating_add(index)
    }

    fn text(&self, name: NameNumber) -> &str {
        text_at(&self.text, &self.ends, name.get() - 1)
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len() as u32).map(|index| text_at(&self.text, &self.ends, index))
    }
}

fn text_at<'t>(text: &'t str, ends: &[usize], index: u32) -> &'t str {
    let index = index as usize;
    let begin = index.checked_sub(1).map_or(0, |before| ends[before]);
    &text[begin..ends[index]]
}

#[cfg(test)]
mod tests {
    use super::{ResultPlace, RunTable};
    use evalgraph_formats::runs::SampleResult;
    use evalgraph_json::TokenId;

    #[test]
    fn a_table_keeps_its_texts_when_it_is_added_to_another() {
        let place = ResultPlace { file: 0, line: 1, column: 1 };
        let table = |sample: &'static str, model: &'static str| {
            let mut table = RunTable { files: vec!["a".into()], ..RunTable::default() };
            let result = SampleResult {
                sample: Some(sample.into()),
                model: Some(model.into()),
                question: Some("What  is it?".into()),
                ..SampleResult::new(TokenId::from_index(0))
            };
            table.push(&result, place);
            table
        };
        let mut both = table("1", "left");
        both.absorb(table("1", "right"));
        let [first, second] = both.results.as_slice() else { panic!("there are two results") };
        assert_eq!(first.sample, second.sample);
        assert_eq!(first.question, second.question);
        let models = [first.model, second.model].map(|model| both.text(model.expect("it has a model")));
        assert_eq!(models, ["left", "right"]);
        assert_eq!((first.place.file, second.place.file), (0, 1));
    }
}
