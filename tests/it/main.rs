//! The integration tests, one binary, one subject a file.

mod architecture;
mod collecting_sink;
mod conformance;
mod conformance_binary;
mod conformance_json;
mod conformance_suite;
mod isomorphism;
mod formats;
mod json;
mod store;
mod store_oracle;
mod karenina_contexts;
