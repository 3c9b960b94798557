//! Tells faults with the section of the specification that decides.

use super::document::CroissantDocument;
use crate::code::Code;
use crate::teller::{At, Fault, Teller};
use evalgraph_diagnostics::Diagnostic;

/// Tells faults of a document.
pub(super) struct Reporter<'t, 'c> {
    pub(super) document: &'t CroissantDocument,
    pub(super) teller: &'t mut Teller<'c>,
}

impl Reporter<'_, '_> {
    /// # Errors
    ///
    /// Where the check is cancelled.
    pub(super) fn go_on(&self) -> Result<(), Box<Diagnostic>> {
        self.teller.go_on()
    }

    pub(super) fn tell(&mut self, code: Code, at: At, section: &str, fault: impl FnOnce() -> Fault) {
        let document = self.document;
        self.teller.tell(code, at, || Fault { page: Some(document.page(section)), ..fault() });
    }
}
