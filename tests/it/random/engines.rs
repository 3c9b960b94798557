//! Other engines: oxigraph in this process, and those of `EVALGRAPH_ENGINES` as processes of their own, which
//! `tests/judges/engines` has the programs of. Each takes a case and gives an answer, or none.

use crate::rdf::isomorphism::{Quad, Term as ComparedTerm, from_oxrdf};
use oxigraph::sparql::{QueryResults, SparqlEvaluator};
use oxigraph::store::Store;
use oxrdf::{BlankNode, Literal, NamedNode, Term};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// How long a process may think about a case.
const PATIENCE: Duration = Duration::from_secs(30);

/// The answer of an engine, in a form that can be compared.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    Boolean(bool),
    Rows {
        variables: Vec<String>,
        rows: Vec<Vec<Option<Term>>>,
    },
    /// Triples made by CONSTRUCT, all quads after an update, or those of a document of JSON-LD.
    Quads(BTreeSet<Quad>),
    /// A document.
    Json(Value),
    /// It has none, for the reason that it gives.
    None(String),
}

/// The request of a case: a query or an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Request {
    Query,
    Update,
}

/// An engine to compare with.
pub(crate) enum Engine {
    Oxigraph,
    Process(Process),
}

impl Engine {
    /// Those that answer queries and updates.
    pub(crate) fn of_sparql() -> Vec<Self> {
        let programs = |folder: &Path| {
            let python = folder.join("venv/bin/python");
            let library = folder.join("jena/lib/*");
            let arq =
                ["-Xss64m".to_owned(), "-cp".to_owned(), library.display().to_string(), program("Arq.java")];
            let rdflib = [program("rdf_engine.py"), "rdflib".to_owned()];
            vec![Process::new("jena", Path::new("java"), &arq), Process::new("rdflib", &python, &rdflib)]
        };
        let mut engines = vec![Self::Oxigraph];
        engines.extend(asked_for(programs).into_iter().map(Self::Process));
        engines
    }

    /// Those that process JSON-LD.
    pub(crate) fn of_json_ld() -> Vec<Self> {
        let programs = |folder: &Path| {
            let js = folder.join("js").display().to_string();
            vec![
                Process::new("jsonld.js", Path::new("node"), &[program("jsonld_js.mjs"), js]),
                Process::new("PyLD", &folder.join("venv/bin/python"), &[program("pyld_engine.py")]),
            ]
        };
        asked_for(programs).into_iter().map(Self::Process).collect()
    }

    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Oxigraph => "oxigraph",
            Self::Process(process) => process.name,
        }
    }

    /// The answer to a request over quads.
    pub(crate) fn answer(&mut self, quads: &str, text: &str, request: Request) -> Answer {
        match self {
            Self::Oxigraph => oxigraph(quads, text, request).unwrap_or_else(Answer::None),
            Self::Process(process) => {
                let key = if request == Request::Query { "query" } else { "update" };
                process
                    .ask(&serde_json::json!({"data": quads, key: text}))
                    .map_or_else(Answer::None, |reply| of_json(&reply))
            }
        }
    }
}

impl Engine {
    /// The answer to a case of JSON-LD; an error is an object that says so.
    pub(crate) fn processed(&mut self, case: &Value) -> Answer {
        match self {
            Self::Oxigraph => Answer::None("it has no JSON-LD of its own".to_owned()),
            Self::Process(process) => match process.ask(case) {
                Ok(reply) => Answer::Json(reply.get("result").cloned().unwrap_or(reply)),
                Err(reason) => Answer::None(reason),
            },
        }
    }
}

/// The engines of `EVALGRAPH_ENGINES`, which is a folder, and after an `@` those that are wanted of it.
fn asked_for(programs: impl Fn(&Path) -> Vec<Process>) -> Vec<Process> {
    let Ok(asked) = std::env::var("EVALGRAPH_ENGINES") else { return Vec::new() };
    let (folder, wanted) = asked.split_once('@').unwrap_or((&asked, ""));
    let mut programs = programs(Path::new(folder));
    programs.retain(|process| wanted.is_empty() || wanted.split(',').any(|name| name == process.name));
    programs
}

fn program(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/judges/engines").join(name).display().to_string()
}

/// A program that answers a line of JSON with another.
pub(crate) struct Process {
    name: &'static str,
    program: PathBuf,
    arguments: Vec<String>,
    patience: Duration,
    running: Option<(Child, Receiver<String>)>,
}

impl Process {
    pub(crate) fn new(name: &'static str, program: &Path, arguments: &[String]) -> Self {
        Self {
            name,
            program: program.to_owned(),
            arguments: arguments.to_vec(),
            patience: PATIENCE,
            running: None,
        }
    }

    /// The process with more time for a question.
    pub(crate) fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// The reply to a question, or why there is none. A process that thinks too long is ended.
    pub(crate) fn ask(&mut self, question: &Value) -> Result<Value, String> {
        let (child, replies) = self.running.get_or_insert_with(|| start(&self.program, &self.arguments));
        let mut input = child.stdin.as_ref().expect("it is piped");
        writeln!(input, "{question}")
            .unwrap_or_else(|error| panic!("{} takes no question: {error}", self.name));
        let Ok(reply) = replies.recv_timeout(self.patience) else {
            self.stop();
            return Err("it does not answer".to_owned());
        };
        serde_json::from_str(&reply).map_err(|error| format!("{error} in {reply}"))
    }

