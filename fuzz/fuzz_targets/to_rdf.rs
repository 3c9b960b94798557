//! Expansion and conversion to RDF against `oxjsonld`: the same quads where both convert a document
//! without a warning. What only one of them refuses is not compared: `oxjsonld` refuses and takes more
//! than the specification does in too many ways to list.

#![no_main]

use evalgraph::json::{JsonDocument, TokenId};
use evalgraph::rdf;
use evalgraph_fuzz::{BASE, any, canonical, document, has_few_blank_nodes, to_rdf};
use libfuzzer_sys::fuzz_target;
use oxjsonld::JsonLdParser;
use oxrdf::Quad;

fuzz_target!(|data: &[u8]| {
    let Some(input) = document(data) else { return };
    if differs_by_intent(&input) {
        return;
    }
    // Where something was dropped, oxjsonld loses more or less of what hangs on it.
    let ours = to_rdf(&input).ok().flatten();
    if let (Some(ours), Ok(theirs)) = (ours, theirs(input.text()))
        && has_few_blank_nodes(&ours)
        && has_few_blank_nodes(&theirs)
    {
        assert_eq!(canonical(&ours), canonical(&theirs));
    }
});

fn theirs(text: &str) -> Result<Vec<Quad>, String> {
    let parser = JsonLdParser::new().with_base_iri(BASE).expect("an IRI");
    parser.for_slice(text).collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())
}

/// Whether a document has something that the two are known to answer differently.
fn differs_by_intent(document: &JsonDocument) -> bool {
    // JSON leaves open which of two equal keys counts.
    !document.duplicate_keys().is_empty()
        || differs_in_contexts(document)
        || differs_in_iris(document)
        || differs_in_values(document)
}

fn differs_in_contexts(document: &JsonDocument) -> bool {
    let text = document.text();
    let has = |test: &dyn Fn(TokenId) -> bool| any(document, document.root(), &|value| test(value));
    let is_map = |text: &str| ["@id", "@index", "@type", "@graph"].contains(&text);
    // oxjsonld takes any term for a prefix; those with an expanded definition have to ask for it
    // (Create Term Definition, 14.2.5).
    let is_delimiter = |text: &str| text.ends_with([':', '/', '?', '#', '[', ']', '@']);
    let is_prefix_like = |value| {
        let id = document.get(value, "@id").and_then(|id| document.string(id));
        id.is_some_and(|id| is_delimiter(&id)) && document.get(value, "@prefix").is_none()
    };
    if has(&is_prefix_like) {
        return true;
    }
    // oxjsonld drops graphs without triples, which the specification names all the same (Expansion,
    // 13.12; Deserialize JSON-LD to RDF, 1.3).
    if text.contains("@graph") && text.contains("@container") {
        return true;
    }
    // oxjsonld does not revert type-scoped contexts inside maps (Expansion, 7).
    let has_map = has(&|value| document.string(value).is_some_and(|text| is_map(&text)));
    if has_map && text.contains("@container") && text.matches("@context").count() > 1 {
        return true;
    }
    // oxjsonld loses terms of all but the last of several type-scoped contexts, and what a null among
    // them keeps; each is processed after the one before (Expansion, 11.2, Context Processing, 5.1.2).
    if text.matches("@context").count() > 2 {
        return true;
    }
    // oxjsonld keeps the base of a type-scoped context for nodes with `@id` and `@type`, which are no
    // mere references (Expansion, 7).
    if text.matches("@context").count() > 1 && text.contains("@base") {
        return true;
    }
    // oxjsonld takes keywords of contexts for entries of nodes, which they are not.
    let stray = ["@propagate", "@protected", "@version", "@prefix", "@import"];
    // It does not count those of frames, where a node with no other entry than `@id` is another thing
    // (Expansion, 7).
    let frames = ["@embed", "@explicit", "@default", "@omitDefault", "@requireAll"];
    stray.iter().chain(&frames).any(|keyword| text.contains(keyword))
}

fn differs_in_iris(document: &JsonDocument) -> bool {
    let text = document.text();
    let has = |test: &dyn Fn(TokenId) -> bool| any(document, document.root(), &|value| test(value));
    // oxjsonld drops what has a colon and no scheme; the specification resolves it as any relative
    // reference (IRI Expansion, 6.5 and 8). It drops blank nodes with odd labels, which Node Map
    // Generation replaces.
    let is_odd = |text: &str| match text.strip_prefix("_:") {
        Some(label) => label.is_empty() || !label.chars().all(|c| c.is_ascii_alphanumeric()),
        None => text.contains(':') && !rdf::iri::is_iri(text),
    };
    if has(&|value| document.string(value).is_some_and(|text| is_odd(&text)))
        || document.symbols().any(|key| is_odd(document.symbol_text(key)))
    {
        return true;
    }
    // oxjsonld refuses terms that make no IRI with `@vocab`, used or not; Create Term Definition, 18,
    // only puts them together.
    let is_no_iri = |key: &str| !rdf::iri::is_iri_reference(&key.replace(':', ""));
    if document.symbols().any(|key| is_no_iri(document.symbol_text(key))) {
        return true;
    }
    // A base or vocabulary that is no IRI is refused by oxjsonld, and here by what is made with it.
    let has_odd_prefix = |value| {
        ["@base", "@vocab"].into_iter().any(|key| {
            let iri = document.get(value, key).and_then(|iri| document.string(iri));
            iri.is_some_and(|iri| !rdf::iri::is_iri_reference(&iri))
        })
    };
    if has(&has_odd_prefix) {
        return true;
    }
    // oxjsonld leaves dot segments, or takes the last slash with them (RFC 3986, 5.2.4).
    ["./", "..", "\".\""].iter().any(|dots| text.contains(dots))
}

fn differs_in_values(document: &JsonDocument) -> bool {
    let has = |test: &dyn Fn(TokenId) -> bool| any(document, document.root(), &|value| test(value));
    // oxjsonld keeps the digits of a double; the specification rounds them (API, 8.6).
    let is_double = |number: &str| number.contains(['.', 'e', 'E']) || number.len() > 15;
    if has(&|value| document.number(value).is_some_and(is_double)) {
        return true;
    }
    // oxjsonld drops tags that break BCP 47 beyond their syntax; the tests use plain ones.
    let is_plain = |tag: &str| {
        let mut parts = tag.split('-');
        parts.next().is_some_and(|language| matches!(language.len(), 2 | 3))
            && parts.next().is_none_or(|region| region.len() == 2)
            && parts.next().is_none()
            && tag.chars().all(|c| c == '-' || c.is_ascii_alphabetic())
    };
    let has_odd_tag = |value| {
        let tag = document.get(value, "@language").and_then(|tag| document.string(tag));
        tag.is_some_and(|tag| !is_plain(&tag))
    };
    let is_language_map = has(&|value| document.string(value).is_some_and(|text| text == "@language"));
    let has_odd_key = || {
        let mut keys = document.symbols().map(|key| document.symbol_text(key));
        keys.any(|key| key.contains('-') && !is_plain(key))
    };
    if has(&has_odd_tag) || (is_language_map && has_odd_key()) {
        return true;
    }
    // oxjsonld takes an object with a language or direction for a value object; the specification
    // does where there is `@value` (Expansion, 14).
    let is_no_value = |value| {
        let has = |key| document.get(value, key).is_some();
        (has("@language") || has("@direction")) && !has("@value")
    };
    has(&is_no_value)
}
