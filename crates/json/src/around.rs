//! Finds the member that a value lies in.

use super::{JsonDocument, TokenId};

impl JsonDocument {
    /// Returns the key of the innermost member that a value lies in; `None` for the outermost value and for items of
    /// the outermost array.
    ///
    /// Cost: a walk from the root along the first siblings of every level, and a search among the others.
    pub fn key_around(&self, value: TokenId) -> Option<TokenId> {
        let mut key = None;
        let mut container = self.root();
        while container != value {
            let (_, inner) = self.value_around(container, value)?;
            if self.is_object(container) {
                key = Some(TokenId(inner.0 - 1));
            }
            if inner.0 > value.0 {
                // The token is that key itself.
                break;
            }
            container = inner;
        }
        key
    }

    /// Returns the objects and arrays that a token lies in, from the outermost.
    ///
    /// Cost: the same walk as [`Self::key_around`].
    pub fn containers_around(&self, token: TokenId) -> Vec<TokenId> {
        let mut around = Vec::new();
        let mut container = self.root();
        while container < token {
            around.push(container);
            match self.value_around(container, token) {
                Some((_, inner)) => container = inner,
                None => break,
            }
        }
        around
    }

    /// Returns whether a token is part of the text that the user has written, not of the text that was added to it.
    pub fn is_written(&self, token: TokenId) -> bool {
        self.start(token) < self.written || self.origin(token).is_some()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Limits, TokenId, parse};

    #[test]
    fn each_value_lies_in_its_member() {
        let text = "[{\"a\": [1, {\"b\": 2}], \"c\": 3}, 4]".to_owned();
        let document = parse("document", text, Limits::default()).expect("JSON");
        let around = |index| {
            let key = document.key_around(TokenId::from_index(index))?;
            Some(document.symbol_text(document.symbol(key)))
        };
        let keys: Vec<Option<&str>> = (0..document.token_count()).map(around).collect();
        let (none, a, b, c) = (None, Some("a"), Some("b"), Some("c"));
        assert_eq!(keys, [none, none, a, a, a, a, b, b, c, c, none]);
        let depth = |index| document.containers_around(TokenId::from_index(index)).len();
        let depths: Vec<usize> = (0..document.token_count()).map(depth).collect();
        assert_eq!(depths, [0, 1, 2, 2, 3, 3, 4, 4, 2, 2, 1]);
    }
}
