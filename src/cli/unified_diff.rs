//! Unified diffs between texts with the same number of lines.

use std::io::{self, Write};
use std::ops::Range;

use super::visible::visible;

/// How many unchanged lines are shown around a change.
const AROUND: usize = 3;

/// Writes the changes of a file in the format of `patch`.
pub(super) fn write_diff(name: &str, before: &str, after: &str, out: &mut impl Write) -> io::Result<()> {
    let [old, new] = [before, after].map(|text| text.split_inclusive('\n').collect::<Vec<&str>>());
    let name = visible(name);
    writeln!(out, "--- {name}\n+++ {name}")?;
    for hunk in hunks(&old, &new) {
        let (first, count) = (hunk.start + 1, hunk.len());
        writeln!(out, "@@ -{first},{count} +{first},{count} @@")?;
        let mut at = hunk.start;
        while at < hunk.end {
            let is_same = |at: usize| old[at] == new[at];
            let end = (at..hunk.end).find(|next| is_same(*next) != is_same(at)).unwrap_or(hunk.end);
            if is_same(at) {
                write_lines(' ', &old[at..end], out)?;
            } else {
                write_lines('-', &old[at..end], out)?;
                write_lines('+', &new[at..end], out)?;
            }
            at = end;
        }
    }
    Ok(())
}

/// The lines of each hunk: changed lines, and some lines around them.
fn hunks(old: &[&str], new: &[&str]) -> Vec<Range<usize>> {
    let mut hunks: Vec<Range<usize>> = Vec::new();
    let changed = (0..old.len().min(new.len())).filter(|at| old[*at] != new[*at]);
    for at in changed {
        let (start, end) = (at.saturating_sub(AROUND), (at + AROUND + 1).min(old.len()));
        match hunks.last_mut() {
            Some(last) if start <= last.end => last.end = end,
            _ => hunks.push(start..end),
        }
    }
    hunks
}

fn write_lines(sign: char, lines: &[&str], out: &mut impl Write) -> io::Result<()> {
    for line in lines {
        write!(out, "{sign}{line}")?;
        if !line.ends_with('\n') {
            writeln!(out, "\n\\ No newline at end of file")?;
        }
    }
    Ok(())
}
