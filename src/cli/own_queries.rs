//! The named queries that the command line knows: those of the program, of the user and of the project.

use crate::diagnostic::Diagnostic;
use crate::sparql::NamedQueries;
#[cfg(feature = "net")]
use crate::workspace::endpoints::{Surroundings, folders_of_queries};

/// All named queries. One of the project counts where others have its name, then one of the user.
///
/// # Errors
///
/// The codes of `config`, and those of files of queries.
pub(super) fn named_queries() -> Result<NamedQueries, Box<Diagnostic>> {
    #[cfg_attr(not(feature = "net"), allow(unused_mut))]
    let mut queries = NamedQueries::built_in()?;
    // Configuration is in TOML, which is read for servers as well.
    #[cfg(feature = "net")]
    {
        let folder = std::env::current_dir().unwrap_or_default();
        let surroundings = Surroundings { variable: &|name| std::env::var_os(name), folder: &folder };
        for folder in folders_of_queries(surroundings)? {
            queries.add_directory(&folder)?;
        }
    }
    Ok(queries)
}
