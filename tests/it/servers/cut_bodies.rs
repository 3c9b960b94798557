//! Bodies that are cut on the way, by a relay that breaks off or that ends them as if they were whole: Fuseki takes half a body
//! for the whole and says 200. The old graphs are still there, and a run without the relay finishes.

use std::io::{BufRead, BufReader, Result, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use evalgraph::{ExistingGraphPolicy, Loader, ServerExport};
use tempfile::TempDir;

use super::export::{export, found, made};
use super::server::{Kind, Server};
use crate::http_server::Listener;

/// At how many places bodies are cut.
const PLACES: usize = 20;

/// A relay to a port that cuts the bodies with quads at some of the places; another number cuts none.
fn relay(to: u16, place: &Arc<AtomicUsize>) -> Listener {
    let place = Arc::clone(place);
    Listener::start(move |client, _| pass(client, to, place.load(Ordering::SeqCst)))
}

/// Passes one request and its answer on.
fn pass(client: TcpStream, to: u16, place: usize) -> Result<()> {
    let mut server = TcpStream::connect(("127.0.0.1", to))?;
    let mut reader = BufReader::new(client.try_clone()?);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head)? > 0 {}
    let lower = head.to_ascii_lowercase();
    server.write_all(head.as_bytes())?;
    let has_quads = lower.contains("content-type: application/n-");
    if has_quads && lower.contains("transfer-encoding: chunked") {
        let body = chunks(&mut reader)?;
        let cut = if place < PLACES { body.len() * place / PLACES } else { body.len() };
        write!(server, "{cut:x}\r\n")?;
        server.write_all(&body[..cut])?;
        // At even places the body ends as it should; at others the connection ends in it.
        if place.is_multiple_of(2) && cut > 0 {
            server.write_all(b"\r\n0\r\n\r\n")?;
        } else if cut > 0 {
            server.shutdown(Shutdown::Write)?;
        } else {
            server.write_all(b"\r\n")?;
        }
    } else {
        let mut server = server.try_clone()?;
        thread::spawn(move || std::io::copy(&mut reader, &mut server));
    }
    let mut client = client;
    std::io::copy(&mut server, &mut client)?;
    client.shutdown(Shutdown::Both)
}

/// The chunks of a body.
fn chunks(reader: &mut impl BufRead) -> Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let size = usize::from_str_radix(line.trim(), 16).unwrap_or(0);
        let mut chunk = vec![0; size + 2];
        reader.read_exact(&mut chunk)?;
        if size == 0 {
            return Ok(body);
        }
        body.extend_from_slice(&chunk[..size]);
    }
}

fn bodies_are_cut(kind: Kind) {
    let Some(server) = Server::start(kind) else { return };
    let cut_at = Arc::new(AtomicUsize::new(PLACES));
    let relay = relay(server.port(), &cut_at);
    let folders = [(); 2].map(|()| TempDir::new().expect("a temporary folder"));
    let [old, new] = [0, 1].map(|at| made(folders[at].path(), at, 2_000));
    for place in 0..PLACES {
        assert_eq!(export(&server, folders[0].path(), &["--replace"]).0, 0);
        cut_at.store(place, Ordering::SeqCst);
        let mut through = ServerExport::to(server.place(relay.port()));
        through.existing = ExistingGraphPolicy::Replaced;
        through.server.first_pause = Duration::from_millis(1);
        match Loader::new().export_to_server([folders[1].path().display().to_string()], &through) {
            Ok(exported) => assert!(!exported.are_in_place, "{kind:?}, place {place}"),
            Err(fault) => {
                assert!(fault.to_string().contains("127.0.0.1"), "{kind:?}, place {place}: {fault}");
            }
        }
        assert!(found(&server) == old, "{kind:?}, place {place}: the old graphs are there");
        let (status, said) = export(&server, folders[1].path(), &["--replace", "--resume"]);
        assert_eq!(status, 0, "{kind:?}, place {place}: {said}");
        assert!(found(&server) == new, "{kind:?}, place {place}: the second run has finished");
    }
}

#[test]
#[ignore = "needs the servers that tests/servers/install installs"]
fn fuseki_on_disk_gets_bodies_that_are_cut() {
    bodies_are_cut(Kind::Tdb2);
}

#[test]
#[ignore = "needs the servers that tests/servers/install installs"]
fn rdf4j_gets_bodies_that_are_cut() {
    bodies_are_cut(Kind::Rdf4j);
}
