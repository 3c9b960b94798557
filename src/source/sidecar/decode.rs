//! A layout from a graph.

use super::encode::QUESTION;
use super::file_form::FileForm;
use super::file_layout::FileLayout;
use crate::diagnostic::{Diagnostic, Severity};
use crate::json::{Document, Limits, Style, TokenId, parse};
use crate::rdf::QuadBuffer;
use crate::rdf::quad_buffer::{Quad, TermId, TermRef};
use crate::rdf::vocabulary::evalgraph;
use crate::source::rewriting::{Graph, Layout, NodeLayout, PlaceLayout};
use hashbrown::HashMap;

/// Texts in a layout are found by level, so that their depth has a bound: four times that of a
/// document by default.
const LIMITS: Limits = Limits { size: u64::MAX, depth: 2048 };

/// Holds what a sidecar says of a file.
#[derive(Debug)]
pub struct Sidecar {
    /// The short name of the dialect that the file was read in.
    pub dialect: String,
    /// The node that the file begins with.
    pub root: TermId,
    /// How it was written.
    pub layout: Layout,
    /// How the file was written, where that was no JSON-LD.
    pub file: Option<FileLayout>,
    /// How many entries cannot be read.
    pub broken: u64,
}

/// Tells why a sidecar says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SidecarError {
    /// The graph has none.
    Missing,
    /// It does not say where the file begins, or that node is gone.
    NoRoot,
}

impl SidecarError {
    /// The error as a person is told it.
    pub fn diagnostic(self, graph: &str) -> Diagnostic {
        match self {
            Self::Missing => {
                Diagnostic::error("sidecar::missing", format!("the graph `{graph}` has no sidecar"))
            }
            Self::NoRoot => {
                let message = format!("the sidecar of `{graph}` names no root that the graph still has");
                Diagnostic::error("sidecar::no-root", message)
            }
        }
    }
}

/// The sidecar among some quads of the document graph of that name.
///
/// # Errors
///
/// Where there is none, or it names no root.
pub fn decode<'i>(
    graph: &Graph<'_>,
    name: &str,
    sidecar: impl Iterator<Item = &'i Quad>,
) -> Result<Sidecar, SidecarError> {
    let quads = graph.quads();
    let document = quads.find_iri(name).ok_or(SidecarError::Missing)?;
    let find = |predicate: &str| quads.find_iri(predicate);
    let [dialect, root, context, layout, position] =
        [evalgraph::DIALECT, evalgraph::ROOT, evalgraph::CONTEXT, evalgraph::LAYOUT, evalgraph::POSITION]
            .map(find);
    let [file_style, difference, form, digest] =
        [evalgraph::STYLE, evalgraph::DIFFERENCE, evalgraph::FORM, evalgraph::DIGEST].map(find);
    let (dialect_name, layout_read) = (String::new(), Layout::default());
    let mut found =
        Sidecar { dialect: dialect_name, root: document, layout: layout_read, file: None, broken: 0 };
    let (mut has_any, mut has_root) = (false, false);
    for quad in sidecar {
        has_any = true;
        let predicate = Some(quad.predicate);
        let text = lexical(quads, quad.object);
        let is_read = if quad.subject != document {
            node_entry(quad, text, [position, layout], &mut found.layout.nodes)
        } else if predicate == root {
            (found.root, has_root) = (quad.object, true);
            true
        } else if predicate == dialect {
            found.dialect = text.unwrap_or_default().to_owned();
            true
        } else if predicate == context {
            found.layout.context = text.map(str::to_owned);
            true
        } else if predicate == digest {
            found.layout.digest = text.map(str::to_owned);
            true
        } else if predicate == layout {
            text.and_then(parsed).is_some_and(|json| document_entries(&json, graph, &mut found.layout))
        } else if predicate == file_style {
            let read = text.and_then(parsed).map(|json| style(&json));
            read.is_some_and(|style| {
                found.file.get_or_insert_default().style = style;
                true
            })
        } else if predicate == difference {
            found.file.get_or_insert_default().difference = text.map(str::to_owned);
            true
        } else if predicate == form {
            let read = text.and_then(FileForm::decode);
            read.is_some_and(|form| {
                found.file.get_or_insert_default().form = Some(form);
                true
            })
        } else {
            false
        };
        found.broken += u64::from(!is_read);
    }
    match (has_any, has_root && graph.is_subject(found.root)) {
        (false, _) => Err(SidecarError::Missing),
        (true, false) => Err(SidecarError::NoRoot),
        (true, true) => Ok(found),
    }
}

fn lexical(quads: &QuadBuffer, term: TermId) -> Option<&str> {
    match quads.term(term) {
        TermRef::Literal { lexical, .. } => Some(lexical),
        _ => None,
    }
}

fn parsed(text: &str) -> Option<Document> {
    parse("layout", text.to_owned(), LIMITS).ok()
}

fn node_entry(
    quad: &Quad,
    text: Option<&str>,
    [position, layout]: [Option<TermId>; 2],
    nodes: &mut HashMap<TermId, NodeLayout>,
) -> bool {
    if Some(quad.predicate) == position {
        let Some(position) = text.and_then(|text| text.parse().ok()) else { return false };
        nodes.entry(quad.subject).or_default().position = Some(position);
        return true;
    }
    let Some(json) = text.filter(|_| Some(quad.predicate) == layout).and_then(parsed) else { return false };
    let read = node_layout(&json);
    let entry = nodes.entry(quad.subject).or_default();
    *entry = NodeLayout { position: entry.position, ..read };
    true
}

/// A member of the outermost object.
fn member(json: &Document, key: &str) -> Option<TokenId> {
    json.get(json.root(), key)
}

fn string(json: &Document, key: &str) -> Option<String> {
    json.string(member(json, key)?).map(|text| text.into_owned())
}

