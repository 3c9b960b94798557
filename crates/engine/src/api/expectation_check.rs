//! Checks what a project expects of its data: shares of questions, and numbers of rows of named queries.
//!
//! `Loader` is defined in `file_loader.rs`.

use std::collections::HashMap;
use std::path::Path;

use oxrdf::Term;

use super::file_loader::Loader;
use super::loaded_data::LoadedData;
use crate::input::found_files::FoundFiles;
use crate::input::input_options::RunInputs;
use crate::input::progress::ProgressDisplay;
use crate::load::load_purpose::LoadPurpose;
use crate::named_queries::{NamedQueries, NamedQuery};
use crate::validation::expectation_report::{ExpectationOutcome, expectation_report};
use crate::validation::validated_files::ValidatedFile;
use crate::workspace::command_sources::sources;
use crate::workspace::data_expectation::{DataExpectation, ExpectedFolder};
use crate::workspace::expected_threshold::{QuestionShare, ThresholdNumber};
use crate::workspace::folder_scope::is_in_folder;
use crate::workspace::preferences::UserPreferences;
use evalgraph_diagnostics::help::{command, help};
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, RunReport};
use evalgraph_rdf::minted::CATALOG_GRAPH;
use evalgraph_sparql::{
    EvaluationEnvironment, EvaluationError, ExecuteOptions, Prologue, Query, QueryForm, QueryResults,
    SolutionSequence,
};
use evalgraph_store::DefaultGraph;

/// The named query whose rows are the questions, and whose columns are what is known about them.
const QUESTIONS: &str = "questions";
/// The columns that each row has, and whose share means nothing.
const ALWAYS: [&str; 2] = ["file", "question_text"];

/// The name of stdin as an input. It cannot be read a second time.
const STDIN: &str = "-";

/// What is expected, with the queries that count it.
#[derive(Debug, Default)]
pub struct ExpectationPlan {
    sections: Vec<ExpectationSection>,
}

/// What is expected of all files, or of those in a folder.
#[derive(Debug)]
struct ExpectationSection {
    folder: Option<ExpectedFolder>,
    expectations: Vec<DataExpectation>,
    /// The queries that are evaluated, by their names.
    queries: HashMap<String, Query>,
}

impl ExpectationPlan {
    /// Finds the queries for what is expected. Nothing is read if nothing is expected.
    ///
    /// # Errors
    ///
    /// `config::key` for a name that is neither a column of the questions nor a query, `config::value` for a threshold
    /// that does not fit its name, and the errors of the named queries.
    pub fn new(preferences: &UserPreferences) -> Result<Self, Box<Diagnostic>> {
        let mut plan = Self::default();
        if preferences.expectations.is_empty() {
            return Ok(plan);
        }
        let known = preferences.named_queries()?;
        let questions = parsed(known.get(QUESTIONS)?, preferences)?;
        let columns: Vec<String> =
            questions.columns().into_iter().filter(|name| !ALWAYS.contains(&&**name)).collect();
        for expected in &preferences.expectations {
            let counted = match expected.threshold.number {
                ThresholdNumber::Share(_) if columns.contains(&expected.name) => QUESTIONS,
                ThresholdNumber::Share(_) => {
                    return Err(Box::new(unknown_column(expected, &columns, &known)));
                }
                ThresholdNumber::Count(_) => &expected.name,
            };
            let Ok(named) = known.get(counted) else {
                return Err(Box::new(unknown_query(expected, &columns, &known)));
            };
            let query = parsed(named, preferences).map_err(|fault| needed(*fault, expected))?;
            if query.form() == QueryForm::Ask {
                let message = format!("the query `{counted}` answers yes or no, and has no rows to count");
                let fault = Diagnostic::error("config::value", message).at(expected.name_place.clone());
                return Err(Box::new(fault.with_help("name a query that begins with SELECT")));
            }
            let section = plan.section(expected.folder.as_ref());
            section.queries.insert(counted.to_owned(), query);
            section.expectations.push(expected.clone());
        }
        Ok(plan)
    }

    /// Returns whether nothing is expected.
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    fn section(&mut self, folder: Option<&ExpectedFolder>) -> &mut ExpectationSection {
        let at = self.sections.iter().position(|section| section.folder.as_ref() == folder);
        let at = at.unwrap_or_else(|| {
            let folder = folder.cloned();
            self.sections.push(ExpectationSection {
                folder,
                expectations: Vec::new(),
                queries: HashMap::new(),
            });
            self.sections.len() - 1
        });
        &mut self.sections[at]
    }
}

/// Parses a named query, with the defaults of its parameters.
fn parsed(named: &NamedQuery, preferences: &UserPreferences) -> Result<Query, Box<Diagnostic>> {
    let prologue = Prologue { prefixes: preferences.prefixes(&[]), ..Prologue::default() };
    named.query_in(&prologue)?.with_parameters(&[], &named.parameters)
}

