//! `/api/parse`: checks a query while it is being written. Nothing is evaluated, but terms are looked up in the data.

use std::rc::Rc;

use oxrdf::NamedNode;
use serde_json::{Value, json};

use super::json_answer;
use super::resource_parameters::check_known;
use crate::channel::ReplySender;
use crate::problem::ProblemDetails;
use crate::query_operation::{QUERY, unknown_media_type};
use crate::received_request::{FORM, ReceivedRequest};
use crate::server_context::ServerContext;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_engine::api::data_vocabulary::{DataVocabulary, IriCount};
use evalgraph_sparql::{KnownTerm, Query, variables_of};
use evalgraph_store::DefaultGraph;

/// Answers with the faults of a query, or with facts about it if it has none.
///
/// # Errors
///
/// `serve::parameter`, `serve::media-type`, and the errors of the data.
pub(super) fn answer(
    context: &ServerContext,
    asked: &ReceivedRequest,
    reply: &Rc<ReplySender>,
) -> Result<(), ProblemDetails> {
    let text = text_of(asked)?;
    let (form, faults) = match Query::parse_in(&text, "query", &context.prologue(&asked.url())) {
        Ok(query) => (Some(query.form().name()), findings(context, &query)?),
        Err(fault) => (None, vec![*fault]),
    };
    let faults: Vec<Value> = faults.iter().map(|fault| to_json(fault, &text)).collect();
    let value = json!({ "form": form, "variables": variables_of(&text), "faults": faults });
    json_answer::answer(asked, None, &value, reply)
}

/// Returns the text of the query: the body itself, or a parameter of a form.
fn text_of(asked: &ReceivedRequest) -> Result<String, ProblemDetails> {
    match asked.media_type().as_deref() {
        Some(QUERY) => {
            check_known(&asked.parameters, &[])?;
            asked.text()
        }
        Some(FORM) => {
            let parameters = asked.with_form()?;
            check_known(&parameters, &["query"])?;
            let text = parameters.one("query")?;
            text.map(str::to_owned)
                .ok_or_else(|| ProblemDetails::bad("serve::parameter", "the parameter `query` is missing"))
        }
        _ => Err(unknown_media_type(QUERY)),
    }
}

/// Returns the parts of a query that are probably mistakes: variables without a value, patterns that match nothing,
/// terms that the data do not have.
fn findings(context: &ServerContext, query: &Query) -> Result<Vec<Diagnostic>, ProblemDetails> {
    let seen = context.data.now()?;
    let view = seen.loaded.dataset().view(DefaultGraph::Union);
    // Making the vocabulary takes longer than the time between two keystrokes, so it is used only if it is there.
    let vocabulary = context.vocabulary.now(&seen.name);
    let (properties, classes) = vocabulary.as_deref().map(known).unwrap_or_default();
    let mut findings = query.warnings();
    findings.extend(query.pattern_faults());
    findings.extend(query.unknown_terms_among(&view, &properties, &classes));
    Ok(findings)
}

/// Returns the properties and the classes that the data have.
fn known(vocabulary: &DataVocabulary) -> (Vec<KnownTerm>, Vec<KnownTerm>) {
    let known = |IriCount { iri, count }: &IriCount| KnownTerm {
        term: NamedNode::new_unchecked(iri).into(),
        count: count.to_string(),
        unit: "node",
    };
    let classes = vocabulary.classes.iter().map(|class| known(&class.class)).collect();
    (vocabulary.properties.iter().map(known).collect(), classes)
}

fn to_json(fault: &Diagnostic, text: &str) -> Value {
    let help: Vec<String> = fault.help.iter().map(ToString::to_string).collect();
    let place = fault.place.as_deref();
    let marked = place.and_then(|place| {
        let (begin, end) = (usize::try_from(place.bytes.start).ok()?, usize::try_from(place.bytes.end).ok()?);
        text.get(begin..end)
    });
    json!({
        "severity": fault.severity.to_string(),
        "code": fault.code,
        "message": fault.message,
        "help": help,
        "line": place.map(|place| place.line),
        "column": place.map(|place| place.column),
        "length": marked.map(|marked| marked.chars().count()),
    })
}
