//! Finds the question with a name: its IRI or its item's IRI, its id in its file, or its text.

use std::collections::BTreeMap;

use oxrdf::{Literal, NamedNode, Term};

use super::scope::QuestionScope;
use evalgraph_diagnostics::RunFailure;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_rdf::iri::is_iri;
use evalgraph_rdf::minted::CATALOG_GRAPH;

/// How many candidates are reported.
const TOLD: usize = 10;
/// How many texts are compared with a name that no question has. More would take longer than a second.
const MOST_TEXTS: usize = 20_000;

/// A question, and how an update finds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionNamed {
    /// The graph of the question.
    pub graph: String,
    /// The question in an update: its IRI, or a variable.
    pub question: String,
    /// The item of the question in an update, if there is one: its IRI, or a variable.
    pub item: Option<String>,
    /// The terms in the dataset: the question and its item, or, without an item, the question twice.
    pub terms: [Term; 2],
    /// The property with the text of the question.
    pub text_property: &'static str,
    /// The pattern that binds the variable of the question. Empty for a question with an IRI.
    pub binding: String,
    /// The question in messages.
    pub shown: String,
}

/// Finds the one question with a name, in one graph if the scope names it.
///
/// # Errors
///
/// `unknown-question` and `which-question`, with the command's prefix.
pub fn question_named(scope: QuestionScope<'_>, name: &str) -> Result<QuestionNamed, RunFailure> {
    let mut found = questions_named(scope, name)?;
    if let Some(node) = scope.node {
        found.retain(|candidate| candidate.terms[0] == *node);
        check_is_alone(scope, &found)?;
    }
    match found.as_slice() {
        [_] => Ok(found.remove(0)),
        [] => {
            let message = format!("there is no question `{name}`");
            let help = match near_text(scope, name)? {
                Some(text) => format!("did you mean `{text}`?"),
                None => "a question is named by its IRI, the id that its file gives it, or its exact text"
                    .to_owned(),
            };
            Err(scope.fault("unknown-question", message).with_help(help).into())
        }
        several => {
            let message = format!("`{name}` matches {} questions", several.len());
            let mut fault = scope.fault("which-question", message);
            for candidate in several.iter().take(TOLD) {
                fault = fault.with_help(format!("{} in `{}`", candidate.shown, candidate.graph));
            }
            Err(fault.with_help(help!["name it by its IRI, or its graph with ", setting("graph")]).into())
        }
    }
}

/// Returns the text of a question that is almost the given one.
fn near_text(scope: QuestionScope<'_>, name: &str) -> Result<Option<String>, RunFailure> {
    let solutions = scope.solutions("SELECT ?g ?t { GRAPH ?g { ?q a s:Question ; s:text|s:name ?t } }")?;
    let texts = solutions.iter().filter_map(|solution| match (solution.get("g"), solution.get("t")) {
        (Some(Term::NamedNode(graph)), Some(Term::Literal(text))) => {
            let is_wanted = scope.graph.is_none_or(|wanted| graph.as_str() == wanted);
            is_wanted.then(|| text.value())
        }
        _ => None,
    });
    Ok(nearest(name, texts.take(MOST_TEXTS)).map(str::to_owned))
}

/// Refuses a question that an update cannot distinguish from another one: blank nodes with the same statements.
pub fn check_is_alone(scope: QuestionScope<'_>, found: &[QuestionNamed]) -> Result<(), RunFailure> {
    let bound = found.iter().filter(|candidate| !candidate.binding.is_empty());
    for QuestionNamed { graph, binding, shown, .. } in bound {
        if scope.rows(graph, binding, &["question"])?.len() != 1 {
            let message = format!("no update can distinguish {shown} from another one with the same content");
            let help = "give it an id in its file, and load the file again";
            return Err(scope.fault("which-question", message).with_help(help).into());
        }
    }
    Ok(())
}

