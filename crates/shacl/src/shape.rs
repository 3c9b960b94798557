//! Compiled shapes: targets, paths and constraints (SHACL, sections 2 and 4), independent of the data.

use std::sync::Arc;

use oxrdf::{Literal, NamedNode, Term};
use regex::Regex;

use super::ids::{ConstantId, ShapeId};
use super::property_path::PropertyPath;
use super::shacl_vocabulary::SH;
use evalgraph_sparql::PreboundQuery;

/// A shape of a shapes graph.
#[derive(Debug, Clone)]
pub struct Shape {
    /// The node of the shape in its shapes graph.
    pub node: Term,
    /// The named shape that contains a shape without a name.
    pub parent: Option<Term>,
    /// The path of a property shape; none for a node shape.
    pub(super) path: Option<Arc<PropertyPath>>,
    /// The targets of the shape; empty if only other shapes refer to it.
    pub(super) targets: Vec<ShapeTarget>,
    pub(super) constraints: Vec<Constraint>,
    /// The severity of the results of the shape.
    pub severity: Severity,
    /// The messages of the shape, at most one in each language.
    pub messages: Vec<Literal>,
    pub(super) is_deactivated: bool,
}

/// A constraint in SPARQL: each solution is a result.
#[derive(Debug, Clone)]
pub(super) struct SparqlConstraint {
    pub(super) node: Term,
    pub(super) query: PreboundQuery,
    pub(super) messages: Vec<Literal>,
}

/// A component of the shapes graph with the values of its parameters.
#[derive(Debug, Clone)]
pub(super) struct AppliedComponent {
    pub(super) component: Term,
    pub(super) bindings: Vec<(String, Term)>,
    pub(super) query: PreboundQuery,
    pub(super) is_ask: bool,
    pub(super) messages: Vec<Literal>,
}

/// A target in SPARQL: each `?this` is a focus node.
#[derive(Debug, Clone)]
pub(super) struct SparqlTarget {
    pub(super) query: PreboundQuery,
    pub(super) bindings: Vec<(String, Term)>,
}

/// The severity of results (SHACL, section 2.1.4; `sh:Debug` and `sh:Trace` come from SHACL 1.2).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// `sh:Trace`.
    Trace,
    /// `sh:Debug`.
    Debug,
    /// `sh:Info`.
    Info,
    /// `sh:Warning`.
    Warning,
    /// A severity that a shapes graph defines.
    Other(NamedNode),
    /// `sh:Violation`, the default.
    Violation,
}

/// The nodes that a shape is about (section 2.1.3).
#[derive(Debug, Clone)]
pub(super) enum ShapeTarget {
    Node(ConstantId),
    /// The instances of a class: of `sh:targetClass`, or of the shape itself.
    Class(ConstantId),
    SubjectsOf(ConstantId),
    ObjectsOf(ConstantId),
    /// The nodes that conform to a shape (SHACL 1.2, `sh:targetWhere`).
    Where(ShapeId),
    Sparql(Arc<SparqlTarget>),
}

/// A constraint: a component with the values of its parameters.
#[derive(Debug, Clone)]
pub(super) struct Constraint {
    pub(super) check: ConstraintCheck,
}

/// The requirement of a constraint, by its component (section 4 of SHACL, and SHACL 1.2 where it says so).
#[derive(Debug, Clone)]
pub(super) enum ConstraintCheck {
    /// Any of the classes. Several classes are possible only in SHACL 1.2.
    Class(Box<[ConstantId]>),
    Datatype(Box<[ConstantId]>),
    NodeKind(NodeKinds),
    MinCount(u64),
    MaxCount(u64),
    Bound(RangeBound, ConstantId),
    MinLength(u64),
    MaxLength(u64),
    Pattern(Arc<TextPattern>),
    /// SHACL 1.2.
    SingleLine,
    LanguageIn(Box<[String]>),
    UniqueLang,
    Equals(Arc<PropertyPath>),
    Disjoint(Arc<PropertyPath>),
    /// SHACL 1.2.
    SubsetOf(Arc<PropertyPath>),
    LessThan(Arc<PropertyPath>),
    LessThanOrEquals(Arc<PropertyPath>),
    Not(ShapeId),
    And(Box<[ShapeId]>),
    Or(Box<[ShapeId]>),
    Xone(Box<[ShapeId]>),
    Node(ShapeId),
    Property(ShapeId),
    Qualified(Box<QualifiedValueShape>),
    Closed(Box<AllowedProperties>),
    HasValue(ConstantId),
    /// In the order of the shape; sorted if there are more than [`FEW_ITEMS`].
    In(Box<[ConstantId]>),
    /// SHACL 1.2, like those that follow.
    SomeValue(ShapeId),
    MemberShape(ShapeId),
    MinListLength(u64),
    MaxListLength(u64),
    UniqueMembers,
    RootClass(Box<[ConstantId]>),
    UniqueValuesFor(Box<[Arc<PropertyPath>]>),
    Sparql(Arc<SparqlConstraint>),
    Component(Arc<AppliedComponent>),
}

