//! Loads each file into its own graph of a store, all or nothing.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::command_sources::named_sources;
use super::dumped_documents::{documents_of, may_be_dump};
use super::new_documents::{digest_of, load_group, source_of};
use super::oversight::WritingProcess;
use crate::input::path_text::{absolute, path_of as address_path};
use crate::input::progress::WorkProgress;
use crate::input::source::InputSource;
use crate::load::checkpoint_pieces::PieceQuestions;
use crate::load::dataset_document::{DatasetDocument, in_datasets};
use crate::load::dataset_names::{DatasetNames, StoredNames};
use crate::load::document::DocumentContent;
use crate::load::document_loading::DocumentLoading;
use crate::load::document_quads::{QuadChanges, QuadRules};
use crate::load::loaded_document_facts::{LoadingChanges, all_changes};
use crate::load::read_session::LoadOptions;
use crate::load::reading_digest::HowRead;
use evalgraph_diagnostics::help::{command, help, setting};
use evalgraph_diagnostics::{
    AlreadyReported, Diagnostic, FindingSeverity, ReportedResult, RunFailure, RunReport, thousands,
};
use evalgraph_rdf::QuadBuffer;
use evalgraph_store::{DocumentBuilder, DocumentEntry, StoreChange, StoreFolder, StoredDocument};
use evalgraph_work::pool::on_all_cores;

/// The settings for loading files into a store.
#[derive(Debug, Clone, Copy, Default)]
pub struct ImportOptions {
    /// `true` to load files again even if the store has them unchanged, or has changed their graphs.
    pub replaces: bool,
    /// `true` to remove graphs whose files no longer exist in the named folders.
    pub prunes: bool,
}

/// The counts of a load, for the summary.
#[derive(Debug, Default)]
struct ImportSummary {
    removed: u64,
    new: u64,
    replaced: u64,
    unchanged: u64,
    quads: u64,
}

/// How many bytes of files form a batch. A batch stays in memory until its quads are written.
const BATCH: u64 = 64 << 20;

/// Files that are being loaded into a store.
pub struct StoreImport<'l> {
    writer: &'l WritingProcess<'l>,
    dataset: Option<&'l str>,
    options: ImportOptions,
    loader: DocumentLoading<'l>,
    how: HowRead<'l>,
    change: StoreChange,
    known: DocumentsByAddress,
    changes: Vec<LoadingChanges>,
    summary: ImportSummary,
    /// The graphs to remove because their files no longer exist.
    gone: HashSet<String>,
}

impl<'l> StoreImport<'l> {
    /// Begins to load files into a store.
    ///
    /// # Errors
    ///
    /// The errors of [`WritingProcess::begin`].
    pub fn begin(
        store: &StoreFolder,
        writer: &'l WritingProcess<'l>,
        loader: DocumentLoading<'l>,
        loading: &'l LoadOptions,
        options: ImportOptions,
    ) -> Result<Self, RunFailure> {
        let change = writer.begin(store)?;
        Ok(Self {
            writer,
            dataset: loading.dataset.as_deref(),
            options,
            how: HowRead::new(&loader.input.reading, loading, loader.session),
            loader,
            known: DocumentsByAddress::from_change(&change),
            change,
            changes: Vec::new(),
            summary: ImportSummary::default(),
            gone: HashSet::new(),
        })
    }

    /// Loads the files that the inputs name, unless the store has them unchanged.
    ///
    /// # Errors
    ///
    /// A file at fault unless `keep_going` is set, and a store that cannot be written.
    pub fn files(&mut self, report: &mut RunReport) -> Result<(), RunFailure> {
        let sources = named_sources(self.loader.input, report)?;
        self.forget_files_that_are_gone(report)?;
        let sources: Vec<InputSource> =
            sources.into_iter().filter(|source| self.is_to_be_read(source, report)).collect();
        self.loader.input.check(report)?;
        self.all(sources, report)?;
        self.loader.input.check(report)
    }

    /// Makes the change.
    ///
    /// # Errors
    ///
    /// The errors of [`WritingProcess::commit`].
    pub fn commit(self, report: &mut RunReport) -> Result<(), RunFailure> {
        let Self { writer, loader, change, changes, summary, .. } = self;
        if !loader.tells_changes {
            report.add_all(&all_changes(changes.into_iter()));
        }
        if summary.new + summary.replaced + summary.removed > 0 {
            writer.commit(change)?;
        }
        report.add(&summary.told(writer.is_dry));
        Ok(())
    }

