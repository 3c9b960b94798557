//! The quads of a [`QuadBuffer`] by graph, subject and predicate, each group in the order in which its quads were
//! added.
//!
//! Terms are numbers, so a counting sort orders the quads in a few passes, whatever their original order.

use std::ops::Range;

use super::quad_buffer::{BufferQuad, BufferTermId, QuadBuffer};

/// Positions of quads in groups.
#[derive(Debug)]
pub struct QuadGrouping {
    order: Vec<u32>,
    subjects: Vec<SubjectGroup>,
    graphs: Vec<GraphGroup>,
}

/// The quads of one subject in one graph.
#[derive(Debug, Clone, Copy)]
pub struct SubjectGroup {
    /// The subject.
    pub subject: BufferTermId,
    start: u32,
    end: u32,
}

/// The subjects of one graph.
#[derive(Debug, Clone)]
pub struct GraphGroup {
    /// None for the default graph.
    pub name: Option<BufferTermId>,
    /// Positions in [`QuadGrouping::subjects`], which are sorted by term.
    pub subjects: Range<usize>,
}

impl QuadGrouping {
    /// Groups quads; the statements with the predicate `first` come first among those of a subject.
    pub fn from_quads(quads: &QuadBuffer, first: Option<BufferTermId>) -> Self {
        let quad = |at: u32| &quads.quads()[at as usize];
        let arrival: Vec<u32> = (0..quads.len() as u32).collect();
        let mut order = counting_sort(&arrival, quads.term_count(), |at| quad(at).subject.index());
        if quads.quads().iter().any(|quad| quad.graph.is_some()) {
            let graph = |at| quad(at).graph.map_or(0, |graph| graph.index() + 1);
            order = counting_sort(&order, quads.term_count() + 1, graph);
        }
        let mut grouping = Self { order, subjects: Vec::new(), graphs: Vec::new() };
        grouping.cut(quads);
        for group in &grouping.subjects {
            let statements = &mut grouping.order[group.start as usize..group.end as usize];
            // The sort is stable, so values stay in their original order.
            statements.sort_by_key(|&at| (Some(quad(at).predicate) != first, quad(at).predicate));
        }
        grouping
    }

    fn cut(&mut self, quads: &QuadBuffer) {
        let same = |&left: &u32, &right: &u32| {
            let (left, right) = (quads.quads()[left as usize], quads.quads()[right as usize]);
            (left.graph, left.subject) == (right.graph, right.subject)
        };
        let mut start = 0;
        for group in self.order.chunk_by(same) {
            let BufferQuad { subject, graph, .. } = quads.quads()[group[0] as usize];
            let end = start + group.len() as u32;
            let at = self.subjects.len();
            match self.graphs.last_mut() {
                Some(open) if open.name == graph => open.subjects.end = at + 1,
                _ => self.graphs.push(GraphGroup { name: graph, subjects: at..at + 1 }),
            }
            self.subjects.push(SubjectGroup { subject, start, end });
            start = end;
        }
    }

    /// The graphs that have quads, the default graph first.
    pub fn graphs(&self) -> &[GraphGroup] {
        &self.graphs
    }

    /// The subjects of all graphs.
    pub fn subjects(&self) -> &[SubjectGroup] {
        &self.subjects
    }

    /// The positions of a subject's quads.
    pub fn statements(&self, group: SubjectGroup) -> &[u32] {
        &self.order[group.start as usize..group.end as usize]
    }
}

/// Sorts positions by a key below `keys`; positions with equal keys stay in their order.
fn counting_sort(positions: &[u32], keys: usize, key: impl Fn(u32) -> usize) -> Vec<u32> {
    let mut next = vec![0_u32; keys + 1];
    for &at in positions {
        next[key(at) + 1] += 1;
    }
    let mut total = 0;
    for count in &mut next {
        total += *count;
        *count = total;
    }
    let mut sorted = vec![0; positions.len()];
    for &at in positions {
        let slot = &mut next[key(at)];
        sorted[*slot as usize] = at;
        *slot += 1;
    }
    sorted
}
