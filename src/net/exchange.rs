//! One exchange of HTTP/1.1 (RFC 9112): resolves the host, connects to an address that is allowed,
//! asks, and reads the answer within its limits.
//!
//! The address that was looked at is the one that is connected to, so that a name that changes its
//! address in between gains nothing. Proxies are not used, for they would choose the address.

use super::address::AddressClass;
use super::options::NetOptions;
use super::target::RequestTarget;
use crate::diagnostic::Help;
use crate::diagnostic::help::{help, setting};
use crate::diagnostic::thousands;
use crate::rdf::iri::without_userinfo;
use flate2::read::MultiGzDecoder;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// The most bytes of status line and header fields.
const MOST_HEAD: u64 = 64 << 10;
/// The most header fields.
const MOST_FIELDS: usize = 128;
/// The most addresses of one host that are tried.
const MOST_ADDRESSES: usize = 8;
/// The most bytes of a line between chunks.
const MOST_CHUNK_LINE: u64 = 4 << 10;

/// An answer.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) reason: String,
    fields: Vec<(String, String)>,
    /// Empty where the status is not one of success.
    pub(super) body: Vec<u8>,
}

impl Reply {
    /// The values of all header fields of a name.
    pub(super) fn all<'r>(&'r self, name: &'static str) -> impl Iterator<Item = &'r str> {
        self.fields
            .iter()
            .filter(move |(own, _)| own.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// The value of the first header field of a name.
    pub(super) fn first(&self, name: &'static str) -> Option<&str> {
        self.all(name).next()
    }
}

/// Why there is no answer: a sentence, and the way out.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) help: Option<Help>,
}

impl Fault {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }

    fn with_help(mut self, help: impl Into<Help>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// One request under way.
pub(super) struct Exchange<'e> {
    pub(super) options: &'e NetOptions,
    pub(super) tls: &'e Arc<ClientConfig>,
    pub(super) accept: &'e str,
    /// When the whole document has to be there.
    pub(super) deadline: Instant,
}

impl Exchange<'_> {
    /// Asks for a document.
    pub(super) fn get(&self, target: &RequestTarget) -> Result<Reply, Fault> {
        let mut connection = BufReader::new(self.connect(target)?);
        let request = format!(
            "GET {} HTTP/1.1\r\nHost: {}\r\nAccept: {}\r\nAccept-Encoding: identity\r\n\
             User-Agent: evalgraph/{}\r\nConnection: close\r\n\r\n",
            target.path,
            target.authority,
            self.accept,
            env!("CARGO_PKG_VERSION"),
        );
        let sent = connection.get_mut().write_all(request.as_bytes());
        sent.and_then(|()| connection.get_mut().flush()).map_err(|error| self.broken(&error, target))?;
        let mut reply = loop {
            let reply = self.head(&mut connection, target)?;
            // Interim answers precede the final one.
            if !(100..200).contains(&reply.status) {
                break reply;
            }
        };
        if (200..300).contains(&reply.status) {
            reply.body = self.body(&mut connection, &reply, target)?;
        }
        Ok(reply)
    }

