//! Shapes that refer to themselves. The specification leaves their meaning open (SHACL, section 3.4.3). Here, a node
//! conforms to a shape that is already being checked for that node. This has one result unless a negation lies on the
//! way; with a negation it has none, and the shapes are rejected.

use super::ids::ShapeId;
use super::shape::Shape;

/// The group of a shape: the shapes that refer to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RecursionGroup {
    pub(super) number: usize,
    /// `true` if the shape refers to itself, directly or indirectly.
    pub(super) is_recursive: bool,
}

/// Finds the strongly connected components of the references between shapes (Tarjan 1972), without recursion.
pub(super) fn components(shapes: &[Shape]) -> Vec<RecursionGroup> {
    let references: Vec<Vec<usize>> = shapes.iter().map(references).collect();
    let mut search = RecursionSearch {
        index: vec![usize::MAX; shapes.len()],
        low: vec![0; shapes.len()],
        on_stack: vec![false; shapes.len()],
        stack: Vec::new(),
        next: 0,
        groups: vec![RecursionGroup { number: usize::MAX, is_recursive: false }; shapes.len()],
        found: 0,
    };
    for root in 0..shapes.len() {
        if search.index[root] == usize::MAX {
            search.visit(root, &references);
        }
    }
    search.groups
}

fn references(shape: &Shape) -> Vec<usize> {
    let references = shape.constraints.iter().flat_map(|constraint| constraint.check.references());
    references.map(|(shape, _)| shape.index()).collect()
}

struct RecursionSearch {
    index: Vec<usize>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    next: usize,
    groups: Vec<RecursionGroup>,
    found: usize,
}

impl RecursionSearch {
    fn enter(&mut self, shape: usize) {
        self.index[shape] = self.next;
        self.low[shape] = self.next;
        self.next += 1;
        self.stack.push(shape);
        self.on_stack[shape] = true;
    }

    fn visit(&mut self, root: usize, references: &[Vec<usize>]) {
        // Each entry has the position of the next reference to follow. This replaces the call stack.
        let mut path = vec![(root, 0)];
        self.enter(root);
        while let Some((shape, place)) = path.last_mut() {
            let shape = *shape;
            if let Some(&other) = references[shape].get(*place) {
                *place += 1;
                if self.index[other] == usize::MAX {
                    self.enter(other);
                    path.push((other, 0));
                } else if self.on_stack[other] {
                    // Other shapes belong to finished components, which cannot lead back here.
                    self.low[shape] = self.low[shape].min(self.index[other]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                self.low[*parent] = self.low[*parent].min(self.low[shape]);
            }
            // No shape of the component was entered before this one, so the component is complete.
            if self.low[shape] == self.index[shape] {
                self.close(shape, references);
            }
        }
    }

    /// Removes a whole component from the stack.
    fn close(&mut self, root: usize, references: &[Vec<usize>]) {
        let start = self.stack.iter().rposition(|shape| *shape == root).unwrap_or(0);
        let members = self.stack.split_off(start);
        let is_recursive = members.len() > 1 || references[root].contains(&root);
        for member in members {
            self.on_stack[member] = false;
            self.groups[member] = RecursionGroup { number: self.found, is_recursive };
        }
        self.found += 1;
    }
}

/// Finds a reference through a negation inside of a component: the referring shape and the one it refers to.
pub(super) fn negated_recursion(shapes: &[Shape]) -> Option<(ShapeId, ShapeId)> {
    let groups = components(shapes);
    for (place, shape) in shapes.iter().enumerate() {
        for (other, is_negated) in shape.constraints.iter().flat_map(|one| one.check.references()) {
            if is_negated && groups[place].number == groups[other.index()].number {
                let own = ShapeId(u32::try_from(place).unwrap_or(u32::MAX));
                return Some((own, other));
            }
        }
    }
    None
}
