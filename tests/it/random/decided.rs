//! Where other engines are known to answer otherwise: rows of `tests/decided-differences.tsv`, each with the
//! sentence that decides. A row does not keep a case from being asked; it says what a difference comes from.

use regex::Regex;

/// A row.
pub(crate) struct Decided {
    /// Engines with the same deed, with spaces between them.
    engine: String,
    subject: String,
    /// Texts of a case that all have to be there, or with a `!` in front must not be; with a `~` in front, patterns.
    shape: Vec<String>,
    /// The engine's deed, and the sentence that decides.
    pub(crate) sentence: String,
}

/// The rows of a subject.
pub(crate) fn decided(subject: &str) -> Vec<Decided> {
    rows().filter(|row| row.subject == subject).collect()
}

fn rows() -> impl Iterator<Item = Decided> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/decided-differences.tsv");
    let table = std::fs::read_to_string(path).expect("the table can be read");
    let row = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [engine, subject, shape, sentence] = columns[..] else { panic!("four columns: {line}") };
        let shape = shape.split(" && ").map(str::to_owned).collect();
        Decided {
            engine: engine.to_owned(),
            subject: subject.to_owned(),
            shape,
            sentence: sentence.to_owned(),
        }
    };
    table.lines().skip(1).map(row).collect::<Vec<_>>().into_iter()
}

impl Decided {
    /// Returns whether it speaks of a difference with an engine.
    pub(crate) fn covers(&self, engine: &str, case: &str) -> bool {
        let holds = |part: &String| match (part.chars().next(), part.get(1..)) {
            (Some('!'), Some(absent)) if !absent.is_empty() => !case.contains(absent),
            (Some('~'), Some(pattern)) => pattern_of(pattern).is_match(case),
            _ => case.contains(part.as_str()),
        };
        self.engine.split(' ').any(|name| name == engine) && self.shape.iter().all(holds)
    }
}

fn pattern_of(text: &str) -> Regex {
    Regex::new(text).unwrap_or_else(|error| panic!("{text} is not a pattern: {error}"))
}

#[test]
fn each_decided_difference_has_a_sentence_that_decides() {
    for row in rows() {
        assert!(
            row.sentence.contains(": \"") || row.sentence.contains(": `"),
            "no sentence is cited: {}",
            row.sentence
        );
        assert!(!row.shape.iter().any(String::is_empty), "a shape is empty: {}", row.sentence);
        row.shape
            .iter()
            .filter_map(|part| part.strip_prefix('~'))
            .for_each(|pattern| drop(pattern_of(pattern)));
    }
}
