//! The schema of a trait that a model answers in parts. The library makes a class from the schema, and requires little
//! of the JSON Schema.

use crate::checking::schema::{FieldPlace, SchemaChecker};
use evalgraph_json::{JsonKind, TokenId};

/// Checks `{"type": "template", "schema": …}`.
pub(super) fn look_at(reader: &mut SchemaChecker<'_>, spot: FieldPlace, kind: TokenId) {
    let document = reader.document;
    let schema = reader.present(kind, "schema");
    if reader.text(kind, "type").is_none_or(|text| text != "template") || schema.is_none() {
        let message = "`kind` is an object without \"type\": \"template\" or without a `schema`";
        return reader.fault(spot, Some(kind), message);
    }
    let Some(schema) = schema.filter(|&schema| document.is_object(schema)) else {
        return reader.fault(spot, schema, "`schema` of a trait is not an object");
    };
    if let Some(title) = document.get(schema, "title").filter(|&title| !document.is_string(title)) {
        let message = format!("`title` of a schema is {}, not a string", reader.show(title));
        reader.fault(spot, Some(title), message);
    }
    if let Some(required) = document.get(schema, "required").filter(|&names| !can_be_a_set(reader, names)) {
        let message = format!("`required` of a schema is {}, not an array of names", reader.show(required));
        reader.fault(spot, Some(required), message);
    }
    let Some(properties) = document.get(schema, "properties") else { return };
    if !document.is_object(properties) {
        return reader.fault(spot, Some(properties), "`properties` of a schema is not an object");
    }
    for member in document.members(properties) {
        let name = document.symbol_text(member.symbol);
        if name.starts_with('_') {
            reader.fault(spot, Some(member.value), format!("the name `{name}` of a schema begins with `_`"));
        }
        if !is_type(reader, member.value) {
            let message = format!("`{name}` of a schema has no type that the library reads");
            reader.fault(spot, Some(member.value), message);
        }
    }
}

/// Returns whether Python can make a set from a value: an array of scalars, a string or an object.
fn can_be_a_set(reader: &SchemaChecker<'_>, value: TokenId) -> bool {
    let document = reader.document;
    let is_scalar = |item: TokenId| !document.is_object(item) && !document.is_array(item);
    match document.kind(value) {
        JsonKind::Array => document.items(value).all(is_scalar),
        JsonKind::Object | JsonKind::String | JsonKind::EscapedString => true,
        _ => false,
    }
}

/// Returns whether the library can make a type from a property's schema.
fn is_type(reader: &SchemaChecker<'_>, schema: TokenId) -> bool {
    let document = reader.document;
    if !document.is_object(schema) {
        return false;
    }
    let is_name = |value: Option<TokenId>| {
        value.is_none_or(|value| !document.is_object(value) && !document.is_array(value))
    };
    if let Some(options) = document.get(schema, "anyOf") {
        return is_optional(reader, options);
    }
    if reader.text(schema, "type").is_some_and(|text| text == "array") {
        let items = document.get(schema, "items");
        return items.is_none_or(|items| document.is_object(items) && is_name(document.get(items, "type")));
    }
    is_name(document.get(schema, "type"))
}

/// Returns whether the library can read a list of types: it uses the only type beside null, and reads several as a
/// string.
fn is_optional(reader: &SchemaChecker<'_>, options: TokenId) -> bool {
    let document = reader.document;
    let is_empty = document.is_object(options) && document.members(options).next().is_none();
    if !document.is_array(options) {
        return is_empty || document.raw(options) == "\"\"";
    }
    let is_null = |option: &TokenId| reader.text(*option, "type").is_some_and(|text| text == "null");
    let mut others = document.items(options).filter(|option| !is_null(option));
    let all_objects = document.items(options).all(|option| document.is_object(option));
    let only = others.next().filter(|_| others.next().is_none());
    all_objects && only.is_none_or(|only| is_type(reader, only))
}
