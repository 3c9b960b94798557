//! Opens gzip and zstd by their magic bytes, while they are read.

use std::io::{self, BufReader, Cursor, Read};

/// Tells why bytes could not be had.
#[derive(Debug)]
pub(crate) enum ReadFailure {
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

impl ReadFailure {
    /// Tells why reading has failed. What the system has a number for, is no fault of a compressed stream.
    pub(crate) fn of(error: io::Error, inside: Option<&'static str>) -> Self {
        match inside {
            Some(inside) if error.raw_os_error().is_none() => Self::Damaged { inside, cause: error },
            _ => Self::Unreadable(error),
        }
    }
}

/// Bytes that are opened while they are read.
pub(crate) type Opened = Box<dyn Read + Send>;

/// Opens what a source holds where it is compressed, and says how it is.
pub(crate) fn open(
    mut source: impl Read + Send + 'static,
) -> Result<(Opened, Option<&'static str>), ReadFailure> {
    let mut magic = Vec::with_capacity(4);
    source.by_ref().take(4).read_to_end(&mut magic).map_err(ReadFailure::Unreadable)?;
    let compression = compression(&magic);
    let inside = compression.map(Compression::name);
    let whole = Cursor::new(magic).chain(source);
    let opened: Opened = match compression {
        None => Box::new(whole),
        Some(Compression::Gzip) => Box::new(flate2::read::MultiGzDecoder::new(BufReader::new(whole))),
        Some(Compression::Zstd) => {
            Box::new(zstd::stream::read::Decoder::new(whole).map_err(|error| ReadFailure::of(error, inside))?)
        }
    };
    Ok((opened, inside))
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
