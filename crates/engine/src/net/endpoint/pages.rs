//! The solutions of a query, as they come. A server that gives no more than so many rows at once is asked for the rest.

use std::io::Read;

use oxrdf::Term;
use sparesults::{
    QueryResultsParseError, QueryResultsParser, QuerySolution, ReaderQueryResultsParserOutput,
    ReaderSolutionsParser,
};

use super::protocol::{DatasetUris, ProtocolClient};
use super::virtuoso;
use crate::net::answer::fault_of;
use crate::net::query_results_reader::{ACCEPT, format_of};
use evalgraph_diagnostics::{Diagnostic, thousands};
use evalgraph_sparql::{EvaluationError, EvaluationRemarks, ServerQuery, SolutionSequence};

/// A header field of Virtuoso: the most rows that it gives at once.
const MOST_ROWS: &str = "x-sparql-maxrows";

/// A query with what belongs to its request.
#[derive(Debug, Clone)]
pub(super) struct EndpointQuery<'e> {
    pub(super) protocol: &'e ProtocolClient,
    pub(super) query: ServerQuery,
    pub(super) graphs: DatasetUris,
    /// Further parameters of the request.
    pub(super) more: &'static [(&'static str, &'static str)],
    pub(super) remarks: EvaluationRemarks,
}

/// An answer as far as its kind is known.
enum EndpointResults {
    Boolean(bool),
    Rows(Box<SolutionPage>),
}

/// The rows of one answer.
struct SolutionPage {
    rows: ReaderSolutionsParser<Box<dyn Read + Send>>,
    /// The most rows of an answer, where the server says so.
    most: Option<usize>,
    /// How many rows have come.
    count: usize,
}

impl<'e> EndpointQuery<'e> {
    /// The answer of ASK.
    pub(super) fn boolean(&self) -> Result<bool, Box<Diagnostic>> {
        let mut page = match self.begin(&self.query)? {
            EndpointResults::Boolean(answer) => return Ok(answer),
            EndpointResults::Rows(page) => page,
        };
        if !page.rows.variables().iter().any(|column| column.as_str() == virtuoso::ANSWER) {
            return Err(self.protocol.malformed("a table comes where yes or no was asked for"));
        }
        let row = page.rows.next().transpose().map_err(|error| self.fault_of(error))?;
        let answer = row.as_ref().and_then(|row| row.get(virtuoso::ANSWER));
        Ok(matches!(answer, Some(Term::Literal(answer)) if answer.value() == "1"))
    }

    /// The answer of SELECT.
    pub(super) fn solutions(self) -> Result<SolutionSequence<'e>, Box<Diagnostic>> {
        let page = self.page(&self.query)?;
        let variables = page.rows.variables().into();
        let rows = PagedSolutions { asked: self, page: Some(page), before: 0, of_page: None };
        Ok(SolutionSequence::new(variables, rows))
    }

    fn page(&self, query: &ServerQuery) -> Result<SolutionPage, Box<Diagnostic>> {
        match self.begin(query)? {
            EndpointResults::Rows(page) => Ok(*page),
            EndpointResults::Boolean(_) => {
                Err(self.protocol.malformed("yes or no comes where a table was asked for"))
            }
        }
    }

    fn begin(&self, query: &ServerQuery) -> Result<EndpointResults, Box<Diagnostic>> {
        let answer = self.protocol.query(&query.text()?, &self.graphs, self.more, ACCEPT)?;
        let Some(format) = format_of(&answer.media_type()) else {
            return Err(self.protocol.unexpected("a query", answer));
        };
        let most = answer.field(MOST_ROWS).and_then(|most| most.parse().ok());
        let parser = QueryResultsParser::from_format(format);
        let body: Box<dyn Read + Send> = match self.protocol.is_virtuoso() {
            true => Box::new(virtuoso::VirtuosoJsonReader::new(answer.reader())),
            false => Box::new(answer.reader()),
        };
        let output = parser.for_reader(body).map_err(|error| self.fault_of(error))?;
        Ok(match output {
            ReaderQueryResultsParserOutput::Boolean(answer) => EndpointResults::Boolean(answer),
            ReaderQueryResultsParserOutput::Solutions(rows) => {
                EndpointResults::Rows(Box::new(SolutionPage { rows, most, count: 0 }))
            }
        })
    }

    fn fault_of(&self, error: QueryResultsParseError) -> Box<Diagnostic> {
        match error {
            QueryResultsParseError::Io(error) => fault_of(error),
            QueryResultsParseError::Syntax(error) => self.protocol.malformed(&error.to_string()),
        }
    }
}

/// The rows of all pages.
struct PagedSolutions<'e> {
    asked: EndpointQuery<'e>,
    /// None once the rows have ended.
    page: Option<SolutionPage>,
    /// How many rows earlier pages had.
    before: usize,
    /// How many rows a page has, once there is more than one.
    of_page: Option<usize>,
}

impl Iterator for PagedSolutions<'_> {
    type Item = Result<QuerySolution, EvaluationError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let page = self.page.as_mut()?;
            match page.rows.next() {
                Some(Ok(row)) => {
                    page.count += 1;
                    return Some(Ok(row));
                }
                Some(Err(error)) => {
                    self.page = None;
                    return Some(Err(self.asked.fault_of(error)));
                }
                None => {}
            }
            let ended = self.page.take()?;
            match self.next_page(&ended) {
                Ok(page) => self.page = page,
                Err(fault) => return Some(Err(fault)),
            }
        }
    }
}

impl PagedSolutions<'_> {
    /// Asks for the rows behind a page that ended; none where the page was the last one.
    fn next_page(&mut self, ended: &SolutionPage) -> Result<Option<SolutionPage>, Box<Diagnostic>> {
        self.before += ended.count;
        if self.of_page.is_some() && ended.count > 0 {
            self.tell();
        }
        let is_all = self.asked.query.most() == Some(self.before);
        if is_all || !may_be_cut(ended, self.of_page) {
            return Ok(None);
        }
        // With an offset alone Virtuoso takes its own limit for the end of all rows.
        let most = Some(*self.of_page.get_or_insert(ended.count));
        self.asked.page(&self.asked.query.clone().part(self.before, most)).map(Some)
    }

    fn tell(&self) {
        let rows = thousands(self.of_page.unwrap_or_default() as u64);
        let place = self.asked.protocol.place();
        let message =
            format!("{place} gives at most {rows} rows at once, and was asked for the others after them");
        let help = "with ORDER BY each row comes once, whatever the order of the server is";
        self.asked.remarks.add(Diagnostic::warning("endpoint::pages", message).with_help(help));
    }
}

/// Returns whether the rows of a page may have ended because the server gives no more: at the number that it names, at that of
/// the page before, or at one that people choose for such a limit.
fn may_be_cut(page: &SolutionPage, of_page: Option<usize>) -> bool {
    let is_chosen = page.count >= 1000 && (page.count.is_multiple_of(1000) || page.count.is_power_of_two());
    match of_page {
        Some(rows) => page.count == rows && rows > 0,
        None => page.count > 0 && (page.most == Some(page.count) || is_chosen),
    }
}
