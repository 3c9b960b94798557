//! Finds, changes, adds and removes one question, by updates of its graph.

pub(crate) mod addition;
pub(crate) mod change;
pub(crate) mod dates;
pub(crate) mod edit;
pub(crate) mod keywords;
pub(crate) mod named;
pub(crate) mod new_checkpoint_item;
pub(crate) mod new_question;
mod new_record;
mod new_sample;
mod recount;
pub(crate) mod removal;
pub(crate) mod scope;
pub(crate) mod statements;
pub(crate) mod update;
