//! A new question for a records file: the same node that loading such a record would make.

use oxrdf::Term;
use serde_json::{Value, json};

use super::new_question::{NewQuestion, next_id};
use super::scope::QuestionScope;
use evalgraph_diagnostics::RunFailure;
use evalgraph_formats::rlcf::known_values::OPEN;
use evalgraph_rdf::iri::percent_encode_into;
use evalgraph_rdf::minted::node_base_of_graph;

/// Returns a question as a row, with the next id, after all other rows, and without a context.
///
/// # Errors
///
/// Codes with the command's prefix: `no-place` for values that a row does not have, `next-id` if no id ends with a
/// number.
pub(crate) fn row(
    scope: QuestionScope<'_>,
    graph: &str,
    question: &NewQuestion<'_>,
) -> Result<Value, RunFailure> {
    check_has_no_more(scope, question)?;
    let pattern = "?row a eg:TrainRow ; s:item ?question . OPTIONAL { ?row eg:rowId ?id } \
                   OPTIONAL { ?question s:position ?position } OPTIONAL { ?question eg:isImpossible ?impossible }";
    let rows = scope.rows(graph, pattern, &["id", "position", "impossible"])?;
    let position_of = |row: &Vec<Option<Term>>| match &row[1] {
        Some(Term::Literal(position)) => position.value().parse::<u64>().ok(),
        _ => None,
    };
    let position = rows.iter().filter_map(position_of).max().map_or(0, |last| last + 1);
    let base = node_base_of_graph("train", graph);
    let has_ids = rows.iter().any(|row| row[0].is_some());
    let mut made = json!({ "@type": ["DataFeedItem", "eg:TrainRow"] });
    let mut iri = base.clone();
    if has_ids {
        let id = next_id(scope, rows.iter().filter_map(|row| row[0].clone()))?;
        let text = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
        percent_encode_into(&text, &mut iri);
        made["eg:rowId"] = id;
        made["identifier"] = json!(text);
    } else {
        let mut numbered = (position..).map(|number| format!("{base}~{number}"));
        iri = loop {
            match numbered.next() {
                Some(name) if !scope.knows(graph, &name)? => break name,
                _ => {}
            }
        };
    }
    let mut item = json!({
        "@id": format!("{iri}/question"), "@type": "Question", "position": position, "text": question.text,
    });
    if rows.iter().any(|row| row[2].is_some()) {
        item["eg:isImpossible"] = json!(false);
    }
    item["acceptedAnswer"] =
        json!({ "@id": format!("{iri}/answer"), "@type": "Answer", "text": question.answer });
    made["item"] = item;
    made["@id"] = json!(iri);
    Ok(made)
}

/// Returns a question as a task for experts, of type QA, that waits for responses.
///
/// # Errors
///
/// The errors of [`row`].
pub(crate) fn legal_task(
    scope: QuestionScope<'_>,
    graph: &str,
    question: &NewQuestion<'_>,
) -> Result<Value, RunFailure> {
    check_has_no_more(scope, question)?;
    let ids = scope.rows(graph, "?task a eg:LegalTask ; s:identifier ?id .", &["id"])?;
    let id = match ids.is_empty() {
        true => json!("1"),
        false => next_id(scope, ids.into_iter().flatten().flatten())?,
    };
    let mut iri = format!("{}task/", node_base_of_graph("rlcf", graph));
    percent_encode_into(id.as_str().unwrap_or_default(), &mut iri);
    let as_json = |value: Value| json!({ "@value": value.to_string(), "@type": "rdf:JSON" });
    let time = question.now.format("%Y-%m-%dT%H:%M:%S").to_string();
    Ok(json!({
        "@id": iri,
        "@type": ["Question", "eg:LegalTask"],
        "identifier": id,
        "additionalType": "QA",
        "eg:inputData": as_json(json!({ "question": question.text, "context": "" })),
        "text": question.text,
        "isBasedOn": { "@id": format!("{iri}/context"), "@type": "CreativeWork", "text": "" },
        "eg:groundTruthData": as_json(json!({ "validated_answer": question.answer })),
        "acceptedAnswer": { "@id": format!("{iri}/ground-truth"), "@type": "Answer", "text": question.answer },
        "dateCreated": { "@value": time, "@type": "xsd:dateTime" },
        "creativeWorkStatus": OPEN,
    }))
}

fn check_has_no_more(scope: QuestionScope<'_>, question: &NewQuestion<'_>) -> Result<(), RunFailure> {
    if question.keywords.is_empty() && question.finished.is_none() {
        return Ok(());
    }
    let message = "a record has no place for keywords, nor for whether the question is finished";
    Err(scope.fault("no-place", message).into())
}
