//! Makes a checkpoint from another system's questions. Fields that checkpoints share get the names that checkpoints
//! use; all others become properties `custom_…` ([`own_properties`]), from which the other system can read them again.
//! The writer fills in what is missing (dates, templates).
//!
//! [`own_properties`]: crate::own_properties

use crate::items::{DatasetItems, ItemContext, QuestionItem};
use crate::own_properties::{
    CONTEXTS, IS_IMPOSSIBLE, SOURCE_ID, SOURCES, contexts_json, sources_text, write_property,
};
use evalgraph_json::{quoted, write_string};
use hashbrown::HashSet;
use std::fmt::Write as _;

/// The prefix of the ids that Karenina's programs give to questions.
const ITEM_ID: &str = "urn:uuid:";

/// Returns a JSON-LD checkpoint with the questions of `items` and nothing made up. `dataset` is its name if the items
/// have none.
pub fn checkpoint_of_items(items: &DatasetItems, dataset: &str) -> String {
    let mut json = checkpoint_head(items.name.as_deref().unwrap_or(dataset), items.description.as_deref());
    let mut ids = HashSet::new();
    for (at, item) in items.items.iter().enumerate() {
        json.push_str(if at > 0 { "," } else { "" });
        write_item(item, &mut ids, &mut json);
    }
    json.push_str("]}");
    json
}

/// Returns the beginning of a checkpoint in JSON-LD, up to its first question.
pub(super) fn checkpoint_head(name: &str, description: Option<&str>) -> String {
    let mut json = String::from(
        "{\"@context\":{\"@vocab\":\"https://schema.org/\",\"rating\":{\"@id\":\"contentRating\"}},\
         \"@type\":\"DataFeed\"",
    );
    text_member("name", Some(name), &mut json);
    text_member("description", description, &mut json);
    json.push_str(",\"dataFeedElement\":[");
    json
}

fn write_item<'i>(item: &'i QuestionItem, ids: &mut HashSet<&'i str>, json: &mut String) {
    json.push_str("{\"@type\":\"DataFeedItem\"");
    // If an id came from a checkpoint, it is used unchanged as the id of the question.
    let id = item.source_id.as_ref().filter(|id| id.is_string && id.text.starts_with(ITEM_ID));
    let id = id.filter(|id| ids.insert(id.text.as_str()));
    text_member("@id", id.map(|id| id.text.as_str()), json);
    text_member("dateCreated", item.date_created.as_deref(), json);
    text_member("dateModified", item.date_modified.as_deref(), json);
    json.push_str(",\"item\":{\"@type\":\"Question\"");
    text_member("text", Some(&item.question), json);
    // Every question needs an answer; the file's placeholder for a missing answer is kept.
    json.push_str(",\"acceptedAnswer\":{\"@type\":\"Answer\"");
    text_member("text", item.answer.as_deref().or(item.no_answer.as_deref()).or(Some("")), json);
    json.push('}');
    let mut properties = Vec::new();
    if let Some(source_id) = item.source_id.as_ref().filter(|_| id.is_none()) {
        properties.push((SOURCE_ID, source_id.to_json()));
    }
    if let Some(is_impossible) = item.is_impossible {
        properties.push((IS_IMPOSSIBLE, is_impossible.to_string()));
    }
    properties.extend(contexts_property(&item.contexts));
    write_properties(&properties, json);
    if !item.keywords.is_empty() {
        json.push_str(",\"keywords\":[");
        for (at, keyword) in item.keywords.iter().enumerate() {
            json.push_str(if at > 0 { "," } else { "" });
            write_string(keyword, json);
        }
        json.push(']');
    }
    json.push_str("}}");
}

/// Returns documents as the library's `sources` if all have names, and otherwise as evalgraph's own property, in order.
fn contexts_property(contexts: &[ItemContext]) -> Option<(&'static str, String)> {
    if contexts.is_empty() {
        return None;
    }
    Some(match contexts.iter().all(|context| context.name.is_some()) {
        true => (SOURCES, quoted(&sources_text(contexts))),
        false => (CONTEXTS, contexts_json(contexts)),
    })
}

fn write_properties(properties: &[(&str, String)], json: &mut String) {
    if properties.is_empty() {
        return;
    }
    json.push_str(",\"additionalProperty\":[");
    for (at, (name, value)) in properties.iter().enumerate() {
        json.push_str(if at > 0 { "," } else { "" });
        write_property(name, value, json);
    }
    json.push(']');
}

fn text_member(key: &str, text: Option<&str>, json: &mut String) {
    if let Some(text) = text {
        let _ = write!(json, ",\"{key}\":");
        write_string(text, json);
    }
}
