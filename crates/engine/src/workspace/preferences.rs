//! The preferences of a user and a project, besides the servers that they name.

use super::data_expectation::DataExpectation;
use super::rule_switch::RuleSwitch;
use crate::named_queries::{NamedQueries, QueryFolder};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_sparql::{QueryPrefixes, TableForm};

/// Named queries, prefixes, switched rules, expectations, and how tables look.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserPreferences {
    /// The folders with named queries. A query in a later folder overrides one in an earlier folder.
    pub queries: Vec<QueryFolder>,
    /// Prefixes that queries need not declare, with their namespaces. The first meaning of a prefix counts.
    pub prefixes: Vec<(String, String)>,
    /// How rows are laid out.
    pub table: Option<TableForm>,
    /// How many rows of a table a terminal shows.
    pub rows: Option<u64>,
    /// The rules that are switched. The last switch of a rule counts.
    pub rules: Vec<RuleSwitch>,
    /// What a project expects of its data.
    pub expectations: Vec<DataExpectation>,
}

impl UserPreferences {
    /// Returns these preferences with those of a project, which take precedence.
    #[must_use]
    pub fn under(self, project: Self) -> Self {
        Self {
            queries: self.queries.into_iter().chain(project.queries).collect(),
            prefixes: project.prefixes.into_iter().chain(self.prefixes).collect(),
            table: project.table.or(self.table),
            rows: project.rows.or(self.rows),
            rules: self.rules.into_iter().chain(project.rules).collect(),
            expectations: self.expectations.into_iter().chain(project.expectations).collect(),
        }
    }

    /// Returns all named queries: those of the program, of the user and of the project. If several have the same name,
    /// the project's query takes precedence, then the user's.
    ///
    /// # Errors
    ///
    /// The errors of the query files.
    pub fn named_queries(&self) -> Result<NamedQueries, Box<Diagnostic>> {
        let mut queries = NamedQueries::built_in()?;
        let prefixes = self.prefixes(&[]);
        for folder in &self.queries {
            queries.add_folder(folder, &prefixes)?;
        }
        Ok(queries)
    }

    /// Returns the prefixes that need no declaration: the preferred ones, followed by those of the data.
    pub fn prefixes(&self, of_data: &[(String, String)]) -> QueryPrefixes {
        QueryPrefixes::around(self.prefixes.iter().chain(of_data).cloned())
    }
}
