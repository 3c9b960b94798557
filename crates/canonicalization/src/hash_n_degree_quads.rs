//! Hash N-Degree Quads (RDFC-1.0, section 4.8), with Hash Related Blank Node (4.7).
//!
//! The specification recurses and copies issuers. This implementation keeps the calls in a list of frames, so a long
//! chain needs no stack. It has one issuer with a log that is rolled back, so the cost of a chain grows with its length
//! only. Steps are limited: each hash, each node in a permutation, and each quad read to tell nodes apart is one step.

use super::canonicalization_state::{
    BlankNodeQuads, CanonicalizationError, CanonicalizationOptions, HashAlgorithm, HashDigest,
    IdentifierIssuer, NONE, blank_components,
};
use evalgraph_rdf::blank_node_labels::write_number;
use evalgraph_rdf::quad_buffer::{BufferQuad, QuadBuffer, TermRef};

/// In the quads of a node, the node itself.
const ITSELF: u32 = u32::MAX;

/// The algorithm over one dataset.
pub(super) struct HashNDegreeQuads<'s> {
    quads: &'s QuadBuffer,
    mentions: &'s BlankNodeQuads,
    first_degree: &'s [HashDigest],
    algorithm: HashAlgorithm,
    work_limit: u64,
    work: u64,
    /// The temporary issuer: the number issued to each blank node, and the nodes in the order of issue.
    temporary: Vec<u32>,
    log: Vec<u32>,
    /// The text to hash.
    input: String,
}

/// The next step of a call.
#[derive(Debug, Clone, Copy)]
enum HashCallStage {
    /// Step 5: takes the next related hash.
    NextHash,
    /// Step 5.4: tries the current permutation.
    TryPermutation,
    /// Step 5.4.5: hashes the next node of the recursion list.
    Recurse,
    /// Drops or keeps the permutation, and continues with the next one.
    NextPermutation,
}

/// A call of the algorithm.
struct HashCallFrame {
    stage: HashCallStage,
    /// The related hashes, each with a range of `related`.
    hashes: Vec<(HashDigest, usize, usize)>,
    related: Vec<u32>,
    at: usize,
    data_to_hash: String,
    permutation: NodePermutation,
    /// How many identifiers were issued when the current related hash was taken.
    base: usize,
    path: String,
    recursion_list: Vec<u32>,
    recursed: usize,
    chosen_path: String,
    /// The nodes to which the chosen issuer has issued identifiers beyond the base. If `is_chosen`, the log has them
    /// instead.
    chosen_log: Vec<u32>,
    is_chosen: bool,
}

/// The arrangements of some nodes. Nodes that cannot be distinguished are never exchanged.
#[derive(Default)]
struct NodePermutation {
    /// The nodes, grouped by kind.
    nodes: Vec<u32>,
    /// The kind of the node at each place.
    kinds: Vec<u32>,
    /// Where each kind begins in `nodes`.
    starts: Vec<u32>,
}

impl<'s> HashNDegreeQuads<'s> {
    pub(super) fn new(
        quads: &'s QuadBuffer,
        mentions: &'s BlankNodeQuads,
        first_degree: &'s [HashDigest],
        options: CanonicalizationOptions,
    ) -> Self {
        Self {
            quads,
            mentions,
            first_degree,
            algorithm: options.algorithm,
            work_limit: options.work_limit,
            work: 0,
            temporary: vec![NONE; first_degree.len()],
            log: Vec::new(),
            input: String::new(),
        }
    }

