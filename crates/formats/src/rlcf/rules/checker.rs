//! The collector of findings, with the data that rules need.

use std::ops::{Deref, DerefMut};

use super::super::profile::Profile;
use super::register::Register;
use super::settings::Settings;
use super::visited::Visited;
use crate::checking::{self, Rule};
use evalgraph_json::{Document, TokenId};
use std::borrow::Cow;

/// Collects findings, and holds the data that rules need.
pub(super) struct Checker<'d> {
    pub(super) document: &'d Document,
    pub(super) profile: Profile,
    pub(super) settings: &'d Settings,
    pub(super) register: &'d Register,
    pub(super) findings: checking::Checker<'d>,
}

impl<'d> Checker<'d> {
    /// Returns the string under a key, with its value in the document.
    pub(super) fn string(&self, object: TokenId, key: &str) -> Option<(TokenId, Cow<'d, str>)> {
        let value = self.document.get(object, key).filter(|&value| self.document.is_string(value))?;
        Some((value, self.document.string(value).unwrap_or_default()))
    }

    /// Returns the word under a key of a record; reports a string that is none of the known words.
    pub(super) fn word(
        &mut self,
        rule: &Rule,
        record: Visited,
        key: &'static str,
        is_known: impl Fn(&str) -> bool,
        otherwise: &str,
    ) -> Option<Cow<'d, str>> {
        self.look(rule);
        let (value, word) = self.string(record.value, key)?;
        if !is_known(&word) {
            let message = format!("{} {otherwise}", self.show(value));
            self.found(rule, record.value, Some(key), Some(value), message);
            return None;
        }
        Some(word)
    }
}

impl<'d> Deref for Checker<'d> {
    type Target = checking::Checker<'d>;

    fn deref(&self) -> &Self::Target {
        &self.findings
    }
}

impl DerefMut for Checker<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.findings
    }
}
