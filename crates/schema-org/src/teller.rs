//! Passes findings on: each once, at the level of its rule, and counts them.

use std::collections::HashSet;

use oxrdf::{NamedNode, Term};

use super::check_options::CheckOptions;
use super::code::{CheckLevel, CheckRule};
use super::croissant::CroissantIri;
use super::losses::{DocumentLosses, NoTerm};
use super::namespace::SchemaIri;
use super::schema_org_finding::{CheckSummary, FaultyStatement, SchemaOrgFinding};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::shortened::cut;
use evalgraph_rdf::vocabulary::rdf;
use evalgraph_store::{TermDictionary, TermId};

/// How many characters of a text a finding quotes.
const LONGEST_TEXT: usize = 60;

/// The statement that a finding is about, or a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct StatementPart {
    pub(super) node: TermId,
    pub(super) predicate: Option<TermId>,
    pub(super) value: Option<TermId>,
}

/// A fault in words.
#[derive(Debug, Default)]
pub(super) struct FaultDescription {
    pub(super) term: Option<String>,
    pub(super) suggest: Option<String>,
    pub(super) message: String,
    /// The term of schema.org to read about.
    pub(super) about: Option<String>,
    /// The property, if it is not the predicate.
    pub(super) property: Option<&'static str>,
    /// The page to read in a specification other than schema.org.
    pub(super) page: Option<String>,
}

impl FaultDescription {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), ..Self::default() }
    }

    /// The fault of a term that should be replaced by another one.
    pub(super) fn of_term(term: &str, suggest: Option<&str>, message: String) -> Self {
        let about = suggest.map(str::to_owned);
        Self { term: Some(term.to_owned()), suggest: about.clone(), message, about, ..Self::default() }
    }

    pub(super) fn about(mut self, term: &str) -> Self {
        self.about = Some(term.to_owned());
        self
    }
}

/// A text, shortened for a message.
pub(super) fn shortened(text: &str) -> String {
    cut(text, LONGEST_TEXT).into_owned()
}

/// Names as alternatives.
pub(super) fn one_of(names: &[&str]) -> String {
    const MOST: usize = 4;
    let shown = names.iter().take(MOST).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if names.len() > MOST { format!("{shown} or others") } else { replace_last(&shown) }
}

fn replace_last(list: &str) -> String {
    match list.rsplit_once(", ") {
        Some((rest, last)) => format!("{rest} or {last}"),
        None => list.to_owned(),
    }
}

/// The node and the property of a finding in words.
#[derive(Debug)]
pub(super) struct FindingName {
    pub(super) node: String,
    pub(super) property: String,
}

/// The facts that distinguish findings about one node.
type FindingKey = (CheckRule, Option<TermId>, Option<String>);

pub(super) struct CheckTeller<'c> {
    options: &'c CheckOptions,
    dictionary: &'c TermDictionary,
    losses: Option<&'c DocumentLosses>,
    take: &'c mut dyn FnMut(SchemaOrgFinding),
    /// The findings that were reported for the last node.
    told: HashSet<FindingKey>,
    last: Option<TermId>,
    pub(super) summary: CheckSummary,
}

impl<'c> CheckTeller<'c> {
    pub(super) fn new(
        options: &'c CheckOptions,
        dictionary: &'c TermDictionary,
        losses: Option<&'c DocumentLosses>,
        take: &'c mut dyn FnMut(SchemaOrgFinding),
    ) -> Self {
        let summary = CheckSummary { conforms: true, ..CheckSummary::default() };
        Self { options, dictionary, losses, take, told: HashSet::new(), last: None, summary }
    }

    /// # Errors
    ///
    /// If the check is cancelled.
    pub(super) fn go_on(&self) -> Result<(), Box<Diagnostic>> {
        self.options.cancellation.check()
    }

    pub(super) fn is_wanted(&self, code: CheckRule) -> bool {
        self.options.level(code) != CheckLevel::Off
    }

