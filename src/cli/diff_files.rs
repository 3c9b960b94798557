//! The two sides of `diff`: the files that each argument names, and the pairs that they form.

use std::path::Path;

use evalgraph_diagnostics::RunReport;
use evalgraph_engine::input::find::{find_parts, find_sources};
use evalgraph_engine::input::guard::has_keywords;
use evalgraph_engine::input::path_text::shown;
use evalgraph_engine::load::dataset_document::DatasetDocument;
use evalgraph_engine::load::dataset_names::{DatasetNames, StoredNames};
use evalgraph_engine::load::document::{Document, DocumentContent};
use evalgraph_engine::load::read_session::ReadSession;
use evalgraph_formats::checkpoint::{CheckpointDialect, ContextForm};
use evalgraph_formats::records::comparison::ComparedRecordFile;

/// A file of both sides, or of only one.
pub(super) struct FilePair {
    pub(super) before: Option<DatasetDocument>,
    pub(super) after: Option<DatasetDocument>,
}

/// The kind of comparison that fits a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileComparisonKind {
    Checkpoint,
    Records,
    Other,
}

/// Returns the kind of comparison that fits a file.
fn sort_of(named: &DatasetDocument) -> FileComparisonKind {
    match &named.opened.content {
        DocumentContent::Json { detection, .. }
            if !matches!(detection.dialect, CheckpointDialect::None | CheckpointDialect::ResultsExport) =>
        {
            FileComparisonKind::Checkpoint
        }
        _ if records_of(named).is_some() => FileComparisonKind::Records,
        _ => FileComparisonKind::Other,
    }
}

/// Returns the records of a file that is compared by record: a file of a system, or JSON that is not JSON-LD.
pub(super) fn records_of(named: &DatasetDocument) -> Option<ComparedRecordFile<'_>> {
    match &named.opened.content {
        DocumentContent::Records { file, recognised, .. } => {
            Some(ComparedRecordFile { document: file, shape: recognised.shape })
        }
        DocumentContent::Json { file, survey, detection, .. }
            if detection.dialect == CheckpointDialect::None
                && survey.marks.context == ContextForm::Absent
                && !has_keywords(file) =>
        {
            Some(ComparedRecordFile::plain(file))
        }
        _ => None,
    }
}

/// Returns whether a file belongs to a system.
pub(super) fn is_of_system(named: &DatasetDocument) -> bool {
    matches!(named.opened.content, DocumentContent::Records { .. })
}

impl FilePair {
    /// Returns the kind of comparison that fits both files. This is [`FileComparisonKind::Other`] if there is only one
    /// file or the kinds differ.
    pub(super) fn sort(&self) -> FileComparisonKind {
        let sort = |side: &Option<DatasetDocument>| side.as_ref().map(sort_of);
        match (sort(&self.before), sort(&self.after)) {
            (Some(before), Some(after)) if before == after => before,
            _ => FileComparisonKind::Other,
        }
    }

    /// Returns both files if they are compared by record. A file of unknown format is read in the format of the other.
    pub(super) fn records(&self) -> Option<(ComparedRecordFile<'_>, ComparedRecordFile<'_>)> {
        let (before, after) = (self.before.as_ref()?, self.after.as_ref()?);
        let (left, right) = (records_of(before)?, records_of(after)?);
        let shape = |own: ComparedRecordFile<'_>, named, other: ComparedRecordFile<'_>| {
            if is_of_system(named) { own.shape } else { other.shape }
        };
        let shapes = (shape(left, before, right), shape(right, after, left));
        Some((
            ComparedRecordFile { shape: shapes.0, ..left },
            ComparedRecordFile { shape: shapes.1, ..right },
        ))
    }

    pub(super) fn has_records(&self) -> bool {
        [&self.before, &self.after]
            .into_iter()
            .flatten()
            .any(|named| sort_of(named) == FileComparisonKind::Records)
    }
}

/// Opens all files that an argument names. Faults are reported.
pub(super) fn open_all(argument: &str, session: &ReadSession, report: &mut RunReport) -> Vec<Document> {
    let (mut sources, faults) = find_sources(&[argument.to_owned()]);
    find_parts(&mut sources);
    report.add_all(&faults);
    sources.iter().filter_map(|source| Document::read(source, session, report).ok()).collect()
}

/// Pairs the files of two sides. Two single files always form a pair; several files are paired by their paths below the
/// folders. Both files of a pair belong to one dataset, which is named after the first file.
pub(super) fn paired(a: &str, before: Vec<Document>, b: &str, after: Vec<Document>) -> Vec<FilePair> {
    let is_one = before.len() == 1 && after.len() == 1;
    let mut after: Vec<(String, Option<Document>)> =
        after.into_iter().map(|opened| (path_below(b, &opened), Some(opened))).collect();
    let stored = StoredNames::default();
    let mut names = DatasetNames::new(None, &stored);
    // Findings about the names of datasets do not concern a comparison.
    let mut ignored = RunReport::default();
    let mut pairs = Vec::new();
    for opened in before {
        let path = path_below(a, &opened);
        let partner = after.iter_mut().find(|(other, opened)| opened.is_some() && (is_one || *other == path));
        let partner = partner.and_then(|(_, partner)| partner.take());
        let before = names.name(opened, 0, &mut ignored);
        let after = partner.map(|opened| DatasetDocument {
            opened,
            address: before.address.clone(),
            dataset: before.dataset.clone(),
            part: before.part.clone(),
            size: 0,
        });
        pairs.push(FilePair { before: Some(before), after });
    }
    for opened in after.into_iter().filter_map(|(_, opened)| opened) {
        pairs.push(FilePair { before: None, after: Some(names.name(opened, 0, &mut ignored)) });
    }
    pairs
}

/// Returns the path of a file below the folder that the argument names, or else the name of the file.
fn path_below(argument: &str, opened: &Document) -> String {
    let path = opened.origin.path();
    let below = path.and_then(|path| path.strip_prefix(Path::new(argument)).ok());
    match below.filter(|below| !below.as_os_str().is_empty()) {
        Some(below) => shown(below),
        None => opened.origin.file_name().unwrap_or_default(),
    }
}
