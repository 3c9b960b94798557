//! The program as a server of the SPARQL protocols, met by clients over loopback.

mod attacks;
mod client;
mod clients;
mod guard;
mod heavy;
mod model;
mod operating;
mod query;
mod served;
mod streaming;
mod suite;
mod writing;
