//! The SPARQL update that removes one question with everything that belongs to it: the nodes that can be reached from
//! the question and that nothing else refers to.

use std::collections::{BTreeSet, HashMap, HashSet};

use oxrdf::vocab::{rdf, xsd};
use oxrdf::{NamedNode, Term};

use super::question_named::QuestionNamed;
use super::question_update_writer::operation;
use super::scope::QuestionScope;
use evalgraph_diagnostics::RunFailure;
use evalgraph_diagnostics::help::{command, help};
use evalgraph_rdf::vocabulary::{EVALGRAPH, SCHEMA_ORG};

/// How many of the nodes that prevent the removal are reported.
const TOLD: usize = 3;

/// The properties by which a dataset lists its questions.
const LISTS: [&str; 2] = ["s:dataFeedElement", "s:hasPart"];

/// Subject, predicate and object.
type QuestionStatement = (Term, NamedNode, Term);

/// The removal of a question from its graph.
pub struct QuestionRemoval<'r> {
    scope: QuestionScope<'r>,
    named: &'r QuestionNamed,
    /// The statements about the item and about all nodes that can be reached from it.
    said: Vec<QuestionStatement>,
    /// The nodes to remove.
    owned: HashSet<Term>,
    /// The node that lists the item, and the property that lists it.
    list: Option<(Term, NamedNode)>,
}

impl<'r> QuestionRemoval<'r> {
    /// Finds the nodes that belong to a question.
    ///
    /// # Errors
    ///
    /// `in-use`, with the command's prefix, if something other than one list refers to the question.
    pub fn new(scope: QuestionScope<'r>, named: &'r QuestionNamed) -> Result<Self, RunFailure> {
        let (start, binding) = named.outermost();
        // `(!a)*` follows all properties except `rdf:type`, because a class belongs to no question.
        let reached = format!("{binding} {start} (!a)*");
        let said = statements(scope, named, &format!("{reached} ?s . ?s ?p ?o ."))?;
        let of_nodes = "?s ?p ?o . FILTER(!ISLITERAL(?o) && ?p != rdf:type)";
        let mentions = statements(scope, named, &format!("{reached} ?o . {of_nodes}"))?;
        let [question, item] = &named.terms;
        let owned = owned(item, &said, &mentions);
        let from_outside = |node: &Term| -> Vec<&QuestionStatement> {
            let is_meant =
                |(subject, _, object): &&QuestionStatement| object == node && !owned.contains(subject);
            mentions.iter().filter(is_meant).collect()
        };
        let of_question = if question == item { Vec::new() } else { from_outside(question) };
        let lists = from_outside(item);
        if lists.len() > 1 || !of_question.is_empty() {
            return Err(in_use(scope, named, lists.into_iter().chain(of_question)));
        }
        let list = lists.first().map(|(subject, predicate, _)| (subject.clone(), predicate.clone()));
        Ok(Self { scope, named, said, owned, list })
    }

    /// Returns the update.
    ///
    /// # Errors
    ///
    /// `shared`, with the command's prefix, if a blank node has to stay, because an update cannot distinguish it from
    /// removed nodes.
    pub fn text(&self) -> Result<String, RunFailure> {
        let (start, binding) = self.named.outermost();
        let mut delete = String::new();
        let mut pattern = vec![binding];
        if let Some((list, predicate)) = &self.list {
            let is_blank = matches!(list, Term::BlankNode(_));
            let list = if is_blank { "?list".to_owned() } else { list.to_string() };
            let listed = format!("{list} {} {start}", shortened(predicate));
            delete = format!("{listed} . ");
            if is_blank {
                pattern.push(format!("{listed} ."));
            }
        }
        delete.push_str("?node ?property ?value");
        let steps = self.steps();
        if steps.is_empty() {
            pattern.push(format!("BIND({start} AS ?node)"));
        } else {
            let path: Vec<String> = steps.iter().map(|step| shortened(step)).collect();
            pattern.push(format!("{start} ({})* ?node .", path.join("|")));
        }
        pattern.push("?node ?property ?value .".to_owned());
        let staying = self.staying(&steps)?;
        if !staying.is_empty() {
            pattern.push(format!("FILTER(?node NOT IN ({}))", staying.join(", ")));
        }
        let pattern: Vec<&str> = pattern.iter().map(String::as_str).collect();
        let mut text = operation(&self.named.graph, [&delete, ""], &pattern);
        if let Some(position) = self.position() {
            text.push_str(" ;\n");
            text.push_str(&closing_up(&self.named.graph, &position));
        }
        Ok(text)
    }

    /// Returns the properties that lead from one removed node to the next.
    fn steps(&self) -> BTreeSet<&NamedNode> {
        let inner = self.said.iter().filter(|(subject, predicate, object)| {
            predicate.as_ref() != rdf::TYPE && self.owned.contains(subject) && self.owned.contains(object)
        });
        inner.map(|(_, predicate, _)| predicate).collect()
    }

