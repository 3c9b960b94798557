//! The keys of the catalog, by which questions and documents of all systems are joined, and texts that are nearly the
//! same.

pub mod near_texts;
pub mod reading_order;

use evalgraph_rdf::iri::percent_decode;
use md5::Md5;
use sha2::{Digest, Sha256};
use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick, is_nfd_quick};

/// Returns the key that questions with the same text share, regardless of case and white space: the MD5 of the text in
/// Unicode's form NFC with its case folded, each run of white space one blank. Operators stay, so `2+2` is not `22`. A
/// letter is the same whether its accent is a part of it or a mark after it.
///
/// ```
/// use evalgraph_text_keys::text_key;
///
/// assert_eq!(text_key("What is  2+2?\n"), text_key("what is 2+2?"));
/// assert_eq!(text_key("Heißt es ΟΔΥΣΣΕΥΣ?"), text_key("HEISST ES Οδυσσευς?"));
/// assert_eq!(text_key("Caf\u{e9}"), text_key("Cafe\u{301}"));
/// assert_ne!(text_key("What is 2+2?"), text_key("What is 22?"));
/// ```
pub fn text_key(text: &str) -> String {
    hexadecimal(&Md5::digest(folded(text)))
}

/// Returns the key that questions share even if their punctuation differs: the [`text_key`] without quotes,
/// brackets and the marks of sentences; `.`, `,` and `:` between two digits stay. Operators stay.
///
/// ```
/// use evalgraph_text_keys::loose_key;
///
/// assert_eq!(loose_key("“What's 2.5 + 2?”"), loose_key("Whats 2.5 + 2"));
/// assert_ne!(loose_key("What is 2.5?"), loose_key("What is 25?"));
/// assert_ne!(loose_key("2-2"), loose_key("22"));
/// ```
pub fn loose_key(text: &str) -> String {
    loose_key_of_folded(&folded(text))
}

/// The [`loose_key`] of a text that is already [`folded`].
pub fn loose_key_of_folded(folded: &str) -> String {
    let mut stripped = String::with_capacity(folded.len());
    let mut characters = folded.chars().peekable();
    let mut last = ' ';
    while let Some(character) = characters.next() {
        let is_in_number = last.is_numeric() && characters.peek().is_some_and(|next| next.is_numeric());
        let is_kept = match character {
            '.' | ',' | ':' => is_in_number,
            _ => !is_punctuation(character),
        };
        if is_kept {
            stripped.push(character);
        }
        last = character;
    }
    // Removing punctuation may have put a mark directly after a letter, which NFC composes.
    match is_nfc_quick(stripped.chars()) {
        IsNormalized::Yes => hexadecimal(&Md5::digest(with_single_blanks(&stripped))),
        _ => text_key(&stripped),
    }
}

/// Returns the key that all names of one document share, whether a dataset gives its file, its title or its web
/// address: the last part of a path, decoded, without the file extension, its case folded, each `_` a blank. Two
/// documents whose files have the same name are treated as one.
///
/// ```
/// use evalgraph_text_keys::document_key;
///
/// assert_eq!(document_key("https://law.example.org/acts/Tenancy%20Act.pdf#s5"), "tenancy act");
/// assert_eq!(document_key("Tenancy_Act.txt"), document_key("Tenancy act"));
/// assert_ne!(document_key("Notice No. 5"), document_key("Notice No. 6"));
/// ```
pub fn document_key(name: &str) -> String {
    let Some((_, address)) = name.split_once("://") else { return stem_key(name) };
    let path = address.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    match path.rsplit_once('/') {
        Some((_, last)) => stem_key(&percent_decode(last)),
        // The ending of a host name is not a file extension.
        None => folded(path),
    }
}

/// The name of a file without its extension. An extension has at least one letter and no blank.
fn stem_key(name: &str) -> String {
    let is_ending = |ending: &str| {
        (1..=5).contains(&ending.len())
            && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && ending.bytes().any(|byte| byte.is_ascii_alphabetic())
    };
    let stem = match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && is_ending(ending) => stem,
        _ => name,
    };
    folded(&stem.replace('_', " "))
}

