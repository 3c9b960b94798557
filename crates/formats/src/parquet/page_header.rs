//! The header of a page, which gives the memory that the page takes before it is decompressed. It is a struct of
//! Thrift's compact protocol.

/// The maximum nesting depth of structs; the header of a page has three levels.
const DEEPEST: usize = 16;

/// The kinds of pages, by number.
const INDEX_PAGE: i64 = 1;
const DICTIONARY_PAGE: i64 = 2;

/// The kinds of values in Thrift's compact protocol, by number.
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
const STRUCT: u8 = 12;

/// The header of a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct PageHeader {
    kind: i64,
    /// The size of the decompressed page in bytes.
    pub(super) uncompressed: i64,
    /// The size of the page in bytes, without the header.
    pub(super) compressed: i64,
    /// The number of values, absent ones included.
    pub(super) values: i64,
    /// The number of the encoding of its values.
    pub(super) encoding: i64,
    /// The size of the header in bytes.
    pub(super) length: usize,
}

impl PageHeader {
    /// Reads the header at the beginning of `bytes`, or returns `None` if there is none.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let (mut header, mut compact) = (Self::default(), CompactProtocolReader { bytes, at: 0 });
        compact.read_struct(DEEPEST, &mut |compact, id, kind| {
            match id {
                1 => header.kind = compact.integer(kind)?,
                2 => header.uncompressed = compact.integer(kind)?,
                3 => header.compressed = compact.integer(kind)?,
                // The headers of a data page, of a dictionary, and of a data page in the second version.
                5 | 7 | 8 if kind == STRUCT => {
                    let encoding = if id == 8 { 4 } else { 2 };
                    compact.read_struct(DEEPEST, &mut |compact, id, kind| {
                        match id {
                            1 => header.values = compact.integer(kind)?,
                            _ if id == encoding => header.encoding = compact.integer(kind)?,
                            _ => compact.skip(kind, DEEPEST)?,
                        }
                        Some(())
                    })?;
                }
                _ => compact.skip(kind, DEEPEST)?,
            }
            Some(())
        })?;
        header.length = compact.at;
        let is_sane = header.uncompressed >= 0 && header.compressed >= 0 && header.values >= 0;
        is_sane.then_some(header)
    }

    /// Returns whether readers skip the page.
    pub(super) fn is_index(&self) -> bool {
        self.kind == INDEX_PAGE
    }

    /// Returns whether the page is a dictionary, whose values other pages refer to by number.
    pub(super) fn is_dictionary(&self) -> bool {
        self.kind == DICTIONARY_PAGE
    }
}

/// The reader of a field: takes its id and kind, and reads or skips its value.
type ThriftFieldReader<'f, 'b> = dyn FnMut(&mut CompactProtocolReader<'b>, i64, u8) -> Option<()> + 'f;

/// Values in Thrift's compact protocol.
struct CompactProtocolReader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> CompactProtocolReader<'b> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn pass(&mut self, count: u64) -> Option<()> {
        self.at = self.at.checked_add(usize::try_from(count).ok()?)?;
        (self.at <= self.bytes.len()).then_some(())
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    /// Reads a zigzag integer, or returns `None` for a field of another kind.
    fn integer(&mut self, kind: u8) -> Option<i64> {
        if !(4..=6).contains(&kind) {
            return None;
        }
        let value = self.varint()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    fn read_struct(&mut self, depth: usize, field: &mut ThriftFieldReader<'_, 'b>) -> Option<()> {
        depth.checked_sub(1)?;
        let mut id = 0_i64;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Some(());
            }
            // An id is given either in full or as the difference to the previous id.
            id = if head >> 4 == 0 { self.integer(4)? } else { id + i64::from(head >> 4) };
            field(self, id, head & 0x0F)?;
        }
    }

    fn skip(&mut self, kind: u8, depth: usize) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match kind {
            TRUE | FALSE => Some(()),
            BYTE => self.pass(1),
            4..=6 => self.varint().map(drop),
            DOUBLE => self.pass(8),
            BINARY => {
                let length = self.varint()?;
                self.pass(length)
            }
            LIST | SET => {
                let head = self.byte()?;
                let count = if head >> 4 == 0x0F { self.varint()? } else { u64::from(head >> 4) };
                self.skip_many(count, &[head & 0x0F], depth)
            }
            MAP => match self.varint()? {
                0 => Some(()),
                count => {
                    let kinds = self.byte()?;
                    self.skip_many(count, &[kinds >> 4, kinds & 0x0F], depth)
                }
            },
            STRUCT => self.read_struct(depth, &mut |compact, _, kind| compact.skip(kind, depth)),
            _ => None,
        }
    }

    fn skip_many(&mut self, count: u64, kinds: &[u8], depth: usize) -> Option<()> {
        for _ in 0..count {
            for kind in kinds {
                match *kind {
                    // In a list, a truth value takes a byte.
                    TRUE | FALSE => self.pass(1)?,
                    kind => self.skip(kind, depth)?,
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_a_page_is_read_whatever_else_it_has() {
        // A data page of 300 bytes, 100 of them compressed, with a checksum and 7 values in the encoding 8.
        let head =
            [0x15, 0, 0x15, 0xD8, 4, 0x15, 0xC8, 1, 0x15, 9, 0x1C, 0x15, 14, 0x15, 16, 0x15, 6, 0, 0, 99];
        let read = PageHeader::read(&head).expect("it is a head");
        let expected =
            PageHeader { kind: 0, uncompressed: 300, compressed: 100, values: 7, encoding: 8, length: 19 };
        assert_eq!(read, expected);
        // With statistics before the values, and with fields of the future: a list, a map and a string.
        let odd = [
            0x15, 4, 0x15, 2, 0x15, 2, 0x4C, 0x15, 6, 0x15, 0, 0, 0x29, 0x28, 1, 97, 1, 98, 0x1B, 1, 0x58, 2,
            1, 99, 0x18, 2, 100, 101, 0,
        ];
        let read = PageHeader::read(&odd).expect("it is a head");
        assert!(read.is_dictionary() && (read.values, read.length) == (3, odd.len()), "{read:?}");
        for end in 0..odd.len() {
            assert_eq!(PageHeader::read(&odd[..end]), None, "{end}");
        }
        assert_eq!(PageHeader::read(&[0x15, 0, 0x15, 1, 0x15, 0, 0]), None, "no size is negative");
        assert_eq!(PageHeader::read(&[0x1C; 100]), None, "it has no end");
    }
}
