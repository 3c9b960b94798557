//! Finds, changes, adds and removes one question, by updates of its graph.

pub mod addition;
pub mod change;
pub mod dates;
pub mod edit;
pub mod keywords;
pub mod named;
pub mod new_checkpoint_item;
pub mod new_question;
mod new_record;
mod new_sample;
mod recount;
pub mod removal;
pub mod scope;
pub mod statements;
pub mod update;
