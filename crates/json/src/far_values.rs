//! Finds one of many values: walks along the first ones, then searches among the others.

use std::hash::BuildHasher;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use super::{JsonDocument, JsonMember, TokenId};

/// How many values are walked before the starts of the others are kept in a table.
const WALKED: usize = 64;

/// How often a long object is walked to its end before its members are sorted.
const WALKED_WHOLE: usize = 16;

impl JsonDocument {
    /// Returns the value of the member with a key.
    ///
    /// Cost: a walk along the members, or a binary search if a long object is searched again and again.
    pub(super) fn member_of(&self, object: TokenId, key: &str) -> Option<TokenId> {
        let is_it = |member: &JsonMember| self.symbol_text(member.symbol) == key;
        let mut members = self.members(object);
        if let Some(member) = members.by_ref().take(WALKED).find(is_it) {
            return Some(member.value);
        }
        let next = members.next()?;
        let known = self.long.objects.read().unwrap_or_else(PoisonError::into_inner).get(&object).cloned();
        let long = known.unwrap_or_else(|| {
            let mut objects = self.long.objects.write().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(objects.entry(object).or_default())
        });
        if long.walked.fetch_add(1, Ordering::Relaxed) < WALKED_WHOLE {
            return std::iter::once(next).chain(members).find(is_it).map(|member| member.value);
        }
        let hash = |key: &str| self.long.hasher.hash_one(key);
        let sorted = long.sorted.get_or_init(|| {
            let members = self.members(object);
            let mut hashed: Vec<(u64, JsonMember)> =
                members.map(|member| (hash(self.symbol_text(member.symbol)), member)).collect();
            hashed.sort_unstable_by_key(|(hash, _)| *hash);
            hashed
        });
        let wanted = hash(key);
        let equal = &sorted[sorted.partition_point(|(hash, _)| *hash < wanted)..];
        let mut equal = equal.iter().take_while(|(hash, _)| *hash == wanted).map(|(_, member)| member);
        equal.find(|member| is_it(member)).map(|member| member.value)
    }

    /// Returns the value of an array or object that a token lies in, and how many values come before it. A key belongs
    /// to the value after it.
    ///
    /// Cost: a walk along the first values, then a binary search among the others, which are walked once.
    pub(super) fn value_around(&self, container: TokenId, token: TokenId) -> Option<(usize, TokenId)> {
        let is_around = |value: TokenId| token < self.after(value);
        let mut values = self.values(container).enumerate();
        let first = values.by_ref().take(WALKED).find(|(_, value)| is_around(*value));
        if first.is_some() || values.next().is_none() {
            return first;
        }
        let known = self.long.values.read().unwrap_or_else(PoisonError::into_inner).get(&container).cloned();
        let values = known.unwrap_or_else(|| {
            let values: Arc<[TokenId]> = self.values(container).collect();
            let mut long = self.long.values.write().unwrap_or_else(PoisonError::into_inner);
            long.insert(container, Arc::clone(&values));
            values
        });
        let at = values.partition_point(|value| !is_around(*value));
        values.get(at).map(|value| (at, *value))
    }

    /// Returns the items of an array, or the values of an object, including those that a later member replaces.
    fn values(&self, container: TokenId) -> impl Iterator<Item = TokenId> {
        let members = self.members_with_replaced(container).map(|member| member.value);
        self.items(container).chain(members)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Limits, parse};
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
            assert_eq!(document.get(object, name), Some(member.value));
        }
        assert_eq!(document.get(object, "k500"), None);
    }
}
