//! Regular expressions of XPath (Functions and Operators, section 7.6.1; XML Schema Part 2, appendix F) translated to
//! the syntax of the crate `regex`. Back-references, which that crate lacks, and syntax that XPath does not have are
//! faults.

use std::fmt::Write as _;

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use crate::expression::unicode_blocks::block;

/// How deep subtractions are nested at most: `[a-z-[b-y-[c-x]]]` has two.
const MAX_SUBTRACTIONS: usize = 50;

/// The first character of a name in XML (1.0, fifth edition, production 4).
const NAME_START: &str = r":A-Z_a-z\xC0-\xD6\xD8-\xF6\xF8-\x{2FF}\x{370}-\x{37D}\x{37F}-\x{1FFF}\x{200C}-\x{200D}\x{2070}-\x{218F}\x{2C00}-\x{2FEF}\x{3001}-\x{D7FF}\x{F900}-\x{FDCF}\x{FDF0}-\x{FFFD}\x{10000}-\x{EFFFF}";

/// The further characters that a name in XML may have after the first one (production 4a).
const NAME_REST: &str = r"\x2D.0-9\xB7\x{300}-\x{36F}\x{203F}-\x{2040}";

/// The general categories of Unicode that `\p{…}` may name.
const CATEGORIES: [&str; 36] = [
    "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Ps",
    "Pe", "Pi", "Pf", "Po", "Z", "Zs", "Zl", "Zp", "S", "Sm", "Sc", "Sk", "So", "C", "Cc", "Cf", "Co", "Cn",
];

/// A regular expression in the syntax of `regex`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TranslatedRegex {
    /// The expression, its flags in front.
    pub(crate) text: String,
    groups: usize,
    is_literal: bool,
}

/// Translates a pattern with the flags of REGEX and REPLACE (section 7.6.1.1).
///
/// # Errors
///
/// The fault of the pattern or of its flags.
pub(crate) fn translate(pattern: &str, flags: &str) -> Result<TranslatedRegex, String> {
    if let Some(flag) = flags.chars().find(|flag| !"smixq".contains(*flag)) {
        return Err(format!("there is no flag `{flag}`: the flags are `s`, `m`, `i`, `x` and `q`"));
    }
    let is_literal = flags.contains('q');
    // Flag `x` is applied by the translator: `regex` would also read comments with it.
    let kept = if is_literal { "i" } else { "smi" };
    let kept: String = kept.chars().filter(|flag| flags.contains(*flag)).collect();
    let mut text = if kept.is_empty() { kept } else { format!("(?{kept})") };
    if is_literal {
        text.push_str(&regex::escape(pattern));
        return Ok(TranslatedRegex { text, groups: 0, is_literal });
    }
    let mut translator = RegexTranslator {
        characters: pattern.chars().collect(),
        at: 0,
        skips_blanks: flags.contains('x'),
        ignores_case: flags.contains('i'),
        open: 0,
        groups: 0,
        text,
    };
    translator.expression()?;
    Ok(TranslatedRegex { text: translator.text, groups: translator.groups, is_literal })
}

impl TranslatedRegex {
    /// The replacement of REPLACE (section 7.6.3) in the syntax of `regex`.
    ///
    /// # Errors
    ///
    /// A `$` without the number of a group, or a backslash before any character except `$` and a backslash.
    pub(crate) fn replacement(&self, replacement: &str) -> Result<String, String> {
        if self.is_literal {
            return Ok(replacement.replace('$', "$$"));
        }
        let mut text = String::new();
        let mut rest = replacement.chars().peekable();
        while let Some(character) = rest.next() {
            match character {
                '\\' => match rest.next() {
                    Some('$') => text.push_str("$$"),
                    Some('\\') => text.push('\\'),
                    _ => {
                        return Err(
                            "in a replacement, a backslash must be followed by `$` or a backslash".to_owned()
                        );
                    }
                },
                '$' => {
                    let mut digits = String::new();
                    while let Some(digit) = rest.next_if(char::is_ascii_digit) {
                        digits.push(digit);
                    }
                    if digits.is_empty() {
                        return Err(
                            "in a replacement, `$` must be followed by the number of a group".to_owned()
                        );
                    }
                    text.push_str(&self.group(&digits));
                }
                character => text.push(character),
            }
        }
        Ok(text)
    }

