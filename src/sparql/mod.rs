//! SPARQL 1.1: named queries with typed parameters, evaluation, result formats.

pub mod construct;
pub mod order_by;
pub mod point;
