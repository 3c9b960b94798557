//! What the fuzz targets share: documents that are worth a run, and quads that can be compared.

use evalgraph::json::{JsonDocument, Limits, TokenId, parse};
use evalgraph::jsonld::{JsonLdOptions, JsonLdProcessor, NoLoader};
use evalgraph::rdf::{self, QuadBuffer, RdfFormat};
use oxrdf::dataset::CanonicalizationAlgorithm;
use oxrdf::{Dataset, Quad};
use oxttl::NQuadsParser;
use std::sync::Arc;

/// The base IRI of every document.
pub const BASE: &str = "http://base.example/folder/document";

/// A document of an input, if it is JSON. Deep nesting has a limit of its own, and finds nothing
/// that shallow nesting does not.
pub fn document(data: &[u8]) -> Option<Arc<JsonDocument>> {
    let text = std::str::from_utf8(data).ok()?;
    let limits = Limits { depth: 64, ..Limits::default() };
    parse("input", text.to_owned(), limits).ok().map(Arc::new)
}

/// The two documents of an input that is an array of them: one, and what it is compacted or framed
/// with.
pub fn pair(data: &[u8]) -> Option<(Arc<JsonDocument>, Arc<JsonDocument>)> {
    let both = document(data)?;
    if !both.is_array(both.root()) {
        return None;
    }
    let mut items = both.items(both.root());
    let (first, second) = (items.next()?, items.next()?);
    let is_all = items.next().is_none();
    let part = |item| document(both.text()[both.bytes(item)].as_bytes());
    part(first).zip(part(second)).filter(|_| is_all)
}

/// The options of every conversion.
pub fn options() -> JsonLdOptions {
    JsonLdOptions { base: Some(BASE.to_owned()), ..JsonLdOptions::default() }
}

/// Whether any value of a document, from this one down, is as the test says.
pub fn any(document: &JsonDocument, value: TokenId, test: &impl Fn(TokenId) -> bool) -> bool {
    test(value)
        || document.items(value).any(|item| any(document, item, test))
        || document.members(value).any(|member| any(document, member.value, test))
}

/// More places with blank nodes than this may take long to compare.
const MOST_BLANK_NODES: usize = 12;

/// The quads of a document, or none where something was dropped.
///
/// # Errors
/// The text of the error.
pub fn to_rdf(document: &Arc<JsonDocument>) -> Result<Option<Vec<Quad>>, String> {
    let mut buffer = QuadBuffer::new();
    let conversion = JsonLdProcessor::new(options(), &NoLoader).to_rdf(document, &mut buffer);
    let conversion = conversion.map_err(|error| error.to_string())?;
    // What is written can be read, whatever was dropped.
    let quads = quads(&buffer);
    Ok(conversion.warnings.is_empty().then_some(quads))
}

/// The quads as another library reads them.
pub fn quads(buffer: &QuadBuffer) -> Vec<Quad> {
    let mut text = Vec::new();
    rdf::write(buffer, RdfFormat::NQuads, &mut text).expect("a vector takes everything");
    let quads = NQuadsParser::new().lenient().for_slice(&text).collect::<Result<Vec<_>, _>>();
    quads.unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&text)))
}

/// Whether quads can be compared in no time.
pub fn has_few_blank_nodes(quads: &[Quad]) -> bool {
    let text: String = quads.iter().map(|quad| format!("{quad}\n")).collect();
    text.matches("_:").count() <= MOST_BLANK_NODES
}

/// The quads as sorted lines that are equal where the datasets are isomorphic.
pub fn canonical(quads: &[Quad]) -> Vec<String> {
    let mut dataset: Dataset = quads.iter().collect();
    dataset.canonicalize(CanonicalizationAlgorithm::Unstable);
    let mut lines: Vec<String> = dataset.iter().map(|quad| quad.to_string()).collect();
    lines.sort();
    lines
}
