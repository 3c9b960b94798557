//! Messages of results: templates from the shapes with their variables filled in, and default sentences for constraints
//! without a message.
//!
//! A sentence says what was found and what the shape requires. The people who maintain the data need not know SHACL.

use oxrdf::{Literal, Term};

use super::ids::{ConstantId, ShapeId};
use super::message_words::{VALUE_SHOWN, any_of, counted, shown, shown_path, shown_predicate};
use super::result::ConstraintFinding;
use super::shape::{ConstraintCheck, NodeKinds, QualifiedCount, QualifiedValueShape, RangeBound};
use super::validation_plan::ValidationPlan;
use evalgraph_diagnostics::shortened::shortened;
use evalgraph_diagnostics::thousands;
use evalgraph_store::RdfTermKind;

/// How many allowed values a message lists.
const VALUES_NAMED: usize = 10;

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
        // The search continues after the variable, so a value that contains `{?name}` is not filled in again.
        rest = &rest[start + length + 1..];
    }
    text.push_str(rest);
    match message.language() {
        Some(language) => Literal::new_language_tagged_literal_unchecked(text, language),
        None => Literal::new_simple_literal(text),
    }
}

/// The default sentence for a result whose shape has no message.
pub(super) fn default_message(
    plan: &ValidationPlan<'_, '_>,
    check: &ConstraintCheck,
    finding: &ConstraintFinding,
) -> Literal {
    let path = match finding.path.map(|path| plan.terms.term(path)) {
        Some(Term::NamedNode(predicate)) => Some(shown_predicate(&predicate)),
        _ => plan.shape(finding.shape).path.as_deref().map(shown_path),
    };
    Literal::new_simple_literal(ResultWording { plan, finding, path }.sentence(check))
}

/// The parts of the default sentence for a result.
struct ResultWording<'w, 's, 'd> {
    plan: &'w ValidationPlan<'s, 'd>,
    finding: &'w ConstraintFinding,
    path: Option<String>,
}

