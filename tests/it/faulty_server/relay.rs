//! A relay on loopback: it passes bytes on to a port of this machine, up to a point. It is a proxy for those who say
//! `CONNECT`, whatever host they name, and stands in for the server for the others.

use std::io::{Read, Result, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex};

use crate::http_server::Listener;

/// Where a connection ends.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cut {
    Never,
    /// After so many bytes of the client.
    Asked(usize),
    /// After so many bytes of the server.
    Answered(usize),
}

/// The relay; it ends when it is dropped.
pub(crate) struct Relay {
    listener: Listener,
    shared: Arc<Shared>,
}

struct Shared {
    to: u16,
    cut: Mutex<Cut>,
    /// The first lines of those who said `CONNECT`.
    named: Mutex<Vec<String>>,
}

impl Relay {
    /// A relay to a port, all of whose connections are cut at a point.
    pub(crate) fn start(to: u16, cut: Cut) -> Self {
        let shared = Arc::new(Shared { to, cut: Mutex::new(cut), named: Mutex::default() });
        let relay = Arc::clone(&shared);
        Self { listener: Listener::start(move |stream, _| relay.pass(stream)), shared }
    }

    pub(crate) fn port(&self) -> u16 {
        self.listener.port()
    }

    /// Cuts the connections to come at another point.
    pub(crate) fn cut(&self, cut: Cut) {
        *self.shared.cut.lock().expect("no thread panics with it") = cut;
    }

    /// How often somebody has connected.
    pub(crate) fn connections(&self) -> usize {
        self.listener.connections()
    }

    /// The hosts and ports that were asked for by `CONNECT`.
    pub(crate) fn named(&self) -> Vec<String> {
        self.shared.named.lock().expect("no thread panics with it").clone()
    }
}

impl Shared {
    fn pass(&self, mut client: TcpStream) -> Result<()> {
        let mut first = [0; 8];
        let count = client.peek(&mut first)?;
        if &first[..count] == b"CONNECT " {
            let head = head(&mut client)?;
            let named = head.split(' ').nth(1).unwrap_or_default().to_owned();
            self.named.lock().expect("no thread panics with it").push(named);
            client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")?;
        }
        let server = TcpStream::connect(("127.0.0.1", self.to))?;
        let cut = *self.cut.lock().expect("no thread panics with it");
        let (asked, answered) = match cut {
            Cut::Never => (usize::MAX, usize::MAX),
            Cut::Asked(most) => (most, usize::MAX),
            Cut::Answered(most) => (usize::MAX, most),
        };
        let (from, to) = (client.try_clone()?, server.try_clone()?);
        let back = std::thread::spawn(move || copy(server, client, answered));
        let result = copy(from, to, asked);
        let _ = back.join();
        result
    }
}

/// The head of a request to the relay itself.
fn head(client: &mut TcpStream) -> Result<String> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        client.read_exact(&mut byte)?;
        head.extend_from_slice(&byte);
    }
    Ok(String::from_utf8_lossy(&head).into_owned())
}

/// Copies until the end, or so many bytes and closes both sides.
fn copy(mut from: TcpStream, mut to: TcpStream, most: usize) -> Result<()> {
    let mut buffer = vec![0; 16 << 10];
    let mut left = most;
    while left > 0 {
        let room = buffer.len().min(left);
        let count = from.read(&mut buffer[..room])?;
        if count == 0 {
            return to.shutdown(Shutdown::Write);
        }
        to.write_all(&buffer[..count])?;
        left -= count;
    }
    from.shutdown(Shutdown::Both)?;
    to.shutdown(Shutdown::Both)
}
