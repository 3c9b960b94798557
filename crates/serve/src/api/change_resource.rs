//! `/api/change`: changes the answer, the keywords or the state of one question, shows a change before it is made, and
//! undoes it. It uses the same path as all changes, so the catalog and the written files follow.

use std::rc::Rc;

use hyper::StatusCode;
use serde_json::{Map, Value, json};

use super::json_answer;
use super::question_resource::unknown;
use crate::browse::name_lookup::NameLookup;
use crate::browse::question_table::SettableQuestion;
use crate::channel::ReplySender;
use crate::problem::ProblemDetails;
use crate::received_request::ReceivedRequest;
use crate::served_data::DataSnapshot;
use crate::server_context::ServerContext;
use crate::states::check_is_meant;
use crate::undos::{ChangeReversal, ChangedValue};
use evalgraph_diagnostics::{Diagnostic, RunReport};
use evalgraph_engine::api::{StatementsUpdate, StoreChangeOptions, StoreQuestionEdit};
use evalgraph_engine::question::edit::QuestionEdit;
use evalgraph_engine::workspace::oversight::RunOversight;
use evalgraph_engine::workspace::statements_change::StatementsChange;
use evalgraph_sparql::CancellationToken;

/// The media type of the body.
const JSON: &str = "application/json";

/// The content of the body.
enum ChangeRequest {
    Set { graph: String, id: String, set: NewQuestionValues, is_dry: bool },
    Undo { name: String, is_dry: bool },
}

/// The new values of a question; `None` means unchanged.
#[derive(Debug, Default)]
struct NewQuestionValues {
    answer: Option<String>,
    finished: Option<bool>,
    keywords: Option<Vec<String>>,
}

/// Makes the change, or only shows it.
///
/// # Errors
///
/// The errors of the request, of the question and of the store; then nothing has changed.
pub(super) fn answer(
    context: &ServerContext,
    asked: &ReceivedRequest,
    cancellation: CancellationToken,
    reply: &Rc<ReplySender>,
) -> Result<(), ProblemDetails> {
    let wish = wish(asked)?;
    if !context.data.is_store() {
        let message = "the data are files, but only the data of a store can be changed";
        return Err(ProblemDetails::new(StatusCode::FORBIDDEN, "serve::read-only", message));
    }
    let seen = context.data.now()?;
    check_is_meant(asked, &seen.name)?;
    let turn = ChangeTurn { context, asked, seen: &seen, cancellation, reply };
    let value = match wish {
        ChangeRequest::Set { graph, id, set, is_dry } => turn.set(&graph, &id, set, is_dry)?,
        ChangeRequest::Undo { name, is_dry } => turn.undo(&name, is_dry)?,
    };
    json_answer::answer(asked, None, &value, reply)
}

/// A change that is valid only in the state that was current when it began. If the data have changed since, it fails.
struct ChangeTurn<'t> {
    context: &'t ServerContext,
    asked: &'t ReceivedRequest,
    seen: &'t DataSnapshot,
    cancellation: CancellationToken,
    reply: &'t ReplySender,
}

impl RunOversight for ChangeTurn<'_> {
    fn cancellation(&self) -> CancellationToken {
        self.cancellation.clone()
    }

    fn settle(&self) -> Result<(), Box<Diagnostic>> {
        // The state is compared again, because it may have changed since `answer` compared it.
        let now = self.context.data.now().map_err(ProblemDetails::into_finding)?;
        check_is_meant(self.asked, &now.name)?;
        if now.name != self.seen.name {
            return Err(changed());
        }
        self.reply.settle()?;
        self.cancellation.check()
    }
}

