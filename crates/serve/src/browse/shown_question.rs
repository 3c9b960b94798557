//! The question that is shown, with its neighbouring nodes.

use super::node_lookup::NodeLookup;
use evalgraph_store::TermId;

/// The most ratings, sources, answers and the like that are shown, of each kind.
pub(super) const MOST: usize = 1_000;

/// A question, its item and its document.
pub(super) struct ShownQuestion<'a> {
    pub(super) nodes: NodeLookup<'a>,
    pub(super) question: TermId,
    pub(super) item: Option<TermId>,
    /// The root nodes of its document.
    pub(super) roots: Vec<TermId>,
}

impl ShownQuestion<'_> {
    /// Returns the first string of a property of the item or the question.
    pub(super) fn text(&self, property: &str) -> Option<String> {
        let holders = self.item.into_iter().chain([self.question]);
        holders.into_iter().find_map(|holder| self.nodes.text(holder, property))
    }
}