    /// The group that digits name. Digits beyond the number of an existing group are taken literally.
    fn group(&self, digits: &str) -> String {
        let mut length = digits.len();
        loop {
            let (number, rest) = digits.split_at(length);
            match number.parse::<usize>() {
                Ok(number) if number <= self.groups => return format!("${{{number}}}{rest}"),
                Ok(0..=9) => return rest.to_owned(),
                _ => length -= 1,
            }
        }
    }
}

/// A character, or a set of them.
enum RegexEscape {
    One(char),
    Set(String),
}

struct RegexTranslator {
    characters: Vec<char>,
    at: usize,
    skips_blanks: bool,
    ignores_case: bool,
    /// The groups that are open.
    open: usize,
    /// The groups that capture.
    groups: usize,
    text: String,
}

impl RegexTranslator {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let character = self.peek();
        self.at += usize::from(character.is_some());
        character
    }

    /// Skips the white space that flag `x` removes from a pattern, except in classes.
    fn skip_blanks(&mut self) {
        while self.skips_blanks && matches!(self.peek(), Some('\t' | '\n' | '\r' | ' ')) {
            self.at += 1;
        }
    }

    fn next_is(&mut self, character: char) -> bool {
        self.skip_blanks();
        let is = self.peek() == Some(character);
        self.at += usize::from(is);
        is
    }

    fn expression(&mut self) -> Result<(), String> {
        let mut may_repeat = false;
        loop {
            self.skip_blanks();
            let Some(character) = self.next() else { break };
            may_repeat = match character {
                '?' | '*' | '+' | '{' => {
                    if !may_repeat {
                        return Err(format!("there is nothing before `{character}` to repeat"));
                    }
                    self.repeat(character)?;
                    false
                }
                '(' => self.open_group()?,
                ')' if self.open == 0 => return Err("there is no `(` for a `)`".to_owned()),
                ')' => {
                    self.open -= 1;
                    self.text.push(')');
                    true
                }
                '|' | '^' | '$' => {
                    self.text.push(character);
                    false
                }
                '[' => {
                    let class = self.class(0)?;
                    self.text.push_str(&self.whatever_case(class));
                    true
                }
                ']' | '}' => return Err(for_itself(character)),
                '\\' => {
                    self.skip_blanks();
                    let escape = self.escape()?;
                    self.text.push_str(&match escape {
                        RegexEscape::One(character) => regex::escape(&character.to_string()),
                        RegexEscape::Set(set) => self.whatever_case(set),
                    });
                    true
                }
                character => {
                    self.text.push(character);
                    true
                }
            };
        }
        if self.open > 0 { Err("there is no `)` for a `(`".to_owned()) } else { Ok(()) }
    }

    fn open_group(&mut self) -> Result<bool, String> {
        self.open += 1;
        if !self.next_is('?') {
            self.groups += 1;
            self.text.push('(');
        } else if self.next_is(':') {
            self.text.push_str("(?:");
        } else {
            return Err("`(?` must be followed by `:`; flags are a separate argument".to_owned());
        }
        Ok(false)
    }

    fn repeat(&mut self, first: char) -> Result<(), String> {
        self.text.push(first);
        if first == '{' {
            let fault =
                "`{` must be followed by a number, as in `{2}`, `{2,}` and `{2,4}`, or be written `\\{`";
            let (mut length, mut has_comma) = (0, false);
            loop {
                self.skip_blanks();
                match self.next() {
                    Some(digit @ '0'..='9') => self.text.push(digit),
                    Some(',') if length > 0 && !has_comma => {
                        has_comma = true;
                        self.text.push(',');
                    }
                    Some('}') if length > 0 => break,
                    _ => return Err(fault.to_owned()),
                }
                length += 1;
            }
            self.text.push('}');
        }
        if self.next_is('?') {
            self.text.push('?');
        }
        Ok(())
    }

    /// A set outside other sets. Flag `i` must not change the set of a property or a block; ranges already include both
    /// cases.
    fn whatever_case(&self, set: String) -> String {
        if self.ignores_case { format!("(?-i:{set})") } else { set }
    }

    fn escape(&mut self) -> Result<RegexEscape, String> {
        let Some(character) = self.next() else {
            return Err("the pattern ends with a backslash".to_owned());
        };
        let set = |set: &str| Ok(RegexEscape::Set(set.to_owned()));
        match character {
            'n' => Ok(RegexEscape::One('\n')),
            'r' => Ok(RegexEscape::One('\r')),
            't' => Ok(RegexEscape::One('\t')),
            '\\' | '|' | '.' | '?' | '*' | '+' | '(' | ')' | '{' | '}' | '-' | '[' | ']' | '^' | '$' => {
                Ok(RegexEscape::One(character))
            }
            's' => set(r"[\t\n\r ]"),
            'S' => set(r"[^\t\n\r ]"),
            'd' => set(r"\p{Nd}"),
            'D' => set(r"\P{Nd}"),
            'w' => set(r"[^\p{P}\p{Z}\p{C}]"),
            'W' => set(r"[\p{P}\p{Z}\p{C}]"),
            'i' => Ok(RegexEscape::Set(format!("[{NAME_START}]"))),
            'I' => Ok(RegexEscape::Set(format!("[^{NAME_START}]"))),
            'c' => Ok(RegexEscape::Set(format!("[{NAME_START}{NAME_REST}]"))),
            'C' => Ok(RegexEscape::Set(format!("[^{NAME_START}{NAME_REST}]"))),
            'p' | 'P' => self.property(character == 'P').map(RegexEscape::Set),
            '0'..='9' => Err(format!("`\\{character}` refers back to a group, and that is not supported")),
            'b' | 'B' => {
                Err(format!("`\\{character}` means nothing: the border of a word is `(^|\\W)` or `(\\W|$)`"))
            }
            _ => Err(format!("`\\{character}` means nothing")),
        }
    }

    fn property(&mut self, is_negated: bool) -> Result<String, String> {
        let rest = &self.characters[self.at..];
        let end = rest.iter().position(|character| *character == '}');
        let Some(end) = end.filter(|_| rest.first() == Some(&'{')) else {
            return Err("`\\p` must be followed by a name in `{…}`".to_owned());
        };
        let name: String = rest[1..end].iter().collect();
        self.at += end + 1;
        let not = if is_negated { "^" } else { "" };
        if CATEGORIES.contains(&name.as_str()) {
            return Ok(format!("[{not}\\p{{{name}}}]"));
        }
        match name.strip_prefix("Is").and_then(block) {
            Some((first, last)) => Ok(format!("[{not}\\x{{{first:X}}}-\\x{{{last:X}}}]")),
            None => Err(format!("`{name}` is neither a category of characters nor a known block")),
        }
    }

    /// A class, beginning with its first character after `[`.
    fn class(&mut self, depth: usize) -> Result<String, String> {
        // Each subtraction is a recursion, so a pattern must not choose the depth.
        if depth > MAX_SUBTRACTIONS {
            return Err(format!("more than {MAX_SUBTRACTIONS} subtractions of classes are nested"));
        }
        let mut class = "[".to_owned();
        if self.peek() == Some('^') {
            self.at += 1;
            class.push('^');
        }
        let mut is_empty = true;
        loop {
            let is_last = |this: &Self| this.characters.get(this.at) == Some(&']');
            let item = match self.next() {
                None => return Err("there is no `]` for a `[`".to_owned()),
                Some(']') if is_empty => return Err("a class of characters is empty".to_owned()),
                Some(']') => break,
                Some('[') => return Err(for_itself('[')),
                Some('-') if !is_empty && self.peek() == Some('[') => {
                    self.at += 1;
                    let taken_out = self.class(depth + 1)?;
                    if self.next() != Some(']') {
                        return Err("a subtraction must be at the end of a class".to_owned());
                    }
                    // A negation applies before the subtraction (XML Schema Part 2, appendix F), so the class gets
                    // brackets of its own.
                    return Ok(format!("[{class}]--{taken_out}]"));
                }
                Some('-') if !is_empty && !is_last(self) => return Err(for_itself('-')),
                Some('\\') => self.escape()?,
                Some(character) => RegexEscape::One(character),
            };
            is_empty = false;
            match item {
                RegexEscape::One(first) => self.range(first, &mut class)?,
                RegexEscape::Set(set) => class.push_str(&set),
            }
        }
        class.push(']');
        Ok(class)
    }

    /// A character of a class, or the range that it begins.
    fn range(&mut self, first: char, class: &mut String) -> Result<(), String> {
        let mut ahead = self.characters[self.at..].iter();
        let is_range = ahead.next() == Some(&'-') && !matches!(ahead.next(), None | Some('[' | ']'));
        if !is_range {
            return self.characters_from(first, first, class);
        }
        self.at += 1;
        let last = match self.next() {
            Some('\\') => self.escape()?,
            Some(character) => RegexEscape::One(character),
            None => return Err("there is no `]` for a `[`".to_owned()),
        };
        match last {
            RegexEscape::One(last) if first <= last => self.characters_from(first, last, class),
            RegexEscape::One(last) => Err(format!("`{last}` comes before `{first}`: the range is empty")),
            RegexEscape::Set(_) => Err("a range ends with a set of characters".to_owned()),
        }
    }

    /// The characters of a range, in both cases with flag `i`.
    fn characters_from(&self, first: char, last: char, class: &mut String) -> Result<(), String> {
        let mut characters = ClassUnicode::new([ClassUnicodeRange::new(first, last)]);
        if self.ignores_case {
            characters.try_case_fold_simple().map_err(|error| error.to_string())?;
        }
        for range in characters.ranges() {
            let (first, last) = (u32::from(range.start()), u32::from(range.end()));
            // As numbers, since `regex` gives `&&`, `--` and `~~` in a class a meaning that XPath does not know.
            let _ = write!(class, "\\x{{{first:X}}}-\\x{{{last:X}}}");
        }
        Ok(())
    }
}

