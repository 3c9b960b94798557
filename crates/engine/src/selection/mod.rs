//! Chooses records of a file, so that a file of the same kind can be written with some of them or in another order.

pub mod criteria;
pub mod criteria_values;
pub mod equal_records;
pub mod moved_records;
pub mod opened_records;
mod record_facts;
mod record_lookup;
pub mod record_order;
mod record_places;
pub mod renamed_record;
mod where_expression;
