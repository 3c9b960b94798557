//! Digests of JSON values that are equal for equal values, whatever the order of keys. They find pairs;
//! nothing is taken for equal because its digest is.

use crate::json::{Document, Kind, TokenId};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The digest of a value. Recurses by level; the parser limits the depth.
pub(super) fn digest(document: &Document, value: TokenId) -> u64 {
    let mut hasher = DefaultHasher::new();
    match document.kind(value) {
        Kind::Array => {
            '['.hash(&mut hasher);
            for item in document.items(value) {
                digest(document, item).hash(&mut hasher);
            }
        }
        Kind::Object => {
            let members = document.members(value);
            let sum = members.fold(0_u64, |sum, member| {
                let mut hasher = DefaultHasher::new();
                document.symbol_text(member.symbol).hash(&mut hasher);
                digest(document, member.value).hash(&mut hasher);
                sum.wrapping_add(hasher.finish())
            });
            ('{', sum).hash(&mut hasher);
        }
        Kind::String | Kind::EscapedString => {
            ('"', document.string(value).unwrap_or_default()).hash(&mut hasher);
        }
        _ => (' ', document.raw(value)).hash(&mut hasher),
    }
    hasher.finish()
}
