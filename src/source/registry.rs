//! What there is to know of each system, by one trait: a further one costs its own folder and a row of `System::entry`.
//! Whose file a file is, is told by its content.

use super::columns::listed;
use super::facts::RecordTally;
use super::records::{Certainty, FileShape, Recognised};
use super::rlcf::RecordName;
use super::system::System;
use super::{karenina, kwanzaa, rlcf, train};
use crate::diagnostic::help::setting;
use crate::diagnostic::{Diagnostic, Help, HelpPart, Severity};
use crate::json::Document;
use crate::rdf::quad_buffer::TermId;
use crate::source::checking::RecordRules;
use crate::source::rewriting::Graph;

/// A system: how its files are told, read, counted and checked.
pub(crate) trait SourceSystem: Sync {
    /// Returns what a file of it is called, behind "neither" or "nor".
    fn files(&self) -> &'static str;

    /// Returns what a file holds, if it can be one of this system. Of JSON-LD, which is told otherwise,
    /// nothing.
    ///
    /// # Errors
    /// Where it is of this system alone, and unclear all the same.
    fn recognise(&self, document: &Document) -> Result<Option<Recognised>, Box<Diagnostic>>;

    /// Returns what a file holds that is said to be of this system, with records of a kind where that is
    /// said.
    ///
    /// # Errors
    /// Where its records are unclear.
    fn recognise_named(
        &self,
        document: &Document,
        _record: Option<RecordName>,
    ) -> Result<Option<Recognised>, Box<Diagnostic>> {
        self.recognise(document)
    }

    /// Returns what a file is taken for by rules, which say themselves what is wrong with it; none where that
    /// is found out as ever.
    fn recognise_for_rules(&self, _document: &Document) -> Option<Recognised> {
        None
    }

    /// Tells whether a file is the reply of a service that something is wrong, of which rules tell.
    fn is_error_reply(&self, _document: &Document) -> bool {
        false
    }

    /// Tells how the file was made whose node a graph has.
    fn file_shape(&self, graph: &Graph<'_>, root: TermId) -> Option<FileShape>;

    /// Tells whether a file may be a part of a dataset whose other parts lie beside it.
    fn is_part(&self, _recognised: &Recognised) -> bool {
        false
    }

    /// Returns what `record` has to say for a file that tells its system alone: the kind of its records, by
    /// the dialect.
    fn record_of<'k>(&self, _kind: &'k str) -> Option<&'k str> {
        None
    }

    /// Tells whether the kind of its records may have to be said.
    fn has_record_names(&self) -> bool {
        false
    }

    /// Counts the records of a file; none where nothing is counted of them but their quads.
    fn tally(&self, _recognised: &Recognised) -> Option<Box<dyn RecordTally>> {
        None
    }

    /// The rules for files of records; none where there are no such rules.
    fn rules(&self) -> Option<Box<dyn RecordRules>> {
        None
    }
}

impl System {
    /// Returns what there is to know of it.
    pub(crate) fn entry(self) -> &'static dyn SourceSystem {
        match self {
            Self::Karenina => &karenina::Karenina,
            Self::Train => &train::Train,
            Self::Kwanzaa => &kwanzaa::Kwanzaa,
            Self::Rlcf => &rlcf::Rlcf,
        }
    }
}

/// The tables of the files whose nodes a graph has.
pub fn file_shapes(graph: &Graph<'_>) -> Vec<FileShape> {
    let shapes =
        |&node: &TermId| System::ALL.iter().find_map(|system| system.entry().file_shape(graph, node));
    graph.subjects().iter().filter_map(shapes).collect()
}

/// Tells whether a graph has the node of a file that is no JSON-LD.
pub fn is_of_records(graph: &Graph<'_>) -> bool {
    let has_shape =
        |&node: &TermId| System::ALL.iter().any(|system| system.entry().file_shape(graph, node).is_some());
    graph.subjects().iter().any(has_shape)
}

/// That a file without `@context` is of none of the systems, with the keys that it has; none where it has no
/// keys.
pub fn unknown(document: &Document, severity: Severity) -> Option<Diagnostic> {
    let root = document.root();
    let object = document.items(root).find(|&item| document.is_object(item)).unwrap_or(root);
    let first = document.members(object).next()?;
    let names: Vec<&str> = match document.is_array(root) {
        true => document.symbols().map(|symbol| document.symbol_text(symbol)).collect(),
        false => document.members(object).map(|member| document.symbol_text(member.symbol)).collect(),
    };
    let files = System::ALL.map(|system| system.entry().files()).join(" nor ");
    let message = format!("it is neither {files}; its keys are {}", listed(&names));
    let unknown = Diagnostic::new(severity, "input::unknown", message).at(document.place(first.key));
    let unknown = match document.is_array(root) {
        true => {
            let column = setting("map-column").to("question=NAME");
            unknown.with_help(Help::of(["say which key is the question: ".into(), column.into()]))
        }
        false => unknown,
    };
    Some(unknown.with_help(whose_it_is()))
}

/// The way out where nobody knows whose records a file holds.
pub(crate) fn whose_it_is() -> Help {
    let of_records = System::ALL.into_iter().filter(|system| *system != System::JSON_LD);
    which_it_is("say whose it is: ", of_records)
}

fn which_it_is(begin: &'static str, systems: impl Iterator<Item = System>) -> Help {
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
    Help::of(parts)
}

/// Whose records a file without `@context` holds: of the system that was named, or of the only one that
/// it can be of. None where it is of none. `record` is the kind of the records, where it was named.
///
/// # Errors
/// `input::system` where it is not of the system that was named, or could be of several: a wrong guess
/// would be worse than a question.
pub fn recognise(
    document: &Document,
    named: Option<System>,
    record: Option<RecordName>,
) -> Result<Option<Recognised>, Box<Diagnostic>> {
    let at_root = |diagnostic: Diagnostic| Box::new(diagnostic.at(document.place(document.root())));
    if let Some(system) = named {
        let found = system.entry().recognise_named(document, record)?;
        return found.map(Some).ok_or_else(|| {
            let message = format!("nothing in it is a record of {system}");
            at_root(Diagnostic::error("input::system", message))
        });
    }
    let (mut found, mut fault) = (Vec::new(), None);
    for system in System::ALL {
        match system.entry().recognise(document) {
            Ok(recognised) => found.extend(recognised),
            Err(unclear) => fault = Some(unclear),
        }
    }
    if found.iter().any(|found| found.certainty == Certainty::Sure) {
        found.retain(|found| found.certainty == Certainty::Sure);
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
            let help = which_it_is("say which it is: ", several.iter().map(|found| found.system));
            Err(at_root(Diagnostic::error("input::system", message).with_help(help)))
        }
    }
}
