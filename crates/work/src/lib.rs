//! The threads that do the work, and the token that cancels it.

mod cancellation;
pub mod pool;

pub use cancellation::{CancellationToken, EvaluationTurns};
