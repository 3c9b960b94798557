//! The shell: runs queries one after the other on data that are read once.

mod completion;
mod line;
mod validation;

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;

use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{CompletionType, Config, Editor};

use super::output::ResultOutput;
use super::preferences::preferences;
use super::query_output::{layout, quads_of};
use super::run_ending::{cancellation, listen, printer, question};
use super::visible::visible;
use super::{CommandAnswer, CommandStop, line_painter};
use completion::WordCompleter;
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport, thousands};
use evalgraph_engine::api::data_vocabulary::DataVocabulary;
use evalgraph_engine::api::{LoadedData, Loader};
use evalgraph_engine::convert::json_ld_shape::JsonLdShape;
use evalgraph_engine::convert::rdf::write_format;
use evalgraph_engine::load::load_purpose::LoadPurpose;
use evalgraph_engine::load::read_session::ReadSession;
use evalgraph_engine::workspace::preferences::UserPreferences;
use evalgraph_rdf::RdfFormat;
use evalgraph_sparql::{
    EvaluationEnvironment, ExecuteOptions, Prologue, Query, QueryParameter, QueryPrefixes, QueryResults,
    ResultFormat, TableForm, WriteError, write_boolean, write_solutions,
};
use evalgraph_store::DefaultGraph;
use line::{COMMANDS, ShellLine, goes_on};
use validation::validate;

/// The maximum number of queries in the history.
const HISTORY: usize = 1_000;

/// A session.
pub(super) struct ShellSession<'s> {
    loader: Loader,
    session: &'s ReadSession,
    loaded: LoadedData,
    vocabulary: DataVocabulary,
    preferences: UserPreferences,
    prefixes: QueryPrefixes,
    format: ResultFormat,
    form: Option<TableForm>,
    /// `true` if a person types the queries.
    is_edited: bool,
}

/// Decides whether the session continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SessionStep {
    Line,
    End,
}

impl<'s> ShellSession<'s> {
    /// Reads the data.
    ///
    /// # Errors
    ///
    /// The errors of the inputs, or of the store.
    pub(super) fn open(
        loader: &Loader,
        session: &'s ReadSession,
        report: &mut RunReport,
    ) -> Result<Self, CommandStop> {
        let (loaded, vocabulary) = read(loader, report)?;
        printer().print_now(report);
        let preferences = preferences()?;
        let prefixes = preferences.prefixes(loaded.prefixes());
        let is_edited = io::stdin().is_terminal() && io::stdout().is_terminal();
        let (format, form) = (ResultFormat::Table, None);
        let loader = loader.clone();
        Ok(Self { loader, session, loaded, vocabulary, preferences, prefixes, format, form, is_edited })
    }

    /// Answers the lines on stdin until it ends. On a terminal there is a line editor.
    ///
    /// # Errors
    ///
    /// Fails if stdout has no reader. A fault in a query is reported, and the next one is read.
    pub(super) fn run(mut self) -> Result<CommandAnswer, CommandStop> {
        if self.is_edited { self.edited() } else { self.piped() }
    }

    fn edited(&mut self) -> Result<CommandAnswer, CommandStop> {
        let config = Config::builder()
            .max_history_size(HISTORY)
            .map_err(|error| unusable(&error))?
            .completion_type(CompletionType::List)
            .auto_add_history(true)
            .build();
        let mut editor: Editor<WordCompleter, FileHistory> =
            Editor::with_config(config).map_err(|error| unusable(&error))?;
        let history = history();
        if let Some(history) = &history {
            // The file does not exist before the first session.
            let _ = editor.load_history(history);
        }
        listen();
        let mut output = ResultOutput::open(None)?;
        let quads = thousands(self.loaded.dataset().quad_count() as u64);
        let told = format!(
            "{quads} quads. A query ends with the line that closes it; .help lists commands, Tab completes.\n"
        );
        output.write_all(told.as_bytes()).map_err(|error| output.stop(&error))?;
        output.finish()?;
        loop {
            editor.set_helper(Some(WordCompleter::new(self.words())));
            match editor.readline("evalgraph> ") {
                Ok(text) => {
                    if self.answer(&text)? == SessionStep::End {
                        break;
                    }
                }
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => break,
                Err(error) => return Err(unusable(&error).into()),
            }
        }
        if let Some(history) = &history {
            let kept = history.parent().map_or(Ok(()), std::fs::create_dir_all);
            // If the folder is not writable, that is not a fault of the session.
            let _ = kept.map(|()| editor.save_history(history));
        }
        Ok(CommandAnswer::Yes)
    }

