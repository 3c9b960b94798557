//! `/api/vocabulary`: the classes and properties of the data, for completion in a query editor.

use std::rc::Rc;

use serde_json::{Value, json};

use super::json_answer;
use super::resource_parameters::check_known;
use crate::channel::ReplySender;
use crate::problem::ProblemDetails;
use crate::received_request::ReceivedRequest;
use crate::served_data::DataSnapshot;
use crate::server_context::ServerContext;
use evalgraph_engine::api::data_vocabulary::{ClassUsage, DataVocabulary, IriCount};
use evalgraph_sparql::CancellationToken;

/// Answers with the vocabulary of the current state, which is collected once.
///
/// # Errors
///
/// `serve::parameter`, and the errors of the data.
pub(super) fn answer(
    context: &ServerContext,
    asked: &ReceivedRequest,
    cancellation: &CancellationToken,
    reply: &Rc<ReplySender>,
) -> Result<(), ProblemDetails> {
    check_known(&asked.parameters, &[])?;
    let DataSnapshot { loaded, name } = context.data.now()?;
    let make = || {
        let vocabulary = context.vocabulary.get_or_make(&name, || {
            let vocabulary = DataVocabulary::from_dataset(loaded.dataset(), cancellation)?;
            match loaded.dataset().fault() {
                Some(fault) => Err(Box::new(fault.clone()).into()),
                None => Ok(vocabulary),
            }
        })?;
        Ok(json!({
            "state": name,
            "prefixes": context.prefixes(),
            "classes": vocabulary.classes.iter().map(class).collect::<Vec<_>>(),
            "moreClasses": vocabulary.more_classes,
            "properties": vocabulary.properties.iter().map(counted).collect::<Vec<_>>(),
            "moreProperties": vocabulary.more_properties,
        }))
    };
    json_answer::answer_of(asked, &name, make, reply)
}

fn counted(IriCount { iri, count }: &IriCount) -> Value {
    json!({ "iri": iri, "count": count })
}

fn class(ClassUsage { class, properties, more }: &ClassUsage) -> Value {
    let properties = properties.iter().map(|property| {
        json!({
            "iri": property.property.iri,
            "count": property.property.count,
            "types": property.types,
            "classes": property.classes,
            "example": property.example,
        })
    });
    json!({
        "iri": class.iri,
        "count": class.count,
        "properties": properties.collect::<Vec<_>>(),
        "more": more,
    })
}
