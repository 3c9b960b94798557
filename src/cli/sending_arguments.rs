//! The arguments that all exports to servers share.

use clap::Args;

use super::arguments::ServerArguments;
use super::export_source::SourceArguments;

/// The options for sending graphs to a server.
#[derive(Debug, Args)]
pub(super) struct SendingArguments {
    /// Replace graphs that the server has
    #[arg(long)]
    pub(super) replace: bool,
    /// Add to graphs that the server has
    #[arg(long, conflicts_with = "replace")]
    pub(super) append: bool,
    /// Continue from what an earlier run has sent
    #[arg(long)]
    pub(super) resume: bool,
    /// Read each graph back and compare it
    ///
    /// Before it is put in place; without it, only triples are counted
    #[arg(long, value_name = "BOOL", default_value = "true", action = clap::ArgAction::Set)]
    pub(super) verify: bool,
    #[command(flatten)]
    pub(super) source: SourceArguments,
    #[command(flatten)]
    pub(super) server: ServerArguments,
}
