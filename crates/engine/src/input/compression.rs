//! Decompresses gzip and zstd, recognised by their magic bytes, while they are read. Compresses output if the file name
//! asks for it.

use std::io::{self, BufReader, Cursor, Read, Write};
use std::path::Path;

/// The zstd compression level; 3 is zstd's own default.
const ZSTD_LEVEL: i32 = 3;

/// The reason why bytes could not be read.
#[derive(Debug)]
pub enum ReadFailure {
    /// The source is larger than the limit, before or after decompression.
    TooLarge {
        /// The compression, if the decompressed bytes exceed the limit.
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
    /// Returns the failure for an error while reading. An error with an OS error number is not a fault of the
    /// compressed stream.
    pub fn from_error(error: io::Error, inside: Option<&'static str>) -> Self {
        match inside {
            Some(inside) if error.raw_os_error().is_none() => Self::Damaged { inside, cause: error },
            _ => Self::Unreadable(error),
        }
    }
}

/// Bytes that are decompressed while they are read.
pub type DecompressedStream = Box<dyn Read + Send>;

/// Decompresses a source if it is compressed. Returns the name of the compression, too.
pub fn open(
    mut source: impl Read + Send + 'static,
) -> Result<(DecompressedStream, Option<&'static str>), ReadFailure> {
    let mut magic = Vec::with_capacity(4);
    source.by_ref().take(4).read_to_end(&mut magic).map_err(ReadFailure::Unreadable)?;
    let compression = compression(&magic);
    let inside = compression.map(FileCompression::name);
    let whole = Cursor::new(magic).chain(source);
    let opened: DecompressedStream = match compression {
        None => Box::new(whole),
        Some(FileCompression::Gzip) => Box::new(flate2::read::MultiGzDecoder::new(BufReader::new(whole))),
        Some(FileCompression::Zstd) => Box::new(
            zstd::stream::read::Decoder::new(whole)
                .map_err(|error| ReadFailure::from_error(error, inside))?,
        ),
    };
    Ok((opened, inside))
}

/// A compression that can be read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileCompression {
    /// RFC 1952.
    Gzip,
    /// RFC 8878.
    Zstd,
}

impl FileCompression {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::Gzip, Self::Zstd];

    /// Returns the compression of a file that is written under this name. The case of the extension does not matter.
    pub fn of_name(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_string_lossy().to_lowercase();
        Self::ALL.into_iter().find(|compression| compression.extension() == extension)
    }

    /// Returns the extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Gzip => "gz",
            Self::Zstd => "zst",
        }
    }

    /// Returns the name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }
}

fn compression(bytes: &[u8]) -> Option<FileCompression> {
    match bytes {
        [0x1F, 0x8B, ..] => Some(FileCompression::Gzip),
        [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(FileCompression::Zstd),
        _ => None,
    }
}

/// A writer that compresses if it has a compression.
pub enum CompressingWriter<W: Write> {
    /// Not compressed.
    Plain(W),
    /// With gzip.
    Gzip(Box<flate2::write::GzEncoder<W>>),
    /// With zstd.
    Zstd(zstd::stream::write::Encoder<'static, W>),
}

impl<W: Write> CompressingWriter<W> {
    /// Begins to write with a compression, or without one.
    ///
    /// # Errors
    ///
    /// If zstd cannot allocate memory.
    pub fn new(compression: Option<FileCompression>, output: W) -> io::Result<Self> {
        Ok(match compression {
            None => Self::Plain(output),
            Some(FileCompression::Gzip) => {
                Self::Gzip(Box::new(flate2::write::GzEncoder::new(output, flate2::Compression::default())))
            }
            Some(FileCompression::Zstd) => Self::Zstd(zstd::stream::write::Encoder::new(output, ZSTD_LEVEL)?),
        })
    }

    /// Writes the end of the compressed stream, and returns the output.
    ///
    /// # Errors
    ///
    /// The errors of the output.
    pub fn finish(self) -> io::Result<W> {
        match self {
            Self::Plain(output) => Ok(output),
            Self::Gzip(encoder) => encoder.finish(),
            Self::Zstd(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> Write for CompressingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(output) => output.write(bytes),
            Self::Gzip(encoder) => encoder.write(bytes),
            Self::Zstd(encoder) => encoder.write(bytes),
        }
    }

    // The default would call `write` in a loop for each piece of a term.
    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Plain(output) => output.write_all(bytes),
            Self::Gzip(encoder) => encoder.write_all(bytes),
            Self::Zstd(encoder) => encoder.write_all(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(output) => output.flush(),
            Self::Gzip(encoder) => encoder.flush(),
            Self::Zstd(encoder) => encoder.flush(),
        }
    }
}
