//! A conversion of inputs into quads or into files. Callers choose where the files are written.

use std::fs;
use std::path::Path;

use super::checkpoint::{CheckpointOptions, checkpoint_files};
use super::checkpoints::checkpoint_documents;
use super::corpora::InputCorpora;
use super::gathered_records::gather;
use super::json_ld_shape::JsonLdShape;
use super::output_form::OutputForm;
use super::same::ChangedGraphs;
use crate::input::input_options::RunInputs;
use crate::input::source::{InputSource, unreadable};
use crate::load::document_loading::DocumentLoading;
use crate::load::document_quads::QuadChanges;
use crate::load::quads::{CompanionGraph, load_quads, read_all};
use crate::load::read_session::ReadSession;
use evalgraph_diagnostics::{RunFailure, RunReport};
use evalgraph_formats::checking::ProfileName;
use evalgraph_formats::writing::{
    FeedbackOptions, FormOptions, FormWriter, ImpossibleDefault, PromptFiles, RowIds, RowWriteOptions,
    SystemForm, WrittenFiles,
};
use evalgraph_json::decode;
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
    pub training: FeedbackOptions,
    /// How rows are written.
    pub rows: RowWriteOptions,
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
            training: FeedbackOptions { profile: ProfileName::SEED, task_type: None },
            rows: RowWriteOptions {
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
        session: &ReadSession,
        report: &mut RunReport,
    ) -> Result<ConversionOutput, RunFailure> {
        let files = |files| ConversionOutput::Files(WrittenFiles { files, ..WrittenFiles::default() });
        match self.form {
            OutputForm::Rdf(_) if self.with.is_empty() => {
                read_all(&sources, input, session, QuadChanges::KeptIds, report).map(ConversionOutput::Quads)
            }
            OutputForm::Rdf(_) => {
                self.load(sources, &self.with, input, session, report).map(ConversionOutput::Quads)
            }
            OutputForm::Same => {
                // The names in the catalog are needed only for files in a folder.
                let with = [CompanionGraph::SidecarAtOnce, CompanionGraph::Catalog];
                let with = if self.takes_several { &with } else { &with[..1] };
                let quads = self.load(sources, with, input, session, report)?;
                let is_of_server = input.endpoint.is_some();
                Ok(ConversionOutput::Same(Box::new(ChangedGraphs {
                    quads,
                    is_of_server,
                    ..ChangedGraphs::default()
                })))
            }
            OutputForm::Checkpoint(form) => {
                let documents = checkpoint_documents(&sources, input, session, report)?;
                let (options, takes_several) = (&self.checkpoint, self.takes_several);
                checkpoint_files(&documents, form, options, takes_several, input, report).map(files)
            }
            OutputForm::System(form) => {
                self.system_files(form, sources, input, session, report).map(ConversionOutput::Files)
            }
        }
    }

    /// Writes the files of a form that a system contributes.
    fn system_files(
        &self,
        form: &SystemForm,
        sources: Vec<InputSource>,
        input: &RunInputs,
        session: &ReadSession,
        report: &mut RunReport,
    ) -> Result<WrittenFiles, RunFailure> {
        let corpora = match form.has_corpus && self.rows.with_corpus {
            true => InputCorpora::beside(&sources)?,
            false => InputCorpora::default(),
        };
        let options = FormOptions {
            takes_several: self.takes_several,
            now: &|| input.clock.now(),
            rows: self.rows,
            corpus: &corpora.known,
            prompts: &self.prompts,
            read_prompt: &prompt_text,
            feedback: &self.training,
        };
        let (with, write): (&[CompanionGraph], _) = match form.writer {
            FormWriter::Restored(write) => (&[CompanionGraph::SidecarAtOnce, CompanionGraph::Catalog], write),
            FormWriter::Graphs(write) => (&[CompanionGraph::Catalog], write),
            FormWriter::Records(begin) => {
                let mut records = begin();
                gather(&sources, input, session, &mut *records, report)?;
                return records.write(&options, report);
            }
        };
        let quads = self.load(sources, with, input, session, report)?;
        let written = write(&quads, &options, report)?;
        Ok(WrittenFiles { copies: corpora.into_copies(), ..written })
    }

    /// Loads each input into its document graph.
    fn load(
        &self,
        sources: Vec<InputSource>,
        with: &[CompanionGraph],
        input: &RunInputs,
        session: &ReadSession,
        report: &mut RunReport,
    ) -> Result<QuadBuffer, RunFailure> {
        let loader = DocumentLoading {
            tells_places: self.form.is_from_graphs(),
            ..DocumentLoading::new(input, session, false, report.shows_all())
        };
        load_quads(&loader, sources, self.dataset.as_deref(), with, report)
    }
}

/// Returns the text of a prompt's file.
fn prompt_text(path: &Path) -> Result<String, RunFailure> {
    let name = path.display().to_string();
    let bytes = fs::read(path).map_err(|error| unreadable(&name, &error))?;
    let text = decode(&name, bytes)?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}
