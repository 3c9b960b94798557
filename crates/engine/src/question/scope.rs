//! The data in which a question is searched, and the results of patterns in it.

use oxrdf::Term;
use sparesults::QuerySolution;

use crate::input::clock::RunClock;
use evalgraph_diagnostics::{Diagnostic, RunFailure};
use evalgraph_sparql::{ExecuteOptions, Query, QueryResults};
use evalgraph_store::{Dataset, DefaultGraph};

/// The data in which a question is searched.
#[derive(Clone, Copy)]
pub struct QuestionScope<'s> {
    pub(crate) dataset: &'s Dataset,
    /// The graph of the question, if the user named one.
    pub graph: Option<&'s str>,
    /// The node of the question, if it is known.
    pub node: Option<&'s Term>,
    /// The graphs of the documents, each with the system and the dialect of its file.
    pub documents: &'s [(String, String)],
    pub(crate) clock: RunClock,
    /// The command, which is the prefix of codes.
    pub command: &'static str,
}

impl QuestionScope<'_> {
    /// Returns a fault of the command.
    pub fn fault(&self, code: &str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(format!("{}::{code}", self.command), message)
    }

    /// Returns the system and the dialect of a graph's file. Empty for a graph without a file.
    pub fn kind(&self, graph: &str) -> &str {
        let document = self.documents.iter().find(|(known, _)| known == graph);
        document.map_or("", |(_, kind)| kind)
    }

    /// Returns the distinct solutions of a pattern in a graph. Each row has the terms of these variables.
    ///
    /// # Errors
    ///
    /// If the store is damaged.
    pub fn rows(
        &self,
        graph: &str,
        pattern: &str,
        variables: &[&str],
    ) -> Result<Vec<Vec<Option<Term>>>, RunFailure> {
        let names = variables.join(" ?");
        let query = format!("SELECT DISTINCT ?{names} {{ GRAPH <{graph}> {{ {pattern} }} }}");
        let row = |solution: QuerySolution| {
            variables.iter().map(|name| solution.get(*name).cloned()).collect::<Vec<_>>()
        };
        Ok(self.solutions(&query)?.into_iter().map(row).collect())
    }

    /// Returns the solutions of a query.
    ///
    /// # Errors
    ///
    /// If the store is damaged.
    pub fn solutions(&self, query: &str) -> Result<Vec<QuerySolution>, RunFailure> {
        match self.results(query)? {
            QueryResults::Solutions(solutions) => Ok(solutions.collect::<Result<_, _>>()?),
            _ => Ok(Vec::new()),
        }
    }

    fn results(&self, query: &str) -> Result<QueryResults<'_>, RunFailure> {
        let query = Query::parse(query, "question")?;
        Ok(query.execute(self.dataset.view(DefaultGraph::Union), ExecuteOptions::default())?)
    }

    /// Returns whether a pattern finds anything in a graph.
    ///
    /// # Errors
    ///
    /// If the store is damaged.
    pub fn has(&self, graph: &str, pattern: &str) -> Result<bool, RunFailure> {
        let results = self.results(&format!("ASK {{ GRAPH <{graph}> {{ {pattern} }} }}"))?;
        Ok(matches!(results, QueryResults::Boolean(true)))
    }

    /// Returns whether a graph contains statements about an IRI.
    ///
    /// # Errors
    ///
    /// If the store is damaged.
    pub fn knows(&self, graph: &str, iri: &str) -> Result<bool, RunFailure> {
        self.has(graph, &format!("<{iri}> ?property ?value"))
    }
}
