//! The comparison of sides: for each metric, over all samples and by task and keyword, the difference with its interval
//! and its test, and the samples whose scores differ.

use std::ops::Range;

use evalgraph_statistics::{
    ComparisonOptions, DifferenceTest, PairedComparison, PowerGoal, ScorePair, holm_corrected,
};
use hashbrown::{HashMap, HashSet};

use super::run_sides::{RunSide, SideKey, quoted_list, sides};
use super::run_table::{NameNumber, ResultPlace, RunTable};
use super::sample_pairing::SamplePairing;
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport, thousands};
use evalgraph_formats::runs::ScoreScale;

/// What a comparison is asked for.
#[derive(Debug, Clone)]
pub struct RunComparisonOptions {
    /// What distinguishes the sides.
    pub by: SideKey,
    /// The name of the side with which the others are compared. Default: the first one.
    pub baseline: Option<String>,
    /// The metrics to compare. Default: all that both sides have.
    pub metrics: Vec<String>,
    /// A side is worse if its score is lower by more than this, in the unit of the metric.
    pub margin: f64,
    /// The seed of the bootstrap.
    pub seed: u64,
}

impl Default for RunComparisonOptions {
    fn default() -> Self {
        let seed = ComparisonOptions::default().bootstrap.seed;
        Self { by: SideKey::Argument, baseline: None, metrics: Vec::new(), margin: 0.0, seed }
    }
}

/// All sides, and each of them compared with the baseline.
#[derive(Debug)]
pub struct RunComparison {
    /// The results of all sides.
    pub table: RunTable,
    /// The sides. The baseline is the first one.
    pub sides: Vec<RunSide>,
    /// The comparison of each other side with the baseline, in the order of the sides.
    pub others: Vec<SideComparison>,
    /// What is tested: p-values below this are more than chance.
    pub alpha: f64,
    /// A side is worse if its score is lower by more than this.
    pub margin: f64,
}

/// A side compared with the baseline.
#[derive(Debug)]
pub struct SideComparison {
    /// The index of the side.
    pub side: usize,
    /// Which samples were compared.
    pub pairing: SamplePairing,
    /// The rows of the table: all samples first, then tasks and keywords.
    pub rows: Vec<ComparisonRow>,
    /// The samples whose scores differ: the largest losses first, the largest gains last.
    pub flips: Vec<FlippedSample>,
}

/// The samples that a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ComparedGroup {
    /// All samples.
    All,
    /// The samples of a task.
    Task(NameNumber),
    /// The samples whose question has a keyword.
    Keyword(NameNumber),
}

/// The comparison of two sides for one metric and one group of samples.
#[derive(Debug, Clone)]
pub struct ComparisonRow {
    /// The metric.
    pub metric: NameNumber,
    /// The samples.
    pub group: ComparedGroup,
    /// `true` if a lower score is a better one.
    pub lower_is_better: bool,
    /// The figures. Wins and losses are those of the larger score.
    pub figures: PairedComparison,
    /// The p-value, corrected by Holm's method for the number of rows of the same kind.
    pub adjusted_p: Option<f64>,
    /// What follows.
    pub verdict: DifferenceVerdict,
}

impl ComparisonRow {
    /// Returns how much better the side is than the baseline; negative if it is worse.
    pub fn gain(&self) -> Option<f64> {
        let difference = self.figures.mean_difference?;
        Some(if self.lower_is_better { -difference } else { difference })
    }

    /// Returns the name of the test in words.
    pub fn test_name(&self) -> &'static str {
        match self.figures.test {
            DifferenceTest::McNemarExact => "McNemar's exact test",
            DifferenceTest::PairedBootstrap => "paired bootstrap",
            DifferenceTest::ClusteredBootstrap => "bootstrap of groups",
            DifferenceTest::PairedT => "paired t test",
            DifferenceTest::ClusteredT => "clustered t test",
            DifferenceTest::SignTest => "sign test",
            DifferenceTest::NoTest => "no test",
        }
    }
}

/// What follows from a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DifferenceVerdict {
    /// The side is better, by more than chance.
    Better,
    /// The side is worse, by more than chance and more than the margin.
    Worse,
    /// The side is worse by more than chance, but not by more than the margin.
    WithinMargin,
    /// The difference is not more than chance.
    NoDifference,
    /// Too few pairs.
    NotTested,
}

impl DifferenceVerdict {
    /// Its name, as JSON has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::WithinMargin => "within margin",
            Self::NoDifference => "no difference shown",
            Self::NotTested => "not tested",
        }
    }
}

