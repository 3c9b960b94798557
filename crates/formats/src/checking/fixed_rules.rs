//! Rules that have no thresholds, and keep nothing from one file to the next.

use super::record_rules::{CheckedFile, RecordRules};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::validation::RuleReport;
use evalgraph_json::JsonDocument;

/// Rules that a function checks: by the named profile, or without a name by the only one. It returns `None` if no profile
/// has that name.
pub(crate) struct FixedRules(pub(crate) fn(&CheckedFile<'_>, Option<&str>) -> Option<RuleReport>);

impl RecordRules for FixedRules {
    fn has_settings(&self) -> bool {
        false
    }

    fn read_settings(&mut self, _document: &JsonDocument) -> Result<(), Box<Diagnostic>> {
        Ok(())
    }

    fn check(
        &mut self,
        file: &CheckedFile<'_>,
        profile: Option<&str>,
    ) -> Result<Option<RuleReport>, Box<Diagnostic>> {
        Ok((self.0)(file, profile))
    }
}
