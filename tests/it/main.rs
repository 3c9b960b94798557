//! The integration tests, one binary, one subject a file.

mod architecture;
mod bad_input;
mod bad_input_made;
mod canonicalization_suite;
mod cli_input;
mod cli_messages;
mod cli_output;
mod cli_query;
mod collecting_sink;
mod compaction;
mod compaction_documents;
mod compaction_peers;
mod compaction_round_trip;
mod conformance;
mod conformance_binary;
mod conformance_framing;
mod conformance_json;
#[cfg(feature = "net")]
mod conformance_remote;
mod conformance_suite;
mod flattening;
mod formats;
mod framing;
mod generated;
mod html;
#[cfg(feature = "net")]
mod http_server;
mod isomorphism;
mod json;
mod json_ld_to_rdf;
mod karenina_adapt;
mod karenina_contexts;
mod karenina_counts;
mod karenina_dialects;
mod karenina_figures;
mod karenina_fixtures;
mod karenina_identifiers;
mod karenina_vocabulary;
#[cfg(feature = "net")]
mod net;
mod oracle;
mod oracle_differences;
mod oracle_documents;
mod oracle_faults;
mod oracle_generated;
mod oracle_peers;
mod queries;
mod readme;
mod sparql_evaluation;
mod sparql_messages;
mod sparql_parameters;
mod sparql_point;
mod sparql_results;
mod sparql_rewrites;
mod store;
mod store_oracle;
