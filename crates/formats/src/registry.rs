//! The trait that every system implements. A new system needs its own folder and a row in `SYSTEMS`. Files
//! are assigned to systems by their content.
//!
//! `SystemName` is defined in `system_name.rs`.

use super::named_figures::RecordTally;
use super::records::{FileShape, RecognisedRecords, RecognitionCertainty};
use super::rlcf::RecordName;
use super::system_name::SystemName;
use super::{chat, karenina, kwanzaa, rlcf, train};
use crate::checking::{FormatRule, RecordRules};
use crate::plain_chat::PlainChat;
use crate::rewriting::IndexedGraph;
use evalgraph_diagnostics::help::setting;
use evalgraph_diagnostics::{Diagnostic, FindingHelp, HelpPart};
use evalgraph_json::JsonDocument;
use evalgraph_rdf::quad_buffer::BufferTermId;

/// A system: recognises, reads, counts and checks its files.
pub trait SourceSystem: Sync {
    /// Returns the name of the system's files in messages.
    fn files(&self) -> &'static str;

    /// Recognises a file that may belong to this system. Returns `None` for JSON-LD, which is recognised elsewhere.
    ///
    /// # Errors
    /// A diagnostic for a file that can only belong to this system, but whose kind is unclear.
    fn recognise(&self, document: &JsonDocument) -> Result<Option<RecognisedRecords>, Box<Diagnostic>>;

    /// Recognises a file that the user assigns to this system, with the kind of records that the user may name.
    ///
    /// # Errors
    /// A diagnostic for a file whose kind of records is unclear.
    fn recognise_named(
        &self,
        document: &JsonDocument,
        _record: Option<RecordName>,
    ) -> Result<Option<RecognisedRecords>, Box<Diagnostic>> {
        self.recognise(document)
    }

    /// Returns the kind of file that the rules assume, because they report its faults themselves. `None` if the file is
    /// recognised as usual.
    fn recognise_for_rules(&self, _document: &JsonDocument) -> Option<RecognisedRecords> {
        None
    }

    /// Returns the name that a file of the system must have, or `None` if any name will do.
    fn file_name(&self) -> Option<&'static str> {
        None
    }

    /// Returns whether tables are read as rows of this system.
    fn has_rows(&self) -> bool {
        false
    }

    /// Returns whether a file is an error reply of a service, which the rules report.
    fn is_error_reply(&self, _document: &JsonDocument) -> bool {
        false
    }

    /// Returns the shape of a file, given its node in a graph.
    fn file_shape(&self, graph: &IndexedGraph<'_>, root: BufferTermId) -> Option<FileShape>;

    /// Returns whether a file may be part of a dataset whose other parts are in the same folder.
    fn is_part(&self, _recognised: &RecognisedRecords) -> bool {
        false
    }

    /// Returns the value of `record` for a file from which only the system can be recognised: the kind of its records,
    /// which follows from its dialect.
    fn record_of<'k>(&self, _kind: &'k str) -> Option<&'k str> {
        None
    }

    /// Returns whether the user may need to name the kind of a file's records.
    fn has_record_names(&self) -> bool {
        false
    }

    /// Returns the text of an edited file with the values that the format requires and a graph cannot have, or `None`
    /// if nothing is missing.
    fn edited(&self, _before: &JsonDocument, _after: &JsonDocument) -> Option<String> {
        None
    }

    /// Returns a counter for the records of a file, or `None` if only their quads are counted.
    fn tally(&self, _recognised: &RecognisedRecords) -> Option<Box<dyn RecordTally>> {
        None
    }

    /// Returns the rules for files of records, or `None` if there are no such rules.
    fn rules(&self) -> Option<Box<dyn RecordRules>> {
        None
    }

    /// Returns each profile of the system's rules by its name, with the rules in the order of the report.
    fn profiles(&self) -> Vec<(&'static str, Vec<FormatRule>)> {
        Vec::new()
    }

    /// Returns the function that writes the conversations of a file of this system as plain chat; none where its
    /// files have no plain conversations.
    fn conversation_writer(&self) -> Option<ConversationWriter> {
        None
    }
}

/// Writes the conversations of a file as they are. A system prompt goes into those that have none.
pub type ConversationWriter = fn(&JsonDocument, Option<&str>) -> PlainChat;

/// The systems: one row each, in the order in which messages list them.
const SYSTEMS: [(SystemName, &dyn SourceSystem); 5] = [
    (SystemName::JSON_LD, &karenina::KareninaSystem),
    (train::TRAIN, &train::TrainSystem),
    (kwanzaa::KWANZAA, &kwanzaa::KwanzaaSystem),
    (rlcf::RLCF, &rlcf::RlcfSystem),
    (chat::CHAT, &chat::ChatSystem),
];

