//! The fixtures, for the tests of Karenina's files.

use evalgraph::json::{JsonDocument, Limits, parse};
use evalgraph::source::checkpoint::checkpoint_figures::CheckpointFigures;
use evalgraph::source::checkpoint::{CheckpointSurvey, version_2_json_ld};
use std::path::{Path, PathBuf};

/// The path of a fixture.
pub(crate) fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

/// A parsed text.
pub(crate) fn document(text: &str) -> JsonDocument {
    parse("test.jsonld", text.to_owned(), Limits::default()).expect("well-formed JSON")
}

/// A parsed fixture.
pub(crate) fn fixture(name: &str) -> JsonDocument {
    let text = std::fs::read_to_string(path(name)).expect("the fixture is there");
    parse(name, text, Limits::default()).expect("fixtures are well-formed JSON")
}

/// The figures of a document as `stats` shows them: of version 2.0 those of its graph.
pub(crate) fn figures(document: &JsonDocument) -> CheckpointFigures {
    let dialect = CheckpointSurvey::from_document(document).detect().dialect;
    let as_json_ld = version_2_json_ld::as_json_ld(document);
    let as_json_ld = as_json_ld.map(|made| made.expect("the fixtures are without fault").0);
    let counted = as_json_ld.as_ref().unwrap_or(document);
    CheckpointFigures {
        dialect,
        ..CheckpointFigures::from_document(counted, &CheckpointSurvey::from_document(counted))
    }
}

/// Every file in a folder of fixtures, as `folder/file`, sorted.
pub(crate) fn fixtures_in(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(path(folder)).expect("the folder is there");
    let names = entries.map(|entry| entry.expect("the folder can be read").file_name());
    let mut names: Vec<String> = names.map(|name| format!("{folder}/{}", name.display())).collect();
    names.sort();
    names
}
