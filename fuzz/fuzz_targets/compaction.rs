//! Compaction: `[document, context]`; what comes out is JSON-LD, and says what the document says.

#![no_main]

use evalgraph::json::{JsonDocument, Limits, parse};
use evalgraph::jsonld::{JsonLdLayout, JsonLdProcessor, NoLoader};
use evalgraph_fuzz::{any, canonical, has_few_blank_nodes, options, pair, to_rdf};
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;

fuzz_target!(|data: &[u8]| {
    let Some((input, context)) = pair(data) else { return };
    let mut processor = JsonLdProcessor::new(options(), &NoLoader);
    let (text, has_warnings) = match processor.compact(&input, &context) {
        Ok(compacted) => (compacted.to_json(JsonLdLayout::Indented), !compacted.warnings.is_empty()),
        Err(error) => {
            let _ = error.diagnostic().to_string();
            return;
        }
    };
    let compacted = parse("compacted", text.clone(), Limits::default()).map(Arc::new);
    let compacted = compacted.unwrap_or_else(|fault| panic!("{fault}: {text}"));
    if differs_by_intent(&input, &context) {
        return;
    }
    let Ok(Some(before)) = to_rdf(&input) else { return };
    if has_warnings || !has_few_blank_nodes(&before) {
        return;
    }
    match to_rdf(&compacted) {
        Ok(Some(after)) if has_few_blank_nodes(&after) => {
            assert_eq!(canonical(&before), canonical(&after), "{text}");
        }
        Ok(_) => {}
        Err(error) => panic!("{error}: {text}"),
    }
});

/// Whether a document and a context have something that compaction is known not to keep.
fn differs_by_intent(document: &Arc<JsonDocument>, context: &JsonDocument) -> bool {
    let both = |in_document: &str, in_context: &str| {
        document.text().contains(in_document) && context.text().contains(in_context)
    };
    // A graph with an id is compacted under a graph container all the same, where expansion puts it
    // into another graph (Compaction, 12.8.8; Expansion, 13.12).
    if both("@graph", "@graph") && context.text().contains("@container") {
        return true;
    }
    // A property that no term fits stays an IRI. Where that is a term itself, its values are read as
    // its definition says (IRI Compaction, 11; Value Compaction, 9).
    let is_iri_term = |value| {
        let mut members = context.members(value);
        members
            .any(|member| context.symbol_text(member.symbol).contains(':') && context.is_object(member.value))
    };
    if any(context, context.root(), &is_iri_term) {
        return true;
    }
    // A single graph without an id loses the array around it, and is the default graph then
    // (Compaction, 3.3; `expand()`, 8.1).
    let mut processor = JsonLdProcessor::new(options(), &NoLoader);
    let expanded = processor.expand(document).map(|expanded| expanded.to_json(JsonLdLayout::Compact));
    expanded.is_ok_and(|text| text.starts_with("[{\"@graph\":"))
}
