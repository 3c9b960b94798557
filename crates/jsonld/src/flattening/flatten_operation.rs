//! `flatten()` of the API (section 9.2), from parsed documents.
//!
//! `JsonLdProcessor` is defined in `processor.rs`.

use crate::arena_sources::ArenaSources;
use crate::compaction::TopLevelForm;
use crate::compaction::compacted_document::CompactedDocument;
use crate::expanded_writer::JsonLdLayout;
use crate::expansion::{ExpansionAlgorithm, KeepAll};
use crate::json_ld_options::JsonLdOptions;
use crate::processor::{ExpandedDocument, JsonLdProcessor, context_value};
use crate::warning::JsonLdWarning;
use crate::{JsonLdOutcome, flattening};
use evalgraph_json::JsonDocument;
use std::io;
use std::sync::Arc;

/// A flattened document.
pub enum FlattenedDocument<'p> {
    /// In expanded form, if there was no context.
    Expanded(ExpandedDocument<'p>),
    /// Compacted with a context.
    Compacted(CompactedDocument<'p>),
}

impl JsonLdProcessor<'_> {
    /// `flatten()`: every node occurs once and has a label; compacted if there is a context. With a context, the nodes
    /// are in `@graph`, however many there are (section 3.3).
    ///
    /// ```
    /// use evalgraph_json::{Limits, parse};
    /// use evalgraph_jsonld::{JsonLdOptions, JsonLdProcessor, JsonLdLayout, NoLoader};
    /// use std::sync::Arc;
    ///
    /// let text = r#"{"ex:knows": {"ex:name": "Ada"}}"#;
    /// let document = Arc::new(parse("ada.jsonld", text.to_owned(), Limits::default())?);
    /// let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader);
    /// let flattened = processor.flatten(&document, None)?;
    /// assert_eq!(
    ///     flattened.to_json(JsonLdLayout::Compact),
    ///     "[{\"@id\":\"_:b0\",\"ex:knows\":[{\"@id\":\"_:b1\"}]},\
    ///      {\"@id\":\"_:b1\",\"ex:name\":[{\"@value\":\"Ada\"}]}]\n"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The specification's codes, with the place.
    pub fn flatten<'p>(
        &'p mut self,
        document: &'p Arc<JsonDocument>,
        context: Option<&'p Arc<JsonDocument>>,
    ) -> JsonLdOutcome<FlattenedDocument<'p>> {
        self.contexts.warnings.clear();
        // flatten() 4: expansion is not ordered.
        let expansion = JsonLdOptions { ordered: false, ..self.options.clone() };
        let expanded =
            ExpansionAlgorithm::new(&mut self.contexts, document, &expansion, &self.mode, &mut KeepAll)
                .run()?;
        let arena = flattening::flatten(&mut self.contexts, document, expanded, self.options.ordered)?;
        match context {
            Some(context) => {
                let (sources, given) = (ArenaSources::one(document), (context, context_value(context)));
                let compacted = self.compact_arena(&arena, sources, Some(given), TopLevelForm::InGraph)?;
                Ok(FlattenedDocument::Compacted(compacted))
            }
            None => {
                let warnings = std::mem::take(&mut self.contexts.warnings);
                Ok(FlattenedDocument::Expanded(ExpandedDocument {
                    arena,
                    document,
                    contexts: &self.contexts,
                    warnings,
                }))
            }
        }
    }
}

impl FlattenedDocument<'_> {
    /// Returns the data that were lost.
    pub fn warnings(&self) -> &[JsonLdWarning] {
        match self {
            Self::Expanded(expanded) => &expanded.warnings,
            Self::Compacted(compacted) => &compacted.warnings,
        }
    }

    /// Appends the document as JSON.
    pub fn write_json(&self, layout: JsonLdLayout, json: &mut String) {
        match self {
            Self::Expanded(expanded) => expanded.write_json(layout, json),
            Self::Compacted(compacted) => compacted.write_json(layout, json),
        }
    }

    /// The document as JSON.
    pub fn to_json(&self, layout: JsonLdLayout) -> String {
        let mut json = String::new();
        self.write_json(layout, &mut json);
        json
    }

    /// Writes the document as JSON.
    ///
    /// # Errors
    /// The errors of the writer.
    pub fn write_to(&self, layout: JsonLdLayout, writer: &mut dyn io::Write) -> io::Result<()> {
        match self {
            Self::Expanded(expanded) => expanded.write_to(layout, writer),
            Self::Compacted(compacted) => compacted.write_to(layout, writer),
        }
    }
}
