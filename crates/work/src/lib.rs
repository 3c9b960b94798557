//! The threads that do the work, and the token that cancels it.

mod cancellation;
mod per_process;
pub mod pool;

pub use cancellation::{CancellationToken, EvaluationTurns};
pub use per_process::PerProcess;