    /// Answers lines that are not typed. The exit status is 2 if any could not be answered.
    fn piped(&mut self) -> Result<CommandAnswer, CommandStop> {
        let mut has_failed = false;
        let mut text = String::new();
        for line in io::stdin().lock().lines() {
            let line = line.map_err(|error| {
                Diagnostic::error("shell::input", format!("stdin cannot be read: {error}"))
            })?;
            text.push_str(&line);
            text.push('\n');
            if goes_on(&text) {
                continue;
            }
            if self.answer_in(&text, &mut has_failed)? == SessionStep::End {
                text.clear();
                break;
            }
            text.clear();
        }
        if !text.trim().is_empty() {
            self.answer_in(&text, &mut has_failed)?;
        }
        if has_failed { Err(RunFailure::Reported.into()) } else { Ok(CommandAnswer::Yes) }
    }

    fn answer(&mut self, text: &str) -> Result<SessionStep, CommandStop> {
        self.answer_in(text, &mut false)
    }

    /// Answers a line, and reports faults in it.
    fn answer_in(&mut self, text: &str, has_failed: &mut bool) -> Result<SessionStep, CommandStop> {
        let printer = printer();
        let mut report = printer.report();
        let next = match ShellLine::from_text(text) {
            ShellLine::Nothing => Ok(SessionStep::Line),
            ShellLine::Query(query) => self.ask(query, &mut report).map(|()| SessionStep::Line),
            ShellLine::Word(word) => self.word(word, &mut report),
            ShellLine::Command { name, arguments } => self.command(name, &arguments, &mut report),
        };
        let next = match next {
            Err(CommandStop::ClosedPipe) => return Err(CommandStop::ClosedPipe),
            Err(CommandStop::Failed(RunFailure::Fault(fault))) => {
                report.add(&fault);
                SessionStep::Line
            }
            Err(CommandStop::Failed(RunFailure::Reported | RunFailure::AtInput)) => SessionStep::Line,
            Ok(next) => next,
        };
        *has_failed |= report.has_failed();
        printer.finish(&report, false);
        Ok(next)
    }

    /// Answers a single word as the command or the named query that it is.
    fn word(&mut self, word: &str, report: &mut RunReport) -> Result<SessionStep, CommandStop> {
        let command = format!(".{word}");
        if command == ".exit" || COMMANDS.iter().any(|(name, _)| *name == command) {
            return self.command(&command, &[], report);
        }
        if self.preferences.named_queries()?.iter().any(|query| query.name == word) {
            return self.command(".run", &[word], report);
        }
        self.ask(word, report).map(|()| SessionStep::Line)
    }

    fn ask(&self, text: &str, report: &mut RunReport) -> Result<(), CommandStop> {
        self.evaluate(&Query::parse_in(text, "query", &self.prologue())?, report)
    }

