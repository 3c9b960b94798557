//! Where the values of long arrays and objects begin, so that the way to one of many is not walked each time.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use super::{Document, TokenId};

/// How many values are walked before their begins are kept.
const WALKED: usize = 64;

/// The values of the containers that were asked for.
#[derive(Debug, Default)]
pub(super) struct LongContainers(RwLock<HashMap<TokenId, Arc<[TokenId]>>>);

impl Document {
    /// The value of an array or object in which a token lies, and how many stand before it. A key belongs to the value
    /// behind it.
    ///
    /// Costs a walk along the first values, then a binary search among the others, which are walked once.
    pub(super) fn value_around(&self, container: TokenId, token: TokenId) -> Option<(usize, TokenId)> {
        let is_around = |value: TokenId| token < self.after(value);
        let first = self.values(container).take(WALKED).enumerate().find(|(_, value)| is_around(*value));
        if first.is_some() || self.values(container).nth(WALKED).is_none() {
            return first;
        }
        let known = self.long.0.read().unwrap_or_else(PoisonError::into_inner).get(&container).cloned();
        let values = known.unwrap_or_else(|| {
            let values: Arc<[TokenId]> = self.values(container).collect();
            let mut long = self.long.0.write().unwrap_or_else(PoisonError::into_inner);
            long.insert(container, Arc::clone(&values));
            values
        });
        let at = values.partition_point(|value| !is_around(*value));
        values.get(at).map(|value| (at, *value))
    }

    /// The items of an array, or the values of an object, those that a later member replaces included.
    fn values(&self, container: TokenId) -> impl Iterator<Item = TokenId> {
        let members = self.members_with_replaced(container).map(|member| member.value);
        self.items(container).chain(members)
    }
}

#[cfg(test)]
mod tests {
    use crate::json::{Limits, parse};
    use std::fmt::Write as _;

    #[test]
    fn pointers_lead_to_each_of_many_values() {
        let mut text = String::from("{\"list\": [");
        for number in 0..500 {
            let _ = write!(text, "{{\"a\": [{number}], \"b\": 1}}, ");
        }
        text.push_str("0], \"object\": {");
        for number in 0..500 {
            let _ = write!(text, "\"k{number}\": [{number}], ");
        }
        text.push_str("\"k3\": 4}}");
        let document = parse("document", text, Limits::default()).expect("JSON");
        let root = document.root();
        let list = document.get(root, "list").expect("it is there");
        for (at, item) in document.items(list).enumerate().take(500) {
            assert_eq!(document.pointer(item), format!("/list/{at}"));
            let inner = document.get(item, "a").expect("it is there");
            assert_eq!(document.pointer(inner), format!("/list/{at}/a"));
        }
        let object = document.get(root, "object").expect("it is there");
        for member in document.members(object) {
            let name = document.symbol_text(member.symbol);
            assert_eq!(document.pointer(member.key), format!("/object/{name}"));
            assert_eq!(document.pointer(member.value), format!("/object/{name}"));
        }
    }
}
