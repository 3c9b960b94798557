//! Reads a file that was written back, with the tables and contexts that were used to write it. Neither its name nor
//! its folder need be known.

use crate::checkpoint::{adapt, version_2_json_ld};
use crate::records::{ComposedDocument, FileShape, RecognisedRecords, RecordComposer};
use crate::registry::recognise;
use crate::rewriting::RemoteContexts;
use crate::rows::{RowFormat, RowOptions, read_rows};
use crate::system_name::SystemName;
use evalgraph_contexts::BuiltIn;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::{JsonDocument, Limits, parse};
use evalgraph_jsonld::{
    DocumentLoader, JsonLdOptions, JsonLdProcessor, LoadDocumentOptions, LoadError, LoadMode, LoaderChain,
    RemoteDocument,
};
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::iri::{percent_decode, resolve};
use evalgraph_rdf::minted::{behind_dataset, encoded_dataset_and_part, node_base_of_graph};
use hashbrown::HashSet;
use std::sync::Arc;

/// The base of relative contexts, a folder that need not exist.
const FOLDER: &str = "file:///written-back/";

/// How to read a file that was written back.
#[derive(Debug, Clone)]
pub struct ReadingAgain {
    /// The name of its document graph.
    pub(super) graph: String,
    /// The same as in the sidecar: the short name of a dialect, or a system and the kind of contents; empty if the file
    /// was loaded as plain JSON-LD.
    pub(super) dialect: String,
    /// The tables, for a file of records.
    pub(super) shape: Option<FileShape>,
    /// The contexts that the file names.
    pub(super) remote: RemoteContexts,
    /// Its values as JSON, if its text is in another notation.
    pub(super) values: Option<String>,
    /// `true` if the file has JSON on each line.
    pub(super) is_lines: bool,
    /// The ids that several nodes of the file share.
    pub(super) shared: HashSet<String>,
    /// The name of the file, if it is known: some files are recognised by name.
    pub(super) name: Option<String>,
}

impl ReadingAgain {
    /// Returns the same, but with a known file name.
    #[must_use]
    pub fn of_name(self, name: &str) -> Self {
        Self { name: Some(name.to_owned()), ..self }
    }

    /// Returns the statements of the file, in the default graph, and whether the file shows its system.
    ///
    /// # Errors
    /// A diagnostic if the file cannot be read.
    pub fn read(&self, text: &str, options: JsonLdOptions) -> Result<(QuadBuffer, bool), Box<Diagnostic>> {
        let text = self.values.as_deref().unwrap_or(text).to_owned();
        let name = self.name.clone().unwrap_or_else(|| self.usual_name());
        let document = match self.is_lines && self.values.is_none() {
            true => read_rows(&name, text, RowFormat::JsonLines, &RowOptions::default(), own_limits())?,
            false => parse(name, text, own_limits())?,
        };
        let document = Arc::new(document);
        let mut quads = QuadBuffer::new();
        let Some(shape) = &self.shape else {
            self.json_ld(document, options, &mut quads)?;
            return Ok((quads, true));
        };
        self.check_is_recognised(&document)?;
        self.records(&document, shape, &mut quads)?;
        Ok((quads, recognise(&document, None, None).is_ok_and(|found| found.is_some())))
    }

    /// Returns the system that the file belongs to, and the kind of its records if that must also be given.
    pub fn system_and_kind(&self) -> (&str, Option<&str>) {
        let (system, kind) = self.dialect.split_once('/').unwrap_or((&self.dialect, ""));
        let kind = kind.split(' ').next().unwrap_or_default();
        (system, SystemName::from_name(system).and_then(|system| system.entry().record_of(kind)))
    }

    /// Returns whether an IRI contains the place of a record in its file, or of a node in a list. An insertion or a
    /// removal before that place may change the IRI.
    pub(super) fn goes_by_place(&self, iri: &str) -> bool {
        let Some((system, _)) = self.dialect.split_once('/') else { return self.has_number(iri) };
        let Some(rest) = behind_dataset(system, self.dataset().0, iri) else { return false };
        let (is_root, rest) = (rest.starts_with('/'), &rest[1..]);
        // In an IRI, the kind and the id of a record precede the keys and places of the nodes in it.
        let first_place = if is_root { 1 } else { 2 };
        rest.split('/').enumerate().any(|(at, step)| {
            let is_number = step.bytes().all(|byte| byte.is_ascii_digit()) && !step.is_empty();
            step.starts_with('~') || step.contains("~~") || is_number && at >= first_place
        })
    }

