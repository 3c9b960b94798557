//! The collector of findings for RLCF, with the data that rules need.

use std::ops::{Deref, DerefMut};

use super::super::rlcf_profile::RlcfProfile;
use super::register::RecordRegister;
use super::rlcf_rule_settings::RlcfRuleSettings;
use super::visited_records::VisitedRecord;
use crate::checking::{self, FormatRule};
use evalgraph_json::{JsonDocument, TokenId};
use std::borrow::Cow;

/// Collects findings, and gives access to the data that rules need.
pub(super) struct RlcfChecker<'d> {
    pub(super) document: &'d JsonDocument,
    pub(super) profile: RlcfProfile,
    pub(super) settings: &'d RlcfRuleSettings,
    pub(super) register: &'d RecordRegister,
    pub(super) findings: checking::FindingCollector<'d>,
}

impl<'d> RlcfChecker<'d> {
    /// Returns the string under a key, with its token in the document.
    pub(super) fn string(&self, object: TokenId, key: &str) -> Option<(TokenId, Cow<'d, str>)> {
        let value = self.document.get(object, key).filter(|&value| self.document.is_string(value))?;
        Some((value, self.document.string(value).unwrap_or_default()))
    }

    /// Returns the word under a key of a record. A string that is not a known word is reported.
    pub(super) fn word(
        &mut self,
        rule: &FormatRule,
        record: VisitedRecord,
        key: &'static str,
        is_known: impl Fn(&str) -> bool,
        otherwise: impl FnOnce() -> String,
    ) -> Option<Cow<'d, str>> {
        self.look(rule);
        let (value, word) = self.string(record.value, key)?;
        if !is_known(&word) {
            let message = format!("{} {}", self.show(value), otherwise());
            self.found(rule, record.value, Some(key), Some(value), message);
            return None;
        }
        Some(word)
    }
}

impl<'d> Deref for RlcfChecker<'d> {
    type Target = checking::FindingCollector<'d>;

    fn deref(&self) -> &Self::Target {
        &self.findings
    }
}

impl DerefMut for RlcfChecker<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.findings
    }
}
