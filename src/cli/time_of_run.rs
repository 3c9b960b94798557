//! The time of a run, which determines its dates: the current time, or the time given by the environment.

use chrono::{DateTime, Utc};

use evalgraph_diagnostics::{Diagnostic, RunFailure};

/// Returns the current time, or that of `SOURCE_DATE_EPOCH`, with which a run can be repeated.
///
/// # Errors
///
/// `environment::time` if the variable is not a number of seconds.
pub(super) fn time_of_run() -> Result<DateTime<Utc>, RunFailure> {
    let Some(seconds) = std::env::var_os("SOURCE_DATE_EPOCH") else { return Ok(Utc::now()) };
    let text = seconds.to_string_lossy();
    let time = text.parse().ok().and_then(|seconds| DateTime::from_timestamp(seconds, 0));
    time.ok_or_else(|| {
        let message = format!("`SOURCE_DATE_EPOCH` is `{text}`, which is not a number of seconds since 1970");
        Diagnostic::error("environment::time", message).into()
    })
}
