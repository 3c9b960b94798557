//! The numbers of shapes, and of the terms that they use.

/// The number of a shape among all shapes of a shapes graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapeId(pub(super) u32);

/// The number of a term that shapes use. A plan looks up each term in the data once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConstantId(pub(super) u32);

impl ShapeId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl ConstantId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}
