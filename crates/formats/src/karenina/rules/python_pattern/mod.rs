//! Checks the syntax of Python's regular expressions without Python: reports the errors of its module `re` (3.12), in
//! the words of `re`.
//!
//! Character names, `\N{…}`, are not looked up, and groups nested more than [`MOST_NESTED`] deep are not judged.

mod characters;
mod groups;

use std::collections::HashMap;
use std::str::Chars;

/// Python itself gives up at a few hundred.
const MOST_NESTED: usize = 200;

/// The number of repetitions that means "any number".
const ANY_NUMBER: u64 = u32::MAX as u64;

/// Returns why Python refuses a pattern, or `None` if it accepts the pattern.
///
/// Cost: linear in the length of the pattern.
pub(super) fn fault_of_pattern(text: &str) -> Option<String> {
    PythonPattern::new(text).read().err().flatten()
}

/// The result of reading, or the fault; `Err(None)` if the pattern cannot be judged.
type PatternResult<T> = Result<T, Option<String>>;

fn fault<T>(message: impl Into<String>) -> PatternResult<T> {
    Err(Some(message.into()))
}

/// The minimum and maximum number of characters that are matched.
#[derive(Clone, Copy, Default)]
struct MatchWidth {
    least: u64,
    most: u64,
}

impl MatchWidth {
    const ONE: Self = Self { least: 1, most: 1 };

    fn and(self, other: Self) -> Self {
        Self { least: self.least.saturating_add(other.least), most: self.most.saturating_add(other.most) }
    }

    fn or(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    fn repeated(self, least: u64, most: u64) -> Self {
        let without_end = most == ANY_NUMBER && self.most > 0;
        let most = if without_end { u64::MAX } else { self.most.saturating_mul(most) };
        Self { least: self.least.saturating_mul(least), most }
    }
}

/// The kind of item before a quantifier.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PatternItem {
    Nothing,
    /// `^`, `$`, `\b` and other assertions.
    Place,
    Repeated,
    Other,
}

/// The items of one alternative; the last one may be repeated.
struct PatternSequence {
    before: MatchWidth,
    last: MatchWidth,
    item: PatternItem,
}

impl PatternSequence {
    fn new() -> Self {
        Self { before: MatchWidth::default(), last: MatchWidth::default(), item: PatternItem::Nothing }
    }

    fn push(&mut self, item: PatternItem, width: MatchWidth) {
        self.before = self.width();
        (self.last, self.item) = (width, item);
    }

    fn width(&self) -> MatchWidth {
        self.before.and(self.last)
    }
}

/// The rest of a pattern, and what is known about the part before it.
///
/// Other methods are in `characters.rs` and `groups.rs`.
struct PythonPattern<'p> {
    rest: Chars<'p>,
    /// The widths of the groups, `None` while they are open. The first is the whole pattern.
    groups: Vec<Option<MatchWidth>>,
    names: HashMap<String, usize>,
    /// The number of groups at the beginning of the outermost lookbehind.
    groups_before_lookbehind: Option<usize>,
    /// The numbers of groups that conditional alternatives refer to.
    conditions: Vec<usize>,
    /// The flags of the whole pattern.
    flags: String,
    nested: usize,
}

impl<'p> PythonPattern<'p> {
    fn new(text: &'p str) -> Self {
        Self {
            rest: text.chars(),
            groups: vec![None],
            names: HashMap::new(),
            groups_before_lookbehind: None,
            conditions: Vec::new(),
            flags: String::new(),
            nested: 0,
        }
    }

    fn read(mut self) -> PatternResult<()> {
        self.alternatives(false)?;
        if self.next().is_some() {
            return fault("unbalanced parenthesis");
        }
        if self.flags.contains('a') && self.flags.contains('u') {
            return fault("ASCII and UNICODE flags are incompatible");
        }
        match self.conditions.iter().find(|group| **group >= self.groups.len()) {
            Some(group) => fault(format!("invalid group reference {group}")),
            None => Ok(()),
        }
    }

    fn next(&self) -> Option<char> {
        self.rest.clone().next()
    }

    fn take(&mut self, char: char) -> bool {
        let is_next = self.next() == Some(char);
        if is_next {
            self.rest.next();
        }
        is_next
    }

