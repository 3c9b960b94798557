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
/// MD5 of the text with its case folded, each run of white space one blank. Operators stay, so that
/// `2+2` is not `22`. Letters that are composed in one text and not in the other are two.
///
/// ```
/// use evalgraph::source::catalog::text_key;
///
/// assert_eq!(text_key("What is  2+2?\n"), text_key("what is 2+2?"));
/// assert_eq!(text_key("Heißt es ΟΔΥΣΣΕΥΣ?"), text_key("HEISST ES Οδυσσευς?"));
/// assert_ne!(text_key("What is 2+2?"), text_key("What is 22?"));
/// ```
pub fn text_key(text: &str) -> String {
    hexadecimal(&Md5::digest(folded(text)))
}

/// What two questions have in common that differ in punctuation, too: the [`text_key`] without quotes,
/// brackets and the marks of sentences, unless these stand between two digits. Operators stay.
///
/// ```
/// use evalgraph::source::catalog::loose_key;
///
/// assert_eq!(loose_key("“What's 2.5 + 2?”"), loose_key("Whats 2.5 + 2"));
/// assert_ne!(loose_key("What is 2.5?"), loose_key("What is 25?"));
/// assert_ne!(loose_key("2-2"), loose_key("22"));
/// ```
pub fn loose_key(text: &str) -> String {
    let folded = folded(text);
    let mut stripped = String::with_capacity(folded.len());
    let mut characters = folded.chars().peekable();
    let mut last = ' ';
    while let Some(character) = characters.next() {
        let is_in_number = last.is_numeric() && characters.peek().is_some_and(|next| next.is_numeric());
        let is_kept = match character {
            '.' | ',' | ':' => is_in_number,
            _ => !is_punctuation(character),
        };
        if is_kept {
            stripped.push(character);
        }
        last = character;
    }
    text_key(&stripped)
}

/// Quotes, brackets and the marks of sentences.
fn is_punctuation(character: char) -> bool {
    const ASCII: &str = ".,:;!?'\"`()[]{}";
    const OTHERS: &str = "…¡¿«»‹›´、。「」『』（），．：；？！";
    ASCII.contains(character) || ('\u{2018}'..='\u{201f}').contains(&character) || OTHERS.contains(character)
}

/// The text with its case folded, each run of white space one blank.
fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        word.chars().for_each(|character| fold(character, &mut folded));
    }
    folded
}

/// Appends a character without its case (Unicode, full case folding): what is one letter in capitals is
/// one, as `ß` and `ss`, `σ` and `ς`.
fn fold(character: char, folded: &mut String) {
    match character {
        _ if character.is_ascii() => folded.push(character.to_ascii_lowercase()),
        // The capital of this one is that of another letter.
        'ı' => folded.push(character),
        _ => {
            folded.extend(character.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase));
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_is_folded_in_full() {
        let pairs = [
            ("STRASSE", "Straße"),
            ("GROẞ", "groß"),
            ("ΣΊΣΥΦΟΣ", "Σίσυφος"),
            ("ﬁve", "FIVE"),
            ("\u{212a}elvin", "kelvin"),
            ("5 \u{b5}m", "5 \u{3bc}m"),
            ("İ", "i\u{307}"),
        ];
        for (one, other) in pairs {
            assert_eq!(folded(one), folded(other), "{one}");
        }
        // These are letters of their own.
        assert_ne!(folded("ı"), folded("i"));
        assert_ne!(folded("é"), folded("e"));
    }

    #[test]
    fn blanks_are_one_blank_and_operators_stay() {
        assert_eq!(folded("\u{3000} What\tis\r\n2 + 2 ? "), "what is 2 + 2 ?");
        let keys: std::collections::HashSet<String> =
            ["2+2", "2-2", "2*2", "2/2", "2<2", "2=2", "22", "2 2", "2.2", "2,2"].map(loose_key).into();
        assert_eq!(keys.len(), 10);
    }

    #[test]
    fn punctuation_is_loose() {
        let same = [
            ("What is AI?", "what is ai"),
            ("“What is ‘AI’?”", "What is AI"),
            ("Wer ist es, (und) warum?!", "wer ist es und warum…"),
            ("What is it ?", "What is it"),
            ("什么是人工智能？", "什么是人工智能"),
        ];
        for (one, other) in same {
            assert_eq!(loose_key(one), loose_key(other), "{one}");
            assert_ne!(text_key(one), text_key(other), "{one}");
        }
        assert_eq!(loose_key("At 10:30, 2.5 or 3.?"), loose_key("at 10:30 2.5 or 3"));
    }
}
