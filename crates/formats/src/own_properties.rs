//! Properties that evalgraph adds to the questions of a checkpoint, for members of other systems that have no
//! equivalent in checkpoints: [`karenina`](super::karenina) writes them, [`items`](super::items) reads them back.
//! They are named like the properties that users of the Python library add: `custom_…`.

use super::item::ItemContext;
use evalgraph_json::{JsonDocument, Limits, TokenId, parse, write_string};
use std::fmt::Write as _;

/// The id of the question in the file from which it came.
pub const SOURCE_ID: &str = "custom_source_id";
/// A boolean: `true` if the question has no answer.
pub const IS_IMPOSSIBLE: &str = "custom_is_impossible";
/// Texts on which the answer rests, unless all are from documents with names: each is a string, or an object with
/// `name` and `text`.
pub const CONTEXTS: &str = "custom_contexts";
/// Documents with names, which the library keeps as a string with a JSON list of `CreativeWork`s.
pub const SOURCES: &str = "sources";
/// Keywords, as a string with a JSON list. The form of the specification has no other place for them.
pub const KEYWORDS: &str = "keywords";

/// Returns the value of [`SOURCES`]: a string that contains JSON.
pub fn sources_text(contexts: &[ItemContext]) -> String {
    let mut json = String::from("[");
    for (at, context) in contexts.iter().enumerate() {
        json.push_str(if at > 0 { ", " } else { "" });
        json.push_str("{\"@type\": \"CreativeWork\", \"name\": ");
        write_string(context.name.as_deref().unwrap_or_default(), &mut json);
        if let Some(text) = &context.text {
            json.push_str(", \"description\": ");
            write_string(text, &mut json);
        }
        json.push('}');
    }
    json.push(']');
    json
}

/// Reads the documents of [`SOURCES`], or returns `None` if the string has more than names and texts of documents.
pub fn contexts_of_sources(text: &str) -> Option<Vec<ItemContext>> {
    let document = list(text)?;
    let context = |token| object_context(&document, token, "name", "description");
    document.items(document.root()).map(context).collect()
}

/// Returns the value of [`CONTEXTS`] as JSON.
pub fn contexts_json(contexts: &[ItemContext]) -> String {
    let mut json = String::from("[");
    for (at, context) in contexts.iter().enumerate() {
        json.push_str(if at > 0 { "," } else { "" });
        let text = context.text.as_deref();
        let Some(name) = &context.name else {
            write_string(text.unwrap_or_default(), &mut json);
            continue;
        };
        json.push_str("{\"name\":");
        write_string(name, &mut json);
        if let Some(text) = text {
            json.push_str(",\"text\":");
            write_string(text, &mut json);
        }
        json.push('}');
    }
    json.push(']');
    json
}

/// Reads the contexts of [`CONTEXTS`], or returns `None` for a value of another form.
pub fn contexts_of_json(json: &str) -> Option<Vec<ItemContext>> {
    let document = list(json)?;
    let context = |token| match document.is_string(token) {
        true => {
            Some(ItemContext { text: Some(document.string(token)?.into_owned()), ..ItemContext::default() })
        }
        false => object_context(&document, token, "name", "text"),
    };
    document.items(document.root()).map(context).collect()
}

/// Reads the keywords of [`KEYWORDS`], or returns `None` for a string that is not a list of strings.
pub fn keywords_of_text(text: &str) -> Option<Vec<String>> {
    let document = list(text)?;
    let keyword = |token| document.string(token).filter(|_| document.is_string(token)).map(Into::into);
    document.items(document.root()).map(keyword).collect()
}

fn list(json: &str) -> Option<JsonDocument> {
    let limits = Limits { size: u64::MAX, ..Limits::default() };
    parse("property", json.to_owned(), limits).ok().filter(|document| document.is_array(document.root()))
}

/// Reads a document from an object with a name and perhaps a text, under these keys.
fn object_context(document: &JsonDocument, token: TokenId, name: &str, text: &str) -> Option<ItemContext> {
    let mut context = ItemContext::default();
    if !document.is_object(token) {
        return None;
    }
    for member in document.members(token) {
        let value = document.string(member.value).filter(|_| document.is_string(member.value))?.into_owned();
        match document.symbol_text(member.symbol) {
            "@type" => {}
            key if key == name => context.name = Some(value),
            key if key == text => context.text = Some(value),
            _ => return None,
        }
    }
    context.name.is_some().then_some(context)
}

/// Appends a member to a list of properties.
pub fn write_property(name: &str, value: &str, json: &mut String) {
    json.push_str("{\"@type\":\"PropertyValue\",\"name\":");
    write_string(name, json);
    let _ = write!(json, ",\"value\":{value}}}");
}
