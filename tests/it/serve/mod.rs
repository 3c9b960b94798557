//! The program as a server of the SPARQL protocols, met by clients over loopback.

mod attacks;
mod browse_change;
mod browse_list;
mod browse_question;
mod browsed;
mod client;
mod clients;
mod crowds;
mod guard;
mod heavy;
mod model;
mod operating;
mod page;
mod page_findings;
mod page_sparql;
mod query;
pub(crate) mod served;
mod streaming;
mod suite;
mod writing;