    /// Takes as many characters of a kind as there are, but at most `most`.
    fn take_while(&mut self, most: usize, is_meant: impl Fn(char) -> bool) -> String {
        let taken: String = self.rest.clone().take(most).take_while(|char| is_meant(*char)).collect();
        self.rest = self.rest.as_str()[taken.len()..].chars();
        taken
    }

    /// Takes the characters before `end`, and `end` itself.
    fn take_until(&mut self, end: char, what: &str) -> PatternResult<String> {
        let mut taken = String::new();
        loop {
            match self.rest.next() {
                None if taken.is_empty() => return fault(format!("missing {what}")),
                None => return fault(format!("missing {end}, unterminated name")),
                Some(char) if char == end && taken.is_empty() => return fault(format!("missing {what}")),
                Some(char) if char == end => return Ok(taken),
                // An escaped character does not end the name.
                Some('\\') => {
                    taken.push('\\');
                    taken.push(self.escaped()?);
                }
                Some(char) => taken.push(char),
            }
        }
    }

    fn escaped(&mut self) -> PatternResult<char> {
        self.rest.next().ok_or_else(|| Some("bad escape (end of pattern)".to_owned()))
    }

    /// Reads alternatives up to the end of their group. With `is_verbose`, spaces and comments are ignored.
    fn alternatives(&mut self, is_verbose: bool) -> PatternResult<MatchWidth> {
        self.nested += 1;
        // `None` is not a fault: deeper patterns are not judged.
        if self.nested > MOST_NESTED {
            return Err(None);
        }
        let mut width = self.sequence(is_verbose, self.nested == 1)?;
        while self.take('|') {
            width = width.or(self.sequence(is_verbose, false)?);
        }
        self.nested -= 1;
        Ok(width)
    }

    /// Reads the items up to the end of an alternative; the first alternative may begin with flags of the whole
    /// pattern.
    fn sequence(&mut self, mut is_verbose: bool, is_first: bool) -> PatternResult<MatchWidth> {
        let mut items = PatternSequence::new();
        loop {
            if matches!(self.next(), None | Some('|' | ')')) {
                return Ok(items.width());
            }
            match self.rest.next() {
                Some('\t'..='\r' | ' ') if is_verbose => {}
                Some('#') if is_verbose => {
                    while let Some(char) = self.rest.next() {
                        match char {
                            '\n' => break,
                            '\\' => drop(self.escaped()?),
                            _ => {}
                        }
                    }
                }
                Some('\\') => self.escape(&mut items)?,
                Some('[') => {
                    self.set()?;
                    items.push(PatternItem::Other, MatchWidth::ONE);
                }
                Some(quantifier @ ('?' | '*' | '+' | '{')) => self.repeat(quantifier, &mut items)?,
                Some('(') => {
                    if let Some(flags) = self.group(&mut items, is_verbose)? {
                        if !is_first || items.item != PatternItem::Nothing {
                            return fault("global flags not at the start of the expression");
                        }
                        self.flags.push_str(&flags);
                        is_verbose = self.flags.contains('x');
                    }
                }
                Some('^' | '$') => items.push(PatternItem::Place, MatchWidth::default()),
                _ => items.push(PatternItem::Other, MatchWidth::ONE),
            }
        }
    }

    fn repeat(&mut self, quantifier: char, items: &mut PatternSequence) -> PatternResult<()> {
        let (least, most) = match quantifier {
            '?' => (0, 1),
            '*' => (0, ANY_NUMBER),
            '+' => (1, ANY_NUMBER),
            _ => match self.bounds()? {
                Some(bounds) => bounds,
                None => {
                    items.push(PatternItem::Other, MatchWidth::ONE);
                    return Ok(());
                }
            },
        };
        match items.item {
            PatternItem::Nothing | PatternItem::Place => return fault("nothing to repeat"),
            PatternItem::Repeated => return fault("multiple repeat"),
            PatternItem::Other => {}
        }
        items.last = items.last.repeated(least, most);
        items.item = PatternItem::Repeated;
        // A second sign makes the quantifier lazy (`?`) or possessive (`+`).
        let _ = self.take('?') || self.take('+');
        Ok(())
    }

