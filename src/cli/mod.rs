//! Arguments, rendering, exit codes: the only module that prints.

mod allocator;
mod argument_order;
mod arguments;
mod browser;
mod bulk_loader;
mod canonical_work;
mod check_fixes;
mod commands;
mod deferred_arguments;
mod diff_files;
mod diff_found;
mod diff_report;
mod diff_triples;
mod drawn_chart;
mod export_source;
mod figures_tables;
mod harmless;
mod help;
mod in_place;
mod in_place_records;
mod input_watch;
mod limits;
mod line_painter;
mod messages;
mod operation_command;
mod output;
mod output_folder;
mod output_form;
mod preferences;
mod printer;
mod process_words;
mod progress;
mod query_drawing;
mod query_output;
mod question_change;
mod rdf_output;
mod record_selection;
mod render;
mod request_text;
mod result_arguments;
mod rule_sections;
mod run_ending;
mod same;
mod schema_drawing;
mod schema_examples;
mod sending_arguments;
mod server_export;
mod server_sending;
mod service_arguments;
mod shell;
mod short_help;
mod side_by_side;
mod stop;
mod time_of_run;
mod unified_diff;
mod version;
mod wrong_command;

pub use arguments::size;
pub use commands::ProgramArguments;
pub use printer::DiagnosticsFormat;
pub use render::{to_json, to_text};

use std::borrow::Cow;
use std::io::IsTerminal;

use evalgraph_diagnostics::{Diagnostic, RunFailure, codes, visible};
use evalgraph_work::pool::STACK;
use stop::{CommandAnswer, CommandStop, unless_failed};

/// Makes panics print their reasons, except those that are reported as damage of a file.
fn listen_to_panics() {
    {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            const READERS: [&str; 2] =
                [evalgraph_formats::parquet::THREAD, evalgraph_formats::workbook::THREAD];
            if !std::thread::current().name().is_some_and(|name| READERS.contains(&name)) {
                usual(panic);
            }
        }));
    }
}

/// Runs the program with these words, the first of which is its name, and ends the process. It is for a process that was
/// started as another program, such as Python.
pub fn main_with(words: Vec<std::ffi::OsString>) -> std::process::ExitCode {
    process_words::set_words(words);
    main()
}

/// Runs the program with the arguments of the process, and ends the process.
pub fn main() -> std::process::ExitCode {
    listen_to_panics();
    let signals = run_ending::ProcessSignals::new();
    let program = std::thread::Builder::new().name("evalgraph".to_owned()).stack_size(STACK);
    // All work is done on that thread, so each step reuses the memory of earlier steps.
    let program = program.spawn(|| {
        // The reason of a panic has already been printed.
        let status = std::panic::catch_unwind(|| run(arguments())).unwrap_or(2);
        // The process exits here instead of returning: freeing a large dataset takes longer than leaking it.
        std::process::exit(status)
    });
    match program {
        Ok(program) => {
            signals.attend();
            // The thread ends the process.
            let _ = program.join();
        }
        Err(error) => printer::say(&format!("error: the system cannot start a thread: {error}\n")),
    }
    std::process::ExitCode::from(2)
}

/// The arguments of the process. If they ask for help or are invalid, prints the text and ends the process.
fn arguments() -> ProgramArguments {
    let error = match ProgramArguments::of_process() {
        Ok(arguments) => return arguments,
        Err(error) => error,
    };
    if error.use_stderr() {
        printer::say(&error.render().ansi().to_string());
        if error.kind() == clap::error::ErrorKind::InvalidUtf8 {
            printer::say(
                "\nA file whose name is not UTF-8 is given as a URL, `file:///data/%FF.json`, or by its folder.\n",
            );
        }
    } else {
        // If help cannot be printed, there is no reader to report it to.
        let _ = error.print();
    }
    std::process::exit(error.exit_code())
}

/// Runs a command, reports its findings, and returns the exit status.
fn run(arguments: ProgramArguments) -> i32 {
    let messages = arguments.common.messages.begin();
    let mut report = messages.report();
    run_ending::begin(messages);
    if waits_for_terminal() && !messages.is_quiet() {
        printer::say("reads data from this terminal; Ctrl-D ends them\n");
    }
    let limited = if arguments.is_one_run() { arguments.common.limits.watch() } else { Ok(()) };
    let result = limited.map_err(CommandStop::from).and_then(|()| commands::run(arguments, &mut report));
    run_ending::over();
    if let Err(CommandStop::Failed(RunFailure::Fault(fault))) = &result {
        report.add(&with_stdin(fault));
    }
    let may_go_on = matches!(result, Err(CommandStop::Failed(RunFailure::AtInput)));
    messages.finish(&report, may_go_on);
    match result {
        Err(CommandStop::ClosedPipe) => 0,
        Err(CommandStop::Failed(RunFailure::Fault(fault))) => run_ending::status(&fault),
        Err(CommandStop::Failed(RunFailure::Reported | RunFailure::AtInput)) => 2,
        // With `--keep-going` a command finishes in spite of errors.
        Ok(_) if report.has_failed() => 2,
        Ok(CommandAnswer::Yes) => 0,
        Ok(CommandAnswer::No) => 1,
    }
}

/// Returns whether `-` is an input, and stdin is a terminal. Without a word, the program would seem to hang.
fn waits_for_terminal() -> bool {
    let words = process_words::words();
    let is_output = |word: &std::ffi::OsString| ["-o", "--output"].iter().any(|option| word == option);
    let mut pairs = words.windows(2);
    std::io::stdin().is_terminal() && pairs.any(|pair| pair[1] == "-" && !is_output(&pair[0]))
}

/// If a fault says that there is no input, and stdin may have data, adds how to read them.
fn with_stdin(fault: &Diagnostic) -> Cow<'_, Diagnostic> {
    if fault.code == codes::STORE_MISSING && request_text::is_stdin_a_pipe() {
        return Cow::Owned(fault.clone().with_help("`-` reads data from stdin"));
    }
    Cow::Borrowed(fault)
}
