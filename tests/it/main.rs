//! The integration tests, one binary, one subject a file.

mod architecture;
mod collecting_sink;
mod conformance;
mod conformance_binary;
mod conformance_json;
mod conformance_suite;
mod formats;
mod isomorphism;
mod json;
mod karenina_adapt;
mod oracle;
mod oracle_differences;
mod oracle_documents;
mod oracle_generated;
mod oracle_peers;
mod karenina_contexts;
mod store;
mod store_oracle;
mod karenina_dialects;
mod karenina_figures;
mod karenina_fixtures;
mod karenina_identifiers;
mod karenina_vocabulary;
mod queries;
