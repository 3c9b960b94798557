//! `evalgraph move`: moves records from one file to another of the same kind.

use std::path::Path;

use clap::Args;

use crate::cli::argument_order::check_order;
use crate::cli::in_place_records::{InPlaceArguments, open_in_place};
use crate::cli::output::{write, write_text};
use crate::cli::unified_diff::write_diff;
use crate::cli::{CommandAnswer, CommandStop, unless_failed};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport};
use evalgraph_engine::selection::moved_records::moved;

const EXAMPLES: &str = "\
Examples:
  evalgraph move urn:uuid:question-1 urn:uuid:question-2 drafts.jsonld final.jsonld
  evalgraph move 'What is 2 + 2?' algebra.json arithmetic.json --dry-run

Both files are changed in place. The records are added at the end of TO with everything that belongs
to them; their text and every other byte of both files stay. The files have to be of the same kind:
otherwise convert one, or use `merge`, which converts what it copies. Nothing is written if TO has a
record with the same id.";

/// The arguments of `move`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, override_usage = "evalgraph move [OPTIONS] <ID>... <FROM> <TO>")]
pub(super) struct MoveArguments {
    /// Records by id or exact question; then FROM and TO
    #[arg(value_name = "ID", required = true)]
    names: Vec<String>,
    #[command(flatten)]
    change: InPlaceArguments,
}

/// Runs `move`.
pub(super) fn run(arguments: &MoveArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let (records, [from_path, to_path]) = match arguments.names.as_slice() {
        [records @ .., from, to] if !records.is_empty() => (records, [from, to]),
        _ => {
            let fault = Diagnostic::error("move::files", "records and two files are needed");
            return Err(fault.with_help("write `evalgraph move ID FROM TO`").into());
        }
    };
    let files = [from_path, to_path].map(Path::new);
    check_order(records.iter().map(String::as_str), &files, "evalgraph move ID FROM TO")?;
    let session = arguments.change.session(report)?;
    let from = open_in_place(Path::new(from_path), &session, report)?;
    let to = open_in_place(Path::new(to_path), &session, report)?;
    let texts = moved(records, &from, &to, &session, report)?;
    unless_failed(report)?;
    if arguments.change.dry_run {
        write(None, |output| {
            write_diff(from_path, from.file.written_text(), &texts.from, output)?;
            write_diff(to_path, to.file.written_text(), &texts.to, output)
        })?;
        return Ok(CommandAnswer::Yes);
    }
    // If the second file cannot be written, the records are in both, and none is lost.
    write_text(&texts.to, Some(Path::new(to_path)))?;
    write_text(&texts.from, Some(Path::new(from_path)))?;
    let records = if texts.count == 1 { "record" } else { "records" };
    let message = format!("moved {} {records} from `{from_path}` to `{to_path}`", texts.count);
    report.add(&Diagnostic::new(FindingSeverity::Note, "move::summary", message));
    Ok(CommandAnswer::Yes)
}
