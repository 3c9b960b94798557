//! The time that a run writes into dates.

use chrono::{DateTime, Utc};

use evalgraph_diagnostics::{Failure, Report};

/// The source of the current time.
#[derive(Debug, Clone, Copy, Default)]
pub enum Clock {
    /// The clock of the system.
    #[default]
    System,
    /// A fixed time, so that a run can be repeated.
    At(DateTime<Utc>),
    /// A function that may fail.
    Asked(fn() -> Result<DateTime<Utc>, Failure>),
}

impl Clock {
    /// The time now.
    ///
    /// # Errors
    ///
    /// Where the function fails.
    pub fn now(self) -> Result<DateTime<Utc>, Failure> {
        match self {
            Self::System => Ok(Utc::now()),
            Self::At(time) => Ok(time),
            Self::Asked(time) => time(),
        }
    }

    /// The time now; none where the function fails, which is reported.
    pub fn now_or_told(self, report: &mut Report) -> Option<DateTime<Utc>> {
        let untold = |failure| match failure {
            Failure::Fault(fault) => report.add(&fault),
            Failure::Reported => {}
        };
        self.now().map_err(untold).ok()
    }
}
