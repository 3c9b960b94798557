//! Recognises Kwanzaa's JSON documents by keys that no other system has.

use super::{KWANZAA, shapes};
use crate::named_enum::named_enum;
use crate::records::{FileShape, RecognisedRecords, RecognitionCertainty};
use crate::rewriting::IndexedGraph;
use evalgraph_json::{JsonDocument, TokenId};
use evalgraph_rdf::quad_buffer::BufferTermId;
use evalgraph_rdf::vocabulary::EVALGRAPH;

/// The number of records that are examined.
const LOOKED_AT: usize = 8;

named_enum! {
    /// The kinds of Kwanzaa files.
    pub enum KwanzaaFileKind {
        /// A dataset: an object with `samples`.
        Dataset = "dataset",
        /// Conversations made from samples: objects with `messages`, one on each line or in an array.
        Chat = "chat",
        /// One answer in the form of the contract, without a sample around it.
        Answer = "answer",
    }
}

impl KwanzaaFileKind {
    /// Returns the shape of files of this kind.
    pub fn shape(self) -> FileShape {
        match self {
            Self::Dataset => shapes::DATASET_FILE,
            Self::Chat => shapes::CHAT_FILE,
            Self::Answer => shapes::ANSWER_FILE,
        }
    }

    /// Returns the reason for recognising a file as this kind.
    fn reason(self) -> &'static str {
        match self {
            Self::Dataset => {
                "`samples` have `sample_id`, `user_query`, `retrieved_context` or `expected_output`"
            }
            Self::Chat => "`messages` end with an answer of `kwanzaa.answer`",
            Self::Answer => {
                "`version` begins with `kwanzaa.answer.v`, or `answer` occurs with `unknowns` and `sources`"
            }
        }
    }

    /// Returns the kind of a Kwanzaa document, or `None` for a document that belongs, or could belong, to another
    /// system.
    ///
    /// ```
    /// use evalgraph_json::{Limits, parse};
    /// use evalgraph_formats::kwanzaa::KwanzaaFileKind;
    ///
    /// let text = r#"{"samples": [{"sample_id": "a", "expected_output": {}}]}"#;
    /// let document = parse("a.json", text.to_owned(), Limits::default())?;
    /// assert_eq!(KwanzaaFileKind::from_document(&document), Some(KwanzaaFileKind::Dataset));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_document(document: &JsonDocument) -> Option<Self> {
        let root = document.root();
        if is_answer(document, root) {
            return Some(Self::Answer);
        }
        if let Some(samples) = document.get(root, "samples") {
            let samples = document.items(samples).filter(|&sample| document.is_object(sample));
            let mut samples = samples.take(LOOKED_AT);
            return samples.any(|sample| is_sample(document, sample)).then_some(Self::Dataset);
        }
        let items = document.items(root).filter(|&record| document.is_object(record));
        let items: Vec<TokenId> = items.take(LOOKED_AT).collect();
        items.into_iter().any(|record| is_conversation(document, record)).then_some(Self::Chat)
    }
}

/// Recognises a Kwanzaa document.
pub(super) fn recognise(document: &JsonDocument) -> Option<RecognisedRecords> {
    let kind = KwanzaaFileKind::from_document(document)?;
    Some(recognised(kind, RecognitionCertainty::Sure, kind.reason()))
}

/// Recognises a document that the user assigns to Kwanzaa, by keys that other systems could also have. The rules
/// report its faults.
pub(super) fn assumed(document: &JsonDocument) -> Option<RecognisedRecords> {
    let root = document.root();
    let has = |key| document.get(root, key).is_some();
    let kind = match () {
        () if has("samples") => KwanzaaFileKind::Dataset,
        () if has("answer") && (has("sources") || has("retrieval_summary") || has("unknowns")) => {
            KwanzaaFileKind::Answer
        }
        () => return None,
    };
    Some(recognised(kind, RecognitionCertainty::Likely, "named by the user"))
}

fn recognised(
    kind: KwanzaaFileKind,
    certainty: RecognitionCertainty,
    why: &'static str,
) -> RecognisedRecords {
    let (system, shape) = (KWANZAA, kind.shape());
    RecognisedRecords { system, kind: kind.name().into(), shape, certainty, why: why.into() }
}

/// Returns the shape of a file, given its node in a graph.
pub fn file_shape(graph: &IndexedGraph<'_>, root: BufferTermId) -> Option<FileShape> {
    let rdf_type = graph.rdf_type()?;
    let is_of = |kind: &KwanzaaFileKind| {
        // The last class is from our vocabulary.
        let class = kind.shape().root.node.rsplit("eg:").next().unwrap_or_default();
        let class = graph.quads().find_iri(&format!("{EVALGRAPH}{class}"));
        class.is_some_and(|class| graph.objects(root, rdf_type).any(|found| found == class))
    };
    KwanzaaFileKind::ALL.into_iter().find(is_of).map(KwanzaaFileKind::shape)
}

fn is_sample(document: &JsonDocument, object: TokenId) -> bool {
    let has = |key: &&str| document.get(object, key).is_some();
    SAMPLE_KEYS.iter().filter(|key| has(key)).count() >= 2
}

/// Keys of a sample that no other format combines. One of them may be missing.
const SAMPLE_KEYS: [&str; 4] = ["sample_id", "user_query", "retrieved_context", "expected_output"];

/// Keys of an answer, besides `answer` itself, that no other format combines.
const ANSWER_KEYS: [&str; 4] = ["retrieval_summary", "unknowns", "sources", "model_mode"];

/// Returns whether an object is an answer: its version says so, or its keys do.
fn is_answer(document: &JsonDocument, object: TokenId) -> bool {
    let has = |key: &&str| document.get(object, key).is_some();
    let version = document.get(object, "version").and_then(|version| document.string(version));
    let has_version = version.is_some_and(|version| version.starts_with("kwanzaa.answer.v"));
    let keys = ANSWER_KEYS.iter().filter(|key| has(key)).count();
    (has_version && (has(&"answer") || keys >= 2)) || (has(&"answer") && keys >= 3)
}

/// Returns whether the last message of a record is an answer in the form of the contract.
fn is_conversation(document: &JsonDocument, record: TokenId) -> bool {
    let Some(messages) = document.get(record, "messages") else { return false };
    let Some(last) = document.items(messages).last() else { return false };
    let content = document.get(last, "content").and_then(|content| document.string(content));
    content.is_some_and(|content| content.starts_with('{') && content.contains("kwanzaa.answer.v"))
}
