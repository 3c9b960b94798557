//! Writes a graph as a JSON-LD document: the tree below the root, with each node written out where it is first
//! mentioned, compacted under a context.
//!
//! The result does not depend on the order of the quads or on the labels of blank nodes. A [`DocumentLayout`], which
//! [`sidecar`](super::sidecar) keeps, has the facts that RDF cannot represent. Without a layout the document is that of
//! [`checkpoint`]: everything that is in RDF, ordered by name.

mod compaction_forms;
mod compaction_samples;
mod content;
mod indexed_graph;
mod key_rules;
mod layout;
mod planner;
mod rewriting_context;
mod root;
mod tree_findings;
mod tree_writer;

/// How the document is laid out.
pub use evalgraph_json::{JsonStyle, StyledJson};
pub use indexed_graph::{IndexedGraph, NodeStatements, QuadsByGraph};
pub use layout::{DocumentLayout, NodeLayout, PlaceLayout, place_name};
pub use rewriting_context::{RemoteContexts, RewritingContext, minified, remote_contexts};
pub use tree_findings::StaleEntries;

pub(crate) use compaction_forms::{CompactionForms, CompactionKind, KeyId, ValueForm};
pub use content::{double_text, order_hashes};
pub(crate) use planner::{NodePlanner, PlannedEntry, PlannedValue};

use crate::checkpoint::CheckpointProfile;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::{JsonDocument, Limits, parse};
use evalgraph_rdf::quad_buffer::BufferTermId;
use std::rc::Rc;
use tree_writer::TreeWriter;

/// A graph as a JSON-LD document.
#[derive(Debug)]
pub struct RewrittenDocument {
    /// The text.
    pub text: String,
    /// Findings about parts that could not be written as they are, each with a count: cycles, nodes with two parents,
    /// nodes outside the tree.
    pub findings: Vec<Diagnostic>,
    /// Entries of the layout that no longer fit the graph.
    pub stale: StaleEntries,
    /// How many entries of the layout are about nodes and values that the graph no longer has.
    pub gone: u64,
}

impl RewrittenDocument {
    /// Returns the text as a document with places.
    ///
    /// # Errors
    ///
    /// A diagnostic if the text is larger than a document may be.
    pub fn into_document(self, name: &str) -> Result<JsonDocument, Box<Diagnostic>> {
        parse(name, self.text, Limits { size: u64::MAX, ..Limits::default() })
    }
}

/// Writes a graph as a checkpoint, without a sidecar: the context is the one of Karenina's that has the graph's
/// properties (`karenina-spec` for a `Dataset`, `karenina-gui` if traits are under `rating`, else `karenina`), and
/// arrays are ordered by names and ids. Ids that are not IRIs, which loading keeps below
/// `urn:evalgraph:karenina:{dataset}:`, are written as they were.
///
/// ```
/// use evalgraph_rdf::{QuadBuffer, ReadOptions, RdfFormat, read};
/// use evalgraph_formats::rewriting::{IndexedGraph, checkpoint};
///
/// let text = b"[] a <http://schema.org/DataFeed> ; <http://schema.org/name> 'Sums' .";
/// let mut quads = QuadBuffer::new();
/// read("sums.ttl", text, ReadOptions { format: RdfFormat::Turtle, base: None }, &mut quads).expect("it is Turtle");
/// let rewritten = checkpoint(&IndexedGraph::new(&quads, None))?;
/// assert!(rewritten.text.ends_with("\"@type\": \"DataFeed\",\n  \"name\": \"Sums\"\n}"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// `karenina::no-checkpoint` if the graph has no `DataFeed` or `Dataset`, and `karenina::several-checkpoints` if it has
/// more than one.
pub fn checkpoint(graph: &IndexedGraph<'_>) -> Result<RewrittenDocument, Box<Diagnostic>> {
    let root = root::find(graph)?;
    let context = RewritingContext::built_in(context_name(graph, root));
    let layout = DocumentLayout::default();
    Ok(write(graph, root, Rc::new(context), &layout))
}

/// Writes the tree below a node, with the context and the other settings of a layout.
pub fn with_layout(
    graph: &IndexedGraph<'_>,
    root: BufferTermId,
    layout: &DocumentLayout,
) -> RewrittenDocument {
    let context = RewritingContext::new(layout.context.clone(), &layout.remote);
    write(graph, root, Rc::new(context), layout)
}

/// Returns the name of the built-in context for a graph.
fn context_name(graph: &IndexedGraph<'_>, root: BufferTermId) -> &'static str {
    let mut classes = graph.rdf_type().into_iter().flat_map(|rdf_type| graph.objects(root, rdf_type));
    if classes.any(|class| graph.local_name(class) == Some("Dataset")) {
        return CheckpointProfile::Spec.name();
    }
    let ratings = graph.schema_org("rating");
    let nodes = graph.subjects().iter();
    let mut statements = nodes.flat_map(|&node| graph.statements(node));
    let has_ratings = statements.any(|statement| ratings.contains(&statement.0));
    if has_ratings { CheckpointProfile::Interface.name() } else { CheckpointProfile::Library.name() }
}

fn write(
    graph: &IndexedGraph<'_>,
    root: BufferTermId,
    context: Rc<RewritingContext>,
    layout: &DocumentLayout,
) -> RewrittenDocument {
    let own = context.own.clone();
    let mut forms = CompactionForms::new(graph.quads(), context);
    forms.set_keywords(layout.id_key.as_deref(), layout.type_key.as_deref());
    forms.prepare(graph);
    let planner = NodePlanner::new(graph, root, forms, layout);
    let (text, planner) = TreeWriter::new(planner, own).run(root);
    let unreached = planner.unreached();
    let found = planner.findings;
    let findings = found.diagnostics(graph, &unreached);
    let is_gone = |node: BufferTermId| !graph.is_subject(node) && graph.mentions(node) == 0;
    let gone = layout.nodes.keys().filter(|&&node| is_gone(node)).count() as u64;
    RewrittenDocument { text, findings, stale: found.stale, gone: gone + found.gone_values }
}
