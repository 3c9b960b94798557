//! Reads a user's message: the question, the results that it lists, and any other text after the question.
//!
//! The question follows a word such as `Query:`, and ends at a blank line. It comes before or after the results.
//! Instructions after the question are not part of it.

use evalgraph_json::{Limits, parse};

/// The words that introduce a question.
const WORDS: [&str; 4] = ["Question:", "Query:", "User Query:", "User Question:"];

/// A message of a user.
#[derive(Debug, Default)]
pub(super) struct UserMessage<'t> {
    pub(super) question: Option<&'t str>,
    pub(super) listed: Vec<ListedResult<'t>>,
    /// `true` if text other than results follows the question.
    pub(super) has_more: bool,
}

/// A result as a message lists it. Malformed numbers count as missing.
#[derive(Debug, Default)]
pub(super) struct ListedResult<'t> {
    pub(super) rank: &'t str,
    pub(super) label: &'t str,
    pub(super) score: Option<&'t str>,
    pub(super) organisation: &'t str,
    pub(super) year: Option<&'t str>,
    pub(super) content: String,
    pub(super) url: &'t str,
}

impl<'t> UserMessage<'t> {
    /// Reads a message. `query` is the question according to the answer, which shows where a question with blank lines
    /// ends.
    pub(super) fn read(text: &'t str, query: Option<&str>) -> Self {
        let lines = MessageLines::from_text(text);
        let mut message = Self::default();
        let (mut at, mut first_result) = (0, None);
        let mut words: Vec<usize> = Vec::new();
        while at < lines.texts.len() {
            if let Some(result) = lines.head(at) {
                first_result.get_or_insert(at);
                let mut result = result;
                at = lines.read_result(at + 2, &mut result);
                message.listed.push(result);
                continue;
            }
            if word_of(lines.texts[at]).is_some() {
                words.push(at);
            }
            at += 1;
        }
        if let Some(&word) = words.first() {
            let is_before = first_result.is_some_and(|first| word < first);
            message.read_question(&text[lines.starts[word]..], query, is_before);
        }
        message
    }

    fn read_question(&mut self, text: &'t str, query: Option<&str>, is_before_results: bool) {
        let rest = text[word_of(text).unwrap_or(0)..].trim_start();
        let is_whole = |query: &&str| {
            let behind = rest.strip_prefix(*query);
            !query.is_empty() && behind.is_some_and(|behind| behind.is_empty() || behind.starts_with('\n'))
        };
        let end = query.filter(is_whole).map(str::len).or_else(|| rest.find("\n\n"));
        let (question, behind) = rest.split_at(end.unwrap_or(rest.len()));
        self.question = Some(question.trim());
        let behind = behind.trim();
        let is_list = is_before_results || behind == "Documents: none";
        self.has_more = !behind.is_empty() && !is_list;
    }
}

/// Returns the length of the word that introduces a question, if the line begins with one.
fn word_of(line: &str) -> Option<usize> {
    WORDS.iter().find(|word| line.starts_with(**word)).map(|word| word.len())
}

struct MessageLines<'t> {
    texts: Vec<&'t str>,
    starts: Vec<usize>,
}

impl<'t> MessageLines<'t> {
    fn from_text(text: &'t str) -> Self {
        let mut start = 0;
        let next = |line: &str| {
            let at = start;
            start += line.len();
            at
        };
        let starts = text.split_inclusive('\n').map(next).collect();
        Self { texts: text.lines().collect(), starts }
    }

    /// Reads the rank, label and score of a result that begins in a line.
    fn head(&self, at: usize) -> Option<ListedResult<'t>> {
        let (rank, label) = rank_and_label(self.texts[at])?;
        let score = self.texts.get(at + 1)?.strip_prefix("Relevance Score:")?.trim();
        Some(ListedResult {
            rank,
            label,
            score: Some(score).filter(|score| is_number(score)),
            ..ListedResult::default()
        })
    }

    /// Reads the lines of a result below rank and score. Returns the index of the line after them.
    fn read_result(&self, from: usize, result: &mut ListedResult<'t>) -> usize {
        let lines = &self.texts;
        let mut at = from;
        if let Some(source) = lines.get(at).and_then(|line| line.strip_prefix("Source:")) {
            let source = source.trim();
            let (organisation, year) = source.rsplit_once(" (").unwrap_or((source, ""));
            let year = year.trim_end_matches(')');
            result.organisation = organisation;
            result.year = Some(year).filter(|year| is_number(year));
            at += 1;
        }
        if let Some(content) = lines.get(at).and_then(|line| line.strip_prefix("Content:")) {
            result.content.push_str(content.strip_prefix(' ').unwrap_or(content));
            at += 1;
            // The content may have several lines, up to the address.
            while let Some(line) = lines.get(at).filter(|_| !self.is_address(at)) {
                result.content.push('\n');
                result.content.push_str(line);
                at += 1;
            }
        }
        if let Some(url) = lines.get(at).and_then(|line| line.strip_prefix("URL:")) {
            result.url = url.trim();
            at += 1;
        }
        at
    }

    /// Returns whether a line is the address that ends a result: it is the last line, or a blank line follows.
    fn is_address(&self, at: usize) -> bool {
        self.texts[at].starts_with("URL:") && self.texts.get(at + 1).is_none_or(|line| line.trim().is_empty())
    }
}

/// Splits a line such as `[1] label`.
fn rank_and_label(line: &str) -> Option<(&str, &str)> {
    let (rank, label) = line.strip_prefix('[')?.split_once("] ")?;
    (rank.len() < 10 && is_number(rank) && rank.bytes().all(|byte| byte.is_ascii_digit()))
        .then_some((rank, label))
}

/// Returns whether a string is a number in JSON.
fn is_number(text: &str) -> bool {
    let starts = text.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    starts && parse("", text.to_owned(), Limits::default()).is_ok()
}