    fn connect(&self, target: &RequestTarget) -> Result<Box<dyn Connection>, Fault> {
        let until = self.deadline.min(Instant::now() + self.options.connect_timeout);
        let addresses = self.allowed(target, resolve(target, until)?)?;
        let mut last = None;
        for address in addresses.into_iter().take(MOST_ADDRESSES) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            match TcpStream::connect_timeout(&address, left) {
                Ok(stream) => return self.secure(Timed { stream, deadline: self.deadline }, target),
                Err(error) => last = Some(error),
            }
        }
        let host = &target.authority;
        Err(match last.filter(|error| error.kind() != io::ErrorKind::TimedOut) {
            Some(error) => Fault::new(format!("`{host}` cannot be connected to: {}", plain(&error))),
            None => Fault::new(format!("`{host}` did not accept a connection in time")),
        })
    }

    /// The addresses that may be connected to.
    fn allowed(&self, target: &RequestTarget, addresses: Vec<SocketAddr>) -> Result<Vec<SocketAddr>, Fault> {
        let is_allowed = |address: &SocketAddr| AddressClass::of(address.ip()).is_allowed(self.options.allow);
        let (allowed, forbidden): (Vec<_>, Vec<_>) = addresses.into_iter().partition(is_allowed);
        if !allowed.is_empty() {
            return Ok(allowed);
        }
        let host = &target.host;
        let Some(address) = forbidden.first().map(SocketAddr::ip) else {
            return Err(Fault::new(format!("`{host}` has no address")));
        };
        let (class, flag) = AddressClass::of(address).words();
        let fault = Fault::new(format!("`{host}` is at {address}, {class} address, which is not allowed"));
        Err(match flag {
            Some(flag) => fault.with_help(help![setting("net-allow").to(flag), " allows it"]),
            None => fault,
        })
    }

    fn secure(&self, stream: Timed, target: &RequestTarget) -> Result<Box<dyn Connection>, Fault> {
        if !target.is_tls {
            return Ok(Box::new(stream));
        }
        let host = &target.host;
        let name = ServerName::try_from(host.clone())
            .map_err(|_| Fault::new(format!("`{host}` is no name that a certificate could have")))?;
        let session = ClientConnection::new(Arc::clone(self.tls), name)
            .map_err(|error| Fault::new(format!("no secure connection to `{host}`: {error}")))?;
        // The handshake is made by the first write.
        Ok(Box::new(StreamOwned::new(session, stream)))
    }

    /// Reads status line and header fields.
    fn head(&self, connection: &mut impl BufRead, target: &RequestTarget) -> Result<Reply, Fault> {
        let host = &target.authority;
        let mut head = Vec::new();
        let mut limited = connection.take(MOST_HEAD);
        loop {
            let line = limited.read_until(b'\n', &mut head).map_err(|error| self.broken(&error, target))?;
            let is_whole = head.ends_with(b"\r\n\r\n") || head.ends_with(b"\n\n");
            if is_whole {
                break;
            }
            if line == 0 {
                let reason = match head.len() as u64 {
                    0 => "closed the connection without an answer".to_owned(),
                    MOST_HEAD.. => format!("sends more than {} bytes of header", thousands(MOST_HEAD)),
                    _ => "closed the connection in the middle of the header".to_owned(),
                };
                return Err(Fault::new(format!("`{host}` {reason}")));
            }
        }
        let mut fields = [httparse::EMPTY_HEADER; MOST_FIELDS];
        let mut response = httparse::Response::new(&mut fields);
        response.parse(&head).map_err(|error| {
            Fault::new(format!("the answer of `{host}` is not HTTP: {}", error.to_string().to_lowercase()))
        })?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        Ok(Reply {
            status: response.code.unwrap_or_default(),
            reason: response.reason.unwrap_or_default().to_owned(),
            fields: response.headers.iter().map(|field| (field.name.to_owned(), text(field.value))).collect(),
            body: Vec::new(),
        })
    }

    /// Reads the body, by the rules of RFC 9112, section 6.3.
    fn body(
        &self,
        connection: &mut impl BufRead,
        reply: &Reply,
        target: &RequestTarget,
    ) -> Result<Vec<u8>, Fault> {
        let host = &target.authority;
        let most = self.options.limits.size;
        let broken = |error: io::Error| self.broken(&error, target);
        let mut body = Vec::new();
        match reply.first("transfer-encoding") {
            Some(coding) if coding.eq_ignore_ascii_case("chunked") => {
                self.chunks(connection, target, &mut body)?;
            }
            Some(coding) => {
                return Err(Fault::new(format!(
                    "`{host}` sends in the coding `{coding}`, which is not known"
                )));
            }
            None => match reply.first("content-length") {
                Some(length) => {
                    let length: u64 = length.parse().map_err(|_| {
                        Fault::new(format!("`{host}` gives `{length}` for the length of its answer"))
                    })?;
                    if length > most {
                        return Err(self.too_large(target));
                    }
                    connection.take(length).read_to_end(&mut body).map_err(broken)?;
                    if (body.len() as u64) < length {
                        let got = thousands(body.len() as u64);
                        let length = thousands(length);
                        return Err(Fault::new(format!("`{host}` sent {got} bytes of {length}")));
                    }
                }
                None => {
                    connection.take(most.saturating_add(1)).read_to_end(&mut body).map_err(broken)?;
                }
            },
        }
        if body.len() as u64 > most {
            return Err(self.too_large(target));
        }
        self.decoded(body, reply, target)
    }

    fn chunks(
        &self,
        connection: &mut impl BufRead,
        target: &RequestTarget,
        body: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        let broken = |error: io::Error| self.broken(&error, target);
        loop {
            let mut line = Vec::new();
            connection.take(MOST_CHUNK_LINE).read_until(b'\n', &mut line).map_err(broken)?;
            let Ok(httparse::Status::Complete((_, size))) = httparse::parse_chunk_size(&line) else {
                return Err(Fault::new(format!("`{}` breaks off between chunks", target.authority)));
            };
            if size == 0 {
                // Fields after the last chunk say nothing that is asked here.
                return Ok(());
            }
            let before = body.len() as u64;
            if size > self.options.limits.size.saturating_sub(before) {
                return Err(self.too_large(target));
            }
            let got = connection.take(size).read_to_end(body).map_err(broken)?;
            let mut end = [0; 2];
            connection.read_exact(&mut end).map_err(broken)?;
            if (got as u64) < size || end != *b"\r\n" {
                return Err(Fault::new(format!("`{}` breaks off inside a chunk", target.authority)));
            }
        }
    }

    /// Undoes a content coding: some servers compress whatever was asked for.
    fn decoded(&self, body: Vec<u8>, reply: &Reply, target: &RequestTarget) -> Result<Vec<u8>, Fault> {
        match reply.first("content-encoding").map(str::to_ascii_lowercase).as_deref() {
            None | Some("" | "identity") => Ok(body),
            Some("gzip" | "x-gzip") => {
                let most = self.options.limits.size;
                let mut opened = Vec::new();
                let result = MultiGzDecoder::new(body.as_slice())
                    .take(most.saturating_add(1))
                    .read_to_end(&mut opened);
                result.map_err(|error| self.broken(&error, target))?;
                if opened.len() as u64 > most { Err(self.too_large(target)) } else { Ok(opened) }
            }
            Some(coding) => {
                let host = &target.authority;
                Err(Fault::new(format!("`{host}` compresses with `{coding}`, which was not asked for")))
            }
        }
    }

    fn too_large(&self, target: &RequestTarget) -> Fault {
        let most = thousands(self.options.limits.size);
        Fault::new(format!("the answer of `{}` has more than {most} bytes", target.authority)).with_help(
            help![
                "raise the limit with ",
                setting("max-size"),
                ", for example ",
                setting("max-size").to("4GiB")
            ],
        )
    }

    fn broken(&self, error: &io::Error, target: &RequestTarget) -> Fault {
        let host = &target.authority;
        match error.kind() {
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => {
                let seconds = self.options.timeout.as_secs_f64();
                Fault::new(format!("`{host}` did not answer within {seconds} seconds")).with_help(help![
                    "raise the limit with ",
                    setting("net-timeout"),
                    ", for example ",
                    setting("net-timeout").to("5m")
                ])
            }
            io::ErrorKind::InvalidData => Fault::new(format!("no secure connection to `{host}`: {error}")),
            _ => Fault::new(format!("the connection to `{host}` broke off: {}", plain(error))),
        }
    }
}

