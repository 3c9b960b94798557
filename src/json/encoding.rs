//! Bytes to text: UTF-8, with a guess at what else it may be.

use crate::diagnostic::{Diagnostic, SourceText};

/// Takes the bytes of a file as UTF-8 text. A byte order mark stays where it is.
///
/// # Errors
/// `json::encoding` with the place and offset of the first byte that is not UTF-8, and a guess at
/// the encoding.
pub fn decode(name: &str, bytes: Vec<u8>) -> Result<String, Box<Diagnostic>> {
    if let Some(encoding) = utf16(&bytes) {
        return Err(Box::new(
            Diagnostic::error("json::encoding", format!("the text is {encoding}, not UTF-8"))
                .at(SourceText::new(name, b"").place(0..0))
                .with_help(format!("convert it: `iconv -f {encoding} -t UTF-8 FILE > NEW`")),
        ));
    }
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let (guess, iconv_name) = single_byte_guess(&bytes[offset..]);
        let place = SourceText::new(name, bytes).place(offset..offset + 1);
        Box::new(
            Diagnostic::error(
                "json::encoding",
                format!(
                    "byte {offset} (`0x{:02X}`) is not UTF-8; the text looks like {guess}",
                    bytes[offset]
                ),
            )
            .at(place)
            .with_help(format!("convert it: `iconv -f {iconv_name} -t UTF-8 FILE > NEW`")),
        )
    })
}

/// UTF-16 shows by its byte order mark, or by a NUL beside an ASCII character at the beginning.
fn utf16(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xFF, 0xFE, ..] => Some("UTF-16LE"),
        [0xFE, 0xFF, ..] => Some("UTF-16BE"),
        [low, 0, next, 0, ..] if *low > 0 && *next > 0 => Some("UTF-16LE"),
        [0, high, 0, next, ..] if *high > 0 && *next > 0 => Some("UTF-16BE"),
        _ => None,
    }
}

/// Bytes from 0x80 to 0x9F are control characters in Latin-1 and quotes and dashes in
/// Windows-1252: where they occur, it is the latter. The second name is what `iconv` calls it.
fn single_byte_guess(bytes: &[u8]) -> (&'static str, &'static str) {
    if bytes.iter().any(|byte| (0x80..0xA0).contains(byte)) {
        ("Windows-1252", "WINDOWS-1252")
    } else {
        ("Latin-1 or Windows-1252", "LATIN1")
    }
}
