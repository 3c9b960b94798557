//! `--quiet`, `--verbose`, `--color` and `--diagnostics`: which messages a run prints on stderr, and how they look.

use anstream::ColorChoice;
use clap::{Args, ValueEnum};

use super::arguments::MESSAGES;
use super::printer::{DiagnosticsFormat, FindingAmount, FindingPrinter};
use super::progress;

/// The messages of a run, printed beside its result.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct MessageArguments {
    /// Print errors only: no warnings, no notes, no progress bar
    #[arg(long, global = true, conflicts_with = "verbose", help_heading = MESSAGES)]
    quiet: bool,
    /// Print every warning and note with its line, not a few lines in all
    #[arg(short, long, global = true, help_heading = MESSAGES)]
    verbose: bool,
    /// Colours on stdout and stderr; auto shows them on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = MESSAGES)]
    color: ColorMode,
    /// The form of errors, warnings and notes on stderr
    #[arg(long, global = true, value_name = "FORM", default_value = "text", help_heading = MESSAGES)]
    diagnostics: DiagnosticsFormat,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ColorMode {
    Auto,
    Always,
    Never,
}

impl MessageArguments {
    /// Decides for the process whether there are colours and progress bars. Returns the printer of its findings.
    pub(super) fn begin(self) -> FindingPrinter {
        match self.color {
            ColorMode::Auto => {}
            ColorMode::Always => ColorChoice::Always.write_global(),
            ColorMode::Never => ColorChoice::Never.write_global(),
        }
        if self.quiet {
            progress::leave_out();
        }
        let amount = match (self.quiet, self.verbose) {
            (true, _) => FindingAmount::Errors,
            (false, true) => FindingAmount::All,
            (false, false) => FindingAmount::First,
        };
        FindingPrinter { format: self.diagnostics, amount }
    }
}
