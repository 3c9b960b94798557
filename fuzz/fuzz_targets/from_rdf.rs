//! Conversion from RDF: what comes out is JSON-LD that says what the quads say.

#![no_main]

use evalgraph::json::{Limits, parse};
use evalgraph::jsonld::{JsonLdLayout, JsonLdProcessor, NoLoader};
use evalgraph::rdf::{QuadBuffer, RdfFormat, ReadOptions, read};
use evalgraph_fuzz::{canonical, has_few_blank_nodes, options, quads, to_rdf};
use libfuzzer_sys::fuzz_target;
use oxrdf::Quad;
use std::sync::Arc;

fuzz_target!(|data: &[u8]| {
    let mut buffer = QuadBuffer::new();
    let format = ReadOptions { format: RdfFormat::NQuads, base: None };
    let Ok(reading) = read("input", data, format, &mut buffer) else { return };
    let mut json = Vec::new();
    let processor = JsonLdProcessor::new(options(), &NoLoader);
    if let Err(error) = processor.from_rdf(&buffer, JsonLdLayout::Indented, &mut json) {
        let _ = error.to_string();
        return;
    }
    let text = String::from_utf8(json).expect("JSON is UTF-8");
    let document = parse("expanded", text.clone(), Limits::default()).map(Arc::new);
    let document = document.unwrap_or_else(|fault| panic!("{fault}: {text}"));
    let after = to_rdf(&document).unwrap_or_else(|error| panic!("{error}: {text}"));
    let mut before = quads(&buffer);
    // JSON literals come back in canonical form (API, Data Round Tripping).
    let is_json = |line: &str| line.contains("rdf-syntax-ns#JSON>");
    if !reading.warnings.is_empty() || before.iter().any(|quad| is_json(&quad.to_string())) {
        return;
    }
    match after {
        Some(mut after) if has_few_blank_nodes(&before) && has_few_blank_nodes(&after) => {
            // The nodes of lists lose their type (Serialize RDF as JSON-LD, 6.4.3).
            let is_kept = |quad: &Quad| !(quad.subject.is_blank_node() && is_list_type(quad));
            before.retain(is_kept);
            after.retain(is_kept);
            assert_eq!(canonical(&before), canonical(&after), "{text}");
        }
        _ => {}
    }
});

fn is_list_type(quad: &Quad) -> bool {
    const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
    let (predicate, object) = (quad.predicate.as_str(), quad.object.to_string());
    predicate.strip_prefix(RDF) == Some("type") && object == format!("<{RDF}List>")
}
