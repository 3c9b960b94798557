//! A new question for a file of rows: the same node that loading such a row would make.

use serde_json::{Value, json};

use super::TRAIN;
use crate::new_question::{NewQuestion, QuestionGraph};
use evalgraph_diagnostics::RunFailure;
use evalgraph_rdf::iri::percent_encode_into;

/// Returns a question as a row, with the next id, after all other rows, and without a context.
///
/// # Errors
///
/// Codes with the command's prefix: `no-place` for values that a row does not have, `next-id` if no id ends with a
/// number.
pub(super) fn row(question: &NewQuestion<'_>, graph: &dyn QuestionGraph) -> Result<Value, RunFailure> {
    question.check_is_plain(graph, "record")?;
    let pattern = "?row a eg:TrainRow ; s:item ?question . OPTIONAL { ?row eg:rowId ?id } \
                   OPTIONAL { ?question s:position ?position } OPTIONAL { ?question eg:isImpossible ?impossible }";
    let variables = ["id", "position", "impossible"];
    let rows = graph.texts(pattern, &variables)?;
    let position_of = |row: &Vec<Option<String>>| row[1].as_ref()?.parse::<u64>().ok();
    let position = rows.iter().filter_map(position_of).max().map_or(0, |last| last + 1);
    let base = graph.node_base(TRAIN);
    let mut made = json!({ "@type": ["DataFeedItem", "eg:TrainRow"] });
    let mut iri = base.clone();
    if let Some(id) = graph.next_id(pattern, &variables)? {
        let text = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
        percent_encode_into(&text, &mut iri);
        made["eg:rowId"] = id;
        made["identifier"] = json!(text);
    } else {
        let mut numbered = (position..).map(|number| format!("{base}~{number}"));
        iri = loop {
            match numbered.next() {
                Some(name) if !graph.knows(&name)? => break name,
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