impl ResultWording<'_, '_, '_> {
    fn sentence(&self, check: &ConstraintCheck) -> String {
        let (value, values) = (self.value(), self.values());
        match check {
            ConstraintCheck::Class(classes) => {
                format!("{value} is not an instance of {}", self.any_of(classes))
            }
            ConstraintCheck::Datatype(datatypes) => format!("{value} {}", self.datatype(datatypes)),
            ConstraintCheck::NodeKind(kinds) => {
                format!("{value} is {}, and has to be {}", self.kind(), kinds_in_words(*kinds))
            }
            ConstraintCheck::MinCount(least) => {
                format!("{}, at least {}", self.number_of_values("too few"), needed(*least))
            }
            ConstraintCheck::MaxCount(most) => {
                format!("{}, {}", self.number_of_values("too many"), allowed(*most))
            }
            ConstraintCheck::Bound(bound, limit) => {
                format!("{value} has to be {} {}", in_words(*bound), self.constant(*limit))
            }
            ConstraintCheck::MinLength(least) => {
                format!("{value} {}, at least {}", self.length(), needed(*least))
            }
            ConstraintCheck::MaxLength(most) => format!("{value} {}, {}", self.length(), allowed(*most)),
            ConstraintCheck::Pattern(pattern) => {
                let text = shortened(&pattern.text, VALUE_SHOWN);
                format!("{value} does not match the pattern `{text}`")
            }
            ConstraintCheck::SingleLine => format!("{value} has several lines, but only one is allowed"),
            ConstraintCheck::LanguageIn(ranges) => {
                let ranges: Vec<String> = ranges.iter().map(|range| format!("`{range}`")).collect();
                format!("{value} has to be in the language {}", any_of(&ranges))
            }
            ConstraintCheck::UniqueLang => {
                format!("{values} has several values in one language, at most 1 is allowed")
            }
            ConstraintCheck::Equals(other) => {
                let other = shown_path(other);
                format!("{value} has to be a value of both {values} and {other}")
            }
            ConstraintCheck::Disjoint(other) => {
                format!("{value} must not be a value of {}, too", shown_path(other))
            }
            ConstraintCheck::SubsetOf(other) => {
                format!("{value} has to be a value of {}, too", shown_path(other))
            }
            ConstraintCheck::LessThan(other) => {
                format!("{value} has to be less than each value of {}", shown_path(other))
            }
            ConstraintCheck::LessThanOrEquals(other) => {
                format!("{value} has to be at most each value of {}", shown_path(other))
            }
            ConstraintCheck::Closed(_) => format!("{values} is not a property that the closed shape allows"),
            ConstraintCheck::HasValue(wanted) if self.path.is_some() => {
                format!("{values} lacks the value {}", self.constant(*wanted))
            }
            ConstraintCheck::HasValue(wanted) => format!("{values} has to be {}", self.constant(*wanted)),
            ConstraintCheck::In(items) if items.len() <= VALUES_NAMED => {
                format!("{value} has to be {}", self.any_of(items))
            }
            ConstraintCheck::In(items) => {
                format!("{value} is not one of the {} allowed values", items.len())
            }
            ConstraintCheck::RootClass(roots) => {
                format!("{value} has to be {}, or a subclass of it", self.any_of(roots))
            }
            ConstraintCheck::UniqueValuesFor(paths) => {
                let paths: Vec<String> = paths.iter().map(|path| shown_path(path)).collect();
                format!("another node has the same {}", paths.join(" and "))
            }
            ConstraintCheck::Sparql(constraint) => format!("{value} fails {}", self.query(&constraint.node)),
            ConstraintCheck::Component(component) => format!("{value} fails {}", shown(&component.component)),
            check => self.sentence_of_shapes(check),
        }
    }

    /// The sentence for a constraint with inner shapes, or on a list.
    fn sentence_of_shapes(&self, check: &ConstraintCheck) -> String {
        let value = self.value();
        let count = self.finding.count;
        match check {
            ConstraintCheck::Not(one) => {
                format!("{value} conforms to {}, which it must not", self.shape(*one))
            }
            ConstraintCheck::And(several) => {
                format!("{value} does not conform to all of {}", self.shapes(several))
            }
            ConstraintCheck::Or(several) => format!("{value} conforms to none of {}", self.shapes(several)),
            ConstraintCheck::Xone(several) => match count {
                Some(count) => {
                    format!(
                        "{value} conforms to {count} of {}, and has to conform to 1",
                        self.shapes(several)
                    )
                }
                None => format!("{value} has to conform to exactly 1 of {}", self.shapes(several)),
            },
            ConstraintCheck::Qualified(qualified) => self.qualified(qualified),
            ConstraintCheck::SomeValue(one) => {
                format!("no value of {} conforms to {}", self.values(), self.shape(*one))
            }
            ConstraintCheck::MemberShape(_)
            | ConstraintCheck::MinListLength(_)
            | ConstraintCheck::MaxListLength(_)
            | ConstraintCheck::UniqueMembers
                // A value that is not a list has no count of members.
                if count.is_none() && self.finding.path.is_none() =>
            {
                format!("{value} has to be a list {}", self.kind_of_list(check))
            }
            ConstraintCheck::MemberShape(one) => {
                format!("{value} is a list with members that do not conform to {}", self.shape(*one))
            }
            ConstraintCheck::MinListLength(least) => {
                format!("{value} {}, at least {}", self.members(), needed(*least))
            }
            ConstraintCheck::MaxListLength(most) => format!("{value} {}, {}", self.members(), allowed(*most)),
            ConstraintCheck::UniqueMembers if self.finding.path.is_some() => {
                format!("{value} occurs several times")
            }
            ConstraintCheck::UniqueMembers => {
                format!("{value} is a list with a member that occurs several times")
            }
            ConstraintCheck::Node(one) | ConstraintCheck::Property(one) => {
                format!("{value} does not conform to {}", self.shape(*one))
            }
            _ => format!("{value} fails"),
        }
    }

    /// The failing value with the path that leads to it.
    fn value(&self) -> String {
        let term = self.finding.value.map(|value| self.plan.terms.term(value));
        match (term, &self.path) {
            (Some(Term::BlankNode(_)), Some(path)) => format!("a value of {path}"),
            (Some(term), Some(path)) => format!("the value {} of {path}", shown(&term)),
            (None | Some(Term::BlankNode(_)), None) => "the node".to_owned(),
            (Some(term), None) => shown(&term),
            (None, Some(path)) => path.clone(),
        }
    }

    /// The values of the path, or the node.
    fn values(&self) -> String {
        self.path.clone().unwrap_or_else(|| "the node".to_owned())
    }

    /// The name of a query, or else of its shape.
    fn query(&self, node: &Term) -> String {
        match node {
            Term::BlankNode(_) => format!("the query of {}", self.shape(self.finding.shape)),
            node => format!("the query {}", shown(node)),
        }
    }

    /// How many values there are; if they were not counted, that there are too few or too many.
    fn number_of_values(&self, uncounted: &str) -> String {
        match self.finding.count {
            None => format!("{} has {uncounted} values", self.values()),
            Some(0) => format!("{} is missing", self.values()),
            Some(count) => format!("{} has {}", self.values(), counted(count, "value")),
        }
    }

    fn constant(&self, id: ConstantId) -> String {
        shown(&self.plan.shapes.constants[id.index()])
    }

    fn any_of(&self, ids: &[ConstantId]) -> String {
        any_of(&ids.iter().map(|id| self.constant(*id)).collect::<Vec<_>>())
    }

    /// The name of a shape, or else what it is about.
    fn shape(&self, id: ShapeId) -> String {
        let shape = self.plan.shape(id);
        if !shape.node.is_blank_node() {
            return shown(&shape.node);
        }
        let of_properties = shape.constraints.iter().filter_map(|constraint| match constraint.check {
            ConstraintCheck::Property(property) => self.plan.shape(property).path.as_deref(),
            _ => None,
        });
        let mut paths: Vec<String> =
            shape.path.as_deref().into_iter().chain(of_properties).map(shown_path).collect();
        paths.dedup();
        match paths.as_slice() {
            [] => format!("the inner shape with `{}`", shape.parameters().join("`, `")),
            [path] => format!("the inner shape on {path}"),
            [path, ..] => format!("the inner shape on {path} and others"),
        }
    }

    /// The names of shapes, or their number if one has no name.
    fn shapes(&self, ids: &[ShapeId]) -> String {
        let nodes = || ids.iter().map(|id| self.plan.shape_node(*id));
        match nodes().any(Term::is_blank_node) {
            true => counted(ids.len() as u64, "inner shape"),
            false => nodes().map(shown).collect::<Vec<_>>().join(", "),
        }
    }

    /// The datatype that the value has, and those that are allowed.
    fn datatype(&self, wanted: &[ConstantId]) -> String {
        let allowed = self.any_of(wanted);
        let Some(Term::Literal(literal)) = self.finding.value.map(|value| self.plan.terms.term(value)) else {
            return format!("is not a literal, and has to be of datatype {allowed}");
        };
        let own = Term::from(literal.datatype().into_owned());
        match wanted.iter().any(|id| self.plan.shapes.constants[id.index()] == own) {
            // The datatype is right, so the lexical form is not: an ill-typed literal fails, too (section 4.1.2).
            true => format!("is not written as {} has to be", shown(&own)),
            false => format!("is of datatype {}, and has to be of {allowed}", shown(&own)),
        }
    }

    fn kind(&self) -> &'static str {
        match self.finding.value.map(|value| self.plan.terms.kind(value)) {
            Some(RdfTermKind::Iri) => "an IRI",
            Some(RdfTermKind::BlankNode) => "a blank node",
            _ => "a literal",
        }
    }

    fn length(&self) -> String {
        let length = |text: Option<&str>| text.map(|text| text.chars().count() as u64);
        match self.finding.value.and_then(|value| self.plan.terms.with_text(value, length)) {
            Some(length) => format!("has {}", counted(length, "character")),
            None => "is a blank node, which has no characters".to_owned(),
        }
    }

    /// The lists that a constraint allows.
    fn kind_of_list(&self, check: &ConstraintCheck) -> String {
        match check {
            ConstraintCheck::MemberShape(one) => format!("whose members conform to {}", self.shape(*one)),
            ConstraintCheck::MinListLength(least) => format!("of at least {}", counted(*least, "member")),
            ConstraintCheck::MaxListLength(most) => format!("of at most {}", counted(*most, "member")),
            _ => "that has each member once".to_owned(),
        }
    }

    fn members(&self) -> String {
        format!("is a list of {}", counted(self.finding.count.unwrap_or_default(), "member"))
    }

    fn qualified(&self, qualified: &QualifiedValueShape) -> String {
        let (values, shape) = (self.values(), self.shape(qualified.shape));
        let (bound, uncounted) = match qualified.count {
            QualifiedCount::AtLeast(least) => (format!("at least {}", needed(least)), "too few values"),
            QualifiedCount::AtMost(most) => (allowed(most), "too many values"),
        };
        let (found, verb) = match self.finding.count {
            None => (uncounted.to_owned(), "count"),
            Some(count) => (counted(count, "value"), if count == 1 { "counts" } else { "count" }),
        };
        format!("{values} has {found} that {verb} for {shape}, {bound}")
    }
}

fn needed(least: u64) -> String {
    if least == 1 { "1 is needed".to_owned() } else { format!("{} are needed", thousands(least)) }
}

fn allowed(most: u64) -> String {
    match most {
        0 => "none is allowed".to_owned(),
        1 => "at most 1 is allowed".to_owned(),
        _ => format!("at most {} are allowed", thousands(most)),
    }
}

fn in_words(bound: RangeBound) -> &'static str {
    match bound {
        RangeBound::MinExclusive => "greater than",
        RangeBound::MinInclusive => "at least",
        RangeBound::MaxExclusive => "less than",
        RangeBound::MaxInclusive => "at most",
    }
}

fn kinds_in_words(kinds: NodeKinds) -> String {
    let words = [(kinds.iri, "an IRI"), (kinds.blank_node, "a blank node"), (kinds.literal, "a literal")];
    let words: Vec<String> =
        words.into_iter().filter(|(is_allowed, _)| *is_allowed).map(|(_, word)| word.to_owned()).collect();
    any_of(&words)
}
