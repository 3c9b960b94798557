//! What the fuzz targets share: documents that are worth a run.

use evalgraph::json::{Document, Limits, TokenId, parse};
use evalgraph::jsonld::JsonLdOptions;
use std::sync::Arc;

/// The base IRI of every document.
pub const BASE: &str = "http://base.example/folder/document";

/// A document of an input, if it is JSON. Deep nesting has a limit of its own, and finds nothing
/// that shallow nesting does not.
pub fn document(data: &[u8]) -> Option<Arc<Document>> {
    let text = std::str::from_utf8(data).ok()?;
    let limits = Limits { depth: 64, ..Limits::default() };
    parse("input", text.to_owned(), limits).ok().map(Arc::new)
}

/// The options of every conversion.
pub fn options() -> JsonLdOptions {
    JsonLdOptions { base: Some(BASE.to_owned()), ..JsonLdOptions::default() }
}

/// Whether any value of a document, from this one down, is as the test says.
pub fn any(document: &Document, value: TokenId, test: &impl Fn(TokenId) -> bool) -> bool {
    test(value)
        || document.items(value).any(|item| any(document, item, test))
        || document.members(value).any(|member| any(document, member.value, test))
}
