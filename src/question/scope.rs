//! Where a question is looked for, and what patterns find there.

use oxrdf::Term;

use crate::diagnostic::Failure;
use crate::input::clock::Clock;
use crate::sparql::{ExecuteOptions, Query, QueryResults};
use crate::store::{Dataset, DefaultGraph};

/// Holds what a question is looked for in.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'s> {
    pub(crate) dataset: &'s Dataset,
    /// The one graph that it is to be in, where that was said.
    pub(crate) graph: Option<&'s str>,
    /// The graphs of the documents, each with the system and the dialect of its file.
    pub(crate) documents: &'s [(String, String)],
    pub(crate) clock: Clock,
    /// The command, which codes begin with.
    pub(crate) command: &'static str,
}

impl Scope<'_> {
    /// The system and the dialect of the file of a graph; empty where it has no file.
    pub(crate) fn kind(&self, graph: &str) -> &str {
        let document = self.documents.iter().find(|(known, _)| known == graph);
        document.map_or("", |(_, kind)| kind)
    }

    /// Returns what a pattern finds in a graph: each time the terms of these variables, no two times the
    /// same.
    ///
    /// # Errors
    ///
    /// A store that is damaged.
    pub(crate) fn rows(
        &self,
        graph: &str,
        pattern: &str,
        variables: &[&str],
    ) -> Result<Vec<Vec<Option<Term>>>, Failure> {
        let names = variables.join(" ?");
        let query = format!("SELECT DISTINCT ?{names} {{ GRAPH <{graph}> {{ {pattern} }} }}");
        let results = Query::parse(&query, "question")?
            .execute(self.dataset.view(DefaultGraph::Union), ExecuteOptions::default())?;
        let mut rows = Vec::new();
        if let QueryResults::Solutions(solutions) = results {
            for solution in solutions {
                let solution = solution?;
                rows.push(variables.iter().map(|name| solution.get(*name).cloned()).collect());
            }
        }
        Ok(rows)
    }

    /// Tells whether a pattern finds anything in a graph.
    ///
    /// # Errors
    ///
    /// A store that is damaged.
    pub(crate) fn has(&self, graph: &str, pattern: &str) -> Result<bool, Failure> {
        let query = Query::parse(&format!("ASK {{ GRAPH <{graph}> {{ {pattern} }} }}"), "question")?;
        let view = self.dataset.view(DefaultGraph::Union);
        Ok(matches!(query.execute(view, ExecuteOptions::default())?, QueryResults::Boolean(true)))
    }

    /// Tells whether a graph says anything of an IRI.
    ///
    /// # Errors
    ///
    /// A store that is damaged.
    pub(crate) fn knows(&self, graph: &str, iri: &str) -> Result<bool, Failure> {
        self.has(graph, &format!("<{iri}> ?property ?value"))
    }
}
