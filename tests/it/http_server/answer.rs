//! An answer, well or badly given.

use std::io::{Result, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use super::request::Request;
use super::stream::{Connection, silence};

/// What is answered.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    /// A whole answer; the length of the body is added.
    Whole { status: u16, fields: Vec<(&'static str, String)>, body: Vec<u8> },
    /// These bytes, and then the end.
    Raw(Vec<u8>),
    /// These bytes, and then the second ones for as long as somebody listens.
    Endless(Vec<u8>, Vec<u8>),
    /// These bytes, and then nothing until the client goes away.
    Stalled(Vec<u8>),
    /// Nothing at all, until the client goes away.
    Silence,
}

impl Answer {
    pub(crate) fn ok(media_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self::Whole { status: 200, fields: vec![("Content-Type", media_type.to_owned())], body: body.into() }
    }

    pub(crate) fn redirect(status: u16, to: impl Into<String>) -> Self {
        Self::Whole { status, fields: vec![("Location", to.into())], body: Vec::new() }
    }

    pub(crate) fn not_found() -> Self {
        Self::Whole { status: 404, fields: Vec::new(), body: b"{}".to_vec() }
    }

    /// A status with a body of plain text.
    pub(crate) fn status(status: u16, text: &str) -> Self {
        let fields = vec![("Content-Type", "text/plain; charset=utf-8".to_owned())];
        Self::Whole { status, fields, body: text.into() }
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        if let Self::Whole { fields, .. } = &mut self {
            fields.push((name, value.into()));
        }
        self
    }

    /// Head and body of an answer as they are sent; nothing of an answer that is none.
    pub(crate) fn parts(&self, is_kept: bool) -> (Vec<u8>, Vec<u8>) {
        let Self::Whole { status, fields, body } = self else { return Default::default() };
        let mut head = format!("HTTP/1.1 {status} {}\r\n", reason(*status));
        for (name, value) in fields {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if *status != 204 {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        head.push_str(if is_kept { "\r\n" } else { "Connection: close\r\n\r\n" });
        (head.into_bytes(), body.clone())
    }

    /// Gives the answer, and tells whether the connection is kept.
    pub(super) fn give(
        &self,
        request: &Request,
        connection: &mut Connection,
        over: &AtomicBool,
    ) -> Result<bool> {
        let stream = connection.get_mut();
        match self {
            Self::Whole { .. } => {
                let (head, body) = self.parts(request.keeps());
                stream.write_all(&head)?;
                stream.write_all(if request.method == "HEAD" { &[] } else { &body })?;
            }
            Self::Raw(bytes) => stream.write_all(bytes)?,
            Self::Endless(head, again) => {
                stream.write_all(head)?;
                while !over.load(Ordering::SeqCst) {
                    stream.write_all(again)?;
                }
            }
            Self::Stalled(bytes) => {
                stream.write_all(bytes)?;
                stream.flush()?;
                silence(connection, over)?;
            }
            Self::Silence => silence(connection, over)?,
        }
        connection.get_mut().flush()?;
        Ok(matches!(self, Self::Whole { .. }) && request.keeps())
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        204 => "No Content",
        301 => "Moved Permanently",
        303 => "See Other",
        307 => "Temporary Redirect",
        401 => "Unauthorized",
        404 => "Not Found",
        500 => "Internal Server Error",
        _ => "Whatever",
    }
}
