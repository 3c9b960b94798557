//! The data behind the page: lists of questions, and single questions with everything that belongs to them.

mod answer_sources;
mod links;
pub(crate) mod list;
pub(crate) mod name_lookup;
mod node_lookup;
pub(crate) mod number_order;
mod numbered_texts;
mod question_details;
mod question_order;
pub(crate) mod question_parts;
mod question_reviews;
pub(crate) mod question_table;
mod question_table_reader;
mod rating_tally;
mod searchable_texts;
mod shown_question;
mod traits;
mod wanted_places;