const fn names() -> [SystemName; SYSTEMS.len()] {
    let mut names = [SystemName::JSON_LD; SYSTEMS.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = SYSTEMS[at].0;
        at += 1;
    }
    names
}

impl SystemName {
    /// All systems, in the order of their rows.
    pub const ALL: [Self; SYSTEMS.len()] = names();

    /// The system of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|system| system.name() == name)
    }

    /// Returns the implementation of the system.
    pub fn entry(self) -> &'static dyn SourceSystem {
        let row = SYSTEMS.into_iter().find(|(name, _)| *name == self);
        // Each name has a row: names are made in the folders of the systems only.
        row.map_or(SYSTEMS[0].1, |(_, system)| system)
    }
}

/// Returns the system as whose rows tables are read.
pub fn system_of_rows() -> Option<SystemName> {
    SystemName::ALL.into_iter().find(|system| system.entry().has_rows())
}

/// Returns the shapes of the files that have a node in the graph.
pub fn file_shapes(graph: &IndexedGraph<'_>) -> Vec<FileShape> {
    let shapes = |&node: &BufferTermId| {
        SystemName::ALL.iter().find_map(|system| system.entry().file_shape(graph, node))
    };
    graph.subjects().iter().filter_map(shapes).collect()
}

/// Returns whether a graph has the node of a file that is not JSON-LD.
pub fn is_of_records(graph: &IndexedGraph<'_>) -> bool {
    let has_shape = |&node: &BufferTermId| {
        SystemName::ALL.iter().any(|system| system.entry().file_shape(graph, node).is_some())
    };
    graph.subjects().iter().any(has_shape)
}

/// Returns the help for a file whose system is not known.
pub fn whose_it_is() -> FindingHelp {
    let of_records = SystemName::ALL.into_iter().filter(|system| *system != SystemName::JSON_LD);
    which_it_is("name its system: ", of_records)
}

fn which_it_is(begin: &'static str, systems: impl Iterator<Item = SystemName>) -> FindingHelp {
    let systems: Vec<_> = systems.collect();
    let mut parts: Vec<HelpPart> = vec![begin.into()];
    for (at, system) in systems.iter().enumerate() {
        match at {
            0 => {}
            at if at + 1 == systems.len() => parts.push(" or ".into()),
            _ => parts.push(", ".into()),
        }
        parts.push(setting("from").to(system.name()).into());
        if system.entry().has_record_names() {
            parts.extend([" with ".into(), setting("record").to("KIND").into()]);
        }
    }
    FindingHelp::new(parts)
}

/// Recognises the records of a file without `@context`: for the system that the user named, or for the only possible
/// system. Returns `None` if no system has such files. `record` is the kind of the records, if the user named one.
///
/// # Errors
/// `input::system` for a file that does not belong to the named system, or may belong to several: a wrong guess would
/// be worse than a question.
pub fn recognise(
    document: &JsonDocument,
    named: Option<SystemName>,
    record: Option<RecordName>,
) -> Result<Option<RecognisedRecords>, Box<Diagnostic>> {
    let at_root = |diagnostic: Diagnostic| Box::new(diagnostic.at(document.place(document.root())));
    if let Some(system) = named {
        let found = system.entry().recognise_named(document, record)?;
        return found.map(Some).ok_or_else(|| {
            let message = format!("nothing in it is a record of {system}");
            at_root(Diagnostic::error("input::system", message))
        });
    }
    let (mut found, mut fault) = (Vec::new(), None);
    for system in SystemName::ALL {
        match system.entry().recognise(document) {
            Ok(recognised) => found.extend(recognised),
            Err(unclear) => fault = Some(unclear),
        }
    }
    if found.iter().any(|found| found.certainty == RecognitionCertainty::Sure) {
        found.retain(|found| found.certainty == RecognitionCertainty::Sure);
    } else if let Some(fault) = fault {
        return Err(fault);
    }
    match found.as_slice() {
        [] | [_] => Ok(found.pop()),
        several => {
            let considered: Vec<String> = several
                .iter()
                .map(|found| format!("{} of {} ({})", found.kind, found.system, found.why))
                .collect();
            let message = format!("it could be {}", considered.join(", or "));
            let help = which_it_is("choose one: ", several.iter().map(|found| found.system));
            Err(at_root(Diagnostic::error("input::system", message).with_help(help)))
        }
    }
}
