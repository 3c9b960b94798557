//! `/api/question`: one question, with all that belongs to it, and where it stands in its file.

use std::rc::Rc;

use hyper::StatusCode;
use serde_json::{Value, json};

use super::findings::of_question;
use super::given::{check_known, needed, truth};
use super::json;
use crate::asked::Asked;
use crate::browse::names::Names;
use crate::channel::Reply;
use crate::context::Context;
use crate::places::Places;
use crate::problem::Problem;
use crate::states::with_findings;
use evalgraph_sparql::Cancellation;

/// The parameters of the resource.
const PARAMETERS: [&str; 3] = ["graph", "id", "place"];

/// Answers with the question.
///
/// # Errors
///
/// `serve::unknown-question`, and those of the request and of the data.
pub(super) fn answer(
    context: &Context,
    asked: &Asked,
    cancellation: &Cancellation,
    reply: &Rc<Reply>,
) -> Result<(), Problem> {
    check_known(&asked.parameters, &PARAMETERS)?;
    let (graph, id) = (needed(&asked.parameters, "graph")?, needed(&asked.parameters, "id")?);
    let is_placed = truth(&asked.parameters, "place")?.unwrap_or(true);
    let seen = context.data.now()?;
    let name = match context.findings.now(&seen.name) {
        Some(_) => with_findings(&seen.name),
        None => seen.name.clone(),
    };
    let make = || {
        let questions = context.questions(&seen, cancellation)?;
        let names = Names::of(seen.loaded.dataset());
        let row = questions.find(&names, graph, id).ok_or_else(unknown)?;
        cancellation.check()?;
        let mut question = questions.question(&names, row);
        let mut put = |name: &str, value: Value| question.insert(name.to_owned(), value);
        put("state", json!(seen.name));
        let shown = match is_placed {
            true => {
                let places = context.places.of(&seen.name, || Ok(Places::default()))?;
                places.of(&context.data, &seen, &questions, row)?
            }
            false => None,
        };
        put("line", json!(shown.as_ref().map(|shown| shown.at.line)));
        put("column", json!(shown.as_ref().map(|shown| shown.at.column)));
        let lines = shown.and_then(|shown| shown.lines);
        put(
            "excerpt",
            lines.map_or(Value::Null, |lines| json!({"first": lines.first, "lines": lines.lines})),
        );
        put("findings", of_question(context, &seen, &questions, row));
        if let Some(fault) = seen.loaded.dataset().fault() {
            return Err(Box::new(fault.clone()).into());
        }
        Ok(Value::Object(question))
    };
    json::answer_of(asked, &name, make, reply)
}

/// A question that is not there.
pub(super) fn unknown() -> Problem {
    let message = "there is no question of this id in a graph of this name";
    Problem::new(StatusCode::NOT_FOUND, "serve::unknown-question", message)
}
