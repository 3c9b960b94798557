//! Fixes documents: by edits to the text where a finding has exactly one right answer, or by a different context.
//!
//! `SchemaOrgRun` is defined in `run.rs`.

use std::sync::Arc;

use super::checked_document::{CheckedDocument, LoadedDocument};
use super::run::SchemaOrgRun;
use crate::complying_context::complying_context;
use crate::input::find::file_sources;
use crate::input::origin::DocumentOrigin;
use crate::input::source::{InputSource, RawInput};
use crate::load::document::{Document, DocumentContent};
use crate::load::document_loading::DocumentLoading;
use crate::validation::unchecked_inputs::FoundSources;
use evalgraph_diagnostics::help::{command, help};
use evalgraph_diagnostics::{
    Diagnostic, FindingSeverity, RunFailure, RunReport, SourcePlace, SourceText, thousands,
};
use evalgraph_json::{JsonDocument, TextEncoding, encode_like};
use evalgraph_schema_org::{DocumentFixer, DocumentFixes, SchemaNamespace, is_fixable};

/// A file with its fixes.
pub struct FixedFile {
    /// The file.
    pub source: InputSource,
    /// The new content of the file.
    pub bytes: Vec<u8>,
    /// Its text before the fixes, for display.
    pub before: String,
    /// Its text with the fixes.
    pub after: String,
    /// How many strings are changed.
    pub count: usize,
}

impl SchemaOrgRun<'_> {
    /// Finds the fixes for each input. Inputs without fixes are left out. Faults are reported; if only files are
    /// accepted, an input that is not a file is a fault.
    ///
    /// # Errors
    ///
    /// Fails if there is no input, or if the check is cancelled.
    pub fn fixed(
        &self,
        namespace: Option<SchemaNamespace>,
        only_files: bool,
        report: &mut RunReport,
    ) -> Result<Vec<FixedFile>, RunFailure> {
        let mut files = Vec::new();
        for source in FoundSources::find(self.input, report)?.sources {
            self.options.cancellation.check()?;
            if only_files && source.path().is_none() {
                report.add(&fault(&source.name(), "only files are changed in place"));
                continue;
            }
            // The check of a document reports everything else about it.
            let mut part = report.part();
            match self.fixed_source(source, namespace, &mut part) {
                Ok((file, remarks)) => {
                    files.extend(file);
                    report.add_all(&remarks);
                }
                Err(failure) => {
                    report.absorb(part);
                    if let RunFailure::Fault(fault) = failure {
                        report.add(&fault);
                    }
                }
            }
        }
        Ok(files)
    }

    fn fixed_source(
        &self,
        source: InputSource,
        namespace: Option<SchemaNamespace>,
        report: &mut RunReport,
    ) -> Result<(Option<FixedFile>, Vec<Diagnostic>), RunFailure> {
        let name = source.name();
        let (input, format) = self.session.input_of(&source, report)?;
        let (encoding, decoded) = (input.encoding, input.bytes.clone());
        let opened = Document::from_input(input, format, self.session, report)?;
        let DocumentContent::Json { document, .. } = &opened.content else {
            return self.unless_fixable(&source, report).map(|()| (None, Vec::new()));
        };
        let parse = |text| self.parse(&opened.origin, text, report.part());
        let fixed = self.session.with_loader(&opened.origin, |loader, options| {
            DocumentFixer { loader, options, check: &self.options, namespace, parse: &parse }.fix(document)
        })?;
        let remarks = remarks(&name, &fixed);
        if fixed.is_empty() {
            return Ok((None, remarks));
        }
        let (raw, encoding) = match self.session.reading.encoding {
            Some(_) if source.path().is_some() => {
                (source.read(u64::MAX, &self.session.reading.files_read)?.bytes, encoding)
            }
            _ => (decoded.clone(), TextEncoding::Utf8),
        };
        let bytes = changed(&fixed, document, decoded, encoding, &raw);
        let bytes = bytes.ok_or_else(|| {
            fault(
                &name,
                "the text that was read differs from the file's own text, so it cannot be changed there",
            )
        })?;
        let (before, count) = (document.text().to_owned(), fixed.count());
        let after = fixed.applied(&before);
        Ok((Some(FixedFile { source, bytes, before, after, count }), remarks))
    }

    fn parse(
        &self,
        origin: &DocumentOrigin,
        text: String,
        mut unheard: RunReport,
    ) -> Result<Arc<JsonDocument>, Box<Diagnostic>> {
        let input = RawInput::from_bytes(origin.clone(), text.into_bytes());
        let parsed = self.session.parse_data(input, &mut unheard);
        parsed
            .map(|parsed| parsed.document)
            .map_err(|_| Box::new(fault(&origin.name, "it cannot be read again")))
    }

    /// Rejects a file that has something to fix but is not JSON-LD.
    fn unless_fixable(&self, source: &InputSource, report: &mut RunReport) -> Result<(), RunFailure> {
        let loader = DocumentLoading::new(self.input, self.session, true, false);
        let loaded = LoadedDocument::read(source, &loader, report)?;
        let checked = CheckedDocument::from_loaded(loaded, &loader, &self.options, report)?;
        let mut findings = checked.findings.iter().map(|(finding, _)| finding);
        if !findings.any(|finding| is_fixable(finding, self.options.vocabulary())) {
            return Ok(());
        }
        let message = "names or namespaces have one right answer here, but only JSON-LD is changed in place";
        Err(fault(&checked.name, message).with_help(help![command("convert"), " writes JSON-LD"]).into())
    }

    /// The context document that makes the only input, a checkpoint, comply with schema.org.
    ///
    /// # Errors
    ///
    /// Fails if the input is several files, cannot be read, or is not a checkpoint in JSON-LD.
    pub fn complying_context(&self, report: &mut RunReport) -> Result<String, RunFailure> {
        let sources = file_sources(&self.input.inputs, report)?;
        let [source] = &sources[..] else {
            let message = format!("a context is made for one file, but the input is {}", sources.len());
            return Err(Diagnostic::error("input::several", message).into());
        };
        let (input, format) = self.session.input_of(source, report)?;
        let opened = Document::from_input(input, format, self.session, report)?;
        let DocumentContent::Json { document, .. } = &opened.content else {
            let fault =
                Diagnostic::error("schema-org::fix-context", "the file is not JSON-LD, and has no context");
            return Err(fault.at(whole(&opened.origin.name)).into());
        };
        Ok(complying_context(document, self.options.vocabulary())?)
    }
}

