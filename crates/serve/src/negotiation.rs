//! Content negotiation (RFC 9110, section 12): chooses the available form and coding that a client prefers.

use hyper::HeaderMap;
use hyper::header::{ACCEPT, ACCEPT_ENCODING, HeaderName};

use evalgraph_engine::input::compression::FileCompression;
use evalgraph_rdf::RdfFormat;
use evalgraph_sparql::ResultFormat;

/// The forms of tables. Clients that accept any form get the first.
pub(super) const TABLES: [ResultFormat; 6] = [
    ResultFormat::SparqlJson,
    ResultFormat::SparqlXml,
    ResultFormat::Csv,
    ResultFormat::Tsv,
    ResultFormat::Jsonl,
    ResultFormat::Table,
];

/// The forms of graphs. Clients that accept any form get the first.
const GRAPHS: [RdfFormat; 6] = [
    RdfFormat::Turtle,
    RdfFormat::NTriples,
    RdfFormat::NQuads,
    RdfFormat::TriG,
    RdfFormat::JsonLd,
    RdfFormat::RdfXml,
];

/// The forms of named graphs. Clients that accept any form get the first.
pub(super) const NAMED_GRAPHS: [RdfFormat; 3] = [RdfFormat::NQuads, RdfFormat::TriG, RdfFormat::JsonLd];

/// A form with the media type by which the client asked for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OfferedForm<F> {
    pub(super) form: F,
    pub(super) media_type: &'static str,
}

/// A range of media types, or a coding, with its weight in thousandths.
struct WeightedRange {
    name: String,
    weight: u16,
}

/// Returns the form of a table that the client prefers; `None` if it accepts none.
pub(super) fn table(headers: &HeaderMap) -> Option<OfferedForm<ResultFormat>> {
    best(headers, TABLES.into_iter().flat_map(|form| offers(form, form.media_types())))
}

/// Returns the form of a graph that the client prefers; `None` if it accepts none.
pub(super) fn graph(headers: &HeaderMap) -> Option<OfferedForm<RdfFormat>> {
    best(headers, GRAPHS.into_iter().flat_map(|form| offers(form, form.media_types())))
}

/// Returns the form of several graphs that the client prefers; `None` if it accepts none.
pub(super) fn graphs(headers: &HeaderMap) -> Option<OfferedForm<RdfFormat>> {
    best(headers, NAMED_GRAPHS.into_iter().flat_map(|form| offers(form, form.media_types())))
}

/// Returns whether the client reads problems as JSON, which it does if it names a JSON type.
pub(super) fn reads_json(headers: &HeaderMap) -> bool {
    ranges(headers, &ACCEPT).iter().any(|range| range.weight > 0 && range.name.ends_with("json"))
}

/// The media type of pages.
const PAGE: &str = "text/html";

/// Returns whether the client prefers a page to a graph. A client that likes both equally is a program.
pub(super) fn prefers_page(headers: &HeaderMap) -> bool {
    let ranges = ranges(headers, &ACCEPT);
    let weight = |media_type| weight_of(media_type, &ranges);
    let graphs = GRAPHS.into_iter().flat_map(|form| form.media_types());
    weight(PAGE) > graphs.map(|media_type| weight(media_type)).max().unwrap_or_default()
}

/// Returns whether the client accepts gzip.
pub(super) fn takes_gzip(headers: &HeaderMap) -> bool {
    weight_of_coding(FileCompression::Gzip, &ranges(headers, &ACCEPT_ENCODING)) > 0
}

/// Returns the compression that the client prefers; `None` if it accepts none.
pub(super) fn compression(headers: &HeaderMap) -> Option<FileCompression> {
    let ranges = ranges(headers, &ACCEPT_ENCODING);
    let weight = |compression| weight_of_coding(compression, &ranges);
    match (weight(FileCompression::Gzip), weight(FileCompression::Zstd)) {
        (0, 0) => None,
        (gzip, zstd) if zstd >= gzip => Some(FileCompression::Zstd),
        _ => Some(FileCompression::Gzip),
    }
}

/// Returns whether the client accepts answers without compression, which it does unless it says otherwise (RFC 9110,
/// section 12.5.3).
pub(super) fn takes_identity(headers: &HeaderMap) -> bool {
    let ranges = ranges(headers, &ACCEPT_ENCODING);
    let named = |name: &str| ranges.iter().find(|range| range.name == name);
    named("identity").or_else(|| named("*")).is_none_or(|range| range.weight > 0)
}

fn weight_of_coding(compression: FileCompression, ranges: &[WeightedRange]) -> u16 {
    let is_it = |range: &&WeightedRange| {
        range.name == compression.name() || compression == FileCompression::Gzip && range.name == "x-gzip"
    };
    let named = ranges.iter().find(is_it);
    named.or_else(|| ranges.iter().find(|range| range.name == "*")).map_or(0, |range| range.weight)
}

fn offers<F: Copy>(form: F, media_types: &'static [&'static str]) -> impl Iterator<Item = OfferedForm<F>> {
    media_types.iter().map(move |media_type| OfferedForm { form, media_type })
}

