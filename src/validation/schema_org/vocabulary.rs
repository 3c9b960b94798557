//! The vocabulary in a file.

use std::path::Path;

use crate::diagnostic::{Failure, Report, SourceText};
use crate::input::options::Inputs;
use crate::input::source::InputSource;
use crate::json::decode;
use crate::load::json_ld::JsonLd;
use crate::load::loader::Loader;
use crate::schema_org::Vocabulary;
use crate::store::Dataset;

/// Reads a vocabulary: its table, or a release in any form of RDF.
///
/// # Errors
///
/// Where the file cannot be read, and where it has no vocabulary.
#[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "the command line alone asks for it"))]
pub(crate) fn read_vocabulary(
    path: &Path,
    input: &Inputs,
    json_ld: &JsonLd,
    report: &mut Report,
) -> Result<Vocabulary, Failure> {
    let source = InputSource::File(path.to_owned());
    let read = json_ld.read(&source)?;
    let name = read.origin.name.as_str();
    if read.bytes.starts_with(b"kind\t") || path.extension().is_some_and(|extension| extension == "tsv") {
        let text = decode(name, read.bytes)?;
        return Vocabulary::from_table(name, &text).map_err(|faults| report.ended_by(&faults));
    }
    let loader = Loader::new(input, json_ld, true, false);
    let document = loader.document(&source, report).ok_or(Failure::Reported)?;
    let vocabulary = Vocabulary::from_dataset(&Dataset::from_documents(vec![document]));
    Ok(vocabulary.map_err(|fault| fault.at(SourceText::new(name, b"").place(0..0)))?)
}
