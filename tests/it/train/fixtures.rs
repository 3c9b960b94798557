//! The fixtures of train.json, and corpora read from folders, for the tests of that system.

use crate::karenina::fixtures::path;
use evalgraph::json::{JsonDocument, Limits, parse};
use evalgraph::source::corpus::{Corpus, CorpusFile};
use std::fs;
use std::path::Path;

/// A parsed text, named `train.json`.
pub(crate) fn document(text: &str) -> JsonDocument {
    parse("train.json", text.to_owned(), Limits::default()).expect("well-formed JSON")
}

/// The text of a fixture.
pub(crate) fn text(name: &str) -> String {
    fs::read_to_string(path("train").join(name)).expect("the fixture is there")
}

/// What lies in a folder of the fixtures, its paths from there.
pub(crate) fn corpus(name: &str) -> Corpus {
    let root = path("train").join(name);
    let mut files = Vec::new();
    collect(&root, &root, &mut files);
    Corpus::new(files)
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<CorpusFile>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            collect(root, &path, files);
            continue;
        }
        let bytes = fs::read(&path).expect("the file can be read");
        let name = path.file_name().expect("it has a name").as_encoded_bytes().to_vec();
        files.push(CorpusFile {
            path: path.strip_prefix(root).expect("it is below").display().to_string(),
            name,
            size: bytes.len() as u64,
            head: bytes[..bytes.len().min(CorpusFile::HEAD)].to_vec(),
        });
    }
}
