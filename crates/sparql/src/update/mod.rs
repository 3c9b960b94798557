//! An update from its text to a changed dataset: parsing with the built-in prefixes, parameters, and one
//! operation after the other on a [`DatasetRevision`].

pub(super) mod operations;
pub(super) mod update_algebra;

use std::collections::HashMap;
use std::sync::Arc;

use oxrdf::NamedNode;
use spargebra::GraphUpdateOperation;
use spargebra::algebra::QueryDataset;

use crate::algebra::substitution::TermSubstitutions;
use crate::environment::EvaluationEnvironment;
use crate::evaluate::EvaluationError;
use crate::query::{
    Prologue, declared_prefixes, not_substitutable, parse_text, substitute_once, unknown_parameter,
    variables_of, with_base,
};
use crate::query_parameters::QueryParameter;
use crate::text::grammar_update::first_fault_of_update;
use crate::text::prefixes::{QueryPrefixes, move_to_store_namespace};
use crate::text::size::check_joins;
use crate::text::tokens::{SparqlTokenKind, tokenize};
use crate::update::operations::UpdateEvaluator;
pub use crate::update::operations::{UpdateLoader, UpdateOptions};
use crate::update::update_algebra::{for_each_iri_of_update, substitute_in_update};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_rdf::vocabulary::evaluator;
use evalgraph_store::{DatasetRevision, StoreDamage};

/// A parsed update with its text. Other methods are in `remote/server_request.rs`.
#[derive(Debug, Clone)]
pub struct Update {
    text: Arc<str>,
    algebra: spargebra::Update,
    around: QueryPrefixes,
    moves_iris: bool,
    mapped_iris: usize,
    has_parameters: bool,
    environment: EvaluationEnvironment,
}

impl Update {
    /// Parses an update. `name` is the source of the text, as messages show it.
    ///
    /// The [built-in prefixes](super::BUILT_IN_PREFIXES) need no declaration. IRIs of schema.org
    /// are moved into the namespace of the store; see [`Update::mapped_iris`].
    ///
    /// # Errors
    ///
    /// If the text is not a SPARQL 1.1 update: one finding at the first token that is not allowed in its place.
    pub fn parse(text: &str, name: &str) -> Result<Self, Box<Diagnostic>> {
        Self::parse_in(text, name, &Prologue::default())
    }

    /// Like [`Update::parse`], but for a dataset that keeps IRIs as they were written.
    ///
    /// # Errors
    ///
    /// The errors of [`Update::parse`].
    pub fn parse_plain(text: &str, name: &str) -> Result<Self, Box<Diagnostic>> {
        Self::parse_in(text, name, &Prologue { keeps_iris: true, ..Prologue::default() })
    }

    /// Like [`Update::parse`], but for an update with an implicit base or further implicit prefixes.
    ///
    /// # Errors
    ///
    /// The errors of [`Update::parse`].
    pub fn parse_in(text: &str, name: &str, prologue: &Prologue<'_>) -> Result<Self, Box<Diagnostic>> {
        let Prologue { base, ref prefixes, keeps_iris } = *prologue;
        let parse = |text: &str| {
            let parse = |parser, text: &str| with_base(parser, base).parse_update(text);
            parse_text(text, name, prefixes, parse, first_fault_of_update)
        };
        let mut moved = None;
        let mut algebra = match parse(text) {
            Ok(algebra) => algebra,
            Err(fault) => {
                let text = moved.insert(with_prefixes_in_front(text, prefixes).ok_or(fault.clone())?);
                // The places of the first fault are those of the text that the user wrote.
                parse(text).map_err(|_| fault)?
            }
        };
        if let Some(text) = with_sources_asked_for(moved.as_deref().unwrap_or(text)) {
            algebra = parse(&text)?;
        }
        for operation in &algebra.operations {
            if let GraphUpdateOperation::DeleteInsert { pattern, .. } = operation {
                check_joins(text, name, pattern)?;
            }
        }
        let environment = EvaluationEnvironment::default();
        let (mapped_iris, has_parameters) = (0, false);
        let (text, around, moves_iris) = (text.into(), prefixes.clone(), !keeps_iris);
        let mut update = Self { text, algebra, around, moves_iris, mapped_iris, has_parameters, environment };
        update.move_iris();
        Ok(update)
    }

