//! `frame()` of the API (Framing, section 5.1), from parsed documents.
//!
//! `JsonLdProcessor` is defined in `processor.rs`.

use crate::arena_sources::ArenaSources;
use crate::compaction::TopLevelForm;
use crate::compaction::compacted_document::CompactedDocument;
use crate::expansion::{ExpansionAlgorithm, KeepAll};
use crate::flattening::merge_node_maps::merge;
use crate::flattening::node_map_generation::generate;
use crate::framing::blank_node_pruning::prune;
use crate::framing::frame_object::{self, DocumentFrames};
use crate::json_ld_options::{JsonLdOptions, LoadMode, ProcessingMode};
use crate::processor::JsonLdProcessor;
use crate::{JsonLdError, JsonLdErrorCode, JsonLdOutcome, framing};
use evalgraph_json::JsonDocument;
use std::sync::Arc;

impl JsonLdProcessor<'_> {
    /// `frame()`: finds the nodes that match a frame, nests them in the shape of the frame, and compacts them with its
    /// context.
    ///
    /// Cost: proportional to the document and the result.
    /// [`FramingOptions::max_depth`](crate::FramingOptions::max_depth) limits how deep the result may nest.
    ///
    /// ```
    /// use evalgraph_json::{Limits, parse};
    /// use evalgraph_jsonld::{JsonLdOptions, JsonLdProcessor, JsonLdLayout, NoLoader};
    /// use std::sync::Arc;
    ///
    /// let read = |text: &str| parse("people.jsonld", text.to_owned(), Limits::default()).map(Arc::new);
    /// let document = read(
    ///     r#"[{"@id": "ex:ada", "@type": "ex:Person", "ex:knows": {"@id": "ex:charles"}},
    ///         {"@id": "ex:charles", "ex:name": "Charles"}]"#,
    /// )?;
    /// let frame = read(r#"{"@context": {"knows": "ex:knows"}, "@type": "ex:Person"}"#)?;
    /// let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader);
    /// let framed = processor.frame(&document, &frame)?;
    /// assert_eq!(
    ///     framed.to_json(JsonLdLayout::Compact),
    ///     "{\"@context\":{\"knows\":\"ex:knows\"},\"@id\":\"ex:ada\",\"@type\":\"ex:Person\",\
    ///      \"knows\":{\"@id\":\"ex:charles\",\"ex:name\":\"Charles\"}}\n"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The specification's codes, with the place, and
    /// [`FramingLimit`](JsonLdErrorCode::FramingLimit).
    pub fn frame<'p>(
        &'p mut self,
        document: &'p Arc<JsonDocument>,
        frame: &'p Arc<JsonDocument>,
    ) -> JsonLdOutcome<CompactedDocument<'p>> {
        self.contexts.warnings.clear();
        // frame() 6 and 7 come before the document is read, which takes longer.
        let frames = self.read_frame(frame)?;
        // frame() 4 and 5: expansion is not ordered.
        let expansion = JsonLdOptions { ordered: false, ..self.options.clone() };
        let mut expanded =
            ExpansionAlgorithm::new(&mut self.contexts, document, &expansion, &self.mode, &mut KeepAll)
                .run()?;
        // frame() 13 to 20: the state.
        let entries = generate(&mut self.contexts, document, &mut expanded)?;
        drop(expanded);
        let names = &self.contexts.names;
        let (map, merged) = if frames.is_of_default_graph {
            (entries.finish(names), None)
        } else {
            let (map, merged) = merge(entries, names);
            (map, Some(merged))
        };
        // frame() 21 and 22.
        let sources = ArenaSources { document, frame: Some(frame) };
        let mut arena = framing::frame(map, merged, &frames, sources, names, &self.options)?;
        // frame() 23.
        let is_1_0 = self.options.processing_mode == ProcessingMode::JsonLd1_0;
        if !is_1_0 {
            prune(&mut arena, names);
        }
        // frame() 25 to 30.
        let omit_graph = self.options.framing.omit_graph.unwrap_or(!is_1_0);
        let top = if omit_graph { TopLevelForm::Alone } else { TopLevelForm::InGraph };
        let root = frame.items(frame.root()).next().unwrap_or(frame.root());
        let context = frame.get(root, "@context").map(|context| (frame, context));
        self.compact_arena(&arena, sources, context, top)
    }

    /// Expands the frame and reads its patterns.
    fn read_frame(&mut self, frame: &Arc<JsonDocument>) -> JsonLdOutcome<DocumentFrames> {
        check_frame(frame)?;
        let options = &self.options;
        let options = JsonLdOptions {
            base: [&options.base, &options.argument_url, &options.document_url]
                .into_iter()
                .flatten()
                .next()
                .cloned(),
            document_url: None,
            // The server's header for the document does not apply to the frame.
            context_url: None,
            context_base: options.argument_url.clone().or_else(|| options.context_base.clone()),
            ordered: false,
            ..options.clone()
        };
        let mode = LoadMode::default();
        let arena =
            ExpansionAlgorithm::new(&mut self.contexts, frame, &options, &mode, &mut KeepAll).run_frame()?;
        let allow_last = self.contexts.is_1_0();
        frame_object::read(arena, frame, &self.contexts.names, allow_last)
    }
}

/// Checks that a frame document is an object, or an array of one. The number of objects is only known after expansion.
fn check_frame(frame: &Arc<JsonDocument>) -> JsonLdOutcome {
    let root = frame.items(frame.root()).next().unwrap_or(frame.root());
    if frame.is_object(root) {
        return Ok(());
    }
    let shown = crate::warning::shorten(frame.raw(root));
    let message = format!("`{shown}` is not an object, but a frame must be one");
    Err(JsonLdError::new(JsonLdErrorCode::InvalidFrame, message, frame, root))
}
