//! Decodes bytes to text: UTF-8, with a guess at other encodings, or the encoding that the user names.

use encoding_rs::{DecoderResult, Encoding as Legacy};
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{Diagnostic, FilePiece, FilePosition, FindingHelp, HelpPart, SourceText};
use std::fmt;

/// An encoding that a user can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextEncoding {
    /// The encoding of the byte order mark, or UTF-8 without one.
    Auto,
    /// UTF-8.
    Utf8,
    /// UTF-16. The byte order follows from the mark or from the first characters.
    Utf16,
    /// ISO 8859-1.
    Latin1,
    /// Windows-1252.
    Windows1252,
    /// Another encoding of the Encoding Standard of the WHATWG.
    Legacy(&'static Legacy),
}

impl TextEncoding {
    /// The encodings that help and messages name.
    pub const COMMON: [Self; 6] = [
        Self::Auto,
        Self::Utf8,
        Self::Utf16,
        Self::Latin1,
        Self::Windows1252,
        Self::Legacy(encoding_rs::WINDOWS_1250),
    ];

    /// The other encodings that can be named.
    pub fn others() -> impl Iterator<Item = Self> {
        OTHERS.into_iter().map(|(_, legacy)| Self::Legacy(legacy))
    }

    /// The name of the encoding on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Utf8 => "utf-8",
            Self::Utf16 => "utf-16",
            Self::Latin1 => "latin1",
            Self::Windows1252 => "windows-1252",
            Self::Legacy(encoding) => {
                let known = OTHERS.into_iter().find(|(_, legacy)| *legacy == encoding);
                known.map_or(encoding.name(), |(name, _)| name)
            }
        }
    }
}

/// Encodings of the Encoding Standard, with their names in lower case.
const OTHERS: [(&str, &Legacy); 32] = [
    ("big5", encoding_rs::BIG5),
    ("euc-jp", encoding_rs::EUC_JP),
    ("euc-kr", encoding_rs::EUC_KR),
    ("gb18030", encoding_rs::GB18030),
    ("gbk", encoding_rs::GBK),
    ("ibm866", encoding_rs::IBM866),
    ("iso-2022-jp", encoding_rs::ISO_2022_JP),
    ("iso-8859-2", encoding_rs::ISO_8859_2),
    ("iso-8859-3", encoding_rs::ISO_8859_3),
    ("iso-8859-4", encoding_rs::ISO_8859_4),
    ("iso-8859-5", encoding_rs::ISO_8859_5),
    ("iso-8859-6", encoding_rs::ISO_8859_6),
    ("iso-8859-7", encoding_rs::ISO_8859_7),
    ("iso-8859-8", encoding_rs::ISO_8859_8),
    ("iso-8859-10", encoding_rs::ISO_8859_10),
    ("iso-8859-13", encoding_rs::ISO_8859_13),
    ("iso-8859-14", encoding_rs::ISO_8859_14),
    ("iso-8859-15", encoding_rs::ISO_8859_15),
    ("iso-8859-16", encoding_rs::ISO_8859_16),
    ("koi8-r", encoding_rs::KOI8_R),
    ("koi8-u", encoding_rs::KOI8_U),
    ("macintosh", encoding_rs::MACINTOSH),
    ("shift_jis", encoding_rs::SHIFT_JIS),
    ("windows-874", encoding_rs::WINDOWS_874),
    ("windows-1251", encoding_rs::WINDOWS_1251),
    ("windows-1253", encoding_rs::WINDOWS_1253),
    ("windows-1254", encoding_rs::WINDOWS_1254),
    ("windows-1255", encoding_rs::WINDOWS_1255),
    ("windows-1256", encoding_rs::WINDOWS_1256),
    ("windows-1257", encoding_rs::WINDOWS_1257),
    ("windows-1258", encoding_rs::WINDOWS_1258),
    ("x-mac-cyrillic", encoding_rs::X_MAC_CYRILLIC),
];

impl fmt::Display for TextEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The characters of the bytes 0x80 to 0x9F in Windows-1252. Five of them are undefined.
const WINDOWS_1252: [Option<char>; 32] = [
    Some('€'),
    None,
    Some('‚'),
    Some('ƒ'),
    Some('„'),
    Some('…'),
    Some('†'),
    Some('‡'),
    Some('ˆ'),
    Some('‰'),
    Some('Š'),
    Some('‹'),
    Some('Œ'),
    None,
    Some('Ž'),
    None,
    None,
    Some('‘'),
    Some('’'),
    Some('“'),
    Some('”'),
    Some('•'),
    Some('–'),
    Some('—'),
    Some('˜'),
    Some('™'),
    Some('š'),
    Some('›'),
    Some('œ'),
    None,
    Some('ž'),
    Some('Ÿ'),
];

