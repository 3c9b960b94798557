//! Completion with the Tab key: commands of the shell, words of SPARQL, and names that occur in the data.

use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Helper, Result};

use super::line::{COMMANDS, goes_on};

/// The most frequent words of SPARQL queries.
const KEYWORDS: [&str; 30] = [
    "ASK",
    "AVG",
    "BIND",
    "CONSTRUCT",
    "CONTAINS",
    "COUNT",
    "DESCRIBE",
    "DISTINCT",
    "EXISTS",
    "FILTER",
    "FROM",
    "GRAPH",
    "GROUP BY",
    "HAVING",
    "LANG",
    "LIMIT",
    "MAX",
    "MIN",
    "MINUS",
    "NOT EXISTS",
    "OFFSET",
    "OPTIONAL",
    "ORDER BY",
    "PREFIX",
    "REGEX",
    "SELECT",
    "SUM",
    "UNION",
    "VALUES",
    "WHERE",
];

/// Completes words, and detects when a query is complete.
pub(super) struct WordCompleter {
    /// Prefixed names of classes and properties, and the names of queries.
    names: Vec<String>,
}

impl WordCompleter {
    pub(super) fn new(mut names: Vec<String>) -> Self {
        names.sort();
        names.dedup();
        Self { names }
    }

    /// Returns where the word before the cursor begins, and its possible completions.
    pub(super) fn completed(&self, before: &str) -> (usize, Vec<String>) {
        let is_of_word = |c: char| c.is_alphanumeric() || ":._-".contains(c);
        let start = before.rfind(|c| !is_of_word(c)).map_or(0, |at| {
            at + before.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)
        });
        let word = before.get(start..).unwrap_or_default();
        if word.is_empty() {
            return (start, Vec::new());
        }
        let lower = word.to_lowercase();
        let begins = |name: &&str| name.to_lowercase().starts_with(&lower);
        // With the dot or without it.
        let names = COMMANDS.iter().map(|(name, _)| *name);
        let commands = names.flat_map(|name| [name, name.trim_start_matches('.')]).filter(|_| start == 0);
        let keywords = KEYWORDS.into_iter().filter(|_| !word.contains(':'));
        let names = self.names.iter().map(String::as_str);
        (start, commands.chain(names).chain(keywords).filter(begins).map(str::to_owned).collect())
    }
}

impl Completer for WordCompleter {
    type Candidate = String;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> Result<(usize, Vec<String>)> {
        Ok(self.completed(line.get(..pos).unwrap_or_default()))
    }
}

impl Validator for WordCompleter {
    fn validate(&self, context: &mut ValidationContext<'_>) -> Result<ValidationResult> {
        // The input does not yet contain the end of the line that was just typed.
        let text = format!("{}\n", context.input());
        Ok(if goes_on(&text) { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

impl Hinter for WordCompleter {
    type Hint = String;
}

impl Highlighter for WordCompleter {}

impl Helper for WordCompleter {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_data_and_of_sparql_are_completed() {
        let words =
            WordCompleter::new(vec!["s:text".to_owned(), "s:Question".to_owned(), "overview".to_owned()]);
        assert_eq!(words.completed("SELECT ?q { ?q s:te"), (15, vec!["s:text".to_owned()]));
        assert_eq!(words.completed("sel"), (0, vec!["SELECT".to_owned()]));
        assert_eq!(words.completed(".ru"), (0, vec![".run".to_owned()]));
        assert_eq!(words.completed("loa"), (0, vec!["load".to_owned()]));
        assert_eq!(words.completed(".va"), (0, vec![".validate".to_owned()]));
        assert_eq!(words.completed(".run over"), (5, vec!["overview".to_owned()]));
        assert_eq!(words.completed("ä s:q"), (3, vec!["s:Question".to_owned()]));
        assert_eq!(words.completed("SELECT "), (7, Vec::new()));
    }
}
