//! The output forms of a conversion: an RDF format, files as they were read, checkpoints, or a form that a system
//! contributes.

use evalgraph_formats::checkpoint::writer::{CheckpointForm, Version2Shape};
use evalgraph_formats::registry::written_forms;
use evalgraph_formats::writing::{FormWriter, SystemForm};
use evalgraph_rdf::RdfFormat;

/// The form to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutputForm {
    /// Everything that was read, in one format.
    Rdf(RdfFormat),
    /// Each file as it was read, with the changes made to its graph.
    Same,
    /// Checkpoints in a form.
    Checkpoint(CheckpointForm),
    /// A form that the programs of a system load.
    System(&'static SystemForm),
}

impl OutputForm {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rdf(format) => format.name(),
            Self::Same => "same",
            Self::Checkpoint(form) => form.name(),
            Self::System(form) => form.name,
        }
    }

    /// Returns the extension of its files; none for RDF formats, which have several, and for files as they were.
    pub fn extension(self) -> Option<&'static str> {
        match self {
            Self::Rdf(_) | Self::Same => None,
            Self::Checkpoint(form) => Some(form.extension()),
            Self::System(form) => Some(form.extension),
        }
    }

    /// All forms. Version 2.0 is in its latest shape.
    pub fn all() -> impl Iterator<Item = Self> {
        let formats = RdfFormat::WRITTEN.into_iter().map(Self::Rdf);
        let forms = [Self::Same].into_iter().chain(CheckpointForm::ALL.map(Self::Checkpoint));
        formats.chain(forms).chain(written_forms().into_iter().map(Self::System))
    }

    /// Returns the form with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|form| form.name() == name)
    }

    /// Returns the same form in another shape. Only version 2.0 has several shapes.
    #[must_use]
    pub fn with_shape(self, shape: Version2Shape) -> Self {
        match self {
            Self::Checkpoint(CheckpointForm::Version2(_)) => {
                Self::Checkpoint(CheckpointForm::Version2(shape))
            }
            target => target,
        }
    }

    /// Returns whether a system writes the form from the graphs of any inputs.
    pub fn is_from_graphs(self) -> bool {
        matches!(
            self,
            Self::System(SystemForm { writer: FormWriter::Restored(_) | FormWriter::Graphs(_), .. })
        )
    }

    /// Returns whether a system writes the form from the records that it gathers from all inputs.
    pub fn is_from_records(self) -> bool {
        matches!(self, Self::System(SystemForm { writer: FormWriter::Records(_), .. }))
    }

    /// Returns whether the form is a directory with a corpus beside its rows.
    pub fn has_corpus(self) -> bool {
        matches!(self, Self::System(form) if form.has_corpus)
    }

    /// Returns whether prompts frame what the form says.
    pub fn takes_prompts(self) -> bool {
        matches!(self, Self::System(form) if form.takes_prompts)
    }
}
