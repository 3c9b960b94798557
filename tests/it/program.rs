//! The program that is tested.

use std::process::Command;

/// Where the program is that was built with these tests.
pub(crate) const PATH: &str = env!("CARGO_BIN_EXE_evalgraph");

/// A run of the program.
pub(crate) fn program() -> Command {
    Command::new(PATH)
}
