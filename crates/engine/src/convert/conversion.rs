//! A conversion of inputs into quads or into files. Callers choose where the files are written.

use super::checkpoint::{CheckpointOptions, checkpoint_files};
use super::checkpoints::checkpoint_documents;
use super::corpora::TrainCorpora;
use super::json_ld_shape::JsonLdShape;
use super::kwanzaa::{PromptFiles, kwanzaa_files};
use super::output_form::OutputForm;
use super::rlcf::task_files;
use super::rlcf_records::gather;
use super::same::ChangedGraphs;
use super::train::train_files;
use super::training_lines::{TrainingOptions, training_lines};
use super::written_files::{WrittenFile, WrittenFiles};
use crate::input::input_options::RunInputs;
use crate::input::source::InputSource;
use crate::load::document_loading::DocumentLoading;
use crate::load::document_quads::QuadChanges;
use crate::load::quads::{CompanionGraph, load_quads, read_all};
use crate::load::read_session::ReadSession;
use evalgraph_diagnostics::{RunFailure, RunReport};
use evalgraph_formats::rlcf::figures::RlcfProfile;
use evalgraph_formats::train::{ImpossibleDefault, RowIds, TrainWriteOptions};
use evalgraph_rdf::QuadBuffer;

/// The target of a conversion and its settings.
#[derive(Debug, Clone)]
pub struct Conversion {
    /// The form.
    pub form: OutputForm,
    /// `true` if several files may be written; otherwise all inputs become one.
    pub takes_several: bool,
    /// The graphs to add to RDF output beside the documents' graphs. If there are any, each document has its own graph.
    pub with: Vec<CompanionGraph>,
    /// The name of the dataset. Default: the root's `@id`, or else the file's stem.
    pub dataset: Option<String>,
    /// How checkpoints are written.
    pub checkpoint: CheckpointOptions,
    /// Which feedback becomes training data.
    pub training: TrainingOptions,
    /// How rows of train.json are written.
    pub rows: TrainWriteOptions,
    /// The prompts that frame conversations.
    pub prompts: PromptFiles,
    /// The JSON-LD shape in which RDF is written.
    pub json_ld: JsonLdShape,
}

impl From<OutputForm> for Conversion {
    /// Writes one file of this form per input, like the command line when it writes into a folder.
    fn from(form: OutputForm) -> Self {
        Self {
            form,
            takes_several: true,
            with: Vec::new(),
            dataset: None,
            checkpoint: CheckpointOptions::default(),
            training: TrainingOptions { profile: RlcfProfile::Seed, task_type: None },
            rows: TrainWriteOptions {
                impossible: ImpossibleDefault::default(),
                with_corpus: true,
                ids: RowIds::Source,
            },
            prompts: PromptFiles::default(),
            json_ld: JsonLdShape::Expanded,
        }
    }
}

/// The result of a conversion.
pub enum ConversionOutput {
    /// Quads, to be written in a format of RDF.
    Quads(QuadBuffer),
    /// Documents, to be written as the files that they were read from.
    Same(Box<ChangedGraphs>),
    /// Files of a form.
    Files(WrittenFiles),
}

impl Conversion {
    /// Converts inputs.
    ///
    /// # Errors
    ///
    /// An invalid input unless `keep_going` is set, inputs without anything that the form can express, and a loss if
    /// losses are errors.
    pub fn run(
        &self,
        sources: Vec<InputSource>,
        input: &RunInputs,
        json_ld: &ReadSession,
        report: &mut RunReport,
    ) -> Result<ConversionOutput, RunFailure> {
        let files = |files| ConversionOutput::Files(WrittenFiles { files, ..WrittenFiles::default() });
        let now = || input.clock.now();
        match self.form {
            OutputForm::Rdf(_) if self.with.is_empty() => {
                read_all(&sources, input, json_ld, QuadChanges::KeptIds, report).map(ConversionOutput::Quads)
            }
            OutputForm::Rdf(_) => {
                self.load(sources, &self.with, input, json_ld, report).map(ConversionOutput::Quads)
            }
            OutputForm::Same => {
                // The names in the catalog are needed only for files in a folder.
                let with = [CompanionGraph::SidecarAtOnce, CompanionGraph::Catalog];
                let with = if self.takes_several { &with } else { &with[..1] };
                let quads = self.load(sources, with, input, json_ld, report)?;
                let is_of_server = input.endpoint.is_some();
                Ok(ConversionOutput::Same(Box::new(ChangedGraphs {
                    quads,
                    is_of_server,
                    ..ChangedGraphs::default()
                })))
            }
            OutputForm::Karenina(form) => {
                let documents = checkpoint_documents(&sources, input, json_ld, report)?;
                let (options, takes_several) = (&self.checkpoint, self.takes_several);
                checkpoint_files(&documents, form, options, takes_several, input, report).map(files)
            }
            OutputForm::Training(format) => {
                let records = gather(&sources, input, json_ld, report)?;
                let lines = training_lines(&records, format, &self.training, report)?;
                let lines = lines.map(|lines| WrittenFile::of_stem(format.name(), "jsonl", lines));
                Ok(files(lines.into_iter().collect()))
            }
            OutputForm::Train => {
                let corpora = if self.rows.with_corpus {
                    TrainCorpora::beside(&sources)?
                } else {
                    TrainCorpora::default()
                };
                let quads = self.load(sources, &[CompanionGraph::Catalog], input, json_ld, report)?;
                train_files(&quads, self.rows, corpora, report).map(ConversionOutput::Files)
            }
            OutputForm::Rlcf => {
                let quads = self.load(sources, &[CompanionGraph::Catalog], input, json_ld, report)?;
                task_files(&quads, self.takes_several, now()?, report).map(files)
            }
            OutputForm::Kwanzaa(form) => {
                let quads = self.load(
                    sources,
                    &[CompanionGraph::SidecarAtOnce, CompanionGraph::Catalog],
                    input,
                    json_ld,
                    report,
                )?;
                kwanzaa_files(&quads, form, &self.prompts, self.takes_several, now()?, report).map(files)
            }
        }
    }

    /// Loads each input into its document graph.
    fn load(
        &self,
        sources: Vec<InputSource>,
        with: &[CompanionGraph],
        input: &RunInputs,
        json_ld: &ReadSession,
        report: &mut RunReport,
    ) -> Result<QuadBuffer, RunFailure> {
        let tells_places = matches!(self.form, OutputForm::Train | OutputForm::Rlcf | OutputForm::Kwanzaa(_));
        let loader = DocumentLoading {
            tells_places,
            ..DocumentLoading::new(input, json_ld, false, report.shows_all())
        };
        load_quads(&loader, sources, self.dataset.as_deref(), with, report)
    }
}
