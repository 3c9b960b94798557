//! Several checkpoints in one, as `merge` and conversions of several files make it.

use crate::diagnostic::{Diagnostic, Failure, Report, Severity};
use crate::source::karenina::checkpoint::Checkpoint;
use crate::source::karenina::merging::{Prefer, merge};

/// The text of one checkpoint with all that the others have.
///
/// # Errors
///
/// Where files contradict each other, which is reported.
pub(crate) fn merged(
    checkpoints: &[Checkpoint<'_>],
    prefer: Option<Prefer>,
    report: &mut Report,
) -> Result<String, Failure> {
    let merged = merge(checkpoints, prefer).map_err(|faults| {
        report.add_all(&faults);
        Failure::Reported
    })?;
    report.add_all(&merged.warnings);
    if merged.decided > 0 {
        let plural = if merged.decided == 1 { "conflict was" } else { "conflicts were" };
        let message = format!("{} {plural} decided by what is preferred", merged.decided);
        report.add(&Diagnostic::new(Severity::Note, "merge::decided", message));
    }
    Ok(merged.text)
}
