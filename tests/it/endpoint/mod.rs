//! Commands over a server with `--endpoint`: they say what they say over the files that its graphs were made of.

mod commands;
mod loopback;
mod validation;

pub(crate) use commands::{FILES, Place, TIME, exported, says_what_files_say, takes_updates};
pub(crate) use validation::{Results, results_of, validated};
