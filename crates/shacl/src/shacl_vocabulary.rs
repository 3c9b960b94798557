//! The terms of SHACL, and which of them the engine supports, ignores or rejects.

/// The namespace of SHACL.
pub(super) const SH: &str = "http://www.w3.org/ns/shacl#";

/// The namespace of RDF Schema.
pub(super) const RDFS: &str = "http://www.w3.org/2000/01/rdf-schema#";

/// The namespace of the terms of Dublin Core.
pub(super) const DCTERMS: &str = "http://purl.org/dc/terms/";

/// The namespace of OWL.
pub(super) const OWL: &str = "http://www.w3.org/2002/07/owl#";

/// Terms that describe a shape and constrain nothing: non-validating characteristics (section 2.3.2), the properties of
/// shapes that are also constraints or components, and descriptions that SHACL 1.2 adds.
pub(super) const DESCRIPTIONS: [&str; 22] = [
    "ask",
    "codeIdentifier",
    "construct",
    "declare",
    "defaultValue",
    "description",
    "entailment",
    "flags",
    "group",
    "ignoredProperties",
    "intent",
    "labelTemplate",
    "message",
    "name",
    "order",
    "prefixes",
    "qualifiedMaxCount",
    "qualifiedMinCount",
    "qualifiedValueShapesDisjoint",
    "select",
    "shapesGraph",
    "unit",
];

/// Properties of shapes that the engine reads, except those in [`DESCRIPTIONS`].
pub(super) const PROPERTIES: [&str; 51] = [
    "and",
    "class",
    "closed",
    "datatype",
    "deactivated",
    "disjoint",
    "equals",
    "hasValue",
    "in",
    "languageIn",
    "lessThan",
    "lessThanOrEquals",
    "maxCount",
    "maxExclusive",
    "maxInclusive",
    "maxLength",
    "maxListLength",
    "memberShape",
    "minCount",
    "minExclusive",
    "minInclusive",
    "minLength",
    "minListLength",
    "node",
    "nodeKind",
    "nodeValidator",
    "not",
    "optional",
    "or",
    "parameter",
    "path",
    "pattern",
    "property",
    "propertyValidator",
    "qualifiedValueShape",
    "rootClass",
    "severity",
    "singleLine",
    "someValue",
    "sparql",
    "subsetOf",
    "target",
    "targetClass",
    "targetNode",
    "targetObjectsOf",
    "targetSubjectsOf",
    "targetWhere",
    "uniqueLang",
    "uniqueMembers",
    "uniqueValuesFor",
    "xone",
];

/// Properties of the advanced features, of SHACL-JS and of SHACL 1.2 that the engine rejects: if it ignored them, it
/// would report data as conforming that were not checked.
pub(super) const REFUSED: [&str; 7] =
    ["expression", "js", "nodeByExpression", "reificationRequired", "reifierShape", "rule", "values"];