/// Returns all questions with a name, in one graph if the scope names it.
///
/// # Errors
///
/// If the store is damaged.
pub fn questions_named(scope: QuestionScope<'_>, name: &str) -> Result<Vec<QuestionNamed>, RunFailure> {
    let text = Literal::new_simple_literal(name);
    let mut ways = vec![
        format!("{{ GRAPH ?g {{ ?q s:text|s:name {text} ; a s:Question }} }}"),
        format!("{{ GRAPH <{CATALOG_GRAPH}> {{ ?q eg:localId {text} }} GRAPH ?g {{ ?q a ?class }} }}"),
    ];
    if is_iri(name) {
        ways.push(format!("{{ GRAPH ?g {{ <{name}> s:item ?q }} }}"));
        ways.push(format!("{{ GRAPH ?g {{ ?q a s:Question FILTER(?q = <{name}>) }} }}"));
    }
    found_questions(scope, &ways)
}

/// Returns all questions, in one graph if the scope names it.
///
/// # Errors
///
/// If the store is damaged.
pub fn all_questions(scope: QuestionScope<'_>) -> Result<Vec<QuestionNamed>, RunFailure> {
    found_questions(scope, &["{ GRAPH ?g { ?q a s:Question } }".to_owned()])
}

/// Returns the questions that one of several patterns finds.
fn found_questions(scope: QuestionScope<'_>, ways: &[String]) -> Result<Vec<QuestionNamed>, RunFailure> {
    let query = format!(
        "SELECT DISTINCT ?g ?q ?i ?t ?n ?d {{ {} OPTIONAL {{ GRAPH ?g {{ ?i s:item ?q }} }} \
         OPTIONAL {{ GRAPH ?g {{ ?q s:text ?t }} }} OPTIONAL {{ GRAPH ?g {{ ?q s:name ?n }} }} \
         OPTIONAL {{ GRAPH ?g {{ ?q s:identifier ?d }} }} }}",
        ways.join(" UNION ")
    );
    // A question with two texts has two solutions, but is one question.
    let mut found: BTreeMap<(String, String), QuestionNamed> = BTreeMap::new();
    for solution in scope.solutions(&query)? {
        let (Some(Term::NamedNode(graph)), Some(question)) = (solution.get("g"), solution.get("q")) else {
            continue;
        };
        if scope.graph.is_some_and(|wanted| graph.as_str() != wanted) {
            continue;
        }
        let key = (graph.as_str().to_owned(), question.to_string());
        let (text_property, text) = match (solution.get("t"), solution.get("n")) {
            (None, Some(name)) => ("s:name", name.to_string()),
            (text, _) => ("s:text", text.map(Term::to_string).unwrap_or_default()),
        };
        let (item, identifier) = (solution.get("i"), solution.get("d"));
        let named = QuestionNamed::new(graph, question, item, identifier, text_property, text);
        found.entry(key).or_insert(named);
    }
    Ok(found.into_values().collect())
}

impl QuestionNamed {
    fn new(
        graph: &NamedNode,
        question: &Term,
        item: Option<&Term>,
        identifier: Option<&Term>,
        text_property: &'static str,
        text: String,
    ) -> Self {
        let graph = graph.as_str().to_owned();
        let terms = [question.clone(), item.unwrap_or(question).clone()];
        let variable = "?question".to_owned();
        let (question, binding) = match (question, item) {
            (Term::NamedNode(question), _) => (question.to_string(), String::new()),
            (_, Some(Term::NamedNode(item))) => (variable, format!("{item} s:item ?question .")),
            _ => {
                let of = |property: &str, value: String| format!(" ; {property} {value}");
                let identifier = identifier.map(|identifier| of("s:identifier", identifier.to_string()));
                let text = (!text.is_empty()).then(|| of(text_property, text.clone()));
                let said: String = [identifier, text].into_iter().flatten().collect();
                (variable, format!("?question a s:Question{said} ."))
            }
        };
        let item = item.map(|item| match item {
            Term::NamedNode(item) => item.to_string(),
            _ => "?item".to_owned(),
        });
        let name = item.as_ref().filter(|item| item.starts_with('<')).unwrap_or(&question);
        let shown = if name.starts_with('<') { format!("{name} {text}") } else { text };
        Self { graph, question, item, terms, text_property, binding, shown }
    }

    /// Returns the item in an update, or the question if there is no item, and the pattern that binds its variables.
    pub fn outermost(&self) -> (&str, String) {
        match &self.item {
            Some(item) if item.starts_with('?') => {
                (item, format!("{}\n  {item} s:item {} .", self.binding, self.question))
            }
            Some(item) => (item, String::new()),
            None => (&self.question, self.binding.clone()),
        }
    }
}