    fn prologue(&self) -> Prologue<'static> {
        Prologue { prefixes: self.prefixes.clone(), ..Prologue::default() }
    }

    fn evaluate(&self, query: &Query, report: &mut RunReport) -> Result<(), CommandStop> {
        report.add_all(&query.warnings());
        // An interactive session continues after a query that takes too long; a script does not.
        let question = self.is_edited.then(question);
        let cancellation =
            question.as_ref().map_or_else(cancellation, |question| question.cancellation.clone());
        let environment = EvaluationEnvironment { cancellation, ..EvaluationEnvironment::default() };
        let environment = self.loaded.environment(query, environment)?;
        let view = self.loaded.dataset().view(DefaultGraph::Union);
        let results =
            query.clone().with_environment(environment).execute(view.clone(), ExecuteOptions::default())?;
        let mut output = ResultOutput::open(None)?;
        let is_empty = match results {
            QueryResults::Solutions(solutions) => {
                let layout = layout(query, self.form, &self.preferences, ".blocks on, .format csv");
                if self.format == ResultFormat::Table {
                    output.paint(line_painter::table);
                }
                match write_solutions(solutions, self.format, &layout, &mut output) {
                    Ok(rows) => rows == 0,
                    Err(WriteError::Io(error)) => return Err(output.stop(&error)),
                    Err(WriteError::Evaluation(fault)) => return Err(fault.into()),
                }
            }
            QueryResults::Boolean(answer) => {
                write_boolean(answer, self.format, &mut output).map_err(|error| output.stop(&error))?;
                false
            }
            QueryResults::Graph(triples) => {
                let quads = quads_of(triples, query)?;
                let shape = JsonLdShape::Expanded;
                write_format(&quads, RdfFormat::Turtle, self.session, &shape, &mut output, report)
                    .map_err(|failure| output.stopped(failure))?;
                quads.is_empty()
            }
        };
        output.finish()?;
        if is_empty {
            report.add_all(&query.unknown_terms(&view));
        }
        Ok(())
    }

    fn command(
        &mut self,
        name: &str,
        arguments: &[&str],
        report: &mut RunReport,
    ) -> Result<SessionStep, CommandStop> {
        let text = match (name, arguments) {
            (".quit" | ".exit", _) => return Ok(SessionStep::End),
            (".help", _) => COMMANDS.iter().map(|(name, about)| format!("{name:12} {about}\n")).collect(),
            (".classes", []) => self.classes(),
            (".properties", [class]) => self.properties(class)?,
            (".graphs", []) => self.graphs()?,
            (".queries", []) => {
                let line = |name: &str, about: &str| format!("{:26} {}\n", visible(name), visible(about));
                self.preferences
                    .named_queries()?
                    .iter()
                    .map(|query| line(&query.name, &query.title))
                    .collect()
            }
            (".run", [name, parameters @ ..]) => {
                let queries = self.preferences.named_queries()?;
                let named = queries.get(name)?;
                let given: Vec<QueryParameter> =
                    parameters.iter().map(|text| QueryParameter::parse(text)).collect::<Result<_, _>>()?;
                let query = named.query_in(&self.prologue())?;
                self.evaluate(&query.with_parameters(&given, &named.parameters)?, report)?;
                String::new()
            }
            (".format", [form]) => {
                let format = ResultFormat::from_name(form).filter(|format| FORMATS.contains(format));
                self.format = format.ok_or_else(|| {
                    wrong("`.format` takes table, csv, tsv, json, jsonl, sparql-json or sparql-xml")
                })?;
                String::new()
            }
            (".blocks", [switch @ ("on" | "off")]) => {
                self.form = Some(if *switch == "on" { TableForm::Blocks } else { TableForm::Fitting });
                String::new()
            }
            (".reload", []) => {
                let loader = self.loader.clone();
                self.read_from(loader, report)?;
                String::new()
            }
            (".load", files @ [_, ..]) => {
                if files.contains(&"-") {
                    return Err(wrong("`.load` takes files: stdin has the lines of the shell").into());
                }
                self.read_from(self.loader.with_further(files), report)?;
                let [quads, graphs] =
                    [self.loaded.dataset().quad_count() as u64, self.loaded.files()?.len() as u64];
                format!("{} quads, {} files\n", thousands(quads), thousands(graphs))
            }
            (".validate", [] | [_]) => {
                validate(&self.loader, self.session, arguments.first().copied(), report)?;
                String::new()
            }
            _ => return Err(not_a_command(name).into()),
        };
        super::output::write_text(&text, None)?;
        Ok(SessionStep::Line)
    }

    /// Reads all data again. If that fails, the session keeps what it has.
    fn read_from(&mut self, loader: Loader, report: &mut RunReport) -> Result<(), CommandStop> {
        (self.loaded, self.vocabulary) = read(&loader, report)?;
        self.prefixes = self.preferences.prefixes(self.loaded.prefixes());
        self.loader = loader;
        Ok(())
    }

    fn classes(&self) -> String {
        let classes = self.vocabulary.classes.iter();
        classes
            .map(|class| {
                format!(
                    "{:>9}  {}\n",
                    thousands(class.class.count as u64),
                    short(&class.class.iri, &self.prefixes)
                )
            })
            .collect()
    }

    fn properties(&self, class: &str) -> Result<String, CommandStop> {
        let known = self.vocabulary.classes.iter().find(|known| {
            let iri = &known.class.iri;
            class.trim_matches(['<', '>']) == iri || short(iri, &self.prefixes) == class
        });
        let Some(known) = known else {
            return Err(wrong(&format!("no node has the class `{class}`"))
                .with_help("`.classes` lists them")
                .into());
        };
        let lines = known.properties.iter().map(|property| {
            let types: Vec<&str> = property.types.iter().map(String::as_str).collect();
            let example = property.example.as_deref().unwrap_or_default();
            let name = short(&property.property.iri, &self.prefixes);
            let line = format!("{:>9}  {name:32} {:24} {example}", property.property.count, types.join(", "));
            format!("{}\n", visible(line.trim_end()))
        });
        Ok(lines.collect())
    }

    fn graphs(&self) -> Result<String, CommandStop> {
        let mut files: Vec<(String, String)> = self.loaded.files()?.into_iter().collect();
        files.sort();
        let lines = files.iter().map(|(graph, file)| format!("{file}  <{graph}>"));
        Ok(lines.map(|line| format!("{}\n", visible(&line))).collect())
    }

    /// The words that can be completed in addition to those of SPARQL.
    fn words(&self) -> Vec<String> {
        let classes = self.vocabulary.classes.iter().map(|class| &class.class.iri);
        let properties = self.vocabulary.properties.iter().map(|property| &property.iri);
        let names = classes.chain(properties).filter_map(|iri| self.prefixes.shorten(iri));
        let queries = self.preferences.named_queries().into_iter().flat_map(|queries| {
            // Names come from files and completions are printed, so names with control characters are left out.
            let is_plain = |name: &String| *visible(name) == **name;
            queries.iter().map(|query| query.name.clone()).filter(is_plain).collect::<Vec<_>>()
        });
        names.chain(queries).collect()
    }
}

