//! The terms of Croissant as a table: for each property its values, their number, the version that introduced it, and
//! the section of the specification that defines it.

use super::version::KnownCroissantVersion;

/// A class of nodes that have rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum CroissantClass {
    Dataset,
    FileObject,
    FileSet,
    RecordSet,
    Field,
}

impl CroissantClass {
    /// The classes in Croissant's own namespace.
    pub(super) const CROISSANT: [Self; 4] = [Self::FileObject, Self::FileSet, Self::RecordSet, Self::Field];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Dataset => "Dataset",
            Self::FileObject => "FileObject",
            Self::FileSet => "FileSet",
            Self::RecordSet => "RecordSet",
            Self::Field => "Field",
        }
    }
}

/// The values of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExpectedPropertyValues {
    /// Nodes of these classes that are parts of the subject and described in it.
    Parts(&'static [CroissantClass]),
    /// Nodes of these classes that are described elsewhere.
    References(&'static [CroissantClass]),
    /// Like references, but a data source is also allowed: a node without an id that says where the data are and how
    /// they are extracted.
    Sources(&'static [CroissantClass]),
    /// A node that says how data are extracted or changed.
    Extract,
    Transform,
    Text,
    Boolean,
    Json,
    Anything,
}

/// A property.
#[derive(Debug)]
pub(super) struct CroissantProperty {
    pub(super) name: &'static str,
    pub(super) expected: ExpectedPropertyValues,
    pub(super) is_once: bool,
    pub(super) since: KnownCroissantVersion,
    /// The last version that has it, and the property that replaced it.
    pub(super) until: Option<(KnownCroissantVersion, &'static str)>,
    pub(super) section: &'static str,
}

const fn many(
    name: &'static str,
    expected: ExpectedPropertyValues,
    section: &'static str,
) -> CroissantProperty {
    CroissantProperty {
        name,
        expected,
        is_once: false,
        since: KnownCroissantVersion::V1_0,
        until: None,
        section,
    }
}

const fn once(
    name: &'static str,
    expected: ExpectedPropertyValues,
    section: &'static str,
) -> CroissantProperty {
    CroissantProperty { is_once: true, ..many(name, expected, section) }
}

impl CroissantProperty {
    const fn new_in_1_1(self) -> Self {
        Self { since: KnownCroissantVersion::V1_1, ..self }
    }

    const fn replaced_in_1_1(self, by: &'static str) -> Self {
        Self { until: Some((KnownCroissantVersion::V1_0, by)), ..self }
    }
}

use CroissantClass::{Field, FileObject, FileSet, RecordSet};
use ExpectedPropertyValues::{Anything, Boolean, Extract, Json, Parts, References, Sources, Text, Transform};

static TERMS: [CroissantProperty; 41] = [
    many("annotation", Parts(&[Field]), "annotating-data").new_in_1_1(),
    once("arrayShape", Text, "field").new_in_1_1(),
    once("citeAs", Text, "modified-and-added-properties"),
    once("column", Text, "extract"),
    many("containedIn", Sources(&[FileObject, FileSet]), "resources"),
    once("content", Anything, "extract"),
    many("data", Json, "data"),
    many("dataType", Anything, "datatype"),
    once("delimiter", Text, "transform").replaced_in_1_1("separator"),
    many("equivalentProperty", Anything, "field"),
    many("examples", Anything, "examples"),
    many("excludes", Text, "fileset"),
    once("extract", Extract, "extract"),
    many("field", Parts(&[Field]), "recordset"),
    once("fileObject", References(&[FileObject]), "datasource"),
    once("fileProperty", Text, "extract"),
    once("fileSet", References(&[FileSet]), "datasource"),
    once("format", Text, "format"),
    many("includes", Text, "fileset"),
    once("isArray", Boolean, "field").new_in_1_1(),
    once("isLiveDataset", Boolean, "live-datasets"),
    once("jsonPath", Text, "extract"),
    once("jsonQuery", Text, "transform").replaced_in_1_1("jsonPath"),
    many("key", References(&[Field]), "recordset"),
    once("md5", Text, "checksums"),
    many("parentField", Anything, "field"),
    once("path", Text, "appendix-1-json-ld-context"),
    once("readLines", Boolean, "transform"),
    many("recordSet", Parts(&[RecordSet]), "recordsets"),
    many("references", Sources(&[Field]), "field"),
    once("regex", Text, "transform"),
    once("repeated", Boolean, "field").replaced_in_1_1("isArray"),
    once("replace", Text, "appendix-1-json-ld-context"),
    once("samplingRate", Anything, "datasource"),
    once("sdVersion", Anything, "modified-and-added-properties").new_in_1_1(),
    once("separator", Text, "transform"),
    once("source", Sources(&[FileObject, FileSet, RecordSet, Field]), "field"),
    many("subField", Parts(&[Field]), "field"),
    many("transform", Transform, "transform"),
    once("unArchive", Boolean, "transform"),
    once("value", Anything, "field").new_in_1_1(),
];

/// Other classes of Croissant, and the data types that its programs know.
const OTHER_CLASSES: [&str; 28] = [
    "BoundingBox",
    "ContentExtractionEnumeration",
    "DataSource",
    "DataType",
    "Extract",
    "FilePropertyEnumeration",
    "Float16",
    "Float32",
    "Float64",
    "Format",
    "Int16",
    "Int32",
    "Int64",
    "Int8",
    "Label",
    "ParentField",
    "SegmentationMask",
    "Split",
    "SubField",
    "TestSplit",
    "TrainSplit",
    "TrainingSplit",
    "Transform",
    "UInt16",
    "UInt32",
    "UInt64",
    "UInt8",
    "ValidationSplit",
];

/// The terms of Croissant Tasks, another specification in the same namespace, which has its own shapes.
const OF_TASKS: [&str; 24] = [
    "EvaluationResult",
    "EvaluationSpec",
    "EvaluationTask",
    "ExecutionInfo",
    "ExecutionSpec",
    "ImplementationSpec",
    "InputSpec",
    "OutputSpec",
    "Task",
    "TaskProblem",
    "TaskSolution",
    "Test",
    "environment",
    "evaluatedSolution",
    "evaluation",
    "evaluationResults",
    "execution",
    "implementation",
    "input",
    "metric",
    "output",
    "schema",
    "subTask",
    "tests",
];

/// Returns whether a name is a term of Croissant Tasks, which the rules ignore.
pub(super) fn is_of_tasks(name: &str) -> bool {
    OF_TASKS.contains(&name)
}

/// All properties.
pub(super) fn terms() -> impl Iterator<Item = &'static CroissantProperty> {
    TERMS.iter()
}

/// The property with a name.
pub(super) fn term(name: &str) -> Option<&'static CroissantProperty> {
    terms().find(|term| term.name == name)
}

/// The classes of Croissant by name.
pub(super) fn class_names() -> impl Iterator<Item = &'static str> {
    CroissantClass::CROISSANT.iter().map(|class| class.name()).chain(OTHER_CLASSES)
}