/// A sample whose scores differ.
#[derive(Debug, Clone)]
pub struct FlippedSample {
    /// The metric.
    pub metric: NameNumber,
    /// The task.
    pub task: Option<NameNumber>,
    /// The id of the sample.
    pub sample: Option<NameNumber>,
    /// The score of the baseline.
    pub first: f64,
    /// The score of the other side.
    pub second: f64,
    /// How much better the other side is; negative if it is worse.
    pub gain: f64,
    /// The place of the baseline's result.
    pub first_place: ResultPlace,
    /// The place of the other side's result.
    pub second_place: ResultPlace,
}

impl RunComparison {
    /// Compares the results of a table. `arguments` has the results of each argument with its name. What is left out is
    /// reported.
    ///
    /// # Errors
    ///
    /// The errors of [`sides`]; `compare::baseline` and `compare::metric` for names that no side has; `compare::pairs` if
    /// two sides have no sample in common.
    pub fn new(
        table: RunTable,
        arguments: &[(String, Range<usize>)],
        options: &RunComparisonOptions,
        report: &mut RunReport,
    ) -> Result<Self, Box<Diagnostic>> {
        let mut sides = sides(&table, arguments, options.by)?;
        if let Some(name) = &options.baseline {
            let at =
                sides.iter().position(|side| side.name == *name).ok_or_else(|| no_baseline(name, &sides))?;
            let baseline = sides.remove(at);
            sides.insert(0, baseline);
        }
        let wanted = wanted_metrics(&table, &options.metrics)?;
        let statistics = statistics(options.seed);
        let mut others = Vec::new();
        for side in 1..sides.len() {
            let comparer = SideComparer { table: &table, first: &sides[0], second: &sides[side] };
            others.push(comparer.compared(side, wanted.as_ref(), &statistics, report)?);
        }
        let alpha = statistics.goal.alpha;
        correct(&mut others, alpha, options.margin);
        Ok(Self { table, sides, others, alpha, margin: options.margin })
    }

    /// Returns whether any side is worse than the baseline, in any row: by more than chance, and by more than the margin.
    pub fn has_regression(&self, margin: f64) -> bool {
        let mut rows = self.others.iter().flat_map(|other| &other.rows);
        rows.any(|row| {
            row.verdict == DifferenceVerdict::Worse && row.gain().is_some_and(|gain| gain < -margin)
        })
    }
}

fn statistics(seed: u64) -> ComparisonOptions {
    let mut options = ComparisonOptions { goal: PowerGoal::default(), ..ComparisonOptions::default() };
    options.bootstrap.seed = seed;
    options
}

fn no_baseline(name: &str, sides: &[RunSide]) -> Box<Diagnostic> {
    let names: Vec<&str> = sides.iter().map(|side| side.name.as_str()).collect();
    let message = format!("no side has the name `{name}`");
    let fault = Diagnostic::error("compare::baseline", message);
    Box::new(
        fault.with_help(format!("the sides are {}", quoted_list(&names[..names.len().min(8)], names.len()))),
    )
}

/// Returns the metrics that the user named, or `None` for all.
fn wanted_metrics(
    table: &RunTable,
    named: &[String],
) -> Result<Option<HashSet<NameNumber>>, Box<Diagnostic>> {
    if named.is_empty() {
        return Ok(None);
    }
    let mut known: HashMap<&str, NameNumber> = HashMap::new();
    for score in table.results.iter().flat_map(|result| table.scores_of(result)) {
        known.insert(table.text(score.metric), score.metric);
    }
    let mut wanted = HashSet::new();
    for name in named {
        let Some(metric) = known.get(name.as_str()) else {
            let mut names: Vec<&str> = known.keys().copied().collect();
            names.sort_unstable();
            let fault = Diagnostic::error("compare::metric", format!("no result has a score for `{name}`"));
            let help = match nearest(name, names.iter().copied()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("the metrics are {}", quoted_list(&names[..names.len().min(8)], names.len())),
            };
            return Err(Box::new(fault.with_help(help)));
        };
        wanted.insert(*metric);
    }
    Ok(Some(wanted))
}

/// Corrects the p-values of all rows of the same kind, and decides what follows from them.
fn correct(others: &mut [SideComparison], alpha: f64, margin: f64) {
    for kind in GROUP_KINDS {
        let mut rows: Vec<&mut ComparisonRow> = others
            .iter_mut()
            .flat_map(|other| &mut other.rows)
            .filter(|row| group_kind(row.group) == kind)
            .collect();
        let p_values: Vec<Option<f64>> = rows.iter().map(|row| row.figures.p_value).collect();
        for (row, corrected) in rows.iter_mut().zip(holm_corrected(&p_values)) {
            row.adjusted_p = corrected;
        }
    }
    for row in others.iter_mut().flat_map(|other| &mut other.rows) {
        let Some((p_value, gain)) = row.adjusted_p.zip(row.gain()) else { continue };
        row.verdict = match () {
            () if p_value >= alpha => DifferenceVerdict::NoDifference,
            () if gain > 0.0 => DifferenceVerdict::Better,
            () if gain < -margin => DifferenceVerdict::Worse,
            () => DifferenceVerdict::WithinMargin,
        };
    }
}

