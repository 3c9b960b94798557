//! The integration tests, one binary, one subject a file, in folders by subject.

mod answers;
mod architecture;
mod architecture_circles;
#[cfg(feature = "net")]
mod bad_days;
#[cfg(feature = "serve")]
mod browser;
mod chat;
mod cli;
mod comparisons;
mod conformance;
mod docs;
mod documents;
mod endpoint;
mod english;
mod evaluation_runs;
mod evaluations;
mod explained_rules;
mod export;
#[cfg(feature = "net")]
mod faulty_server;
mod fixture_files;
mod foreign;
mod fuzzed_commands;
mod generated;
#[cfg(feature = "net")]
mod http_server;
mod json;
mod jsonld;
mod karenina;
mod kwanzaa;
mod library;
#[cfg(feature = "net")]
mod matrix;
mod names;
#[cfg(feature = "net")]
mod net;
mod places;
mod program;
mod random;
mod rdf;
mod rlcf;
mod schema_org;
#[cfg(feature = "serve")]
mod serve;
mod servers;
mod shacl;
mod share;
mod source;
mod sparql;
mod store;
mod train;

use evalgraph_suites::beside;
