//! Reads the constraints of a shape: for each constraint component the values of its parameters (SHACL, section 4).

use std::collections::HashSet;
use std::sync::Arc;

use super::compilation::{ShapeRole, ShapesCompilation};
use super::ids::{ConstantId, ShapeId};
use super::property_path::PropertyPath;
use super::shacl_vocabulary::SH;
use super::shape::{
    AllowedProperties, Constraint, ConstraintCheck, FEW_ITEMS, NodeKinds, QualifiedCount,
    QualifiedValueShape, RangeBound, TextPattern,
};
use super::shapes_graph::ShapesStatement;
use super::sparql_parameters::{applied_components, read_constraint};
use evalgraph_rdf::vocabulary::rdf;
use evalgraph_sparql::xpath_regex;
use evalgraph_store::{RdfTermKind, TermId};

/// Parameters that a shape may have only once.
const SINGLE: [&str; 24] = [
    "closed",
    "in",
    "languageIn",
    "maxCount",
    "maxExclusive",
    "maxInclusive",
    "maxLength",
    "maxListLength",
    "minCount",
    "minExclusive",
    "minInclusive",
    "minLength",
    "minListLength",
    "nodeKind",
    "datatype",
    // The constraint component of patterns has two parameters (section 2.1.1).
    "pattern",
    "qualifiedMinCount",
    "qualifiedMaxCount",
    "qualifiedValueShape",
    "singleLine",
    "uniqueLang",
    "uniqueMembers",
    "flags",
    "ignoredProperties",
];

/// Parameters that only property shapes may have.
const OF_PROPERTY_SHAPES: [&str; 6] =
    ["lessThan", "lessThanOrEquals", "maxCount", "minCount", "qualifiedValueShape", "uniqueLang"];

/// Reads the constraints of a shape in the order of their statements.
pub(super) fn read_parameters(
    compiler: &mut ShapesCompilation<'_, '_>,
    node: TermId,
    has_path: bool,
) -> Vec<Constraint> {
    let graph = compiler.graph;
    let mut constraints = Vec::new();
    let mut seen = HashSet::new();
    for (predicate, object) in graph.statements(node) {
        let Some(name) = graph.sh_name(predicate) else { continue };
        let at = ShapesStatement::new(node, predicate, object);
        if SINGLE.contains(&name) && !seen.insert(name) {
            let message = format!("the shape has several values of `sh:{name}`; one is allowed");
            compiler.fault("shacl::parameter", message, at);
            continue;
        }
        if !has_path && OF_PROPERTY_SHAPES.contains(&name) {
            let message = format!("`sh:{name}` is only for property shapes: the shape has no `sh:path`");
            compiler.fault("shacl::parameter", message, at);
            continue;
        }
        let mut reader = ShapeParameterReader { compiler, node, at, name };
        let checks = reader.checks(object);
        constraints.extend(checks.into_iter().map(|check| Constraint { check }));
    }
    constraints.extend(applied_components(compiler, node, has_path));
    constraints
}

struct ShapeParameterReader<'r, 'c, 'd> {
    compiler: &'r mut ShapesCompilation<'c, 'd>,
    node: TermId,
    at: ShapesStatement,
    name: &'r str,
}

