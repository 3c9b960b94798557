//! What a user and a project prefer, besides the servers that they name.

use crate::named_queries::{NamedQueries, QueryFolder};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_sparql::{QueryPrefixes, TableForm};

/// Named queries, prefixes, and how tables look.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserPreferences {
    /// The folders with named queries; a query of a later one counts.
    pub queries: Vec<QueryFolder>,
    /// Prefixes that queries need not declare, with their namespaces. The first meaning of a prefix counts.
    pub prefixes: Vec<(String, String)>,
    /// How rows are laid out.
    pub table: Option<TableForm>,
    /// How many rows of a table a terminal shows.
    pub rows: Option<u64>,
}

impl UserPreferences {
    /// These preferences, with those of a project, which count first.
    #[must_use]
    pub fn under(self, project: Self) -> Self {
        Self {
            queries: self.queries.into_iter().chain(project.queries).collect(),
            prefixes: project.prefixes.into_iter().chain(self.prefixes).collect(),
            table: project.table.or(self.table),
            rows: project.rows.or(self.rows),
        }
    }

    /// All named queries: those of the program, of the user and of the project. One of the project counts where others
    /// have its name, then one of the user.
    ///
    /// # Errors
    ///
    /// Those of files of queries.
    pub fn named_queries(&self) -> Result<NamedQueries, Box<Diagnostic>> {
        let mut queries = NamedQueries::built_in()?;
        let prefixes = self.prefixes(&[]);
        for folder in &self.queries {
            queries.add_folder(folder, &prefixes)?;
        }
        Ok(queries)
    }

    /// The prefixes that need no declaration: the preferred ones, before those of the data.
    pub fn prefixes(&self, of_data: &[(String, String)]) -> QueryPrefixes {
        QueryPrefixes::around(self.prefixes.iter().chain(of_data).cloned())
    }
}
