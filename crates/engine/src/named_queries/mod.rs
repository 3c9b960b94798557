//! Named queries: those that come with the program, and those in a folder. The comment lines at the top of a file say
//! what it answers, which parameters it takes, and which chart shows the answer:
//!
//! ```text
//! # title: Unfinished questions
//! # description: questions that are not marked as finished
//! # param: limit integer = 10   (how many to show)
//! # chart: bars file questions
//! ```

use std::path::Path;

mod chart;
mod query_folder;
mod query_json;

pub use chart::{ChartKind, QueryChart};
pub use query_folder::QueryFolder;
use query_folder::query_files;

use evalgraph_diagnostics::help::{command, help};
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_diagnostics::{Diagnostic, SourceText};
use evalgraph_sparql::{ParameterDeclaration, ParameterType, Prologue, Query, QueryPrefixes};

/// A query with its header.
///
/// Other methods are in `query_json.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedQuery {
    /// The name of the query: the stem of its file.
    pub name: String,
    /// The question that the query answers, in a few words.
    pub title: String,
    /// The question that the query answers, in one line.
    pub description: Option<String>,
    /// The parameters it takes.
    pub parameters: Vec<ParameterDeclaration>,
    /// The chart that shows the answer.
    pub chart: Option<QueryChart>,
    /// The whole text, including the header.
    pub text: String,
    /// The prefixes that it may use without declaring them.
    pub prefixes: QueryPrefixes,
}

impl NamedQuery {
    /// Reads the header of a query. Messages use `source` to say where the text comes from.
    ///
    /// # Errors
    ///
    /// If a `param` line is malformed or names a type that does not exist, or if a `chart` line is malformed or names a
    /// variable that the query does not have.
    pub fn read(name: &str, text: &str, source: &str) -> Result<Self, Box<Diagnostic>> {
        let mut query = Self {
            name: name.to_owned(),
            title: name.to_owned(),
            description: None,
            parameters: Vec::new(),
            chart: None,
            text: text.to_owned(),
            prefixes: QueryPrefixes::new(),
        };
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let Some(comment) = line.trim_start().strip_prefix('#') else { break };
            if let Some((key, value)) = comment.split_once(':') {
                let value = value.trim();
                let at_line = |error: Box<Diagnostic>| {
                    let place = SourceText::new(source, text.as_bytes());
                    Box::new((*error).at(place.place(start..start + line.trim_end().len())))
                };
                match key.trim() {
                    "title" => query.title = value.to_owned(),
                    "description" => query.description = Some(value.to_owned()),
                    "param" => query.parameters.push(declaration(value).map_err(at_line)?),
                    "chart" => query.chart = Some(QueryChart::read(value, text).map_err(at_line)?),
                    _ => {}
                }
            }
            start += line.len();
        }
        Ok(query)
    }

    /// Parses the query.
    ///
    /// # Errors
    ///
    /// The errors of [`Query::parse`].
    pub fn query(&self) -> Result<Query, Box<Diagnostic>> {
        self.query_in(&Prologue { prefixes: self.prefixes.clone(), ..Prologue::default() })
    }

    /// Parses the query with an additional base or additional prefixes.
    ///
    /// # Errors
    ///
    /// The errors of [`Query::parse`].
    pub fn query_in(&self, prologue: &Prologue<'_>) -> Result<Query, Box<Diagnostic>> {
        Query::parse_in(&self.text, &format!("{}.rq", self.name), prologue)
    }
}