/// Quotes, brackets and the marks of sentences.
fn is_punctuation(character: char) -> bool {
    const ASCII: &str = ".,:;!?'\"`()[]{}";
    const OTHERS: &str = "…¡¿«»‹›´、。「」『』（），．：；？！";
    ASCII.contains(character) || ('\u{2018}'..='\u{201f}').contains(&character) || OTHERS.contains(character)
}

/// The text in form NFC with its case folded, each run of white space one blank.
pub fn folded(text: &str) -> String {
    if text.is_ascii() {
        return with_single_blanks(&text.to_ascii_lowercase());
    }
    let mut folded = String::with_capacity(text.len());
    if text.chars().all(is_alone) {
        text.chars().for_each(|character| fold(character, &mut folded));
        return with_single_blanks(&folded);
    }
    // The text is decomposed before its case is folded; a mark folded as a part of its letter might
    // lose its place in the order of marks (Unicode, canonical caseless matching).
    match is_nfd_quick(text.chars()) {
        IsNormalized::Yes => text.chars().for_each(|character| fold(character, &mut folded)),
        _ => text.nfd().for_each(|character| fold(character, &mut folded)),
    }
    let folded = with_single_blanks(&folded);
    match is_nfc_quick(folded.chars()) {
        IsNormalized::Yes => folded,
        _ => folded.nfc().collect(),
    }
}

/// Returns whether folding gives the same result with and without decomposing the character first and composing it
/// afterwards, regardless of its neighbours: ASCII, Latin letters, Greek ones without accents, quotes and dashes, Han.
fn is_alone(character: char) -> bool {
    matches!(character,
        '\0'..='\u{17f}' | 'Α'..='Ω' | 'α'..='ω' | '\u{2010}'..='\u{2027}' | '\u{3001}'..='\u{3029}' | '\u{4e00}'..='\u{9fff}')
}

/// Returns the [`folded`] text without accents and other marks, for searches: a user may type `Zurich` for `Zürich`.
///
/// ```
/// use evalgraph_text_keys::without_marks;
///
/// assert_eq!(without_marks("Où est  ZÜRICH ?"), "ou est zurich ?");
/// ```
pub fn without_marks(text: &str) -> String {
    without_marks_except(text, |_| false)
}

/// [`without_marks`], but some letters keep theirs.
pub(crate) fn without_marks_except(text: &str, is_kept: impl Fn(char) -> bool) -> String {
    let folded = folded(text);
    if folded.is_ascii() {
        return folded;
    }
    let mut plain = String::with_capacity(folded.len());
    for letter in folded.chars() {
        match is_kept(letter) {
            true => plain.push(letter),
            false => plain.extend(std::iter::once(letter).nfd().filter(|&part| !is_combining_mark(part))),
        }
    }
    plain.nfc().collect()
}

/// Makes each run of white space one blank, and drops white space at the ends.
fn with_single_blanks(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !plain.is_empty() {
            plain.push(' ');
        }
        plain.push_str(word);
    }
    plain
}

/// Appends a character without its case (Unicode, full case folding): letters with the same capitals become the same,
/// such as `ß` and `ss`, `σ` and `ς`.
fn fold(character: char, folded: &mut String) {
    match character {
        _ if character.is_ascii() => folded.push(character.to_ascii_lowercase()),
        // The capital of `ı` is also that of `i`.
        'ı' => folded.push(character),
        _ => {
            folded.extend(character.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase));
        }
    }
}