/// Compares one side with the baseline.
struct SideComparer<'c> {
    table: &'c RunTable,
    first: &'c RunSide,
    second: &'c RunSide,
}

/// A pair of samples that both have a score for a metric.
#[derive(PartialEq)]
struct ScoredPair {
    /// The index of the pair in the pairing.
    pair: usize,
    scores: ScorePair,
}

/// How many pairs of samples have no score for a metric by one side, but by the other.
#[derive(Default)]
struct UnscoredPairs {
    by_first: usize,
    by_second: usize,
}

impl SideComparer<'_> {
    fn compared(
        &self,
        side: usize,
        wanted: Option<&HashSet<NameNumber>>,
        statistics: &ComparisonOptions,
        report: &mut RunReport,
    ) -> Result<SideComparison, Box<Diagnostic>> {
        let pairing = SamplePairing::new(self.first, self.second);
        if pairing.pairs.is_empty() {
            return Err(self.without_pairs(&pairing));
        }
        self.report_pairing(&pairing, report);
        let mut metrics: Vec<NameNumber> = Vec::new();
        let mut by_metric: HashMap<NameNumber, Vec<ScoredPair>> = HashMap::new();
        let mut unscored: HashMap<NameNumber, UnscoredPairs> = HashMap::new();
        let is_wanted = |metric: NameNumber| wanted.is_none_or(|wanted| wanted.contains(&metric));
        for (at, pair) in pairing.pairs.iter().enumerate() {
            let (first, second) = (&self.first.samples[pair.first], &self.second.samples[pair.second]);
            let cluster = first.group.or(second.group).map(NameNumber::get);
            for score in self.second.scores_of(second).iter().filter(|score| is_wanted(score.metric)) {
                if self.first.score(first, score.metric).is_none() {
                    unscored.entry(score.metric).or_default().by_first += 1;
                }
            }
            for score in self.first.scores_of(first).iter().filter(|score| is_wanted(score.metric)) {
                let Some(other) = self.second.score(second, score.metric) else {
                    unscored.entry(score.metric).or_default().by_second += 1;
                    continue;
                };
                let scores = ScorePair { first: score.value(), second: other, cluster };
                by_metric
                    .entry(score.metric)
                    .or_insert_with(|| {
                        metrics.push(score.metric);
                        Vec::new()
                    })
                    .push(ScoredPair { pair: at, scores });
            }
        }
        metrics.retain(|metric| self.has_one_scale(*metric, report));
        self.leave_out_equal(&mut metrics, &by_metric, report);
        if metrics.is_empty() {
            return Err(self.without_metrics());
        }
        self.report_unscored(unscored, &by_metric, report);
        let mut rows = Vec::new();
        let mut flips = Vec::new();
        for metric in metrics {
            let compared = &by_metric[&metric];
            self.add_rows(metric, compared, &pairing, statistics, &mut rows);
            self.add_flips(metric, compared, &pairing, &mut flips);
        }
        rows.sort_by_key(|row| group_kind(row.group));
        flips.sort_by(|a: &FlippedSample, b| a.gain.total_cmp(&b.gain));
        Ok(SideComparison { side, pairing, rows, flips })
    }

    /// Leaves out metrics whose scores are those of a later metric, such as the verdict beside a score that is 1 or 0.
    fn leave_out_equal(
        &self,
        metrics: &mut Vec<NameNumber>,
        by_metric: &HashMap<NameNumber, Vec<ScoredPair>>,
        report: &mut RunReport,
    ) {
        let all = metrics.clone();
        let mut at = 0;
        metrics.retain(|metric| {
            at += 1;
            let equal = all[at..].iter().find(|&later| by_metric[later] == by_metric[metric]);
            if let Some(later) = equal {
                let (metric, later) = (self.table.text(*metric), self.table.text(*later));
                let message = format!("`{metric}` is left out, because its scores are those of `{later}`");
                report.add(&Diagnostic::new(FindingSeverity::Note, "compare::equal", message));
            }
            equal.is_none()
        });
    }

    fn add_rows(
        &self,
        metric: NameNumber,
        compared: &[ScoredPair],
        pairing: &SamplePairing,
        statistics: &ComparisonOptions,
        rows: &mut Vec<ComparisonRow>,
    ) {
        let lower_is_better = self.lower_is_better(metric);
        let mut groups: Vec<(ComparedGroup, Vec<ScorePair>)> = vec![(ComparedGroup::All, Vec::new())];
        let mut known: HashMap<ComparedGroup, usize> = HashMap::new();
        let has_tasks = self.first.tasks.len() > 1;
        for ScoredPair { pair, scores } in compared {
            groups[0].1.push(*scores);
            let sample = &self.first.samples[pairing.pairs[*pair].first];
            let task = sample.task.filter(|_| has_tasks).map(ComparedGroup::Task);
            let keywords = self.table.keywords_of(&self.table.results[sample.first]).iter();
            for group in task.into_iter().chain(keywords.map(|keyword| ComparedGroup::Keyword(*keyword))) {
                let at = *known.entry(group).or_insert_with(|| {
                    groups.push((group, Vec::new()));
                    groups.len() - 1
                });
                groups[at].1.push(*scores);
            }
        }
        // A keyword of every sample says nothing that the first row does not say.
        groups.retain(|(group, pairs)| {
            !matches!(group, ComparedGroup::Keyword(_)) || pairs.len() < compared.len()
        });
        for (group, pairs) in groups {
            let figures = PairedComparison::from_pairs(&pairs, statistics);
            let verdict = DifferenceVerdict::NotTested;
            rows.push(ComparisonRow { metric, group, lower_is_better, figures, adjusted_p: None, verdict });
        }
    }

    fn add_flips(
        &self,
        metric: NameNumber,
        compared: &[ScoredPair],
        pairing: &SamplePairing,
        flips: &mut Vec<FlippedSample>,
    ) {
        let lower_is_better = self.lower_is_better(metric);
        for ScoredPair { pair, scores } in
            compared.iter().filter(|pair| pair.scores.first != pair.scores.second)
        {
            let pair = pairing.pairs[*pair];
            let (first, second) = (&self.first.samples[pair.first], &self.second.samples[pair.second]);
            let difference = scores.second - scores.first;
            flips.push(FlippedSample {
                metric,
                task: first.task,
                sample: first.sample.or(second.sample),
                first: scores.first,
                second: scores.second,
                gain: if lower_is_better { -difference } else { difference },
                first_place: self.table.results[first.first].place,
                second_place: self.table.results[second.first].place,
            });
        }
    }

    /// Returns whether a lower score is a better one: a file says so, or its scale ends with the lower score.
    fn lower_is_better(&self, metric: NameNumber) -> bool {
        let facts = self.table.metrics.iter().filter(|facts| facts.metric == metric);
        let said = facts.clone().find_map(|facts| facts.lower_is_better);
        let by_scale = |scale: ScoreScale| scale.worst > scale.best;
        said.unwrap_or_else(|| {
            let scale = facts.filter_map(|facts| facts.scale).next();
            scale.or_else(|| self.scales(self.first, metric).into_iter().next()).is_some_and(by_scale)
        })
    }

    /// Returns the distinct scales of a metric in the results of a side.
    fn scales(&self, side: &RunSide, metric: NameNumber) -> Vec<ScoreScale> {
        let mut scales: Vec<ScoreScale> = Vec::new();
        for sample in &side.samples {
            let scores = self.table.scores_of(&self.table.results[sample.first]).iter();
            for scale in scores.filter(|score| score.metric == metric).filter_map(|score| score.scale) {
                if !scales.contains(&scale) {
                    scales.push(scale);
                }
            }
        }
        scales
    }

    /// Returns whether all scores of a metric are on one scale; if they are not, that is reported.
    fn has_one_scale(&self, metric: NameNumber, report: &mut RunReport) -> bool {
        let mut scales = self.scales(self.first, metric);
        for scale in self.scales(self.second, metric) {
            if !scales.contains(&scale) {
                scales.push(scale);
            }
        }
        let [one, other, ..] = scales.as_slice() else { return true };
        let message = format!(
            "`{}` is not compared, because its scores are on different scales: from {} to {}, and from {} to {}",
            self.table.text(metric),
            one.worst,
            one.best,
            other.worst,
            other.best,
        );
        report.add(&Diagnostic::warning("compare::scales", message));
        false
    }

    fn report_pairing(&self, pairing: &SamplePairing, report: &mut RunReport) {
        let note =
            |code: &'static str, message: String| Diagnostic::new(FindingSeverity::Note, code, message);
        if pairing.has_renamed_task {
            let task = |side: &RunSide| self.table.text(side.tasks[0]).to_owned();
            let message = format!(
                "`{}` of `{}` and `{}` of `{}` are taken as one task",
                task(self.first),
                self.first.name,
                task(self.second),
                self.second.name
            );
            report.add(&note("compare::task", message));
        }
        if pairing.other_questions > 0 {
            let (names, verb) = match pairing.other_questions {
                1 => ("1 id belongs".to_owned(), "is"),
                count => (format!("{} ids belong", thousands(count as u64)), "are"),
            };
            let (first, second) = (&self.first.name, &self.second.name);
            let message = format!(
                "{names} to different questions in `{first}` and `{second}`, and {verb} not used to pair samples"
            );
            report.add(&Diagnostic::warning("compare::questions", message));
        }
    }

    /// Reports the scores that are not compared because the other side does not have them: a metric that only one side has
    /// is named, and the pairs are counted that lack a score for a metric of both.
    fn report_unscored(
        &self,
        unscored: HashMap<NameNumber, UnscoredPairs>,
        by_metric: &HashMap<NameNumber, Vec<ScoredPair>>,
        report: &mut RunReport,
    ) {
        let mut unscored: Vec<(&str, NameNumber, UnscoredPairs)> =
            unscored.into_iter().map(|(metric, pairs)| (self.table.text(metric), metric, pairs)).collect();
        unscored.sort_unstable_by_key(|(name, ..)| *name);
        let (lacking, lone): (Vec<_>, Vec<_>) =
            unscored.into_iter().partition(|(_, metric, _)| by_metric.contains_key(metric));
        for (name, _, pairs) in lacking {
            let counts = [(self.first, pairs.by_first), (self.second, pairs.by_second)];
            for (side, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
                let (have, are) = if count == 1 { ("has", "is") } else { ("have", "are") };
                let message = format!(
                    "{} {have} no score for `{name}` in `{}`, and {are} not compared by it",
                    samples(count),
                    side.name
                );
                report.add(&Diagnostic::warning("compare::unscored", message));
            }
        }
        for (side, is_here) in [(self.first, true), (self.second, false)] {
            let names = lone.iter().filter(|(.., pairs)| (pairs.by_second > 0) == is_here);
            let names: Vec<&str> = names.map(|(name, ..)| *name).collect();
            if !names.is_empty() {
                let are = if names.len() == 1 { "is" } else { "are" };
                let list = quoted_list(&names[..names.len().min(8)], names.len());
                let message =
                    format!("{list} {are} not compared, because only `{}` has such scores", side.name);
                report.add(&Diagnostic::new(FindingSeverity::Note, "compare::one-side", message));
            }
        }
    }

    fn without_pairs(&self, pairing: &SamplePairing) -> Box<Diagnostic> {
        let example = |side: &RunSide| {
            let id = side.samples.iter().find_map(|sample| sample.sample);
            id.map_or("no id".to_owned(), |id| format!("`{}`", self.table.text(id)))
        };
        let why = match pairing.other_questions {
            0 => "neither an id nor the text of a question is in both",
            _ => "equal ids belong to different questions",
        };
        let message =
            format!("`{}` and `{}` have no sample in common: {why}", self.first.name, self.second.name);
        let help = format!(
            "the first ids are {} and {}; results of the same benchmark can be compared",
            example(self.first),
            example(self.second)
        );
        Box::new(Diagnostic::error("compare::pairs", message).with_help(help))
    }

    fn without_metrics(&self) -> Box<Diagnostic> {
        let metrics = |side: &RunSide| {
            let mut names: Vec<&str> = Vec::new();
            for score in side.samples.iter().flat_map(|sample| side.scores_of(sample)) {
                let name = self.table.text(score.metric);
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            match names.len() {
                0 => "no scores".to_owned(),
                count => quoted_list(&names[..count.min(8)], count),
            }
        };
        let message =
            format!("no metric of `{}` and `{}` can be compared", self.first.name, self.second.name);
        let help = format!("they have {} and {}", metrics(self.first), metrics(self.second));
        Box::new(Diagnostic::error("compare::metric", message).with_help(help))
    }
}

/// The numbers of the kinds of groups, in the order of the rows.
const GROUP_KINDS: Range<u8> = 0..3;

fn group_kind(group: ComparedGroup) -> u8 {
    match group {
        ComparedGroup::All => 0,
        ComparedGroup::Task(_) => 1,
        ComparedGroup::Keyword(_) => 2,
    }
}

/// Returns a number of samples in words.
pub(super) fn samples(count: usize) -> String {
    match count {
        1 => "1 sample".to_owned(),
        count => format!("{} samples", thousands(count as u64)),
    }
}