/// The fault of a query that is needed for an expectation.
fn needed(fault: Diagnostic, expected: &DataExpectation) -> Box<Diagnostic> {
    if fault.place.is_some() {
        let label = format!("needed for `{}`", expected.name);
        return Box::new(fault.with_related(expected.name_place.clone(), label));
    }
    Box::new(fault.at(expected.name_place.clone()))
}

/// The error for a share of something that is not a column of the questions.
fn unknown_column(expected: &DataExpectation, columns: &[String], known: &NamedQueries) -> Diagnostic {
    let name = &expected.name;
    if known.get(name).is_ok() {
        let message = format!("`{name}` is a query, and `[expect]` counts the rows of a query");
        let fault = Diagnostic::error("config::value", message).at(expected.place.clone());
        return fault.with_help("give a number of rows, such as `<= 5`");
    }
    let message = format!("no column of the questions is called `{name}`");
    let fault = Diagnostic::error("config::key", message).at(expected.name_place.clone());
    match nearest(name, columns.iter().map(String::as_str)) {
        Some(near) => fault.with_help(format!("did you mean `{near}`?")),
        None => fault.with_help(format!("the columns are `{}`", columns.join("`, `"))),
    }
}

/// The error for a number of rows of something that is not a query.
fn unknown_query(expected: &DataExpectation, columns: &[String], known: &NamedQueries) -> Diagnostic {
    let name = &expected.name;
    if columns.contains(name) {
        let message = format!("`{name}` is a column of the questions, whose share is expected");
        let fault = Diagnostic::error("config::value", message).at(expected.place.clone());
        return fault.with_help("give a share of the questions, such as `>= 80 %`");
    }
    let message = format!("no query is called `{name}`, so it has no rows to count");
    let fault = Diagnostic::error("config::key", message).at(expected.name_place.clone());
    let names = known.iter().map(|query| query.name.as_str());
    match nearest(name, names.chain(columns.iter().map(String::as_str))) {
        Some(near) => fault.with_help(format!("did you mean `{near}`?")),
        None => fault.with_help(help![command("queries"), " lists the queries"]),
    }
}

/// The counts of a section.
#[derive(Default)]
struct SectionCounts {
    /// The number of rows of each query.
    rows: HashMap<String, u64>,
    /// The number of questions with a value in each column.
    having: HashMap<String, u64>,
}

impl Loader {
    /// Checks what is expected of the inputs together, or of those in a folder. Names of inputs are relative to the
    /// working folder. Returns `None` if nothing is expected.
    ///
    /// The inputs are read again, with their graphs. Inputs that cannot be read are left out. They are reported, unless
    /// `report` has an error of theirs.
    ///
    /// # Errors
    ///
    /// If the evaluation of a query fails, if the store cannot be read, or if the work is cancelled.
    pub fn check_expectations(
        &self,
        plan: &ExpectationPlan,
        working: &Path,
        report: &mut RunReport,
    ) -> Result<Option<ValidatedFile>, RunFailure> {
        let mut outcomes = Vec::new();
        if !plan.is_empty() && self.inputs.inputs.iter().any(|input| input == STDIN) {
            let message = "stdin cannot be read twice, so `[expect]` leaves it out";
            let note = Diagnostic::new(FindingSeverity::Note, "expect::skipped", message);
            report.add(&note.with_help("save the data in a file, and name that"));
        }
        for section in &plan.sections {
            let counts = self.counts(section, working, report)?;
            for expected in &section.expectations {
                let counts = counts.as_ref();
                let count = |known: &HashMap<String, u64>, name: &str| known.get(name).copied();
                let outcome = match expected.threshold.number {
                    ThresholdNumber::Count(_) => {
                        let rows = counts.and_then(|counts| count(&counts.rows, &expected.name));
                        rows.map_or(ExpectationOutcome::Unchecked, ExpectationOutcome::Rows)
                    }
                    ThresholdNumber::Share(_) => {
                        let share = counts.and_then(|counts| {
                            let questions = count(&counts.rows, QUESTIONS).filter(|count| *count > 0)?;
                            let having = count(&counts.having, &expected.name).unwrap_or_default();
                            Some(QuestionShare { having, questions })
                        });
                        share.map_or(ExpectationOutcome::Unchecked, ExpectationOutcome::Share)
                    }
                };
                outcomes.push((expected, outcome));
            }
            if let Some(note) = skipped(section, counts.as_ref()) {
                report.add(&note);
            }
        }
        Ok(expectation_report(&outcomes, report))
    }