    fn move_iris(&mut self) {
        if self.moves_iris {
            let moved = &mut self.mapped_iris;
            for_each_iri_of_update(&mut self.algebra, &mut |node| {
                *moved += usize::from(move_to_store_namespace(node));
            });
        }
    }

    /// Sets the dataset that patterns see: the default graph is the union of the `default` graphs, and `named` are the
    /// named graphs (SPARQL 1.1 Protocol, 2.2.3).
    ///
    /// # Errors
    ///
    /// `sparql::using` if an operation names its graphs itself with USING or WITH.
    pub fn using(mut self, default: Vec<NamedNode>, named: Vec<NamedNode>) -> Result<Self, Box<Diagnostic>> {
        let graphs = QueryDataset { default, named: Some(named) };
        for operation in &mut self.algebra.operations {
            if let GraphUpdateOperation::DeleteInsert { using, .. } = operation {
                if using.is_some() {
                    let message = "the request names graphs, and so does an operation, by USING or WITH";
                    return Err(Box::new(Diagnostic::error("sparql::using", message)));
                }
                *using = Some(graphs.clone());
            }
        }
        self.move_iris();
        Ok(self)
    }

    /// Sets the environment of the update, such as its services and its cancellation.
    pub fn with_environment(mut self, environment: EvaluationEnvironment) -> Self {
        self.environment = environment;
        self
    }

    /// Takes the remarks on the evaluation since the last call.
    pub fn remarks(&self) -> Vec<Diagnostic> {
        self.environment.remarks.take()
    }

    /// Replaces variables with values, in patterns and templates.
    ///
    /// # Errors
    ///
    /// A name that the update does not have, or a value that cannot be read or cannot replace the variable.
    pub fn with_parameters(mut self, given: &[QueryParameter]) -> Result<Self, Box<Diagnostic>> {
        let known = variables_of(&self.text);
        let prefixes = self.prefixes();
        let mut terms = TermSubstitutions::new();
        for parameter in given {
            if !known.contains(&parameter.name) {
                return Err(Box::new(unknown_parameter("update", &parameter.name, &known, &[])));
            }
            let term = parameter.term(None, &prefixes)?;
            substitute_once(parameter, term, &mut terms)?;
        }
        self.has_parameters |= !terms.is_empty();
        substitute_in_update(&mut self.algebra, &terms)
            .map_err(|error| Box::new(not_substitutable("update", &error)))?;
        self.move_iris();
        Ok(self)
    }

    /// The prefixes that the update declares, and the built-in ones.
    pub fn prefixes(&self) -> QueryPrefixes {
        declared_prefixes(&self.text, &tokenize(&self.text), &self.around)
    }

    /// The original text, if no parameter was put into it and no IRI was moved to another namespace.
    pub(crate) fn unchanged_text(&self) -> Option<&str> {
        (!self.has_parameters && self.mapped_iris == 0).then_some(&*self.text)
    }

    /// Returns how many IRIs were written in a form of the schema.org namespace other than the store's.
    pub fn mapped_iris(&self) -> usize {
        self.mapped_iris
    }

    /// Returns whether the update mentions an IRI, also as the name of a graph.
    pub fn mentions(&self, iri: &str) -> bool {
        self.algebra.to_string().contains(&format!("<{iri}>"))
    }

    /// The operations as they were written, with parameters. COPY, MOVE and ADD are the operations by which
    /// the recommendation defines them. Unless they are SILENT, a LOAD of `urn:evalgraph:fn:.source` into
    /// their source graph comes first, which checks that the graph exists.
    pub fn operations(&self) -> &[GraphUpdateOperation] {
        &self.algebra.operations
    }

