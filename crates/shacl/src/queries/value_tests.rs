//! Constraints on a single value as conditions, which are true or false for any term.
//!
//! `QueryMaker` is defined in `queries/mod.rs`.

use oxrdf::{Literal, NamedNode, Term, Variable};
use spargebra::algebra::{Expression, Function};

use super::algebra_builders::{
    all, any, balanced, boolean, call, call_on, equal, exists, instance, integer, lexical, matches, not,
    or_false, same_term, step, subclass, text,
};
use super::{QueryMaker, ShapeTranslation};
use crate::ids::{ConstantId, ShapeId};
use crate::shape::{ConstraintCheck, NodeKinds, RangeBound};
use evalgraph_rdf::vocabulary::xsd;

/// The characters that end a line.
const LINE_ENDS: &str = "[\n\r\u{c}\u{b}\u{85}\u{2028}\u{2029}]";

/// The datatypes, in addition to numbers, whose values `<` compares according to the recommendation.
const COMPARED: [&str; 3] = [xsd::STRING, xsd::BOOLEAN, xsd::DATE_TIME];

impl<'s> QueryMaker<'s> {
    /// The condition that a value meets a constraint on single values.
    pub(super) fn meets(
        &mut self,
        check: &'s ConstraintCheck,
        value: &Variable,
    ) -> ShapeTranslation<Expression> {
        Ok(match check {
            ConstraintCheck::Class(classes) => self.leads_to_any(value, &instance(), classes),
            ConstraintCheck::RootClass(roots) => self.leads_to_any(value, &subclass(), roots),
            ConstraintCheck::Datatype(datatypes) => {
                let datatypes = datatypes.iter().filter_map(|datatype| self.iri(*datatype));
                any(datatypes.map(|datatype| self.has_datatype(value, &datatype)))
            }
            ConstraintCheck::NodeKind(kinds) => has_kind(value, *kinds),
            ConstraintCheck::Bound(bound, limit) => self.is_within(value, *bound, *limit),
            ConstraintCheck::MinLength(least) => {
                let length = Box::new(call(Function::StrLen, [lexical(value)]));
                of_text(value, Expression::GreaterOrEqual(length, Box::new(integer(*least))))
            }
            ConstraintCheck::MaxLength(most) => {
                let length = Box::new(call(Function::StrLen, [lexical(value)]));
                of_text(value, Expression::LessOrEqual(length, Box::new(integer(*most))))
            }
            ConstraintCheck::Pattern(pattern) => {
                of_text(value, matches(lexical(value), &pattern.text, &pattern.flags))
            }
            ConstraintCheck::SingleLine => {
                let has_several = matches(lexical(value), LINE_ENDS, "");
                any([call_on(Function::IsBlank, value), not(has_several)])
            }
            ConstraintCheck::LanguageIn(ranges) => {
                let tag = call_on(Function::Lang, value);
                let matched =
                    ranges.iter().map(|range| call(Function::LangMatches, [tag.clone(), text(range)]));
                all([call_on(Function::IsLiteral, value), any(matched)])
            }
            ConstraintCheck::In(items) => self.is_among(value, items),
            ConstraintCheck::Not(shape) => not(self.conforms(*shape, value)?),
            ConstraintCheck::Node(shape) | ConstraintCheck::Property(shape) => {
                self.conforms(*shape, value)?
            }
            ConstraintCheck::And(shapes) => self.conforms_to_all(shapes, value)?,
            ConstraintCheck::Or(shapes) => self.conforms_to_any(shapes, value)?,
            ConstraintCheck::Xone(shapes) => self.conforms_to_one(shapes, value)?,
            ConstraintCheck::MemberShape(_)
            | ConstraintCheck::MinListLength(_)
            | ConstraintCheck::MaxListLength(_)
            | ConstraintCheck::UniqueMembers => self.meets_as_list(check, value)?,
            _ => return Err("there is no translation".to_owned()),
        })
    }

