//! The rules by name, each with its usual level.

use super::croissant::KnownCroissantVersion;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CheckLevel {
    /// Not reported.
    Off,
    /// A form that schema.org tolerates.
    Info,
    /// A known term that is used differently from schema.org's description.
    Warning,
    /// Something that schema.org does not have.
    Error,
}

impl CheckLevel {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// The level with a name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Off, Self::Info, Self::Warning, Self::Error].into_iter().find(|level| level.name() == name)
    }
}

/// A rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CheckRule {
    /// A type is not a class.
    UnknownType,
    /// A predicate is not a property.
    UnknownProperty,
    /// A value is not a term, although one is expected.
    UnknownTerm,
    /// The document has no term of schema.org.
    NoSchemaOrg,
    /// A prefix for schema.org is not declared.
    UndefinedPrefix,
    /// A property is on a node of another class.
    Domain,
    /// A property leads to a node of another class.
    Range,
    /// A literal has none of the expected datatypes.
    Datatype,
    /// A string does not name a member of the enumeration.
    EnumValue,
    /// A term has a successor.
    Superseded,
    /// A term was retired.
    Retired,
    /// A role does not repeat the property that leads to it.
    RoleUnpropagated,
    /// A node has a datatype as type.
    DatatypeNode,
    /// The document has both namespaces of schema.org.
    NamespaceMixed,
    /// The document has another namespace than schema.org's.
    NamespaceAlias,
    /// An IRI is malformed, and its statement is lost.
    BadIri,
    /// The context maps a key to nothing, and its value is lost.
    DroppedKey,
    /// A string is used in place of a node.
    TextForObject,
    /// A string names a member of an enumeration.
    EnumAsText,
    /// A number or Boolean is used in place of a string.
    LiteralKind,
    /// An IRI is used in place of a literal.
    UrlForValue,
    /// A node has no type.
    NoType,
    /// A relative IRI has no base, and its statement is lost.
    RelativeIri,
    /// A term is pending.
    Pending,
    /// Croissant: `conformsTo` does not name a known version.
    CroissantVersion,
    /// Croissant: a part has no type, or not the expected one.
    CroissantType,
    /// Croissant: two parts have the same id.
    CroissantDuplicateId,
    /// Croissant: a reference does not lead to a node.
    CroissantReference,
    /// Croissant: a field has no data type.
    CroissantFieldType,
    /// Croissant: the shape of an array is invalid.
    CroissantArrayShape,
    /// Croissant: a property of files does not exist.
    CroissantFileProperty,
    /// Croissant: the keys of records are not the fields.
    CroissantData,
    /// Croissant: a term is in a wrong namespace.
    CroissantNamespace,
    /// Croissant: a property is missing.
    CroissantMissingProperty,
    /// Croissant: a property has more than one value.
    CroissantCardinality,
    /// Croissant: a value is not of the expected kind.
    CroissantValue,
    /// Croissant: a term does not exist in the version.
    CroissantUnknownTerm,
    /// Croissant: a reference leads to a node of a wrong class.
    CroissantReferenceClass,
    /// Croissant: a checksum is invalid.
    CroissantChecksum,
    /// Croissant: files contain each other.
    CroissantContainment,
    /// Croissant: a field has no values, or a source is incomplete.
    CroissantSource,
    /// Croissant: a key is not a field.
    CroissantKey,
    /// Croissant: a data type is not in its vocabulary.
    CroissantDataType,
    /// Croissant: sources are not joined.
    CroissantJoin,
    /// Croissant: recommended properties are missing.
    CroissantRecommendedProperty,
}

use CheckLevel::{Error, Info, Off, Warning};

/// The texts that explain the rules.
pub const EXPLANATIONS: &[&str] =
    &[include_str!("explained/schema_org.md"), include_str!("explained/croissant.md")];

/// The page of schema.org about how data should use its terms.
const PAGE: &str = "https://schema.org/docs/datamodel.html";

