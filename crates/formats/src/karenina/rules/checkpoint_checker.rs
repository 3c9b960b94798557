//! The collector of the findings about a checkpoint.

use std::ops::{Deref, DerefMut};

use crate::checking;
use crate::checkpoint::CheckpointProfile;
use crate::checkpoint::checkpoint_keys::{CheckpointKey, KeyedDocument};
use evalgraph_json::{JsonDocument, TokenId};

/// Collects the findings, and has helpers that only the rules for checkpoints need.
pub(super) struct CheckpointChecker<'d> {
    pub(super) keyed: &'d KeyedDocument<'d>,
    pub(super) document: &'d JsonDocument,
    pub(super) profile: CheckpointProfile,
    pub(super) findings: checking::FindingCollector<'d>,
}

impl<'d> CheckpointChecker<'d> {
    pub(super) fn new(keyed: &'d KeyedDocument<'d>, profile: CheckpointProfile) -> Self {
        let document = keyed.document;
        let findings = checking::FindingCollector::new(document, profile.name(), profile.rules());
        Self { keyed, document, profile, findings }
    }

    /// Returns the value that the rules apply to: the root, or the first node of an array.
    pub(super) fn root(&self) -> TokenId {
        let root = self.document.root();
        self.keyed.each(root).next().filter(|&node| self.document.is_object(node)).unwrap_or(root)
    }

    /// Returns whether `@type` of an object is exactly the string `class`, which is how readers compare it.
    pub(super) fn has_type(&self, object: TokenId, class: &str) -> bool {
        self.keyed.get(object, CheckpointKey::Type).is_some_and(|found| self.keyed.is_text(found, class))
    }
}

impl<'d> Deref for CheckpointChecker<'d> {
    type Target = checking::FindingCollector<'d>;

    fn deref(&self) -> &Self::Target {
        &self.findings
    }
}

impl DerefMut for CheckpointChecker<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.findings
    }
}
