//! What the user and the project prefer: named queries of their own, prefixes, and how tables look.

use crate::diagnostic::Diagnostic;
use crate::sparql::{NamedQueries, Prefixes};
#[cfg(feature = "net")]
use crate::workspace::endpoints::{Surroundings, preferences as of_surroundings};
use crate::workspace::preferences::Preferences;

/// What the files of configuration say; nothing where there are none.
///
/// # Errors
///
/// The codes of `config`.
pub(super) fn preferences() -> Result<Preferences, Box<Diagnostic>> {
    // Configuration is in TOML, which is read for servers as well.
    #[cfg(feature = "net")]
    {
        let folder = std::env::current_dir().unwrap_or_default();
        of_surroundings(Surroundings { variable: &|name| std::env::var_os(name), folder: &folder })
    }
    #[cfg(not(feature = "net"))]
    Ok(Preferences::default())
}

/// All named queries: those of the program, of the user and of the project. One of the project counts where others have
/// its name, then one of the user.
///
/// # Errors
///
/// The codes of `config`, and those of files of queries.
pub(super) fn named_queries() -> Result<NamedQueries, Box<Diagnostic>> {
    let mut queries = NamedQueries::built_in()?;
    let Preferences { queries: folders, prefixes, .. } = preferences()?;
    let prefixes = Prefixes::around(prefixes);
    for folder in folders {
        queries.add_directory(&folder, &prefixes)?;
    }
    Ok(queries)
}

/// The prefixes that need no declaration: those that the files of configuration name, before those of the data.
///
/// # Errors
///
/// The codes of `config`.
pub(super) fn prefixes(of_data: &[(String, String)]) -> Result<Prefixes, Box<Diagnostic>> {
    Ok(Prefixes::around(preferences()?.prefixes.into_iter().chain(of_data.iter().cloned())))
}
