//! Alternatives of a property path as a union: `eval(Path(X, alt(P, Q), Y)) = Union(eval(Path(X, P, Y)),
//! eval(Path(X, Q, Y)))` (SPARQL 1.1, section 18.4), which adds up how often each solution is found. The evaluator
//! finds the ends of an alternative once. Below `*`, `+` and `?` it does right, since these are sets.

use oxrdf::Variable;
use spargebra::algebra::{GraphPattern, PropertyPathExpression};
use spargebra::term::{TermPattern, TriplePattern};

/// Whether a path has alternatives that add up.
pub(super) fn has_alternatives(path: &PropertyPathExpression) -> bool {
    match path {
        PropertyPathExpression::Alternative(..) => true,
        PropertyPathExpression::Sequence(first, second) => {
            has_alternatives(first) || has_alternatives(second)
        }
        PropertyPathExpression::Reverse(inner) => has_alternatives(inner),
        _ => false,
    }
}

/// Makes unions of the alternatives of a path; `count` makes names for what lies between its steps.
pub(super) fn unite(
    path: &PropertyPathExpression,
    (subject, object): (&TermPattern, &TermPattern),
    count: &mut usize,
) -> GraphPattern {
    match path {
        PropertyPathExpression::Alternative(first, second) => GraphPattern::Union {
            left: Box::new(unite(first, (subject, object), count)),
            right: Box::new(unite(second, (subject, object), count)),
        },
        PropertyPathExpression::Sequence(first, second) if has_alternatives(path) => {
            *count += 1;
            // No name in a query's text holds a dot.
            let between = TermPattern::Variable(Variable::new_unchecked(format!("between.{count}")));
            GraphPattern::Join {
                left: Box::new(unite(first, (subject, &between), count)),
                right: Box::new(unite(second, (&between, object), count)),
            }
        }
        PropertyPathExpression::Reverse(inner) => unite(inner, (object, subject), count),
        PropertyPathExpression::NamedNode(predicate) => GraphPattern::Bgp {
            patterns: vec![TriplePattern {
                subject: subject.clone(),
                predicate: predicate.clone().into(),
                object: object.clone(),
            }],
        },
        other => GraphPattern::Path { subject: subject.clone(), path: other.clone(), object: object.clone() },
    }
}
