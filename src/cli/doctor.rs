//! `evalgraph doctor`: whether the store is whole, which graphs are not, what can be read again, and how.

use clap::Args;

use super::arguments::{IriArguments, JsonLdArguments};
use super::input::InputSource;
use super::path_text::path_of;
use super::render::thousands;
use super::repair;
use super::report::Report;
use super::store::StoreArguments;
use super::{Answer, Stop};
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::catalog::sha256;
use crate::store::{DamagedDocument, Examination, Store, StoredDocument};

const EXAMPLES: &str = "\
Examples:
  evalgraph doctor
  evalgraph doctor --store experiments/
  evalgraph doctor --repair
  evalgraph doctor --compact

Reads every byte of the store. The exit status is 1 where something is damaged, and stays so.
`--repair` takes what is damaged from what says the same: another order of a graph's triples, the
text that was kept of its file, the file itself while it has not changed. A graph that nothing
says any more is left as it is, and `evalgraph graphs drop` gives it up. All is repaired in one
change.";

/// The arguments of `doctor`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct DoctorArguments {
    /// Make whole again what can be
    #[arg(long)]
    pub(super) repair: bool,
    /// Write all graphs anew, without the terms that no graph has any more; takes the memory that all terms take
    #[arg(long)]
    pub(super) compact: bool,
    #[command(flatten)]
    pub(super) store: StoreArguments,
    #[command(flatten)]
    pub(super) iris: IriArguments,
    #[command(flatten)]
    pub(super) json_ld: JsonLdArguments,
}

/// Runs `doctor`.
pub(super) fn run(arguments: &DoctorArguments, report: &mut Report) -> Result<Answer, Stop> {
    let store = arguments.store.open_store()?;
    if arguments.repair || arguments.compact {
        return repair::run(arguments, &store, report);
    }
    let examination = store.examine()?;
    tell(&examination, |damaged| remedies(&store, damaged, arguments), report);
    if !examination.terms.is_empty() {
        let message =
            "graphs share the files of terms: nothing can be loaded or changed until they are written anew";
        let help = format!("`{}` does that", command("doctor --repair", arguments));
        report.add(&Diagnostic::warning("store::damaged-terms", message).with_help(help));
    }
    for (graph, _) in &examination.texts {
        let message =
            format!("the text that was kept of `{graph}` is lost; the graph itself is another matter");
        let help = format!(
            "`{}` keeps it again where its file has not changed",
            command("doctor --repair", arguments)
        );
        report.add(&Diagnostic::warning("store::damaged-text", message).with_help(help));
    }
    if !examination.is_whole() {
        return Ok(Answer::No);
    }
    let count = examination.whole;
    let plural = if count == 1 { "graph is" } else { "graphs are" };
    report.add(&Diagnostic::new(Severity::Note, "store::whole", format!("{count} {plural} whole")));
    let unused = examination.term_bytes.saturating_sub(examination.used_bytes);
    if unused > examination.used_bytes {
        let [unused, all] = [unused, examination.term_bytes].map(|bytes| thousands(bytes as u64));
        let message = format!(
            "{unused} of {all} bytes of text are of graphs that are gone: `{}` makes the store smaller",
            command("doctor --compact", arguments)
        );
        report.add(&Diagnostic::new(Severity::Note, "store::unused", message));
    }
    Ok(Answer::Yes)
}

/// Says what is damaged; `help` is what can be done for a document.
pub(super) fn tell(
    examination: &Examination,
    help: impl Fn(&DamagedDocument) -> Vec<String>,
    report: &mut Report,
) {
    for fault in examination.terms.iter().chain(examination.texts.iter().map(|(_, fault)| fault)) {
        let mut warning = fault.clone();
        warning.severity = Severity::Warning;
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

/// What has become of the file that a document was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SourceFile {
    /// It is as it was.
    Same,
    /// It is another one.
    Changed,
    /// It is not there, or cannot be read.
    Gone,
    /// There was none: an update made the document.
    None,
}

impl SourceFile {
    /// Looks at the file of a document.
    pub(super) fn of(document: &StoredDocument) -> Self {
        let Some(source) = &document.entry.source else { return Self::None };
        match InputSource::File(path_of(&source.path)).read(u64::MAX) {
            Ok(input) if sha256(&input.bytes) == source.sha256 => Self::Same,
            Ok(_) => Self::Changed,
            Err(_) => Self::Gone,
        }
    }
}

/// What there is to read a damaged document from, and the command that does it.
fn remedies(store: &Store, damaged: &DamagedDocument, arguments: &DoctorArguments) -> Vec<String> {
    let document = &damaged.document;
    let repair = command("doctor --repair", arguments);
    if damaged.is_readable() {
        return vec![format!("another order of its triples is whole, and nothing is lost: `{repair}`")];
    }
    let path = document.entry.source.as_ref().map(|source| source.path.as_str()).unwrap_or_default();
    let file = SourceFile::of(document);
    let is_kept = store.source(document).is_ok_and(|text| text.is_some());
    let mut help = vec![match file {
        SourceFile::Same => format!("`{path}` is as it was when it was read"),
        SourceFile::Changed => format!("`{path}` has changed since it was read"),
        SourceFile::Gone => format!("`{path}` is gone"),
        SourceFile::None => "no file has it: an update made it".to_owned(),
    }];
    if file != SourceFile::None {
        let is_whole = if is_kept { "whole" } else { "not whole" };
        help.push(format!("the text that the store has kept of it is {is_whole}"));
    }
    let drop = command(&format!("graphs drop {}", quoted(&document.entry.graph)), arguments);
    let edits = if document.entry.is_edited { "; what updates changed in it is lost" } else { "" };
    help.push(match (is_kept || file == SourceFile::Same, file) {
        (true, _) => format!("`{repair}` reads it again{edits}"),
        (false, SourceFile::Changed) => {
            let load = command(&format!("load {}", quoted(path)), arguments);
            format!("`{drop}` and then `{load}` take the file as it is now{edits}")
        }
        (false, _) => format!("`{drop}` gives it up"),
    });
    help
}

/// A command line of the program, for the same store.
pub(super) fn command(what: &str, arguments: &DoctorArguments) -> String {
    let store = arguments
        .store
        .store
        .as_ref()
        .map(|store| format!(" --store {}", quoted(&store.display().to_string())));
    format!("evalgraph {what}{}", store.unwrap_or_default())
}

/// A word as shells read it.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/.:-_%~+=@,".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
