//! The context that makes a checkpoint comply with schema.org.

use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::help::{command, help};
use evalgraph_formats::checkpoint::CheckpointSurvey;
use evalgraph_json::JsonDocument;
use evalgraph_schema_org::SchemaOrgVocabulary;

/// Returns a context document that makes a checkpoint comply with schema.org when it replaces the checkpoint's own
/// context.
///
/// Some faults remain because no context can fix them: ids that are not IRIs, and strings where nodes are expected.
///
/// # Errors
///
/// `schema-org::fix-context` if the document is not a JSON-LD checkpoint.
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
        let message = "the document is not a Karenina checkpoint; which terms of schema.org fit other \
            documents is not known";
        return Err(Box::new(Diagnostic::error("schema-org::fix-context", message).at(place)));
    };
    Ok(evalgraph_schema_org::complying_context(document, root, vocabulary))
}