    /// Returns the nodes that these properties lead to but that have to stay.
    fn staying(&self, steps: &BTreeSet<&NamedNode>) -> Result<Vec<String>, RunFailure> {
        let by_subject = by_subject(&self.said);
        let mut reached = HashSet::from([&self.named.terms[1]]);
        let mut left = vec![&self.named.terms[1]];
        while let Some(node) = left.pop() {
            let said = by_subject.get(node).into_iter().flatten();
            let next = said.filter(|(_, predicate, _)| steps.contains(predicate));
            left.extend(next.map(|(_, _, object)| object).filter(|object| reached.insert(object)));
        }
        let staying =
            reached.into_iter().filter(|node| !self.owned.contains(node) && by_subject.contains_key(node));
        let mut names = BTreeSet::new();
        for node in staying {
            let Term::NamedNode(name) = node else {
                let message = format!("a part of {} belongs to something else, too", self.named.shown);
                let help = help!["use ", command("update"), " to remove the right statements"];
                return Err(self.scope.fault("shared", message).with_help(help).into());
            };
            names.insert(name.to_string());
        }
        Ok(names.into_iter().collect())
    }

    /// Returns the position of the question in its file, if the graph has it.
    fn position(&self) -> Option<String> {
        let question = &self.named.terms[0];
        let found = self.said.iter().find(|(subject, predicate, _)| {
            subject == question && predicate.as_str().strip_prefix(SCHEMA_ORG) == Some("position")
        });
        match found {
            Some((_, _, Term::Literal(position))) if position.datatype() == xsd::INTEGER => {
                Some(position.value().to_owned())
            }
            _ => None,
        }
    }
}

/// Returns the nodes that are referred to only from nodes reached from the first, and the first itself. A dataset never
/// belongs to a question, even if a question refers to it.
fn owned(first: &Term, said: &[QuestionStatement], mentions: &[QuestionStatement]) -> HashSet<Term> {
    let is_dataset = |class: &Term| {
        let Term::NamedNode(class) = class else { return false };
        matches!(class.as_str().strip_prefix(SCHEMA_ORG), Some("DataFeed" | "Dataset"))
    };
    let datasets: HashSet<&Term> = said
        .iter()
        .filter(|(_, predicate, class)| predicate.as_ref() == rdf::TYPE && is_dataset(class))
        .map(|(subject, ..)| subject)
        .collect();
    let nodes = said.iter().map(|(subject, ..)| subject).filter(|node| !datasets.contains(node));
    let mut owned: HashSet<Term> = nodes.chain([first]).cloned().collect();
    let by_subject = by_subject(said);
    let from_outside = mentions.iter().filter(|(subject, ..)| !owned.contains(subject));
    let mut left: Vec<&Term> = from_outside.map(|(_, _, object)| object).collect();
    while let Some(node) = left.pop() {
        if node != first && owned.remove(node) {
            // The node stays, and so do the nodes that it refers to.
            left.extend(by_subject.get(node).into_iter().flatten().map(|(_, _, object)| object));
        }
    }
    owned
}

fn by_subject(said: &[QuestionStatement]) -> HashMap<&Term, Vec<&QuestionStatement>> {
    let mut by_subject: HashMap<&Term, Vec<&QuestionStatement>> = HashMap::new();
    for statement in said {
        by_subject.entry(&statement.0).or_default().push(statement);
    }
    by_subject
}

/// Returns the update that moves up the questions after a removed one.
fn closing_up(graph: &str, position: &str) -> String {
    let [delete, insert] = ["?later s:position ?position", "?later s:position ?before"];
    let filter = format!("FILTER(?position > {position})");
    let pattern = ["?later a s:Question ; s:position ?position .", &filter, "BIND(?position - 1 AS ?before)"];
    operation(graph, [delete, insert], &pattern)
}

/// Returns a property as it is written in an update, with a prefix if it has one.
fn shortened(property: &NamedNode) -> String {
    let is_plain = |name: &&str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic());
    let prefixes = [("s", SCHEMA_ORG), ("eg", EVALGRAPH)];
    let short = prefixes.into_iter().find_map(|(prefix, namespace)| {
        let name = property.as_str().strip_prefix(namespace).filter(is_plain)?;
        Some(format!("{prefix}:{name}"))
    });
    short.unwrap_or_else(|| property.to_string())
}

/// Returns the statements that a pattern of `?s ?p ?o` finds in the graph of a question.
fn statements(
    scope: QuestionScope<'_>,
    named: &QuestionNamed,
    pattern: &str,
) -> Result<Vec<QuestionStatement>, RunFailure> {
    let rows = scope.rows(&named.graph, pattern, &["s", "p", "o"])?;
    let statement = |row: Vec<Option<Term>>| match <[Option<Term>; 3]>::try_from(row) {
        Ok([Some(subject), Some(Term::NamedNode(predicate)), Some(object)]) => {
            Some((subject, predicate, object))
        }
        _ => None,
    };
    Ok(rows.into_iter().filter_map(statement).collect())
}

fn in_use<'s>(
    scope: QuestionScope<'_>,
    named: &QuestionNamed,
    mentions: impl Iterator<Item = &'s QuestionStatement>,
) -> RunFailure {
    let is_list = |predicate: &NamedNode| LISTS.iter().any(|list| shortened(predicate) == *list);
    let mentions: BTreeSet<String> = mentions
        .filter(|(_, predicate, _)| !is_list(predicate))
        .map(|(subject, predicate, _)| format!("{subject} {}", shortened(predicate)))
        .collect();
    let message = match mentions.len() {
        0 => format!("several lists have {}", named.shown),
        1 => format!("something else refers to {}", named.shown),
        several => format!("{several} others refer to {}", named.shown),
    };
    let mut fault = scope.fault("in-use", message);
    for mention in mentions.iter().take(TOLD) {
        fault = fault.with_help(format!("{mention} …"));
    }
    fault.with_help(help!["change these with ", command("update"), " first"]).into()
}
