//! The code of callable traits: base64 in every form, plain text in some files.

use super::PlacedValue;

/// The digits of base64 (RFC 4648).
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Encodes plain-text code as base64, because the library refuses to decode plain text.
pub(super) fn encoded<'d>(code: &PlacedValue<'d>) -> Option<PlacedValue<'d>> {
    let text = code.as_str()?;
    (!is_base64(&text)).then(|| PlacedValue::text(&base64(text.as_bytes()), code.origin))
}

fn is_base64(text: &str) -> bool {
    let digits: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let content = digits.iter().rposition(|&byte| byte != b'=').map_or(0, |last| last + 1);
    let is_digit = |byte: &u8| DIGITS.contains(byte);
    digits.len().is_multiple_of(4) && digits.len() - content <= 2 && digits[..content].iter().all(is_digit)
}

/// Returns whether Python's decoder accepts a string: the decoder skips everything except digits and checks the
/// padding.
pub(crate) fn is_base64_of_python(text: &str) -> bool {
    if !text.is_ascii() {
        return false;
    }
    let (mut digits, mut padding) = (0, 0);
    for byte in text.bytes() {
        if byte == b'=' {
            padding += 1;
            if digits % 4 >= 2 && digits % 4 + padding >= 4 {
                return true;
            }
        } else if DIGITS.contains(&byte) {
            digits += 1;
            padding = 0;
        }
    }
    digits % 4 == 0
}

fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let digit = (bits >> (18 - 6 * at)) & 63;
            let is_there = at <= chunk.len();
            text.push(if is_there { char::from(DIGITS[digit as usize]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{base64, is_base64};

    #[test]
    fn texts_become_base64_as_in_the_test_vectors_of_the_standard() {
        let vectors = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
        ];
        for (plain, encoded) in vectors {
            assert_eq!(base64(plain.as_bytes()), encoded);
            assert!(is_base64(encoded));
        }
        assert!(!is_base64("def evaluate(trace: str) -> int:"));
    }
}
