//! The SPARQL update that adds one question to a dataset, in the form that the program of its files writes.

use oxrdf::Term;

use super::new_checkpoint_item::checkpoint_item;
use super::new_question::GraphInScope;
use super::question_named::questions_named;
use super::question_update_writer::{checkpoint_dialect, operation};
use super::recount::with_one_more;
use super::scope::QuestionScope;
use super::statement_writer::statements;
use evalgraph_diagnostics::RunFailure;
use evalgraph_diagnostics::help::{command, help, setting};
use evalgraph_formats::new_question::{AddedQuestion, NewQuestion};
use evalgraph_formats::registry::add_question;
use evalgraph_rdf::vocabulary::SCHEMA_ORG;

/// How many graphs are reported.
const TOLD: usize = 10;

/// The addition of a question.
pub struct QuestionAddition {
    /// The update that adds it.
    pub update: String,
    /// The update of the dataset's statistics. Empty if there are none.
    pub statistics: String,
}

/// Returns the update that adds a question.
///
/// # Errors
///
/// Codes with the command's prefix: `which-graph` if several graphs are possible, `exists` if the dataset already has
/// the question, `no-place` if its files cannot take a question with only a text and an answer.
pub fn addition(
    scope: QuestionScope<'_>,
    question: &NewQuestion<'_>,
) -> Result<QuestionAddition, RunFailure> {
    let graph = graph_of(scope)?;
    if question.text.is_empty() {
        return Err(scope.fault("no-text", "a question needs a text").into());
    }
    let known = questions_named(QuestionScope { graph: Some(graph), ..scope }, question.text)?;
    if let Some(known) = known.first() {
        let message = format!("the dataset has this question already: {} in `{graph}`", known.shown);
        let help = help![
            command("set"),
            " gives it another answer, `add` without ",
            setting("answer"),
            " more keywords"
        ];
        return Err(scope.fault("exists", message).with_help(help).into());
    }
    let kind = scope.kind(graph);
    let (root, property, pattern) = list_of(scope, graph)?;
    let added = match checkpoint_dialect(kind) {
        Some(dialect) => Some(AddedQuestion::Node(checkpoint_item(scope, graph, dialect, question)?)),
        None => add_question(kind, question, &GraphInScope { scope, graph })?,
    };
    let node = match added {
        Some(AddedQuestion::Node(node)) => node,
        Some(AddedQuestion::Statements { iri, about, counted_by }) => {
            let insert = format!("{root} s:{property} <{iri}> .\n  {about}");
            let update = operation(graph, ["", &insert], &[&pattern]);
            return Ok(QuestionAddition { update, statistics: with_one_more(scope, graph, &counted_by)? });
        }
        None => {
            let of = if kind.is_empty() { "a graph without a file" } else { kind };
            let message = format!("{of} cannot take a question with only a text and an answer");
            let help = "write it into its file with everything that belongs to it, and load the file again";
            return Err(scope.fault("no-place", message).with_help(help).into());
        }
    };
    let update = operation(graph, ["", &statements(&root, property, &node)], &[&pattern]);
    Ok(QuestionAddition { update, statistics: String::new() })
}

/// Returns the graph that the user named, or the only graph.
///
/// # Errors
///
/// `which-graph`, with the command's prefix, if several graphs are possible.
pub fn graph_of<'s>(scope: QuestionScope<'s>) -> Result<&'s str, RunFailure> {
    match (scope.graph, scope.documents) {
        (Some(graph), _) => Ok(graph),
        (None, [(only, _)]) => Ok(only),
        (None, documents) => {
            let message = format!("the store has {} datasets that could take the question", documents.len());
            let mut fault = scope.fault("which-graph", message);
            for (graph, _) in documents.iter().take(TOLD) {
                fault = fault.with_help(format!("`{graph}`"));
            }
            let help = help!["name one with ", setting("graph"), ": its IRI, its dataset, or its file"];
            Err(fault.with_help(help).into())
        }
    }
}

/// Returns the node that lists the questions of a graph, the property that lists them, and, for a blank node, the
/// pattern that binds it.
fn list_of(scope: QuestionScope<'_>, graph: &str) -> Result<(String, &'static str, String), RunFailure> {
    let nothing_above = "FILTER NOT EXISTS { ?other ?property ?list }";
    let pattern = format!("?list a ?class . VALUES ?class {{ s:DataFeed s:Dataset }} {nothing_above}");
    let lists = scope.rows(graph, &pattern, &["list", "class"])?;
    let [list] = lists.as_slice() else {
        let message = format!("`{graph}` has {} lists of questions instead of one", lists.len());
        let help = help!["use ", command("update"), " to add the question where it belongs"];
        return Err(scope.fault("no-place", message).with_help(help).into());
    };
    let is_dataset = matches!(
        &list[1],
        Some(Term::NamedNode(class)) if class.as_str().strip_prefix(SCHEMA_ORG) == Some("Dataset")
    );
    let (class, property) =
        if is_dataset { ("s:Dataset", "hasPart") } else { ("s:DataFeed", "dataFeedElement") };
    Ok(match &list[0] {
        Some(Term::NamedNode(name)) => (name.to_string(), property, String::new()),
        _ => ("?list".to_owned(), property, format!("?list a {class} .\n  {nothing_above}")),
    })
}
