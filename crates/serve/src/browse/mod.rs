//! What a page shows of the data: lists of questions, one question with all that belongs to it.

mod asked;
pub(crate) mod belonging;
mod links;
pub(crate) mod list;
pub(crate) mod names;
mod nodes;
mod order;
mod question;
pub(crate) mod questions;
mod rated;
mod ratings;
mod reading;
mod searched;
pub(crate) mod sorting;
mod sources;
mod traits;
mod values;
mod wanted;