impl ShapeParameterReader<'_, '_, '_> {
    /// The checks of a parameter: none if it is not a parameter, or is faulty.
    fn checks(&mut self, object: TermId) -> Vec<ConstraintCheck> {
        if self.name == "qualifiedValueShape" {
            return self.qualified(object);
        }
        self.check(object).into_iter().collect()
    }

    fn check(&mut self, object: TermId) -> Option<ConstraintCheck> {
        Some(match self.name {
            "class" => ConstraintCheck::Class(self.iris(object)?),
            "datatype" => ConstraintCheck::Datatype(self.iris(object)?),
            "rootClass" => ConstraintCheck::RootClass(self.iris(object)?),
            "nodeKind" => ConstraintCheck::NodeKind(self.node_kinds(object)?),
            "minCount" => ConstraintCheck::MinCount(self.count(object)?),
            "maxCount" => ConstraintCheck::MaxCount(self.count(object)?),
            "minLength" => ConstraintCheck::MinLength(self.count(object)?),
            "maxLength" => ConstraintCheck::MaxLength(self.count(object)?),
            "minListLength" => ConstraintCheck::MinListLength(self.count(object)?),
            "maxListLength" => ConstraintCheck::MaxListLength(self.count(object)?),
            "minExclusive" => ConstraintCheck::Bound(RangeBound::MinExclusive, self.bound(object)?),
            "minInclusive" => ConstraintCheck::Bound(RangeBound::MinInclusive, self.bound(object)?),
            "maxExclusive" => ConstraintCheck::Bound(RangeBound::MaxExclusive, self.bound(object)?),
            "maxInclusive" => ConstraintCheck::Bound(RangeBound::MaxInclusive, self.bound(object)?),
            "pattern" => self.pattern(object)?,
            "singleLine" => self.is_true(object)?.then_some(ConstraintCheck::SingleLine)?,
            "uniqueLang" => self.unique_lang(object)?,
            "uniqueMembers" => self.is_true(object)?.then_some(ConstraintCheck::UniqueMembers)?,
            "languageIn" => self.languages(object)?,
            "equals" => ConstraintCheck::Equals(self.path(object)?),
            "disjoint" => ConstraintCheck::Disjoint(self.path(object)?),
            "subsetOf" => ConstraintCheck::SubsetOf(self.path(object)?),
            "lessThan" => ConstraintCheck::LessThan(self.path(object)?),
            "lessThanOrEquals" => ConstraintCheck::LessThanOrEquals(self.path(object)?),
            "not" => ConstraintCheck::Not(self.shape(object, ShapeRole::Any)),
            "node" => ConstraintCheck::Node(self.node_shape(object)?),
            "property" => ConstraintCheck::Property(self.shape(object, ShapeRole::Property)),
            "someValue" => ConstraintCheck::SomeValue(self.shape(object, ShapeRole::Any)),
            "memberShape" => ConstraintCheck::MemberShape(self.shape(object, ShapeRole::Any)),
            "and" => ConstraintCheck::And(self.shapes(object)?),
            "or" => ConstraintCheck::Or(self.shapes(object)?),
            "xone" => ConstraintCheck::Xone(self.shapes(object)?),
            "closed" => self.closed(object)?,
            "hasValue" => ConstraintCheck::HasValue(self.compiler.constant(object)),
            "in" => {
                let items = self.list(object)?;
                let mut items: Box<[_]> =
                    items.into_iter().map(|item| self.compiler.constant(item)).collect();
                // `is_allowed` searches long lists by bisection.
                if items.len() > FEW_ITEMS {
                    items.sort_unstable();
                }
                ConstraintCheck::In(items)
            }
            "uniqueValuesFor" => ConstraintCheck::UniqueValuesFor(self.keys(object)?),
            "sparql" => {
                if self.compiler.boolean(object, "deactivated") == Some(true) {
                    return None;
                }
                let constraint = read_constraint(self.compiler, self.node, object, self.at);
                ConstraintCheck::Sparql(Arc::new(self.compiler.told(constraint)?))
            }
            _ => return None,
        })
    }

    fn count(&mut self, value: TermId) -> Option<u64> {
        self.compiler.count_of(self.node, self.name, value)
    }

    fn is_true(&mut self, value: TermId) -> Option<bool> {
        self.compiler.boolean_of(self.node, self.name, value)
    }

    fn shape(&mut self, object: TermId, role: ShapeRole) -> ShapeId {
        self.compiler.shape(object, role, self.at)
    }

    fn node_shape(&mut self, object: TermId) -> Option<ShapeId> {
        if !self.compiler.graph.values(object, "path").is_empty() {
            self.compiler.wrong(self.node, self.name, object, "a shape without a `sh:path`");
            return None;
        }
        Some(self.shape(object, ShapeRole::Any))
    }

    fn list(&mut self, object: TermId) -> Option<Vec<TermId>> {
        let list = self.compiler.graph.list(object, self.at);
        self.compiler.told(list)
    }

    fn shapes(&mut self, object: TermId) -> Option<Box<[ShapeId]>> {
        let items = self.list(object)?;
        Some(items.into_iter().map(|item| self.shape(item, ShapeRole::Any)).collect())
    }

    /// One IRI, or a list of them (SHACL 1.2).
    fn iris(&mut self, object: TermId) -> Option<Box<[ConstantId]>> {
        let graph = self.compiler.graph;
        let items = if graph.is_list(object) { self.list(object)? } else { vec![object] };
        if let Some(other) = items.iter().find(|item| graph.kind(**item) != RdfTermKind::Iri) {
            self.compiler.wrong(self.node, self.name, *other, "an IRI or a list of IRIs");
            return None;
        }
        Some(items.into_iter().map(|item| self.compiler.constant(item)).collect())
    }

    fn node_kinds(&mut self, object: TermId) -> Option<NodeKinds> {
        let graph = self.compiler.graph;
        let items = if graph.is_list(object) { self.list(object)? } else { vec![object] };
        let mut kinds = NodeKinds::default();
        for item in items {
            let (iri, blank_node, literal) = match graph.sh_name(item) {
                Some("IRI") => (true, false, false),
                Some("BlankNode") => (false, true, false),
                Some("Literal") => (false, false, true),
                Some("BlankNodeOrIRI") => (true, true, false),
                Some("BlankNodeOrLiteral") => (false, true, true),
                Some("IRIOrLiteral") => (true, false, true),
                _ => {
                    let wanted = "`sh:IRI`, `sh:BlankNode`, `sh:Literal`, `sh:BlankNodeOrIRI`, \
                                  `sh:BlankNodeOrLiteral` or `sh:IRIOrLiteral`";
                    self.compiler.wrong(self.node, self.name, item, wanted);
                    return None;
                }
            };
            kinds.iri |= iri;
            kinds.blank_node |= blank_node;
            kinds.literal |= literal;
        }
        Some(kinds)
    }

    fn bound(&mut self, object: TermId) -> Option<ConstantId> {
        if !self.compiler.graph.is_literal(object) {
            self.compiler.wrong(self.node, self.name, object, "a literal");
            return None;
        }
        Some(self.compiler.constant(object))
    }

    fn path(&mut self, object: TermId) -> Option<Arc<PropertyPath>> {
        self.compiler.path(object, self.at)
    }

    /// The properties of a composite key: one path, or a list of them.
    fn keys(&mut self, object: TermId) -> Option<Box<[Arc<PropertyPath>]>> {
        let items = if self.compiler.graph.is_list(object) { self.list(object)? } else { vec![object] };
        items.into_iter().map(|item| self.path(item)).collect()
    }

    fn pattern(&mut self, object: TermId) -> Option<ConstraintCheck> {
        let graph = self.compiler.graph;
        if graph.kind(object) != RdfTermKind::String {
            self.compiler.wrong(self.node, "pattern", object, "a string");
            return None;
        }
        let flags = match graph.values(self.node, "flags").first() {
            Some(flags) if graph.kind(*flags) != RdfTermKind::String => {
                self.compiler.wrong(self.node, "flags", *flags, "a string");
                return None;
            }
            Some(flags) => graph.text(*flags),
            None => "",
        };
        match xpath_regex(graph.text(object), flags) {
            Ok(regex) => {
                let (text, flags) = (graph.text(object).to_owned(), flags.to_owned());
                Some(ConstraintCheck::Pattern(Arc::new(TextPattern { text, flags, regex })))
            }
            Err(fault) => {
                let message = format!("the pattern {} cannot be used: {fault}", graph.shown(object));
                self.compiler.fault("shacl::pattern", message, self.at);
                None
            }
        }
    }

    /// `sh:uniqueLang` constrains only if its value is the term `true`: `"1"^^xsd:boolean` does not count (section
    /// 4.4.5).
    fn unique_lang(&mut self, object: TermId) -> Option<ConstraintCheck> {
        self.is_true(object)?;
        (self.compiler.graph.text(object) == "true").then_some(ConstraintCheck::UniqueLang)
    }

    fn languages(&mut self, object: TermId) -> Option<ConstraintCheck> {
        let graph = self.compiler.graph;
        let items = self.list(object)?;
        if let Some(other) = items.iter().find(|item| graph.kind(**item) != RdfTermKind::String) {
            self.compiler.wrong(self.node, self.name, *other, "a list of strings");
            return None;
        }
        Some(ConstraintCheck::LanguageIn(
            items.into_iter().map(|item| graph.text(item).to_ascii_lowercase()).collect(),
        ))
    }

    fn qualified(&mut self, object: TermId) -> Vec<ConstraintCheck> {
        let least = self.compiler.count(self.node, "qualifiedMinCount");
        let most = self.compiler.count(self.node, "qualifiedMaxCount");
        let graph = self.compiler.graph;
        let has_count = ["qualifiedMinCount", "qualifiedMaxCount"]
            .iter()
            .any(|name| !graph.values(self.node, name).is_empty());
        if !has_count {
            let message =
                "`sh:qualifiedValueShape` needs `sh:qualifiedMinCount` or `sh:qualifiedMaxCount`".to_owned();
            self.compiler.fault("shacl::parameter", message, self.at);
        }
        let shape = self.shape(object, ShapeRole::Any);
        let siblings = match self.compiler.boolean(self.node, "qualifiedValueShapesDisjoint") {
            Some(true) => self.siblings(),
            _ => Vec::new(),
        };
        let counts = least.map(QualifiedCount::AtLeast).into_iter().chain(most.map(QualifiedCount::AtMost));
        counts
            .map(|count| {
                ConstraintCheck::Qualified(Box::new(QualifiedValueShape {
                    shape,
                    count,
                    siblings: siblings.clone(),
                }))
            })
            .collect()
    }

    /// The qualified value shapes of the sibling properties: those of the shapes that have this one as a property.
    fn siblings(&mut self) -> Vec<ShapeId> {
        let graph = self.compiler.graph;
        let own = graph.values(self.node, "qualifiedValueShape");
        let mut siblings = Vec::new();
        for parent in graph.subjects(graph.sh("property"), Some(self.node)) {
            for property in graph.values(parent, "property") {
                siblings.extend(graph.values(property, "qualifiedValueShape"));
            }
        }
        siblings.sort_unstable();
        siblings.dedup();
        // Section 4.7.3 leaves out the shape's own qualified value shapes.
        siblings.retain(|sibling| !own.contains(sibling));
        siblings.into_iter().map(|sibling| self.shape(sibling, ShapeRole::Any)).collect()
    }

    fn closed(&mut self, object: TermId) -> Option<ConstraintCheck> {
        let graph = self.compiler.graph;
        let by_types = graph.sh_name(object) == Some("ByTypes");
        if !by_types && !self.is_true(object)? {
            return None;
        }
        let mut closed = AllowedProperties { allowed: self.properties_of(self.node), by_types: None };
        if let Some(ignored) = graph.values(self.node, "ignoredProperties").first() {
            let at = self.compiler.statement(self.node, "ignoredProperties", *ignored);
            let items = graph.list(*ignored, at);
            let items = self.compiler.told(items)?;
            closed.allowed.extend(items.into_iter().map(|item| self.compiler.constant(item)));
        }
        if by_types {
            closed.allowed.push(self.compiler.constant_iri(rdf::TYPE));
            closed.by_types = Some(self.properties_by_class());
        }
        Some(ConstraintCheck::Closed(Box::new(closed)))
    }

    /// The predicates that are the paths of the properties of a shape.
    fn properties_of(&mut self, shape: TermId) -> Vec<ConstantId> {
        let graph = self.compiler.graph;
        let paths =
            graph.values(shape, "property").into_iter().flat_map(|property| graph.values(property, "path"));
        let iris = paths.filter(|path| graph.kind(*path) == RdfTermKind::Iri).collect::<Vec<_>>();
        iris.into_iter().map(|path| self.compiler.constant(path)).collect()
    }

    /// The properties that shapes of each class allow: shapes that are the class, have it as target, or are nodes of
    /// such shapes.
    fn properties_by_class(&mut self) -> Vec<(ConstantId, Vec<ConstantId>)> {
        let graph = self.compiler.graph;
        let mut shapes_of_classes: Vec<(TermId, TermId)> = Vec::new();
        for class in ["NodeShape", "ShapeClass"] {
            let shapes = graph.instances(&format!("{SH}{class}"));
            shapes_of_classes.extend(shapes.into_iter().map(|shape| (shape, shape)));
        }
        let target_class = graph.sh("targetClass");
        for shape in graph.subjects(target_class, None) {
            shapes_of_classes
                .extend(graph.objects(shape, target_class).into_iter().map(|class| (class, shape)));
        }
        let mut by_class = Vec::new();
        for (class, shape) in shapes_of_classes {
            let (mut reached, mut next) = (vec![shape], 0);
            while let Some(shape) = reached.get(next).copied() {
                next += 1;
                for node in graph.values(shape, "node") {
                    if !reached.contains(&node) {
                        reached.push(node);
                    }
                }
            }
            let properties = reached.into_iter().flat_map(|shape| self.properties_of(shape)).collect();
            by_class.push((self.compiler.constant(class), properties));
        }
        by_class
    }
}
