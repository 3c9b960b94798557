//! Reports a damaged store, with the commands that repair it.

use crate::input::files_read::FilesRead;
use crate::input::input_options::StoreChoice;
use crate::input::path_text::path_of;
use crate::input::source::InputSource;
use evalgraph_diagnostics::help::{command, setting};
use evalgraph_diagnostics::{Diagnostic, FindingHelp, FindingSeverity, RunReport, SuggestedCommand};
use evalgraph_formats::catalog::sha256;
use evalgraph_store::{DamagedDocument, StoreExamination, StoredDocument};

/// Reports the damage. `help` lists the ways to save a document.
pub fn tell(
    examination: &StoreExamination,
    help: impl Fn(&DamagedDocument) -> Vec<FindingHelp>,
    report: &mut RunReport,
) {
    for fault in examination.terms.iter().chain(examination.texts.iter().map(|(_, fault)| fault)) {
        let mut warning = fault.clone();
        warning.severity = FindingSeverity::Warning;
        warning.help.clear();
        report.add(&warning);
    }
    for damaged in &examination.damaged {
        let graph = &damaged.document.entry.graph;
        let message = format!("the graph `{graph}` is damaged: {}", damaged.fault.message);
        let finding = Diagnostic::warning("store::damaged-graph", message);
        report.add(&help(damaged).into_iter().fold(finding, Diagnostic::with_help));
    }
}

/// The current state of the file that a document was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceFile {
    /// The file is unchanged.
    Same,
    /// The file has changed.
    Changed,
    /// The file is missing or unreadable.
    Gone,
    /// The document never had a file: an update created it.
    None,
}

impl SourceFile {
    /// Checks the file of a document.
    pub fn from_document(document: &StoredDocument) -> Self {
        let Some(source) = &document.entry.source else { return Self::None };
        match InputSource::File(path_of(&source.path)).read(u64::MAX, &FilesRead::default()) {
            Ok(input) if sha256(&input.bytes) == source.sha256 => Self::Same,
            Ok(_) => Self::Changed,
            Err(_) => Self::Gone,
        }
    }
}

/// Returns the command that drops graphs of the same store.
pub fn dropping<'g>(graphs: impl IntoIterator<Item = &'g str>, store: &StoreChoice) -> SuggestedCommand {
    let drop =
        graphs.into_iter().fold(command("graphs").with("drop"), |drop, graph| drop.with(graph.to_owned()));
    match &store.store {
        Some(store) => drop.with(setting("store").to(store.display().to_string())),
        None => drop,
    }
}
