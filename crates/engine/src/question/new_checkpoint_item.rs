//! A new question of a checkpoint. It is the item that the form's writer makes from a table with this one row, adapted
//! to the dialect of the checkpoint.

use serde_json::{Value, json};

use super::new_question::next_id;
use super::scope::QuestionScope;
use evalgraph_diagnostics::help::{command, help};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure};
use evalgraph_formats::checkpoint::CheckpointDialect;
use evalgraph_formats::checkpoint::model::Checkpoint;
use evalgraph_formats::checkpoint::question_table::{QuestionTableFormat, TableOptions, checkpoint_of};
use evalgraph_formats::checkpoint::writer::{CheckpointForm, CheckpointWriteOptions, WritePurpose, write};
use evalgraph_formats::new_question::NewQuestion;
use evalgraph_formats::registry::checkpoint_programs;
use evalgraph_formats::system_name::SystemName;
use evalgraph_json::{Limits, parse};
use evalgraph_rdf::iri::is_iri;
use evalgraph_rdf::minted::{node, node_base_of_graph};

/// The suffix that loading adds to make the id of a question distinct from that of its item.
const QUESTION: &str = "-question";

/// Returns a question as an object whose keys are schema.org names. Its ids are IRIs, as loading makes them.
///
/// # Errors
///
/// The errors of the writer, which refuses a question without text. With the command's prefix: `next-id` if the dialect
/// numbers its questions and the graph does not; `no-place` if the program would refuse the checkpoint with the
/// question.
pub fn checkpoint_item(
    scope: QuestionScope<'_>,
    graph: &str,
    dialect: CheckpointDialect,
    question: &NewQuestion<'_>,
) -> Result<Value, RunFailure> {
    if dialect == CheckpointDialect::T {
        return plain_question(scope, graph, question);
    }
    if form_of(dialect) == CheckpointForm::Library {
        check_has_no_scenarios_alone(scope, graph)?;
    }
    let mut item = written(question, dialect, None)?;
    let base = item["@id"].as_str().unwrap_or_default().to_owned();
    // Like the library, append a number to an id that is taken.
    let mut number = 0;
    while scope.knows(graph, &iri_of(graph, item["@id"].as_str().unwrap_or_default()))? {
        number += 1;
        item = written(question, dialect, Some(&format!("{base}-{number}")))?;
    }
    match dialect {
        CheckpointDialect::P0 | CheckpointDialect::P1 => keywords_to_item(&mut item),
        CheckpointDialect::X => name_parts(scope, graph, &mut item)?,
        _ if form_of(dialect) != CheckpointForm::Library => complete(&mut item),
        _ => {}
    }
    make_iris(graph, &mut item);
    Ok(item)
}

/// The library loads a checkpoint that has either scenarios or questions, but not both.
fn check_has_no_scenarios_alone(scope: QuestionScope<'_>, graph: &str) -> Result<(), RunFailure> {
    let is_scenario = "s:hasPart ?part . FILTER(DATATYPE(?part) = rdf:JSON)";
    let alone = format!("?list {is_scenario} FILTER NOT EXISTS {{ ?list s:dataFeedElement ?item }}");
    if !scope.has(graph, &alone)? {
        return Ok(());
    }
    let message = "the checkpoint has scenarios, and the library does not load questions beside them";
    let help = help!["add it to a checkpoint of questions; ", command("new"), " makes one from a table"];
    Err(scope.fault("no-place", message).with_help(help).into())
}

/// Returns the form that the program of a dialect writes.
fn form_of(dialect: CheckpointDialect) -> CheckpointForm {
    match dialect {
        CheckpointDialect::S0 | CheckpointDialect::S0b | CheckpointDialect::S0c | CheckpointDialect::S1 => {
            CheckpointForm::Specification
        }
        CheckpointDialect::G
        | CheckpointDialect::GDev
        | CheckpointDialect::M
        | CheckpointDialect::V2a
        | CheckpointDialect::V2b
        | CheckpointDialect::V2c => CheckpointForm::Interface,
        _ => CheckpointForm::Library,
    }
}

