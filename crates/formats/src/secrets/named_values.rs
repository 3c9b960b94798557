//! Finds secrets whose names are data: `{"name": "api_key", "value": "…"}`, which is common in settings, headers and
//! properties of schema.org, and `["--api-key", "…"]`, which is common in the arguments of a program.

use super::secret_names::is_name;
use evalgraph_json::{JsonDocument, JsonMember, TokenId};

/// The members that name the thing that an object's value belongs to.
const NAMES: [&str; 9] =
    ["name", "key", "variable", "header", "parameter", "field", "setting", "option", "propertyid"];

/// The members that have the value.
const VALUES: [&str; 3] = ["value", "values", "default"];

/// Returns the values in an object or array that are next to the name of a secret.
pub(super) fn named_values(document: &JsonDocument, container: TokenId) -> Vec<TokenId> {
    if document.is_array(container) {
        let items = document.items(container).zip(document.items(container).skip(1));
        let is_argument = |(option, value): &(TokenId, TokenId)| {
            document.is_scalar(*value)
                && document
                    .string(*option)
                    .is_some_and(|option| option.starts_with('-') && is_short_name(&option))
        };
        return items.filter(is_argument).map(|(_, value)| value).collect();
    }
    let has_key = |key: TokenId, keys: &[&str]| {
        let key = document.symbol_text(document.symbol(key));
        let local = &key[key.rfind(['/', '#', ':', '@']).map_or(0, |at| at + 1)..];
        keys.iter().any(|name| local.eq_ignore_ascii_case(name))
    };
    let values = document.members(container).filter(|member| has_key(member.key, &VALUES));
    let values: Vec<TokenId> = values.map(|member| member.value).collect();
    let is_name =
        |member: JsonMember| has_key(member.key, &NAMES) && is_name_of_secret(document, member.value);
    let is_named = !values.is_empty() && document.members(container).any(is_name);
    if is_named { values } else { Vec::new() }
}

/// Returns whether a value is the name of a secret; also recognises the expanded form of JSON-LD.
fn is_name_of_secret(document: &JsonDocument, name: TokenId) -> bool {
    /// How many tokens are checked: a string within an object within an array, with its type and language.
    const MOST: usize = 8;
    let tokens = (name.index()..document.after(name).index()).take(MOST).map(TokenId::from_index);
    tokens
        .filter(|&token| document.is_string(token))
        .any(|token| document.string(token).is_some_and(|text| is_short_name(&text)))
}

/// Returns whether a text is a name, not a sentence that ends with one.
fn is_short_name(text: &str) -> bool {
    text.len() <= 64 && text.split_whitespace().count() <= 3 && is_name(text.as_bytes())
}
