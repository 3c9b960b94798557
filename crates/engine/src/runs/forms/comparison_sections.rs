//! The sentences and tables of a comparison, for all forms that people read.

use crate::runs::run_comparison::{
    ComparedGroup, ComparisonRow, DifferenceVerdict, FlippedSample, RunComparison, SideComparison, samples,
};
use crate::runs::run_sides::{RunSide, SideSample};
use crate::runs::run_table::{NameNumber, ResultPlace};
use evalgraph_diagnostics::shortened::shortened;
use evalgraph_diagnostics::thousands;

/// The longest name in a table, in characters.
const NAME: usize = 40;

/// The comparison of one side with the baseline.
pub(super) struct ComparisonSection {
    pub(super) title: String,
    /// What was compared, and what follows: a sentence each.
    pub(super) sentences: Vec<SectionSentence>,
    pub(super) tables: Vec<SectionTable>,
}

/// A sentence.
pub(super) struct SectionSentence {
    pub(super) text: String,
    /// What it says, if it says what follows.
    pub(super) verdict: Option<DifferenceVerdict>,
}

/// A table.
pub(super) struct SectionTable {
    pub(super) title: String,
    pub(super) header: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
    /// How many of the first columns are texts; the others are numbers.
    pub(super) texts: usize,
    /// How many rows are left out.
    pub(super) left_out: usize,
}

/// Returns the letter of a side: A for the baseline, B, C, ….
pub(super) fn letter(side: usize) -> String {
    match u8::try_from(side).ok().filter(|side| *side < 26) {
        Some(side) => char::from(b'A' + side).to_string(),
        None => format!("side {}", side + 1),
    }
}

/// Returns the table of the sides.
pub(super) fn sides_table(comparison: &RunComparison) -> SectionTable {
    let header = ["", "side", "model", "results", "samples"];
    let row = |(at, side): (usize, &RunSide)| {
        let models: Vec<&str> = side.models.iter().map(|model| comparison.table.text(*model)).collect();
        let samples = thousands(side.samples.len() as u64);
        let repeats = match side.most_repeats() {
            0 | 1 => samples,
            most => format!("{samples} (up to {most} times)"),
        };
        vec![
            letter(at),
            side.name.clone(),
            shortened(&models.join(", "), NAME).into_owned(),
            thousands(side.results as u64),
            repeats,
        ]
    };
    SectionTable {
        title: String::new(),
        header: header.map(ToOwned::to_owned).to_vec(),
        rows: comparison.sides.iter().enumerate().map(row).collect(),
        texts: 3,
        left_out: 0,
    }
}

/// Returns the sections of a comparison, whose lists have at most `shown` rows.
pub(super) fn sections(comparison: &RunComparison, shown: usize) -> Vec<ComparisonSection> {
    let section = |other: &SideComparison| SectionMaker { comparison, other }.section(shown);
    comparison.others.iter().map(section).collect()
}

/// Returns a file name with line and column.
pub(super) fn place_text(comparison: &RunComparison, place: ResultPlace) -> String {
    let file = comparison.table.files.get(place.file as usize).map_or("", |file| &**file);
    format!("{file}:{}:{}", place.line, place.column)
}

struct SectionMaker<'c> {
    comparison: &'c RunComparison,
    other: &'c SideComparison,
}

