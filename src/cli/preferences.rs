//! What the user and the project prefer: named queries of their own, prefixes, and how tables look.

use evalgraph_diagnostics::Diagnostic;
use evalgraph_engine::workspace::endpoints::{ProcessEnvironment, preferences as of_surroundings};
use evalgraph_engine::workspace::preferences::UserPreferences;

/// What the files of configuration say; nothing where there are none.
///
/// # Errors
///
/// The codes of `config`.
pub(super) fn preferences() -> Result<UserPreferences, Box<Diagnostic>> {
    // Configuration is in TOML, which is read for servers as well.
    let folder = std::env::current_dir().unwrap_or_default();
    of_surroundings(ProcessEnvironment { variable: &|name| std::env::var_os(name), folder: &folder })
}
