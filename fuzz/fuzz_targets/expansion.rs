//! Expansion: what comes out is JSON, and expanded already.

#![no_main]

use evalgraph::json::{Limits, parse};
use evalgraph::jsonld::{JsonLdLayout, JsonLdOptions, JsonLdProcessor, NoLoader};
use evalgraph_fuzz::document;
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;

fuzz_target!(|data: &[u8]| {
    let Some(input) = document(data) else { return };
    // Without a base, so that what is relative once stays so.
    let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader);
    let once = match processor.expand(&input) {
        Ok(expanded) => expanded.to_json(JsonLdLayout::Indented),
        Err(error) => {
            // A place can be worked out, wherever it is.
            let _ = error.diagnostic().to_string();
            return;
        }
    };
    // An id in the form of a keyword is expanded to null, which is no id in a document (Expansion,
    // 13.4.3, and IRI Expansion, 2).
    // What floats free in a graph container is kept, and dropped where it stands in `@graph` itself
    // (Expansion, 13.12 and 19).
    let has_graph_container = input.text().contains("@container") && input.text().contains("@graph");
    if once.contains("\"@id\": null") || has_graph_container {
        return;
    }
    let again = parse("expanded", once.clone(), Limits::default()).map(Arc::new);
    let again = again.unwrap_or_else(|fault| panic!("{fault}: {once}"));
    let twice = processor.expand(&again);
    let twice = twice.unwrap_or_else(|error| panic!("{error}: {once}")).to_json(JsonLdLayout::Indented);
    assert_eq!(once, twice);
});