/// The forms in which the shell shows tables.
const FORMATS: [ResultFormat; 7] = [
    ResultFormat::Table,
    ResultFormat::Csv,
    ResultFormat::Tsv,
    ResultFormat::Json,
    ResultFormat::Jsonl,
    ResultFormat::SparqlJson,
    ResultFormat::SparqlXml,
];

fn read(loader: &Loader, report: &mut RunReport) -> Result<(LoadedData, DataVocabulary), CommandStop> {
    let loaded = LoadedData::read(loader, LoadPurpose::Catalog, report)?;
    let vocabulary = DataVocabulary::from_dataset(loaded.dataset(), &cancellation())?;
    match loaded.dataset().fault() {
        Some(fault) => Err(fault.clone().into()),
        None => Ok((loaded, vocabulary)),
    }
}

fn short(iri: &str, prefixes: &QueryPrefixes) -> String {
    prefixes.shorten(iri).unwrap_or_else(|| format!("<{}>", visible(iri)))
}

fn wrong(message: &str) -> Diagnostic {
    Diagnostic::error("shell::command", message.to_owned())
}

fn not_a_command(name: &str) -> Diagnostic {
    match COMMANDS.iter().find(|(known, _)| *known == name) {
        Some((_, about)) => wrong(&format!("usage of `{name}`: {about}")),
        None => wrong(&format!("there is no command `{name}`")).with_help("`.help` lists them"),
    }
}

fn unusable(error: &ReadlineError) -> Diagnostic {
    Diagnostic::error("shell::input", format!("the terminal cannot be used: {error}"))
}

/// The path of the history, by the XDG Base Directory Specification.
fn history() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = variable("XDG_STATE_HOME").or_else(|| Some(variable("HOME")?.join(".local/state")))?;
    Some(folder.join("evalgraph/history"))
}
