//! The corpora of the datasets that a conversion reads. Their files go into the corpus of the dataset that it writes,
//! each under its own name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::input::corpus::corpus_beside;
use crate::input::same_bytes::have_same_bytes;
use crate::input::source::{InputSource, unreadable};
use evalgraph_diagnostics::{Diagnostic, RunFailure, SourceText};
use evalgraph_formats::corpus::CORPUS;
use evalgraph_formats::writing::{CopiedFile, OldCorpus};

/// The files of all corpora.
#[derive(Debug, Default)]
pub(super) struct InputCorpora {
    /// The files by their paths below `corpus/`.
    files: BTreeMap<String, PathBuf>,
    /// What the writer has to know about them.
    pub(super) known: OldCorpus,
}

impl InputCorpora {
    /// Collects the corpora beside the sources that are rows files.
    ///
    /// # Errors
    ///
    /// `input::unreadable` for a file that cannot be read; and `convert::corpus` if two datasets have different files
    /// with the same name, because rows identify a file by its name.
    pub(super) fn beside(sources: &[InputSource]) -> Result<Self, RunFailure> {
        let mut corpora = Self::default();
        let mut owners: BTreeMap<String, PathBuf> = BTreeMap::new();
        for rows in sources.iter().filter_map(InputSource::path) {
            let Some(corpus) = corpus_beside(rows)? else { continue };
            let folder = rows.with_file_name(CORPUS);
            for file in corpus.files() {
                let from = PathBuf::from(&file.path);
                let below = from.strip_prefix(&folder).unwrap_or(&from).to_string_lossy().into_owned();
                let name = String::from_utf8_lossy(&file.name).into_owned();
                let other = owners.get(&name).filter(|other| !other.starts_with(&folder));
                if let Some(other) = other {
                    let unreadable = |error| Box::new(unreadable(&file.path, &error));
                    if !have_same_bytes(other, &from).map_err(unreadable)? {
                        return Err(two_of_one_name(&name, other, &from));
                    }
                    continue;
                }
                owners.insert(name.clone(), from.clone());
                corpora.known.names.insert(name);
                corpora.files.insert(below, from);
            }
        }
        corpora.known.count = corpora.files.len();
        Ok(corpora)
    }

    /// Returns the files with their paths in the folder of the dataset.
    pub(super) fn into_copies(self) -> Vec<CopiedFile> {
        let copy = |(below, from)| CopiedFile { path: format!("{CORPUS}/{below}"), from };
        self.files.into_iter().map(copy).collect()
    }
}

fn two_of_one_name(name: &str, one: &Path, other: &Path) -> RunFailure {
    let message = format!("two datasets have a file `{name}` in their corpus, and the files differ");
    let place = |path: &Path| SourceText::new(path.display().to_string(), b"").place(0..0);
    let fault = Diagnostic::error("convert::corpus", message).at(place(other));
    let fault = fault.with_related(place(one), "the first one");
    fault
        .with_help("rename one of them, and its `filename` in the rows; or convert the datasets separately")
        .into()
}