    /// Performs all operations on a revision. If one fails, the caller must discard the revision. The underlying
    /// dataset is unchanged.
    ///
    /// # Errors
    ///
    /// The error of an operation: a graph that is missing or exists already, a graph that is not named although several
    /// could be meant, a protected graph, a document that cannot be read, or an error of the evaluation of a pattern;
    /// damage to the dataset's files, after which nothing is changed.
    pub fn apply(
        &self,
        revision: &mut DatasetRevision<'_>,
        options: UpdateOptions<'_>,
    ) -> Result<(), EvaluationError> {
        let base_iri = self.algebra.base_iri.clone();
        UpdateEvaluator::new(revision, options, &self.environment, base_iri).all(&self.algebra.operations)?;
        revision.damage().as_ref().map_or(Ok(()), StoreDamage::check)
    }
}

/// The text of an update with a check of the source graph before each COPY, MOVE and ADD that is not SILENT, or `None`
/// if the update has no such operation. The parser turns these operations into others that do not show their origin.
fn with_sources_asked_for(text: &str) -> Option<String> {
    let tokens = tokenize(text);
    let word = |at: usize| tokens.get(at).map_or("", |token| &text[token.span.clone()]);
    let is = |at: usize, words: &[&str]| words.iter().any(|keyword| word(at).eq_ignore_ascii_case(keyword));
    let (mut asking, mut done) = (String::new(), 0);
    for (at, token) in tokens.iter().enumerate() {
        if token.kind != SparqlTokenKind::Word || !is(at, &["COPY", "MOVE", "ADD"]) {
            continue;
        }
        let source = at + 1 + usize::from(is(at + 1, &["GRAPH"]));
        // SILENT wants no check, and the default graph always exists.
        if is(source, &["SILENT", "DEFAULT"]) {
            continue;
        }
        asking.push_str(&text[done..token.span.start]);
        asking.push_str(&format!("LOAD <{}> INTO GRAPH {} ; ", evaluator::SOURCE, word(source)));
        done = token.span.start;
    }
    if asking.is_empty() {
        return None;
    }
    asking.push_str(&text[done..]);
    Some(asking)
}

/// The text of an update with all prefixes moved in front of its first operation, because the parser does not read
/// prefixes after a `;` (production 29). `None` if the move would change the meaning.
fn with_prefixes_in_front(text: &str, around: &QueryPrefixes) -> Option<String> {
    let tokens = tokenize(text);
    let word = |at: usize| tokens.get(at).map_or("", |token| &text[token.span.clone()]);
    let is = |at: usize, keyword: &str| {
        tokens.get(at).is_some_and(|token| token.kind == SparqlTokenKind::Word)
            && word(at).eq_ignore_ascii_case(keyword)
    };
    let mut iris: HashMap<String, String> = HashMap::new();
    for (name, namespace) in around.iter() {
        iris.insert(format!("{name}:"), format!("<{namespace}>"));
    }
    let mut at = 0;
    while is(at, "PREFIX") || is(at, "BASE") {
        if is(at, "PREFIX") {
            iris.insert(word(at + 1).to_owned(), word(at + 2).to_owned());
        }
        at += if is(at, "PREFIX") { 3 } else { 2 };
    }
    let start = tokens.get(at)?.span.start;
    let (mut front, mut rest, mut done) = (text[..start].to_owned(), String::new(), start);
    for at in (at..tokens.len()).filter(|at| is(*at, "PREFIX") || is(*at, "BASE")) {
        let (name, iri, end) = (word(at + 1), word(at + 2), tokens.get(at + 2)?.span.end);
        let known = iris.insert(name.to_owned(), iri.to_owned());
        let is_new = known.is_none();
        // A prefix that means something else in a later operation cannot be declared once for all.
        if is(at, "BASE") || known.is_some_and(|known| known != iri) {
            return None;
        }
        if is_new {
            front.push_str(&format!("PREFIX {name} {iri} "));
        }
        rest.push_str(text.get(done..tokens[at].span.start)?);
        done = end;
    }
    rest.push_str(&text[done..]);
    Some(front + &rest)
}
