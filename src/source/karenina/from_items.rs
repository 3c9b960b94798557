//! A checkpoint of questions that another system has: what they have in common with Karenina's goes
//! there, what a checkpoint has no word for becomes properties `custom_…`, as the Python library calls
//! what its users add. What is missing (ids, dates, templates) is left to the writer.

use crate::json::write_string;
use crate::source::items::{Item, ItemContext, Items};
use std::fmt::Write as _;

/// A checkpoint in JSON-LD with the questions of items, and nothing made up. `dataset` names it where the
/// items do not.
pub fn checkpoint_of_items(items: &Items, dataset: &str) -> String {
    let mut json = String::from(
        "{\"@context\":{\"@vocab\":\"https://schema.org/\",\"rating\":{\"@id\":\"contentRating\"}},\
         \"@type\":\"DataFeed\",\"name\":",
    );
    write_string(items.name.as_deref().unwrap_or(dataset), &mut json);
    text_member("description", items.description.as_deref(), &mut json);
    json.push_str(",\"dataFeedElement\":[");
    for (at, item) in items.items.iter().enumerate() {
        if at > 0 {
            json.push(',');
        }
        write_item(item, &mut json);
    }
    json.push_str("]}");
    json
}

fn write_item(item: &Item, json: &mut String) {
    json.push_str("{\"@type\":\"DataFeedItem\"");
    text_member("dateCreated", item.date_created.as_deref(), json);
    text_member("dateModified", item.date_modified.as_deref(), json);
    json.push_str(",\"item\":{\"@type\":\"Question\"");
    text_member("text", Some(&item.question), json);
    // No checkpoint is without an answer; what stands for one in the file does so here.
    json.push_str(",\"acceptedAnswer\":{\"@type\":\"Answer\"");
    text_member("text", item.answer.as_deref().or(item.no_answer.as_deref()).or(Some("")), json);
    json.push('}');
    json.push_str(",\"additionalProperty\":[");
    property("custom_source_id", json, |json| write_string(&item.local_id, json));
    if let Some(is_impossible) = item.is_impossible {
        json.push(',');
        property("custom_is_impossible", json, |json| {
            let _ = write!(json, "{is_impossible}");
        });
    }
    write_contexts(&item.contexts, json);
    json.push(']');
    if !item.keywords.is_empty() {
        json.push_str(",\"keywords\":[");
        for (at, keyword) in item.keywords.iter().enumerate() {
            if at > 0 {
                json.push(',');
            }
            write_string(keyword, json);
        }
        json.push(']');
    }
    json.push_str("}}");
}

/// Documents with a name are `sources`, which the library keeps as the text of a list of `CreativeWork`s;
/// texts of nobody knows which document are a property of their own.
fn write_contexts(contexts: &[ItemContext], json: &mut String) {
    let (named, nameless): (Vec<_>, Vec<_>) = contexts.iter().partition(|context| context.name.is_some());
    if !named.is_empty() {
        let mut sources = String::from("[");
        for (at, context) in named.iter().enumerate() {
            sources.push_str(if at > 0 { ", " } else { "" });
            sources.push_str("{\"@type\": \"CreativeWork\", \"name\": ");
            write_string(context.name.as_deref().unwrap_or_default(), &mut sources);
            if let Some(text) = &context.text {
                sources.push_str(", \"description\": ");
                write_string(text, &mut sources);
            }
            sources.push('}');
        }
        sources.push(']');
        json.push(',');
        property("sources", json, |json| write_string(&sources, json));
    }
    if !nameless.is_empty() {
        json.push(',');
        property("custom_contexts", json, |json| {
            json.push('[');
            for (at, context) in nameless.iter().enumerate() {
                if at > 0 {
                    json.push(',');
                }
                write_string(context.text.as_deref().unwrap_or_default(), json);
            }
            json.push(']');
        });
    }
}

fn property(name: &str, json: &mut String, value: impl FnOnce(&mut String)) {
    json.push_str("{\"@type\":\"PropertyValue\",\"name\":");
    write_string(name, json);
    json.push_str(",\"value\":");
    value(json);
    json.push('}');
}

fn text_member(key: &str, text: Option<&str>, json: &mut String) {
    if let Some(text) = text {
        let _ = write!(json, ",\"{key}\":");
        write_string(text, json);
    }
}