    /// Returns whether several nodes of the file share an id, or whether loading made the id by numbering a shared one.
    fn has_number(&self, iri: &str) -> bool {
        let unnumbered = iri.trim_end_matches(|last: char| last.is_ascii_digit()).strip_suffix('-');
        self.shared.contains(iri) || unnumbered.is_some_and(|id| self.shared.contains(id))
    }

    /// Returns a typical file name for the dataset.
    fn usual_name(&self) -> String {
        let (dataset, part) = self.dataset();
        let stem = percent_decode(part.unwrap_or(dataset));
        format!("{stem}.{}", if self.is_lines { "jsonl" } else { "json" })
    }

    /// Checks that the file is still recognised without its name, as it was before.
    fn check_is_recognised(&self, file: &JsonDocument) -> Result<(), Box<Diagnostic>> {
        let Some((name, kind)) = self.dialect.split_once('/') else { return Ok(()) };
        // Rows of dataset files are recognised by the file name, which may have been lost.
        if self.name.is_none() && (kind.ends_with("rows") || kind.ends_with("row")) {
            return Ok(());
        }
        let found = recognise(file, SystemName::from_name(name), None);
        let is_same = |found: &RecognisedRecords| found.dialect() == self.dialect;
        if found.ok().flatten().as_ref().is_some_and(is_same) {
            return Ok(());
        }
        let message = format!("it is no longer recognised as a file with {kind} of {name}");
        Err(Box::new(Diagnostic::error("sidecar::not-recognised", message)))
    }

    /// Returns the dataset and the part of it, in the form that IRIs contain.
    fn dataset(&self) -> (&str, Option<&str>) {
        encoded_dataset_and_part(&self.graph)
    }

    fn records(
        &self,
        file: &JsonDocument,
        shape: &FileShape,
        quads: &mut QuadBuffer,
    ) -> Result<(), Box<Diagnostic>> {
        let (_, part) = self.dataset();
        let system = self.dialect.split('/').next().unwrap_or_default();
        let base = node_base_of_graph(system, &self.graph);
        let mut composer = RecordComposer::new(file, shape, &base);
        if let Some(part) = part {
            composer = composer.of_part(&percent_decode(part));
        }
        while let Some(composed) = composer.next_document() {
            let ComposedDocument { document, json_values } = composed?;
            let processor = JsonLdProcessor::new(JsonLdOptions::default(), &BuiltIn);
            let mut processor = processor.with_load_mode(LoadMode { json_values, ..LoadMode::default() });
            processor.to_rdf(&document, quads).map_err(|error| Box::new(error.diagnostic()))?;
        }
        Ok(())
    }

    fn json_ld(
        &self,
        document: Arc<JsonDocument>,
        options: JsonLdOptions,
        quads: &mut QuadBuffer,
    ) -> Result<(), Box<Diagnostic>> {
        let document = match version_2_json_ld::as_json_ld(&document) {
            None => document,
            Some(Ok((made, _))) => Arc::new(made),
            Some(Err(faults)) => {
                let fault = faults.into_iter().next();
                return Err(Box::new(fault.unwrap_or_else(|| Diagnostic::error("karenina::v2", "no file"))));
            }
        };
        let known = KnownContexts(&self.remote);
        let loader = LoaderChain::default().and(&known).and(&BuiltIn);
        let context_base = Some(FOLDER.to_owned());
        let mut processor = JsonLdProcessor::new(JsonLdOptions { context_base, ..options }, &loader);
        if !self.dialect.is_empty() {
            processor = processor.with_load_mode(adapt(&document, self.dataset().0).load_mode);
        }
        processor.to_rdf(&document, quads).map_err(|error| Box::new(error.diagnostic()))?;
        Ok(())
    }
}

/// Limits for texts that this program has written, which may be longer than inputs.
fn own_limits() -> Limits {
    Limits { size: u64::MAX, ..Limits::default() }
}

/// The contexts in a sidecar, under the names by which the file and the contexts refer to them.
struct KnownContexts<'c>(&'c RemoteContexts);

impl DocumentLoader for KnownContexts<'_> {
    fn load(&self, url: &str, _options: &LoadDocumentOptions) -> Result<RemoteDocument, LoadError> {
        let is_meant = |name: &str, base: &str| resolve(name, base).as_deref() == Some(url);
        let names = || self.0.keys().map(String::as_str);
        let name = names()
            .find(|&name| name == url || is_meant(name, FOLDER) || names().any(|base| is_meant(name, base)));
        let text = name.and_then(|name| self.0.get(name)).ok_or(LoadError::Unknown)?;
        let document = parse(url, format!("{{\"@context\":{text}}}"), own_limits());
        let document = document.map_err(|fault| LoadError::Unreadable(fault.to_string()))?;
        Ok(RemoteDocument::new(url, Arc::new(document)))
    }
}
