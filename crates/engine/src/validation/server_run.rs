//! Checks the data of a server against shapes, using queries made from the shapes.
//!
//! `ShapesRun` is defined in `shapes_run.rs`.

use sparesults::QuerySolution;

use super::shapes_report::checked;
use super::shapes_run::{RunEnd, ShapesRun};
use super::unmatched_shapes::FocusNodeTally;
use super::validated_files::ValidatedFile;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, RunReport, thousands};
use evalgraph_shacl::{ValidationByQueries, ValidationReport};
use evalgraph_sparql::{Query, QueryResults, ServerQueryScope, SparqlServer};

impl ShapesRun<'_> {
    /// Reads shapes, asks a server for violations, and passes the report on twice: as it is, and in terms of rules.
    ///
    /// # Errors
    ///
    /// Fails if the shapes or the server are faulty.
    pub(super) fn check_server(
        &self,
        server: &dyn SparqlServer,
        report: &mut RunReport,
        take: &mut dyn FnMut(&ValidationReport<'_, '_>, ValidatedFile),
    ) -> Result<RunEnd, RunFailure> {
        report.set_strictness(self.input.reading.strictness);
        let shapes = self.read_shapes(None, report)?;
        let seen =
            ServerQueryScope { with_catalog: shapes.shapes.with_catalog(), ..ServerQueryScope::default() };
        let mut ask = |text: &str, take: &mut dyn FnMut(&QuerySolution)| ask(server, seen, text, take);
        let found = shapes.shapes.validate_by_queries(&self.options, &mut ask)?;
        report.add_all(&found.remarks);
        report.add_all(&server.remarks());
        report.add_all(&remarks(&found, &server.place()));
        let mut tally = FocusNodeTally::new(&self.options);
        tally.add(&found.report);
        report.add_all(&tally.warning());
        take(&found.report, checked(&found.report, Vec::new(), &shapes.names()));
        Ok(RunEnd { unchecked: Vec::new(), has_matched: tally.has_matched(), is_whole: found.unchecked == 0 })
    }
}

/// Sends a query made from a shape to a server.
fn ask(
    server: &dyn SparqlServer,
    seen: ServerQueryScope,
    text: &str,
    take: &mut dyn FnMut(&QuerySolution),
) -> Result<(), Box<Diagnostic>> {
    let query = Query::parse_plain(text, "the query of a shape")?;
    if let QueryResults::Solutions(solutions) = server.query(&query, seen)? {
        for solution in solutions {
            take(&solution?);
        }
    }
    Ok(())
}

/// Explains how the report differs from a report on the same data on this machine.
fn remarks(found: &ValidationByQueries<'_>, place: &str) -> Vec<Diagnostic> {
    let mut remarks = Vec::new();
    if found.unchecked > 0 {
        let are = if found.unchecked == 1 { "constraint was" } else { "constraints were" };
        let message = format!("{} {are} not checked at {place}", thousands(found.unchecked as u64));
        remarks.push(Diagnostic::warning("shacl::unchecked", message));
    }
    if found.report.results().len() > 0 {
        let message = format!(
            "results of data at {place} have no lines, and say neither how many values there are nor why inner \
             shapes are not met"
        );
        remarks.push(Diagnostic::new(FindingSeverity::Note, "shacl::by-queries", message));
    }
    remarks
}
