//! Unified diffs.

use std::io::{self, Write};
use std::time::Duration;

use similar::TextDiff;

use super::visible::visible;

/// How many unchanged lines are shown around a change.
const AROUND: usize = 3;
/// After this time the diff need not be the shortest one.
const ENOUGH: Duration = Duration::from_secs(2);

/// Writes the changes of a file in the format of `patch`; nothing for a file without changes.
pub(super) fn write_diff(name: &str, before: &str, after: &str, out: &mut impl Write) -> io::Result<()> {
    if before == after {
        return Ok(());
    }
    let name = visible(name);
    let diff = TextDiff::configure().timeout(ENOUGH).diff_lines(before, after);
    diff.unified_diff().context_radius(AROUND).header(&name, &name).to_writer(out)
}
