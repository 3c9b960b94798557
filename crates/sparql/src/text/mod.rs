//! The text of a query or an update: its tokens, its grammar, and the messages about its faults.

pub(super) mod diagnosis;
pub(super) mod grammar;
pub(super) mod grammar_expression;
pub(super) mod grammar_pattern;
pub(super) mod grammar_update;
pub(super) mod grouped_forms;
pub(super) mod hints;
pub(super) mod prefixes;
pub(super) mod query_respelling;
pub(super) mod query_text_fault;
pub(super) mod size;
pub(super) mod tokens;
pub(super) mod ungrouped_variable;
