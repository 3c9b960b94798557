//! Texts that are pieces of a larger file, with their positions in it. With them, places refer to the file.

use super::{SourcePlace, byte_order_mark, count_characters};

/// A position in a file, between two bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilePosition {
    /// How many bytes come before it.
    pub byte: u64,
    /// Its line, from 1.
    pub line: u64,
    /// Its column in Unicode code points, from 1.
    pub column: u64,
}

impl FilePosition {
    /// The start of a file.
    pub const START: Self = Self { byte: 0, line: 1, column: 1 };

    /// Returns the position after `bytes`, which begin here.
    #[must_use]
    pub fn after(self, bytes: &[u8]) -> Self {
        let lines = memchr::memchr_iter(b'\n', bytes).count() as u64;
        let mark = if self.byte == 0 { byte_order_mark(bytes) } else { 0 };
        let last = memchr::memrchr(b'\n', bytes).map_or(mark, |at| at + 1);
        let characters = count_characters(&bytes[last..]) as u64;
        let column = if lines > 0 { 1 + characters } else { self.column + characters };
        Self { byte: self.byte + bytes.len() as u64, line: self.line + lines, column }
    }
}

/// A piece of a file. It ends at the next piece or at the end of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilePiece {
    /// The byte of the text at which the piece begins.
    pub at: usize,
    /// The position in the file at which the piece begins.
    pub position: FilePosition,
}

impl FilePiece {
    /// A text that begins at a position in a file.
    pub fn from(position: FilePosition) -> Self {
        Self { at: 0, position }
    }

    /// Translates a place in the text to the file. `begin` is the start of the piece in the text.
    pub(super) fn moved(self, mut place: SourcePlace, begin: FilePosition) -> SourcePlace {
        if place.line == begin.line {
            place.column = place.column - begin.column + self.position.column;
        }
        place.line = place.line - begin.line + self.position.line;
        let moved = |byte: u64| byte - begin.byte + self.position.byte;
        place.bytes = moved(place.bytes.start)..moved(place.bytes.end);
        place
    }
}
