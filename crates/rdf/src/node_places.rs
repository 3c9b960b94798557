//! The handles of terms in a buffer of quads, and the places of nodes in files, which later messages point to.

use evalgraph_diagnostics::SourcePlace;
use evalgraph_json::{JsonDocument, TokenId};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The handle of a term in a [`QuadBuffer`](super::QuadBuffer).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BufferTermId(pub(super) u32);

impl BufferTermId {
    /// The handle as an index, for tables beside the buffer.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The handle of the `index`-th term in the order in which terms were added.
    pub fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).expect("inputs are limited to far fewer terms"))
    }
}

/// The documents that the quads came from, each with the nodes of its tokens.
#[derive(Debug, Default)]
pub(super) struct NodePlaces {
    documents: Vec<(Arc<JsonDocument>, NodeTokens)>,
}

impl NodePlaces {
    /// Adds a document whose nodes are known.
    pub(super) fn add(&mut self, document: &Arc<JsonDocument>, nodes: NodeTokens) {
        self.documents.push((Arc::clone(document), nodes));
    }

    /// The places of some nodes: for each, the first object of a document that is the node.
    ///
    /// Costs a pass over the tokens of all documents.
    pub(super) fn places_of(
        &self,
        nodes: impl Iterator<Item = BufferTermId>,
    ) -> HashMap<BufferTermId, SourcePlace> {
        let mut wanted: HashSet<BufferTermId> = nodes.collect();
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

/// The nodes that correspond to the tokens of a document.
#[derive(Debug, Default, Clone)]
pub struct NodeTokens {
    /// By the index of the token; 0 means no node, any other number is the index of the term plus one.
    pub(super) by_token: Vec<u32>,
}

impl NodeTokens {
    /// The node of a token that is an object or a reference; none for other tokens.
    #[inline]
    pub fn get(&self, token: TokenId) -> Option<BufferTermId> {
        self.by_token.get(token.index())?.checked_sub(1).map(BufferTermId)
    }

    pub(super) fn set(&mut self, token: TokenId, node: BufferTermId) {
        if self.by_token.len() <= token.index() {
            self.by_token.resize(token.index() + 1, 0);
        }
        self.by_token[token.index()] = node.0 + 1;
    }
}