    /// Returns the hash of a blank node, computed with a new issuer, and the nodes that the issuer then knows, in the
    /// order of issue (steps 5.2.2 to 5.2.4 of the canonicalization).
    ///
    /// # Errors
    ///
    /// [`CanonicalizationError::WorkLimit`].
    pub(super) fn hash(
        &mut self,
        number: u32,
        canonical: &IdentifierIssuer,
    ) -> Result<(HashDigest, Vec<u32>), CanonicalizationError> {
        self.issue(number);
        let mut frames = vec![self.frame(number, canonical)?];
        // The last frame is the running call. Each frame before it waits in `Recurse` for the hash of the next one.
        while let Some(frame) = frames.last_mut() {
            match frame.stage {
                HashCallStage::NextHash if frame.at == frame.hashes.len() => {
                    let hash = self.algorithm.hash([frame.data_to_hash.as_str()]);
                    frames.pop();
                    let Some(caller) = frames.last_mut() else { return Ok((hash, self.take_log())) };
                    self.take_result(caller, &hash);
                }
                HashCallStage::NextHash => self.take_hash(frame)?,
                HashCallStage::TryPermutation => self.try_permutation(frame, canonical)?,
                HashCallStage::Recurse => {
                    if let Some(related) = self.next_in_recursion(frame) {
                        frames.push(self.frame(related, canonical)?);
                    }
                }
                HashCallStage::NextPermutation => self.next_permutation(frame),
            }
        }
        // The first call has returned above.
        Ok((self.algorithm.hash([]), self.take_log()))
    }

    fn step(&mut self, steps: usize) -> Result<(), CanonicalizationError> {
        self.work += steps as u64;
        if self.work > self.work_limit {
            return Err(CanonicalizationError::WorkLimit(self.work_limit));
        }
        Ok(())
    }

    fn issue(&mut self, number: u32) {
        self.temporary[number as usize] = self.log.len() as u32;
        self.log.push(number);
    }

    fn take_log(&mut self) -> Vec<u32> {
        for &number in &self.log {
            self.temporary[number as usize] = NONE;
        }
        std::mem::take(&mut self.log)
    }

    fn roll_back(&mut self, base: usize) {
        for number in self.log.drain(base..) {
            self.temporary[number as usize] = NONE;
        }
    }

    /// Steps 1 to 3: the related hashes.
    fn frame(
        &mut self,
        number: u32,
        canonical: &IdentifierIssuer,
    ) -> Result<HashCallFrame, CanonicalizationError> {
        let (quads, mentions) = (self.quads, self.mentions);
        let mut related: Vec<(HashDigest, u32)> = Vec::new();
        for &at in mentions.quads_of(number) {
            let quad = &quads.quads()[at as usize];
            for (other, position) in blank_components(quads, quad) {
                if other != number {
                    related.push((self.hash_related(other, quad, position, canonical), other));
                }
            }
        }
        self.step(related.len() + 1)?;
        // Step 5 takes the hashes in code point order, which is the order of digests.
        related.sort_unstable();
        let mut hashes: Vec<(HashDigest, usize, usize)> = Vec::new();
        for (at, (hash, _)) in related.iter().enumerate() {
            match hashes.last_mut() {
                Some((known, _, end)) if known == hash => *end = at + 1,
                _ => hashes.push((*hash, at, at + 1)),
            }
        }
        Ok(HashCallFrame {
            stage: HashCallStage::NextHash,
            hashes,
            related: related.into_iter().map(|(_, other)| other).collect(),
            at: 0,
            data_to_hash: String::new(),
            permutation: NodePermutation::default(),
            base: 0,
            path: String::new(),
            recursion_list: Vec::new(),
            recursed: 0,
            chosen_path: String::new(),
            chosen_log: Vec::new(),
            is_chosen: false,
        })
    }

    /// Hash Related Blank Node.
    fn hash_related(
        &mut self,
        related: u32,
        quad: &BufferQuad,
        position: char,
        canonical: &IdentifierIssuer,
    ) -> HashDigest {
        let mut input = std::mem::take(&mut self.input);
        input.clear();
        input.push(position);
        if position != 'g'
            && let TermRef::Iri(predicate) = self.quads.term(quad.predicate)
        {
            input.push('<');
            input.push_str(predicate);
            input.push('>');
        }
        if !self.write_identifier(related, canonical, &mut input) {
            self.algorithm.write_hex(&self.first_degree[related as usize], &mut input);
        }
        let hash = self.algorithm.hash([input.as_str()]);
        self.input = input;
        hash
    }

