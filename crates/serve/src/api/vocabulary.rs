//! `/api/vocabulary`: the classes and properties of the data, from which an editor of queries completes.

use std::rc::Rc;

use serde_json::{Value, json};

use super::given::check_known;
use super::json;
use crate::asked::Asked;
use crate::channel::Reply;
use crate::context::Context;
use crate::data::Seen;
use crate::problem::Problem;
use evalgraph_engine::api::vocabulary::{Class, Counted, Vocabulary};
use evalgraph_sparql::Cancellation;

/// Tells the vocabulary of the state of now, which is looked through once.
///
/// # Errors
///
/// `serve::parameter`, and those of the data.
pub(super) fn answer(
    context: &Context,
    asked: &Asked,
    cancellation: &Cancellation,
    reply: &Rc<Reply>,
) -> Result<(), Problem> {
    check_known(&asked.parameters, &[])?;
    let Seen { loaded, name } = context.data.now()?;
    let make = || {
        let vocabulary = context.vocabulary.of(&name, || {
            let vocabulary = Vocabulary::of(loaded.dataset(), cancellation)?;
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
    json::answer_of(asked, &name, make, reply)
}

fn counted(Counted { iri, count }: &Counted) -> Value {
    json!({ "iri": iri, "count": count })
}

fn class(Class { class, properties, more }: &Class) -> Value {
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