    fn leads_to_any(
        &self,
        value: &Variable,
        path: &spargebra::algebra::PropertyPathExpression,
        classes: &[ConstantId],
    ) -> Expression {
        let classes = classes.iter().filter_map(|class| self.iri(*class));
        any(classes.map(|class| exists(step(value.clone(), path, class))))
    }

    fn is_within(&mut self, value: &Variable, bound: RangeBound, limit: ConstantId) -> Expression {
        let Term::Literal(limit) = self.constant(limit) else { return boolean(false) };
        let datatype = limit.datatype();
        let is_number = |literal: &Literal| {
            let datatype = literal.datatype();
            [xsd::INTEGER, xsd::DECIMAL, xsd::DOUBLE, xsd::FLOAT].contains(&datatype.as_str())
        };
        if !COMPARED.contains(&datatype.as_str()) && !is_number(&limit) {
            self.remark(&format!(
                "SPARQL 1.1 has no order for `{}`, though many stores have",
                datatype.as_str()
            ));
        }
        let (value, limit) = (Box::new(Expression::from(value.clone())), Box::new(Expression::from(limit)));
        or_false(match bound {
            RangeBound::MinExclusive => Expression::Greater(value, limit),
            RangeBound::MinInclusive => Expression::GreaterOrEqual(value, limit),
            RangeBound::MaxExclusive => Expression::Less(value, limit),
            RangeBound::MaxInclusive => Expression::LessOrEqual(value, limit),
        })
    }

    /// The condition that a value is one of some terms. `IN` compares values; for IRIs and strings these are the terms.
    fn is_among(&self, value: &Variable, items: &[ConstantId]) -> Expression {
        let (mut compared, mut identified) = (Vec::new(), Vec::new());
        let mut has_string = false;
        for item in items {
            match self.constant(*item) {
                Term::NamedNode(node) => compared.push(node.into()),
                Term::Literal(literal) if literal.datatype().as_str() == xsd::STRING => {
                    has_string = true;
                    compared.push(literal.into());
                }
                Term::Literal(literal) => identified.push(same_term(value.clone(), literal)),
                // A blank node of the shapes is not in the data.
                Term::BlankNode(_) => {}
            }
        }
        let is_in = Expression::In(Box::new(value.clone().into()), compared);
        let is_in = match &is_in {
            Expression::In(_, list) if list.is_empty() => boolean(false),
            _ if has_string => or_false(is_in),
            _ => is_in,
        };
        any(std::iter::once(is_in).chain(identified))
    }

    fn conforms_to_one(&mut self, ids: &[ShapeId], value: &Variable) -> ShapeTranslation<Expression> {
        let mut terms = Vec::new();
        for id in ids {
            let conforms = Box::new(self.conforms(*id, value)?);
            terms.push(Expression::If(conforms, Box::new(integer(1)), Box::new(integer(0))));
        }
        let sum = balanced(terms, &|left, right| Expression::Add(Box::new(left), Box::new(right)));
        Ok(sum.map_or_else(|| boolean(false), |sum| equal(sum, integer(1))))
    }

    /// The condition that a value is a literal of a datatype, with a valid form.
    fn has_datatype(&self, value: &Variable, datatype: &NamedNode) -> Expression {
        let is_of = equal(call_on(Function::Datatype, value), datatype.clone().into());
        let form = super::datatypes::is_well_formed(value, datatype.as_str());
        all([call_on(Function::IsLiteral, value), is_of].into_iter().chain(form))
    }
}

/// A condition on the text of a value, which blank nodes do not have.
fn of_text(value: &Variable, condition: Expression) -> Expression {
    all([not(call_on(Function::IsBlank, value)), condition])
}

fn has_kind(value: &Variable, kinds: NodeKinds) -> Expression {
    let kinds = [
        (kinds.iri, Function::IsIri),
        (kinds.blank_node, Function::IsBlank),
        (kinds.literal, Function::IsLiteral),
    ];
    if kinds.iter().all(|(is_allowed, _)| *is_allowed) {
        return boolean(true);
    }
    let allowed = kinds.into_iter().filter(|(is_allowed, _)| *is_allowed);
    any(allowed.map(|(_, function)| call_on(function, value)))
}