/// The rules of schema.org in order: code, name, level, and what should be true.
const RULES: [(CheckRule, &str, CheckLevel, &str); 24] = [
    (
        CheckRule::UnknownType,
        "unknown-type",
        Error,
        "a type of schema.org's namespace should be one of its classes",
    ),
    (
        CheckRule::UnknownProperty,
        "unknown-property",
        Error,
        "a predicate of schema.org's namespace should be one of its properties",
    ),
    (
        CheckRule::UnknownTerm,
        "unknown-term",
        Error,
        "a value of schema.org's namespace should be one of its terms",
    ),
    (CheckRule::NoSchemaOrg, "no-schema-org", Error, "a document should have terms of schema.org"),
    (CheckRule::UndefinedPrefix, "undefined-prefix", Error, "a prefix for schema.org should be declared"),
    (CheckRule::Domain, "domain", Warning, "a property should be on a node of a class that has it"),
    (CheckRule::Range, "range", Warning, "a property should have the values that schema.org expects"),
    (
        CheckRule::Datatype,
        "datatype",
        Warning,
        "a literal should have the form of a datatype that is expected",
    ),
    (CheckRule::EnumValue, "enum-value", Warning, "a value of an enumeration should be one of its members"),
    (CheckRule::Superseded, "superseded", Warning, "a term should be the current one"),
    (CheckRule::Retired, "retired", Warning, "a term should not be retired"),
    (
        CheckRule::RoleUnpropagated,
        "role-unpropagated",
        Warning,
        "a role should repeat the property that leads to it",
    ),
    (CheckRule::DatatypeNode, "datatype-node", Warning, "a node should not have a datatype as its type"),
    (
        CheckRule::NamespaceMixed,
        "namespace-mixed",
        Warning,
        "a document should have one namespace of schema.org",
    ),
    (
        CheckRule::NamespaceAlias,
        "namespace-alias",
        Warning,
        "the namespace of schema.org should be its official one",
    ),
    (CheckRule::BadIri, "bad-iri", Warning, "an IRI should be well formed"),
    (CheckRule::DroppedKey, "dropped-key", Warning, "a key should be a term of the context"),
    (CheckRule::TextForObject, "text-for-object", Info, "a value should be a node where one is expected"),
    (CheckRule::EnumAsText, "enum-as-text", Info, "a member of an enumeration should be named by its IRI"),
    (CheckRule::LiteralKind, "literal-kind", Info, "a string should be a string, not a number or Boolean"),
    (CheckRule::UrlForValue, "url-for-value", Info, "a value should be a literal where one is expected"),
    (CheckRule::NoType, "no-type", Info, "a node should have a type"),
    (CheckRule::RelativeIri, "relative-iri", Info, "a relative IRI should have a base"),
    (CheckRule::Pending, "pending", Off, "a term should not be pending"),
];

