//! Karenina, whose programs write and read checkpoints: the names of its forms and profiles, the rules of its readers,
//! and its exports of results. Checkpoints themselves are in `checkpoint`.

mod karenina_names;
mod karenina_programs;
pub mod results_export;
mod results_figures;
pub(crate) mod results_table;
pub mod rules;
mod system;
mod verification_scores;

pub(crate) use karenina_programs::KareninaPrograms;
pub(crate) use system::KareninaSystem;
