//! Real servers, which `tests/servers/install` installs: each starts for a test, takes a graph, gives it back, and keeps what it
//! keeps on disk.

mod bulk_loaders;
mod cut_bodies;
mod endpoint;
mod export;
pub(crate) mod http;
mod killed;
mod named_queries;
mod round_trips;
mod server;
mod shapes;

use crate::beside::skipped;
use server::{Kind, Server};

const GRAPH: &str = "urn:evalgraph:graph:a%20name";
const TRIPLES: &str = "<urn:s> <urn:p> \"text\" .\n";

/// Puts a graph into a server and asks for it, before and after the server was stopped.
fn a_graph_comes_and_stays(kind: Kind) {
    let Some(server) = Server::start(kind) else { return };
    server.put(GRAPH, TRIPLES);
    let given = TRIPLES.trim_end();
    assert_eq!(server.graph(GRAPH).as_deref(), Some(given), "{kind:?}");
    assert_eq!(server.graph("urn:nothing"), None, "{kind:?}");
    let again = server.stopped().started();
    assert_eq!(again.graph(GRAPH).as_deref(), kind.is_persistent().then_some(given), "{kind:?} again");
}

macro_rules! servers {
    ($($name:ident: $kind:expr;)*) => {$(
        #[test]
        #[ignore = "needs the servers that tests/servers/install installs"]
        fn $name() {
            a_graph_comes_and_stays($kind);
        }
    )*};
}

servers! {
    fuseki_in_memory_takes_and_gives_a_graph: Kind::Fuseki;
    fuseki_on_disk_keeps_a_graph: Kind::Tdb2;
    rdf4j_keeps_a_graph: Kind::Rdf4j;
    oxigraph_keeps_a_graph: Kind::Oxigraph;
    virtuoso_keeps_a_graph: Kind::Virtuoso;
}

/// Says which server a test is without.
fn without(kind: Kind, why: &str) {
    skipped(&format!("what {kind:?} does"), why);
}