    /// Reads the numbers of `{least,most}`. Returns `None` and takes nothing if the brace is an ordinary character.
    fn bounds(&mut self) -> PatternResult<Option<(u64, u64)>> {
        let start = self.rest.clone();
        if self.next() == Some('}') {
            return Ok(None);
        }
        let least = self.take_while(usize::MAX, |char| char.is_ascii_digit());
        let is_range = self.take(',');
        let most = match is_range {
            true => self.take_while(usize::MAX, |char| char.is_ascii_digit()),
            false => least.clone(),
        };
        if !self.take('}') {
            self.rest = start;
            return Ok(None);
        }
        let number = |digits: &str, without: u64| match digits {
            "" => Ok(without),
            _ => match digits.parse() {
                Ok(number) if number < ANY_NUMBER => Ok(number),
                _ => fault("the repetition number is too large"),
            },
        };
        let (least, most) = (number(&least, 0)?, number(&most, ANY_NUMBER)?);
        match most < least {
            true => fault("min repeat greater than max repeat"),
            false => Ok(Some((least, most))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fault_of_pattern;

    /// Patterns that `re.compile` accepts (3.12).
    #[test]
    fn what_python_accepts_has_no_fault() {
        for text in [
            "",
            r"\bRNA\b",
            "[]a]",
            "[^]]",
            r"[\]]",
            "(?<=a)b(?#()c",
            r"\(",
            "a]",
            "a{",
            "}{",
            "(?:a|(b))",
            "a*?",
            "a++",
            "a{,3}",
            "a{}",
            "a{2,}b",
            r"\*",
            "[*]",
            "(?i)a",
            "(?x) a # b*(\n *",
            "(?P<n>a)(?P=n)",
            r"(a)\1",
            "(?(1)a|b)(c)",
            r"\0",
            r"[\b]",
            r"\x41\u0041\U00000041",
            "[a-]",
            "(?i:a)",
            "(?-i:a)",
            "(?<!ab|cd)e",
            "(?<=(?:ab){2})c",
            "(|)*",
            "(?=a)*",
            r"(?#\))a",
        ] {
            assert_eq!(fault_of_pattern(text), None, "{text}");
        }
    }

    /// Patterns that it refuses, with its messages.
    #[test]
    fn what_python_refuses_has_its_fault() {
        for (text, said) in [
            ("(", "missing ), unterminated subpattern"),
            ("[a", "unterminated character set"),
            ("a)", "unbalanced parenthesis"),
            ("\\", "bad escape (end of pattern)"),
            ("[]", "unterminated character set"),
            ("[^]", "unterminated character set"),
            ("(?#a", "missing ), unterminated comment"),
            ("(a[)]", "missing ), unterminated subpattern"),
            ("*", "nothing to repeat"),
            ("a|*", "nothing to repeat"),
            ("(*)", "nothing to repeat"),
            ("^*", "nothing to repeat"),
            (r"\b+", "nothing to repeat"),
            ("(?i)?", "nothing to repeat"),
            ("a**", "multiple repeat"),
            ("a*?*", "multiple repeat"),
            ("a{2}{3}", "multiple repeat"),
            ("x{3,1}", "min repeat greater than max repeat"),
            ("x{9999999999}", "the repetition number is too large"),
            ("(?<=a*)b", "look-behind requires fixed-width pattern"),
            ("(?<=a|bc)d", "look-behind requires fixed-width pattern"),
            (r"\1", "invalid group reference 1"),
            (r"(a\1)", "cannot refer to an open group"),
            ("(?(1)a|b)", "invalid group reference 1"),
            ("(?P<n>a)(?P<n>b)", "redefinition of group name 'n' as group 2; was group 1"),
            ("(?P=n)", "unknown group name 'n'"),
            ("(?P<1>a)", "bad character in group name '1'"),
            ("[z-a]", "bad character range"),
            (r"[\d-z]", "bad character range"),
            (r"\q", r"bad escape \q"),
            (r"\x4", r"incomplete escape \x4"),
            (r"\400", r"octal escape value \400 outside of range 0-0o377"),
            ("a(?i)b", "global flags not at the start of the expression"),
            ("(?z)", "unknown extension ?z"),
            ("(?iz)", "unknown flag"),
            ("(?i-i:a)", "bad inline flags: flag turned on and off"),
        ] {
            assert_eq!(fault_of_pattern(text).as_deref(), Some(said), "{text}");
        }
    }

    #[test]
    fn a_pattern_nested_without_end_is_not_judged() {
        assert_eq!(fault_of_pattern(&"(".repeat(1 << 20)), None);
    }
}
