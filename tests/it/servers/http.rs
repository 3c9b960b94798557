//! Questions to a server on loopback over HTTP, whose answers end with the connection.

use std::io::{Read, Result, Write};
use std::net::TcpStream;
use std::time::Duration;

use md5::{Digest, Md5};

/// A request without its authentication.
pub(crate) struct Question<'q> {
    pub(crate) method: &'q str,
    /// Path and query.
    pub(crate) target: &'q str,
    /// Name and value.
    pub(crate) fields: &'q [(&'q str, &'q str)],
    pub(crate) body: &'q str,
}

/// A whole answer.
pub(crate) struct Answered {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Question<'_> {
    /// Asks the server of a port; with a name and a password once more, where the server wants them as a digest.
    pub(crate) fn ask(&self, port: u16, login: Option<[&str; 2]>) -> Result<Answered> {
        // A server that wants to know who asks may close the connection before a body has come.
        let first = if login.is_some() { Self { body: "", ..*self } } else { Self { ..*self } };
        let answered = first.ask_once(port, "")?;
        match login.filter(|_| answered.status == 401) {
            Some(login) => self.ask_once(port, &self.authorization(&answered.head, login)),
            None => Ok(answered),
        }
    }

    fn ask_once(&self, port: u16, authorization: &str) -> Result<Answered> {
        let mut stream = TcpStream::connect(("127.0.0.1", port))?;
        // A server that never ends its answer would keep the tests for ever.
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        let mut head = format!(
            "{} {} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n",
            self.method, self.target
        );
        for (name, value) in self.fields {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("{authorization}Content-Length: {}\r\n\r\n", self.body.len()));
        stream.write_all(head.as_bytes())?;
        stream.write_all(self.body.as_bytes())?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes)?;
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(bytes.len());
        let (head, body) = bytes.split_at(end);
        let head = String::from_utf8_lossy(head).into_owned();
        let body = body.strip_prefix(b"\r\n\r\n").unwrap_or_default();
        let is_chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
        let body = if is_chunked { joined(body) } else { body.to_vec() };
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Ok(Answered { status, head, body: String::from_utf8_lossy(&body).into_owned() })
    }

    /// The answer to a challenge of RFC 2617, with `qop=auth` and MD5.
    fn authorization(&self, head: &str, [name, password]: [&str; 2]) -> String {
        let part = |key: &str| {
            let begin = head.find(&format!("{key}=\"")).map(|at| at + key.len() + 2);
            begin.and_then(|begin| head[begin..].split('"').next()).unwrap_or_default()
        };
        let (realm, nonce, count, own) = (part("realm"), part("nonce"), "00000001", "0a4f113b");
        let who = hash(&format!("{name}:{realm}:{password}"));
        let asked = hash(&format!("{}:{}", self.method, self.target));
        let response = hash(&format!("{who}:{nonce}:{count}:{own}:auth:{asked}"));
        format!(
            "Authorization: Digest username=\"{name}\", realm=\"{realm}\", nonce=\"{nonce}\", uri=\"{}\", \
             qop=auth, nc={count}, cnonce=\"{own}\", response=\"{response}\"\r\n",
            self.target
        )
    }
}

/// The chunks of a body as one; what is not a chunk ends it.
fn joined(mut body: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(end) = body.windows(2).position(|two| two == b"\r\n") {
        let size =
            std::str::from_utf8(&body[..end]).ok().and_then(|size| usize::from_str_radix(size, 16).ok());
        let Some(chunk) = size.and_then(|size| body.get(end + 2..end + 2 + size)) else { break };
        whole.extend_from_slice(chunk);
        body = body.get(end + 4 + chunk.len()..).unwrap_or_default();
    }
    whole
}

fn hash(text: &str) -> String {
    Md5::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
