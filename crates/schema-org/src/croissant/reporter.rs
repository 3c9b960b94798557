//! Reports faults with the section of the specification that the rule comes from.

use super::croissant_document::CroissantDocument;
use crate::code::CheckRule;
use crate::teller::{CheckTeller, FaultDescription, StatementPart};
use evalgraph_diagnostics::Diagnostic;

/// Reports the faults of a document.
pub(super) struct CroissantReporter<'t, 'c> {
    pub(super) document: &'t CroissantDocument,
    pub(super) teller: &'t mut CheckTeller<'c>,
}

impl CroissantReporter<'_, '_> {
    /// # Errors
    ///
    /// If the check is cancelled.
    pub(super) fn go_on(&self) -> Result<(), Box<Diagnostic>> {
        self.teller.go_on()
    }

    pub(super) fn tell(
        &mut self,
        code: CheckRule,
        at: StatementPart,
        section: &str,
        fault: impl FnOnce() -> FaultDescription,
    ) {
        let document = self.document;
        self.teller.tell(code, at, || FaultDescription { page: Some(document.page(section)), ..fault() });
    }
}
