//! `evalgraph doctor`: whether the store is whole, which graphs are not, and what can be read again.

use clap::Args;

use super::input::InputSource;
use super::report::Report;
use super::store::StoreArguments;
use super::{Answer, Stop};
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::catalog::sha256;
use crate::store::{Store, StoredDocument};

const EXAMPLES: &str = "\
Examples:
  evalgraph doctor
  evalgraph doctor --store experiments/

Reads every byte of the store. The exit status is 1 where something is damaged.";

/// The arguments of `doctor`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct DoctorArguments {
    #[command(flatten)]
    store: StoreArguments,
}

/// Runs `doctor`.
pub(super) fn run(arguments: &DoctorArguments, report: &mut Report) -> Result<Answer, Stop> {
    let store = arguments.store.open()?;
    let examination = store.examine()?;
    for fault in &examination.faults {
        report.add(&as_warning(fault));
    }
    for (document, fault) in &examination.damaged {
        let graph = &document.entry.graph;
        let message = format!("the graph `{graph}` is damaged: {}", fault.message);
        let damaged = Diagnostic::warning("store::damaged-graph", message);
        report.add(&damaged.with_help(remedy(&store, document)));
    }
    if examination.faults.is_empty() && examination.damaged.is_empty() {
        let count = examination.whole;
        let plural = if count == 1 { "graph is" } else { "graphs are" };
        report.add(&Diagnostic::new(Severity::Note, "store::whole", format!("{count} {plural} whole")));
        return Ok(Answer::Yes);
    }
    Ok(Answer::No)
}

fn as_warning(fault: &Diagnostic) -> Diagnostic {
    let mut warning = fault.clone();
    warning.severity = Severity::Warning;
    warning
}

/// What can be done for a damaged graph.
fn remedy(store: &Store, document: &StoredDocument) -> String {
    let edits = if document.entry.is_edited { "; what updates changed in it is lost" } else { "" };
    let Some(source) = &document.entry.source else {
        return "no file has it: an update made it".to_owned();
    };
    let path = &source.path;
    match InputSource::File(path.into()).read(u64::MAX) {
        Ok(input) if sha256(&input.bytes) == source.sha256 => {
            return format!(
                "`{path}` is as it was when it was read: drop the graph and load it again{edits}"
            );
        }
        Ok(_) => {}
        Err(_) => {
            if store.source(document).is_ok_and(|text| text.is_some()) {
                return format!("`{path}` is gone; the store has kept its text{edits}");
            }
            return format!("`{path}` is gone, and so is the text that was kept of it");
        }
    }
    format!("`{path}` is there and has changed since: drop the graph and load it again{edits}")
}
