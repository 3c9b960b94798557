//! A request, as it is read from a connection: first its head, then its body.

use std::io::{BufRead, Read, Result, Write};

use super::stream::Connection;

/// What was asked.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Path and query.
    pub(crate) path: String,
    /// Header fields, names in lower case.
    pub(crate) fields: Vec<(String, String)>,
    /// The body as it was sent, chunks joined; empty as long as it is not read.
    pub(crate) body: Vec<u8>,
}

impl Request {
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// The path without the query.
    pub(crate) fn bare_path(&self) -> &str {
        self.path.split('?').next().unwrap_or_default()
    }

    /// Returns whether the connection is kept after the answer.
    pub(super) fn keeps(&self) -> bool {
        !self.field("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"))
    }

    /// Reads a head; nothing where the connection ends before it.
    pub(super) fn read(connection: &mut Connection) -> Result<Option<Self>> {
        let mut line = String::new();
        if connection.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let mut words = line.split(' ');
        let method = words.next().unwrap_or_default().to_owned();
        let path = words.next().unwrap_or_default().to_owned();
        let mut fields = Vec::new();
        loop {
            let mut line = String::new();
            if connection.read_line(&mut line)? == 0 || line.trim().is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':') {
                fields.push((name.to_ascii_lowercase(), value.trim().to_owned()));
            }
        }
        Ok(Some(Self { method, path, fields, body: Vec::new() }))
    }

    /// Reads the body, or its first bytes. A client that waits is told to go on.
    pub(super) fn read_body(&mut self, connection: &mut Connection, most: usize) -> Result<()> {
        if self.field("expect").is_some() {
            connection.get_mut().write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        let is_chunked = self.field("transfer-encoding").is_some_and(|coding| coding == "chunked");
        if !is_chunked {
            let length = self.field("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
            self.body = vec![0; most.min(length)];
            return connection.read_exact(&mut self.body);
        }
        while self.body.len() < most {
            let mut line = String::new();
            connection.read_line(&mut line)?;
            let size = usize::from_str_radix(line.trim(), 16).map_err(std::io::Error::other)?;
            let begin = self.body.len();
            self.body.resize(begin + size, 0);
            connection.read_exact(&mut self.body[begin..])?;
            connection.read_line(&mut line)?;
            if size == 0 {
                break;
            }
        }
        Ok(())
    }
}
