//! Reads a layout from the graph of a sidecar.

use super::encode::QUESTION;
use super::file_form::FileForm;
use super::file_layout::FileLayout;
use super::members::{LIMITS, MemberReader};
use crate::rewriting::{DocumentLayout, IndexedGraph, NodeLayout, PlaceLayout, StaleEntries};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity};
use evalgraph_json::{JsonDocument, JsonStyle, parse};
use evalgraph_rdf::quad_buffer::{BufferQuad, BufferTermId};
use evalgraph_rdf::vocabulary::evalgraph;
use hashbrown::HashMap;

/// The contents of a sidecar.
#[derive(Debug)]
pub struct SidecarContents {
    /// The short name of the dialect that the file was read in.
    pub dialect: String,
    /// The root node of the file.
    pub root: BufferTermId,
    /// How the file was written.
    pub layout: DocumentLayout,
    /// How the file was written, if it is not JSON-LD.
    pub file: Option<FileLayout>,
    /// How many entries cannot be read.
    pub broken: u64,
}

/// The error for a graph without a sidecar.
pub(super) fn missing(graph: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("sidecar::missing", format!("the graph `{graph}` has no sidecar")))
}

/// The error for a sidecar that names no root, or one that is no longer in the graph.
pub(super) fn no_root(graph: &str) -> Box<Diagnostic> {
    let message = format!("the sidecar of `{graph}` names no root, or one that is no longer in the graph");
    Box::new(Diagnostic::error("sidecar::no-root", message))
}

/// Reads the sidecar of the document graph `name` from quads.
///
/// # Errors
///
/// `sidecar::missing` if there is no sidecar, and `sidecar::no-root` if it names no root.
pub fn decode<'i>(
    graph: &IndexedGraph<'_>,
    name: &str,
    sidecar: impl Iterator<Item = &'i BufferQuad>,
) -> Result<SidecarContents, Box<Diagnostic>> {
    let quads = graph.quads();
    let document = quads.find_iri(name).ok_or_else(|| missing(name))?;
    let [layout, position] =
        [evalgraph::LAYOUT, evalgraph::POSITION].map(|predicate| quads.find_iri(predicate));
    let (dialect, layout_read) = (String::new(), DocumentLayout::default());
    let mut found = SidecarContents { dialect, root: document, layout: layout_read, file: None, broken: 0 };
    let (mut has_any, mut has_root) = (false, false);
    for quad in sidecar {
        has_any = true;
        let text = graph.lexical(quad.object);
        let is_read = if quad.subject != document {
            node_entry(quad, text, [position, layout], &mut found.layout.nodes)
        } else if graph.iri(quad.predicate) == Some(evalgraph::ROOT) {
            (found.root, has_root) = (quad.object, true);
            true
        } else {
            document_entry(graph, quad.predicate, text, &mut found).is_some()
        };
        found.broken += u64::from(!is_read);
    }
    match (has_any, has_root && graph.is_subject(found.root)) {
        (false, _) => Err(missing(name)),
        (true, false) => Err(no_root(name)),
        (true, true) => Ok(found),
    }
}

/// Reads an entry about the document, or returns `None` if the entry cannot be read.
fn document_entry(
    graph: &IndexedGraph<'_>,
    predicate: BufferTermId,
    text: Option<&str>,
    found: &mut SidecarContents,
) -> Option<()> {
    match graph.iri(predicate)? {
        evalgraph::DIALECT => found.dialect = text.unwrap_or_default().to_owned(),
        evalgraph::CONTEXT => found.layout.context = text.map(str::to_owned),
        evalgraph::DIGEST => found.layout.digest = text.map(str::to_owned),
        evalgraph::LAYOUT => {
            let json = parsed(text?)?;
            let members = Some(MemberReader::new(&json)).filter(|members| json.is_object(members.object));
            document_entries(members?, graph, &mut found.layout);
        }
        evalgraph::STYLE => {
            found.file.get_or_insert_default().style = style(MemberReader::new(&parsed(text?)?));
        }
        evalgraph::DIFFERENCE => found.file.get_or_insert_default().difference = text.map(str::to_owned),
        evalgraph::FORM => found.file.get_or_insert_default().form = Some(FileForm::decode(text?)?),
        _ => return None,
    }
    Some(())
}

fn parsed(text: &str) -> Option<JsonDocument> {
    parse("layout", text.to_owned(), LIMITS).ok()
}

fn node_entry(
    quad: &BufferQuad,
    text: Option<&str>,
    [position, layout]: [Option<BufferTermId>; 2],
    nodes: &mut HashMap<BufferTermId, NodeLayout>,
) -> bool {
    if Some(quad.predicate) == position {
        let Some(position) = text.and_then(|text| text.parse().ok()) else { return false };
        nodes.entry(quad.subject).or_default().position = Some(position);
        return true;
    }
    let Some(json) = text.filter(|_| Some(quad.predicate) == layout).and_then(parsed) else { return false };
    let read = node_layout(MemberReader::new(&json));
    let entry = nodes.entry(quad.subject).or_default();
    *entry = NodeLayout { position: entry.position, ..read };
    true
}