impl SectionMaker<'_> {
    fn section(&self, shown: usize) -> ComparisonSection {
        let (first, second) = (letter(0), letter(self.other.side));
        let mut sentences = vec![self.pairing()];
        let of_all = self.other.rows.iter().filter(|row| row.group == ComparedGroup::All);
        sentences.extend(of_all.map(|row| self.verdict(row)));
        let mut tables = Vec::new();
        for title in ["all samples", "by task", "by keyword"] {
            let is_titled = |row: &&ComparisonRow| match row.group {
                ComparedGroup::All => title == "all samples",
                ComparedGroup::Task(_) => title == "by task",
                ComparedGroup::Keyword(_) => title == "by keyword",
            };
            let rows: Vec<&ComparisonRow> = self.other.rows.iter().filter(is_titled).collect();
            if !rows.is_empty() {
                tables.push(self.figures(title, &rows));
            }
        }
        tables.extend(self.flips(shown));
        let lists = [(&self.other.pairing.only_first, 0), (&self.other.pairing.only_second, self.other.side)];
        tables.extend(lists.into_iter().filter_map(|(lone, side)| self.lone(lone, side, shown)));
        ComparisonSection { title: format!("{second} against {first}"), sentences, tables }
    }

    fn text(&self, name: NameNumber) -> &str {
        self.comparison.table.text(name)
    }

    /// Says which samples were compared.
    fn pairing(&self) -> SectionSentence {
        let pairing = &self.other.pairing;
        let mut text = format!("{} in both", samples(pairing.pairs.len()));
        if pairing.by_text > 0 {
            text.push_str(&format!(" ({} by the text of the question)", thousands(pairing.by_text as u64)));
        }
        let lists = [(&pairing.only_first, 0), (&pairing.only_second, self.other.side)];
        for (lone, side) in lists.into_iter().filter(|(lone, _)| !lone.is_empty()) {
            text.push_str(&format!("; {} only in {}", thousands(lone.len() as u64), letter(side)));
        }
        SectionSentence { text, verdict: None }
    }

    /// Says what follows for a metric.
    fn verdict(&self, row: &ComparisonRow) -> SectionSentence {
        let (first, second) = (letter(0), letter(self.other.side));
        let metric = self.text(row.metric);
        let figures = &row.figures;
        let means = match (figures.second_mean, figures.first_mean, figures.mean_difference) {
            (Some(second), Some(first), Some(difference)) => {
                format!("{} against {}, {}", number(second), number(first), signed(difference))
            }
            _ => "neither has scores".to_owned(),
        };
        let interval = figures.interval.as_ref().map_or_else(String::new, |interval| {
            format!(" (95 % interval {} to {})", signed(interval.low), signed(interval.high))
        });
        let p_value = row.adjusted_p.map_or_else(String::new, |p_value| format!(", p {}", p_text(p_value)));
        let shows = figures.smallest_detectable.map_or_else(String::new, |least| {
            format!("; {} would show a difference of {} or more", samples(figures.pairs), number(least))
        });
        let text = match row.verdict {
            DifferenceVerdict::Better => {
                format!("{second} is better than {first} by {metric}: {means}{interval}{p_value}")
            }
            DifferenceVerdict::Worse => {
                format!("{second} is worse than {first} by {metric}: {means}{interval}{p_value}")
            }
            DifferenceVerdict::WithinMargin => format!(
                "{second} is worse than {first} by {metric}, within the margin of {}: {means}{interval}{p_value}",
                number(self.comparison.margin)
            ),
            DifferenceVerdict::NoDifference => {
                format!("no difference is shown by {metric}: {means}{interval}{p_value}{shows}")
            }
            DifferenceVerdict::NotTested => {
                format!("{metric} cannot be tested with {}: {means}", samples(figures.pairs))
            }
        };
        SectionSentence { text, verdict: Some(row.verdict) }
    }

    fn figures(&self, title: &str, rows: &[&ComparisonRow]) -> SectionTable {
        let (first, second) = (letter(0), letter(self.other.side));
        let group_title = title.strip_prefix("by ").unwrap_or_default();
        let has_groups = !group_title.is_empty();
        let mut header = vec!["metric".to_owned()];
        header.extend(has_groups.then(|| group_title.to_owned()));
        header.extend(["verdict".to_owned(), "pairs".to_owned(), first.clone(), second.clone()]);
        header.push(format!("{second} - {first}"));
        header.extend(["95 % interval", "wins", "losses", "ties", "p", "shows"].map(ToOwned::to_owned));
        let row = |row: &&ComparisonRow| {
            let figures = &row.figures;
            let (wins, losses) = match row.lower_is_better {
                true => (figures.losses, figures.wins),
                false => (figures.wins, figures.losses),
            };
            let mut cells = vec![shortened(self.text(row.metric), NAME).into_owned()];
            match row.group {
                ComparedGroup::All => {}
                ComparedGroup::Task(name) | ComparedGroup::Keyword(name) => {
                    cells.push(shortened(self.text(name), NAME).into_owned());
                }
            }
            let maybe =
                |value: Option<f64>, text: fn(f64) -> String| value.map_or_else(|| "-".to_owned(), text);
            let interval = figures.interval.as_ref();
            cells.extend([
                row.verdict.name().to_owned(),
                thousands(figures.pairs as u64),
                maybe(figures.first_mean, number),
                maybe(figures.second_mean, number),
                maybe(figures.mean_difference, signed),
                interval.map_or_else(
                    || "-".to_owned(),
                    |interval| format!("{} to {}", signed(interval.low), signed(interval.high)),
                ),
                thousands(wins as u64),
                thousands(losses as u64),
                thousands(figures.ties as u64),
                maybe(row.adjusted_p, p_text),
                maybe(figures.smallest_detectable, number),
            ]);
            cells
        };
        let title = format!("{title} ({})", tests_of(rows));
        let rows: Vec<Vec<String>> = rows.iter().map(row).collect();
        SectionTable { title, header, rows, texts: 2 + usize::from(has_groups), left_out: 0 }
    }

    /// Returns the table of the samples whose scores differ, losses before gains.
    fn flips(&self, shown: usize) -> Option<SectionTable> {
        let flips = &self.other.flips;
        if flips.is_empty() || shown == 0 {
            return None;
        }
        let (first, second) = (letter(0), letter(self.other.side));
        let worse = flips.iter().filter(|flip| flip.gain < 0.0).count();
        let title = format!(
            "samples that differ: {} worse, {} better",
            thousands(worse as u64),
            thousands((flips.len() - worse) as u64)
        );
        let header = ["metric", "sample"].map(ToOwned::to_owned).into_iter();
        let header =
            header.chain([format!("result of {first}"), format!("result of {second}"), first, second]);
        let row = |flip: &FlippedSample| {
            vec![
                shortened(self.text(flip.metric), NAME).into_owned(),
                self.sample_name(flip.task, flip.sample),
                place_text(self.comparison, flip.first_place),
                place_text(self.comparison, flip.second_place),
                number(flip.first),
                number(flip.second),
            ]
        };
        // The largest losses and the largest gains take half of the list each, or what the others leave.
        let better = flips.len() - worse;
        let losses = worse.min(shown - better.min(shown / 2));
        let gains = better.min(shown - losses);
        let listed = flips[..losses].iter().chain(&flips[flips.len() - gains..]);
        Some(SectionTable {
            title,
            header: header.collect(),
            rows: listed.map(row).collect(),
            texts: 4,
            left_out: flips.len() - losses - gains,
        })
    }

    fn lone(&self, lone: &[usize], side: usize, shown: usize) -> Option<SectionTable> {
        if lone.is_empty() || shown == 0 {
            return None;
        }
        let samples = &self.comparison.sides[side].samples;
        let row = |&at: &usize| {
            let sample: &SideSample = &samples[at];
            let place = self.comparison.table.results[sample.first].place;
            vec![self.sample_name(sample.task, sample.sample), place_text(self.comparison, place)]
        };
        Some(SectionTable {
            title: format!("samples only in {}", letter(side)),
            header: ["sample", "result"].map(ToOwned::to_owned).to_vec(),
            rows: lone.iter().take(shown).map(row).collect(),
            texts: 2,
            left_out: lone.len().saturating_sub(shown),
        })
    }

    fn sample_name(&self, task: Option<NameNumber>, sample: Option<NameNumber>) -> String {
        let id = sample.map_or("-", |sample| self.text(sample));
        let has_tasks = self.comparison.sides[0].tasks.len() > 1;
        let name = match task.filter(|_| has_tasks) {
            Some(task) => format!("{} {id}", self.text(task)),
            None => id.to_owned(),
        };
        shortened(&name, NAME).into_owned()
    }
}

/// Names the tests of some rows.
fn tests_of(rows: &[&ComparisonRow]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for row in rows {
        let name = row.test_name();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let corrected = if rows.len() > 1 { ", p corrected by Holm's method" } else { "" };
    format!("{}{corrected}", names.join(", "))
}

/// Returns a number with three decimal places, or fewer for large numbers.
fn number(value: f64) -> String {
    let places = match value.abs() {
        size if size >= 1000.0 => 0,
        size if size >= 100.0 => 1,
        size if size >= 10.0 => 2,
        _ => 3,
    };
    let text = format!("{value:.places$}");
    // A small negative number is not `-0.000`.
    let is_zero = text.chars().all(|digit| matches!(digit, '-' | '0' | '.'));
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

fn signed(value: f64) -> String {
    let text = number(value);
    let is_zero = text.chars().all(|digit| matches!(digit, '0' | '.'));
    if value > 0.0 && !is_zero { format!("+{text}") } else { text }
}

fn p_text(p_value: f64) -> String {
    if p_value < 0.0001 { "< 0.0001".to_owned() } else { format!("{p_value:.4}") }
}