    /// Appends the canonical identifier of a node, else the temporary one. Returns `false` if it has neither.
    fn write_identifier(&self, number: u32, canonical: &IdentifierIssuer, text: &mut String) -> bool {
        let (prefix, issued) = match canonical.issued(number) {
            Some(issued) => ("_:c14n", issued),
            None => ("_:b", self.temporary[number as usize]),
        };
        if issued == NONE {
            return false;
        }
        text.push_str(prefix);
        write_number(issued, text);
        true
    }

    /// Steps 5.1 to 5.3.
    fn take_hash(&mut self, frame: &mut HashCallFrame) -> Result<(), CanonicalizationError> {
        let (hash, start, end) = frame.hashes[frame.at];
        if end - start > 1 {
            let looked_at = |number: &u32| self.mentions.quads_of(*number).len();
            self.step(frame.related[start..end].iter().map(looked_at).sum())?;
        }
        self.algorithm.write_hex(&hash, &mut frame.data_to_hash);
        // n nodes have n! / (k₁! · k₂! · …) arrangements if k₁, k₂, … of them are alike. The work limit ends a search
        // that is too long.
        frame.permutation = NodePermutation::new(&frame.related[start..end], |number| self.own_quads(number));
        frame.base = self.log.len();
        frame.chosen_path.clear();
        frame.is_chosen = false;
        frame.stage = HashCallStage::TryPermutation;
        Ok(())
    }

    /// The quads of a node, with a placeholder for the node itself. Two nodes with equal quads are interchangeable:
    /// every path through one node is a path through the other.
    fn own_quads(&self, number: u32) -> Vec<[u32; 4]> {
        let itself = |quad: &BufferQuad| {
            [Some(quad.subject), Some(quad.predicate), Some(quad.object), quad.graph].map(|term| match term {
                Some(term) if self.quads.blank_node_number(term) == Some(number) => ITSELF,
                Some(term) => term.index() as u32,
                None => ITSELF - 1,
            })
        };
        let positions = self.mentions.quads_of(number);
        let mut own: Vec<_> = positions.iter().map(|&at| itself(&self.quads.quads()[at as usize])).collect();
        own.sort_unstable();
        own
    }

    /// Steps 5.4.1 to 5.4.4.
    fn try_permutation(
        &mut self,
        frame: &mut HashCallFrame,
        canonical: &IdentifierIssuer,
    ) -> Result<(), CanonicalizationError> {
        self.step(frame.permutation.kinds.len())?;
        frame.path.clear();
        frame.recursion_list.clear();
        frame.recursed = 0;
        // Nodes of one kind are taken in their order, so each arrangement of kinds is one permutation.
        let mut next = frame.permutation.starts.clone();
        for &kind in &frame.permutation.kinds {
            let slot = &mut next[kind as usize];
            let related = frame.permutation.nodes[*slot as usize];
            *slot += 1;
            if canonical.issued(related).is_none() && self.temporary[related as usize] == NONE {
                frame.recursion_list.push(related);
                self.issue(related);
            }
            self.write_identifier(related, canonical, &mut frame.path);
        }
        frame.stage = if frame.is_worse() { HashCallStage::NextPermutation } else { HashCallStage::Recurse };
        Ok(())
    }

    /// Step 5.4.5, or 5.4.6 at the end of the recursion list.
    fn next_in_recursion(&mut self, frame: &mut HashCallFrame) -> Option<u32> {
        if let Some(&related) = frame.recursion_list.get(frame.recursed) {
            return Some(related);
        }
        if frame.chosen_path.is_empty() || frame.path < frame.chosen_path {
            std::mem::swap(&mut frame.chosen_path, &mut frame.path);
            frame.is_chosen = true;
        }
        frame.stage = HashCallStage::NextPermutation;
        None
    }