    /// Loads files batch by batch, so that only a few of them are in memory.
    fn all(&mut self, sources: Vec<InputSource>, report: &mut RunReport) -> Result<(), RunFailure> {
        let stored = names_in(&self.change, &self.gone);
        let mut names = DatasetNames::new(self.dataset, &stored);
        let progress = self.loader.begin(&sources);
        // The questions of records may depend on all records together.
        let mut together = Vec::new();
        for batch in batches(sources, BATCH) {
            let named = self.loader.open_batch(batch, &mut names, &*progress, report);
            let mut whole = Vec::new();
            for named in named {
                if self.check_is_unedited(&named.address, &named.opened.origin.name, report).is_err() {
                    continue;
                }
                if may_be_dump(&named) && self.dumped(&named, &*progress, report)? {
                    continue;
                }
                match &named.opened.content {
                    DocumentContent::Records { .. } => together.push(named),
                    DocumentContent::LargeCheckpoint(_) => self.in_pieces(&named, &*progress, report)?,
                    DocumentContent::Json { .. } | DocumentContent::Large(_) | DocumentContent::Other(_) => {
                        whole.push(vec![named]);
                    }
                }
            }
            self.whole(whole, &*progress, report)?;
        }
        self.whole(in_datasets(together), &*progress, report)
    }

    /// Loads the documents of a dump of a store. Returns `false` if the file is not such a dump.
    fn dumped(
        &mut self,
        named: &DatasetDocument,
        progress: &dyn WorkProgress,
        report: &mut RunReport,
    ) -> Result<bool, RunFailure> {
        let mut quads = QuadBuffer::new();
        let rules = QuadRules::new(QuadChanges::Nothing);
        let mut part = report.part();
        if named.opened.quads_into(rules, self.loader.session, &mut quads, &mut part).is_err() {
            // Reading it as one document reports the faults.
            return Ok(false);
        }
        let name = &named.opened.origin.name;
        let documents = documents_of(&quads, name, report)?;
        if documents.is_empty() {
            return Ok(false);
        }
        for document in documents {
            let (entry, mut quads) = (document.entry.clone(), document.entry.quads);
            self.check_is_unedited(&entry.graph, name, report)
                .or_else(|_| self.loader.input.check(report))?;
            if self.is_written(report) {
                quads = self.change.put(document)?;
            }
            self.count(&entry, quads);
        }
        progress.advance(named.size);
        Ok(true)
    }

    /// Loads groups of documents. A group is one document, or the parts of one dataset.
    fn whole(
        &mut self,
        groups: Vec<Vec<DatasetDocument>>,
        progress: &dyn WorkProgress,
        report: &mut RunReport,
    ) -> Result<(), RunFailure> {
        let loaded = on_all_cores(groups, report, |group, part| {
            let size = group.iter().map(|named| named.size).sum();
            group.iter().for_each(|named| progress.at(&named.opened.origin.name));
            let loaded = load_group(&self.loader, Some(&self.how), group, part);
            progress.advance(size);
            loaded.ok()
        });
        for (loaded, document) in loaded.into_iter().flatten() {
            self.changes.push(loaded.costs.changes);
            let (entry, mut quads) = (document.entry.clone(), document.entry.quads);
            if self.is_written(report) {
                quads = self.change.put(document)?;
            }
            self.count(&entry, quads);
        }
        Ok(())
    }

