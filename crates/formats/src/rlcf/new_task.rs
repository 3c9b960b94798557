//! A new question for a file of tasks: the same node that loading such a task would make.

use serde_json::{Value, json};

use super::RLCF;
use super::known_values::OPEN;
use crate::new_question::{NewQuestion, QuestionGraph};
use evalgraph_diagnostics::RunFailure;
use evalgraph_rdf::iri::percent_encode_into;

/// Returns a question as a task for experts, of type QA, that waits for responses.
///
/// # Errors
///
/// Codes with the command's prefix: `no-place` for values that a task does not have, `next-id` if no id ends with a
/// number.
pub(super) fn legal_task(question: &NewQuestion<'_>, graph: &dyn QuestionGraph) -> Result<Value, RunFailure> {
    question.check_is_plain(graph, "record")?;
    let pattern = "?task a eg:LegalTask ; s:identifier ?id .";
    let id = graph.next_id(pattern, &["id"])?.unwrap_or_else(|| json!("1"));
    let mut iri = format!("{}task/", graph.node_base(RLCF));
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
