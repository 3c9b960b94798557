//! Tells whether a changed document says what the document said, but for the names and namespaces that were to change.

use super::namespaces::Relocation;
use super::renamings::{Renamings, Role};
use super::trace::{TermNumber, Trace, TracedQuad, TracedTerm};
use crate::namespace::SchemaIri;
use evalgraph_rdf::vocabulary::rdf;

pub(super) struct Agreement<'a> {
    pub(super) before: &'a Trace,
    pub(super) after: &'a Trace,
    pub(super) renamings: &'a Renamings,
    pub(super) target: Option<Relocation>,
}

impl Agreement<'_> {
    pub(super) fn holds(&self) -> bool {
        let (before, after) = (&self.before.quads, &self.after.quads);
        before.len() == after.len() && before.iter().zip(after).all(|(left, right)| self.quad(left, right))
    }

    fn quad(&self, left: &TracedQuad, right: &TracedQuad) -> bool {
        let (old, new) = (&left.quad, &right.quad);
        let (predicate, changed) = (self.before.iri(old.predicate), self.after.iri(new.predicate));
        let graphs = match (old.graph, new.graph) {
            (None, None) => true,
            (Some(old), Some(new)) => self.same(old, new, Role::Value("")),
            _ => false,
        };
        left.is_lost == right.is_lost
            && graphs
            && self.same(old.subject, new.subject, Role::Value(""))
            && self.same(old.predicate, new.predicate, Role::Property)
            && match predicate {
                rdf::TYPE => self.same(old.object, new.object, Role::Class),
                // A context may make something else of the values of another term.
                _ if !self.is_moved(predicate, changed) => self.text(old.object, new.object, predicate),
                _ => self.same(old.object, new.object, Role::Value(predicate)),
            }
    }

    fn same(&self, old: TermNumber, new: TermNumber, role: Role<'_>) -> bool {
        match (self.before.term(old), self.after.term(new)) {
            (TracedTerm::Iri(old), TracedTerm::Iri(new))
            | (TracedTerm::StandIn(old), TracedTerm::StandIn(new)) => self.iri(old, new, role),
            (
                TracedTerm::Literal { lexical: old, datatype: of_old, language: left },
                TracedTerm::Literal { lexical: new, datatype: of_new, language: right },
            ) => left == right && self.lexical(old, new, role) && self.same(*of_old, *of_new, Role::Datatype),
            (old, new) => old == new,
        }
    }

    /// Tells whether two values have the same text.
    fn text(&self, old: TermNumber, new: TermNumber, predicate: &str) -> bool {
        fn text(term: &TracedTerm) -> Option<&str> {
            match term {
                TracedTerm::Iri(text) | TracedTerm::Literal { lexical: text, .. } => Some(text),
                TracedTerm::BlankNode(_) | TracedTerm::StandIn(_) => None,
            }
        }
        match (text(self.before.term(old)), text(self.after.term(new))) {
            (Some(old), Some(new)) => self.lexical(old, new, Role::Value(predicate)),
            _ => self.before.term(old) == self.after.term(new),
        }
    }

    fn iri(&self, old: &str, new: &str, role: Role<'_>) -> bool {
        self.is_moved(old, new) || self.lexical(old, new, role)
    }

    fn lexical(&self, old: &str, new: &str, role: Role<'_>) -> bool {
        if old == new {
            return true;
        }
        let name = SchemaIri::of(old).map_or(old, |iri| iri.local);
        let right = self.renamings.get(role, name).unwrap_or(name);
        let namespace = &old[..old.len() - name.len()];
        let is_in = |namespace: &str| new.strip_prefix(namespace) == Some(right);
        is_in(namespace) || !namespace.is_empty() && self.target.is_some_and(|it| is_in(it.namespace.iri()))
    }

    /// Tells whether an IRI is the same, in whatever namespace of schema.org it was.
    fn is_moved(&self, old: &str, new: &str) -> bool {
        let moved = SchemaIri::of(old).zip(self.target);
        old == new || moved.is_some_and(|(old, it)| new.strip_prefix(it.namespace.iri()) == Some(old.local))
    }
}