/// Resolves a name. The system's resolver has no time limit, so that it is asked on a thread of its
/// own, which is left behind where it takes too long.
fn resolve(target: &RequestTarget, until: Instant) -> Result<Vec<SocketAddr>, Fault> {
    let (host, port) = (target.host.clone(), target.port);
    if let Ok(address) = host.parse::<IpAddr>() {
        return Ok(vec![SocketAddr::new(address, port)]);
    }
    let (sender, receiver) = mpsc::channel();
    let resolver = std::thread::Builder::new().name("resolver".to_owned());
    let asked = resolver.spawn(move || {
        let found = (host.as_str(), port).to_socket_addrs().map(Iterator::collect::<Vec<_>>);
        // Nobody waits any more where the time is over.
        let _ = sender.send(found);
    });
    let host = without_userinfo(&target.host);
    if let Err(error) = asked {
        return Err(Fault::new(format!("`{host}` cannot be looked up: {}", plain(&error))));
    }
    match receiver.recv_timeout(until.saturating_duration_since(Instant::now())) {
        Ok(Ok(addresses)) => Ok(addresses),
        Ok(Err(error)) => Err(Fault::new(format!("`{host}` has no address: {}", plain(&error)))),
        Err(_) => Err(Fault::new(format!("the address of `{host}` was not found in time"))),
    }
}

/// What the system says, without its number.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
}

/// A stream to a server, encrypted or not.
trait Connection: Read + Write {}

impl<S: Read + Write> Connection for S {}

/// A stream on which everything has to be over at a moment.
struct Timed {
    stream: TcpStream,
    deadline: Instant,
}

impl Timed {
    fn left(&self) -> io::Result<Duration> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
    }
}

impl Read for Timed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(self.left()?))?;
        self.stream.read(buffer)
    }
}

impl Write for Timed {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(Some(self.left()?))?;
        self.stream.write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