fn strings_in(json: &Document, array: TokenId) -> Vec<String> {
    json.items(array).filter_map(|item| json.string(item)).map(|text| text.into_owned()).collect()
}

fn strings(json: &Document, key: &str) -> Vec<String> {
    member(json, key).map(|array| strings_in(json, array)).unwrap_or_default()
}

/// The members of a member that is an object.
fn entries<'j>(json: &'j Document, key: &str) -> impl Iterator<Item = (String, TokenId)> + 'j {
    let members = member(json, key).into_iter().flat_map(|object| json.members(object));
    members.map(|member| (json.symbol_text(member.symbol).to_owned(), member.value))
}

fn raw(json: &Document, value: TokenId) -> String {
    json.raw(value).to_owned()
}

fn node_layout(json: &Document) -> NodeLayout {
    let spelled = entries(json, "spelled").filter_map(|(key, pair)| {
        let mut pair = json.items(pair);
        let hash = json.string(pair.next()?)?.into_owned();
        Some((key, hash, raw(json, pair.next()?)))
    });
    NodeLayout {
        position: None,
        keys: member(json, "keys").map(|keys| strings_in(json, keys)),
        raw: entries(json, "raw").map(|(key, value)| (key, raw(json, value))).collect(),
        spelled: spelled.collect(),
        order: entries(json, "order").map(|(key, value)| (key, strings_in(json, value))).collect(),
        turned: strings(json, "turned"),
        decimal: strings(json, "decimal"),
        references: strings(json, "references"),
        is_raw: member(json, "isRaw").is_some(),
    }
}

fn document_entries(json: &Document, graph: &Graph<'_>, layout: &mut Layout) -> bool {
    if !json.is_object(json.root()) {
        return false;
    }
    layout.style = style(json);
    layout.in_array = member(json, "inArray").is_some();
    layout.id_key = string(json, "id");
    layout.type_key = string(json, "type");
    layout.remote = entries(json, "remote").map(|(key, value)| (key, raw(json, value))).collect();
    for (name, place) in entries(json, "places") {
        let of = |key: &str| json.get(place, key).map(|array| strings_in(json, array)).unwrap_or_default();
        let place = PlaceLayout {
            keys: of("keys"),
            turned: of("turned"),
            decimal: of("decimal"),
            names: of("names"),
        };
        layout.places.insert(name, place);
    }
    renamed(json, graph, layout);
    true
}

fn style(json: &Document) -> Style {
    let usual = Style::default();
    let indent = string(json, "indent").or(usual.indent);
    Style {
        indent: if member(json, "oneLine").is_some() { None } else { indent },
        line_end: string(json, "lineEnd").unwrap_or(usual.line_end),
        after_comma: string(json, "afterComma").unwrap_or(usual.after_comma),
        colon: string(json, "colon").unwrap_or(usual.colon),
        flat_arrays: member(json, "flatArrays").is_some(),
        streamed: member(json, "streamed").is_some(),
        json_lines: member(json, "jsonLines").is_some(),
        ascii: member(json, "ascii").is_some(),
        end: string(json, "end").unwrap_or(usual.end),
    }
}

fn renamed(json: &Document, graph: &Graph<'_>, layout: &mut Layout) {
    let numbered: HashMap<String, Vec<(u64, u64)>> = entries(json, "numbered")
        .map(|(original, ranges)| {
            let ranges = json.string(ranges).unwrap_or_default();
            let ranges = ranges.split(',').filter_map(|range| {
                let (first, last) = range.split_once('-').unwrap_or((range, range));
                Some((first.parse().ok()?, last.parse().ok()?))
            });
            (original, ranges.collect())
        })
        .collect();
    if !numbered.is_empty() {
        layout.renamed.extend(numbered_ids(graph, &numbered));
    }
    for original in strings(json, "questions") {
        layout.renamed.insert(format!("{original}{QUESTION}"), original);
    }
    layout.renames_all_questions = member(json, "questions").is_some_and(|all| !json.is_array(all));
    if layout.renames_all_questions {
        layout.renamed.extend(question_ids(graph));
    }
    for (new, original) in entries(json, "renamed") {
        if let Some(original) = json.string(original) {
            layout.renamed.insert(new, original.into_owned());
        }
    }
}

/// The ids among all IRIs that have one of the numbers behind an original.
fn numbered_ids(graph: &Graph<'_>, numbered: &HashMap<String, Vec<(u64, u64)>>) -> Vec<(String, String)> {
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

/// The ids of nodes that another node's id begins, with what loading appends to questions.
pub(super) fn question_ids(graph: &Graph<'_>) -> Vec<(String, String)> {
    let quads = graph.quads();
    let mut found = Vec::new();
    for &node in graph.subjects() {
        let TermRef::Iri(iri) = quads.term(node) else { continue };
        let Some(item) = iri.strip_suffix(QUESTION) else { continue };
        if quads.find_iri(item).is_some_and(|item| graph.is_subject(item)) {
            found.push((graph.original_id(iri), graph.original_id(item)));
        }
    }
    found
}

/// Returns what is said of entries that do not fit.
pub(super) fn stale((count, first): (u64, Option<String>), broken: u64, name: &str) -> Option<Diagnostic> {
    let count = count + broken;
    let first = first.map_or_else(String::new, |first| format!(", the first for {first}"));
    let message = match count {
        0 => return None,
        1 => format!(
            "one entry of the sidecar of `{name}` does not fit its graph any more{first}; it is ignored"
        ),
        _ => format!(
            "{count} entries of the sidecar of `{name}` do not fit its graph any more{first}; they are ignored"
        ),
    };
    Some(Diagnostic::new(Severity::Warning, "sidecar::stale", message))
}
