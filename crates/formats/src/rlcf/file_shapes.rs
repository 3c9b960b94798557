//! The shapes of RLCF's files: an array of records of a kind, a single record, or an object with named arrays.

use super::RLCF;
use super::dataset_files::DatasetFile;
use super::kinds::RecordKind;
use super::record_kind_finder::{RecordList, RlcfFileRecords, RlcfRecord, ToldBy, has_record_with, tell};
use super::reply_paths::reply_path;
use super::root_shapes::{EXPORT, PROPERTY, ROOT_OF_MANY, ROOT_OF_ONE, YAML_TASKS};
use crate::records::{
    FileShape, MemberForm, RecognisedRecords, RecognitionCertainty, RecordName, RecordPlacement,
};
use crate::rewriting::IndexedGraph;
use MemberForm::{Node, Nodes};
use RecordKind as K;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::JsonDocument;
use evalgraph_rdf::quad_buffer::{BufferTermId, TermRef};
use evalgraph_rdf::vocabulary::EVALGRAPH;

/// A key of an object with named arrays, and the records under it.
pub(super) struct NamedRecords {
    /// The key.
    pub(super) key: &'static str,
    /// The kind of the records.
    pub(super) kind: RecordKind,
    /// `true` if the value is an array of records; otherwise it is a single record.
    pub(super) is_array: bool,
}

/// Returns the keys of an object with named arrays, in their order: for each kind, only the first of its keys.
pub(super) fn named_records() -> impl Iterator<Item = NamedRecords> {
    EXPORT.members.iter().filter(|member| member.path == PROPERTY).filter_map(|member| {
        let (shape, is_array) = match member.form {
            Nodes(shape) => (shape, true),
            Node(shape) => (shape, false),
            _ => return None,
        };
        Some(NamedRecords { key: member.key, kind: RecordKind::of_name(shape.name)?, is_array })
    })
}

/// Returns the properties that lead from the node of a file to its records.
pub(super) fn file_properties() -> impl Iterator<Item = &'static str> {
    EXPORT.members.iter().map(|member| member.path)
}

/// Returns the tables that read the records of a file.
pub fn file_shape(told: &RlcfFileRecords) -> FileShape {
    let one = |root, records| FileShape { root, records };
    let list = match told.lists.as_slice() {
        [list] if list.key.is_none() => list,
        lists => {
            let is_yaml = lists.iter().all(|list| list.kind() == Some(K::YamlTask));
            let root = if is_yaml { &YAML_TASKS } else { &EXPORT };
            return one(root, RecordPlacement::InRoot);
        }
    };
    let shape = match list.rows_of {
        Some(file) => &file.shape,
        None => list.kind().unwrap_or(K::ErrorReply).shape(),
    };
    if list.is_array {
        one(&ROOT_OF_MANY, RecordPlacement::Items(PROPERTY, shape))
    } else {
        one(&ROOT_OF_ONE, RecordPlacement::One(PROPERTY, shape))
    }
}

/// Describes the content of a file in one or two words.
fn kind_of_file(told: &RlcfFileRecords) -> String {
    let shape = file_shape(told);
    if std::ptr::eq(shape.root, &raw const YAML_TASKS) {
        return "tasks".to_owned();
    }
    let Some(list) = told.lists.first().filter(|_| !matches!(shape.records, RecordPlacement::InRoot)) else {
        return "export".to_owned();
    };
    match (list.rows_of, list.kind(), list.is_array) {
        (Some(file), _, true) => format!("{} rows", file.stem),
        (Some(file), _, false) => format!("{} row", file.stem),
        (None, Some(kind), true) => format!("{kind} records"),
        (None, Some(kind), false) => kind.name().to_owned(),
        (None, None, _) => "no records".to_owned(),
    }
}

/// Returns the shape of a file, given its node in a graph, or `None` if it is not an RLCF file.
pub(super) fn file_shape_of_graph(graph: &IndexedGraph<'_>, root: BufferTermId) -> Option<FileShape> {
    let class = |node: BufferTermId| -> Option<&str> {
        let mut classes = graph.rdf_type().into_iter().flat_map(|rdf_type| graph.objects(node, rdf_type));
        classes.find_map(|class| match graph.quads().term(class) {
            TermRef::Iri(iri) => iri.strip_prefix(EVALGRAPH),
            _ => None,
        })
    };
    let root_shape = match class(root)? {
        "RlcfExport" => return Some(FileShape { root: &EXPORT, records: RecordPlacement::InRoot }),
        "RlcfTasks" => return Some(FileShape { root: &YAML_TASKS, records: RecordPlacement::InRoot }),
        "RlcfRecords" => &ROOT_OF_MANY,
        "RlcfRecord" => &ROOT_OF_ONE,
        _ => return None,
    };
    let elements = graph.schema_org(PROPERTY);
    let mut records = elements.iter().flat_map(|&property| graph.objects(root, property));
    let record = records.find_map(|node| Some((node, RecordKind::of_name(class(node)?)?)));
    let shape = match record {
        Some((node, K::DatasetRow)) => &file_of(graph, node)?.shape,
        Some((_, kind)) => kind.shape(),
        // A file without records: any kind will do.
        None => K::User.shape(),
    };
    let is_one = std::ptr::eq(root_shape, &raw const ROOT_OF_ONE);
    let records =
        if is_one { RecordPlacement::One(PROPERTY, shape) } else { RecordPlacement::Items(PROPERTY, shape) };
    Some(FileShape { root: root_shape, records })
}

