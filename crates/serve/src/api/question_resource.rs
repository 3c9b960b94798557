//! `/api/question`: one question, with everything that belongs to it, and its place in its file.

use std::rc::Rc;

use hyper::StatusCode;
use serde_json::{Value, json};

use super::findings_resource::of_question;
use super::json_answer;
use super::resource_parameters::{check_known, needed, truth};
use crate::browse::name_lookup::NameLookup;
use crate::channel::ReplySender;
use crate::problem::ProblemDetails;
use crate::question_places::QuestionPlaces;
use crate::received_request::ReceivedRequest;
use crate::server_context::ServerContext;
use crate::states::with_findings;
use evalgraph_sparql::CancellationToken;

/// The parameters of the resource.
const PARAMETERS: [&str; 3] = ["graph", "id", "place"];

/// Answers with the question.
///
/// # Errors
///
/// `serve::unknown-question`, and the errors of the request and of the data.
pub(super) fn answer(
    context: &ServerContext,
    asked: &ReceivedRequest,
    cancellation: &CancellationToken,
    reply: &Rc<ReplySender>,
) -> Result<(), ProblemDetails> {
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
        let names = NameLookup::new(seen.loaded.dataset());
        let row = questions.find(&names, graph, id).ok_or_else(unknown)?;
        cancellation.check()?;
        let mut question = questions.question(&names, row);
        let mut put = |name: &str, value: Value| question.insert(name.to_owned(), value);
        put("state", json!(seen.name));
        let shown = match is_placed {
            true => {
                let places = context.places.get_or_make(&seen.name, || Ok(QuestionPlaces::default()))?;
                places.place_of(&context.data, &seen, &questions, row)?
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
    json_answer::answer_of(asked, &name, make, reply)
}

/// The error that a question does not exist.
pub(super) fn unknown() -> ProblemDetails {
    let message = "there is no question with this id in a graph of this name";
    ProblemDetails::new(StatusCode::NOT_FOUND, "serve::unknown-question", message)
}