/// Returns the item of the question in the file that the writer makes.
fn written(
    question: &NewQuestion<'_>,
    dialect: CheckpointDialect,
    id: Option<&str>,
) -> Result<Value, RunFailure> {
    let mut row = json!({
        "question": question.text,
        "answer": question.answer,
        // The programs' default.
        "finished": question.finished.unwrap_or(false),
    });
    if !question.keywords.is_empty() {
        row["keywords"] = json!(question.keywords);
    }
    if let Some(id) = id {
        row["id"] = json!(id);
    }
    let limits = Limits { size: u64::MAX, depth: usize::MAX };
    let faults = |faults: Vec<Diagnostic>| {
        let fault = faults.into_iter().find(|fault| fault.severity == FindingSeverity::Error);
        fault.map_or(RunFailure::Reported, RunFailure::from)
    };
    let (row, options) = (row.to_string(), TableOptions::default());
    let made = checkpoint_of("the question", row, QuestionTableFormat::JsonLines, &options, limits);
    let (text, _) = made.map_err(faults)?;
    let document = parse("the question", text, limits)?;
    let checkpoint = Checkpoint::read(&document)?.checkpoint;
    let form = form_of(dialect);
    let options = CheckpointWriteOptions {
        dataset: "",
        now: question.now,
        touch: false,
        purpose: WritePurpose::File(checkpoint_programs()),
    };
    let text = write(&checkpoint, form, &options).map_err(faults)?.text;
    let mut file: Value = serde_json::from_str(&text).unwrap_or_default();
    let list = if form == CheckpointForm::Specification { "hasPart" } else { "dataFeedElement" };
    Ok(file[list][0].take())
}

/// Adds the members that the user interface writes: the original template, which it keeps beside the edited one, and
/// both dates.
fn complete(item: &mut Value) {
    let template = item["item"]["hasPart"]["text"].clone();
    if let Some(properties) = item["item"]["additionalProperty"].as_array_mut() {
        let name = "original_answer_template";
        properties.push(json!({ "@type": "PropertyValue", "name": name, "value": template }));
    }
    if item["dateCreated"].is_null() {
        item["dateCreated"] = item["dateModified"].clone();
    }
}

/// Moves the keywords to the item, where the early libraries store them.
fn keywords_to_item(item: &mut Value) {
    if let Some(keywords) = item["item"].as_object_mut().and_then(|question| question.remove("keywords")) {
        item["keywords"] = keywords;
    }
}

/// Gives the answer, the template and, if needed, the question ids that are made from the item's id.
fn name_parts(scope: QuestionScope<'_>, graph: &str, item: &mut Value) -> Result<(), RunFailure> {
    let id = item["@id"].as_str().unwrap_or_default().to_owned();
    let pattern = "?item s:item ?question . FILTER(STRENDS(STR(?question), \"-question\"))";
    let others = scope.rows(graph, pattern, &["question"])?;
    let name = |node: &mut Value, id: String| {
        if let Some(node) = node.as_object_mut() {
            node.shift_insert(0, "@id".to_owned(), Value::from(id));
        }
    };
    name(&mut item["item"]["acceptedAnswer"], format!("{id}-answer"));
    name(&mut item["item"]["hasPart"], format!("{id}-template"));
    // With several questions, one sidecar entry says that all of them have the ids of their items.
    if others.len() > 1 {
        name(&mut item["item"], format!("{id}{QUESTION}"));
    }
    Ok(())
}

/// Returns a question that is listed without an item, with the next number.
fn plain_question(
    scope: QuestionScope<'_>,
    graph: &str,
    question: &NewQuestion<'_>,
) -> Result<Value, RunFailure> {
    let ids = scope.rows(graph, "?question a s:Question ; s:identifier ?id .", &["id"])?;
    let mut made = json!({ "@type": "Question" });
    if !ids.is_empty() {
        made["identifier"] = next_id(scope, ids.into_iter().flatten().flatten())?;
    }
    made["name"] = json!(question.text);
    made["acceptedAnswer"] = json!({ "@type": "Answer", "text": question.answer });
    if let Some(finished) = question.finished {
        let property = json!({ "@type": "PropertyValue", "name": "finished", "value": finished });
        made["additionalProperty"] = json!([property]);
    }
    if !question.keywords.is_empty() {
        made["keywords"] = json!(question.keywords);
    }
    Ok(made)
}

/// Turns ids that are not IRIs into the IRIs that loading makes from them.
///
/// Recurses once per level, so use it only for nodes that this program makes.
fn make_iris(graph: &str, node: &mut Value) {
    match node {
        Value::Object(members) => {
            for (key, value) in members.iter_mut() {
                match value {
                    Value::String(id) if key == "@id" => *id = iri_of(graph, id),
                    value => make_iris(graph, value),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| make_iris(graph, value)),
        _ => {}
    }
}

fn iri_of(graph: &str, id: &str) -> String {
    if is_iri(id) {
        return id.to_owned();
    }
    node(&node_base_of_graph(SystemName::JSON_LD.name(), graph), id)
}
