//! Property paths, with the brackets that they need.

use spargebra::algebra::PropertyPathExpression;

use super::Writer;
use evalgraph_rdf::vocabulary::rdf;

/// How tightly a path binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Alternative,
    Sequence,
    /// With `^` before it or `*` behind it.
    Element,
    Primary,
}

fn binding(path: &PropertyPathExpression) -> Binding {
    match path {
        PropertyPathExpression::Alternative(..) => Binding::Alternative,
        PropertyPathExpression::Sequence(..) => Binding::Sequence,
        PropertyPathExpression::Reverse(_)
        | PropertyPathExpression::ZeroOrMore(_)
        | PropertyPathExpression::OneOrMore(_)
        | PropertyPathExpression::ZeroOrOne(_) => Binding::Element,
        PropertyPathExpression::NamedNode(_) | PropertyPathExpression::NegatedPropertySet(_) => {
            Binding::Primary
        }
    }
}

impl Writer<'_> {
    pub(super) fn path(&mut self, path: &PropertyPathExpression) {
        match path {
            PropertyPathExpression::NamedNode(node) if node.as_str() == rdf::TYPE => self.push("a"),
            PropertyPathExpression::NamedNode(node) => self.iri(node),
            PropertyPathExpression::Reverse(inner) => {
                self.push("^");
                self.bracketed_path(inner, Binding::Primary);
            }
            PropertyPathExpression::Sequence(left, right) => {
                self.bracketed_path(left, Binding::Sequence);
                self.push("/");
                self.bracketed_path(right, Binding::Sequence);
            }
            PropertyPathExpression::Alternative(left, right) => {
                self.bracketed_path(left, Binding::Alternative);
                self.push("|");
                self.bracketed_path(right, Binding::Alternative);
            }
            PropertyPathExpression::ZeroOrMore(inner) => self.repeated(inner, "*"),
            PropertyPathExpression::OneOrMore(inner) => self.repeated(inner, "+"),
            PropertyPathExpression::ZeroOrOne(inner) => self.repeated(inner, "?"),
            PropertyPathExpression::NegatedPropertySet(nodes) => {
                self.push("!(");
                for (place, node) in nodes.iter().enumerate() {
                    self.push(if place == 0 { "" } else { "|" });
                    self.iri(node);
                }
                self.push(")");
            }
        }
    }

    fn repeated(&mut self, inner: &PropertyPathExpression, sign: &str) {
        self.bracketed_path(inner, Binding::Primary);
        self.push(sign);
    }

    fn bracketed_path(&mut self, path: &PropertyPathExpression, least: Binding) {
        if binding(path) >= least {
            return self.path(path);
        }
        self.push("(");
        self.path(path);
        self.push(")");
    }
}
