//! Tells a wrong order of arguments apart from a file that is missing.

use std::path::Path;

use super::CommandStop;
use evalgraph_diagnostics::Diagnostic;

/// Refuses a file among the names of records if one of the files is missing: their places were probably exchanged. `usage`
/// is the command as it is written.
///
/// # Errors
///
/// `input::order`.
pub(super) fn check_order<'a>(
    names: impl IntoIterator<Item = &'a str>,
    files: &[&Path],
    usage: &str,
) -> Result<(), CommandStop> {
    let Some(file) = names.into_iter().find(|name| Path::new(name).is_file()) else { return Ok(()) };
    if files.iter().all(|file| file.exists()) {
        return Ok(());
    }
    let fault = Diagnostic::error("input::order", format!("`{file}` is a file, and files come last"));
    Err(fault.with_help(format!("write `{usage}`")).into())
}
