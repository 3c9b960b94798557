//! Groups, references to them, and flags.
//!
//! `PythonPattern` is defined in `python_pattern/mod.rs`.

use super::{MOST_NESTED, MatchWidth, PatternItem, PatternResult, PatternSequence, PythonPattern, fault};

const FLAGS: &str = "iLmsxatu";

impl PythonPattern<'_> {
    /// Returns the width of a group that is referred to.
    pub(super) fn referred(&self, group: usize) -> PatternResult<MatchWidth> {
        self.look_at_lookbehind(group)?;
        match self.groups.get(group).copied().flatten() {
            Some(width) => Ok(width),
            None => fault("cannot refer to an open group"),
        }
    }

    fn look_at_lookbehind(&self, group: usize) -> PatternResult<()> {
        let Some(before) = self.groups_before_lookbehind else { return Ok(()) };
        if self.groups.get(group).copied().flatten().is_none() {
            return fault("cannot refer to an open group");
        }
        match group >= before {
            true => fault("cannot refer to group defined in the same lookbehind subpattern"),
            false => Ok(()),
        }
    }

    fn group_by_name(&self, name: &str) -> PatternResult<usize> {
        look_at_name(name)?;
        match self.names.get(name) {
            Some(group) => Ok(*group),
            None => fault(format!("unknown group name '{name}'")),
        }
    }

    /// Reads what follows an opening parenthesis. If these are flags of the whole pattern, returns the flags.
    pub(super) fn group(
        &mut self,
        items: &mut PatternSequence,
        is_verbose: bool,
    ) -> PatternResult<Option<String>> {
        if !self.take('?') {
            self.capturing(None, items, is_verbose)?;
            return Ok(None);
        }
        const END: &str = "unexpected end of pattern";
        match self.rest.next() {
            None => return fault(END),
            Some('P') if self.take('<') => {
                let name = self.take_until('>', "group name")?;
                look_at_name(&name)?;
                self.capturing(Some(name), items, is_verbose)?;
            }
            Some('P') if self.take('=') => {
                let name = self.take_until(')', "group name")?;
                let group = self.group_by_name(&name)?;
                items.push(PatternItem::Other, self.referred(group)?);
            }
            Some('P') => match self.rest.next() {
                None => return fault(END),
                Some(char) => return fault(format!("unknown extension ?P{char}")),
            },
            Some(':' | '>') => self.rest_of_group(items, is_verbose)?,
            Some('#') => loop {
                match self.rest.next() {
                    None => return fault("missing ), unterminated comment"),
                    Some(')') => break,
                    Some('\\') => drop(self.escaped()?),
                    Some(_) => {}
                }
            },
            Some('=' | '!') => {
                self.alternatives(is_verbose)?;
                self.close()?;
                items.push(PatternItem::Other, MatchWidth::default());
            }
            Some('<') => {
                match self.rest.next() {
                    None => return fault(END),
                    Some('=' | '!') => self.lookbehind(is_verbose)?,
                    Some(char) => return fault(format!("unknown extension ?<{char}")),
                }
                items.push(PatternItem::Other, MatchWidth::default());
            }
            Some('(') => self.conditional(items, is_verbose)?,
            Some(char) if char == '-' || FLAGS.contains(char) => {
                let (on, off) = match self.flags(char)? {
                    (on, None) => return Ok(Some(on)),
                    (on, Some(off)) => (on, off),
                };
                let is_verbose = (is_verbose || on.contains('x')) && !off.contains('x');
                self.rest_of_group(items, is_verbose)?;
            }
            Some(char) => return fault(format!("unknown extension ?{char}")),
        }
        Ok(None)
    }

    fn close(&mut self) -> PatternResult<()> {
        if self.take(')') { Ok(()) } else { fault("missing ), unterminated subpattern") }
    }

    fn rest_of_group(&mut self, items: &mut PatternSequence, is_verbose: bool) -> PatternResult<()> {
        let width = self.alternatives(is_verbose)?;
        self.close()?;
        items.push(PatternItem::Other, width);
        Ok(())
    }

    fn capturing(
        &mut self,
        name: Option<String>,
        items: &mut PatternSequence,
        is_verbose: bool,
    ) -> PatternResult<()> {
        let group = self.groups.len();
        // The group is open while it is read, so a reference to itself is a fault.
        self.groups.push(None);
        if let Some(name) = name
            && let Some(known) = self.names.insert(name.clone(), group)
        {
            let message = format!("redefinition of group name '{name}' as group {group}; was group {known}");
            return fault(message);
        }
        self.rest_of_group(items, is_verbose)?;
        self.groups[group] = Some(items.last);
        Ok(())
    }

    fn lookbehind(&mut self, is_verbose: bool) -> PatternResult<()> {
        let outer = self.groups_before_lookbehind;
        // As in Python, the outermost lookbehind decides for all that it contains.
        self.groups_before_lookbehind = outer.or(Some(self.groups.len()));
        let width = self.alternatives(is_verbose)?;
        self.groups_before_lookbehind = outer;
        self.close()?;
        match width.least == width.most {
            true => Ok(()),
            false => fault("look-behind requires fixed-width pattern"),
        }
    }

    /// Reads two alternatives, one of which applies depending on whether a group matched.
    fn conditional(&mut self, items: &mut PatternSequence, is_verbose: bool) -> PatternResult<()> {
        let name = self.take_until(')', "group name")?;
        let group = if name.bytes().all(|byte| byte.is_ascii_digit()) {
            let group = name.parse().unwrap_or(usize::MAX);
            if group == 0 {
                return fault("bad group number");
            }
            // The group may come later, so it is checked at the end of the pattern.
            self.conditions.push(group);
            group
        } else {
            self.group_by_name(&name)?
        };
        self.look_at_lookbehind(group)?;
        self.nested += 1;
        if self.nested > MOST_NESTED {
            return Err(None);
        }
        let taken = self.sequence(is_verbose, false)?;
        let width = if self.take('|') {
            let otherwise = self.sequence(is_verbose, false)?;
            if self.next() == Some('|') {
                return fault("conditional backref with more than two branches");
            }
            taken.or(otherwise)
        } else {
            taken.or(MatchWidth { least: 0, most: taken.most })
        };
        self.nested -= 1;
        self.close()?;
        items.push(PatternItem::Other, width);
        Ok(())
    }

    /// Returns the flags that are turned on and off, read up to the end of the flags. The second is `None` for flags of
    /// the whole pattern.
    fn flags(&mut self, first: char) -> PatternResult<(String, Option<String>)> {
        let (mut on, mut next) = (String::new(), Some(first));
        while let Some(flag) = next.filter(|flag| FLAGS.contains(*flag)) {
            if flag == 'L' {
                return fault("bad inline flags: cannot use 'L' flag with a str pattern");
            }
            on.push(flag);
            if on.contains('a') && on.contains('u') {
                return fault("bad inline flags: flags 'a', 'u' and 'L' are incompatible");
            }
            next = self.rest.next();
        }
        match next {
            Some(')') if first != '-' => return Ok((on, None)),
            Some('-' | ':') => {}
            other => return unknown_flag(other, "missing -, : or )"),
        }
        if on.contains('t') {
            return fault("bad inline flags: cannot turn on global flag");
        }
        let mut off = String::new();
        if next == Some('-') {
            next = self.rest.next();
            if !next.is_some_and(|flag| FLAGS.contains(flag)) {
                return unknown_flag(next, "missing flag");
            }
            while let Some(flag) = next.filter(|flag| FLAGS.contains(*flag)) {
                if "aLu".contains(flag) {
                    return fault("bad inline flags: cannot turn off flags 'a', 'u' and 'L'");
                }
                off.push(flag);
                next = self.rest.next();
            }
            if next != Some(':') {
                return unknown_flag(next, "missing :");
            }
        }
        if off.contains('t') {
            return fault("bad inline flags: cannot turn off global flag");
        }
        match on.chars().any(|flag| off.contains(flag)) {
            true => fault("bad inline flags: flag turned on and off"),
            false => Ok((on, Some(off))),
        }
    }
}

fn unknown_flag<T>(found: Option<char>, missing: &str) -> PatternResult<T> {
    fault(if found.is_some_and(char::is_alphabetic) { "unknown flag" } else { missing })
}

fn look_at_name(name: &str) -> PatternResult<()> {
    let begins_well = name.starts_with(|char: char| char.is_alphabetic() || char == '_');
    match begins_well && name.chars().all(|char| char.is_alphanumeric() || char == '_') {
        true => Ok(()),
        false => fault(format!("bad character in group name '{name}'")),
    }
}
