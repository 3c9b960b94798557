//! A comparison as JSON Lines, with all digits: an object for each side, each row, each sample whose scores differ and
//! each sample without a partner. `kind` says which it is.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::runs::run_comparison::{
    ComparedGroup, ComparisonRow, FlippedSample, RunComparison, SideComparison,
};
use crate::runs::run_table::{NameNumber, ResultPlace};

/// Writes a comparison.
pub(super) fn write(comparison: &RunComparison, output: &mut impl Write) -> io::Result<()> {
    let text = |name: Option<NameNumber>| name.map(|name| comparison.table.text(name));
    let place = |place: ResultPlace| {
        let file = comparison.table.files.get(place.file as usize).map_or("", |file| &**file);
        json!({ "file": file, "line": place.line, "column": place.column })
    };
    let mut line = |value: Value| {
        serde_json::to_writer(&mut *output, &value)?;
        writeln!(output)
    };
    for side in &comparison.sides {
        let models: Vec<&str> = side.models.iter().map(|model| comparison.table.text(*model)).collect();
        let tasks: Vec<&str> = side.tasks.iter().map(|task| comparison.table.text(*task)).collect();
        line(json!({
            "kind": "side",
            "side": side.name,
            "models": models,
            "tasks": tasks,
            "results": side.results,
            "samples": side.samples.len(),
            "mostRepeats": side.most_repeats(),
        }))?;
    }
    let baseline = comparison.sides[0].name.as_str();
    for other in &comparison.others {
        let side = comparison.sides[other.side].name.as_str();
        line(pairing(baseline, side, other))?;
        for row in &other.rows {
            line(figures(comparison, baseline, side, row))?;
        }
        for flip in &other.flips {
            let FlippedSample { metric, task, sample, first, second, gain, first_place, second_place } = flip;
            line(json!({
                "kind": "flip",
                "baseline": baseline,
                "side": side,
                "metric": text(Some(*metric)),
                "task": text(*task),
                "sample": text(*sample),
                "first": first,
                "second": second,
                "gain": gain,
                "firstResult": place(*first_place),
                "secondResult": place(*second_place),
            }))?;
        }
        for (at, lone) in [(0, &other.pairing.only_first), (other.side, &other.pairing.only_second)] {
            for sample in lone.iter().map(|&sample| &comparison.sides[at].samples[sample]) {
                line(json!({
                    "kind": "unpaired",
                    "baseline": baseline,
                    "side": side,
                    "onlyIn": comparison.sides[at].name,
                    "task": text(sample.task),
                    "sample": text(sample.sample),
                    "result": place(comparison.table.results[sample.first].place),
                }))?;
            }
        }
    }
    Ok(())
}

fn pairing(baseline: &str, side: &str, other: &SideComparison) -> Value {
    let pairing = &other.pairing;
    json!({
        "kind": "pairing",
        "baseline": baseline,
        "side": side,
        "pairs": pairing.pairs.len(),
        "byText": pairing.by_text,
        "otherQuestions": pairing.other_questions,
        "onlyFirst": pairing.only_first.len(),
        "onlySecond": pairing.only_second.len(),
    })
}

fn figures(comparison: &RunComparison, baseline: &str, side: &str, row: &ComparisonRow) -> Value {
    let figures = &row.figures;
    let (group, name) = match row.group {
        ComparedGroup::All => ("all", None),
        ComparedGroup::Task(name) => ("task", Some(name)),
        ComparedGroup::Keyword(name) => ("keyword", Some(name)),
    };
    json!({
        "kind": "comparison",
        "baseline": baseline,
        "side": side,
        "metric": comparison.table.text(row.metric),
        "group": group,
        "name": name.map(|name| comparison.table.text(name)),
        "verdict": row.verdict.name(),
        "lowerIsBetter": row.lower_is_better,
        "pairs": figures.pairs,
        "groups": figures.clusters,
        "first": figures.first_mean,
        "second": figures.second_mean,
        "difference": figures.mean_difference,
        "standardError": figures.standard_error,
        "interval": figures.interval.as_ref().map(|interval| [interval.low, interval.high]),
        "higher": figures.wins,
        "lower": figures.losses,
        "equal": figures.ties,
        "test": row.test_name(),
        "p": figures.p_value,
        "adjustedP": row.adjusted_p,
        "midP": figures.mid_p_value,
        "smallestDetectable": figures.smallest_detectable,
    })
}
