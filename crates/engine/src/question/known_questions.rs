//! All questions of a dataset with their values, found by a few queries, for changes of many questions at once.

use std::collections::HashMap;

use oxrdf::Term;

use super::question_named::{QuestionNamed, all_questions};
use super::scope::QuestionScope;
use evalgraph_diagnostics::RunFailure;
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_rdf::minted::CATALOG_GRAPH;

/// How many names are compared with a name that no question has. More would take longer than a second.
const MOST_NAMES: usize = 20_000;

/// A question and its values.
pub(super) struct KnownQuestion {
    pub(super) named: QuestionNamed,
    pub(super) texts: Vec<String>,
    pub(super) answers: Vec<String>,
    pub(super) keywords: Vec<String>,
    pub(super) finished: bool,
}

/// The questions of a dataset by their names.
pub(super) struct KnownQuestions {
    pub(super) questions: Vec<KnownQuestion>,
    names: HashMap<String, Vec<usize>>,
}

impl KnownQuestions {
    pub(super) fn new(scope: QuestionScope<'_>) -> Result<Self, RunFailure> {
        let questions = all_questions(scope)?.into_iter().map(|named| KnownQuestion {
            named,
            texts: Vec::new(),
            answers: Vec::new(),
            keywords: Vec::new(),
            finished: false,
        });
        let mut known = Self { questions: questions.collect(), names: HashMap::new() };
        let numbers: HashMap<(String, Term), usize> = known
            .questions
            .iter()
            .enumerate()
            .map(|(at, question)| ((question.named.graph.clone(), question.named.terms[0].clone()), at))
            .collect();
        let mut each = |pattern: &str, note: &mut dyn FnMut(&mut Self, usize, &str)| {
            let query = format!("SELECT DISTINCT ?g ?q ?v {{ {pattern} }} ORDER BY ?v");
            for solution in scope.solutions(&query)? {
                let (Some(Term::NamedNode(graph)), Some(node)) = (solution.get("g"), solution.get("q"))
                else {
                    continue;
                };
                let value = match solution.get("v") {
                    Some(Term::Literal(literal)) => literal.value(),
                    Some(Term::NamedNode(node)) => node.as_str(),
                    _ => continue,
                };
                if let Some(&at) = numbers.get(&(graph.as_str().to_owned(), node.clone())) {
                    note(&mut known, at, value);
                }
            }
            Ok::<(), RunFailure>(())
        };
        let of_question = |pattern: &str| format!("GRAPH ?g {{ ?q a s:Question ; {pattern} }}");
        each(&of_question("s:text|s:name ?v"), &mut |known, at, text| {
            known.questions[at].texts.push(text.to_owned());
            known.name(text, at);
        })?;
        each(&of_question("s:acceptedAnswer ?v FILTER(ISLITERAL(?v))"), &mut |known, at, answer| {
            known.questions[at].answers.push(answer.to_owned());
        })?;
        each(&of_question("s:acceptedAnswer/s:text ?v"), &mut |known, at, answer| {
            known.questions[at].answers.push(answer.to_owned());
        })?;
        each(&of_question("s:keywords ?v"), &mut |known, at, keyword| {
            known.keyword(keyword, at);
        })?;
        each("GRAPH ?g { ?i s:item ?q ; s:keywords ?v }", &mut |known, at, keyword| {
            known.keyword(keyword, at);
        })?;
        let finished = "s:additionalProperty ?p . ?p s:name \"finished\" ; s:value ?v";
        each(&of_question(finished), &mut |known, at, value| {
            let is_true = ["true", "1", "yes", "y", "t", "on"].contains(&value.to_lowercase().as_str());
            known.questions[at].finished |= is_true;
        })?;
        each("GRAPH ?g { ?v s:item ?q . ?q a s:Question }", &mut |known, at, item| {
            known.name(item, at);
        })?;
        let local = format!("GRAPH <{CATALOG_GRAPH}> {{ ?q eg:localId ?v }} GRAPH ?g {{ ?q a s:Question }}");
        each(&local, &mut |known, at, id| {
            known.name(id, at);
        })?;
        for at in 0..known.questions.len() {
            if let Term::NamedNode(question) = known.questions[at].named.terms[0].clone() {
                known.name(question.as_str(), at);
            }
        }
        Ok(known)
    }

    fn name(&mut self, name: &str, at: usize) {
        let named = self.names.entry(name.to_owned()).or_default();
        if !named.contains(&at) {
            named.push(at);
        }
    }

    fn keyword(&mut self, keyword: &str, at: usize) {
        let keywords = &mut self.questions[at].keywords;
        if !keywords.iter().any(|known| known == keyword) {
            keywords.push(keyword.to_owned());
        }
    }

    /// Returns the numbers of the questions with a name.
    pub(super) fn named(&self, name: &str) -> &[usize] {
        let found = self.names.get(name).or_else(|| self.names.get(name.trim()));
        found.map_or(&[], Vec::as_slice)
    }

    /// Returns the name that is almost the given one.
    pub(super) fn nearest(&self, name: &str) -> Option<&str> {
        let mut names: Vec<&str> = self.names.keys().map(String::as_str).take(MOST_NAMES).collect();
        names.sort_unstable();
        nearest(name, names)
    }
}
