//! A new question of a Kwanzaa dataset: the sample that a conversion makes from a question with only a text and an
//! answer, as the statements that loading it would make.

use std::borrow::Cow;
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use chrono::SecondsFormat;

use super::{KWANZAA, KwanzaaFileKind, dataset_of_items};
use crate::items::{DatasetItems, QuestionItem, SourceId};
use crate::new_question::{AddedQuestion, NewQuestion, QuestionGraph};
use crate::records::{ComposedDocument, RecordComposer};
use evalgraph_diagnostics::{Diagnostic, RunFailure};
use evalgraph_json::{JsonDocument, Limits, TokenId, parse};
use evalgraph_jsonld::{JsonLdOptions, JsonLdProcessor, LoadMode, NoLoader};
use evalgraph_rdf::minted::node;
use evalgraph_rdf::vocabulary::SCHEMA_ORG;
use evalgraph_rdf::write::write;
use evalgraph_rdf::{QuadBuffer, QuadSink, RdfFormat};

/// The prefix of sample ids. By the convention of the documents, it consists of the category and the persona.
const PREFIX: &str = "format_compliance_educator_";

/// Returns the sample of a question.
///
/// # Errors
///
/// Codes with the command's prefix: `no-place` for values that a sample does not have, and for a question that its
/// schema refuses.
pub(super) fn sample(
    question: &NewQuestion<'_>,
    graph: &dyn QuestionGraph,
) -> Result<AddedQuestion, RunFailure> {
    question.check_is_plain(graph, "sample")?;
    let pattern = "?sample a eg:TrainingSample ; s:identifier ?id . \
                   OPTIONAL { ?sample s:item ?question . ?question s:position ?position }";
    let samples = graph.texts(pattern, &["id", "position"])?;
    let positions = samples.iter().filter_map(|row| row[1].as_ref()?.parse::<u64>().ok());
    let position = positions.max().map_or(0, |last| last + 1);
    let ids: HashSet<&str> = samples.iter().filter_map(|row| row[0].as_deref()).collect();
    let mut numbers = (1..).map(|number| format!("{PREFIX}{number:03}"));
    let Some(id) = numbers.find(|id| !ids.contains(id.as_str())) else {
        return Err(graph.fault("next-id", "no id is free".to_owned()).into());
    };
    let base = graph.node_base(KWANZAA);
    let file = dataset(graph, &id, question)?;
    let quads = quads_of(&file, &base)?;
    let iri = node(&base, &id);
    let about = statements(&quads, &iri, position)?;
    let sample = file.get(file.root(), "samples").and_then(|samples| file.items(samples).next());
    let metadata = sample.and_then(|sample| file.get(sample, "metadata"));
    let text = |(object, key): (Option<TokenId>, &str)| {
        let value = object.and_then(|object| file.get(object, key)).and_then(|value| file.string(value));
        value.map(Cow::into_owned).unwrap_or_default()
    };
    let counted_by = [(sample, "category"), (sample, "persona"), (metadata, "difficulty")].map(text);
    Ok(AddedQuestion::Statements { iri, about, counted_by })
}

/// Returns a dataset that contains only the sample.
fn dataset(
    graph: &dyn QuestionGraph,
    id: &str,
    question: &NewQuestion<'_>,
) -> Result<JsonDocument, RunFailure> {
    let item = QuestionItem {
        source_id: Some(SourceId { text: id.to_owned(), is_string: true }),
        question: question.text.to_owned(),
        answer: Some(question.answer.to_owned()),
        node: QuadBuffer::new().iri(id),
        local_id: id.to_owned(),
        no_answer: None,
        is_impossible: None,
        contexts: Vec::new(),
        keywords: Vec::new(),
        date_created: None,
        date_modified: None,
    };
    let items = DatasetItems { name: None, description: None, items: vec![item], unread: Vec::new() };
    let made = dataset_of_items(&items, &question.now.to_rfc3339_opts(SecondsFormat::Secs, true));
    if let Some((fault, _)) = made.faults.iter().next() {
        return Err(graph.fault("no-place", format!("a sample cannot hold this: {fault}")).into());
    }
    Ok(parse("sample", made.json, Limits::default())?)
}

/// Returns the quads that loading the dataset makes.
fn quads_of(file: &JsonDocument, base: &str) -> Result<QuadBuffer, RunFailure> {
    let shape = KwanzaaFileKind::Dataset.shape();
    let mut composer = RecordComposer::new(file, &shape, base);
    let mut quads = QuadBuffer::new();
    while let Some(composed) = composer.next_document() {
        let ComposedDocument { document, json_values } = composed?;
        let mode = LoadMode { json_values, ..LoadMode::default() };
        let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader).with_load_mode(mode);
        let document = Arc::clone(&document);
        processor.to_rdf(&document, &mut quads).map_err(|error| Box::new(error.diagnostic()))?;
    }
    Ok(quads)
}

/// Returns the statements about a node and all nodes that it leads to, as N-Triples. The position is the one in the
/// dataset.
fn statements(quads: &QuadBuffer, iri: &str, position: u64) -> Result<String, RunFailure> {
    let mut bytes = Vec::new();
    write(quads, RdfFormat::NTriples, &mut bytes)
        .map_err(|error| Diagnostic::error("output::unwritable", error.to_string()))?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let lines: Vec<[&str; 3]> = text.lines().filter_map(parts).collect();
    let position_of = format!("<{SCHEMA_ORG}position>");
    let question = format!("<{iri}/question>");
    let mut known: HashSet<String> = HashSet::new();
    let mut waiting: VecDeque<String> = VecDeque::from([format!("<{iri}>")]);
    let mut found = Vec::new();
    while let Some(node) = waiting.pop_front() {
        if !known.insert(node.clone()) {
            continue;
        }
        for [subject, predicate, object] in lines.iter().filter(|[subject, ..]| *subject == node) {
            let is_position = *predicate == position_of && *subject == question;
            let object = if is_position { position.to_string() } else { (*object).to_owned() };
            found.push(format!("{subject} {predicate} {object} ."));
            if object.starts_with(['<', '_']) {
                waiting.push_back(object);
            }
        }
    }
    Ok(found.join("\n  "))
}

/// Returns the subject, predicate and object of an N-Triples line.
fn parts(line: &str) -> Option<[&str; 3]> {
    let (subject, rest) = line.split_once(' ')?;
    let (predicate, rest) = rest.split_once(' ')?;
    Some([subject, predicate, rest.strip_suffix(" .")?])
}
