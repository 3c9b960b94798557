//! The solutions of a query, as a stream. If a server limits the number of rows per response, the rest is requested
//! page by page.

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

/// Virtuoso's header field with the maximum number of rows per response.
const MOST_ROWS: &str = "x-sparql-maxrows";

/// A query with everything that belongs to its request.
#[derive(Debug, Clone)]
pub(super) struct EndpointQuery<'e> {
    pub(super) protocol: &'e ProtocolClient,
    pub(super) query: ServerQuery,
    pub(super) graphs: DatasetUris,
    /// Further parameters of the request.
    pub(super) more: &'static [(&'static str, &'static str)],
    pub(super) remarks: EvaluationRemarks,
}

/// A response whose kind is known.
enum EndpointResults {
    Boolean(bool),
    Rows(Box<SolutionPage>),
}

/// The rows of one response.
struct SolutionPage {
    rows: ReaderSolutionsParser<Box<dyn Read + Send>>,
    /// The maximum number of rows per response, if the server reports it.
    most: Option<usize>,
    /// How many rows were received.
    count: usize,
}

impl<'e> EndpointQuery<'e> {
    /// The result of ASK.
    pub(super) fn boolean(&self) -> Result<bool, Box<Diagnostic>> {
        let mut page = match self.begin(&self.query)? {
            EndpointResults::Boolean(answer) => return Ok(answer),
            EndpointResults::Rows(page) => page,
        };
        if !page.rows.variables().iter().any(|column| column.as_str() == virtuoso::ANSWER) {
            return Err(self.protocol.malformed("the answer is a table, not a boolean"));
        }
        let row = page.rows.next().transpose().map_err(|error| self.fault_of(error))?;
        let answer = row.as_ref().and_then(|row| row.get(virtuoso::ANSWER));
        Ok(matches!(answer, Some(Term::Literal(answer)) if answer.value() == "1"))
    }

    /// The result of SELECT.
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
                Err(self.protocol.malformed("the answer is a boolean, not a table"))
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
    /// `None` after the last row.
    page: Option<SolutionPage>,
    /// How many rows earlier pages had.
    before: usize,
    /// How many rows a page has, if there is more than one page.
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
    /// Requests the rows after a page that has ended. `None` if it was the last page.
    fn next_page(&mut self, ended: &SolutionPage) -> Result<Option<SolutionPage>, Box<Diagnostic>> {
        self.before += ended.count;
        if self.of_page.is_some() && ended.count > 0 {
            self.tell();
        }
        let is_all = self.asked.query.most() == Some(self.before);
        if is_all || !may_be_cut(ended, self.of_page) {
            return Ok(None);
        }
        // If only an offset is given, a result cut at Virtuoso's limit looks like the end of all rows.
        let most = Some(*self.of_page.get_or_insert(ended.count));
        self.asked.page(&self.asked.query.clone().part(self.before, most)).map(Some)
    }

    fn tell(&self) {
        let rows = thousands(self.of_page.unwrap_or_default() as u64);
        let place = self.asked.protocol.place();
        let message =
            format!("{place} returns at most {rows} rows at once; the rest was requested page by page");
        let help = "with ORDER BY, each row comes exactly once, whatever order the server uses";
        self.asked.remarks.add(Diagnostic::warning("endpoint::pages", message).with_help(help));
    }
}

/// Returns whether the server may have cut the rows of a page: at the limit that it reports, at the size of the page
/// before, or at a number that people typically choose as a limit.
fn may_be_cut(page: &SolutionPage, of_page: Option<usize>) -> bool {
    let is_chosen = page.count >= 1000 && (page.count.is_multiple_of(1000) || page.count.is_power_of_two());
    match of_page {
        Some(rows) => page.count == rows && rows > 0,
        None => page.count > 0 && (page.most == Some(page.count) || is_chosen),
    }
}
