//! Decides whether a changed document means the same as before, except for the names and namespaces that were meant to
//! change.

use super::namespaces::NamespaceRelocation;
use super::renamings::{NameCorrections, NameRole};
use super::trace::{DocumentTrace, TracedQuad, TracedTerm, TracedTermNumber};
use crate::namespace::SchemaIri;
use evalgraph_rdf::vocabulary::rdf;

pub(super) struct TraceAgreement<'a> {
    pub(super) before: &'a DocumentTrace,
    pub(super) after: &'a DocumentTrace,
    pub(super) renamings: &'a NameCorrections,
    pub(super) target: Option<NamespaceRelocation>,
}

impl TraceAgreement<'_> {
    pub(super) fn holds(&self) -> bool {
        let (before, after) = (&self.before.quads, &self.after.quads);
        before.len() == after.len() && before.iter().zip(after).all(|(left, right)| self.quad(left, right))
    }

    fn quad(&self, left: &TracedQuad, right: &TracedQuad) -> bool {
        let (old, new) = (&left.quad, &right.quad);
        let (predicate, changed) = (self.before.iri(old.predicate), self.after.iri(new.predicate));
        let graphs = match (old.graph, new.graph) {
            (None, None) => true,
            (Some(old), Some(new)) => self.same(old, new, NameRole::Value("")),
            _ => false,
        };
        left.is_lost == right.is_lost
            && graphs
            && self.same(old.subject, new.subject, NameRole::Value(""))
            && self.same(old.predicate, new.predicate, NameRole::Property)
            && match predicate {
                rdf::TYPE => self.same(old.object, new.object, NameRole::Class),
                // A context may interpret the values of another term differently.
                _ if !self.is_moved(predicate, changed) => self.text(old.object, new.object, predicate),
                _ => self.same(old.object, new.object, NameRole::Value(predicate)),
            }
    }

    fn same(&self, old: TracedTermNumber, new: TracedTermNumber, role: NameRole<'_>) -> bool {
        match (self.before.term(old), self.after.term(new)) {
            (TracedTerm::Iri(old), TracedTerm::Iri(new))
            | (TracedTerm::StandIn(old), TracedTerm::StandIn(new)) => self.iri(old, new, role),
            (
                TracedTerm::Literal { lexical: old, datatype: of_old, language: left },
                TracedTerm::Literal { lexical: new, datatype: of_new, language: right },
            ) => {
                left == right
                    && self.lexical(old, new, role)
                    && self.same(*of_old, *of_new, NameRole::Datatype)
            }
            (old, new) => old == new,
        }
    }

    /// Returns whether two values have the same text.
    fn text(&self, old: TracedTermNumber, new: TracedTermNumber, predicate: &str) -> bool {
        fn text(term: &TracedTerm) -> Option<&str> {
            match term {
                TracedTerm::Iri(text) | TracedTerm::Literal { lexical: text, .. } => Some(text),
                TracedTerm::BlankNode(_) | TracedTerm::StandIn(_) => None,
            }
        }
        match (text(self.before.term(old)), text(self.after.term(new))) {
            (Some(old), Some(new)) => self.lexical(old, new, NameRole::Value(predicate)),
            _ => self.before.term(old) == self.after.term(new),
        }
    }

    fn iri(&self, old: &str, new: &str, role: NameRole<'_>) -> bool {
        self.is_moved(old, new) || self.lexical(old, new, role)
    }

    fn lexical(&self, old: &str, new: &str, role: NameRole<'_>) -> bool {
        if old == new {
            return true;
        }
        let name = SchemaIri::from_iri(old).map_or(old, |iri| iri.local);
        let right = self.renamings.get(role, name).unwrap_or(name);
        let namespace = &old[..old.len() - name.len()];
        let is_in = |namespace: &str| new.strip_prefix(namespace) == Some(right);
        is_in(namespace) || !namespace.is_empty() && self.target.is_some_and(|it| is_in(it.namespace.iri()))
    }

    /// Returns whether an IRI is the same, regardless of its namespace of schema.org.
    fn is_moved(&self, old: &str, new: &str) -> bool {
        let moved = SchemaIri::from_iri(old).zip(self.target);
        old == new || moved.is_some_and(|(old, it)| new.strip_prefix(it.namespace.iri()) == Some(old.local))
    }
}
