//! The values that records have of the facts by which they are chosen, for a criterion that no record meets.

use std::collections::BTreeSet;

use super::criteria::RecordCriteria;
use super::record_facts::RecordFacts;
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity};
use evalgraph_text_keys::without_marks;

/// How many values are kept of each fact, and how many of them a message lists.
const MOST: usize = 10_000;
const LISTED: usize = 8;

/// The states, keywords and types of records.
#[derive(Debug, Default)]
pub struct CriteriaValues {
    states: BTreeSet<String>,
    keywords: BTreeSet<String>,
    types: BTreeSet<String>,
}

impl CriteriaValues {
    /// Adds the values of the records of a file.
    pub fn add(&mut self, facts: &[RecordFacts]) {
        for facts in facts {
            let values = [
                (&mut self.states, facts.state.as_slice()),
                (&mut self.keywords, &facts.keywords),
                (&mut self.types, &facts.types),
            ];
            for (known, values) in values {
                let more = values.iter().filter(|value| !known.contains(*value)).cloned();
                let more: Vec<String> = more.take(MOST.saturating_sub(known.len())).collect();
                known.extend(more);
            }
        }
    }

    /// Returns a note for each value of a criterion that no record has.
    pub fn unknown(&self, criteria: &RecordCriteria) -> Vec<Diagnostic> {
        let lists = [
            ("state", &criteria.states, &self.states),
            ("keyword", &criteria.keywords, &self.keywords),
            ("type", &criteria.types, &self.types),
        ];
        let mut notes = Vec::new();
        for (fact, wanted, known) in lists {
            let is_known = |wanted: &str| known.iter().any(|one| without_marks(one) == without_marks(wanted));
            for wanted in wanted.iter().filter(|wanted| !is_known(wanted)) {
                let message = format!("no record has the {fact} `{wanted}`");
                let note = Diagnostic::new(FindingSeverity::Note, "filter::value", message);
                notes.push(note.with_help(help(wanted, known)));
            }
        }
        notes
    }
}

/// Says which value was probably meant, or which there are.
fn help(wanted: &str, known: &BTreeSet<String>) -> String {
    if let Some(near) = nearest(wanted, known.iter().map(String::as_str)) {
        return format!("did you mean `{near}`?");
    }
    let listed: Vec<String> = known.iter().take(LISTED).map(|value| format!("`{value}`")).collect();
    match known.len() {
        0 => "the records have none".to_owned(),
        count if count > LISTED => format!("there are {}, …", listed.join(", ")),
        _ => format!("there are {}", listed.join(", ")),
    }
}
