//! A layout as a graph.

use crate::json::{Style, StyledJson};
use crate::rdf::minted::sidecar_graph;
use crate::rdf::quad_buffer::TermId;
use crate::rdf::vocabulary::{evalgraph, rdf, xsd};
use crate::rdf::{QuadBuffer, QuadSink};
use crate::source::rewriting::{Layout, NodeLayout, PlaceLayout};
use std::collections::BTreeMap;

/// Appends a layout as quads: about the document under the name of its graph, about nodes under
/// their own terms.
pub fn encode(layout: &Layout, root: TermId, graph: &str, dialect: &str, quads: &mut QuadBuffer) {
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
    let mut nodes: Vec<(&TermId, &NodeLayout)> = layout.nodes.iter().collect();
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

/// An object on its way to text; members that say nothing are left out.
struct Members {
    json: StyledJson,
}

impl Members {
    fn new() -> Self {
        let mut json = StyledJson::new(Style::compact());
        json.open('{');
        Self { json }
    }

    fn finish(mut self) -> String {
        self.json.close('}');
        self.json.finish()
    }

    fn string(&mut self, key: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.json.key(key);
            self.json.string(value);
        }
    }

    fn flag(&mut self, key: &str, is_set: bool) {
        if is_set {
            self.json.key(key);
            self.json.scalar("true");
        }
    }

    fn strings(&mut self, key: &str, values: &[String]) {
        if !values.is_empty() {
            self.json.key(key);
            self.array(values);
        }
    }

    fn array(&mut self, values: &[String]) {
        self.json.open('[');
        for value in values {
            self.json.item();
            self.json.string(value);
        }
        self.json.close(']');
    }

    /// A map, each value of which is written by a function.
    fn map<'v, V: 'v>(
        &mut self,
        key: &str,
        entries: impl Iterator<Item = (&'v String, V)>,
        write: impl Fn(&mut Self, V),
    ) {
        let mut entries = entries.peekable();
        if entries.peek().is_none() {
            return;
        }
        self.json.key(key);
        self.json.open('{');
        for (key, value) in entries {
            self.json.key(key);
            write(self, value);
        }
        self.json.close('}');
    }
}

/// A style as JSON.
pub(super) fn style_json(of: &Style) -> String {
    let mut members = Members::new();
    style(of, &mut members);
    members.finish()
}

fn document_json(layout: &Layout) -> String {
    let mut members = Members::new();
    style(&layout.style, &mut members);
    members.flag("inArray", layout.in_array);
    members.string("id", layout.id_key.as_deref());
    members.string("type", layout.type_key.as_deref());
    let remote: BTreeMap<&String, &String> = layout.remote.iter().collect();
    members.map("remote", remote.into_iter(), |members, text| members.json.scalar(text));
    let places: BTreeMap<&String, &PlaceLayout> = layout.places.iter().collect();
    members.map("places", places.into_iter(), |members, place| {
        members.json.open('{');
        members.strings("keys", &place.keys);
        members.strings("turned", &place.turned);
        members.strings("decimal", &place.decimal);
        members.strings("names", &place.names);
        members.json.close('}');
    });
    renamed(layout, &mut members);
    members.finish()
}

fn style(style: &Style, members: &mut Members) {
    let usual = Style::default();
    if style.indent.is_none() {
        members.flag("oneLine", true);
    }
    let differing = |own: &str, usual: &str| (own != usual).then(|| own.to_owned());
    members.string("indent", style.indent.as_deref().filter(|indent| *indent != "  "));
    members.string("lineEnd", differing(&style.line_end, &usual.line_end).as_deref());
    members.string("afterComma", differing(&style.after_comma, &usual.after_comma).as_deref());
    members.string("colon", differing(&style.colon, &usual.colon).as_deref());
    members.flag("flatArrays", style.flat_arrays);
    members.flag("jsonLines", style.json_lines);
    members.flag("streamed", style.streamed);
    members.flag("ascii", style.ascii);
    members.string("end", differing(&style.end, &usual.end).as_deref());
}

/// What loading appends to the id of an item that its question has, too.
pub(super) const QUESTION: &str = "-question";

/// The ids that were changed on loading: numbered ones by the original, as ranges of numbers.
fn renamed(layout: &Layout, members: &mut Members) {
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
    members.map("numbered", numbers.into_iter(), |members, mut numbers| {
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
    members.map("renamed", others.into_iter(), |members, original| members.json.string(original));
}

fn node_json(layout: &NodeLayout) -> String {
    let mut members = Members::new();
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
    members.map("order", order, |members, order| members.array(order));
    members.strings("turned", &layout.turned);
    members.strings("decimal", &layout.decimal);
    members.strings("references", &layout.references);
    members.flag("isRaw", layout.is_raw);
    members.finish()
}