fn best<F: Copy>(
    headers: &HeaderMap,
    offers: impl Iterator<Item = OfferedForm<F>>,
) -> Option<OfferedForm<F>> {
    let ranges = ranges(headers, &ACCEPT);
    let weight = |offer: &OfferedForm<F>| match ranges.is_empty() {
        true => 1,
        false => weight_of(offer.media_type, &ranges),
    };
    let mut best: Option<(OfferedForm<F>, u16)> = None;
    for offer in offers {
        let weight = weight(&offer);
        if weight > best.map_or(0, |(_, weight)| weight) {
            best = Some((offer, weight));
        }
    }
    best.map(|(offer, _)| offer)
}

/// Returns the weight of a media type: the weight of the most specific range that contains it.
fn weight_of(media_type: &str, ranges: &[WeightedRange]) -> u16 {
    let main = media_type.split('/').next().unwrap_or_default();
    let rank = |range: &WeightedRange| match range.name.strip_suffix("/*") {
        Some(of_range) if of_range == main => Some(1),
        Some("*") => Some(0),
        _ => (range.name == media_type).then_some(2),
    };
    let found = ranges.iter().filter_map(|range| Some((rank(range)?, range.weight)));
    found.max_by_key(|(rank, _)| *rank).map_or(0, |(_, weight)| weight)
}

fn ranges(headers: &HeaderMap, name: &HeaderName) -> Vec<WeightedRange> {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    let mut ranges = Vec::new();
    for range in values.flat_map(|value| value.split(',')) {
        let mut parts = range.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default().to_ascii_lowercase();
        if name.is_empty() {
            continue;
        }
        let weight = parts.filter_map(|part| part.split_once('=')).find(|(key, _)| key.trim() == "q");
        let weight = weight.map_or(Some(1.0), |(_, value)| value.trim().parse::<f32>().ok());
        // An invalid weight is ignored.
        let weight = weight.unwrap_or(1.0).clamp(0.0, 1.0);
        ranges.push(WeightedRange { name, weight: (weight * 1000.0) as u16 });
    }
    ranges
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    fn accepting(accept: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(accept))])
    }

    fn table_for(accept: &'static str) -> Option<&'static str> {
        table(&accepting(accept)).map(|offer| offer.media_type)
    }

    #[test]
    fn the_heaviest_form_is_given_and_of_equal_ones_the_usual() {
        assert_eq!(table(&HeaderMap::new()).expect("any").form, ResultFormat::SparqlJson);
        assert_eq!(table_for("*/*"), Some("application/sparql-results+json"));
        assert_eq!(table_for("text/csv;q=0.5, text/tab-separated-values"), Some("text/tab-separated-values"));
        let of_clients = table(&accepting("application/json")).expect("a form");
        assert_eq!((of_clients.form, of_clients.media_type), (ResultFormat::SparqlJson, "application/json"));
        let lines = table(&accepting("application/jsonl")).expect("a form");
        assert_eq!((lines.form, lines.media_type), (ResultFormat::Jsonl, "application/jsonl"));
        assert_eq!(table_for("text/*;q=0.2, application/xml;q=0.1"), Some("text/xml"));
        assert_eq!(
            table_for("*/*;q=0.1, application/sparql-results+xml;q=0.9"),
            Some("application/sparql-results+xml")
        );
        // The more specific range counts, in whatever order they come.
        assert_eq!(table_for("text/csv;q=0, text/*;q=0.5"), Some("text/xml"));
        assert_eq!(table_for("TEXT/CSV ; Q=1"), Some("text/csv"));
        assert_eq!(table_for("image/png"), None);
        assert_eq!(table_for("*/*;q=0"), None);
        let graph_for = |accept| graph(&accepting(accept)).map(|offer| offer.media_type);
        assert_eq!(graph_for("application/ld+json, text/turtle;q=0.9"), Some("application/ld+json"));
        assert_eq!(graph_for("*/*"), Some("text/turtle"));
        assert_eq!(graph_for("text/csv"), None);
    }

    #[test]
    fn browsers_get_the_page_and_programs_the_graph() {
        let prefers = |accept: &'static str| prefers_page(&accepting(accept));
        for browser in [
            "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
            "text/html, application/xhtml+xml, image/jxr, */*;q=0.5",
            "text/html",
            "text/html;q=0.9, text/turtle;q=0.8",
        ] {
            assert!(prefers(browser), "{browser}");
        }
        for program in [
            "*/*",
            "text/*",
            "text/turtle, text/html;q=0.9",
            "text/html, application/ld+json",
            "text/html;q=0",
            "",
        ] {
            assert!(!prefers(program), "{program}");
        }
        assert!(!prefers_page(&HeaderMap::new()));
    }

    #[test]
    fn a_coding_is_used_that_the_client_takes() {
        let coding = |accept: &'static str| {
            compression(&HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(accept))]))
        };
        assert_eq!(coding("gzip, deflate, br, zstd"), Some(FileCompression::Zstd));
        assert_eq!(coding("gzip;q=1.0, zstd;q=0.5"), Some(FileCompression::Gzip));
        assert_eq!(coding("gzip"), Some(FileCompression::Gzip));
        assert_eq!(coding("*"), Some(FileCompression::Zstd));
        assert_eq!(coding("identity, *;q=0"), None);
        assert_eq!(coding("br"), None);
        assert_eq!(compression(&HeaderMap::new()), None);
        let identity = |accept: &'static str| {
            takes_identity(&HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(accept))]))
        };
        assert!(identity("gzip") && identity("gzip, *") && identity("identity;q=0.1, *;q=0"));
        assert!(!identity("gzip, identity;q=0") && !identity("gzip, *;q=0"));
    }
}