    /// Counts what a section expects. Returns `None` if no input is in its folder.
    fn counts(
        &self,
        section: &ExpectationSection,
        working: &Path,
        report: &mut RunReport,
    ) -> Result<Option<SectionCounts>, RunFailure> {
        let mut part = report.part();
        let loaded = match self.loaded_in(section, working, &mut part) {
            Ok(loaded) => loaded,
            Err(RunFailure::Reported | RunFailure::AtInput) => None,
            Err(failure) => return Err(failure),
        };
        // Most files at fault have been reported by what has read them before.
        let source = |fault: &Diagnostic| fault.place.as_ref().map(|place| place.source.clone());
        let known: Vec<_> = report.errors().iter().filter_map(source).collect();
        let is_new = |fault: &&Diagnostic| source(fault).is_some_and(|file| !known.contains(&file));
        report.add_all(part.errors().iter().filter(is_new));
        let Some(loaded) = loaded else { return Ok(None) };
        let mut counts = SectionCounts::default();
        for (name, query) in &section.queries {
            let columns: Vec<&str> = match name == QUESTIONS {
                true => section.expectations.iter().map(|expected| &*expected.name).collect(),
                false => Vec::new(),
            };
            // A project's query must not send data to a service, even if the network is allowed.
            let environment = EvaluationEnvironment {
                cancellation: self.cancellation.clone(),
                ..EvaluationEnvironment::default()
            };
            let environment = loaded.environment(query, environment)?;
            let view = loaded.dataset().view(DefaultGraph::Union);
            let query = query.clone().with_environment(environment);
            let rows = match query.execute(view, ExecuteOptions::default())? {
                QueryResults::Solutions(solutions) => counts.count(solutions, &columns)?,
                QueryResults::Graph(triples) => rows_of(triples)?,
                QueryResults::Boolean(_) => 0,
            };
            counts.rows.insert(name.clone(), rows);
        }
        Ok(Some(counts))
    }

    /// Loads the inputs of a section. Returns `None` if there are none.
    fn loaded_in(
        &self,
        section: &ExpectationSection,
        working: &Path,
        report: &mut RunReport,
    ) -> Result<Option<LoadedData>, RunFailure> {
        let mut loader = self.reading_anew();
        let RunInputs { inputs, keep_going, reading, .. } = &mut loader.inputs;
        let is_store = inputs.is_empty();
        inputs.retain(|input| input != STDIN);
        *keep_going = true;
        reading.found = FoundFiles::default();
        reading.watch = ProgressDisplay::default();
        if loader.inputs.inputs.is_empty() && !is_store {
            return Ok(None);
        }
        let uses_catalog = section.queries.values().any(|query| query.mentions(CATALOG_GRAPH));
        let wanted = if uses_catalog { LoadPurpose::Catalog } else { LoadPurpose::Quads };
        let Some(folder) = &section.folder else {
            return LoadedData::read(&loader, wanted, report).map(Some);
        };
        let mut sources = sources(&loader.inputs, report)?;
        sources.retain(|source| is_in_folder(&folder.path, working, &source.name()));
        if sources.is_empty() {
            return Ok(None);
        }
        LoadedData::from_sources(sources, &loader, wanted, report).map(Some)
    }
}

impl SectionCounts {
    /// Counts rows, and those with a value in each column: neither `false` nor blank.
    fn count(&mut self, solutions: SolutionSequence<'_>, columns: &[&str]) -> Result<u64, EvaluationError> {
        let mut rows = 0;
        let mut having = vec![0; columns.len()];
        for solution in solutions {
            let solution = solution?;
            rows += 1;
            for (column, count) in columns.iter().zip(&mut having) {
                *count += u64::from(solution.get(*column).is_some_and(is_value));
            }
        }
        self.having.extend(columns.iter().map(|column| (*column).to_owned()).zip(having));
        Ok(rows)
    }
}

fn is_value(term: &Term) -> bool {
    match term {
        Term::Literal(literal) => !matches!(literal.value().trim(), "" | "false"),
        _ => true,
    }
}

fn rows_of<T>(rows: impl Iterator<Item = Result<T, EvaluationError>>) -> Result<u64, EvaluationError> {
    rows.into_iter().try_fold(0, |count, row| row.map(|_| count + 1))
}

/// The note about a section that was not checked, or not completely.
fn skipped(section: &ExpectationSection, counts: Option<&SectionCounts>) -> Option<Diagnostic> {
    let first = section.expectations.first()?;
    let message = match (counts, &section.folder) {
        (None, Some(folder)) => {
            format!("no file of this run is in `{0}`, so `[expect.{0}]` is not checked", folder.name)
        }
        (None, None) => "no input of this run can be counted, so `[expect]` is not checked".to_owned(),
        (Some(counts), _) => {
            if counts.rows.get(QUESTIONS).is_none_or(|count| *count > 0) {
                return None;
            }
            let is_share =
                |expected: &&DataExpectation| matches!(expected.threshold.number, ThresholdNumber::Share(_));
            let share = section.expectations.iter().find(is_share)?;
            let message = "the data have no questions, so shares of questions are not checked";
            let note = Diagnostic::new(FindingSeverity::Note, "expect::skipped", message);
            let help = "`questions = \">= 1\"` expects that there are some";
            return Some(note.at(share.place.clone()).with_help(help));
        }
    };
    let note = Diagnostic::new(FindingSeverity::Note, "expect::skipped", message);
    Some(note.at(first.name_place.clone()))
}
