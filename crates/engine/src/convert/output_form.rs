//! The output forms of a conversion: an RDF format, files as they were read, or a form that the programs of a
//! system load.

use super::kwanzaa::KwanzaaForm;
use evalgraph_formats::karenina::writer::{CheckpointForm, Version2Shape};
use evalgraph_formats::rlcf::export::ExportFormat;
use evalgraph_rdf::RdfFormat;

/// The form that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutputForm {
    /// All that was read, in one format.
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
    /// Kwanzaa's datasets, or conversations made of them.
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

    /// All forms; version 2.0 in its last shape.
    pub fn all() -> impl Iterator<Item = Self> {
        let formats = RdfFormat::WRITTEN.into_iter().map(Self::Rdf);
        let forms = [Self::Same].into_iter().chain(CheckpointForm::ALL.map(Self::Karenina));
        let forms = forms.chain(KwanzaaForm::ALL.map(Self::Kwanzaa)).chain([Self::Train, Self::Rlcf]);
        formats.chain(forms).chain(ExportFormat::ALL.map(Self::Training))
    }

    /// The form of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|form| form.name() == name)
    }

    /// The same form in another shape, which only version 2.0 has.
    #[must_use]
    pub fn with_shape(self, shape: Version2Shape) -> Self {
        match self {
            Self::Karenina(CheckpointForm::Version2(_)) => Self::Karenina(CheckpointForm::Version2(shape)),
            target => target,
        }
    }
}