    /// Loads a checkpoint piece by piece.
    fn in_pieces(
        &mut self,
        named: &DatasetDocument,
        progress: &dyn WorkProgress,
        report: &mut RunReport,
    ) -> Result<(), RunFailure> {
        progress.at(&named.opened.origin.name);
        let time = self.loader.input.clock.now()?;
        let mut source = source_of(named, named.bytes(), time);
        let is_written = self.is_written(report);
        let (mut questions, mut quads, mut fault) = (PieceQuestions::default(), 0, None);
        let mut writer = self.change.document();
        let changes = self.loader.pieces_of(named, report, &mut |mut piece, _| {
            questions.add(piece.questions);
            progress.advance(piece.text.len() as u64);
            if !is_written {
                quads += piece.builder.finish() as u64;
                return Ok(());
            }
            let written = writer.piece(piece.builder).and_then(|()| writer.text(&piece.text));
            // `take` can only report that it failed, so the reason is kept here.
            written.map_err(|found| {
                fault = Some(found);
                AlreadyReported
            })
        });
        if let Some(fault) = fault {
            return Err(fault.into());
        }
        let Ok(changes) = changes else { return Ok(()) };
        source.reading = named.opened.origin.path().map(|path| self.how.reading(path));
        let (graph, dataset) = (named.graph(), named.dataset.clone());
        let entry = DocumentEntry { graph, dataset, quads: 0, source: Some(source), is_edited: false };
        if is_written {
            quads = writer.finish_with(entry.clone(), |triples| {
                let mut file = DocumentBuilder::new();
                named.catalog_file(questions.count(), time, triples, &mut file);
                Some(file)
            })?;
        }
        self.changes.push(changes);
        self.count(&entry, quads);
        Ok(())
    }

    /// Removes the graphs of files that no longer exist in the named folders, if requested. Otherwise reports such
    /// files.
    fn forget_files_that_are_gone(&mut self, report: &mut RunReport) -> Result<(), RunFailure> {
        let folders = self.loader.input.inputs.iter().map(Path::new).filter(|path| path.is_dir());
        let folders: Vec<PathBuf> = folders.map(|path| address_path(&absolute(path))).collect();
        let is_gone = |document: &&StoredDocument| {
            let path = document.entry.source.as_ref().map(|source| address_path(&source.path));
            path.is_some_and(|path| folders.iter().any(|folder| path.starts_with(folder)) && !path.exists())
        };
        let gone: Vec<DocumentEntry> =
            self.change.documents().iter().filter(is_gone).map(|document| document.entry.clone()).collect();
        if !self.options.prunes {
            report.add_all(&gone_files(&gone));
            return Ok(());
        }
        for entry in gone {
            let path = entry.source.as_ref().map(|source| source.path.as_str()).unwrap_or_default();
            if entry.is_edited && !self.options.replaces {
                let graph = &entry.graph;
                let message =
                    format!("`{path}` is gone, and its graph `{graph}` was changed since it was loaded");
                let fault = Diagnostic::error("store::edited", message);
                return Err(fault
                    .with_help(help![setting("replace"), " removes it and loses these changes"])
                    .into());
            }
            let message = format!("`{path}` is gone: its graph is removed, too");
            report.add(&Diagnostic::new(FindingSeverity::Note, "store::pruned", message));
            self.change.remove(&entry.graph);
            self.summary.removed += 1;
            self.gone.insert(entry.graph);
        }
        Ok(())
    }

    /// Returns whether loaded documents are written to the store: not in a dry run, and not after a failure.
    fn is_written(&self, report: &RunReport) -> bool {
        !self.writer.is_dry && self.loader.input.check(report).is_ok()
    }

    /// Counts a loaded document, and removes the former document of the same file.
    fn count(&mut self, entry: &DocumentEntry, quads: u64) {
        let address = entry.source.as_ref().map_or(entry.graph.as_str(), |source| source.path.as_str());
        match self.known.document(&self.change, address) {
            Some(known) => {
                if known.entry.graph != entry.graph {
                    let graph = known.entry.graph.clone();
                    self.change.remove(&graph);
                }
                self.summary.replaced += 1;
            }
            None => self.summary.new += 1,
        }
        self.summary.quads += quads;
    }

    /// Returns whether a file has to be read. It does not if loading it would change nothing in the store.
    fn is_to_be_read(&mut self, source: &InputSource, report: &mut RunReport) -> bool {
        let Some(path) = path_of(source) else { return true };
        let address = absolute(path);
        if self.check_is_unedited(&address, &source.name(), report).is_err() {
            return false;
        }
        let Some(known) = self.known.document(&self.change, &address) else { return true };
        let Some(source) = known.entry.source.as_ref().filter(|_| !self.options.replaces) else {
            return true;
        };
        let is_same = digest_of(path).as_ref() == Some(&source.sha256)
            && source.reading.as_ref().is_some_and(|reading| self.how.is_as_before(path, reading));
        if is_same {
            self.summary.unchanged += 1;
        }
        !is_same
    }

