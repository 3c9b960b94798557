//! Answers as tables, text and graphs.

pub(super) mod clipped_text;
pub(super) mod construct;
pub(super) mod copied_triples;
pub(super) mod display;
pub(super) mod graph_triples;
pub(super) mod html_page;
pub(super) mod markdown_table;
pub(super) mod plain_rows;
pub(super) mod result_format;
pub(super) mod terminal_table;
pub(super) mod web_link;
