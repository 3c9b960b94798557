//! Opens gzip and zstd by their magic bytes, while they are read.

use std::io::{self, BufReader, Cursor, Read};

/// The reason why bytes could not be read.
#[derive(Debug)]
pub(crate) enum ReadFailure {
    /// The source is larger than the limit, before or after decompression.
    TooLarge {
        /// The compression, where the decompressed bytes are too many.
        inside: Option<&'static str>,
    },
    /// A compressed stream that ends early or is damaged.
    Damaged {
        /// The compression.
        inside: &'static str,
        /// The error of the decoder.
        cause: io::Error,
    },
    /// The source itself cannot be read.
    Unreadable(io::Error),
}

impl ReadFailure {
    /// The failure of an error while reading. An error with a number of the system is no fault of a compressed stream.
    pub(crate) fn of(error: io::Error, inside: Option<&'static str>) -> Self {
        match inside {
            Some(inside) if error.raw_os_error().is_none() => Self::Damaged { inside, cause: error },
            _ => Self::Unreadable(error),
        }
    }
}

/// Bytes that are decompressed while they are read.
pub(crate) type Opened = Box<dyn Read + Send>;

/// Decompresses a source where it is compressed, and returns the name of the compression.
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
