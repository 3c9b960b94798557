//! Writes an answer. It is compressed if the client accepts that and if it pays. Solutions that were found are sent
//! before the search for more continues.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::time::{Duration, Instant};

use hyper::header::{CONTENT_ENCODING, HeaderValue, VARY};

use super::channel::ReplySender;
use evalgraph_engine::input::compression::{CompressingWriter, FileCompression};

/// This many bytes are passed on at once, unless they are due earlier. Each piece costs a browser as much as some
/// thousands of bytes.
const BUFFER: usize = 1 << 16;
/// Compressing a shorter answer does not pay.
const WORTH: usize = 1 << 10;
/// How often a compressor is flushed.
const PATIENCE: Duration = Duration::from_millis(250);

/// The bytes of an answer. Clones write to the same answer.
#[derive(Clone)]
pub(super) struct ReplyWriter(Rc<RefCell<ReplyEncoding>>);

struct ReplyEncoding {
    /// The compression that the client accepts.
    compression: Option<FileCompression>,
    /// `None` until it is known whether compression pays.
    encoder: Option<ContentEncoder>,
    /// The bytes that are not encoded yet.
    bytes: Vec<u8>,
    reply: Rc<ReplySender>,
    flushed: Instant,
}

enum ContentEncoder {
    Plain,
    Compressed(Box<CompressingWriter<ReplyBuffer>>),
}

struct ReplyBuffer {
    bytes: Vec<u8>,
    reply: Rc<ReplySender>,
}

impl Write for ReplyBuffer {
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

impl ReplyWriter {
    /// Makes the writer for a reply that has begun.
    pub(super) fn new(reply: &Rc<ReplySender>, compression: Option<FileCompression>) -> Self {
        let (encoder, bytes, flushed) = (None, Vec::new(), Instant::now());
        let reply = reply.clone();
        Self(Rc::new(RefCell::new(ReplyEncoding { compression, encoder, bytes, reply, flushed })))
    }

    /// Sends everything that was written, before something that may take long.
    pub(super) fn send(&self) -> io::Result<()> {
        self.0.borrow_mut().send()
    }

    /// Writes the end.
    pub(super) fn finish(&self) -> io::Result<()> {
        let mut encoding = self.0.borrow_mut();
        if encoding.bytes.len() < WORTH && encoding.encoder.is_none() {
            encoding.compression = None;
        }
        encoding.encode()?;
        match encoding.encoder.take() {
            Some(ContentEncoder::Compressed(encoder)) => encoder.finish()?.flush(),
            _ => Ok(()),
        }
    }
}

impl Write for ReplyWriter {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut encoding = self.0.borrow_mut();
        encoding.bytes.extend_from_slice(bytes);
        if encoding.bytes.len() >= BUFFER {
            encoding.encode()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl ReplyEncoding {
    /// Encodes everything that was written so far. Bytes without compression are passed on.
    fn encode(&mut self) -> io::Result<()> {
        if self.encoder.is_none() {
            self.encoder = Some(self.encoder()?);
        }
        if self.bytes.is_empty() {
            return Ok(());
        }
        match &mut self.encoder {
            Some(ContentEncoder::Compressed(encoder)) => {
                encoder.write_all(&self.bytes)?;
                self.bytes.clear();
                Ok(())
            }
            _ => self.reply.push(&mut self.bytes),
        }
    }

    fn encoder(&self) -> io::Result<ContentEncoder> {
        self.reply.with_headers(|headers| {
            headers.append(VARY, HeaderValue::from_static("accept-encoding"));
            if let Some(compression) = self.compression {
                headers.insert(CONTENT_ENCODING, HeaderValue::from_static(compression.name()));
            }
        });
        if self.compression.is_none() {
            return Ok(ContentEncoder::Plain);
        }
        let buffer = ReplyBuffer { bytes: Vec::new(), reply: self.reply.clone() };
        Ok(ContentEncoder::Compressed(Box::new(CompressingWriter::new(self.compression, buffer)?)))
    }

    fn send(&mut self) -> io::Result<()> {
        if self.compression.is_none() {
            return self.encode();
        }
        if self.flushed.elapsed() < PATIENCE || self.bytes.is_empty() && self.encoder.is_none() {
            return Ok(());
        }
        self.flushed = Instant::now();
        self.encode()?;
        match &mut self.encoder {
            Some(ContentEncoder::Compressed(encoder)) => encoder.flush(),
            _ => Ok(()),
        }
    }
}
