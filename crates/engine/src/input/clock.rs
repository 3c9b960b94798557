//! The time that a run writes into dates.

use chrono::{DateTime, Utc};

use evalgraph_diagnostics::{AlreadyReported, ReportedResult, RunFailure, RunReport};

/// The source of the current time.
#[derive(Debug, Clone, Copy, Default)]
pub enum RunClock {
    /// The clock of the system.
    #[default]
    System,
    /// A fixed time, so that a run can be repeated.
    At(DateTime<Utc>),
    /// A function that may fail.
    Asked(fn() -> Result<DateTime<Utc>, RunFailure>),
}

impl RunClock {
    /// Returns the current time.
    ///
    /// # Errors
    ///
    /// If the function fails.
    pub fn now(self) -> Result<DateTime<Utc>, RunFailure> {
        match self {
            Self::System => Ok(Utc::now()),
            Self::At(time) => Ok(time),
            Self::Asked(time) => time(),
        }
    }

    /// Returns the current time.
    ///
    /// # Errors
    ///
    /// If the function fails, which is reported.
    pub fn now_or_report(self, report: &mut RunReport) -> ReportedResult<DateTime<Utc>> {
        self.now().map_err(|failure| match failure {
            RunFailure::Fault(fault) => report.reported([&*fault]),
            RunFailure::Reported | RunFailure::AtInput => AlreadyReported,
        })
    }
}
