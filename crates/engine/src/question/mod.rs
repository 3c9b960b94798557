//! Finds, changes, adds and removes one question, by updates of its graph.

pub mod addition;
pub mod dates;
pub mod edit;
pub mod edited_question;
pub mod keywords;
mod known_questions;
pub mod new_checkpoint_item;
pub mod new_question;
pub mod question_change_text;
pub mod question_named;
pub mod question_update_writer;
mod recount;
pub mod removal;
pub mod scope;
pub mod statement_writer;
mod table_change;
