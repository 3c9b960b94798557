//! Makes documents of the store from files: their graphs, the facts about the file, and the kept text.

use std::collections::HashMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};

use crate::input::files_read::FilesRead;
use crate::input::source::InputSource;
use crate::load::dataset_document::DatasetDocument;
use crate::load::document_loading::DocumentLoading;
use crate::load::loaded_document_facts::LoadedDocumentFacts;
use crate::load::reading_digest::HowRead;
use evalgraph_diagnostics::{Diagnostic, ReportedResult, RunReport};
use evalgraph_formats::catalog::{hexadecimal, sha256};
use evalgraph_store::{CompressedText, DocumentEntry, DocumentSource, NewDocument};

/// Returns the SHA-256 of the decompressed content of a file, or `None` if the file cannot be read, which a later
/// reading reports.
pub fn digest_of(path: &Path) -> Option<String> {
    let mut bytes = InputSource::File(path.to_owned()).begin(&FilesRead::default()).ok()?.into_bytes();
    let mut digest = Sha256::new();
    let mut chunk = vec![0; 1 << 16];
    loop {
        match bytes.read(&mut chunk).ok()? {
            0 => return Some(hexadecimal(&digest.finalize())),
            length => digest.update(&chunk[..length]),
        }
    }
}

/// Loads one document, or the parts of one dataset, and notes how files were read.
///
/// # Errors
///
/// If the time of the run is invalid, or if a text cannot be compressed; both are reported.
pub fn load_group(
    loader: &DocumentLoading<'_>,
    how: Option<&HowRead<'_>>,
    group: Vec<DatasetDocument>,
    report: &mut RunReport,
) -> ReportedResult<Vec<(LoadedDocumentFacts, NewDocument)>> {
    let time = loader.input.clock.now_or_report(report)?;
    let mut sources: HashMap<String, (DocumentSource, CompressedText)> = HashMap::new();
    let mut paths: HashMap<String, PathBuf> = HashMap::new();
    for named in &group {
        let text = named.text();
        let source = source_of(named, text.len() as u64, time);
        let kept = CompressedText::from_text(&text)
            .map_err(|error| report.reported([&not_compressed(&named.opened.origin.name, &error)]))?;
        sources.insert(named.graph(), (source, kept));
        paths.extend(named.opened.origin.path().map(|path| (named.graph(), path.to_owned())));
    }
    let loaded = loader.load_with_catalog(group, report).into_iter().map(|(loaded, document)| {
        let (mut source, text) = sources.remove(&document.graph).unzip();
        if let (Some(source), Some(how), Some(path)) = (&mut source, how, paths.get(&document.graph)) {
            source.reading = Some(how.reading(path));
        }
        let (graph, dataset) = (document.graph, loaded.dataset.clone());
        let entry = DocumentEntry { graph, dataset, quads: loaded.quads, source, is_edited: false };
        (loaded, NewDocument { entry, builder: document.builder, source: text })
    });
    Ok(loaded.collect())
}

/// Returns the facts about the file that a document is read from.
pub fn source_of(named: &DatasetDocument, bytes: u64, time: DateTime<Utc>) -> DocumentSource {
    let path = named.address.clone();
    // The digest of the file, or of its text if the file can no longer be read.
    let of_file = || named.opened.origin.path().and_then(digest_of);
    let digest = || of_file().unwrap_or_else(|| sha256(&named.text()));
    DocumentSource {
        sha256: named.opened.sha256.clone().unwrap_or_else(digest),
        bytes,
        loaded: time.to_rfc3339_opts(chrono::SecondsFormat::Secs, true),
        kind: named.kind(),
        path,
        reading: None,
    }
}

fn not_compressed(name: &str, error: &std::io::Error) -> Diagnostic {
    Diagnostic::error("store::io", format!("the text of `{name}` cannot be compressed: {error}"))
}