    fn stop(&mut self) {
        if let Some((mut child, _)) = self.running.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stop();
    }
}

fn start(program: &Path, arguments: &[String]) -> (Child, Receiver<String>) {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child =
        command.spawn().unwrap_or_else(|error| panic!("{} does not start: {error}", program.display()));
    let output = child.stdout.take().expect("it is piped");
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    (child, receiver)
}

/// The store writes literals in another way than they were given. Over such data its evaluator is asked, and what it
/// would leave after an update cannot be compared.
fn oxigraph(quads: &str, text: &str, request: Request) -> Result<Answer, String> {
    let store = Store::new().map_err(|error| error.to_string())?;
    let parser = oxttl::NQuadsParser::new().for_slice(quads);
    let given: oxrdf::Dataset = parser.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    store.extend(given.iter().map(oxrdf::QuadRef::into_owned)).map_err(|error| error.to_string())?;
    let is_as_given = given.iter().all(|quad| store.contains(quad).is_ok_and(|is_there| is_there))
        && store.iter().all(|quad| quad.is_ok_and(|quad| given.contains(&quad)));
    if request == Request::Update {
        let update = SparqlEvaluator::new().parse_update(text).map_err(|error| error.to_string())?;
        if !is_as_given {
            return Err("the store writes literals in its own way".to_owned());
        }
        update.on_store(&store).execute().map_err(|error| error.to_string())?;
        return Ok(Answer::Quads(store.iter().map(|quad| from_oxrdf(&quad.expect("a quad"))).collect()));
    }
    if is_as_given {
        let query = SparqlEvaluator::new().parse_query(text).map_err(|error| error.to_string())?;
        return Answer::of_results(query.on_store(&store).execute().map_err(|error| error.to_string())?);
    }
    let query = spargebra::SparqlParser::new().parse_query(text).map_err(|error| error.to_string())?;
    let evaluator = spareval::QueryEvaluator::new();
    Answer::of_results(evaluator.prepare(&query).execute(&given).map_err(|error| error.to_string())?)
}

impl Answer {
    /// Of the evaluator that oxigraph has, too.
    pub(crate) fn of_results(results: QueryResults<'_>) -> Result<Self, String> {
        Ok(match results {
            QueryResults::Boolean(answer) => Self::Boolean(answer),
            QueryResults::Graph(triples) => {
                let triples = triples.map(|triple| triple.map_err(|error| error.to_string()));
                let quads =
                    triples.map(|triple| Ok(from_oxrdf(&triple?.in_graph(oxrdf::GraphName::DefaultGraph))));
                Self::Quads(quads.collect::<Result<_, String>>()?)
            }
            QueryResults::Solutions(solutions) => {
                let variables = solutions.variables().iter().map(|name| name.as_str().to_owned()).collect();
                let rows = solutions
                    .map(|row| row.map(|row| row.values().to_vec()).map_err(|error| error.to_string()));
                Self::Rows { variables, rows: rows.collect::<Result<_, String>>()? }
            }
        })
    }
}

/// The answer that a process has written.
fn of_json(reply: &Value) -> Answer {
    if let Some(reason) = reply.get("error") {
        return Answer::None(reason.as_str().unwrap_or_default().to_owned());
    }
    if let Some(answer) = reply.get("boolean").and_then(Value::as_bool) {
        return Answer::Boolean(answer);
    }
    let lists = |key: &str| reply.get(key).and_then(Value::as_array).map(|lists| lists.iter().map(terms));
    if let Some(quads) = lists("triples").or(lists("quads")) {
        return Answer::Quads(quads.map(quad).collect());
    }
    let names = reply["variables"].as_array().expect("rows have variables").iter();
    Answer::Rows {
        variables: names.map(|name| name.as_str().expect("a name").to_owned()).collect(),
        rows: lists("rows").expect("an answer is one of five").collect(),
    }
}

fn terms(list: &Value) -> Vec<Option<Term>> {
    list.as_array().expect("a list of terms").iter().map(term).collect()
}

fn term(term: &Value) -> Option<Term> {
    let part = |number: usize| term[number].as_str().unwrap_or_default();
    Some(match (part(0), part(3)) {
        ("iri", _) => NamedNode::new_unchecked(part(1)).into(),
        ("blank", _) => BlankNode::new_unchecked(part(1)).into(),
        ("literal", "") => Literal::new_typed_literal(part(1), NamedNode::new_unchecked(part(2))).into(),
        ("literal", tag) => {
            Literal::new_language_tagged_literal_unchecked(part(1), tag.to_ascii_lowercase()).into()
        }
        _ => return None,
    })
}

fn quad(terms: Vec<Option<Term>>) -> Quad {
    let mut terms = terms.into_iter().map(|term| match term {
        Some(Term::BlankNode(node)) => ComparedTerm::Blank(node.as_str().to_owned()),
        Some(term) => ComparedTerm::Ground(term.to_string()),
        None => ComparedTerm::Ground(String::new()),
    });
    std::array::from_fn(|_| terms.next().unwrap_or(ComparedTerm::Ground(String::new())))
}