    /// Checks that loading a document does not discard changes of its graph in the store.
    fn check_is_unedited(&self, address: &str, name: &str, report: &mut RunReport) -> ReportedResult<()> {
        let is_edited = |known: &&StoredDocument| known.entry.is_edited && !self.options.replaces;
        let Some(known) = self.known.document(&self.change, address).filter(is_edited) else { return Ok(()) };
        let graph = &known.entry.graph;
        let message = format!("`{name}` was loaded before, and its graph `{graph}` was changed since");
        let fault = Diagnostic::error("store::edited", message).with_help(help![
            setting("replace"),
            " loads the file and loses these changes; ",
            command("convert").with(setting("to").to("same")),
            " writes them to a file first"
        ]);
        Err(report.reported([&fault]))
    }
}

/// The documents of the store, by the addresses that they were read from, and by their graphs.
struct DocumentsByAddress(HashMap<String, usize>);

impl DocumentsByAddress {
    fn from_change(change: &StoreChange) -> Self {
        let mut known = HashMap::new();
        for (place, document) in change.documents().iter().enumerate() {
            if let Some(source) = &document.entry.source {
                known.entry(source.path.clone()).or_insert(place);
            }
            known.entry(document.entry.graph.clone()).or_insert(place);
        }
        Self(known)
    }

    fn document<'c>(&self, change: &'c StoreChange, address: &str) -> Option<&'c StoredDocument> {
        change.documents().get(*self.0.get(address)?)
    }
}

/// Groups files into batches of so many bytes: many small files, or a single large one.
pub(crate) fn batches(sources: Vec<InputSource>, bytes: u64) -> Vec<Vec<InputSource>> {
    let mut batches: Vec<Vec<InputSource>> = Vec::new();
    let mut room = 0;
    for source in sources {
        let size = source.size();
        match batches.last_mut() {
            Some(batch) if size <= room => batch.push(source),
            _ => {
                batches.push(vec![source]);
                room = bytes;
            }
        }
        room = room.saturating_sub(size);
    }
    batches
}

fn path_of(source: &InputSource) -> Option<&Path> {
    match source {
        InputSource::File(path) | InputSource::Part(path, _) => Some(path),
        InputSource::Stdin | InputSource::Url(_) | InputSource::Stored(_) => None,
    }
}

/// Returns a finding about graphs that stay although their files no longer exist.
fn gone_files(gone: &[DocumentEntry]) -> Option<Diagnostic> {
    let path = &gone.first()?.source.as_ref()?.path;
    let message = match gone.len() {
        1 => format!("`{path}` is gone, and its graph stays"),
        count => format!("{count} files are gone, and their graphs stay, the first of them `{path}`"),
    };
    Some(Diagnostic::warning("store::gone", message).with_help(help![setting("prune"), " removes them"]))
}

/// Returns the names that are taken, and the names that files have.
fn names_in(change: &StoreChange, gone: &HashSet<String>) -> StoredNames {
    let mut names = StoredNames { taken: HashSet::new(), of_paths: HashMap::new() };
    for document in change.documents().iter().filter(|document| !gone.contains(&document.entry.graph)) {
        let entry = &document.entry;
        names.taken.insert(entry.dataset.clone());
        if let Some(source) = &entry.source {
            names.of_paths.insert(source.path.clone(), entry.dataset.clone());
        }
    }
    names
}

impl ImportSummary {
    fn told(&self, is_dry: bool) -> Diagnostic {
        let counted = |count: u64, what: &str| (count > 0).then(|| format!("{} {what}", thousands(count)));
        let parts = [
            counted(self.new, "new"),
            counted(self.replaced, "replaced"),
            counted(self.unchanged, "unchanged"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let parts = if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") };
        let verb = if is_dry { "would load" } else { "loaded" };
        let mut message = format!("{verb} {parts}: {} quads", thousands(self.quads));
        if self.removed > 0 {
            let verb = if is_dry { "would remove" } else { "removed" };
            message.push_str(&format!("; {verb} {}", thousands(self.removed)));
        }
        Diagnostic::new(FindingSeverity::Note, "store::loaded", message)
    }
}
