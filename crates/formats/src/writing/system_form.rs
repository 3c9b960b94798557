//! The forms of files that a system writes from any inputs.

use std::fmt;

use super::form_options::FormOptions;
use super::written_files::WrittenFiles;
use crate::records::RecordName;
use crate::rewriting::IndexedGraph;
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport};
use evalgraph_json::{JsonDocument, Limits};
use evalgraph_rdf::QuadBuffer;

/// A form of files that a system writes.
#[derive(Debug)]
pub struct SystemForm {
    /// Its name on the command line.
    pub name: &'static str,
    /// The extension of its files.
    pub extension: &'static str,
    /// How it is written.
    pub writer: FormWriter,
    /// `true` if it is a directory with a corpus beside its rows.
    pub has_corpus: bool,
    /// `true` if prompts frame what it says.
    pub takes_prompts: bool,
}

/// Writes the graphs of documents, each with its entry in the catalog.
type GraphWriter = fn(&QuadBuffer, &FormOptions<'_>, &mut RunReport) -> Result<WrittenFiles, RunFailure>;

/// How a form is written.
#[derive(Clone, Copy)]
pub enum FormWriter {
    /// From graphs with their sidecars: files of the system stay as they were.
    Restored(GraphWriter),
    /// From graphs.
    Graphs(GraphWriter),
    /// From records, which are gathered from all inputs first.
    Records(fn() -> Box<dyn RecordForm>),
}

impl FormWriter {
    /// Its place in lists of forms.
    pub(crate) fn rank(self) -> usize {
        match self {
            Self::Restored(_) => 0,
            Self::Graphs(_) => 1,
            Self::Records(_) => 2,
        }
    }
}

impl fmt::Debug for FormWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["from restored files", "from graphs", "from records"][self.rank()])
    }
}

/// Gathers records from all inputs.
pub trait RecordSink {
    /// Adds the records of a file. A file that has none, or whose records have no clear kind, is reported. `record` is
    /// the kind that the user names.
    fn add_document(&mut self, document: &JsonDocument, record: Option<RecordName>, report: &mut RunReport);

    /// Adds the records of a graph.
    ///
    /// # Errors
    /// A diagnostic for records that cannot be read.
    fn add_graph(&mut self, graph: &IndexedGraph<'_>, limits: Limits) -> Result<(), Box<Diagnostic>>;
}

/// Writes a form from the records that it has gathered.
pub trait RecordForm: RecordSink {
    /// Returns the files. There is none if the records give nothing to write, which is reported.
    ///
    /// # Errors
    /// Inputs without any record, and a loss if losses are errors.
    fn write(
        self: Box<Self>,
        options: &FormOptions<'_>,
        report: &mut RunReport,
    ) -> Result<WrittenFiles, RunFailure>;
}

/// Forms are equal if their names are.
impl PartialEq for SystemForm {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for SystemForm {}
