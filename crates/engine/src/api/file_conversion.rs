//! Converts files to another form.
//!
//! `Loader` is defined in `file_loader.rs`.

use super::error::Error;
use super::file_loader::Loader;
use crate::convert::conversion::{Conversion, ConversionOutput};
use crate::convert::json_ld_shape::JsonLdShape;
use crate::convert::output_form::OutputForm;
use crate::convert::rdf::{without_graph_names, write_format};
use crate::convert::same::{names_in_folder, same_files};
use crate::convert::write_failure::WriteFailure;
use crate::load::read_session::ReadSession;
use crate::workspace::command_sources::sources;
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport};
use evalgraph_formats::writing::{CopiedFile, WrittenFile, WrittenFiles};
use evalgraph_rdf::{QuadBuffer, RdfFormat};

/// The result of a conversion.
#[derive(Debug)]
#[non_exhaustive]
pub struct ConvertedFiles {
    /// The files. The caller chooses the folder that their paths are relative to.
    pub files: Vec<WrittenFile>,
    /// The files to copy beside them unchanged, such as the documents of a corpus. They are not parsed.
    pub copies: Vec<CopiedFile>,
    /// The losses, and the values that were filled in.
    pub report: RunReport,
}

/// Converts inputs into a form; see [`Loader::convert`].
///
/// # Errors
///
/// The errors of [`Loader::convert`].
pub fn convert<I: Into<String>>(
    inputs: impl IntoIterator<Item = I>,
    conversion: impl Into<Conversion>,
) -> Result<ConvertedFiles, Error> {
    Loader::new().convert(inputs, conversion)
}

impl Loader {
    /// Converts inputs into files of a form, as `evalgraph convert` does. RDF becomes one file. Nothing is written to
    /// disk.
    ///
    /// # Errors
    ///
    /// If an input is missing or invalid (with file, line and column), or if the inputs contain nothing that the form
    /// can express.
    pub fn convert<I: Into<String>>(
        &self,
        inputs: impl IntoIterator<Item = I>,
        conversion: impl Into<Conversion>,
    ) -> Result<ConvertedFiles, Error> {
        self.reading(inputs)?.convert_inputs(&conversion.into())
    }

    /// Converts the inputs of the loader or, without inputs, the documents of its store.
    pub(super) fn convert_inputs(&self, conversion: &Conversion) -> Result<ConvertedFiles, Error> {
        let work = |report: &mut RunReport| {
            let session = self.session()?;
            let sources = sources(&self.inputs, report)?;
            let converted = conversion.run(sources, &self.inputs, &session, report)?;
            let had_failed = report.has_failed();
            let copies = match &converted {
                ConversionOutput::Files(WrittenFiles { copies, .. }) => copies.clone(),
                ConversionOutput::Quads(_) | ConversionOutput::Same(_) => Vec::new(),
            };
            let files = files_of(converted, conversion, &session, report)?;
            report.check(had_failed || self.inputs.keep_going)?;
            Ok((files, copies))
        };
        let ((files, copies), report) = self.reported(work)?;
        Ok(ConvertedFiles { files, copies, report })
    }
}

pub(super) fn files_of(
    converted: ConversionOutput,
    conversion: &Conversion,
    session: &ReadSession,
    report: &mut RunReport,
) -> Result<Vec<WrittenFile>, RunFailure> {
    match converted {
        ConversionOutput::Quads(quads) => {
            let OutputForm::Rdf(format) = conversion.form else { return Ok(Vec::new()) };
            Ok(vec![rdf_file(quads, format, session, &conversion.json_ld, report)?])
        }
        ConversionOutput::Same(changed) => {
            let files = same_files(&changed, conversion.takes_several, report)?;
            let names = names_in_folder(&changed.quads, &files);
            let files = names.into_iter().zip(files);
            Ok(files.map(|(path, file)| WrittenFile { path, text: file.text }).collect())
        }
        ConversionOutput::Files(WrittenFiles { files, note, .. }) => {
            report.add_all(&note);
            Ok(files)
        }
    }
}

/// Returns all quads as one file.
fn rdf_file(
    mut quads: QuadBuffer,
    format: RdfFormat,
    session: &ReadSession,
    shape: &JsonLdShape,
    report: &mut RunReport,
) -> Result<WrittenFile, RunFailure> {
    if !format.has_graph_names() {
        quads = without_graph_names(quads, format, report);
    }
    let mut bytes = Vec::new();
    let written = write_format(&quads, format, session, shape, &mut bytes, report);
    written.map_err(|failure| match failure {
        WriteFailure::Failed(failure) => failure,
        WriteFailure::Io(error) => Diagnostic::error("output::unwritable", error.to_string()).into(),
    })?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let extension = format.extensions().first().copied().unwrap_or_default();
    Ok(WrittenFile::of_stem("dataset", extension, text))
}
