//! The output forms of a conversion: an RDF format, files as they were read, or a form that the programs of a
//! system load.

use super::kwanzaa::KwanzaaForm;
use evalgraph_formats::karenina::writer::{CheckpointForm, Version2Shape};
use evalgraph_formats::rlcf::export::ExportFormat;
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
    Karenina(CheckpointForm),
    /// Data for training models.
    Training(ExportFormat),
    /// A dataset directory of train.json.
    Train,
    /// Tasks for experts.
    Rlcf,
    /// Kwanzaa's datasets, or conversations made from them.
    Kwanzaa(KwanzaaForm),
}

impl OutputForm {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rdf(format) => format.name(),
            Self::Same => "same",
            Self::Karenina(form) => form.name(),
            Self::Training(format) => format.name(),
            Self::Train => "train",
            Self::Rlcf => "rlcf",
            Self::Kwanzaa(form) => form.name(),
        }
    }

    /// All forms. Version 2.0 is in its latest shape.
    pub fn all() -> impl Iterator<Item = Self> {
        let formats = RdfFormat::WRITTEN.into_iter().map(Self::Rdf);
        let forms = [Self::Same].into_iter().chain(CheckpointForm::ALL.map(Self::Karenina));
        let forms = forms.chain(KwanzaaForm::ALL.map(Self::Kwanzaa)).chain([Self::Train, Self::Rlcf]);
        formats.chain(forms).chain(ExportFormat::ALL.map(Self::Training))
    }

    /// Returns the form with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|form| form.name() == name)
    }

    /// Returns the same form in another shape. Only version 2.0 has several shapes.
    #[must_use]
    pub fn with_shape(self, shape: Version2Shape) -> Self {
        match self {
            Self::Karenina(CheckpointForm::Version2(_)) => Self::Karenina(CheckpointForm::Version2(shape)),
            target => target,
        }
    }
}
