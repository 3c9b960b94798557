//! A small HTTP client: requests as a test writes them, good and bad, over a socket of their own.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Far longer than an answer takes on a busy machine.
pub(super) const PATIENCE: Duration = Duration::from_secs(120);

/// A request.
#[derive(Debug, Clone)]
pub(super) struct Ask {
    method: String,
    target: String,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

/// A response.
#[derive(Debug, Clone)]
pub(super) struct Reply {
    pub(super) status: u16,
    headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
    /// `true` if the body came to its end.
    pub(super) is_whole: bool,
}

/// A request by GET.
pub(super) fn get(target: &str) -> Ask {
    ask("GET", target)
}

/// A request.
pub(super) fn ask(method: &str, target: &str) -> Ask {
    Ask { method: method.to_owned(), target: target.to_owned(), headers: Vec::new(), body: None }
}

/// A request by GET with a query in its URL.
pub(super) fn query(text: &str) -> Ask {
    get(&format!("/query?query={}", encoded(text)))
}

/// A text in a URL or a form.
pub(super) fn encoded(text: &str) -> String {
    let mut encoded = String::new();
    evalgraph::rdf::iri::percent_encode_into(text, &mut encoded);
    encoded
}

impl Ask {
    pub(super) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(super) fn accept(self, accept: &str) -> Self {
        self.with("accept", accept)
    }

    pub(super) fn body(mut self, media_type: &str, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        if media_type.is_empty() { self } else { self.with("content-type", media_type) }
    }

    /// The request with other texts in its target and its body.
    pub(super) fn replacing(&self, texts: &[(String, String)]) -> Self {
        let mut request = self.clone();
        for (old, new) in texts {
            request.target = request.target.replace(old, new);
            let body = request.body.take().map(|body| String::from_utf8(body).expect("it is text"));
            request.body = body.map(|body| body.replace(old, new).into_bytes());
        }
        request
    }

    /// The bytes on the wire.
    pub(super) fn bytes(&self, address: SocketAddr) -> Vec<u8> {
        let mut text = format!("{} {} HTTP/1.1\r\n", self.method, self.target);
        let has = |wanted: &str| self.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case(wanted));
        if !has("host") {
            text.push_str(&format!("host: {address}\r\n"));
        }
        if !has("connection") {
            text.push_str("connection: close\r\n");
        }
        for (name, value) in &self.headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        if let Some(body) = self.body.as_ref().filter(|_| !has("content-length")) {
            text.push_str(&format!("content-length: {}\r\n", body.len()));
        }
        text.push_str("\r\n");
        let mut bytes = text.into_bytes();
        bytes.extend(self.body.iter().flatten());
        bytes
    }

    /// Sends the request, and reads the response.
    pub(super) fn send(&self, address: SocketAddr) -> Reply {
        let mut connection = connect(address);
        // A server may refuse a request before it has read it whole.
        let _ = connection.write_all(&self.bytes(address));
        Reply::read(&mut BufReader::new(connection), self.method == "HEAD").expect("the server answers")
    }
}

/// A connection to a server.
pub(super) fn connect(address: SocketAddr) -> TcpStream {
    let connection = TcpStream::connect(address).expect("the server listens");
    connection.set_read_timeout(Some(PATIENCE)).expect("a socket has a time-out");
    connection.set_write_timeout(Some(PATIENCE)).expect("a socket has a time-out");
    connection
}

/// Sends bytes as they are, and reads what comes.
pub(super) fn send_raw(address: SocketAddr, bytes: &[u8]) -> Option<Reply> {
    let mut connection = connect(address);
    let _ = connection.write_all(bytes);
    Reply::read(&mut BufReader::new(connection), false)
}

/// Sends bytes as they are, and reads to the end of the connection.
pub(super) fn all_replies(address: SocketAddr, bytes: &[u8]) -> String {
    let mut connection = connect(address);
    let _ = connection.write_all(bytes);
    let mut replies = Vec::new();
    let _ = connection.read_to_end(&mut replies);
    String::from_utf8_lossy(&replies).into_owned()
}

impl Reply {
    /// Reads a response; none where the connection ends before there is one.
    pub(super) fn read(connection: &mut BufReader<TcpStream>, is_head: bool) -> Option<Self> {
        let status = line(connection)?.split(' ').nth(1)?.parse().ok()?;
        let mut headers = Vec::new();
        loop {
            let header = line(connection)?;
            let Some((name, value)) = header.split_once(':') else { break };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let mut reply = Self { status, headers, body: Vec::new(), is_whole: true };
        if is_head || status == 204 || status == 304 {
            return Some(reply);
        }
        if reply.header("transfer-encoding") == Some("chunked") {
            reply.is_whole = read_chunks(connection, &mut reply.body).is_some();
        } else {
            let length = reply.header("content-length").and_then(|length| length.parse().ok());
            let length: u64 = length.unwrap_or(u64::MAX);
            let read = connection.by_ref().take(length).read_to_end(&mut reply.body);
            reply.is_whole = read.is_ok_and(|read| length == u64::MAX || read as u64 == length);
        }
        Some(reply)
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The headers that the answer depends on.
    pub(super) fn vary(&self) -> Vec<String> {
        let values = self.headers.iter().filter(|(known, _)| known == "vary").map(|(_, value)| value);
        values.flat_map(|value| value.split(',')).map(|name| name.trim().to_ascii_lowercase()).collect()
    }

    pub(super) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).expect("the server writes UTF-8")
    }

    pub(super) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }
}

fn line(connection: &mut BufReader<TcpStream>) -> Option<String> {
    let mut line = String::new();
    connection.read_line(&mut line).ok().filter(|read| *read > 0)?;
    Some(line.trim_end().to_owned())
}

fn read_chunks(connection: &mut BufReader<TcpStream>, body: &mut Vec<u8>) -> Option<()> {
    loop {
        let length = u64::from_str_radix(line(connection)?.split(';').next()?, 16).ok()?;
        let read = connection.by_ref().take(length).read_to_end(body).ok()?;
        if read as u64 != length {
            return None;
        }
        line(connection)?;
        if length == 0 {
            return Some(());
        }
    }
}
