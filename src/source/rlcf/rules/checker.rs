//! What collects the findings, with what the rules ask.

use std::ops::{Deref, DerefMut};

use super::register::Register;
use super::settings::Settings;
use super::table::Profile;
use crate::json::Document;
use crate::source::checking;

/// Holds what collects the findings, with what the rules ask.
pub(super) struct Checker<'d> {
    pub(super) document: &'d Document,
    pub(super) profile: Profile,
    pub(super) settings: &'d Settings,
    pub(super) register: &'d Register,
    pub(super) findings: checking::Checker<'d>,
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
