//! The forms that RLCF's programs load: records, and training data in two formats.

use super::RLCF;
use super::export::ExportFormat;
use super::gathered_feedback::GatheredFeedback;
use super::task_files::task_files;
use super::training_lines::training_lines;
use crate::records::RecordName;
use crate::rewriting::IndexedGraph;
use crate::writing::{
    FormOptions, FormWriter, RecordForm, RecordSink, SystemForm, WrittenFile, WrittenFiles,
};
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport};
use evalgraph_json::{JsonDocument, Limits};

/// The extension of training data.
const LINES: &str = "jsonl";

/// The forms.
pub(super) static FORMS: [SystemForm; 3] = [
    form(RLCF.name(), "json", FormWriter::Graphs(task_files)),
    form(ExportFormat::Sft.name(), LINES, FormWriter::Records(|| training_form(ExportFormat::Sft))),
    form(
        ExportFormat::Preference.name(),
        LINES,
        FormWriter::Records(|| training_form(ExportFormat::Preference)),
    ),
];

const fn form(name: &'static str, extension: &'static str, writer: FormWriter) -> SystemForm {
    SystemForm { name, extension, writer, has_corpus: false, takes_prompts: false }
}

fn training_form(format: ExportFormat) -> Box<dyn RecordForm> {
    Box::new(TrainingForm { format, gathered: GatheredFeedback::default() })
}

/// Training data, made from the feedback that was gathered.
struct TrainingForm {
    format: ExportFormat,
    gathered: GatheredFeedback,
}

impl RecordSink for TrainingForm {
    fn add_document(&mut self, document: &JsonDocument, record: Option<RecordName>, report: &mut RunReport) {
        self.gathered.add_document(document, record, report);
    }

    fn add_graph(&mut self, graph: &IndexedGraph<'_>, limits: Limits) -> Result<(), Box<Diagnostic>> {
        self.gathered.add_graph(graph, limits)
    }
}

impl RecordForm for TrainingForm {
    fn write(
        self: Box<Self>,
        options: &FormOptions<'_>,
        report: &mut RunReport,
    ) -> Result<WrittenFiles, RunFailure> {
        let records = self.gathered.into_dataset(report)?;
        let lines = training_lines(&records, self.format, options.feedback, report)?;
        let files = lines.map(|lines| WrittenFile::of_stem(self.format.name(), LINES, lines));
        Ok(WrittenFiles { files: files.into_iter().collect(), ..WrittenFiles::default() })
    }
}
