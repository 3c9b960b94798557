//! Checks inputs, or the documents of a store, one after the other. Only one of them is in memory at a time.

use super::checked_document::{CheckedDocument, LoadedDocument};
use crate::input::input_options::RunInputs;
use crate::input::source::InputSource;
use crate::load::document_loading::DocumentLoading;
use crate::load::read_session::ReadSession;
use crate::validation::unchecked_inputs::FoundSources;
use crate::validation::validated_files::CheckedInputs;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, RunReport};
use evalgraph_schema_org::CheckOptions;

/// A run: the inputs to check, and the options.
///
/// Other methods are in `document_fixes.rs`.
pub struct SchemaOrgRun<'r> {
    /// The inputs.
    pub input: &'r RunInputs,
    /// How JSON-LD is read.
    pub session: &'r ReadSession,
    /// How they are checked.
    pub options: CheckOptions,
}

impl SchemaOrgRun<'_> {
    /// Checks each input separately.
    ///
    /// # Errors
    ///
    /// Fails if an input is faulty and faulty inputs are not skipped or no others remain, or if the check is cancelled.
    pub fn check(&self, report: &mut RunReport) -> Result<CheckedInputs, RunFailure> {
        let mut files = Vec::new();
        let unchecked = self.each_document(report, |document| files.push(document.report(&self.options)))?;
        Ok(CheckedInputs { files, unchecked })
    }

    /// Checks each input separately, and passes each result on. Returns the faults of inputs that could not be checked.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::check`].
    pub fn each_document(
        &self,
        report: &mut RunReport,
        mut take: impl FnMut(CheckedDocument),
    ) -> Result<Vec<Diagnostic>, RunFailure> {
        // Without plain loading, the namespaces of schema.org would be merged, and could not be distinguished.
        let loader = DocumentLoading::new(self.input, self.session, true, false);
        let found = FoundSources::find(self.input, report)?;
        let place = if self.input.endpoint.is_some() { "on the server" } else { "in the store" };
        report.add_all(&without_text(&found.sources, place));
        let progress = loader.begin(&found.sources);
        let mut names = Vec::new();
        for source in &found.sources {
            self.options.cancellation.check()?;
            if let Ok(loaded) = LoadedDocument::read(source, &loader, report) {
                let document = CheckedDocument::from_loaded(loaded, &loader, &self.options, report)?;
                names.push(document.name.clone());
                take(document);
            }
            progress.advance(2 * source.size());
        }
        self.input.check(report)?;
        let unchecked = found.unchecked(names.iter().map(String::as_str), report);
        if names.is_empty() && !unchecked.is_empty() {
            return Err(RunFailure::Reported);
        }
        Ok(unchecked)
    }
}

/// The note about documents of a store or a server whose text is not available.
fn without_text(sources: &[InputSource], place: &str) -> Option<Diagnostic> {
    let is_graph = |source: &&InputSource| matches!(source, InputSource::Stored(stored) if stored.is_graph);
    let mut graphs = sources.iter().filter(is_graph);
    let first = graphs.next()?.name();
    let (name, has) = match graphs.count() {
        0 => (format!("`{first}`"), "has"),
        1 => (format!("`{first}` and 1 more document"), "have"),
        more => (format!("`{first}` and {more} more documents"), "have"),
    };
    let message = format!(
        "{name} {has} no text {place}: IRIs and keys that were lost on loading, and namespaces that were moved, \
         cannot be seen"
    );
    Some(Diagnostic::new(FindingSeverity::Note, "schema-org::no-text", message))
}
