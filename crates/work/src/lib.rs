//! How work is done: on which threads, and what tells it to end.

mod cancellation;
pub mod pool;

pub use cancellation::{CancellationToken, EvaluationTurns};