impl ChangeTurn<'_> {
    fn writing(&self, is_dry: bool) -> StoreChangeOptions<'_> {
        StoreChangeOptions { oversight: self, is_dry, patience: self.context.options.timeout / 2 }
    }

    /// Gives a question new values.
    fn set(
        &self,
        graph: &str,
        id: &str,
        set: NewQuestionValues,
        is_dry: bool,
    ) -> Result<Value, ProblemDetails> {
        let questions = self.context.questions(self.seen, &self.cancellation)?;
        let names = NameLookup::new(self.seen.loaded.dataset());
        let row = questions.find(&names, graph, id).ok_or_else(unknown)?;
        let before = questions.settable(&names, row);
        let (changes, set) = differences(&before, set);
        let (mut update, mut after, mut notes) = (None, None, Vec::new());
        if !changes.is_empty() {
            let NewQuestionValues { answer, finished, keywords } = set;
            let question = before.name.clone();
            let edit = QuestionEdit::Set { question, answer, finished, keywords, text: None };
            let writing = self.writing(is_dry);
            let change = StoreQuestionEdit { edit: &edit, graph, node: &before.node, writing };
            let (made, report) = self.context.data.change_by(|loader, report| change.make(loader, report))?;
            (update, notes) = (made, notes_of(&report));
            if update.is_some() && !is_dry {
                after = self.after();
            }
        }
        let undo = after.as_ref().and_then(|after| self.keep(graph, after, before.file.clone(), &changes));
        let state = if update.is_none() || is_dry { Some(&self.seen.name) } else { name_of(&after) };
        let update = update.unwrap_or_default();
        Ok(told(state, &before.file, &changes, json!({"update": update, "notes": notes, "undo": undo})))
    }

    /// Undoes a change, if nothing else has changed since.
    fn undo(&self, name: &str, is_dry: bool) -> Result<Value, ProblemDetails> {
        let undos = &self.context.undos;
        let Some(undo) = undos.get(name) else {
            let message =
                "the server has forgotten this change: it remembers its last hundred changes, until it ends";
            return Err(ProblemDetails::new(StatusCode::NOT_FOUND, "serve::unknown-undo", message));
        };
        if undo.state != self.seen.name {
            return Err(changed().into());
        }
        let change = StatementsUpdate { change: &undo.statements, writing: self.writing(is_dry) };
        let (is_made, report) = self.context.data.change_by(|loader, report| change.make(loader, report))?;
        if !is_made {
            return Err(changed().into());
        }
        let notes = notes_of(&report);
        let swap = |changed: &ChangedValue| ChangedValue {
            property: changed.property,
            before: changed.after.clone(),
            after: changed.before.clone(),
        };
        let changes: Vec<ChangedValue> = undo.changes.iter().map(swap).collect();
        if is_dry {
            let rest = json!({"update": "", "notes": notes, "undo": null});
            return Ok(told(Some(&self.seen.name), &undo.file, &changes, rest));
        }
        undos.forget(name);
        let after = self.after();
        let graph = undo.statements.graph();
        let again = after.as_ref().and_then(|after| self.keep(graph, after, undo.file.clone(), &changes));
        let rest = json!({"update": "", "notes": notes, "undo": again});
        Ok(told(name_of(&after), &undo.file, &changes, rest))
    }

    /// Returns the state that the change has produced; `None` if another change has been made since.
    fn after(&self) -> Option<DataSnapshot> {
        let after = self.context.data.now().ok()?;
        let generation = self.seen.loaded.generation()?;
        (after.loaded.generation() == Some(generation + 1)).then_some(after)
    }

    /// Stores how to undo the change, and returns the body that does so.
    fn keep(
        &self,
        graph: &str,
        after: &DataSnapshot,
        file: Option<String>,
        changes: &[ChangedValue],
    ) -> Option<Value> {
        let (from, to) = (after.loaded.dataset(), self.seen.loaded.dataset());
        let statements = StatementsChange::between(from, to, graph);
        if statements.is_empty() {
            return None;
        }
        let (state, changes) = (after.name.clone(), changes.to_vec());
        Some(json!({"undo": self.context.undos.keep(ChangeReversal { state, statements, file, changes })}))
    }
}

fn name_of(seen: &Option<DataSnapshot>) -> Option<&String> {
    seen.as_ref().map(|seen| &seen.name)
}

fn changed() -> Box<Diagnostic> {
    let message = "the data have changed since, so this change is not made";
    Box::new(Diagnostic::error("serve::changed", message))
}

