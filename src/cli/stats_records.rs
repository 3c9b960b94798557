//! Figures of files of records for `stats`, and what an evaluation has retrieved of the documents that
//! the rows beside it name.

use serde_json::{Map, Value, json};

use super::stats_facts::{Fact, count, fact};
use super::stats_kwanzaa::{of_conversations, of_samples};
use super::stats_results::of_results;
use super::stats_rlcf::of_records;
use crate::diagnostic::{Report, thousands};
use crate::input::corpus::corpus_beside;
use crate::load::tally::{Held, RecordFile, Tally};
use crate::source::train::figures::{CorpusFigures, EvaluationFigures, Gold, RowFigures};
use crate::source::train::judgement_figures::{ASPECTS, JudgementFigures};

/// The figures of a file. A corpus that cannot be looked through is reported.
pub(super) fn facts(file: &RecordFile, gold: &Gold, report: &mut Report) -> Vec<Fact> {
    let mut facts = vec![fact("kind", "kind", file.recognised.dialect(), file.recognised.dialect())];
    let mut counted = Tally::of(&file.recognised);
    let tally = match &file.held {
        Held::Document(document) => {
            counted.add(document, gold);
            &counted
        }
        Held::Counted(tally, _) => tally,
    };
    match tally {
        Tally::Rows(rows) => {
            let corpus = file.path.as_deref().map_or(Ok(None), corpus_beside);
            let corpus = corpus.unwrap_or_else(|fault| {
                report.add(&fault);
                None
            });
            let figures = rows.finish(corpus.as_ref());
            facts.extend(of_rows(&figures));
            facts.extend(figures.corpus.as_ref().map(of_corpus).into_iter().flatten());
        }
        Tally::Evaluation(evaluation) => facts.extend(of_evaluation(&evaluation.finish())),
        Tally::Judgements(judgements) => facts.extend(of_judgements(judgements)),
        Tally::Samples(statistics) => facts.extend(of_samples(statistics)),
        Tally::Conversations(conversations) => facts.extend(of_conversations(conversations)),
        Tally::Results(results) => facts.extend(of_results(results)),
        Tally::Rlcf(counts, _) => facts.extend(of_records(counts)),
        Tally::Others => {}
    }
    facts
}

fn of_rows(figures: &RowFigures) -> Vec<Fact> {
    let of_rows = |part: u64| part as f64 / figures.rows.max(1) as f64;
    let impossible =
        format!("{} ({:.1} %)", thousands(figures.impossible), 100.0 * of_rows(figures.impossible));
    let contexts = format!("{} ({:.2} a row)", thousands(figures.contexts), of_rows(figures.contexts));
    vec![
        count("rows", "rows", figures.rows),
        fact("impossible", "impossible", impossible, figures.impossible),
        count("impossibleNotSaid", "not said whether", figures.unsaid),
        count("rowsWithContexts", "rows with contexts", figures.with_contexts),
        fact("contexts", "contexts", contexts, figures.contexts),
        count("contextsWithoutDocument", "without document", figures.nameless),
        count("documents", "documents", figures.documents),
    ]
}

fn of_corpus(figures: &CorpusFigures) -> Vec<Fact> {
    let extensions: Vec<String> = figures
        .extensions
        .iter()
        .map(
            |(extension, files)| {
                if extension.is_empty() { format!("none {files}") } else { format!(".{extension} {files}") }
            },
        )
        .collect();
    let by_extension: Map<String, Value> =
        figures.extensions.iter().map(|(extension, files)| (extension.clone(), json!(files))).collect();
    let file_type = figures.extensions.iter().map(|(extension, _)| extension).find(|name| !name.is_empty());
    let mut facts = vec![
        count("corpusFiles", "corpus files", figures.files),
        count("corpusMissing", "missing", figures.missing),
        count("corpusUnnamed", "named by no row", figures.unnamed),
        fact("extensions", "extensions", extensions.join(", "), by_extension),
    ];
    facts.extend(file_type.map(|name| fact("fileType", "--file-type", name.as_str(), name.as_str())));
    facts
}

fn of_evaluation(figures: &EvaluationFigures) -> Vec<Fact> {
    let mut facts = vec![
        count("rows", "rows", figures.rows),
        count("answered", "answered", figures.answered),
        count("measured", "with known documents", figures.measured),
    ];
    let of_text = [
        ("measuredByText", "by the question alone", figures.by_text),
        ("ambiguous", "of an ambiguous question", figures.ambiguous),
    ];
    facts.extend(
        of_text.into_iter().filter(|found| found.2 > 0).map(|(key, label, rows)| count(key, label, rows)),
    );
    if !figures.recall.is_empty() {
        let shown: Vec<String> =
            figures.recall.iter().map(|(rank, recall)| format!("@{rank} {recall:.3}")).collect();
        let value: Map<String, Value> =
            figures.recall.iter().map(|(rank, recall)| (rank.to_string(), json!(recall))).collect();
        facts.push(fact("recall", "recall", shown.join(", "), value));
    }
    facts
}

fn of_judgements(figures: &JudgementFigures) -> Vec<Fact> {
    let told = ASPECTS.iter().zip(figures.means());
    let told = told.filter_map(|((key, label), (rows, mean))| Some((key, label, rows, mean?)));
    let mut facts = Vec::new();
    for (key, label, rows, mean) in told {
        let shown = format!("{mean:.3}, {} rows", thousands(rows));
        facts.push(fact(key, *label, shown, json!({ "rows": rows, "mean": mean })));
    }
    facts
}
