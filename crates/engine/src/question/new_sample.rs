//! A new question of a Kwanzaa dataset: the sample that a conversion makes from a question with only a text and an
//! answer, as the statements that loading it would make.

use std::borrow::Cow;
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use chrono::SecondsFormat;
use oxrdf::Term;

use super::new_question::NewQuestion;
use super::scope::QuestionScope;
use evalgraph_diagnostics::{Diagnostic, RunFailure};
use evalgraph_formats::items::{DatasetItems, QuestionItem, SourceId};
use evalgraph_formats::kwanzaa::{KwanzaaFileKind, dataset_of_items};
use evalgraph_formats::records::{ComposedDocument, RecordComposer};
use evalgraph_json::{JsonDocument, Limits, TokenId, parse};
use evalgraph_jsonld::{JsonLdOptions, JsonLdProcessor, LoadMode, NoLoader};
use evalgraph_rdf::minted::{node, node_base_of_graph};
use evalgraph_rdf::vocabulary::SCHEMA_ORG;
use evalgraph_rdf::write::write;
use evalgraph_rdf::{QuadBuffer, QuadSink, RdfFormat};

/// The prefix of sample ids. By the convention of the documents, it consists of the category and the persona.
const PREFIX: &str = "format_compliance_educator_";

/// A sample to add.
pub(super) struct NewSample {
    pub(super) iri: String,
    /// The statements about it.
    pub(super) about: String,
    /// Its category, persona and difficulty, which statistics count.
    pub(super) counted_by: [String; 3],
}

/// Returns the sample of a question.
///
/// # Errors
///
/// Codes with the command's prefix: `no-place` for values that a sample does not have, and for a question that its
/// schema refuses.
pub(super) fn sample(
    scope: QuestionScope<'_>,
    graph: &str,
    question: &NewQuestion<'_>,
) -> Result<NewSample, RunFailure> {
    if !question.keywords.is_empty() || question.finished.is_some() {
        let message = "a sample has no place for keywords, nor for whether the question is finished";
        return Err(scope.fault("no-place", message).into());
    }
    let pattern = "?sample a eg:TrainingSample ; s:identifier ?id . \
                   OPTIONAL { ?sample s:item ?question . ?question s:position ?position }";
    let samples = scope.rows(graph, pattern, &["id", "position"])?;
    let text = |term: &Option<Term>| match term {
        Some(Term::Literal(literal)) => literal.value().to_owned(),
        _ => String::new(),
    };
    let positions = samples.iter().filter_map(|row| text(&row[1]).parse::<u64>().ok());
    let position = positions.max().map_or(0, |last| last + 1);
    let ids: HashSet<String> = samples.iter().map(|row| text(&row[0])).collect();
    let mut numbers = (1..).map(|number| format!("{PREFIX}{number:03}"));
    let Some(id) = numbers.find(|id| !ids.contains(id)) else {
        return Err(scope.fault("next-id", "no id is free").into());
    };
    let base = node_base_of_graph("kwanzaa", graph);
    let file = dataset(scope, &id, question)?;
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
    Ok(NewSample { iri, about, counted_by })
}

/// Returns a dataset that contains only the sample.
fn dataset(
    scope: QuestionScope<'_>,
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
        return Err(scope.fault("no-place", format!("a sample cannot hold this: {fault}")).into());
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
