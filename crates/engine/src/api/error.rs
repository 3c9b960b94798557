//! The error of failed work, with all findings up to the failure.

use std::fmt;

use evalgraph_diagnostics::{
    Diagnostic, FindingQuota, FindingSeverity, RunFailure, RunReport, RunStrictness,
};
use evalgraph_work::pool::in_pool;

/// The maximum number of findings that a report keeps for each code. All of them are counted.
const KEPT: u64 = 1_000;
/// The same maximum for findings that do not report a loss.
const KEPT_HARMLESS: u64 = 20;

/// The error of failed work. The work has changed nothing.
pub struct Error {
    report: Box<RunReport>,
}

impl Error {
    /// Returns all findings, including the errors.
    pub fn report(&self) -> &RunReport {
        &self.report
    }

    /// Returns all findings, including the errors.
    pub fn into_report(self) -> RunReport {
        *self.report
    }

    /// Returns the errors, or the warnings if only warnings made the work fail.
    pub fn findings(&self) -> impl Iterator<Item = &Diagnostic> {
        let has_errors = self.report.count(FindingSeverity::Error) > 0;
        let worst = if has_errors { FindingSeverity::Error } else { FindingSeverity::Warning };
        self.report.findings().filter(move |finding| finding.severity == worst)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, finding) in self.findings().enumerate() {
            if at > 0 {
                writeln!(f)?;
            }
            write!(f, "{finding}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    /// Same text as `Display`, because `main` and `expect` print this form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}

impl From<Box<Diagnostic>> for Error {
    fn from(fault: Box<Diagnostic>) -> Self {
        let mut report = new_report(RunStrictness::Lenient);
        report.add(&fault);
        Self { report: Box::new(report) }
    }
}

fn new_report(strictness: RunStrictness) -> RunReport {
    let mut report = RunReport::new(FindingQuota::First { harmful: KEPT, harmless: KEPT_HARMLESS });
    report.set_strictness(strictness);
    report
}

/// Runs work with a new report, on a thread whose stack suffices for the most deeply nested documents.
pub(super) fn reported<R: Send>(
    strictness: RunStrictness,
    work: impl FnOnce(&mut RunReport) -> Result<R, RunFailure> + Send,
) -> Result<(R, RunReport), Error> {
    in_pool(|| reported_here(strictness, work))
}

/// Runs work with a new report, on the caller's thread.
pub(super) fn reported_here<R>(
    strictness: RunStrictness,
    work: impl FnOnce(&mut RunReport) -> Result<R, RunFailure>,
) -> Result<(R, RunReport), Error> {
    let mut report = new_report(strictness);
    match work(&mut report) {
        Ok(done) => Ok((done, report)),
        Err(failure) => {
            if let RunFailure::Fault(fault) = failure {
                report.add(&fault);
            }
            Err(Error { report: Box::new(report) })
        }
    }
}
