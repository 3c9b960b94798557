//! Messages of results: templates of shapes with their variables filled in, and sentences for constraints without any.

use oxrdf::{Literal, Term};

use super::graph::shown;
use super::ids::ConstantId;
use super::plan::Plan;
use super::result::Finding;
use super::shape::{Bound, Check, Count, NodeKinds};

/// A message with `{?variable}` and `{$variable}` replaced by their values (SHACL, section 5.3.2).
pub(super) fn filled_in(message: &Literal, bindings: &[(String, Term)]) -> Literal {
    let (mut text, mut rest) = (String::new(), message.value());
    while let Some(start) = rest.find("{?").into_iter().chain(rest.find("{$")).min() {
        let Some(length) = rest[start..].find('}') else { break };
        let name = &rest[start + 2..start + length];
        text.push_str(&rest[..start]);
        match bindings.iter().find(|(known, _)| known == name) {
            Some((_, Term::Literal(literal))) => text.push_str(literal.value()),
            Some((_, Term::NamedNode(node))) => text.push_str(node.as_str()),
            Some((_, term @ Term::BlankNode(_))) => text.push_str(&term.to_string()),
            None => text.push_str(&rest[start..=start + length]),
        }
        rest = &rest[start + length + 1..];
    }
    text.push_str(rest);
    match message.language() {
        Some(language) => Literal::new_language_tagged_literal_unchecked(text, language),
        None => Literal::new_simple_literal(text),
    }
}

/// The sentence for a result whose shape has no message.
pub(super) fn default_message(plan: &Plan<'_, '_>, check: &Check, finding: &Finding) -> Literal {
    let value = finding.value.map_or_else(|| "the node".to_owned(), |value| shown(&plan.terms.term(value)));
    let constant = |id: &ConstantId| shown(&plan.shapes.constants[id.index()]);
    let any_of = |ids: &[ConstantId]| ids.iter().map(constant).collect::<Vec<_>>().join(" or ");
    let path = |path: &super::path::Path| format!("`{path}`");
    let shape = |id: super::ids::ShapeId| shown(plan.shape_node(id));
    let shapes = |ids: &[super::ids::ShapeId]| ids.iter().map(|id| shape(*id)).collect::<Vec<_>>().join(", ");
    Literal::new_simple_literal(match check {
        Check::Class(classes) => format!("{value} is no instance of {}", any_of(classes)),
        Check::Datatype(datatypes) => format!("{value} has not the datatype {}", any_of(datatypes)),
        Check::NodeKind(kinds) => format!("{value} is not {}", kinds_in_words(*kinds)),
        Check::MinCount(least) => format!("there are fewer than {least} values"),
        Check::MaxCount(most) => format!("there are more than {most} values"),
        Check::Bound(bound, limit) => {
            let word = match bound {
                Bound::MinExclusive => "greater than",
                Bound::MinInclusive => "at least",
                Bound::MaxExclusive => "less than",
                Bound::MaxInclusive => "at most",
            };
            format!("{value} is not {word} {}", constant(limit))
        }
        Check::MinLength(least) => format!("{value} has fewer than {least} characters"),
        Check::MaxLength(most) => format!("{value} has more than {most} characters"),
        Check::Pattern(_) => format!("{value} does not match the pattern"),
        Check::SingleLine => format!("{value} has several lines"),
        Check::LanguageIn(ranges) => format!("{value} is in none of the languages {}", ranges.join(", ")),
        Check::UniqueLang => "several values have the same language".to_owned(),
        Check::Equals(other) => format!("{value} is not a value of both the path and {}", path(other)),
        Check::Disjoint(other) => format!("{value} is a value of {}, too", path(other)),
        Check::SubsetOf(other) => format!("{value} is no value of {}", path(other)),
        Check::LessThan(other) => format!("{value} is not less than each value of {}", path(other)),
        Check::LessThanOrEquals(other) => format!("{value} is not at most each value of {}", path(other)),
        Check::Not(one) => format!("{value} conforms to {}, which it must not", shape(*one)),
        Check::And(several) => format!("{value} does not conform to all of {}", shapes(several)),
        Check::Or(several) => format!("{value} conforms to none of {}", shapes(several)),
        Check::Xone(several) => format!("{value} does not conform to exactly one of {}", shapes(several)),
        Check::Node(one) | Check::Property(one) => format!("{value} does not conform to {}", shape(*one)),
        Check::Qualified(qualified) => match qualified.count {
            Count::AtLeast(least) => {
                format!("fewer than {least} values conform to {}", shape(qualified.shape))
            }
            Count::AtMost(most) => format!("more than {most} values conform to {}", shape(qualified.shape)),
        },
        Check::Closed(_) => {
            let predicate = finding.path.map_or_else(String::new, |path| shown(&plan.terms.term(path)));
            format!("{predicate} is no property of the shape, which is closed")
        }
        Check::HasValue(wanted) => format!("{} is not among the values", constant(wanted)),
        Check::In(items) if items.len() <= 10 => format!("{value} is none of {}", any_of(items)),
        Check::In(items) => format!("{value} is none of the {} values that are allowed", items.len()),
        Check::SomeValue(one) => format!("no value conforms to {}", shape(*one)),
        Check::MemberShape(one) => format!("{value} is no list whose members conform to {}", shape(*one)),
        Check::MinListLength(least) => format!("{value} is no list of at least {least} members"),
        Check::MaxListLength(most) => format!("{value} is no list of at most {most} members"),
        Check::UniqueMembers => format!("{value} is no list whose members all differ"),
        Check::RootClass(roots) => format!("{value} is no subclass of {}", any_of(roots)),
        Check::UniqueValuesFor(_) => "another node has the same values".to_owned(),
        Check::Sparql(constraint) => format!("{value} fails the query of {}", shown(&constraint.node)),
        Check::Component(component) => format!("{value} fails {}", shown(&component.component)),
    })
}

fn kinds_in_words(kinds: NodeKinds) -> String {
    let words = [(kinds.iri, "an IRI"), (kinds.blank_node, "a blank node"), (kinds.literal, "a literal")];
    words
        .into_iter()
        .filter(|(is_allowed, _)| *is_allowed)
        .map(|(_, word)| word)
        .collect::<Vec<_>>()
        .join(" or ")
}
