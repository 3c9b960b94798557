//! Named figures about rows, about evaluations, and about the retrieval of the documents that rows name.

use serde_json::{Map, Value, json};

use super::judgement_figures::{ASPECTS, JudgementFigures};
use super::retrieval_figures::{CorpusFigures, EvaluationTally, RowFigures, RowTally};
use crate::corpus::{Corpus, GoldDocuments};
use crate::named_figures::{NamedFigure, RecordTally, count, fact};
use evalgraph_diagnostics::thousands;
use evalgraph_json::JsonDocument;

impl RecordTally for RowTally {
    fn add(&mut self, document: &JsonDocument, _gold: &GoldDocuments) {
        Self::add(self, document);
    }

    fn facts(&self, corpus: Option<&Corpus>) -> Vec<NamedFigure> {
        let figures = self.finish(corpus);
        let mut facts = of_rows(&figures);
        facts.extend(figures.corpus.as_ref().map(of_corpus).into_iter().flatten());
        facts
    }
}

impl RecordTally for EvaluationTally {
    fn add(&mut self, document: &JsonDocument, gold: &GoldDocuments) {
        Self::add(self, document, gold);
    }

    fn facts(&self, _corpus: Option<&Corpus>) -> Vec<NamedFigure> {
        let figures = self.finish();
        let mut facts = vec![
            count("rows", "rows", figures.rows),
            count("answered", "answered", figures.answered),
            count("measured", "with known documents", figures.measured),
        ];
        let of_text = [
            ("measuredByText", "by question only", figures.by_text),
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
}

impl RecordTally for JudgementFigures {
    fn add(&mut self, document: &JsonDocument, _gold: &GoldDocuments) {
        Self::add(self, document);
    }

    fn facts(&self, _corpus: Option<&Corpus>) -> Vec<NamedFigure> {
        let told = ASPECTS.iter().zip(self.means());
        let told = told.filter_map(|((key, label), (rows, mean))| Some((key, label, rows, mean?)));
        let mut facts = Vec::new();
        for (key, label, rows, mean) in told {
            let shown = format!("{mean:.3}, {} rows", thousands(rows));
            facts.push(fact(key, *label, shown, json!({ "rows": rows, "mean": mean })));
        }
        facts
    }
}

fn of_rows(figures: &RowFigures) -> Vec<NamedFigure> {
    let of_rows = |part: u64| part as f64 / figures.rows.max(1) as f64;
    let impossible =
        format!("{} ({:.1} %)", thousands(figures.impossible), 100.0 * of_rows(figures.impossible));
    let contexts = format!("{} ({:.2} a row)", thousands(figures.contexts), of_rows(figures.contexts));
    vec![
        count("rows", "rows", figures.rows),
        fact("impossible", "impossible", impossible, figures.impossible),
        count("impossibleNotSaid", "not stated", figures.unsaid),
        count("rowsWithContexts", "rows with contexts", figures.with_contexts),
        fact("contexts", "contexts", contexts, figures.contexts),
        count("contextsWithoutDocument", "without document", figures.nameless),
        count("documents", "documents", figures.documents),
    ]
}

fn of_corpus(figures: &CorpusFigures) -> Vec<NamedFigure> {
    let extensions = figures.extensions.iter().map(|(extension, files)| match extension.as_str() {
        "" => format!("none {files}"),
        extension => format!(".{extension} {files}"),
    });
    let extensions = extensions.collect::<Vec<_>>().join(", ");
    let by_extension: Map<String, Value> =
        figures.extensions.iter().map(|(extension, files)| (extension.clone(), json!(files))).collect();
    let file_type = figures.extensions.iter().map(|(extension, _)| extension).find(|name| !name.is_empty());
    let mut facts = vec![
        count("corpusFiles", "corpus files", figures.files),
        count("corpusMissing", "missing", figures.missing),
        count("corpusUnnamed", "named by no row", figures.unnamed),
        fact("extensions", "extensions", extensions, by_extension),
    ];
    facts.extend(file_type.map(|name| fact("fileType", "file type", name.as_str(), name.as_str())));
    facts
}
