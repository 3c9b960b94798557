//! The members of an object or the items of an array, each with a name that stays the same when other entries change.

use super::value_digest::{ValueDigests, short};
use evalgraph_json::{JsonDocument, JsonKind, TokenId};
use hashbrown::HashMap;
use std::borrow::Cow;

/// How many keys are tried to find one that identifies items.
const FEW: usize = 8;

/// A member or an item.
#[derive(Debug)]
pub(super) struct NamedEntry<'d> {
    pub(super) name: Cow<'d, str>,
    /// The key of a member.
    pub(super) key: Option<TokenId>,
    pub(super) value: TokenId,
}

/// Returns the members of an object, named by key.
pub(super) fn members(document: &JsonDocument, object: TokenId) -> Vec<NamedEntry<'_>> {
    let members = document.members(object);
    members
        .map(|member| NamedEntry {
            name: Cow::Borrowed(document.symbol_text(member.symbol)),
            key: Some(member.key),
            value: member.value,
        })
        .collect()
}

/// Returns the items of an array, named by their [`digests`]; equal items are numbered.
pub(super) fn items<'d>(items: &[TokenId], digests: &[u128]) -> Vec<NamedEntry<'d>> {
    let mut counts: HashMap<String, usize> = HashMap::with_capacity(items.len());
    let mut entries = Vec::with_capacity(items.len());
    for (&value, &digest) in items.iter().zip(digests) {
        let hash = short(digest);
        let count = counts.entry(hash.clone()).or_insert(0);
        let name = if *count == 0 { hash } else { format!("{hash}~{count}") };
        *count += 1;
        entries.push(NamedEntry { name: Cow::Owned(name), key: None, value });
    }
    entries
}

/// Returns the digests that identify items: of the member `by`, or else of the whole item.
pub(super) fn digests(document: &mut ValueDigests<'_>, items: &[TokenId], by: Option<&str>) -> Vec<u128> {
    let named = |json: &JsonDocument, item| by.and_then(|by| json.get(item, by)).unwrap_or(item);
    items.iter().map(|&item| document.digest(named(document.document, item))).collect()
}

/// Returns the key whose plain values identify all written items and match the most items of the file.
pub(super) fn telling_key<'w>(
    file: &mut ValueDigests<'_>,
    items: &[TokenId],
    written: &mut ValueDigests<'w>,
    written_items: &[TokenId],
) -> Option<&'w str> {
    let document = written.document;
    let mut best = (0, None);
    for member in document.members(*written_items.first()?).take(FEW) {
        let key = document.symbol_text(member.symbol);
        let mut values = HashMap::with_capacity(written_items.len());
        let tells_apart = written_items.iter().all(|&item| {
            let value = document.get(item, key).filter(|&value| is_telling(document, value));
            value.is_some_and(|value| values.insert(written.digest(value), ()).is_none())
        });
        if !tells_apart {
            continue;
        }
        let json = file.document;
        let values_of_file = items.iter().filter_map(|&item| json.get(item, key));
        // A matched value is removed, so equal items of the file count only once.
        let fitting = values_of_file.filter(|&value| values.remove(&file.digest(value)).is_some()).count();
        if fitting > best.0 {
            best = (fitting, Some(key));
        }
    }
    best.1
}

fn is_telling(document: &JsonDocument, value: TokenId) -> bool {
    matches!(document.kind(value), JsonKind::String | JsonKind::EscapedString | JsonKind::Number)
}