/// Up to this many items of `sh:in` are compared one by one.
pub(super) const FEW_ITEMS: usize = 16;

/// A regular expression of `sh:pattern`.
#[derive(Debug, Clone)]
pub(super) struct TextPattern {
    pub(super) text: String,
    pub(super) flags: String,
    pub(super) regex: Regex,
}

/// A bound of values (section 4.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RangeBound {
    MinExclusive,
    MinInclusive,
    MaxExclusive,
    MaxInclusive,
}

/// The kinds of nodes that `sh:nodeKind` allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct NodeKinds {
    pub(super) iri: bool,
    pub(super) blank_node: bool,
    pub(super) literal: bool,
}

/// A qualified value shape (section 4.7.3) with one of its counts.
#[derive(Debug, Clone)]
pub(super) struct QualifiedValueShape {
    pub(super) shape: ShapeId,
    pub(super) count: QualifiedCount,
    /// The sibling shapes that a counted value must not conform to.
    pub(super) siblings: Vec<ShapeId>,
}

/// A count of the values that conform to a qualified value shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum QualifiedCount {
    AtLeast(u64),
    AtMost(u64),
}

/// The properties that a closed shape allows (section 4.8.1).
#[derive(Debug, Clone, Default)]
pub(super) struct AllowedProperties {
    pub(super) allowed: Vec<ConstantId>,
    /// The properties that each class and its subclasses allow in addition: `sh:ByTypes` of SHACL 1.2.
    pub(super) by_types: Option<Vec<(ConstantId, Vec<ConstantId>)>>,
}

impl Severity {
    /// The IRI of the severity.
    pub fn iri(&self) -> String {
        let name = match self {
            Self::Trace => "Trace",
            Self::Debug => "Debug",
            Self::Info => "Info",
            Self::Warning => "Warning",
            Self::Violation => "Violation",
            Self::Other(node) => return node.as_str().to_owned(),
        };
        format!("{SH}{name}")
    }

    /// The severity with an IRI.
    pub fn from_iri(iri: &str) -> Self {
        match iri.strip_prefix(SH) {
            Some("Trace") => Self::Trace,
            Some("Debug") => Self::Debug,
            Some("Info") => Self::Info,
            Some("Warning") => Self::Warning,
            Some("Violation") => Self::Violation,
            _ => Self::Other(NamedNode::new_unchecked(iri)),
        }
    }

    /// Returns whether results of the severity prevent conformance: those of `sh:Debug` and `sh:Trace` do not.
    pub fn disallows_conformance(&self) -> bool {
        *self > Self::Debug
    }
}

