//! The rules about statements of a document that are missing from its graph.

use std::collections::HashSet;

use oxrdf::NamedNode;

use super::code::CheckRule;
use super::document_observations::DocumentObservations;
use super::losses::{DocumentLosses, NoTerm};
use super::rdf_lists::RdfLists;
use super::schema_org_finding::FaultyStatement;
use super::teller::{CheckTeller, FaultDescription, StatementPart, shortened};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_rdf::vocabulary::rdf;
use evalgraph_store::{EncodedQuad, TermDictionary, TermId};

/// Reports lost statements, each text once for each node and property. A document without terms of schema.org has lost
/// its context, and only that is reported.
///
/// # Errors
///
/// If the check is cancelled.
pub(super) fn tell_losses(
    losses: &DocumentLosses,
    dictionary: &TermDictionary,
    lists: &RdfLists<'_>,
    seen: &mut DocumentObservations,
    teller: &mut CheckTeller<'_>,
) -> Result<(), Box<Diagnostic>> {
    let lost = LostStatements { losses, dictionary, lists };
    for statement in &losses.statements {
        lost.note(statement, seen);
    }
    if !seen.has_schema_org() {
        return Ok(());
    }
    let mut mentioned: HashSet<TermId> = losses.statements.iter().map(|statement| statement.object).collect();
    let mut told = HashSet::new();
    for statement in &losses.statements {
        teller.go_on()?;
        let Some(fault) = lost.fault(statement, &mut mentioned) else { continue };
        let property = fault.predicate.map(|predicate| lost.predicate(predicate));
        if told.insert((fault.subject, property, fault.no_term.text())) {
            lost.tell(&fault, teller);
        }
    }
    Ok(())
}

/// A lost value or node, with the text that is not a term.
struct LostValue<'l> {
    subject: TermId,
    predicate: Option<TermId>,
    object: Option<NoTerm<'l>>,
    /// The cell of the list that the object is an item of.
    cell: Option<TermId>,
    no_term: NoTerm<'l>,
}

struct LostStatements<'l> {
    losses: &'l DocumentLosses,
    dictionary: &'l TermDictionary,
    lists: &'l RdfLists<'l>,
}

impl<'l> LostStatements<'l> {
    /// Records the terms of schema.org in a lost statement.
    fn note(&self, statement: &EncodedQuad, seen: &mut DocumentObservations) {
        let at = StatementPart { node: statement.subject, predicate: None, value: None };
        seen.namespace(self.predicate(statement.predicate), at);
        if self.text(statement.predicate) == rdf::TYPE {
            let class = self.losses.iri(statement.object).map(NoTerm::text);
            seen.namespace(class.unwrap_or_else(|| self.text(statement.object)), at);
        }
    }

    /// The node and property that lost a statement, and why. A node without an IRI is reported at the statement that
    /// leads to it, or else separately, once.
    fn fault(&self, statement: &EncodedQuad, mentioned: &mut HashSet<TermId>) -> Option<LostValue<'l>> {
        let is_item = self.text(statement.predicate) == rdf::FIRST;
        let cell = is_item.then_some(statement.subject);
        let (subject, predicate) = match cell {
            Some(cell) => self.lists.owner_of_cell(cell)?,
            None => (statement.subject, statement.predicate),
        };
        let object = self.losses.iri(statement.object);
        if let Some(no_term) = object.or(self.losses.predicate(predicate)) {
            return Some(LostValue { subject, predicate: Some(predicate), object, cell, no_term });
        }
        let node = |term| Some((term, self.losses.iri(term)?));
        let (subject, no_term) = node(subject).or_else(|| statement.graph.and_then(node))?;
        let lost = LostValue { subject, predicate: None, object: None, cell: None, no_term };
        mentioned.insert(subject).then_some(lost)
    }

    fn tell(&self, lost: &LostValue<'_>, teller: &mut CheckTeller<'_>) {
        let (code, fault) = words(lost.no_term);
        let iri = |text: &str| NamedNode::new_unchecked(text);
        let predicate = lost.predicate.map(|predicate| iri(self.predicate(predicate)));
        let node = match self.losses.iri(lost.subject) {
            Some(no_term) => iri(no_term.text()).into(),
            None => self.dictionary.term(lost.subject),
        };
        let value = lost.object.map(|no_term| iri(no_term.text()).into());
        let cell = lost.cell.map(|cell| self.dictionary.term(cell));
        teller.tell_lost(code, FaultyStatement { node, predicate, value, cell }, fault);
    }

    /// The IRI of a predicate, or the text in its place.
    fn predicate(&self, predicate: TermId) -> &'l str {
        self.losses.predicate(predicate).map_or_else(|| self.text(predicate), NoTerm::text)
    }

    fn text(&self, term: TermId) -> &'l str {
        self.dictionary.lexical(term)
    }
}

fn words(no_term: NoTerm<'_>) -> (CheckRule, FaultDescription) {
    let text = shortened(no_term.text());
    let (code, message) = match no_term {
        NoTerm::BadIri(_) => (CheckRule::BadIri, format!("`{text}` is not an IRI: the statement is lost")),
        NoTerm::RelativeIri(_) => (
            CheckRule::RelativeIri,
            format!("`{text}` is a relative IRI, and there is no base: without one the statement is lost"),
        ),
        NoTerm::Key(_) => {
            (CheckRule::DroppedKey, format!("the context maps `{text}` to no property: its value is lost"))
        }
    };
    (code, FaultDescription::of_term(no_term.text(), None, message))
}
