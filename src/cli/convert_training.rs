//! `evalgraph convert` to what models are trained with, of RLCF's feedback.

use std::io::Write;
use std::path::Path;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::output::Output;
use super::rlcf_records::gather;
use super::{Answer, Stop};
use crate::convert::losses::counted;
use crate::diagnostic::nearest::nearest;
use crate::diagnostic::{Diagnostic, Failure, Report, thousands};
use crate::input::options::Inputs;
use crate::load::json_ld::JsonLd;
use crate::source::rlcf::export::{Export, ExportFormat, export};
use crate::source::rlcf::figures::model::Records;
use crate::source::rlcf::figures::{Joined, Profile};

/// What of the feedback is written, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Training data")]
pub(super) struct TrainingArguments {
    /// Whose exports sft and preference are: seed takes every type of task and leaves out nulls, shipped
    /// writes what the program writes [default: seed]
    #[arg(long, value_name = "seed|shipped", value_parser = profiles(), hide_possible_values = true)]
    profile: Option<Profile>,

    /// Only tasks of a type, such as QA
    #[arg(long, value_name = "TYPE")]
    task_type: Option<String>,
}

impl TrainingArguments {
    /// A flag that was given, if one was.
    pub(super) fn flag(&self) -> Option<&'static str> {
        let flags = [("--profile", self.profile.is_some()), ("--task-type", self.task_type.is_some())];
        flags.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag)
    }
}

fn profiles() -> impl TypedValueParser<Value = Profile> {
    let names = ["seed", "shipped"].map(PossibleValue::new);
    let names = names.map(|name| if name.get_name() == "shipped" { name.alias("code") } else { name });
    PossibleValuesParser::new(names).map(|name| match name.as_str() {
        "shipped" | "code" => Profile::Shipped,
        _ => Profile::Seed,
    })
}

/// Writes the training data that the inputs hold; what is left out is counted. Where nothing is to be written,
/// nothing is, and the answer is no.
///
/// # Errors
///
/// Where an input is at fault, or nothing can be made of all of them.
pub(super) fn convert_to_training(
    input: &Inputs,
    (format, arguments): (ExportFormat, &TrainingArguments),
    path: Option<&Path>,
    json_ld: &JsonLd,
    report: &mut Report,
) -> Result<Answer, Stop> {
    let records = gather(input, json_ld, report)?;
    let profile = arguments.profile.unwrap_or(Profile::Seed);
    let made = export(&records, format, profile, arguments.task_type.as_deref());
    let had_failed = report.has_failed();
    report_left_out(&made, report);
    if made.examples.is_empty() {
        report.add(&nothing(&records, format, arguments.task_type.as_deref()));
    }
    if report.has_failed() && !had_failed {
        return Err(Failure::Reported.into());
    }
    if made.examples.is_empty() {
        return Ok(Answer::No);
    }
    let mut output = Output::open(path)?;
    let written = output.write_all(made.to_lines(profile).as_bytes());
    written.map_err(|error| output.stop(&error))?;
    output.finish()?;
    Ok(Answer::Yes)
}

/// Why there is nothing to write: the type that no task has, the records that are missing, or those that do not
/// lead to each other.
fn nothing(records: &Records, format: ExportFormat, task_type: Option<&str>) -> Diagnostic {
    let message = format!("no feedback of the input makes a record of {}", format.name());
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
            "a record is made of feedback with its user, its response and its task: name their files, too",
        );
    }
    let unresolved = Joined::new(records, |_| 0.0).unresolved;
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

fn report_left_out(made: &Export, report: &mut Report) {
    for (reason, count) in &made.left_out {
        let feedback = thousands(*count as u64);
        let message = format!("{feedback} of the feedback left out: {}", reason.describe());
        report.add(&Diagnostic::warning("export::left-out", message));
    }
}
