//! Property paths, with the necessary brackets. `AlgebraWriter` is defined in `mod.rs`.

use spargebra::algebra::PropertyPathExpression;

use super::AlgebraWriter;
use evalgraph_rdf::vocabulary::rdf;

/// The precedence of a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum PathPrecedence {
    Alternative,
    Sequence,
    /// With `^` before it or `*` after it.
    Element,
    Primary,
}

fn binding(path: &PropertyPathExpression) -> PathPrecedence {
    match path {
        PropertyPathExpression::Alternative(..) => PathPrecedence::Alternative,
        PropertyPathExpression::Sequence(..) => PathPrecedence::Sequence,
        PropertyPathExpression::Reverse(_)
        | PropertyPathExpression::ZeroOrMore(_)
        | PropertyPathExpression::OneOrMore(_)
        | PropertyPathExpression::ZeroOrOne(_) => PathPrecedence::Element,
        PropertyPathExpression::NamedNode(_) | PropertyPathExpression::NegatedPropertySet(_) => {
            PathPrecedence::Primary
        }
    }
}

impl AlgebraWriter<'_> {
    pub(super) fn path(&mut self, path: &PropertyPathExpression) {
        match path {
            PropertyPathExpression::NamedNode(node) if node.as_str() == rdf::TYPE => self.push("a"),
            PropertyPathExpression::NamedNode(node) => self.iri(node),
            PropertyPathExpression::Reverse(inner) => {
                self.push("^");
                self.bracketed_path(inner, PathPrecedence::Primary);
            }
            PropertyPathExpression::Sequence(left, right) => {
                self.bracketed_path(left, PathPrecedence::Sequence);
                self.push("/");
                self.bracketed_path(right, PathPrecedence::Sequence);
            }
            PropertyPathExpression::Alternative(left, right) => {
                self.bracketed_path(left, PathPrecedence::Alternative);
                self.push("|");
                self.bracketed_path(right, PathPrecedence::Alternative);
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
        self.bracketed_path(inner, PathPrecedence::Primary);
        self.push(sign);
    }

    fn bracketed_path(&mut self, path: &PropertyPathExpression, least: PathPrecedence) {
        if binding(path) >= least {
            return self.path(path);
        }
        self.push("(");
        self.path(path);
        self.push(")");
    }
}
