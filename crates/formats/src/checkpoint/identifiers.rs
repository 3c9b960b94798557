//! The ids that Karenina's programs give to questions, computed exactly as those programs compute them.
//!
//! One question text has four ids: the user interface's URN, Python's URN, the MD5 of the text, and the key under which
//! the user interface keeps the question. The formula in the specification gives none of them: as printed, its
//! accumulator starts at 0 and every step ends in an AND with it, so every text has the hash 0. The user interface uses
//! the polynomial hash with the factor 31 over UTF-16 code units, which [`text_hash`] computes.

use evalgraph_text_keys::hexadecimal;
use md5::{Digest, Md5};

/// How many characters of a question's text its id includes.
const SLUG_LENGTH: usize = 50;

/// Returns the hash of a text as the user interface computes it, in hexadecimal without leading zeros.
///
/// The 32-bit sum is signed, and the hash is its absolute value: `polygenelubricants` has 80000000.
///
/// ```
/// assert_eq!(evalgraph_formats::checkpoint::identifiers::text_hash("What is AI?"), "6ddd71dd");
/// ```
pub fn text_hash(text: &str) -> String {
    let hash = text.encode_utf16().fold(0_i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(unit.into()));
    format!("{:x}", hash.unsigned_abs())
}

/// Returns the id that the user interface gives to a question: a slug and the [`text_hash`] of the whole text. The slug
/// is the text in lower case, reduced to the letters a to z, digits and white space, with each run of white space
/// replaced by one hyphen, cut after 50 characters.
///
/// ```
/// let id = evalgraph_formats::checkpoint::identifiers::interface_question_id("What is 2+2?");
/// assert_eq!(id, "urn:uuid:question-what-is-22-4dc98640");
/// ```
pub fn interface_question_id(text: &str) -> String {
    let is_kept = |character: &char| {
        is_white_space(*character) || character.is_ascii_lowercase() || character.is_ascii_digit()
    };
    let mut slug = hyphened(text.to_lowercase().chars().filter(is_kept));
    // The slug is ASCII, so its characters, bytes and UTF-16 code units have the same count.
    slug.truncate(SLUG_LENGTH);
    format!("urn:uuid:question-{slug}-{}", text_hash(text))
}

/// Returns a text with each run of white space replaced by one hyphen.
fn hyphened(characters: impl Iterator<Item = char>) -> String {
    let mut in_space = false;
    let step = |character| {
        let was_in_space = std::mem::replace(&mut in_space, is_white_space(character));
        if in_space { (!was_in_space).then_some('-') } else { Some(character) }
    };
    characters.filter_map(step).collect()
}

/// Returns whether `\s` matches a character in JavaScript. Rust's white space includes U+0085 and excludes U+FEFF.
fn is_white_space(character: char) -> bool {
    matches!(
        character,
        '\t'..='\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{2028}' | '\u{2029}'
            | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{feff}'
    )
}

/// Returns the id that the Python library gives to a question: the text in lower case, with hyphens for spaces, without
/// `?`, `.` and `,`, cut after 50 characters; then the first 8 digits of [`text_md5`]. All other characters are kept,
/// so many of these ids are not IRIs. The library appends `-1`, `-2` to repeated ids.
///
/// ```
/// let id = evalgraph_formats::checkpoint::identifiers::python_question_id("What is 2+2?");
/// assert_eq!(id, "urn:uuid:question-what-is-2+2-936dbc87");
/// ```
pub fn python_question_id(text: &str) -> String {
    let lower = text.to_lowercase();
    let kept = lower.chars().filter(|character| !matches!(character, '?' | '.' | ','));
    let slug = kept.map(|character| if character == ' ' { '-' } else { character }).take(SLUG_LENGTH);
    let slug: String = slug.collect();
    format!("urn:uuid:question-{slug}-{}", &text_md5(text)[..8])
}

/// Returns the MD5 of a text in hexadecimal: the id of a question that was added as an object, and the
/// name of a question in verification results.
///
/// ```
/// let id = evalgraph_formats::checkpoint::identifiers::text_md5("What is 2+2?");
/// assert_eq!(id, "936dbc8755f623c951d96ea2b03e13bc");
/// ```
pub fn text_md5(text: &str) -> String {
    hexadecimal(&Md5::digest(text))
}

/// Returns the id that the user interface gives to a rating: its name in lower case, with each run of white space
/// replaced by one hyphen. Ratings of the same name share an id.
///
/// ```
/// let id = evalgraph_formats::checkpoint::identifiers::interface_rating_id("Does it cite (ok)?");
/// assert_eq!(id, "urn:uuid:rating-does-it-cite-(ok)?");
/// ```
pub fn interface_rating_id(name: &str) -> String {
    format!("urn:uuid:rating-{}", hyphened(name.to_lowercase().chars()))
}