/// Returns the dataset file to which a row belongs, by its task type.
fn file_of(graph: &IndexedGraph<'_>, row: BufferTermId) -> Option<&'static DatasetFile> {
    let properties = graph.schema_org("additionalType");
    let mut types = properties.iter().flat_map(|&property| graph.objects(row, property));
    types.find_map(|value| match graph.quads().term(value) {
        TermRef::Literal { lexical, .. } => DatasetFile::of_task_type(lexical),
        _ => None,
    })
}

/// Recognises an RLCF file by its keys. Rows of dataset files are recognised by name and keys together, because other
/// systems have rows with the same keys.
///
/// # Errors
/// The errors of [`tell`], for a file with both a record that only RLCF has and an unclear record.
pub(super) fn recognise(document: &JsonDocument) -> Result<Option<RecognisedRecords>, Box<Diagnostic>> {
    let told = match tell(document, document.name(), None) {
        Ok(told) => told,
        Err(fault) if has_record_with(document, &OWN_KEYS) => return Err(fault),
        Err(_) => return Ok(None),
    };
    // An error reply of an API is not data, unless the user asks for it.
    let judged = if told.is_error_reply() { None } else { judged(document, &told) };
    Ok(judged.map(|(certainty, why)| RecognisedRecords { certainty, why: why.into(), ..recognised(&told) }))
}

/// Returns whether a file is an error reply of the API.
pub(super) fn is_error_reply(document: &JsonDocument) -> bool {
    tell(document, document.name(), None).is_ok_and(|told| told.is_error_reply())
}

/// Describes a file that is known to be an RLCF file.
///
/// # Errors
/// The errors of [`tell`].
pub(super) fn recognise_as(
    document: &JsonDocument,
    asked: Option<RecordName>,
) -> Result<RecognisedRecords, Box<Diagnostic>> {
    Ok(recognised(&tell(document, document.name(), asked)?))
}

fn recognised(told: &RlcfFileRecords) -> RecognisedRecords {
    RecognisedRecords {
        system: RLCF,
        kind: kind_of_file(told).into(),
        shape: file_shape(told),
        certainty: RecognitionCertainty::Sure,
        why: "named by the user".into(),
    }
}

/// Returns how certain it is that a file is an RLCF file, and why, or `None` unless at least half of its records have
/// the keys of their kind.
fn judged(document: &JsonDocument, told: &RlcfFileRecords) -> Option<(RecognitionCertainty, String)> {
    if is_empty_reply(document, told) {
        return Some((
            RecognitionCertainty::Likely,
            "its path is that of an API request, and the reply is empty".to_owned(),
        ));
    }
    let mut best: Option<(RecognitionCertainty, String)> = None;
    let (mut with_keys, mut without) = (0_usize, 0_usize);
    for list in &told.lists {
        for record in list.records.iter().filter(|record| document.is_object(record.value)) {
            let Some(keys) = keys_of(document, list, record) else {
                without += 1;
                continue;
            };
            with_keys += 1;
            let certainty = match list.rows_of {
                None if keys.iter().any(|key| OWN_KEYS.contains(key)) => RecognitionCertainty::Sure,
                _ => RecognitionCertainty::Likely,
            };
            if best.as_ref().is_none_or(|(known, _)| *known < certainty) {
                let keys = keys.join("`, `");
                let why = match told.by {
                    ToldBy::Path(name) => format!("its name has `{name}`, its records have `{keys}`"),
                    _ => format!("its records have `{keys}`"),
                };
                best = Some((certainty, why));
            }
        }
    }
    best.filter(|_| with_keys >= without)
}

/// Returns the keys that show the kind of a record, if it has them.
fn keys_of(document: &JsonDocument, list: &RecordList, record: &RlcfRecord) -> Option<Vec<&'static str>> {
    let has = |key: &&str| document.get(record.value, key).is_some();
    match list.rows_of {
        Some(file) => {
            let keys: Vec<&'static str> = file.input.iter().chain(file.ground_truth).copied().collect();
            // The name of the file already gives the kind, so half of the keys suffice.
            (keys.iter().filter(|key| has(key)).count() * 2 >= keys.len()).then_some(keys)
        }
        None => {
            // A YAML task may lack the answer of a model.
            let without_answer: &[&[&str]] = match record.kind {
                K::YamlTask => K::LegalTaskCreate.signatures(),
                _ => &[],
            };
            let mut signatures = record.kind.signatures().iter().chain(without_answer);
            signatures.find(|keys| keys.iter().all(has)).map(|keys| keys.to_vec())
        }
    }
}

/// Returns whether a file is an empty reply of the API: a list without items, or counts without task types.
fn is_empty_reply(document: &JsonDocument, told: &RlcfFileRecords) -> bool {
    let says_nothing = |record: &RlcfRecord| {
        record.kind == K::TaskDistribution && document.members(record.value).next().is_none()
    };
    let is_empty = |list: &RecordList| {
        let is_list = list.is_array && list.key.is_none() && list.records.is_empty();
        is_list || (!list.is_array && list.records.iter().all(says_nothing))
    };
    let is_reply = matches!(told.by, ToldBy::Path(_)) && reply_path(document.name()).is_some();
    is_reply && told.lists.iter().all(is_empty)
}

/// Keys that no other system has.
const OWN_KEYS: [&str; 14] = [
    "task_type",
    "feedback_data",
    "output_data",
    "feedback_id",
    "helpfulness_score",
    "is_devils_advocate",
    "bias_type",
    "export_format",
    "totalFeedback",
    "totalTasks",
    "yaml_content",
    "authority_weights",
    "baseline_credentials",
    "task_types",
];
