//! The catalog: for every question of every system the few keys that questions are joined by, and
//! for every file where it came from.
//!
//! It is a graph of its own beside the graphs of the documents. Which questions a graph has is left
//! to the systems.

use crate::rdf::vocabulary::{EVALGRAPH_GRAPH, evalgraph, xsd};
use crate::rdf::{QuadBuffer, QuadSink};
use crate::source::items::Item;
use chrono::{DateTime, SecondsFormat, Utc};
use md5::Md5;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// The dataset's name for which no document graph is made, since it is the catalog's.
pub const CATALOG: &str = "catalog";

/// A file.
#[derive(Debug, Clone)]
pub struct CatalogFile<'f> {
    /// The name of its document graph.
    pub graph: &'f str,
    /// The system whose file it is.
    pub system: &'f str,
    /// The name of its dataset.
    pub dataset: &'f str,
    /// Its path as given.
    pub path: &'f str,
    /// What stands in it, opened where it was compressed.
    pub bytes: &'f [u8],
    /// Its dialect, where the system has some.
    pub dialect: Option<&'f str>,
    /// When it was read.
    pub time: DateTime<Utc>,
    /// How many triples its document graph has.
    pub triples: u64,
}

/// What two questions with the same text have in common whatever their capitals and blanks: the
/// MD5 of the text in lower case, each run of white space one blank. Operators stay, so that `2+2`
/// is not `22`.
///
/// ```
/// use evalgraph::source::catalog::text_key;
///
/// assert_eq!(text_key("What is  2+2?\n"), text_key("what is 2+2?"));
/// assert_ne!(text_key("What is 2+2?"), text_key("What is 22?"));
/// ```
pub fn text_key(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    hexadecimal(&Md5::digest(words.join(" ").to_lowercase()))
}

/// Appends what is known of a file and its questions to the catalog.
pub fn encode(file: &CatalogFile<'_>, questions: &[Item], quads: &mut QuadBuffer) {
    let graph = Some(quads.iri(&format!("{EVALGRAPH_GRAPH}{CATALOG}")));
    let [integer, boolean, date_time] =
        [xsd::INTEGER, xsd::BOOLEAN, xsd::DATE_TIME].map(|iri| quads.iri(iri));
    let [system, dataset, local_id, key, answerable, answer] = [
        evalgraph::SYSTEM,
        evalgraph::DATASET,
        evalgraph::LOCAL_ID,
        evalgraph::TEXT_KEY,
        evalgraph::ANSWERABLE,
        evalgraph::ANSWER,
    ]
    .map(|iri| quads.iri(iri));
    let (of_system, of_dataset) = (quads.string(file.system), quads.string(file.dataset));
    let document = quads.iri(file.graph);
    quads.quad(document, system, of_system, graph);
    quads.quad(document, dataset, of_dataset, graph);
    let time = file.time.to_rfc3339_opts(SecondsFormat::Secs, true);
    let count = |count: u64| count.to_string();
    let facts = [
        (evalgraph::PATH, None, Some(file.path.to_owned())),
        (evalgraph::SHA_256, None, Some(hexadecimal(&Sha256::digest(file.bytes)))),
        (evalgraph::DIALECT, None, file.dialect.map(str::to_owned)),
        (evalgraph::LOADED_AT, Some(date_time), Some(time)),
        (evalgraph::QUESTION_COUNT, Some(integer), Some(count(questions.len() as u64))),
        (evalgraph::TRIPLE_COUNT, Some(integer), Some(count(file.triples))),
    ];
    for (predicate, datatype, value) in facts {
        let Some(value) = value else { continue };
        let predicate = quads.iri(predicate);
        let value = match datatype {
            Some(datatype) => quads.typed_literal(&value, datatype),
            None => quads.string(&value),
        };
        quads.quad(document, predicate, value, graph);
    }
    for question in questions {
        quads.quad(question.node, system, of_system, graph);
        quads.quad(question.node, dataset, of_dataset, graph);
        let has_text = !question.question.is_empty();
        let texts = [
            (local_id, Some(question.local_id.clone()).filter(|id| !id.is_empty())),
            (key, has_text.then(|| text_key(&question.question))),
            (answer, question.answer.clone()),
        ];
        for (predicate, value) in texts {
            if let Some(value) = value {
                let value = quads.string(&value);
                quads.quad(question.node, predicate, value, graph);
            }
        }
        let is_answerable = question.answer.is_some() && question.is_impossible != Some(true);
        let value = quads.typed_literal(if is_answerable { "true" } else { "false" }, boolean);
        quads.quad(question.node, answerable, value, graph);
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}
