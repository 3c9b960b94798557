//! The preferences of the user and the project: their own named queries, prefixes, and the look of tables.

use evalgraph_diagnostics::Diagnostic;
use evalgraph_engine::workspace::endpoints::{ProcessEnvironment, preferences as of_surroundings};
use evalgraph_engine::workspace::preferences::UserPreferences;

/// Reads the preferences from the configuration files. Empty if there are none.
///
/// # Errors
///
/// The codes of `config`.
pub(super) fn preferences() -> Result<UserPreferences, Box<Diagnostic>> {
    // Configuration is in TOML, and also describes servers.
    let folder = std::env::current_dir().unwrap_or_default();
    of_surroundings(ProcessEnvironment { variable: &|name| std::env::var_os(name), folder: &folder })
}
