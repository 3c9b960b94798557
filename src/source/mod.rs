//! The systems whose files are read, one folder each.

pub mod karenina;