/// Decodes the bytes of a file. A UTF-8 byte order mark stays in the text, a UTF-16 one does not.
///
/// # Errors
/// `json::encoding` with the place and offset of the first byte that is not valid in the encoding.
///
/// ```
/// use evalgraph_json::{TextEncoding, decode_as};
///
/// let text = decode_as("a.csv", b"caf\xE9 \x80".to_vec(), TextEncoding::Windows1252)?;
/// assert_eq!(text, "café €");
/// # Ok::<(), Box<evalgraph_diagnostics::Diagnostic>>(())
/// ```
pub fn decode_as(name: &str, bytes: Vec<u8>, encoding: TextEncoding) -> Result<String, Box<Diagnostic>> {
    let has_mark = matches!(bytes.as_slice(), [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]);
    match encoding {
        TextEncoding::Auto if has_mark => decode_utf16(name, &bytes),
        TextEncoding::Auto | TextEncoding::Utf8 => decode(name, bytes),
        TextEncoding::Utf16 => decode_utf16(name, &bytes),
        TextEncoding::Latin1 => Ok(bytes.iter().map(|&byte| char::from(byte)).collect()),
        TextEncoding::Windows1252 => decode_windows_1252(name, &bytes),
        TextEncoding::Legacy(legacy) => decode_legacy(name, &bytes, legacy),
    }
}

/// Encodes a text like the bytes of another one, with the same byte order and mark; `None` if a character does not
/// exist in the encoding.
pub fn encode_like(text: &str, encoding: TextEncoding, like: &[u8]) -> Option<Vec<u8>> {
    let has_mark = matches!(like, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]);
    match encoding {
        TextEncoding::Auto if has_mark => encode_like(text, TextEncoding::Utf16, like),
        TextEncoding::Auto | TextEncoding::Utf8 => Some(text.as_bytes().to_vec()),
        TextEncoding::Utf16 => {
            let is_little = utf16(like) == Some("UTF-16LE");
            let bytes = |unit: u16| if is_little { unit.to_le_bytes() } else { unit.to_be_bytes() };
            let mark = has_mark.then_some(0xFEFF);
            Some(mark.into_iter().chain(text.encode_utf16()).flat_map(bytes).collect())
        }
        TextEncoding::Latin1 => text.chars().map(|character| u8::try_from(character).ok()).collect(),
        TextEncoding::Windows1252 => text.chars().map(windows_1252_byte).collect(),
        TextEncoding::Legacy(legacy) => {
            let (bytes, _, has_other_characters) = legacy.encode(text);
            (!has_other_characters).then(|| bytes.into_owned())
        }
    }
}

fn windows_1252_byte(character: char) -> Option<u8> {
    let of_table = WINDOWS_1252.iter().zip(0x80..).find(|(known, _)| **known == Some(character));
    let plain = u8::try_from(character).ok().filter(|byte| !(0x80..0xA0).contains(byte));
    plain.or(of_table.map(|(_, byte)| byte))
}

fn decode_utf16(name: &str, bytes: &[u8]) -> Result<String, Box<Diagnostic>> {
    // RFC 2781, 4.3: a text without a mark or a hint is big-endian.
    let is_little = utf16(bytes) == Some("UTF-16LE");
    let start = if matches!(bytes, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) { 2 } else { 0 };
    let (pairs, rest) = bytes[start..].as_chunks::<2>();
    if !rest.is_empty() {
        return Err(meaningless(name, bytes, bytes.len() - 1, TextEncoding::Utf16));
    }
    let unit = |pair: &[u8; 2]| if is_little { u16::from_le_bytes(*pair) } else { u16::from_be_bytes(*pair) };
    let mut text = String::with_capacity(pairs.len());
    let mut at = start;
    for character in char::decode_utf16(pairs.iter().map(unit)) {
        let character = character.map_err(|_| meaningless(name, bytes, at, TextEncoding::Utf16))?;
        at += 2 * character.len_utf16();
        text.push(character);
    }
    Ok(text)
}

fn decode_windows_1252(name: &str, bytes: &[u8]) -> Result<String, Box<Diagnostic>> {
    let mut text = String::with_capacity(bytes.len());
    for (at, &byte) in bytes.iter().enumerate() {
        let character = match byte {
            0x80..0xA0 => WINDOWS_1252[usize::from(byte) - 0x80],
            _ => Some(char::from(byte)),
        };
        text.push(character.ok_or_else(|| meaningless(name, bytes, at, TextEncoding::Windows1252))?);
    }
    Ok(text)
}

