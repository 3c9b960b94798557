//! Framing: `[document, frame]`; what comes out is JSON, and the same each time.

#![no_main]

use evalgraph::json::{Limits, parse};
use evalgraph::jsonld::{JsonLdLayout, JsonLdProcessor, NoLoader};
use evalgraph_fuzz::{options, pair};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((input, frame)) = pair(data) else { return };
    let run = || match JsonLdProcessor::new(options(), &NoLoader).frame(&input, &frame) {
        Ok(framed) => Ok(framed.to_json(JsonLdLayout::Indented)),
        Err(error) => Err(error.diagnostic().to_string()),
    };
    let once = run();
    assert_eq!(once, run());
    if let Ok(text) = once {
        // What a frame nests may be deeper than what a document nests by default.
        let limits = Limits { depth: 4096, ..Limits::default() };
        if let Err(fault) = parse("framed", text.clone(), limits) {
            panic!("{fault}: {text}");
        }
    }
});
