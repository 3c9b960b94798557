//! Training data for models, made from RLCF's feedback.

use super::export::{ExportFormat, FeedbackExport, export};
use super::figures::model::RlcfDataset;
use super::figures::{JoinedRecords, RlcfProfile};
use crate::checking::ProfileName;
use crate::writing::FeedbackOptions;
use crate::writing::loss_reports::counted;
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport, thousands};

/// Returns the training data in records, one per line. Records that are left out are counted. `None` if there are no
/// lines, which is reported.
///
/// # Errors
///
/// A loss if losses are errors.
pub(super) fn training_lines(
    records: &RlcfDataset,
    format: ExportFormat,
    options: &FeedbackOptions,
    report: &mut RunReport,
) -> Result<Option<String>, RunFailure> {
    let FeedbackOptions { profile, task_type } = options;
    let profile = if *profile == ProfileName::CODE { RlcfProfile::Shipped } else { RlcfProfile::Seed };
    let made = export(records, format, profile, task_type.as_deref());
    let had_failed = report.has_failed();
    report_left_out(&made, report);
    if made.examples.is_empty() {
        report.add(&nothing(records, format, task_type.as_deref()));
    }
    report.check(had_failed)?;
    Ok((!made.examples.is_empty()).then(|| made.to_lines(profile)))
}

/// Explains why there is nothing to write: no task has the wanted type, records are missing, or records are not linked
/// to each other.
fn nothing(records: &RlcfDataset, format: ExportFormat, task_type: Option<&str>) -> Diagnostic {
    let message = format!("no feedback in the input yields a record of {}", format.name());
    let warning = |why: &str| Diagnostic::warning("export::nothing", format!("{message}: {why}"));
    if let Some(wanted) =
        task_type.filter(|wanted| records.tasks.iter().all(|task| task.task_type != *wanted))
    {
        let types = counted(records.tasks.iter().map(|task| task.task_type.as_str()));
        let fault = warning(&format!("no task is of type `{wanted}`"));
        let names: Vec<&str> = types.iter().map(|(name, _)| *name).collect();
        return match nearest(wanted, names.iter().copied()) {
            Some(meant) => fault.with_help(format!("did you mean `{meant}`?")),
            None if names.is_empty() => fault,
            None => {
                let types: Vec<String> =
                    types.iter().map(|(name, count)| format!("`{name}` ({count})")).collect();
                fault.with_help(format!("there are {}", types.join(", ")))
            }
        };
    }
    let kinds = [
        ("users", records.users.is_empty()),
        ("tasks", records.tasks.is_empty()),
        ("responses", records.responses.is_empty()),
        ("feedback", records.feedback.is_empty()),
    ];
    let missing: Vec<&str> =
        kinds.into_iter().filter(|(_, is_missing)| *is_missing).map(|(name, _)| name).collect();
    if !missing.is_empty() {
        let fault = warning(&format!("there are no {}", missing.join(", no ")));
        return fault.with_help(
            "a record needs feedback with its user, its response and its task: name their files, too",
        );
    }
    let unresolved = JoinedRecords::new(records, |_| 0.0).unresolved;
    let lost = [
        (unresolved.responses, "responses", "task"),
        (unresolved.feedback_without_response, "feedback", "response"),
        (unresolved.feedback_without_user, "feedback", "user"),
    ];
    let lost: Vec<String> = lost
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, what, missing)| format!("{count} of the {what} without their {missing}"))
        .collect();
    match lost.as_slice() {
        [] => Diagnostic::warning("export::nothing", message),
        lost => warning(&format!("there are {}", lost.join(", "))),
    }
}

fn report_left_out(made: &FeedbackExport, report: &mut RunReport) {
    for (reason, count) in &made.left_out {
        let feedback = thousands(*count as u64);
        let message = format!("{feedback} of the feedback left out: {}", reason.describe());
        report.add(&Diagnostic::warning("export::left-out", message));
    }
}