/// `name type = default   (description)`; default and description are optional.
fn declaration(text: &str) -> Result<ParameterDeclaration, Box<Diagnostic>> {
    // Two blanks mark the description. Otherwise it is the last parenthesis, because a default may have some.
    let (text, description) = match text.find("  (").map(|at| at + 1).or_else(|| text.rfind(" (")) {
        Some(at) if text.ends_with(')') => (&text[..at], Some(text[at + 2..text.len() - 1].to_owned())),
        _ => (text, None),
    };
    let (declared, default) = match text.split_once('=') {
        Some((declared, default)) => (declared, Some(default.trim().to_owned())),
        None => (text, None),
    };
    let words: Vec<&str> = declared.split_whitespace().collect();
    let [name, type_name] = words.as_slice() else {
        return Err(Diagnostic::error("sparql::header", "a `param` line needs a name and a type")
            .with_help("write `# param: name type = default   (description)`")
            .into());
    };
    let Some(parameter_type) = ParameterType::from_name(type_name) else {
        let names = ParameterType::ALL.map(ParameterType::name);
        let error = Diagnostic::error("sparql::header", format!("`{type_name}` is not a type of parameters"));
        let error = match nearest(type_name, names) {
            Some(meant) => error.with_help(format!("did you mean `{meant}`?")),
            None => error.with_help(format!("the types are {}", names.join(", "))),
        };
        return Err(error.into());
    };
    let name = name.trim_start_matches('?').to_owned();
    Ok(ParameterDeclaration { name, parameter_type, default, description })
}

/// Queries by their names.
#[derive(Debug, Clone, Default)]
pub struct NamedQueries {
    queries: Vec<NamedQuery>,
}

impl NamedQueries {
    /// Returns the queries that come with the program.
    ///
    /// # Errors
    ///
    /// If the header of one is malformed.
    pub fn built_in() -> Result<Self, Box<Diagnostic>> {
        let mut queries = Self::default();
        for (name, text) in evalgraph_queries::QUERIES {
            queries.add(NamedQuery::read(name, text, &format!("{name}.rq"))?);
        }
        Ok(queries)
    }

    /// Adds a query, replacing any query with the same name.
    pub fn add(&mut self, query: NamedQuery) {
        self.queries.retain(|known| known.name != query.name);
        let at = self.queries.partition_point(|known| known.name < query.name);
        self.queries.insert(at, query);
    }

    /// Adds each `*.rq` file of a folder: at most 1,000 files of at most 1 MiB each. Their queries may use `prefixes`.
    ///
    /// # Errors
    ///
    /// If the folder or a file cannot be read, or if a header is malformed.
    pub fn add_directory(
        &mut self,
        directory: &Path,
        prefixes: &QueryPrefixes,
    ) -> Result<(), Box<Diagnostic>> {
        self.add_folder(&QueryFolder { path: directory.to_owned(), project: None }, prefixes)
    }

    /// Adds each `*.rq` file of a folder, which may belong to a project.
    ///
    /// # Errors
    ///
    /// The errors of [`NamedQueries::add_directory`], and an error if a file of a project's folder is outside the
    /// project.
    pub fn add_folder(
        &mut self,
        folder: &QueryFolder,
        prefixes: &QueryPrefixes,
    ) -> Result<(), Box<Diagnostic>> {
        for (path, text) in query_files(folder)? {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let query = NamedQuery::read(&name, &text, &path.to_string_lossy())?;
            self.add(NamedQuery { prefixes: prefixes.clone(), ..query });
        }
        Ok(())
    }

    /// Returns the queries, ordered by name.
    pub fn iter(&self) -> impl Iterator<Item = &NamedQuery> {
        self.queries.iter()
    }

    /// Finds a query by its name.
    ///
    /// # Errors
    ///
    /// If there is none; the nearest name is suggested.
    pub fn get(&self, name: &str) -> Result<&NamedQuery, Box<Diagnostic>> {
        if let Some(query) = self.queries.iter().find(|query| query.name == name) {
            return Ok(query);
        }
        let error = Diagnostic::error("sparql::unknown-query", format!("there is no query named `{name}`"));
        let names = || self.queries.iter().map(|query| query.name.as_str());
        if let Some(meant) = nearest(name, names()) {
            return Err(Box::new(error.with_help(format!("did you mean `{meant}`?"))));
        }
        let word = name.to_lowercase();
        let word = word.strip_suffix('s').unwrap_or(&word);
        let alike: Vec<String> = names()
            .filter(|known| !word.is_empty() && known.split('-').any(|part| part.starts_with(word)))
            .map(|known| format!("`{known}`"))
            .collect();
        Err(Box::new(match alike.as_slice() {
            [] => error.with_help(help![command("queries"), " lists them"]),
            alike => {
                let alike = format!("there are {}; ", alike.join(", "));
                error.with_help(help![alike, command("queries"), " lists all of them"])
            }
        }))
    }
}
