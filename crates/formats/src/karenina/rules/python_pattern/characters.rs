//! Escapes and sets of characters.
//!
//! `PythonPattern` is defined in `python_pattern/mod.rs`.

use super::{MatchWidth, PatternItem, PatternResult, PatternSequence, PythonPattern, fault};

/// A member of a set of characters.
#[derive(Clone, Copy)]
enum SetMember {
    Character(u32),
    /// A character given by its name.
    Named,
    /// `\d` and other escapes for several characters.
    Class,
}

impl PythonPattern<'_> {
    /// Reads an escape outside sets.
    pub(super) fn escape(&mut self, items: &mut PatternSequence) -> PatternResult<()> {
        let char = self.escaped()?;
        match char {
            'A' | 'b' | 'B' | 'Z' => items.push(PatternItem::Place, MatchWidth::default()),
            '1'..='9' => {
                let digits = self.rest.clone();
                let mut number = String::from(char);
                number.push_str(&self.take_while(1, |char| char.is_ascii_digit()));
                let is_octal = |char: char| char.is_digit(8);
                if number.len() == 2 && number.chars().all(is_octal) && self.next().is_some_and(is_octal) {
                    self.rest = digits;
                    self.character_by_number(char)?;
                    items.push(PatternItem::Other, MatchWidth::ONE);
                    return Ok(());
                }
                let group = number.parse().unwrap_or_default();
                if group >= self.groups.len() {
                    return fault(format!("invalid group reference {group}"));
                }
                items.push(PatternItem::Other, self.referred(group)?);
            }
            '0' => {
                self.take_while(2, |char| char.is_digit(8));
                items.push(PatternItem::Other, MatchWidth::ONE);
            }
            _ => {
                self.character(char)?;
                items.push(PatternItem::Other, MatchWidth::ONE);
            }
        }
        Ok(())
    }

    /// Reads an escape inside a set.
    fn escape_in_set(&mut self) -> PatternResult<SetMember> {
        match self.escaped()? {
            'b' => Ok(SetMember::Character(8)),
            char @ '0'..='7' => self.character_by_number(char),
            char => self.character(char),
        }
    }

    /// Reads an escape that has the same meaning inside and outside sets.
    fn character(&mut self, char: char) -> PatternResult<SetMember> {
        Ok(SetMember::Character(match char {
            'd' | 'D' | 's' | 'S' | 'w' | 'W' => return Ok(SetMember::Class),
            'a' => 7,
            'f' => 12,
            'n' => 10,
            'r' => 13,
            't' => 9,
            'v' => 11,
            'x' => self.hexadecimal(char, 2)?,
            'u' => self.hexadecimal(char, 4)?,
            'U' => match self.hexadecimal(char, 8)? {
                code if code > u32::from(char::MAX) => return fault(format!("bad escape \\U{code:08x}")),
                code => code,
            },
            'N' if !self.take('{') => return fault("missing {"),
            'N' => {
                let name = self.take_until('}', "character name")?;
                let may_be_known = name.starts_with(|char: char| char.is_ascii_alphabetic())
                    && name.chars().all(|char| char.is_ascii_alphanumeric() || matches!(char, ' ' | '-'));
                return match may_be_known {
                    true => Ok(SetMember::Named),
                    false => fault(format!("undefined character name '{name}'")),
                };
            }
            _ if char.is_ascii_alphanumeric() => return fault(format!("bad escape \\{char}")),
            _ => u32::from(char),
        }))
    }

    fn hexadecimal(&mut self, kind: char, digits: usize) -> PatternResult<u32> {
        let found = self.take_while(digits, |char| char.is_ascii_hexdigit());
        match u32::from_str_radix(&found, 16) {
            Ok(code) if found.len() == digits => Ok(code),
            _ => fault(format!("incomplete escape \\{kind}{found}")),
        }
    }

    /// Reads a character given by up to three octal digits.
    fn character_by_number(&mut self, first: char) -> PatternResult<SetMember> {
        let digits = format!("{first}{}", self.take_while(2, |char| char.is_digit(8)));
        match u32::from_str_radix(&digits, 8) {
            Ok(code) if code <= 0o377 => Ok(SetMember::Character(code)),
            _ => fault(format!("octal escape value \\{digits} outside of range 0-0o377")),
        }
    }

    /// Reads the rest of a set of characters, in which a leading `]` is a member.
    pub(super) fn set(&mut self) -> PatternResult<()> {
        const UNTERMINATED: &str = "unterminated character set";
        self.take('^');
        let mut is_empty = true;
        loop {
            let first = match self.rest.next() {
                None => return fault(UNTERMINATED),
                Some(']') if !is_empty => return Ok(()),
                Some('\\') => self.escape_in_set()?,
                Some(char) => SetMember::Character(u32::from(char)),
            };
            is_empty = false;
            if !self.take('-') {
                continue;
            }
            let last = match self.rest.next() {
                None => return fault(UNTERMINATED),
                Some(']') => return Ok(()),
                Some('\\') => self.escape_in_set()?,
                Some(char) => SetMember::Character(u32::from(char)),
            };
            match (first, last) {
                (SetMember::Class, _) | (_, SetMember::Class) => return fault("bad character range"),
                (SetMember::Character(first), SetMember::Character(last)) if last < first => {
                    return fault("bad character range");
                }
                _ => {}
            }
        }
    }
}
