//! Writes results of models on samples, of any system, as samples of Every Eval Ever.
//!
//! A line is a score, so a result with several scores becomes several lines. What the schema requires and a result lacks is
//! filled in and counted; what a sample cannot hold is a loss.

use super::EVERY_EVAL_EVER;
use super::instance_shapes::RECORD;
use super::result_recognition::file_shape;
use super::result_statements::{ResultStatements, StatedResult, StatedScore, models_of_runs};
use crate::counts::ConversionCounts;
use crate::rewriting::IndexedGraph;
use crate::sidecar::DocumentSidecars;
use crate::writing::document_graphs::DocumentGraphs;
use crate::writing::loss_reports::{report_defaults, report_losses, report_unread};
use crate::writing::{FormOptions, FormWriter, SystemForm, WrittenFile, WrittenFiles, parsed};
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport};
use evalgraph_json::minified::write_minified;
use evalgraph_json::number::is_number;
use evalgraph_json::write_string;
use evalgraph_rdf::QuadBuffer;
use std::collections::HashMap;

/// The name of the form.
const FORM: &str = EVERY_EVAL_EVER.name();

/// The version of the schema.
const VERSION: &str = "0.3.0";

/// The forms of the system.
pub(super) static FORMS: [SystemForm; 1] = [SystemForm {
    name: FORM,
    extension: "jsonl",
    writer: FormWriter::Restored(result_files),
    has_corpus: false,
    takes_prompts: false,
}];

/// Writes a file for each graph with results.
///
/// # Errors
///
/// `convert::no-results` for inputs without results.
fn result_files(
    quads: &QuadBuffer,
    options: &FormOptions<'_>,
    report: &mut RunReport,
) -> Result<WrittenFiles, RunFailure> {
    let had_failed = report.has_failed();
    let documents = DocumentGraphs::from_quads(quads);
    let sidecars = DocumentSidecars::new(quads);
    let mut texts: Vec<(String, String)> = Vec::new();
    // The results of a run may be in another file than its model.
    let graphs: Vec<_> =
        documents.documents().into_iter().map(|graph| (graph, documents.graph(graph))).collect();
    let models: HashMap<String, String> =
        graphs.iter().flat_map(|(_, found)| models_of_runs(found)).collect();
    for (graph, found) in &graphs {
        let name = documents.name_of(*graph);
        let iri = graph.and_then(|graph| found.iri(graph));
        let text = match own_lines(found, iri, &sidecars)? {
            None => lines_of_results(found, &name, &models, report),
            own => own,
        };
        texts.extend(text.map(|text| (name, text)));
    }
    if !options.takes_several && texts.len() > 1 {
        let lines = texts.iter().map(|(_, text)| text.as_str()).collect();
        texts = vec![(texts[0].0.clone(), lines)];
    }
    if texts.is_empty() {
        let message = "the inputs have no results of models on samples";
        let help = "name logs of runs or exports of verifications";
        return Err(Diagnostic::error("convert::no-results", message).with_help(help).into());
    }
    report.check(had_failed)?;
    let files = texts.into_iter().map(|(stem, text)| WrittenFile::of_stem(&stem, "jsonl", text)).collect();
    Ok(WrittenFiles { files, ..WrittenFiles::default() })
}

/// Returns the samples of a file of this form as they were, one a line. `None` for a graph of another file.
fn own_lines(
    graph: &IndexedGraph<'_>,
    name: Option<&str>,
    sidecars: &DocumentSidecars<'_>,
) -> Result<Option<String>, RunFailure> {
    let shape = graph.subjects().iter().find_map(|&node| file_shape(graph, node));
    let record = shape.and_then(|shape| shape.records.beside_root());
    let Some(name) = name.filter(|_| record.is_some_and(|(_, record)| record.name == RECORD)) else {
        return Ok(None);
    };
    let text = sidecars.restore(name)?.text;
    // A file of lines is not one JSON text, and stays as it is.
    let Ok(document) = parsed(FORM, text.clone()) else { return Ok(Some(text)) };
    let root = document.root();
    let samples: Vec<_> = if document.is_array(root) { document.items(root).collect() } else { vec![root] };
    let mut lines = String::new();
    for sample in samples {
        write_minified(&document, sample, &mut lines);
        lines.push('\n');
    }
    Ok(Some(lines))
}

/// Writes the results of a graph. `None` if it has no results with scores.
fn lines_of_results(
    graph: &IndexedGraph<'_>,
    name: &str,
    models: &HashMap<String, String>,
    report: &mut RunReport,
) -> Option<String> {
    let mut statements = ResultStatements::new(graph);
    let results = statements.results();
    let mut lines = ResultLines {
        name,
        models,
        text: String::new(),
        defaults: ConversionCounts::new(),
        losses: ConversionCounts::new(),
    };
    for (number, &result) in results.iter().enumerate() {
        lines.result(number, &statements.result(result));
    }
    if lines.text.is_empty() {
        return None;
    }
    report_losses(lines.losses.iter(), FORM, name, report);
    report_unread(&statements.unread(), FORM, name, graph, report);
    report_defaults(&lines.defaults, name, report);
    Some(lines.text)
}

