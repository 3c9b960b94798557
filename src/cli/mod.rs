//! Arguments, rendering, exit codes: the only module that prints.

mod add;
mod archive;
mod arguments;
mod arrival;
mod canon;
mod checkpoint_file;
mod checkpoint_pieces;
#[cfg(test)]
mod checkpoint_pieces_tests;
mod checkpoints;
mod compact;
mod compression;
mod convert;
mod convert_checkpoint;
mod convert_items;
mod convert_kwanzaa;
mod convert_rlcf;
mod convert_train;
mod convert_training;
mod corpus;
mod corpus_name;
mod dataset_names;
mod diff;
mod diff_files;
mod diff_found;
mod diff_report;
mod diff_triples;
mod doctor;
mod document_graphs;
mod documents;
mod dump;
mod edited_text;
mod editing;
mod ending;
mod expand;
mod figures;
mod figures_tables;
mod files_read;
mod flatten;
mod fmt;
mod frame;
mod from_rdf;
mod graphs;
mod guard;
mod init;
mod input;
mod input_format;
mod interrupts;
mod json_ld;
mod json_ld_output;
mod large_checkpoint;
mod large_records;
mod limits;
mod load;
mod load_catalog;
mod load_quads;
mod local_contexts;
mod loss_report;
mod merge;
mod named;
#[cfg(feature = "net")]
mod network_services;
mod new;
mod new_checkpoint_item;
mod new_record;
mod one_namespace;
mod opening;
mod origin;
mod output;
mod output_folder;
mod output_form;
mod path_text;
mod profile;
mod progress;
mod queries;
mod query;
mod question_addition;
mod question_change;
mod question_dates;
mod question_keywords;
mod question_named;
mod question_removal;
mod question_statements;
mod question_update;
mod rdf_patch;
mod reading_digest;
mod records;
mod remote;
mod remove;
mod render;
mod repair;
mod report;
mod request_text;
mod rlcf_records;
mod same;
mod services;
mod set;
mod settling;
mod side_by_side;
mod split;
mod stats;
mod stats_kwanzaa;
mod stats_pieces;
mod stats_records;
mod stats_report;
mod stats_results;
mod stats_rlcf;
mod store;
mod store_load;
mod syntax;
mod target;
mod templates;
mod time_of_run;
mod to_rdf;
mod update;
mod update_files;
mod validate;
mod validate_records;

use std::io::Write;

use clap::Parser;

pub use arguments::Arguments;
pub use render::{to_json, to_text};
pub use report::{DiagnosticsFormat, Report, Strictness};

use crate::diagnostic::{Diagnostic, visible};
use arguments::Command;

/// The stack of each thread that processes documents: twice what the deepest nesting that
/// `--max-depth` allows needs in a debug build. The system gives only what is used.
const STACK: usize = 128 << 20;

/// What a command that ran has to say to the shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    /// Done, or yes.
    Yes,
    /// Ran fine, and the answer is no.
    No,
}

/// Why a command ends early.
#[derive(Debug)]
enum Stop {
    /// The report holds the reasons.
    Failed,
    /// One reason, not yet reported.
    Fault(Box<Diagnostic>),
    /// Whoever reads the output has seen enough.
    ClosedPipe,
}

impl From<Diagnostic> for Stop {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Fault(Box::new(diagnostic))
    }
}

impl From<Box<Diagnostic>> for Stop {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Self::Fault(diagnostic)
    }
}

/// Runs the program with the arguments of the process, and ends the process.
pub fn main() -> std::process::ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help that cannot be printed has no reader.
            let _ = error.print();
            std::process::exit(error.exit_code());
        }
    };
    let program = std::thread::Builder::new().name("evalgraph".to_owned()).stack_size(STACK);
    let status = match program.spawn(move || run(arguments)).map(std::thread::JoinHandle::join) {
        Ok(Ok(status)) => status,
        // A panic has said its reason already.
        Ok(Err(_)) => 2,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: the system gives no thread: {error}");
            2
        }
    };
    // Ends here and not by returning: freeing a large dataset takes longer than leaving it.
    std::process::exit(status)
}

/// Runs a command and says how it went; the exit status.
fn run(arguments: Arguments) -> i32 {
    let mut report = Report::new(arguments.diagnostics);
    ending::begin(arguments.diagnostics);
    let result =
        arguments.limits.watch().map_err(Stop::from).and_then(|()| command(arguments.command, &mut report));
    ending::over();
    if let Err(Stop::Fault(fault)) = &result {
        report.add(fault);
    }
    report.finish();
    match result {
        Err(Stop::ClosedPipe) => 0,
        Err(Stop::Fault(fault)) => ending::status(&fault),
        Err(Stop::Failed) => 2,
        // With `--keep-going` a command comes to its end in spite of errors.
        Ok(_) if report.has_failed() => 2,
        Ok(Answer::Yes) => 0,
        Ok(Answer::No) => 1,
    }
}

/// Runs the command that was asked for.
fn command(command: Command, report: &mut Report) -> Result<Answer, Stop> {
    match command {
        Command::Stats(arguments) => stats::run(&arguments, report),
        Command::Query(arguments) => query::run(&arguments, report),
        Command::Update(arguments) => update::run(&arguments, report),
        Command::Set(arguments) => set::run(&arguments, report),
        Command::Add(arguments) => add::run(&arguments, report),
        Command::Remove(arguments) => remove::run(&arguments, report),
        Command::Queries(arguments) => queries::run(&arguments, report),
        Command::Init(arguments) => init::run(&arguments, report),
        Command::Load(arguments) => store_load::run(&arguments, report),
        Command::Graphs(arguments) => graphs::run(&arguments, report),
        Command::Dump(arguments) => dump::run(&arguments, report),
        Command::Doctor(arguments) => doctor::run(&arguments, report),
        Command::Convert(arguments) => convert::run(&arguments, report),
        Command::Expand(arguments) => expand::run(&arguments, report),
        Command::Compact(arguments) => compact::run(&arguments, report),
        Command::Flatten(arguments) => flatten::run(&arguments, report),
        Command::Frame(arguments) => frame::run(&arguments, report),
        Command::ToRdf(arguments) => to_rdf::run(arguments, report),
        Command::FromRdf(arguments) => from_rdf::run(&arguments, report),
        Command::Canon(arguments) => canon::run(&arguments, report),
        Command::Diff(arguments) => diff::run(arguments, report),
        Command::Validate(arguments) => validate::run(&arguments, report),
        Command::Fmt(arguments) => fmt::run(&arguments, report),
        Command::Merge(arguments) => merge::run(&arguments, report),
        Command::Split(arguments) => split::run(&arguments, report),
        Command::Templates(arguments) => templates::run(&arguments, report),
        Command::New(arguments) => new::run(&arguments, report),
        Command::CorpusName(arguments) => corpus_name::run(&arguments, report),
        Command::Figures(arguments) => figures::run(&arguments, report),
    }
}
