//! The properties of a question in a checkpoint that evalgraph itself writes, for members of other
//! systems that a checkpoint has no word for: written by [`karenina`](super::karenina), read back by
//! [`items`](super::items). The Python library names the properties that its users add `custom_…`.

use super::item::ItemContext;
use evalgraph_json::{JsonDocument, Limits, TokenId, parse, write_string};
use std::fmt::Write as _;

/// The id that the question has in the file it came from.
pub const SOURCE_ID: &str = "custom_source_id";
/// The question has no answer: a boolean.
pub const IS_IMPOSSIBLE: &str = "custom_is_impossible";
/// Texts that the answer rests on, unless all are from documents with names: a text, or an object with
/// `name` and `text`.
pub const CONTEXTS: &str = "custom_contexts";
/// Documents with names, which the library keeps as the text of a list of `CreativeWork`s.
pub const SOURCES: &str = "sources";
/// Keywords, which the specification's form has no other place for: the text of a list.
pub const KEYWORDS: &str = "keywords";

/// The value of [`SOURCES`], as JSON text that stands in a string.
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

/// The documents of [`SOURCES`]; none where the text says more than name and text of documents.
pub fn contexts_of_sources(text: &str) -> Option<Vec<ItemContext>> {
    let document = list(text)?;
    let context = |token| object_context(&document, token, "name", "description");
    document.items(document.root()).map(context).collect()
}

/// The value of [`CONTEXTS`], as JSON.
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

/// The contexts of [`CONTEXTS`]; none for a value of another form.
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

/// The keywords of [`KEYWORDS`]; none for a text that is not a list of texts.
pub fn keywords_of_text(text: &str) -> Option<Vec<String>> {
    let document = list(text)?;
    let keyword = |token| document.string(token).filter(|_| document.is_string(token)).map(Into::into);
    document.items(document.root()).map(keyword).collect()
}

fn list(json: &str) -> Option<JsonDocument> {
    let limits = Limits { size: u64::MAX, ..Limits::default() };
    parse("property", json.to_owned(), limits).ok().filter(|document| document.is_array(document.root()))
}

/// A document that is an object with a name, and a text or none, under these keys.
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