impl ConstraintCheck {
    /// The name of the component in the namespace of SHACL; none for a component of a shapes graph.
    pub(super) fn component(&self) -> Option<&'static str> {
        Some(match self {
            Self::Class(_) => "ClassConstraintComponent",
            Self::Datatype(_) => "DatatypeConstraintComponent",
            Self::NodeKind(_) => "NodeKindConstraintComponent",
            Self::MinCount(_) => "MinCountConstraintComponent",
            Self::MaxCount(_) => "MaxCountConstraintComponent",
            Self::Bound(RangeBound::MinExclusive, _) => "MinExclusiveConstraintComponent",
            Self::Bound(RangeBound::MinInclusive, _) => "MinInclusiveConstraintComponent",
            Self::Bound(RangeBound::MaxExclusive, _) => "MaxExclusiveConstraintComponent",
            Self::Bound(RangeBound::MaxInclusive, _) => "MaxInclusiveConstraintComponent",
            Self::MinLength(_) => "MinLengthConstraintComponent",
            Self::MaxLength(_) => "MaxLengthConstraintComponent",
            Self::Pattern(_) => "PatternConstraintComponent",
            Self::SingleLine => "SingleLineConstraintComponent",
            Self::LanguageIn(_) => "LanguageInConstraintComponent",
            Self::UniqueLang => "UniqueLangConstraintComponent",
            Self::Equals(_) => "EqualsConstraintComponent",
            Self::Disjoint(_) => "DisjointConstraintComponent",
            Self::SubsetOf(_) => "SubsetOfConstraintComponent",
            Self::LessThan(_) => "LessThanConstraintComponent",
            Self::LessThanOrEquals(_) => "LessThanOrEqualsConstraintComponent",
            Self::Not(_) => "NotConstraintComponent",
            Self::And(_) => "AndConstraintComponent",
            Self::Or(_) => "OrConstraintComponent",
            Self::Xone(_) => "XoneConstraintComponent",
            Self::Node(_) => "NodeConstraintComponent",
            Self::Property(_) => "PropertyShapeComponent",
            Self::Qualified(qualified) => match qualified.count {
                QualifiedCount::AtLeast(_) => "QualifiedMinCountConstraintComponent",
                QualifiedCount::AtMost(_) => "QualifiedMaxCountConstraintComponent",
            },
            Self::Closed(_) => "ClosedConstraintComponent",
            Self::HasValue(_) => "HasValueConstraintComponent",
            Self::In(_) => "InConstraintComponent",
            Self::SomeValue(_) => "SomeValueConstraintComponent",
            Self::MemberShape(_) => "MemberShapeConstraintComponent",
            Self::MinListLength(_) => "MinListLengthConstraintComponent",
            Self::MaxListLength(_) => "MaxListLengthConstraintComponent",
            Self::UniqueMembers => "UniqueMembersConstraintComponent",
            Self::RootClass(_) => "RootClassConstraintComponent",
            Self::UniqueValuesFor(_) => "UniqueValuesForConstraintComponent",
            Self::Sparql(_) => "SPARQLConstraintComponent",
            Self::Component(_) => return None,
        })
    }

    /// Returns whether the values of results are always values of the shape's path.
    pub(super) fn has_values_of_path(&self) -> bool {
        !matches!(self, Self::Equals(_) | Self::Sparql(_) | Self::Component(_))
    }

    /// Returns whether the constraint checks one value at a time, and refers to no other shape.
    pub(super) fn tests_value(&self) -> bool {
        matches!(
            self,
            Self::Class(_)
                | Self::Datatype(_)
                | Self::NodeKind(_)
                | Self::Bound(..)
                | Self::MinLength(_)
                | Self::MaxLength(_)
                | Self::Pattern(_)
                | Self::SingleLine
                | Self::LanguageIn(_)
                | Self::In(_)
                | Self::RootClass(_)
        )
    }

    /// The IRI of the component.
    pub(super) fn component_term(&self) -> Term {
        match (self.component(), self) {
            (Some(name), _) => NamedNode::new_unchecked(format!("{SH}{name}")).into(),
            (None, Self::Component(component)) => component.component.clone(),
            (None, _) => NamedNode::new_unchecked(format!("{SH}ConstraintComponent")).into(),
        }
    }

    /// The parameter of the constraint, such as `sh:minCount`; the IRI for a component of a shapes graph.
    pub(super) fn parameter(&self) -> String {
        match self.component().map(|name| name.trim_end_matches("ConstraintComponent")) {
            Some("SPARQL") => "sh:sparql".to_owned(),
            Some("PropertyShapeComponent") => "sh:property".to_owned(),
            Some(name) => format!("sh:{}{}", name[..1].to_ascii_lowercase(), &name[1..]),
            None => self.component_term().to_string().trim_matches(['<', '>']).to_owned(),
        }
    }

    /// The shapes that the constraint refers to, each with `true` if the reference is a negation: the shape has to
    /// fail, or its failures are counted.
    pub(super) fn references(&self) -> Vec<(ShapeId, bool)> {
        match self {
            Self::Not(shape) => vec![(*shape, true)],
            Self::And(shapes) | Self::Or(shapes) => shapes.iter().map(|shape| (*shape, false)).collect(),
            Self::Xone(shapes) => shapes.iter().map(|shape| (*shape, true)).collect(),
            Self::Node(shape) | Self::Property(shape) | Self::SomeValue(shape) | Self::MemberShape(shape) => {
                vec![(*shape, false)]
            }
            Self::Qualified(qualified) => {
                let negated = matches!(qualified.count, QualifiedCount::AtMost(_));
                let siblings = qualified.siblings.iter().map(|shape| (*shape, true));
                std::iter::once((qualified.shape, negated)).chain(siblings).collect()
            }
            _ => Vec::new(),
        }
    }
}
