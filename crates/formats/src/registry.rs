//! The table of the systems, and the questions that any of them may answer. A new system needs its own folder and a row
//! in `SYSTEMS`. Files are assigned to systems by their content.
//!
//! `SystemName` is defined in `system_name.rs`, `ProfileName` in `checking/profile_name.rs`.

use super::records::{FileShape, RecognisedRecords, RecognitionCertainty, RecordName, ReplyPath};
use super::source_system::SourceSystem;
use super::system_name::SystemName;
use super::{chat, every_eval_ever, helm, inspect, karenina, kwanzaa, lm_eval, rlcf, train};
use crate::checking::ProfileName;
use crate::checkpoint::CheckpointPrograms;
use crate::counted_list::DatasetReport;
use crate::new_question::{AddedQuestion, NewQuestion, QuestionGraph};
use crate::rewriting::IndexedGraph;
use crate::task_finding::TaskFinding;
use crate::writing::SystemForm;
use evalgraph_diagnostics::help::setting;
use evalgraph_diagnostics::{Diagnostic, FindingHelp, HelpPart, RunFailure};
use evalgraph_json::{JsonDocument, Limits};
use evalgraph_rdf::quad_buffer::BufferTermId;

/// The systems: one row each, in the order in which messages list them.
const SYSTEMS: [(SystemName, &dyn SourceSystem); 9] = [
    (SystemName::JSON_LD, &karenina::KareninaSystem),
    (train::TRAIN, &train::TrainSystem),
    (kwanzaa::KWANZAA, &kwanzaa::KwanzaaSystem),
    (rlcf::RLCF, &rlcf::RlcfSystem),
    (chat::CHAT, &chat::ChatSystem),
    (every_eval_ever::EVERY_EVAL_EVER, &every_eval_ever::EveryEvalEverSystem),
    (inspect::INSPECT, &inspect::InspectSystem),
    (lm_eval::LM_EVAL, &lm_eval::LmEvalSystem),
    (helm::HELM, &helm::HelmSystem),
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

impl ProfileName {
    /// Returns all names: those of checkpoints, those of every system, and those of one system.
    pub fn all() -> Vec<Self> {
        let own = |system: SystemName| system.entry().own_profiles().iter().map(|(name, _)| *name);
        let of_records = SystemName::ALL.into_iter().filter(|system| *system != SystemName::JSON_LD);
        own(SystemName::JSON_LD).chain([Self::SEED, Self::CODE]).chain(of_records.flat_map(own)).collect()
    }

    /// Returns the set of rules with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|profile| profile.name() == name)
    }

    /// Returns what the set of rules of one system requires, or `None` for a name that every system has.
    pub fn title(self) -> Option<&'static str> {
        let own = SystemName::ALL.into_iter().flat_map(|system| system.entry().own_profiles());
        own.copied().find(|(name, _)| *name == self).map(|(_, title)| title)
    }

    /// Returns whether these rules are only for checkpoints. If a file is checked against them, it is meant to be a
    /// checkpoint.
    pub fn is_of_checkpoints(self) -> bool {
        SystemName::JSON_LD.entry().own_profiles().iter().any(|(name, _)| *name == self)
    }
}

/// Returns the system as whose rows tables are read.
pub fn system_of_rows() -> Option<SystemName> {
    SystemName::ALL.into_iter().find(|system| system.entry().has_rows())
}

/// Returns the forms of files that systems write: those for which files are restored come first, and those from records
/// last.
pub fn written_forms() -> Vec<&'static SystemForm> {
    let mut forms: Vec<&SystemForm> =
        SystemName::ALL.into_iter().flat_map(|system| system.entry().written_forms()).collect();
    forms.sort_by_key(|form| form.writer.rank());
    forms
}

/// Makes the node of a new question in a graph whose file is of a kind; see [`SourceSystem::add_question`].
///
/// # Errors
/// The errors of [`SourceSystem::add_question`].
pub fn add_question(
    kind: &str,
    question: &NewQuestion<'_>,
    graph: &dyn QuestionGraph,
) -> Result<Option<AddedQuestion>, RunFailure> {
    for system in SystemName::ALL {
        if let Some(added) = system.entry().add_question(kind, question, graph)? {
            return Ok(Some(added));
        }
    }
    Ok(None)
}

/// Returns whether a file of a kind has statistics that count its questions.
pub fn counts_questions(kind: &str) -> bool {
    SystemName::ALL.into_iter().any(|system| system.entry().counts_questions(kind))
}

/// Returns an empty report about the contents of datasets.
pub fn dataset_report() -> Option<Box<dyn DatasetReport>> {
    SystemName::ALL.into_iter().find_map(|system| system.entry().dataset_report())
}

/// Returns the place of a file that is a reply of a service, by its path.
pub fn reply_path(path: &str) -> Option<ReplyPath> {
    SystemName::ALL.into_iter().find_map(|system| system.entry().reply_path(path))
}

/// Returns the results of the experts' opinions on the tasks of a graph.
///
/// # Errors
/// A diagnostic for records that cannot be read.
pub fn task_findings(graph: &IndexedGraph<'_>, limits: Limits) -> Result<Vec<TaskFinding>, Box<Diagnostic>> {
    let mut findings = Vec::new();
    for system in SystemName::ALL {
        findings.extend(system.entry().task_findings(graph, limits)?);
    }
    Ok(findings)
}

/// Returns the programs that load checkpoints.
pub fn checkpoint_programs() -> &'static dyn CheckpointPrograms {
    &karenina::KareninaPrograms
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
