//! The time of a run, from which its dates are made: now, or the time that the environment gives.

use chrono::{DateTime, Utc};

use evalgraph_diagnostics::{Diagnostic, RunFailure};

/// Returns the time now, or that of `SOURCE_DATE_EPOCH`, so that a run can be repeated.
///
/// # Errors
///
/// `environment::time` where the variable is not a number of seconds.
pub(super) fn time_of_run() -> Result<DateTime<Utc>, RunFailure> {
    let Some(seconds) = std::env::var_os("SOURCE_DATE_EPOCH") else { return Ok(Utc::now()) };
    let text = seconds.to_string_lossy();
    let time = text.parse().ok().and_then(|seconds| DateTime::from_timestamp(seconds, 0));
    time.ok_or_else(|| {
        let message = format!("`SOURCE_DATE_EPOCH` is `{text}`, which is not a number of seconds since 1970");
        Diagnostic::error("environment::time", message).into()
    })
}
