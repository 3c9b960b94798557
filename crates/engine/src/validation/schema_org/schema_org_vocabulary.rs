//! Reads a schema.org vocabulary from a file: a table of terms, or a release in any RDF format.

use crate::input::find::file_sources;
use crate::input::input_options::{IriOptions, ReadingOptions, RunInputs};
use crate::input::source::BegunInput;
use crate::input::syntax::RecordSyntax;
use crate::load::dataset_names::{DatasetNames, StoredNames};
use crate::load::document::Document;
use crate::load::document_loading::DocumentLoading;
use crate::load::read_session::{JsonLdSettings, ReadSession};
use evalgraph_diagnostics::{Diagnostic, ReportedResult, RunFailure, RunReport, SourceText};
use evalgraph_json::decode;
use evalgraph_schema_org::SchemaOrgVocabulary;
use evalgraph_store::{Dataset, DocumentBuilder, NamedDocument};

/// Reads the vocabulary in a file.
///
/// # Errors
///
/// Fails if the file cannot be read, is not a valid table, or describes no term. Faults with places are reported.
pub fn read_vocabulary(
    file: &str,
    reading: &ReadingOptions,
    iris: &IriOptions,
    report: &mut RunReport,
) -> Result<SchemaOrgVocabulary, RunFailure> {
    let sources = file_sources(&[file.to_owned()], report)?;
    let [source] = &sources[..] else {
        let message = format!("a vocabulary must be one file, but `{file}` is {}", sources.len());
        return Err(Diagnostic::error("input::several", message).into());
    };
    let session = ReadSession::new(iris, &JsonLdSettings::default(), reading)?;
    let begun = session.remote.begin(source)?;
    let is_named_table = RecordSyntax::from_file_name(&begun.origin.name) == Some(RecordSyntax::Csv);
    match is_named_table || SchemaOrgVocabulary::is_table(&begun.head) {
        true => table(begun, &session, report),
        false => Ok(release(begun, &session, report)?),
    }
}

fn table(
    begun: BegunInput,
    session: &ReadSession,
    report: &mut RunReport,
) -> Result<SchemaOrgVocabulary, RunFailure> {
    let input = session.read_rest(begun)?;
    let text = decode(&input.origin.name, input.bytes)?;
    SchemaOrgVocabulary::from_table(&input.origin.name, &text)
        .map_err(|faults| report.reported(&faults).into())
}

/// Loads a release plainly, since its terms are recognised by its original namespace. A fault is reported.
fn release(
    begun: BegunInput,
    session: &ReadSession,
    report: &mut RunReport,
) -> ReportedResult<SchemaOrgVocabulary> {
    let opened = Document::read_begun(begun, session, report)?;
    let named = DatasetNames::new(None, &StoredNames::default()).name(opened, 0, report);
    let inputs = RunInputs { reading: session.reading.clone(), ..RunInputs::default() };
    let mut builder = DocumentBuilder::new();
    DocumentLoading::new(&inputs, session, true, false).fill(&named, &mut builder, report)?;
    let dataset = Dataset::from_documents(vec![NamedDocument { graph: named.graph(), builder }]);
    let file = SourceText::new(named.opened.origin.name.as_str(), b"").place(0..0);
    report.ok_or_report(SchemaOrgVocabulary::from_dataset(&dataset).map_err(|fault| Box::new(fault.at(file))))
}
