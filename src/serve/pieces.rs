//! Writes an answer: compressed where the client takes that and it pays, and so that what was found is on its way
//! before more is looked for.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::time::{Duration, Instant};

use hyper::header::{CONTENT_ENCODING, HeaderValue, VARY};

use super::channel::Reply;
use crate::input::compression::{Compressed, Compression};

/// So many bytes are handed over at once, where nothing else makes them due.
const BUFFER: usize = 1 << 13;
/// A shorter answer is not worth its compression.
const WORTH: usize = 1 << 10;
/// How often a compressor lets go of what it has.
const PATIENCE: Duration = Duration::from_millis(250);

/// The bytes of an answer. Clones write to the same one.
#[derive(Clone)]
pub(super) struct Pieces(Rc<RefCell<Encoding>>);

struct Encoding {
    /// What the client takes.
    compression: Option<Compression>,
    /// None until it is known that the answer is worth it.
    encoder: Option<Compressed<Buffer>>,
    /// The bytes before the encoder is there.
    first: Vec<u8>,
    reply: Option<Rc<Reply>>,
    flushed: Instant,
}

struct Buffer {
    bytes: Vec<u8>,
    reply: Rc<Reply>,
}

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() >= BUFFER {
            self.reply.push(&mut self.bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.bytes.is_empty() { Ok(()) } else { self.reply.push(&mut self.bytes) }
    }
}

impl Pieces {
    /// The bytes of a reply that has begun.
    pub(super) fn of(reply: &Rc<Reply>, compression: Option<Compression>) -> Self {
        let (encoder, first, flushed) = (None, Vec::new(), Instant::now());
        let reply = Some(reply.clone());
        Self(Rc::new(RefCell::new(Encoding { compression, encoder, first, reply, flushed })))
    }

    /// Sends off what was written, before something that may take long.
    pub(super) fn send(&self) -> io::Result<()> {
        self.0.borrow_mut().send()
    }

    /// Writes the end.
    pub(super) fn finish(&self) -> io::Result<()> {
        let mut encoding = self.0.borrow_mut();
        if encoding.encoder.is_none() {
            encoding.begin(None)?;
        }
        match encoding.encoder.take() {
            Some(encoder) => encoder.finish()?.flush(),
            None => Ok(()),
        }
    }
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Encoding {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(encoder) = &mut self.encoder {
            return encoder.write(bytes);
        }
        self.first.extend_from_slice(bytes);
        if self.compression.is_none() || self.first.len() >= WORTH {
            self.begin(self.compression)?;
        }
        Ok(bytes.len())
    }

    /// Begins to encode what was written by now.
    fn begin(&mut self, compression: Option<Compression>) -> io::Result<()> {
        let Some(reply) = self.reply.take() else { return Ok(()) };
        reply.with_headers(|headers| {
            headers.append(VARY, HeaderValue::from_static("accept-encoding"));
            if let Some(compression) = compression {
                headers.insert(CONTENT_ENCODING, HeaderValue::from_static(compression.name()));
            }
        });
        let mut encoder = Compressed::new(compression, Buffer { bytes: Vec::new(), reply })?;
        encoder.write_all(&std::mem::take(&mut self.first))?;
        self.encoder = Some(encoder);
        Ok(())
    }

    fn send(&mut self) -> io::Result<()> {
        let is_plain = matches!(self.encoder, Some(Compressed::Plain(_)));
        if !is_plain {
            if self.flushed.elapsed() < PATIENCE {
                return Ok(());
            }
            self.flushed = Instant::now();
            if self.encoder.is_none() && !self.first.is_empty() {
                self.begin(self.compression)?;
            }
        }
        self.encoder.as_mut().map_or(Ok(()), Write::flush)
    }
}
