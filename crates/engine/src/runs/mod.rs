//! Compares runs of evaluations: which of two models is better, by how much, and whether that is more than chance.

pub mod compared_inputs;
pub mod forms;
pub mod run_comparison;
pub mod run_reading;
pub mod run_sides;
pub mod run_table;
pub mod sample_pairing;

pub use forms::ComparisonForm;
pub use run_comparison::{
    ComparedGroup, ComparisonRow, DifferenceVerdict, FlippedSample, RunComparison, RunComparisonOptions,
    SideComparison,
};
pub use run_sides::{RunSide, SideKey};
pub use run_table::{ResultPlace, RunTable};