/// The content of a file with its fixes. `None` if the file's text differs from that of the document.
fn changed(
    fixed: &DocumentFixes,
    document: &JsonDocument,
    decoded: Vec<u8>,
    encoding: TextEncoding,
    raw: &[u8],
) -> Option<Vec<u8>> {
    // API keys are masked in the document's text with the same number of bytes, so only the length is compared.
    let text = String::from_utf8(decoded).ok().filter(|text| text.len() == document.text().len())?;
    let is_of_file = encode_like(&text, encoding, raw).is_some_and(|bytes| bytes == raw);
    is_of_file.then(|| encode_like(&fixed.applied(&text), encoding, raw)).flatten()
}

/// Explains what is not fixed.
fn remarks(name: &str, fixed: &DocumentFixes) -> Vec<Diagnostic> {
    let kept = fixed.namespace_kept.map(|kept| {
        let message = format!(
            "a context from elsewhere puts terms into `{}`, so the others cannot be moved out of it",
            kept.iri()
        );
        Diagnostic::warning("schema-org::namespace-kept", message).at(whole(name))
    });
    let left = (fixed.left > 0).then(|| {
        let count = match fixed.left {
            1 => "1 finding has one right answer but is not fixed".to_owned(),
            more => format!("{} findings have one right answer but are not fixed", thousands(more as u64)),
        };
        let message = format!(
            "{count}: a fix would change what the document says, because of its context or an existing key"
        );
        Diagnostic::new(FindingSeverity::Note, "schema-org::not-fixed", message).at(whole(name))
    });
    kept.into_iter().chain(left).collect()
}

fn fault(name: &str, message: &str) -> Diagnostic {
    Diagnostic::error("schema-org::fix", message).at(whole(name))
}

/// The place of the whole file.
fn whole(name: &str) -> SourcePlace {
    SourceText::new(name, b"").place(0..0)
}
