//! The order in which people expect texts, as in a list of names or of numbered ids.
//!
//! Letters are compared first, then case and accents, and digits as numbers. Languages in which a letter with a mark, or a
//! pair of letters, has its own place in the alphabet have a rule for it. Source of the rules: the collations of CLDR 47,
//! without their variants.

use std::fmt;

use crate::without_marks_except;

/// The rules of languages. `z<å<ä=æ` says: behind `z` comes `å`, then `ä`, and `æ` at the same place as `ä`.
const RULES: [(&str, &str); 31] = [
    ("az", "c<ç e<ə g<ğ h<x<ı k<q o<ö s<ş u<ü"),
    ("be", "е<ё и<і<й у<ў"),
    ("bg", "и<й"),
    ("bs", "c<č<ć d<dž<đ l<lj n<nj s<š z<ž"),
    ("cs", "c<č h<ch r<ř s<š z<ž"),
    ("da", "z<æ=ä<ø=ö<å=aa"),
    ("es", "n<ñ"),
    ("et", "s<š<z<ž w<õ<ä<ö<ü"),
    ("fi", "z<å<ä=æ<ö=ø"),
    ("gl", "n<ñ"),
    ("hr", "c<č<ć d<dž<đ l<lj n<nj s<š z<ž"),
    ("hu", "c<cs d<dz<dzs g<gy l<ly n<ny o<ö=ő s<sz t<ty u<ü=ű z<zs"),
    ("is", "a<á d<ð e<é i<í o<ó u<ú y<ý z<þ<æ=ä<ö=ø<å"),
    ("lt", "c<č i<y s<š z<ž"),
    ("lv", "c<č g<ģ i<y k<ķ l<ļ n<ņ s<š z<ž"),
    ("nb", "z<æ=ä<ø=ö<å=aa"),
    ("nn", "z<æ=ä<ø=ö<å=aa"),
    ("no", "z<æ=ä<ø=ö<å=aa"),
    ("pl", "a<ą c<ć e<ę l<ł n<ń o<ó s<ś z<ź<ż"),
    ("ro", "a<ă<â i<î s<ș=ş t<ț=ţ"),
    ("ru", "и<й"),
    ("se", "a<á c<č d<đ n<ŋ s<š t<ŧ z<ž<ø<æ<å<ä<ö"),
    ("sk", "a<ä c<č h<ch o<ô s<š z<ž"),
    ("sl", "c<č<ć d<đ s<š z<ž"),
    ("sq", "c<ç d<dh e<ë g<gj l<ll n<nj r<rr s<sh t<th x<xh z<zh"),
    ("sr", "c<č<ć d<dž<đ l<lj n<nj s<š z<ž"),
    ("sv", "z<å<ä=æ<ö=ø"),
    ("tk", "c<ç e<ä j<ž n<ň o<ö s<ş u<ü y<ý"),
    ("tr", "c<ç g<ğ h<ı o<ö s<ş u<ü"),
    ("uk", "г<ґ е<є и<і<ї<й"),
    ("vi", "a<ă<â d<đ e<ê o<ô<ơ u<ư"),
];

/// The order of texts in a language.
#[derive(Debug, Clone, Default)]
pub struct ReadingOrder {
    /// Letters and pairs of letters with a place of their own, the longest first.
    places: Vec<LetterPlace>,
}

/// A place in the alphabet behind a letter.
#[derive(Debug, Clone)]
struct LetterPlace {
    /// The letters, with their case folded.
    letters: String,
    behind: char,
    /// The number of the place behind that letter, from 1.
    number: u8,
}

/// A text as it is compared. Texts are equal only if they are the same.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReadingKey {
    elements: Vec<KeyElement>,
    text: String,
}

/// A letter or a number, in the order of its fields.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct KeyElement {
    letter: char,
    /// The place behind the letter, or 0 for the letter itself.
    place: u8,
    /// How many digits a number has.
    length: usize,
    /// The digits of a number.
    digits: String,
}

/// Text that does not name a language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownLanguage;

impl fmt::Display for UnknownLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a language, such as `sv` or `de-AT`")
    }
}

impl std::error::Error for UnknownLanguage {}

impl ReadingOrder {
    /// Creates the order of a language, which may be followed by a region: `sv`, `sv-SE`, `sv_SE.UTF-8`. A language
    /// without rules has the common order.
    ///
    /// ```
    /// use evalgraph_text_keys::reading_order::ReadingOrder;
    ///
    /// let mut texts = ["Q10", "q9", "Zürich", "Zurich", "äpfel", "Birnen"];
    /// let order = ReadingOrder::default();
    /// texts.sort_by_key(|text| order.key(text));
    /// assert_eq!(texts, ["äpfel", "Birnen", "q9", "Q10", "Zurich", "Zürich"]);
    /// let swedish = ReadingOrder::from_language("sv-SE")?;
    /// texts.sort_by_key(|text| swedish.key(text));
    /// assert_eq!(texts, ["Birnen", "q9", "Q10", "Zurich", "Zürich", "äpfel"]);
    /// # Ok::<(), evalgraph_text_keys::reading_order::UnknownLanguage>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the text is not a language tag.
    pub fn from_language(tag: &str) -> Result<Self, UnknownLanguage> {
        let language = tag.split(['-', '_', '.']).next().unwrap_or_default().to_ascii_lowercase();
        let is_language =
            (2..=3).contains(&language.len()) && language.bytes().all(|b| b.is_ascii_lowercase());
        if !is_language {
            return Err(UnknownLanguage);
        }
        let rules = RULES.iter().find(|(name, _)| *name == language).map_or("", |(_, rules)| *rules);
        let mut places = Vec::new();
        for rule in rules.split(' ') {
            let mut parts = rule.split('<');
            let Some(behind) = parts.next().and_then(|letter| letter.chars().next()) else { continue };
            for (number, letters) in (1..).zip(parts) {
                let place = |letters: &str| LetterPlace { letters: letters.to_owned(), behind, number };
                places.extend(letters.split('=').map(place));
            }
        }
        places.sort_by_key(|place| std::cmp::Reverse(place.letters.len()));
        Ok(Self { places })
    }

