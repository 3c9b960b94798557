//! The rule that the parts of a record belong together: fields from two sources need a reference between these sources.

use std::collections::HashMap;

use super::croissant_graph::CroissantGraph;
use super::reporter::CroissantReporter;
use crate::code::CheckRule;
use crate::teller::{FaultDescription, StatementPart, shortened};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_store::TermId;

/// Groups of sources that are joined by references.
#[derive(Default)]
struct JoinedSources {
    parents: HashMap<TermId, TermId>,
}

impl JoinedSources {
    fn root(&mut self, source: TermId) -> TermId {
        let mut root = source;
        while let Some(parent) = self.parents.get(&root).copied() {
            // Path halving makes the next lookup shorter.
            if let Some(above) = self.parents.get(&parent).copied() {
                self.parents.insert(root, above);
            }
            root = parent;
        }
        root
    }

    fn join(&mut self, left: TermId, right: TermId) {
        let (left, right) = (self.root(left), self.root(right));
        if left != right {
            self.parents.insert(left.max(right), left.min(right));
        }
    }
}

/// A source of a record set's field.
struct FieldSource {
    /// The statement that names it.
    at: StatementPart,
    container: TermId,
}

/// Checks that the sources of a record set's fields are joined.
pub(super) fn check(
    graph: &CroissantGraph<'_>,
    reporter: &mut CroissantReporter<'_, '_>,
    record_set: TermId,
) -> Result<(), Box<Diagnostic>> {
    let mut groups = JoinedSources::default();
    let mut sources: Vec<FieldSource> = Vec::new();
    for field in graph.values(record_set, "field").iter().filter_map(|at| at.value) {
        reporter.go_on()?;
        let Some(at) = graph.values(field, "source").first().copied() else { continue };
        // A source that the document does not describe cannot be joined with anything known.
        let Some(source) = container(graph, at, &mut groups) else { return Ok(()) };
        sources.push(FieldSource { at, container: source });
        for at in graph.values(field, "references") {
            let Some(target) = container(graph, at, &mut groups) else { return Ok(()) };
            groups.join(source, target);
        }
    }
    let Some(first) = sources.first() else { return Ok(()) };
    let root = groups.root(first.container);
    let Some(other) = sources.iter().find(|source| groups.root(source.container) != root) else {
        return Ok(());
    };
    reporter.tell(CheckRule::CroissantJoin, other.at, "joins", || {
        let name = |source: &FieldSource| {
            let iri = graph.iri(source.container).map(|iri| graph.short_id(iri));
            shortened(iri.unwrap_or("another source"))
        };
        let (first, other) = (name(first), name(other));
        FaultDescription::new(format!(
            "fields of the record set come from `{first}` and `{other}`, but no reference joins them"
        ))
    });
    Ok(())
}

/// The file that a source names, or the record set of the field that it names, joined with the file of that field; none
/// if the document does not name one.
fn container(graph: &CroissantGraph<'_>, at: StatementPart, groups: &mut JoinedSources) -> Option<TermId> {
    let named = graph.origin(at.value?).filter(|origin| graph.is_described(*origin))?;
    let container = graph.record_set(named)?;
    let origin = graph.values(named, "source").first().and_then(|at| graph.origin(at.value?));
    if let Some(origin) = origin.filter(|origin| !graph.is_field(*origin)) {
        groups.join(container, origin);
    }
    Some(container)
}
