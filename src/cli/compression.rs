//! Opens gzip and zstd by their magic bytes, within a limit on what comes out.

use std::io::{self, Read};

/// Why bytes could not be had.
#[derive(Debug)]
pub(super) enum ReadFailure {
    /// The source, or what it holds once opened, is larger than the limit.
    TooLarge {
        /// The compression that hid it.
        inside: Option<&'static str>,
    },
    /// A compressed stream that ends early or is damaged.
    Damaged {
        /// The compression.
        inside: &'static str,
        /// What the decoder says.
        cause: io::Error,
    },
    /// The source itself cannot be read.
    Unreadable(io::Error),
}

/// Reads at most `max_size` bytes, and opens them where they are compressed. The limit holds for
/// what comes out as well, so a small file cannot fill the memory.
pub(super) fn read_opened(source: impl Read, size_hint: u64, max_size: u64) -> Result<Vec<u8>, ReadFailure> {
    // A size that is only hinted at is not trusted with more than 64 MiB at once.
    let capacity = usize::try_from(size_hint.min(max_size).min(64 << 20)).unwrap_or(0);
    let mut bytes = Vec::with_capacity(capacity + 1);
    read_within(source, max_size, &mut bytes).map_err(ReadFailure::Unreadable)?;
    if bytes.len() as u64 > max_size {
        return Err(ReadFailure::TooLarge { inside: None });
    }
    let Some(compression) = compression(&bytes) else {
        return Ok(bytes);
    };
    let mut opened = Vec::new();
    let result = match compression {
        Compression::Gzip => {
            read_within(flate2::read::MultiGzDecoder::new(bytes.as_slice()), max_size, &mut opened)
        }
        Compression::Zstd => zstd::stream::read::Decoder::with_buffer(bytes.as_slice())
            .and_then(|decoder| read_within(decoder, max_size, &mut opened)),
    };
    let inside = compression.name();
    match result {
        Ok(()) if opened.len() as u64 > max_size => Err(ReadFailure::TooLarge { inside: Some(inside) }),
        Ok(()) => Ok(opened),
        Err(cause) => Err(ReadFailure::Damaged { inside, cause }),
    }
}

/// Reads one byte more than the limit, so that the caller can tell.
fn read_within(source: impl Read, max_size: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    source.take(max_size.saturating_add(1)).read_to_end(bytes).map(drop)
}

#[derive(Clone, Copy)]
enum Compression {
    Gzip,
    Zstd,
}

impl Compression {
    fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }
}

fn compression(bytes: &[u8]) -> Option<Compression> {
    match bytes {
        [0x1F, 0x8B, ..] => Some(Compression::Gzip),
        [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Compression::Zstd),
        _ => None,
    }
}