/// The SHA-256 of bytes, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// Bytes in hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 0xf)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_is_folded_in_full() {
        let pairs = [
            ("STRASSE", "Straße"),
            ("GROẞ", "groß"),
            ("ΣΊΣΥΦΟΣ", "Σίσυφος"),
            ("ﬁve", "FIVE"),
            ("\u{212a}elvin", "kelvin"),
            ("5 \u{b5}m", "5 \u{3bc}m"),
            ("İ", "i\u{307}"),
        ];
        for (one, other) in pairs {
            assert_eq!(folded(one), folded(other), "{one}");
        }
        // These are distinct letters.
        assert_ne!(folded("ı"), folded("i"));
        assert_ne!(folded("é"), folded("e"));
    }

    #[test]
    fn composed_and_decomposed_letters_are_one() {
        let pairs = [
            ("Caf\u{e9}", "Cafe\u{301}"),
            ("CAF\u{c9}", "cafe\u{301}"),
            // Hangul: a syllable and its letters.
            ("\u{d55c}\u{ae00}", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}"),
            ("\u{212b}", "a\u{30a}"),
            ("q\u{307}\u{323}", "Q\u{323}\u{307}"),
            // In capitals, an iota subscript is a separate letter and comes after all other marks.
            ("\u{3b1}\u{345}\u{301}", "\u{1fb4}"),
        ];
        for (one, other) in pairs {
            assert_eq!(folded(one), folded(other), "{one}");
            assert_eq!(loose_key(one), loose_key(other), "{one}");
        }
        assert_eq!(document_key("Caf\u{e9}.txt"), document_key("Cafe\u{301}.pdf"));
        // NFC does not change characters that only look alike.
        assert_ne!(folded("x\u{b2}"), folded("x2"));
    }

    #[test]
    fn what_stands_alone_is_folded_as_all_is() {
        let with_marks = |text: &str| {
            let mut folded = String::new();
            text.nfd().for_each(|character| fold(character, &mut folded));
            with_single_blanks(&folded).nfc().collect::<String>()
        };
        let alone: Vec<char> = (0..0xa000).filter_map(char::from_u32).filter(|one| is_alone(*one)).collect();
        for character in &alone {
            for beside in ["a", "I", "ü", "İ", "ς", "ß", " ", "\u{3a9}", "中"] {
                let (before, after) = (format!("{beside}{character}"), format!("{character}{beside}"));
                assert_eq!(folded(&before), with_marks(&before), "{:x}", *character as u32);
                assert_eq!(folded(&after), with_marks(&after), "{:x}", *character as u32);
            }
        }
    }

    #[test]
    fn what_is_folded_stays_as_it_is() {
        // The scripts that have cases or marks. Han and Hangul have neither.
        for character in (0..0x3400).chain(0xf900..0x1_f000).filter_map(char::from_u32) {
            let text = format!("a{character}\u{301}b");
            let once = folded(&text);
            assert_eq!(folded(&once), once, "{:x}", character as u32);
        }
    }

    proptest::proptest! {
        #[test]
        fn keys_are_those_of_all_forms_of_a_text(text in "\\PC{0,20}|[\u{300}-\u{345}a-zÀ-ž \u{3b1}\u{1fb4}]{0,12}") {
            let once = folded(&text);
            proptest::prop_assert_eq!(&folded(&once), &once);
            let (composed, decomposed): (String, String) = (text.nfc().collect(), text.nfd().collect());
            proptest::prop_assert_eq!(&folded(&composed), &once);
            proptest::prop_assert_eq!(&folded(&decomposed), &once);
        }
    }

    #[test]
    fn blanks_are_one_blank_and_operators_stay() {
        assert_eq!(folded("\u{3000} What\tis\r\n2 + 2 ? "), "what is 2 + 2 ?");
        let keys: std::collections::HashSet<String> =
            ["2+2", "2-2", "2*2", "2/2", "2<2", "2=2", "22", "2 2", "2.2", "2,2"].map(loose_key).into();
        assert_eq!(keys.len(), 10);
    }

    #[test]
    fn punctuation_is_loose() {
        let same = [
            ("What is AI?", "what is ai"),
            ("“What is ‘AI’?”", "What is AI"),
            ("Wer ist es, (und) warum?!", "wer ist es und warum…"),
            ("What is it ?", "What is it"),
            ("什么是人工智能？", "什么是人工智能"),
        ];
        for (one, other) in same {
            assert_eq!(loose_key(one), loose_key(other), "{one}");
            assert_ne!(text_key(one), text_key(other), "{one}");
        }
        assert_eq!(loose_key("At 10:30, 2.5 or 3.?"), loose_key("at 10:30 2.5 or 3"));
    }
}
