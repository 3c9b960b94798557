//! The context with which a checkpoint complies with schema.org, where a document is a checkpoint.

use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::help::{command, help};
use evalgraph_formats::karenina::CheckpointSurvey;
use evalgraph_json::JsonDocument;
use evalgraph_schema_org::SchemaOrgVocabulary;

/// A context document with which a checkpoint complies with schema.org, in the place of its own context.
///
/// What no context can mend stays: ids that are not IRIs, and texts in the place of nodes.
///
/// # Errors
///
/// `schema-org::fix-context` where the document is not a checkpoint in JSON-LD.
pub fn complying_context(
    document: &JsonDocument,
    vocabulary: &SchemaOrgVocabulary,
) -> Result<String, Box<Diagnostic>> {
    let root = if document.is_array(document.root()) {
        document.items(document.root()).next()
    } else {
        Some(document.root())
    };
    let dialect = CheckpointSurvey::from_document(document).detect().dialect;
    let Some(root) = root.filter(|_| dialect.is_checkpoint()) else {
        let place = document.place(document.root());
        if dialect.is_version_2() {
            let message = "a checkpoint of version 2.0 is not JSON-LD, and has no context";
            let fault = Diagnostic::error("schema-org::fix-context", message).at(place);
            return Err(Box::new(fault.with_help(help![command("convert"), " writes it as JSON-LD"])));
        }
        let message = "the document is not a checkpoint of Karenina; for other documents it is not known which terms of schema.org fit";
        return Err(Box::new(Diagnostic::error("schema-org::fix-context", message).at(place)));
    };
    Ok(evalgraph_schema_org::complying_context(document, root, vocabulary))
}