    /// Reports a fault of a statement, unless the same fault was reported for its node.
    pub(super) fn tell(
        &mut self,
        code: CheckRule,
        at: StatementPart,
        fault: impl FnOnce() -> FaultDescription,
    ) {
        if !self.is_wanted(code) {
            return;
        }
        // Findings come node by node, so only those about the last node are remembered.
        if self.last.replace(at.node) != Some(at.node) {
            self.told.clear();
        }
        let fault = fault();
        if !self.told.insert((code, at.predicate, fault.term.clone())) {
            return;
        }
        let statement = self.statement(at);
        self.tell_statement(code, statement, fault);
    }

    /// Reports a fault of a statement that is missing from the graph.
    pub(super) fn tell_lost(&mut self, code: CheckRule, statement: FaultyStatement, fault: FaultDescription) {
        if self.is_wanted(code) {
            self.tell_statement(code, statement, fault);
        }
    }

    /// Reports a fault of the document as a whole, with the first statement that has it.
    pub(super) fn tell_of_document(
        &mut self,
        code: CheckRule,
        property: &str,
        at: Option<StatementPart>,
        fault: FaultDescription,
    ) {
        if self.is_wanted(code) {
            let statement = at.map(|at| self.statement(at));
            let name = FindingName { node: String::new(), property: property.to_owned() };
            self.hand_on(code, name, fault, statement);
        }
    }

    fn tell_statement(&mut self, code: CheckRule, statement: FaultyStatement, fault: FaultDescription) {
        let of_predicate =
            || statement.predicate.as_ref().map_or_else(String::new, |iri| property_name(iri.as_str()));
        let property = fault.property.map_or_else(of_predicate, str::to_owned);
        let node = match &statement.node {
            Term::NamedNode(node) => node.as_str().to_owned(),
            _ => "_:".to_owned(),
        };
        self.hand_on(code, FindingName { node, property }, fault, Some(statement));
    }

    fn statement(&self, at: StatementPart) -> FaultyStatement {
        FaultyStatement {
            node: self.term(at.node),
            predicate: at.predicate.map(|iri| NamedNode::new_unchecked(self.dictionary.lexical(iri))),
            value: at.value.map(|value| self.term(value)),
            cell: None,
        }
    }

    /// Returns whether a blank node replaces a node that was lost because of its IRI.
    pub(super) fn is_lost(&self, term: TermId) -> bool {
        self.lost(term).is_some()
    }

    fn lost(&self, term: TermId) -> Option<NoTerm<'c>> {
        self.losses.and_then(|losses| losses.iri(term))
    }

    fn term(&self, term: TermId) -> Term {
        match self.lost(term) {
            Some(no_term) => NamedNode::new_unchecked(no_term.text()).into(),
            None => self.dictionary.term(term),
        }
    }

    fn hand_on(
        &mut self,
        code: CheckRule,
        name: FindingName,
        fault: FaultDescription,
        statement: Option<FaultyStatement>,
    ) {
        let level = self.options.level(code);
        let count = match level {
            CheckLevel::Off => return,
            CheckLevel::Info => &mut self.summary.infos,
            CheckLevel::Warning => &mut self.summary.warnings,
            CheckLevel::Error => &mut self.summary.errors,
        };
        *count += 1;
        self.summary.conforms &= !self.options.stands_against(level);
        let FindingName { node, property } = name;
        let FaultDescription { term, suggest, message, about, page, .. } = fault;
        let page = page.or_else(|| about.map(|name| format!("https://schema.org/{name}")));
        (self.take)(SchemaOrgFinding {
            code,
            level,
            node,
            property,
            term,
            suggest,
            message,
            statement,
            page,
        });
    }
}

/// The name of a property in findings.
pub(super) fn property_name(iri: &str) -> String {
    let local =
        SchemaIri::from_iri(iri).map(|iri| iri.local).or(CroissantIri::from_iri(iri).map(|iri| iri.local));
    match local {
        _ if iri == rdf::TYPE => "@type".to_owned(),
        local => local.unwrap_or(iri).to_owned(),
    }
}
