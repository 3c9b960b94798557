//! `evalgraph convert` to what models are trained with, of RLCF's feedback.

use std::io::Write;
use std::path::Path;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::Stop;
use super::arguments::InputArguments;
use super::json_ld::JsonLd;
use super::output::Output;
use super::render::thousands;
use super::report::Report;
use super::rlcf_records::gather;
use crate::diagnostic::Diagnostic;
use crate::source::rlcf::export::{Export, ExportFormat, export};
use crate::source::rlcf::figures::Profile;

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

/// Writes the training data that the inputs hold; what is left out is counted.
///
/// # Errors
///
/// Where an input is at fault, or nothing can be made of all of them.
pub(super) fn convert_to_training(
    input: &InputArguments,
    (format, arguments): (ExportFormat, &TrainingArguments),
    path: Option<&Path>,
    json_ld: &JsonLd,
    report: &mut Report,
) -> Result<(), Stop> {
    let records = gather(input, json_ld, report)?;
    let profile = arguments.profile.unwrap_or(Profile::Seed);
    let made = export(&records, format, profile, arguments.task_type.as_deref());
    let had_failed = report.has_failed();
    report_left_out(&made, report);
    if made.examples.is_empty() {
        let message = format!("no feedback of the input makes a record of {}", format.name());
        report.add(&Diagnostic::warning("export::nothing", message));
    }
    if report.has_failed() && !had_failed {
        return Err(Stop::Failed);
    }
    let mut output = Output::open(path)?;
    let written = output.write_all(made.to_lines(profile).as_bytes());
    written.map_err(|error| output.stop(&error))?;
    output.finish()
}

fn report_left_out(made: &Export, report: &mut Report) {
    for (reason, count) in &made.left_out {
        let feedback = thousands(*count as u64);
        let message = format!("{feedback} of the feedback left out: {}", reason.describe());
        report.add(&Diagnostic::warning("export::left-out", message));
    }
}
