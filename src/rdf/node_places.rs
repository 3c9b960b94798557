//! Where in files the nodes of a buffer stand, for what has to be said of them later.

use super::quad_buffer::{NodeTokens, TermId};
use crate::diagnostic::Place;
use crate::json::{Document, TokenId};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The documents that quads were made of, each with the nodes of its tokens.
#[derive(Debug, Default)]
pub(super) struct NodePlaces {
    documents: Vec<(Arc<Document>, NodeTokens)>,
}

impl NodePlaces {
    /// Adds a document whose nodes are known.
    pub(super) fn add(&mut self, document: &Arc<Document>, nodes: NodeTokens) {
        self.documents.push((Arc::clone(document), nodes));
    }

    /// The first object of each of some nodes, as far as they stand in documents.
    ///
    /// Costs a pass over the tokens of all documents.
    pub(super) fn of(&self, nodes: impl Iterator<Item = TermId>) -> HashMap<TermId, Place> {
        let mut wanted: HashSet<TermId> = nodes.collect();
        let mut found = HashMap::with_capacity(wanted.len());
        for (document, nodes) in &self.documents {
            let mut source = None;
            for token in (0..document.token_count()).map(TokenId::from_index) {
                if wanted.is_empty() {
                    return found;
                }
                let node = nodes.get(token).filter(|_| document.is_object(token));
                if let Some(node) = node.filter(|node| wanted.remove(node)) {
                    let source = source.get_or_insert_with(|| document.source_text());
                    found.insert(node, source.place(document.marked(token)));
                }
            }
        }
        found
    }
}