/// Returns the values that differ, and those of the requested values that have to be set.
fn differences(before: &SettableQuestion, set: NewQuestionValues) -> (Vec<ChangedValue>, NewQuestionValues) {
    let mut changes = Vec::new();
    let mut differ = |property: &'static str, before: Value, after: Value| {
        let differs = before != after;
        if differs {
            changes.push(ChangedValue { property, before, after });
        }
        differs
    };
    let NewQuestionValues { answer, finished, keywords } = set;
    let answer = answer.filter(|answer| differ("answer", json!(before.answer), json!(answer)));
    let finished = finished.filter(|finished| differ("finished", json!(before.finished), json!(finished)));
    let keywords = keywords.map(|mut keywords| {
        keywords.sort();
        keywords.dedup();
        keywords
    });
    let keywords = keywords.filter(|keywords| differ("keywords", json!(before.keywords), json!(keywords)));
    (changes, NewQuestionValues { answer, finished, keywords })
}

/// The findings of the change.
fn notes_of(report: &RunReport) -> Vec<Value> {
    report.findings().map(|finding| json!({"code": finding.code, "detail": finding.message})).collect()
}

/// The answer: state, file, changes, and the rest.
fn told(state: Option<&String>, file: &Option<String>, changes: &[ChangedValue], mut rest: Value) -> Value {
    let change = |changed: &ChangedValue| json!({"property": changed.property, "before": changed.before, "after": changed.after});
    rest["state"] = json!(state);
    rest["file"] = json!(file);
    rest["changes"] = changes.iter().map(change).collect();
    rest
}

/// Reads the body.
fn wish(asked: &ReceivedRequest) -> Result<ChangeRequest, ProblemDetails> {
    if asked.media_type().as_deref() != Some(JSON) {
        let message = format!("the body must have the type {JSON}");
        return Err(ProblemDetails::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "serve::media-type", message));
    }
    if !asked.parameters.is_empty() {
        return Err(refused("send the change in the body, not in the URL"));
    }
    let body = serde_json::from_str(&asked.text()?);
    let body: Value = body.map_err(|error| refused(format!("the body is not JSON: {error}")))?;
    let Value::Object(mut members) = body else { return Err(refused("the body must be an object")) };
    let is_dry = taken(&mut members, "dry", Value::as_bool, "`true` or `false`")?.unwrap_or(false);
    let text = |value: &Value| value.as_str().map(str::to_owned);
    if let Some(name) = taken(&mut members, "undo", text, "a text")? {
        check_is_empty(&members)?;
        return Ok(ChangeRequest::Undo { name, is_dry });
    }
    let graph = taken(&mut members, "graph", text, "a text")?;
    let id = taken(&mut members, "id", text, "a text")?;
    let texts = |value: &Value| value.as_array()?.iter().map(text).collect::<Option<Vec<String>>>();
    let set = NewQuestionValues {
        answer: taken(&mut members, "answer", text, "a text")?,
        finished: taken(&mut members, "finished", Value::as_bool, "`true` or `false`")?,
        keywords: taken(&mut members, "keywords", texts, "a list of strings")?,
    };
    check_is_empty(&members)?;
    let NewQuestionValues { answer, finished, keywords } = &set;
    if answer.is_none() && finished.is_none() && keywords.is_none() {
        return Err(refused("there is nothing to change: name `answer`, `finished` or `keywords`"));
    }
    match (graph, id) {
        (Some(graph), Some(id)) => Ok(ChangeRequest::Set { graph, id, set, is_dry }),
        _ => Err(refused("name the question by its `graph` and its `id`")),
    }
}

/// Takes a member out of the body.
fn taken<T>(
    members: &mut Map<String, Value>,
    name: &str,
    read: impl FnOnce(&Value) -> Option<T>,
    form: &str,
) -> Result<Option<T>, ProblemDetails> {
    let Some(value) = members.remove(name) else { return Ok(None) };
    read(&value).map(Some).ok_or_else(|| refused(format!("`{name}` is {form}")))
}

fn check_is_empty(members: &Map<String, Value>) -> Result<(), ProblemDetails> {
    match members.keys().next() {
        None => Ok(()),
        Some(name) => Err(refused(format!("there is no member `{name}` here"))),
    }
}

fn refused(message: impl Into<String>) -> ProblemDetails {
    ProblemDetails::bad("serve::parameter", message)
}
