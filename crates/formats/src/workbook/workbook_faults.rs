//! The faults of workbooks, and the reasons why a sheet is not read.

use std::io::Cursor;

use calamine::{Xlsx, XlsxError};

use evalgraph_diagnostics::{Diagnostic, SourceText};

/// A workbook in memory.
pub(super) type OpenedWorkbook<'b> = Xlsx<Cursor<&'b [u8]>>;

/// The reason why a sheet is not read.
pub(super) enum SheetFailure {
    /// The text or a part of the workbook exceeds the limit.
    TooLarge,
    Fault(Box<Diagnostic>),
}

impl From<Box<Diagnostic>> for SheetFailure {
    fn from(fault: Box<Diagnostic>) -> Self {
        Self::Fault(fault)
    }
}

pub(super) fn unreadable(name: &str, error: &XlsxError) -> Box<Diagnostic> {
    damaged(name, error)
}

pub(super) fn damaged(name: &str, reason: impl std::fmt::Display) -> Box<Diagnostic> {
    let message = format!("the workbook cannot be read: {reason}");
    fault("workbook::damaged", name, message, "open it in Excel or LibreOffice, and save it again")
}

pub(super) fn fault(code: &'static str, name: &str, message: String, help: &'static str) -> Box<Diagnostic> {
    let place = SourceText::new(name, b"").place(0..0);
    Box::new(Diagnostic::error(code, message).at(place).with_help(help))
}
