//! Everything besides the file that the graph of a loaded file depends on: options, the contexts that were read, the
//! corpus beside rows. The store keeps a digest of it with the document. A file is skipped only if loading it again
//! would yield the same graph.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::contexts_read::digest_of;
use super::read_session::{LoadOptions, ReadSession};
use crate::input::corpus::corpus_beside;
use crate::input::input_options::ReadingOptions;
use crate::input::origin::DocumentOrigin;
use crate::input::path_text::shown;
use evalgraph_formats::catalog::{hexadecimal, sha256};
use evalgraph_formats::corpus::CorpusFile;
use evalgraph_jsonld::LoadDocumentOptions;
use evalgraph_store::ReadingConditions;

/// The key of the corpus beside rows. No URL equals it.
const CORPUS: &str = "corpus";

/// How the files of one load are read.
pub struct HowRead<'l> {
    session: &'l ReadSession,
    options: String,
    /// Digests of contexts that were read again, by folder and URL.
    known: HashMap<(PathBuf, String), Option<String>>,
}

impl<'l> HowRead<'l> {
    pub(crate) fn new(reading: &ReadingOptions, loading: &LoadOptions, session: &'l ReadSession) -> Self {
        Self { session, options: options_digest(reading, loading, session), known: HashMap::new() }
    }

    /// Returns the digests that the graph of a newly loaded file depends on.
    pub fn reading(&self, file: &Path) -> ReadingConditions {
        let mut beside = self.session.contexts_read.as_ref().map(|read| read.take(file)).unwrap_or_default();
        if let Some(corpus) = corpus_digest(file) {
            beside.insert(CORPUS.to_owned(), corpus);
        }
        ReadingConditions { options: self.options.clone(), beside }
    }

    /// Returns whether a file would now be read under the same conditions as before.
    pub fn is_as_before(&mut self, file: &Path, reading: &ReadingConditions) -> bool {
        let corpus = reading.beside.get(CORPUS);
        let mut contexts = reading.beside.iter().filter(|(url, _)| *url != CORPUS);
        reading.options == self.options
            && corpus_digest(file).as_ref() == corpus
            && contexts.all(|(url, digest)| self.context(file, url).as_ref() == Some(digest))
    }

    /// Returns the digest of a context as a file would read it now, or `None` if it cannot be read.
    fn context(&mut self, file: &Path, url: &str) -> Option<String> {
        let session = self.session;
        let folder = file.parent().map(Path::to_owned).unwrap_or_default();
        let origin = DocumentOrigin { path: Some(file.to_owned()), ..DocumentOrigin::default() };
        let ask = || {
            session.with_loader(&origin, |loader, _| {
                let loaded = loader.load(url, &LoadDocumentOptions::for_context()).ok()?;
                Some(digest_of(url, &loaded))
            })
        };
        self.known.entry((folder, url.to_owned())).or_insert_with(ask).clone()
    }
}

/// Returns the digest of all options that a graph depends on. It includes the program's version, because versions may
/// differ.
fn options_digest(reading: &ReadingOptions, loading: &LoadOptions, session: &ReadSession) -> String {
    let context = session.options.expand_context.as_ref().map(|context| sha256(context.text().as_bytes()));
    let of_reading = (
        &reading.from,
        &reading.content_type,
        &reading.encoding,
        &reading.rows.columns,
        &reading.rows.preset.map(|preset| preset.name),
        &reading.rows.separator,
        &reading.rows.sheet,
        &reading.record,
    );
    let of_json_ld =
        (&loading.json_ld.processing_mode, &loading.json_ld.ordered, &loading.json_ld.extract_all_scripts);
    let of_names = (&loading.plain, &loading.dataset, &loading.iris.base, &loading.iris.document_url);
    let all = (env!("CARGO_PKG_VERSION"), context, of_reading, of_json_ld, of_names);
    sha256(format!("{all:?}").as_bytes())
}

/// Returns the digest of the names, sizes and beginnings of the documents beside rows, or `None` if there is no corpus.
fn corpus_digest(rows: &Path) -> Option<String> {
    // A corpus that cannot be read is reported when the rows are loaded.
    let corpus = corpus_beside(rows).ok()??;
    let folder = rows.parent().unwrap_or(Path::new(""));
    let below = |file: &CorpusFile| Path::new(&file.path).strip_prefix(folder).map(shown).unwrap_or_default();
    let mut files: Vec<(String, &CorpusFile)> =
        corpus.files().iter().map(|file| (below(file), file)).collect();
    files.sort_by(|left, right| (&left.0, &left.1.name).cmp(&(&right.0, &right.1.name)));
    let mut digest = Sha256::new();
    for (path, file) in files {
        digest.update(format!("{path}\0{}\0", file.size));
        digest.update(&file.name);
        digest.update([0]);
        digest.update(Sha256::digest(&file.head));
    }
    Some(hexadecimal(&digest.finalize()))
}
