//! Compares runs of evaluations: which of two models is better, by how much, and whether that is more than chance.

pub mod compared_inputs;
pub mod forms;
pub mod run_comparison;
pub mod run_reading;
pub mod run_sides;
pub mod run_table;
pub mod sample_pairing;