    /// Returns a text as it is compared. White space counts only between texts that are otherwise the same.
    pub fn key(&self, text: &str) -> ReadingKey {
        let kept = |letter: char| self.places.iter().any(|place| place.letters.chars().eq([letter]));
        let plain = without_marks_except(text, kept);
        let mut elements = Vec::new();
        let mut rest = plain.as_str();
        while let Some(first) = rest.chars().next() {
            let place = self.places.iter().find(|place| rest.starts_with(&place.letters));
            let (element, end) = match place {
                Some(place) => (KeyElement::new(place.behind, place.number), place.letters.len()),
                None if first.is_ascii_digit() => {
                    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                    let digits = rest[..end].trim_start_matches('0');
                    let number = KeyElement::new('0', 0);
                    (KeyElement { length: digits.len(), digits: digits.to_owned(), ..number }, end)
                }
                None => (KeyElement::new(first, 0), first.len_utf8()),
            };
            elements.push(element);
            rest = &rest[end..];
        }
        ReadingKey { elements, text: text.to_owned() }
    }
}

impl KeyElement {
    fn new(letter: char, place: u8) -> Self {
        Self { letter, place, length: 0, digits: String::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted<'t>(language: &str, texts: &[&'t str]) -> Vec<&'t str> {
        let order = ReadingOrder::from_language(language).expect("it is a language");
        let mut texts = texts.to_vec();
        // Any order but the expected one.
        texts.sort_by(|a, b| b.cmp(a));
        texts.sort_by_key(|text| order.key(text));
        texts
    }

    #[test]
    fn alphabets_are_those_of_their_languages() {
        let alphabets: [(&str, &[&str]); 12] = [
            ("de", &["Apfel", "Äpfel", "Apfelbaum", "Straße", "Strasse 2", "Zoll"]),
            ("sv", &["Adam", "Zorn", "Åke", "Ärlig", "Östen"]),
            ("da", &["Abe", "Zar", "Æble", "Øl", "Aarhus", "Åse"]),
            ("es", &["nube", "nzz", "ñandú", "oso"]),
            ("cs", &["cena", "čas", "had", "hrad", "chata", "ibis"]),
            ("pl", &["lato", "lz", "łan", "mak", "zz", "źle", "żaba"]),
            ("hu", &["cukor", "cz", "csak", "dal", "oz", "öl", "ős"]),
            ("tr", &["hz", "ılık", "iz", "oz", "öz", "su", "şu"]),
            ("et", &["sz", "šokk", "zoo", "žest", "tee", "võti", "õun", "äke", "öö", "üks"]),
            ("lt", &["in", "yra", "jos"]),
            ("uk", &["гора", "ґанок", "дім", "истина", "іній", "їжак", "йти"]),
            ("vi", &["az", "ăn", "âm", "ba", "do", "đo"]),
        ];
        for (language, expected) in alphabets {
            assert_eq!(sorted(language, expected), expected, "{language}");
        }
        assert_eq!(sorted("SV_se.UTF-8", &["Zorn", "Åke"]), ["Zorn", "Åke"]);
        assert_eq!(sorted("fr", &["eau", "été", "etude"]), ["eau", "été", "etude"]);
        for tag in ["", "x", "Swedish", "12", "sv SE"] {
            assert!(ReadingOrder::from_language(tag).is_err(), "{tag}");
        }
    }

    #[test]
    fn each_rule_is_read_and_each_letter_has_one_place() {
        for (language, rules) in RULES {
            let order = ReadingOrder::from_language(language).expect("it is a language");
            let mut letters: Vec<&str> = order.places.iter().map(|place| &*place.letters).collect();
            assert_eq!(letters.len(), rules.matches(['<', '=']).count(), "{language}");
            letters.sort_unstable();
            letters.dedup();
            assert_eq!(letters.len(), order.places.len(), "{language}");
            assert!(letters.iter().all(|letters| crate::folded(letters) == **letters), "{language}");
        }
        assert!(RULES.is_sorted());
    }

    proptest::proptest! {
        #[test]
        fn only_the_same_text_is_equal_and_numbers_are_numbers(a in "[0-2aAäÄåhcč ]{0,6}", b in "[0-2aAäÄåhcč ]{0,6}", n: u32) {
            for language in ["en", "sv", "cs"] {
                let order = ReadingOrder::from_language(language).expect("it is a language");
                proptest::prop_assert_eq!(order.key(&a) == order.key(&b), a == b);
                let (one, next) = (format!("Q{n}"), format!("q{}", u64::from(n) + 1));
                proptest::prop_assert!(order.key(&one) < order.key(&next));
            }
        }
    }
}