/// The lines of a graph.
struct ResultLines<'n> {
    /// The name of the file.
    name: &'n str,
    /// The models of runs.
    models: &'n HashMap<String, String>,
    text: String,
    defaults: ConversionCounts,
    losses: ConversionCounts,
}

impl ResultLines<'_> {
    /// Writes a line for each score of a result.
    fn result(&mut self, number: usize, result: &StatedResult<'_>) {
        let scores: Vec<&StatedScore<'_>> =
            result.scores.iter().filter(|score| is_number(score.value)).collect();
        if scores.is_empty() {
            match result.verdict {
                Some(verdict) => self.line(number, result, None, verdict),
                None => self.losses.add("results without a score"),
            }
            return;
        }
        for score in scores {
            let is_correct = result.verdict.or_else(|| score.is_right()).unwrap_or_else(|| {
                self.defaults.add("`is_correct` is false where a score is neither the best nor the worst");
                false
            });
            self.line(number, result, Some(score), is_correct);
        }
    }

    fn line(
        &mut self,
        number: usize,
        result: &StatedResult<'_>,
        score: Option<&StatedScore<'_>>,
        is_correct: bool,
    ) {
        let task =
            self.or_default(result.task, "`evaluation_name` is the name of the file", self.name.to_owned());
        let own_sample = (number + 1).to_string();
        let models = self.models;
        let model = result.model.or_else(|| models.get(result.run?).map(String::as_str));
        let members = [
            ("schema_version", VERSION.to_owned()),
            (
                "evaluation_id",
                self.or_default(result.run, "`evaluation_id` is the name of the file", self.name.to_owned()),
            ),
            ("model_id", self.or_default(model, "`model_id` is unknown", "unknown".to_owned())),
            ("evaluation_name", task.clone()),
        ];
        self.text.push('{');
        for (key, value) in &members {
            self.string(key, value);
        }
        if let Some(aspect) = score.and_then(|score| score.aspect) {
            self.string("evaluation_result_id", &format!("{task}.{aspect}"));
        }
        let sample = self.or_default(result.sample, "`sample_id` is the number of the result", own_sample);
        self.string("sample_id", &sample);
        self.string("interaction_type", "single_turn");
        self.key("input");
        self.text.push('{');
        let question = self.or_default(result.question, "`raw` of `input` is empty", String::new());
        self.string("raw", &question);
        self.strings("reference", &result.references);
        if let Some(choices) = result.choices {
            self.raw("choices", choices);
        }
        self.text.push('}');
        self.key("output");
        self.text.push('{');
        self.strings("raw", &result.answers);
        self.text.push('}');
        self.raw("answer_attribution", "[]");
        self.key("evaluation");
        self.text.push('{');
        let of_verdict = if is_correct { "1" } else { "0" };
        self.raw("score", score.map_or(of_verdict, |score| score.value));
        self.raw("is_correct", if is_correct { "true" } else { "false" });
        self.text.push('}');
        self.tokens(result);
        if let Some(seconds) = result.seconds {
            self.raw("performance", &format!("{{\"latency_ms\": {}}}", seconds * 1000.0));
        }
        if let Some(failure) = result.failure {
            self.string("error", failure);
        }
        if !result.metadata.is_empty() {
            self.key("metadata");
            self.text.push('{');
            for (key, value) in &result.metadata {
                self.string(key, value);
            }
            self.text.push('}');
        }
        self.text.push_str("}\n");
    }

    /// The form wants the counts of input, of output and of both, or none.
    fn tokens(&mut self, result: &StatedResult<'_>) {
        let count = |wanted: &str| {
            let found = result.tokens.iter().find(|(key, _)| *key == wanted);
            found.and_then(|(_, count)| count.parse::<u64>().ok())
        };
        let (input, output) = (count("input_tokens"), count("output_tokens"));
        let Some((input, output)) = input.zip(output) else {
            if !result.tokens.is_empty() {
                self.losses.add("counts of tokens without those of input and output");
            }
            return;
        };
        let total = count("total_tokens").unwrap_or_else(|| input.saturating_add(output));
        let counts =
            format!("{{\"input_tokens\": {input}, \"output_tokens\": {output}, \"total_tokens\": {total}}}");
        self.raw("token_usage", &counts);
    }

    fn or_default(&mut self, value: Option<&str>, what: &str, default: String) -> String {
        value.map_or_else(
            || {
                self.defaults.add(what);
                default
            },
            ToOwned::to_owned,
        )
    }

    fn key(&mut self, key: &str) {
        if !self.text.ends_with('{') {
            self.text.push_str(", ");
        }
        write_string(key, &mut self.text);
        self.text.push_str(": ");
    }

    fn raw(&mut self, key: &str, json: &str) {
        self.key(key);
        self.text.push_str(json);
    }

    fn string(&mut self, key: &str, value: &str) {
        self.key(key);
        write_string(value, &mut self.text);
    }

    fn strings(&mut self, key: &str, values: &[&str]) {
        self.key(key);
        self.text.push('[');
        for (at, value) in values.iter().enumerate() {
            self.text.push_str(if at > 0 { ", " } else { "" });
            write_string(value, &mut self.text);
        }
        self.text.push(']');
    }
}
