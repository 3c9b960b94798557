//! The systems, and whose file a file is, told by its content.

use super::columns::listed;
use super::records::{Certainty, FileShape, Recognised};
use super::{karenina, kwanzaa, rlcf, train};
use crate::diagnostic::help::{help, setting};
use crate::diagnostic::{Diagnostic, Help, Severity};
use crate::json::Document;
use crate::rdf::quad_buffer::TermId;
use crate::source::rewriting::Graph;
use std::fmt;

/// A system whose files are read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum System {
    /// Karenina checkpoints.
    Karenina,
    /// The train.json sets of a retrieval evaluator.
    Train,
    /// Kwanzaa training samples.
    Kwanzaa,
    /// RLCF legal-feedback records.
    Rlcf,
}

impl System {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Karenina, Self::Train, Self::Kwanzaa, Self::Rlcf];

    /// The name on the command line, in IRIs and in the catalog.
    pub fn name(self) -> &'static str {
        match self {
            Self::Karenina => "karenina",
            Self::Train => "train",
            Self::Kwanzaa => "kwanzaa",
            Self::Rlcf => "rlcf",
        }
    }

    /// The system of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|system| system.name() == name)
    }

    /// How the file was made whose node a graph has.
    pub fn file_shape(self, graph: &Graph<'_>, root: TermId) -> Option<FileShape> {
        match self {
            Self::Train => train::file_shape(graph, root),
            Self::Kwanzaa => kwanzaa::file_shape(graph, root),
            Self::Rlcf => rlcf::file_shape_of_graph(graph, root),
            Self::Karenina => karenina::results_export::file_shape(graph, root),
        }
    }

    /// What a file of this system holds, if it can be one. Karenina's checkpoints are JSON-LD, which is
    /// told otherwise; of its files only the export of results is told here.
    ///
    /// # Errors
    /// Where it is of this system alone, and unclear all the same.
    fn recognise(self, document: &Document) -> Result<Option<Recognised>, Box<Diagnostic>> {
        match self {
            Self::Train => Ok(train::recognise(document)),
            Self::Kwanzaa => Ok(kwanzaa::recognise(document)),
            Self::Rlcf => rlcf::recognise(document),
            Self::Karenina => Ok(karenina::results_export::recognise(document)),
        }
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The tables of the files whose nodes a graph has.
pub fn file_shapes(graph: &Graph<'_>) -> Vec<FileShape> {
    let shapes = |&node: &TermId| System::ALL.iter().find_map(|system| system.file_shape(graph, node));
    graph.subjects().iter().filter_map(shapes).collect()
}

/// Whether a graph has the node of a file that is no JSON-LD.
pub fn is_of_records(graph: &Graph<'_>) -> bool {
    let has_shape =
        |&node: &TermId| System::ALL.iter().any(|system| system.file_shape(graph, node).is_some());
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
    let message = format!(
        "it is neither a checkpoint or an export of results of Karenina nor rows of train, nor a file of \
         Kwanzaa or RLCF; its keys are {}",
        listed(&names)
    );
    let unknown = Diagnostic::new(severity, "input::unknown", message).at(document.place(first.key));
    let systems = help![
        "say whose it is: ",
        setting("from").to("train"),
        ", ",
        setting("from").to("kwanzaa"),
        " or ",
        setting("from").to("rlcf"),
        " with ",
        setting("record").to("KIND")
    ];
    Some(match document.is_array(root) {
        true => unknown
            .with_help(help!["say which key is the question: ", setting("map-column").to("question=NAME")])
            .with_help(systems),
        false => unknown.with_help(systems),
    })
}

/// Whose records a file without `@context` holds: of the system that was named, or of the only one that
/// it can be of. None where it is of none.
///
/// # Errors
/// `input::system` where it is not of the system that was named, or could be of several: a wrong guess
/// would be worse than a question.
pub fn recognise(document: &Document, named: Option<System>) -> Result<Option<Recognised>, Box<Diagnostic>> {
    let at_root = |diagnostic: Diagnostic| Box::new(diagnostic.at(document.place(document.root())));
    if named == Some(System::Rlcf) {
        return rlcf::recognise_as(document, None).map(Some);
    }
    if let Some(system) = named {
        let is_list = document.is_array(document.root());
        let assumed = || match system {
            System::Train => is_list.then(train::assumed),
            System::Kwanzaa => kwanzaa::assumed(document),
            System::Karenina | System::Rlcf => None,
        };
        let found = system.recognise(document)?.or_else(assumed);
        return found.map(Some).ok_or_else(|| {
            let message = format!("nothing in it is a record of {system}");
            at_root(Diagnostic::error("input::system", message))
        });
    }
    let (mut found, mut fault) = (Vec::new(), None);
    for system in System::ALL {
        match system.recognise(document) {
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
            let mut help = vec!["say which it is: ".into()];
            for (at, found) in several.iter().enumerate() {
                help.extend((at > 0).then(|| " or ".into()));
                help.push(setting("from").to(found.system.name()).into());
            }
            let help = Help::of(help);
            Err(at_root(Diagnostic::error("input::system", message).with_help(help)))
        }
    }
}
