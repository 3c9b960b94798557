//! Operations of the JSON-LD API on files.
//!
//! `Loader` is defined in `file_loader.rs`.

use super::error::Error;
use super::file_loader::Loader;
use crate::load::json_ld_operation::JsonLdOperation;
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport};
use evalgraph_jsonld::JsonLdLayout;

impl Loader {
    /// Runs an operation of the JSON-LD API on one document, exactly as the specification says. The document is a
    /// JSON-LD file, a page with a script, or RDF. Returns the result as JSON text, with a report of the values that
    /// were dropped.
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    /// let expand = evalgraph::JsonLdOperation::expand();
    /// let (text, _) = evalgraph::Loader::new().process("fixtures/karenina/p1-physics.jsonld", &expand)?;
    /// assert!(text.contains(r#""http://schema.org/text""#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the input is missing, is invalid or is several files; if a context or a frame cannot be read; or if the
    /// algorithm ends with an error, whose code is the specification's.
    pub fn process(&self, input: &str, operation: &JsonLdOperation) -> Result<(String, RunReport), Error> {
        self.reported(|report| {
            self.session()?.process(operation, input, report, |processed| {
                let mut bytes = Vec::new();
                let written = processed.write_to(JsonLdLayout::Indented, &mut bytes);
                written.map_err(|error| Diagnostic::error("output::unwritable", error.to_string()))?;
                let text = String::from_utf8(bytes);
                text.map_err(|error| {
                    RunFailure::from(Diagnostic::error("output::unwritable", error.to_string()))
                })
            })
        })
    }
}