fn for_itself(character: char) -> String {
    format!("`{character}` must be written `\\{character}` to match itself")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(text: &str, pattern: &str, flags: &str) -> Result<bool, String> {
        let translated = translate(pattern, flags)?;
        let regex = regex::Regex::new(&translated.text).map_err(|error| error.to_string())?;
        Ok(regex.is_match(text))
    }

    #[track_caller]
    fn check(pattern: &str, flags: &str, yes: &[&str], no: &[&str]) {
        for (texts, expected) in [(yes, true), (no, false)] {
            for text in texts {
                assert_eq!(matches(text, pattern, flags), Ok(expected), "{pattern:?} {flags:?} {text:?}");
            }
        }
    }

    #[test]
    fn classes_are_those_of_xml_schema() {
        check("^[a-z-[b]]$", "", &["a", "c"], &["b", "-", "A"]);
        check("^[a-z-[aeiou]]+$", "i", &["xyz", "XYZ"], &["xaz", "XAZ"]);
        check("^[^a-c-[x]]$", "", &["d", "y"], &["a", "x"]);
        check("^[a-z-[b-y-[m]]]+$", "", &["amz"], &["b", "y"]);
        check("^[-a]$", "", &["-", "a"], &["b"]);
        check("^[a-]$", "", &["-", "a"], &["b"]);
        check(r"^[\-\]\[\\^]+$", "", &["-][", "\\^"], &["a"]);
        check("^[a&&b]+$", "", &["a&b"], &["c"]);
        check("^[a~~b#]+$", "x", &["a~#b"], &["c"]);
        check(r"^\s$", "", &[" ", "\t", "\r"], &["\u{A0}", "\u{B}"]);
        check(r"^\S$", "", &["\u{A0}", "a"], &[" "]);
        check(r"^\w$", "", &["a", "é", "5", "+", "€"], &["_", "-", " ", "."]);
        check(r"^[\W5]$", "", &["_", "5"], &["a", "+"]);
        check(r"^\d$", "", &["5", "٣"], &["a", "½"]);
        check(r"^\i\c*$", "", &["a-1", "_x", "é·"], &["1a", "-a"]);
        check(r"^\I[\C]$", "", &["1 "], &["a "]);
        check(r"^\p{IsGreek}+$", "", &["αβγ"], &["abc"]);
        check(r"^[\P{IsBasicLatin}x]+$", "", &["äx"], &["a"]);
        check(r"^\p{Lu}\P{L}$", "", &["A1"], &["a1", "AB"]);
        check(r"^\p{IsAdlam}+$", "", &["𞤀"], &["a"]);
    }

    #[test]
    fn flags_are_those_of_xpath() {
        check("^a.b$", "", &["axb", "a\rb"], &["a\nb"]);
        check("^a.b$", "s", &["a\nb"], &[]);
        check("^b$", "m", &["a\nb\nc", "b"], &["ab"]);
        check("b$", "", &["ab"], &["ab\n"]);
        check("^\\p{Lu}a$", "i", &["XA", "Xa"], &["xa"]);
        check("^[\\p{Lu}b-]+$", "i", &["XbB-"], &["x", "a"]);
        check("^[^\\p{Lu}b]$", "i", &["x", "-"], &["X", "B", "b"]);
        check("^[a-z-[IO]]+$", "i", &["aB"], &["i", "o", "O"]);
        check("^[\\w-[k]]$", "i", &["a"], &["k", "K", "\u{212A}"]);
        check("h e\tl [l ] o", "x", &["hello", "hel o"], &["he llo"]);
        check("a.b*", "q", &["xa.b*"], &["a.b", "axbb"]);
        check("A.B", "qi", &["a.b"], &["axb"]);
        check(r"^a#b\ {2\ }$", "x", &["a#b{2}"], &["a#bb"]);
    }

    #[test]
    fn the_rest_is_as_elsewhere() {
        check("^(a|b)+?c{2,}$", "", &["abcc"], &["abc"]);
        check("^(?:ab)*$", "", &["", "abab"], &["aba"]);
        check(r"^\{\$\}\.$", "", &["{$}."], &["x"]);
        check("", "", &["", "x"], &[]);
        check("^(|a)$", "", &["", "a"], &["b"]);
    }

    #[test]
    fn faults_are_told() {
        for (pattern, said) in [
            (r"(a)\1", "refers back"),
            ("[a", "no `]`"),
            ("[]", "empty"),
            ("[z-a]", "before `z`"),
            ("[a[b]]", "`[` must be written"),
            ("a]", "`]` must be written"),
            ("[a-c-e]", "`-` must be written"),
            ("a**", "repeat"),
            ("^*", "repeat"),
            ("*", "repeat"),
            ("a{,2}", "number"),
            ("(a", "no `)`"),
            ("a)", "no `(`"),
            ("(?i)a", "(?"),
            ("(?=a)", "(?"),
            (r"\p{Greek}", "neither"),
            (r"\pL", "name"),
            (r"\e", "means nothing"),
            (r"\bcat", "border of a word"),
            ("a\\", "end"),
        ] {
            let fault = matches("", pattern, "").expect_err(pattern);
            assert!(fault.contains(said), "{pattern}: {fault}");
        }
        assert!(translate("a", "g").is_err());
        let nested = "[a-".repeat(10_000);
        assert!(translate(&nested, "").is_err());
    }

    #[test]
    fn replacements_are_those_of_xpath() {
        let replaced = |text: &str, pattern: &str, replacement: &str, flags: &str| {
            let translated = translate(pattern, flags)?;
            let regex = regex::Regex::new(&translated.text).map_err(|error| error.to_string())?;
            Ok(regex.replace_all(text, translated.replacement(replacement)?).into_owned())
        };
        let is = |result: &str| Ok::<_, String>(result.to_owned());
        assert_eq!(replaced("John Smith", r"(\w+) (\w+)", "$2_$1", ""), is("Smith_John"));
        assert_eq!(replaced("ab", "a(b)", "[$12]", ""), is("[b2]"));
        assert_eq!(replaced("ab", "a(b)", "[$0$2$007]", ""), is("[ab]"));
        assert_eq!(replaced("ab", "a(b)", "[$01$02$10$00]", ""), is("[bb0ab]"));
        assert_eq!(replaced("5", "(5)", r"price \$$1 \\", ""), is(r"price $5 \"));
        assert_eq!(replaced("a.b", ".", r"$\", "q"), is(r"a$\b"));
        for bad in ["$x", "$", r"\", r"\n"] {
            assert!(replaced("a", "a", bad, "").is_err(), "{bad}");
        }
    }
}
