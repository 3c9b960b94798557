//! Several checkpoints in one, as `merge` and conversions of several files make it.

use clap::ValueEnum;

use crate::diagnostic::{Diagnostic, Failure, Report, Severity};
use crate::source::karenina::checkpoint::Checkpoint;
use crate::source::karenina::merging::{Prefer, merge};

/// What counts where two files say different things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Preference {
    /// The earlier file
    First,
    /// The later file
    Last,
    /// The question with the later dateModified, a conflict where both are of one time; and what the latest
    /// file says of itself
    Newest,
}

impl From<Preference> for Prefer {
    fn from(preference: Preference) -> Self {
        match preference {
            Preference::First => Self::First,
            Preference::Last => Self::Last,
            Preference::Newest => Self::Newest,
        }
    }
}

/// The text of one checkpoint with all that the others have.
///
/// # Errors
///
/// Where files contradict each other, which is reported.
pub(super) fn merged(
    checkpoints: &[Checkpoint<'_>],
    prefer: Option<Preference>,
    report: &mut Report,
) -> Result<String, Failure> {
    let merged = merge(checkpoints, prefer.map(Prefer::from)).map_err(|faults| {
        report.add_all(&faults);
        Failure::Reported
    })?;
    report.add_all(&merged.warnings);
    if merged.decided > 0 {
        let plural = if merged.decided == 1 { "conflict was" } else { "conflicts were" };
        let message = format!("{} {plural} decided by `--prefer`", merged.decided);
        report.add(&Diagnostic::new(Severity::Note, "merge::decided", message));
    }
    Ok(merged.text)
}
