//! A conversion: inputs into quads or into files, whose places are for others to choose.

use super::checkpoint::{CheckpointOptions, checkpoint_files};
use super::json_ld::JsonLdShape;
use super::kwanzaa::{PromptFiles, kwanzaa_files};
use super::output_form::OutputForm;
use super::rlcf::task_files;
use super::rlcf_records::gather;
use super::same::Changed;
use super::train::train_files;
use super::training::{TrainingOptions, training_lines};
use super::written::Written;
use crate::diagnostic::{Diagnostic, Failure, Report};
use crate::input::options::Inputs;
use crate::input::source::InputSource;
use crate::load::json_ld::JsonLd;
use crate::load::loader::Loader;
use crate::load::quads::{With, load_quads, read_all};
use crate::rdf::QuadBuffer;
use crate::source::rlcf::figures::Profile;
use crate::source::train::{Impossible, RowIds, WriteOptions};

/// Holds what is written, and how.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Conversion {
    /// The form.
    pub form: OutputForm,
    /// Whether several files may come of it; else all becomes one.
    pub takes_several: bool,
    /// The graphs that RDF has beside those of the documents, each document being in a graph of its own then.
    pub with: Vec<With>,
    /// The name of the dataset, where it is not to be the root's `@id` or the file's stem.
    pub dataset: Option<String>,
    /// How checkpoints are written.
    pub checkpoint: CheckpointOptions,
    /// Which feedback becomes training data.
    pub training: TrainingOptions,
    /// How rows of train.json are written.
    pub rows: WriteOptions,
    /// What frames conversations.
    pub prompts: PromptFiles,
    /// The shape of JSON-LD that RDF is written as.
    pub json_ld: JsonLdShape,
}

impl From<OutputForm> for Conversion {
    /// A file of that form for each input, as the command line writes them into a folder.
    fn from(form: OutputForm) -> Self {
        Self {
            form,
            takes_several: true,
            with: Vec::new(),
            dataset: None,
            checkpoint: CheckpointOptions::default(),
            training: TrainingOptions { profile: Profile::Seed, task_type: None },
            rows: WriteOptions { impossible: Impossible::Omit, with_corpus: true, ids: RowIds::Source },
            prompts: PromptFiles::default(),
            json_ld: JsonLdShape::Expanded,
        }
    }
}

/// Tells what a conversion makes.
pub(crate) enum Converted {
    /// What is written in a format of RDF.
    Quads(QuadBuffer),
    /// What is written as the files that it was read from.
    Same(Box<Changed>),
    /// Files, and what there is to say of them once they are written.
    Files(Vec<Written>, Option<Diagnostic>),
}

impl Conversion {
    /// Converts inputs.
    ///
    /// # Errors
    ///
    /// Where an input is at fault and the rest is not wanted, where nothing is there that the form could hold, and
    /// where a loss is an error.
    pub(crate) fn run(
        &self,
        sources: Vec<InputSource>,
        loading: (&Inputs, &JsonLd),
        report: &mut Report,
    ) -> Result<Converted, Failure> {
        let files = |files| Converted::Files(files, None);
        let now = || loading.0.clock.now();
        match self.form {
            OutputForm::Rdf(_) if self.with.is_empty() => {
                read_all(&sources, loading, report).map(Converted::Quads)
            }
            OutputForm::Rdf(_) => self.load(sources, &self.with, loading, report).map(Converted::Quads),
            OutputForm::Same => {
                // The catalog has the names of the files, which only a folder needs.
                let with = [With::SidecarAtOnce, With::Catalog];
                let quads =
                    self.load(sources, if self.takes_several { &with } else { &with[..1] }, loading, report)?;
                Ok(Converted::Same(Box::new(Changed { quads, ..Changed::default() })))
            }
            OutputForm::Karenina(form) => {
                let how = (form, &self.checkpoint, self.takes_several);
                checkpoint_files(&sources, how, loading, report).map(files)
            }
            OutputForm::Training(format) => {
                let records = gather(&sources, loading, report)?;
                let lines = training_lines(&records, format, &self.training, report)?;
                let lines = lines.map(|lines| Written::of_stem(format.name(), "jsonl", lines));
                Ok(files(lines.into_iter().collect()))
            }
            OutputForm::Train => {
                let quads = self.load(sources, &[With::Catalog], loading, report)?;
                let (files, note) = train_files(&quads, self.rows, report)?;
                Ok(Converted::Files(files, Some(note)))
            }
            OutputForm::Rlcf => {
                let quads = self.load(sources, &[With::Catalog], loading, report)?;
                task_files(&quads, self.takes_several, now()?, report).map(files)
            }
            OutputForm::Kwanzaa(form) => {
                let quads = self.load(sources, &[With::SidecarAtOnce, With::Catalog], loading, report)?;
                let (how, now) = ((form, &self.prompts), now()?);
                kwanzaa_files(&quads, how, (self.takes_several, now), report).map(files)
            }
        }
    }

    /// Loads inputs, each into its document graph.
    fn load(
        &self,
        sources: Vec<InputSource>,
        with: &[With],
        (input, json_ld): (&Inputs, &JsonLd),
        report: &mut Report,
    ) -> Result<QuadBuffer, Failure> {
        let tells_places = matches!(self.form, OutputForm::Train | OutputForm::Rlcf | OutputForm::Kwanzaa(_));
        let loader = Loader { tells_places, ..Loader::new(input, json_ld, false, report.shows_all()) };
        load_quads(&loader, sources, self.dataset.as_deref(), with, report)
    }
}