    /// Steps 5.4.5.2 to 5.4.5.5. The issuer of the result is the temporary issuer.
    fn take_result(&mut self, frame: &mut HashCallFrame, hash: &HashDigest) {
        let related = frame.recursion_list[frame.recursed];
        frame.path.push_str("_:b");
        write_number(self.temporary[related as usize], &mut frame.path);
        frame.path.push('<');
        self.algorithm.write_hex(hash, &mut frame.path);
        frame.path.push('>');
        frame.recursed += 1;
        if frame.is_worse() {
            frame.stage = HashCallStage::NextPermutation;
        }
    }

    /// Continues with the next permutation, or with steps 5.5 and 5.6 after the last one.
    fn next_permutation(&mut self, frame: &mut HashCallFrame) {
        if frame.permutation.advance() {
            if std::mem::take(&mut frame.is_chosen) {
                // The log is rolled back for the next permutation, so the chosen issuer is saved first.
                frame.chosen_log.clear();
                frame.chosen_log.extend_from_slice(&self.log[frame.base..]);
            }
            self.roll_back(frame.base);
            frame.stage = HashCallStage::TryPermutation;
            return;
        }
        if !frame.is_chosen {
            self.roll_back(frame.base);
            // Issued in the same order from the same base, so each node gets the same identifier again (step 5.6).
            for at in 0..frame.chosen_log.len() {
                self.issue(frame.chosen_log[at]);
            }
        }
        frame.data_to_hash.push_str(&frame.chosen_path);
        frame.at += 1;
        frame.stage = HashCallStage::NextHash;
    }
}

impl HashCallFrame {
    /// Returns whether the path can no longer become the chosen one.
    fn is_worse(&self) -> bool {
        // Steps 5.4.4.3 and 5.4.5.5. The order of UTF-8 bytes is that of code points.
        !self.chosen_path.is_empty()
            && self.path.len() >= self.chosen_path.len()
            && self.path > self.chosen_path
    }
}

impl NodePermutation {
    /// The first arrangement. Nodes with equal `own_quads` are of one kind.
    fn new(nodes: &[u32], own_quads: impl Fn(u32) -> Vec<[u32; 4]>) -> Self {
        if let [node] = nodes {
            return Self { nodes: vec![*node], kinds: vec![0], starts: vec![0] };
        }
        let mut described: Vec<(Vec<[u32; 4]>, u32)> =
            nodes.iter().map(|&node| (own_quads(node), node)).collect();
        described.sort_unstable();
        let mut permutation = Self::default();
        for (at, (own, node)) in described.iter().enumerate() {
            if at == 0 || described[at - 1].0 != *own {
                permutation.starts.push(at as u32);
            }
            permutation.nodes.push(*node);
            permutation.kinds.push(permutation.starts.len() as u32 - 1);
        }
        permutation
    }

    /// Moves to the next arrangement in lexicographic order. Returns `false` after the last one.
    fn advance(&mut self) -> bool {
        let kinds = &mut self.kinds;
        // The kinds from `falling` on are in their last arrangement. Reversed, they are in the first one.
        let Some(falling) = (1..kinds.len()).rev().find(|&at| kinds[at - 1] < kinds[at]) else {
            return false;
        };
        let pivot = falling - 1;
        let larger = (falling..kinds.len()).rev().find(|&at| kinds[at] > kinds[pivot]).unwrap_or(falling);
        kinds.swap(pivot, larger);
        kinds[falling..].reverse();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrangements_leave_nodes_of_one_kind_in_their_order() {
        let mut permutation = NodePermutation::new(&[7, 8, 9], |node| vec![[node.min(8); 4]]);
        let mut arrangements = vec![permutation.kinds.clone()];
        while permutation.advance() {
            arrangements.push(permutation.kinds.clone());
        }
        assert_eq!(arrangements, [[0, 1, 1], [1, 0, 1], [1, 1, 0]]);
    }
}