fn node_layout(members: MemberReader<'_>) -> NodeLayout {
    let json = members.json;
    let spelled = members.map("spelled").filter_map(|(key, pair)| {
        let mut pair = json.items(pair);
        let hash = json.string(pair.next()?)?.into_owned();
        Some((key.to_owned(), hash, json.raw(pair.next()?).to_owned()))
    });
    let order = members.map("order").map(|(key, hashes)| (key.to_owned(), members.strings_in(hashes)));
    NodeLayout {
        position: None,
        keys: members.get("keys").map(|keys| members.strings_in(keys)),
        raw: members.raw_map("raw").collect(),
        spelled: spelled.collect(),
        order: order.collect(),
        turned: members.strings("turned"),
        decimal: members.strings("decimal"),
        references: members.strings("references"),
        is_raw: members.has("isRaw"),
    }
}

fn document_entries(members: MemberReader<'_>, graph: &IndexedGraph<'_>, layout: &mut DocumentLayout) {
    layout.style = style(members);
    layout.in_array = members.has("inArray");
    layout.id_key = members.string("id");
    layout.type_key = members.string("type");
    layout.remote = members.raw_map("remote").collect();
    for (name, object) in members.map("places") {
        let place = MemberReader { object, ..members };
        let place = PlaceLayout {
            keys: place.strings("keys"),
            turned: place.strings("turned"),
            decimal: place.strings("decimal"),
            names: place.strings("names"),
        };
        layout.places.insert(name.to_owned(), place);
    }
    renamed(members, graph, layout);
}

fn style(members: MemberReader<'_>) -> JsonStyle {
    let usual = JsonStyle::default();
    let indent = members.string("indent").or(usual.indent);
    JsonStyle {
        indent: indent.filter(|_| !members.has("oneLine")),
        line_end: members.string("lineEnd").unwrap_or(usual.line_end),
        after_comma: members.string("afterComma").unwrap_or(usual.after_comma),
        colon: members.string("colon").unwrap_or(usual.colon),
        flat_arrays: members.has("flatArrays"),
        streamed: members.has("streamed"),
        json_lines: members.has("jsonLines"),
        ascii: members.has("ascii"),
        end: members.string("end").unwrap_or(usual.end),
    }
}

fn renamed(members: MemberReader<'_>, graph: &IndexedGraph<'_>, layout: &mut DocumentLayout) {
    let json = members.json;
    let numbered = members.map("numbered").map(|(original, ranges)| {
        let ranges = json.string(ranges).unwrap_or_default();
        let ranges = ranges.split(',').filter_map(|range| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            Some((first.parse().ok()?, last.parse().ok()?))
        });
        (original, ranges.collect())
    });
    let numbered: HashMap<&str, Vec<(u64, u64)>> = numbered.collect();
    if !numbered.is_empty() {
        layout.renamed.extend(numbered_ids(graph, &numbered));
    }
    for original in members.strings("questions") {
        layout.renamed.insert(format!("{original}{QUESTION}"), original);
    }
    layout.renames_all_questions = members.get("questions").is_some_and(|all| !json.is_array(all));
    if layout.renames_all_questions {
        layout.renamed.extend(question_ids(graph));
    }
    for (new, original) in members.map("renamed") {
        if let Some(original) = json.string(original) {
            layout.renamed.insert(new.to_owned(), original.into_owned());
        }
    }
}

/// Returns the ids that loading numbered, each with its original. The number must be in one of the ranges recorded for
/// the original.
fn numbered_ids(
    graph: &IndexedGraph<'_>,
    numbered: &HashMap<&str, Vec<(u64, u64)>>,
) -> Vec<(String, String)> {
    let ids = graph.quads().iris().map(|iri| graph.original_id(iri));
    ids.filter_map(|id| {
        let (original, number) = id.rsplit_once('-')?;
        let ranges = numbered.get(original)?;
        let number = number.parse().ok().filter(|_| !number.starts_with('0'))?;
        let is_renamed = ranges.iter().any(|&(first, last)| (first..=last).contains(&number));
        is_renamed.then(|| (id.clone(), original.to_owned()))
    })
    .collect()
}

/// Returns the ids that consist of the id of another node and the suffix that loading gives to questions.
pub(super) fn question_ids(graph: &IndexedGraph<'_>) -> Vec<(String, String)> {
    let quads = graph.quads();
    let mut found = Vec::new();
    for &node in graph.subjects() {
        let Some(iri) = graph.iri(node) else { continue };
        let Some(item) = iri.strip_suffix(QUESTION) else { continue };
        if quads.find_iri(item).is_some_and(|item| graph.is_subject(item)) {
            found.push((graph.original_id(iri), graph.original_id(item)));
        }
    }
    found
}

/// Returns a warning about the entries of a sidecar that no longer fit.
pub(super) fn stale(misfits: StaleEntries, broken: u64, name: &str) -> Option<Diagnostic> {
    let StaleEntries { count, first } = misfits;
    let count = count + broken;
    let first = first.map_or_else(String::new, |first| format!(", the first for {first}"));
    let message = match count {
        0 => return None,
        1 => format!("one entry of the sidecar of `{name}` no longer fits its graph{first}; it is ignored"),
        _ => format!(
            "{count} entries of the sidecar of `{name}` no longer fit its graph{first}; they are ignored"
        ),
    };
    Some(Diagnostic::new(FindingSeverity::Warning, "sidecar::stale", message))
}
