//! The contexts that were read for each file.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest, Sha256};

use evalgraph_contexts::BuiltIn;
use evalgraph_formats::catalog::hexadecimal;
use evalgraph_jsonld::{DocumentLoader, LoadDocumentOptions, LoadError, RemoteDocument};

/// The digest of every built-in context. Such a context changes only with the program.
const BUILT_IN: &str = "built in";

/// The contexts that were read for each file, and their digests.
#[derive(Debug, Default)]
pub struct ContextsRead(Mutex<HashMap<PathBuf, BTreeMap<String, String>>>);

impl ContextsRead {
    /// Returns a loader that notes the contexts that another loader reads for a file.
    pub fn noting<'n>(&'n self, file: &'n Path, loader: &'n dyn DocumentLoader) -> ContextNotingLoader<'n> {
        ContextNotingLoader { read: self, file, loader }
    }

    /// Removes and returns the contexts that were read for a file.
    pub fn take(&self, file: &Path) -> BTreeMap<String, String> {
        let mut read = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        read.remove(file).unwrap_or_default()
    }
}

/// A loader that notes the contexts it reads.
pub struct ContextNotingLoader<'n> {
    read: &'n ContextsRead,
    file: &'n Path,
    loader: &'n dyn DocumentLoader,
}

impl DocumentLoader for ContextNotingLoader<'_> {
    fn load(&self, url: &str, options: &LoadDocumentOptions) -> Result<RemoteDocument, LoadError> {
        let loaded = self.loader.load(url, options)?;
        let digest = digest_of(url, &loaded);
        let mut read = self.read.0.lock().unwrap_or_else(PoisonError::into_inner);
        read.entry(self.file.to_owned()).or_default().insert(url.to_owned(), digest);
        Ok(loaded)
    }
}

/// Returns the digest of a context as it was loaded.
pub(crate) fn digest_of(url: &str, loaded: &RemoteDocument) -> String {
    let built_in = BuiltIn.load(url, &LoadDocumentOptions::default());
    if built_in.is_ok_and(|built_in| Arc::ptr_eq(&built_in.document, &loaded.document)) {
        return BUILT_IN.to_owned();
    }
    let mut digest = Sha256::new();
    digest.update(loaded.document.text());
    // The same text from another URL may have another base.
    for part in [Some(&loaded.document_url), loaded.context_url.as_ref(), loaded.base_href.as_ref()] {
        digest.update([0]);
        digest.update(part.map(String::as_str).unwrap_or_default());
    }
    hexadecimal(&digest.finalize())
}