fn decode_legacy(name: &str, bytes: &[u8], legacy: &'static Legacy) -> Result<String, Box<Diagnostic>> {
    let mut decoder = legacy.new_decoder_without_bom_handling();
    // The longest possible text is known beforehand; a length beyond `usize` does not fit into memory.
    let longest = decoder.max_utf8_buffer_length_without_replacement(bytes.len()).unwrap_or(bytes.len());
    let mut text = String::with_capacity(longest);
    match decoder.decode_to_string_without_replacement(bytes, &mut text, true) {
        (DecoderResult::Malformed(length, after), read) => {
            let offset = read.saturating_sub(usize::from(length) + usize::from(after));
            Err(meaningless(name, bytes, offset.min(bytes.len() - 1), TextEncoding::Legacy(legacy)))
        }
        (DecoderResult::InputEmpty | DecoderResult::OutputFull, _) => Ok(text),
    }
}

fn meaningless(name: &str, bytes: &[u8], offset: usize, encoding: TextEncoding) -> Box<Diagnostic> {
    let byte = bytes[offset];
    let message = format!("byte {offset} (`0x{byte:02X}`) is not valid in {encoding}");
    let place = SourceText::new(name, bytes).place(offset..offset + 1);
    Box::new(Diagnostic::error("json::encoding", message).at(place))
}

/// Decodes the bytes of a file as UTF-8. A byte order mark stays in the text.
///
/// # Errors
/// `json::encoding` with the place and offset of the first byte that is not UTF-8, and a guess at
/// the encoding.
pub fn decode(name: &str, bytes: Vec<u8>) -> Result<String, Box<Diagnostic>> {
    if let Some(encoding) = utf16(&bytes) {
        return Err(Box::new(
            Diagnostic::error("json::encoding", format!("the text is {encoding}, not UTF-8"))
                .at(SourceText::new(name, b"").place(0..0))
                .with_help(help![
                    "read it with ",
                    setting("encoding").to("utf-16"),
                    format!(", or convert it: `iconv -f {encoding} -t UTF-8 FILE > NEW`")
                ]),
        ));
    }
    decode_piece(name, bytes, FilePosition::START)
}

/// Decodes the bytes of a file from a position on, like [`decode`].
pub(super) fn decode_piece(
    name: &str,
    bytes: Vec<u8>,
    position: FilePosition,
) -> Result<String, Box<Diagnostic>> {
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let pieces = [FilePiece::from(position)];
        let place = SourceText::new(name, bytes).cut_out(&pieces).place(offset..offset + 1);
        Box::new(
            Diagnostic::error(
                "json::encoding",
                format!(
                    "byte {} (`0x{:02X}`) is not UTF-8; the text is in another encoding",
                    place.bytes.start, bytes[offset]
                ),
            )
            .at(place)
            .with_help(encodings_of(bytes))
            .with_help("or convert it: `iconv -f ENCODING -t UTF-8 FILE > NEW`"),
        )
    })
}

/// Recognises UTF-16 by its byte order mark, or by a NUL beside an ASCII character at the beginning.
fn utf16(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xFF, 0xFE, ..] => Some("UTF-16LE"),
        [0xFE, 0xFF, ..] => Some("UTF-16BE"),
        [low, 0, next, 0, ..] if *low > 0 && *next > 0 => Some("UTF-16LE"),
        [0, high, 0, next, ..] if *high > 0 && *next > 0 => Some("UTF-16BE"),
        _ => None,
    }
}

/// The encodings that old programs write most often, with the languages that they are used for.
const LIKELY: [(TextEncoding, &str); 4] = [
    (TextEncoding::Windows1252, "Western European"),
    (TextEncoding::Legacy(encoding_rs::WINDOWS_1250), "Central European"),
    (TextEncoding::Legacy(encoding_rs::WINDOWS_1251), "Cyrillic"),
    (TextEncoding::Legacy(encoding_rs::MACINTOSH), "old Macs"),
];

/// Returns the help that names the likely encodings in which all bytes are valid. The bytes cannot decide between
/// these; only a reader of the text can.
fn encodings_of(bytes: &[u8]) -> FindingHelp {
    let is_defined = |encoding: TextEncoding| match encoding {
        TextEncoding::Windows1252 => bytes
            .iter()
            .all(|byte| !(0x80..0xA0).contains(byte) || WINDOWS_1252[usize::from(byte - 0x80)].is_some()),
        TextEncoding::Legacy(legacy) => {
            legacy.decode_without_bom_handling_and_without_replacement(bytes).is_some()
        }
        _ => true,
    };
    let mut parts: Vec<HelpPart> = vec!["say which one: ".into()];
    for (encoding, languages) in LIKELY.into_iter().filter(|(encoding, _)| is_defined(*encoding)) {
        if parts.len() > 1 {
            parts.push(", ".into());
        }
        parts.push(setting("encoding").to(encoding.name()).into());
        parts.push(format!(" ({languages})").into());
    }
    FindingHelp::new(parts)
}
