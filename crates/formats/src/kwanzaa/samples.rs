//! Access to a dataset file: its samples, and the values of a sample that rules and figures need.

use crate::checking::{FindingCollector, FormatRule};
use evalgraph_json::{JsonDocument, JsonKind, TokenId};
use std::borrow::Cow;

/// Returns the samples of a dataset file in their order. There are none if the file has no list of samples.
pub fn samples(document: &JsonDocument) -> impl Iterator<Item = TrainingSample<'_>> {
    let list = document.get(document.root(), "samples");
    let items = list.into_iter().flat_map(|list| document.items(list));
    items.map(|token| TrainingSample { document, token })
}

/// A sample as it is written in its file.
#[derive(Debug, Clone, Copy)]
pub struct TrainingSample<'d> {
    pub(super) document: &'d JsonDocument,
    pub(super) token: TokenId,
}

impl<'d> TrainingSample<'d> {
    /// Returns the value at a path of keys.
    pub fn at(&self, path: &[&str]) -> Option<TokenId> {
        let get = |object, key: &&str| self.document.get(object, key);
        path.iter().try_fold(self.token, get)
    }

    /// Returns the string at a path of keys.
    pub fn text(&self, path: &[&str]) -> Option<Cow<'d, str>> {
        self.document.string(self.at(path)?)
    }

    /// Returns the boolean at a path of keys.
    pub fn boolean(&self, path: &[&str]) -> Option<bool> {
        match self.document.kind(self.at(path)?) {
            JsonKind::True => Some(true),
            JsonKind::False => Some(false),
            _ => None,
        }
    }

    /// Returns the number at a path of keys.
    pub fn number(&self, path: &[&str]) -> Option<f64> {
        number(self.document, self.at(path)?)
    }

    /// Returns the array at a path of keys.
    pub fn array(&self, path: &[&str]) -> Option<TokenId> {
        self.at(path).filter(|&value| self.document.is_array(value))
    }

    /// Returns the number of items in the array at a path of keys, or `None` if there is no array.
    pub fn count(&self, path: &[&str]) -> Option<usize> {
        Some(self.document.items(self.array(path)?).count())
    }

    /// Returns the items of the array at a path of keys.
    pub fn items(&self, path: &[&str]) -> impl Iterator<Item = TokenId> + use<'d> {
        let document = self.document;
        self.array(path).into_iter().flat_map(|list| document.items(list))
    }

    /// Returns the category, which in a valid sample is one of [`CATEGORIES`](super::CATEGORIES).
    pub fn category(&self) -> Option<Cow<'d, str>> {
        self.text(&["category"])
    }

    /// Records that a rule has checked a path of keys, and the fault that it found there, if any.
    pub(super) fn check(
        &self,
        checker: &mut FindingCollector<'_>,
        rule: &FormatRule,
        path: &[&'static str],
        fault: Option<impl Into<String>>,
    ) {
        checker.look(rule);
        if let Some(message) = fault {
            self.found(checker, rule, path, message);
        }
    }

    /// Adds a rule's finding at a path of keys, or at the innermost object of the path that exists.
    pub(super) fn found(
        &self,
        checker: &mut FindingCollector<'_>,
        rule: &FormatRule,
        path: &[&'static str],
        message: impl Into<String>,
    ) {
        let focus = (0..path.len()).rev().find_map(|length| self.at(&path[..length]));
        checker.found(rule, focus.unwrap_or(self.token), path.last().copied(), self.at(path), message);
    }

    /// Returns a number of an object inside the sample.
    pub(super) fn number_of(&self, object: TokenId, key: &str) -> Option<f64> {
        number(self.document, self.document.get(object, key)?)
    }
}

/// Returns the value of a number.
pub(super) fn number(document: &JsonDocument, value: TokenId) -> Option<f64> {
    document.number(value)?.parse().ok()
}

/// Returns whether a string consists of digits.
pub(super) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the numbers of the sources that a text cites as `[1]` or `[1, 2]`, in their order.
///
/// Numbers that do not fit into `usize` become `usize::MAX`.
pub(super) fn citations(text: &str) -> Vec<usize> {
    let mut cited = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        rest = &rest[open + 1..];
        let Some(close) = rest.find([']', '[']).filter(|&at| rest[at..].starts_with(']')) else { continue };
        let numbers = rest[..close].split(',').map(str::trim);
        if numbers.clone().all(is_digits) {
            cited.extend(numbers.map(|number| number.parse().unwrap_or(usize::MAX)));
        }
        rest = &rest[close..];
    }
    cited
}

#[cfg(test)]
mod tests {
    use super::citations;

    #[test]
    fn citations_are_numbers_in_brackets() {
        assert_eq!(citations("a [1], b [2][3] and [4, 5]"), [1, 2, 3, 4, 5]);
        assert_eq!(citations("[a] [] [1 [2] [ 3 ] [1,] [-1] [99999999999999999999999]"), [2, 3, usize::MAX]);
        assert!(citations("arr[i], [").is_empty());
    }
}
