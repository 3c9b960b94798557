//! The time that dates of a run are made of.

use chrono::{DateTime, Utc};

use crate::diagnostic::{Failure, Report};

/// Says what time it is.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Clock {
    /// By the clock of the system.
    #[default]
    System,
    /// Always the same, so that a run can be repeated.
    At(DateTime<Utc>),
    /// As somebody says who may not know.
    #[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "the command line alone asks for it"))]
    Asked(fn() -> Result<DateTime<Utc>, Failure>),
}

impl Clock {
    /// The time now.
    ///
    /// # Errors
    ///
    /// Where who is asked does not know.
    pub(crate) fn now(self) -> Result<DateTime<Utc>, Failure> {
        match self {
            Self::System => Ok(Utc::now()),
            Self::At(time) => Ok(time),
            Self::Asked(time) => time(),
        }
    }

    /// The time now; none where who is asked does not know, which is reported.
    pub(crate) fn now_or_told(self, report: &mut Report) -> Option<DateTime<Utc>> {
        let untold = |failure| match failure {
            Failure::Fault(fault) => report.add(&fault),
            Failure::Reported => {}
        };
        self.now().map_err(untold).ok()
    }
}
