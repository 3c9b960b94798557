//! Writes a layout as a graph.

use super::members::MemberWriter;
use crate::rewriting::{DocumentLayout, NodeLayout, PlaceLayout};
use evalgraph_json::JsonStyle;
use evalgraph_rdf::minted::sidecar_graph;
use evalgraph_rdf::quad_buffer::BufferTermId;
use evalgraph_rdf::vocabulary::{evalgraph, rdf, xsd};
use evalgraph_rdf::{QuadBuffer, QuadSink};
use std::collections::BTreeMap;

/// Appends a layout as quads: facts about the document are under the name of its graph, facts about nodes under their
/// own terms.
pub fn encode(
    layout: &DocumentLayout,
    root: BufferTermId,
    graph: &str,
    dialect: &str,
    quads: &mut QuadBuffer,
) {
    let Some(sidecar) = sidecar_graph(graph) else { return };
    let (document, sidecar) = (quads.iri(graph), Some(quads.iri(&sidecar)));
    let json = quads.iri(rdf::JSON);
    let mut predicate = |name: &str| quads.iri(name);
    let [for_dialect, for_root, for_context, for_layout, for_position] =
        [evalgraph::DIALECT, evalgraph::ROOT, evalgraph::CONTEXT, evalgraph::LAYOUT, evalgraph::POSITION]
            .map(&mut predicate);
    let dialect = quads.string(dialect);
    quads.quad(document, for_dialect, dialect, sidecar);
    quads.quad(document, for_root, root, sidecar);
    if let Some(context) = &layout.context {
        let context = quads.typed_literal(context, json);
        quads.quad(document, for_context, context, sidecar);
    }
    let text = quads.typed_literal(&document_json(layout), json);
    quads.quad(document, for_layout, text, sidecar);
    if let Some(digest) = &layout.digest {
        let (for_digest, digest) = (quads.iri(evalgraph::DIGEST), quads.string(digest));
        quads.quad(document, for_digest, digest, sidecar);
    }
    let integer = quads.iri(xsd::INTEGER);
    let mut nodes: Vec<(&BufferTermId, &NodeLayout)> = layout.nodes.iter().collect();
    nodes.sort_unstable_by_key(|(node, _)| **node);
    for (&node, layout) in nodes {
        if let Some(position) = layout.position {
            let position = quads.typed_literal(&position.to_string(), integer);
            quads.quad(node, for_position, position, sidecar);
        }
        if !layout.is_position_only() {
            let text = quads.typed_literal(&node_json(layout), json);
            quads.quad(node, for_layout, text, sidecar);
        }
    }
}

/// Returns a style as JSON.
pub(super) fn style_json(of: &JsonStyle) -> String {
    MemberWriter::text(|members| style(of, members))
}

fn document_json(layout: &DocumentLayout) -> String {
    MemberWriter::text(|members| {
        style(&layout.style, members);
        members.flag("inArray", layout.in_array);
        members.string("id", layout.id_key.as_deref());
        members.string("type", layout.type_key.as_deref());
        let remote: BTreeMap<&String, &String> = layout.remote.iter().collect();
        members.map("remote", remote, |members, text| members.json.scalar(text));
        let places: BTreeMap<&String, &PlaceLayout> = layout.places.iter().collect();
        members.map("places", places, |members, place| {
            members.object(|members| {
                members.strings("keys", &place.keys);
                members.strings("turned", &place.turned);
                members.strings("decimal", &place.decimal);
                members.strings("names", &place.names);
            });
        });
        renamed(layout, members);
    })
}

fn style(style: &JsonStyle, members: &mut MemberWriter) {
    let usual = JsonStyle::default();
    if style.indent.is_none() {
        members.flag("oneLine", true);
    }
    let mut differing =
        |key: &str, own: &str, usual: &str| members.string(key, Some(own).filter(|own| *own != usual));
    differing("indent", style.indent.as_deref().unwrap_or("  "), "  ");
    differing("lineEnd", &style.line_end, &usual.line_end);
    differing("afterComma", &style.after_comma, &usual.after_comma);
    differing("colon", &style.colon, &usual.colon);
    members.flag("flatArrays", style.flat_arrays);
    members.flag("jsonLines", style.json_lines);
    members.flag("streamed", style.streamed);
    members.flag("ascii", style.ascii);
    members.string("end", Some(style.end.as_str()).filter(|end| *end != usual.end));
}

/// The suffix that loading appends to the id of a question if the file gives it the id of its item.
pub(super) const QUESTION: &str = "-question";

/// Writes the ids that loading changed. Numbered ids are grouped by their original, as ranges of numbers.
fn renamed(layout: &DocumentLayout, members: &mut MemberWriter) {
    let mut numbers: BTreeMap<&String, Vec<u64>> = BTreeMap::new();
    let mut questions: Vec<String> = Vec::new();
    let mut others: BTreeMap<&String, &String> = BTreeMap::new();
    for (new, original) in &layout.renamed {
        let appended = new.strip_prefix(original.as_str());
        let number =
            appended.and_then(|rest| rest.strip_prefix('-')).filter(|digits| !digits.starts_with('0'));
        if let Some(number) = number.and_then(|digits| digits.parse().ok()) {
            numbers.entry(original).or_default().push(number);
        } else if appended == Some(QUESTION) {
            questions.push(original.clone());
        } else {
            others.insert(new, original);
        }
    }
    questions.sort_unstable();
    members.map("numbered", numbers, |members, mut numbers| {
        numbers.sort_unstable();
        let ranges = numbers.chunk_by(|left, right| left + 1 == *right);
        let ranges: Vec<String> = ranges
            .map(|range| match range {
                [one] => one.to_string(),
                [first, .., last] => format!("{first}-{last}"),
                [] => String::new(),
            })
            .collect();
        members.json.string(&ranges.join(","));
    });
    match layout.renames_all_questions {
        true => members.flag("questions", true),
        false => members.strings("questions", &questions),
    }
    members.map("renamed", others, |members, original| members.json.string(original));
}

fn node_json(layout: &NodeLayout) -> String {
    MemberWriter::text(|members| {
        members.strings("keys", layout.keys.as_deref().unwrap_or_default());
        let raw = layout.raw.iter().map(|(key, raw)| (key, raw));
        members.map("raw", raw, |members, raw| members.json.scalar(raw));
        let spelled = layout.spelled.iter().map(|(key, hash, raw)| (key, (hash, raw)));
        members.map("spelled", spelled, |members, (hash, raw)| {
            members.json.open('[');
            members.json.item();
            members.json.string(hash);
            members.json.item();
            members.json.scalar(raw);
            members.json.close(']');
        });
        let order = layout.order.iter().map(|(key, order)| (key, order));
        members.map("order", order, |members, order| members.string_array(order));
        members.strings("turned", &layout.turned);
        members.strings("decimal", &layout.decimal);
        members.strings("references", &layout.references);
        members.flag("isRaw", layout.is_raw);
    })
}