/// The rules of Croissant in order, each with its section of the specification in 1.0 and in 1.1.
const CROISSANT_RULES: [(CheckRule, &str, CheckLevel, &str, &str); 21] = [
    (
        CheckRule::CroissantVersion,
        "croissant-version",
        Error,
        "a dataset should say that it conforms to a version of Croissant",
        "required",
    ),
    (
        CheckRule::CroissantType,
        "croissant-type",
        Error,
        "a part of a dataset should have the type that is expected there",
        "resources",
    ),
    (
        CheckRule::CroissantDuplicateId,
        "croissant-duplicate-id",
        Error,
        "an `@id` should belong to only one part",
        "id-and-reference-mechanism",
    ),
    (
        CheckRule::CroissantReference,
        "croissant-reference",
        Error,
        "a reference should lead to a node of the document",
        "id-and-reference-mechanism",
    ),
    (
        CheckRule::CroissantFieldType,
        "croissant-field-type",
        Error,
        "a field should have a data type",
        "datatype",
    ),
    (
        CheckRule::CroissantArrayShape,
        "croissant-array-shape",
        Error,
        "the shape of an array should be sizes with commas",
        "field",
    ),
    (
        CheckRule::CroissantFileProperty,
        "croissant-file-property",
        Error,
        "a property of files should be one of five",
        "extract",
    ),
    (
        CheckRule::CroissantData,
        "croissant-data",
        Error,
        "records should have the fields of their record set as keys",
        "data",
    ),
    (
        CheckRule::CroissantNamespace,
        "croissant-namespace",
        Warning,
        "a term of Croissant should be in the namespace of Croissant",
        "namespaces",
    ),
    (
        CheckRule::CroissantMissingProperty,
        "croissant-missing-property",
        Warning,
        "a node should have the properties that Croissant or its programs require",
        "required",
    ),
    (
        CheckRule::CroissantCardinality,
        "croissant-cardinality",
        Warning,
        "a property that takes one value should not have more",
        "required",
    ),
    (
        CheckRule::CroissantValue,
        "croissant-value",
        Warning,
        "a value should be a string, a Boolean or a node where one is expected",
        "id-and-reference-mechanism",
    ),
    (
        CheckRule::CroissantUnknownTerm,
        "croissant-unknown-term",
        Warning,
        "a term in the namespace of Croissant should be one of the version",
        "appendix-1-json-ld-context",
    ),
    (
        CheckRule::CroissantReferenceClass,
        "croissant-reference-class",
        Warning,
        "a reference should lead to a node of the class that is expected",
        "datasource",
    ),
    (
        CheckRule::CroissantChecksum,
        "croissant-checksum",
        Warning,
        "a checksum should be hexadecimal and have the right length",
        "checksums",
    ),
    (
        CheckRule::CroissantContainment,
        "croissant-containment",
        Warning,
        "a file should not be contained in itself",
        "fileobject",
    ),
    (
        CheckRule::CroissantSource,
        "croissant-source",
        Warning,
        "a field should have one source, which says where the data are and how they are taken out",
        "datasource",
    ),
    (
        CheckRule::CroissantKey,
        "croissant-key",
        Warning,
        "a key should be made of fields of its record set",
        "recordset",
    ),
    (
        CheckRule::CroissantDataType,
        "croissant-data-type",
        Warning,
        "a data type should be one that its vocabulary has",
        "data-types",
    ),
    (
        CheckRule::CroissantJoin,
        "croissant-join",
        Warning,
        "the sources of a record set should be joined by references",
        "joins",
    ),
    (
        CheckRule::CroissantRecommendedProperty,
        "croissant-recommended-property",
        Info,
        "a dataset should have the properties that Croissant recommends",
        "recommended",
    ),
];

impl CheckRule {
    /// All rules: those of schema.org, then those of Croissant. In each group errors come first.
    pub fn all() -> impl Iterator<Item = Self> {
        let of_schema_org = RULES.iter().map(|(code, ..)| *code);
        of_schema_org.chain(CROISSANT_RULES.iter().map(|(code, ..)| *code))
    }

    /// The rule with a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|code| code.name() == name)
    }

    /// Its name, as in `unknown-type`.
    pub fn name(self) -> &'static str {
        self.of_croissant().map_or_else(|| self.rule().1, |rule| rule.1)
    }

    /// Its level if no other is set.
    pub fn level(self) -> CheckLevel {
        self.of_croissant().map_or_else(|| self.rule().2, |rule| rule.2)
    }

    /// The rule in words.
    pub fn title(self) -> &'static str {
        self.of_croissant().map_or_else(|| self.rule().3, |rule| rule.3)
    }

    /// The page to read about the rule: schema.org's page about data, or the section of the newest Croissant
    /// specification.
    pub fn page(self) -> String {
        self.of_croissant().map_or_else(|| PAGE.to_owned(), |rule| KnownCroissantVersion::V1_1.page(rule.4))
    }

    /// Returns whether it is a rule of Croissant rather than schema.org.
    pub fn is_of_croissant(self) -> bool {
        self.of_croissant().is_some()
    }

    fn rule(self) -> &'static (Self, &'static str, CheckLevel, &'static str) {
        // The rows have the order of the variants.
        &RULES[self as usize]
    }

    fn of_croissant(self) -> Option<&'static (Self, &'static str, CheckLevel, &'static str, &'static str)> {
        (self as usize).checked_sub(RULES.len()).map(|number| &CROISSANT_RULES[number])
    }
}
