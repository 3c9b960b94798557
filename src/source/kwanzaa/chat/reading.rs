//! Conversations back to samples, as far as they say what samples say.
//!
//! The answer comes back whole. Question and results come from the user's message, what it does not
//! list of them from the answer, where that names the same rank or label. The rest gets the defaults
//! that are listed.

use crate::json::{Document, Limits, TokenId, parse};
use crate::source::counts::Counts;
use crate::source::kwanzaa::defaults;
use crate::source::kwanzaa::samples::Sample;
use crate::source::rewriting::{Style, StyledJson};
use std::borrow::Cow;

/// A dataset made of conversations.
#[derive(Debug)]
pub struct Restored {
    /// The dataset as JSON.
    pub json: String,
    /// What the conversations do not say and was filled in, with how often.
    pub defaults: Counts,
    /// What the conversations say and no sample holds, with how often.
    pub losses: Counts,
}

/// A result as the user's message lists it.
#[derive(Debug, Default)]
struct Listed<'t> {
    rank: &'t str,
    label: &'t str,
    score: &'t str,
    organisation: &'t str,
    year: &'t str,
    content: String,
    url: &'t str,
}

/// Makes a dataset of conversations. `time` is said to be the time of its making.
pub fn to_dataset(document: &Document, time: &str) -> Restored {
    let mut reader =
        Reader { json: StyledJson::new(Style::default()), defaults: Counts::new(), losses: Counts::new() };
    reader.json.open('{');
    reader.string("dataset_version", defaults::DATASET_VERSION);
    reader.string("created_at", time);
    reader.defaults.add("`dataset_version` is 1.0.0, `created_at` the time of the conversion");
    reader.json.key("samples");
    reader.json.open('[');
    let root = document.root();
    let records: Vec<TokenId> = match document.is_array(root) {
        true => document.items(root).collect(),
        false => vec![root],
    };
    for (index, record) in records.into_iter().enumerate() {
        reader.record(document, record, index);
    }
    reader.json.close(']');
    reader.json.close('}');
    Restored { json: reader.json.finish() + "\n", defaults: reader.defaults, losses: reader.losses }
}

struct Reader {
    json: StyledJson,
    defaults: Counts,
    losses: Counts,
}

impl Reader {
    fn record(&mut self, document: &Document, record: TokenId, index: usize) {
        let content = |role: &str| content_of(document, record, role);
        let Some(answer) = content("assistant") else {
            self.losses.add("a record without a message of the assistant");
            return;
        };
        let Some(answer) = parse("answer", answer.into_owned(), Limits::default())
            .ok()
            .filter(|answer| answer.is_object(answer.root()))
        else {
            self.losses.add("a record whose assistant does not answer with a JSON object");
            return;
        };
        if content("system").is_some() {
            self.losses.add("the system prompt");
        }
        for member in document.members(record) {
            if document.symbol_text(member.symbol) != "messages" {
                self.losses.add(&format!("`{}` of a record", document.symbol_text(member.symbol)));
            }
        }
        let answer = Sample { document: &answer, token: answer.root() };
        let user = content("user").unwrap_or_default();
        self.sample(&answer, &user, index);
    }

    fn sample(&mut self, answer: &Sample<'_>, user: &str, index: usize) {
        let listed = listed(user);
        self.json.item();
        self.json.open('{');
        self.string("sample_id", &format!("chat_{}", index + 1));
        self.defaults.add("`sample_id` is chat_ and the number of the record");
        let category = category_of(answer);
        self.string("category", category);
        self.defaults.add("`category` is worked out from the answer");
        let persona = answer.text(&["persona"]);
        if persona.is_none() {
            self.defaults.add("`persona` is educator");
        }
        self.string("persona", persona.as_deref().unwrap_or(defaults::PERSONA));
        let question = question(user).or_else(|| {
            self.defaults.add("`user_query` is the query of the retrieval");
            answer.text(&["retrieval_summary", "query"])
        });
        self.string("user_query", &question.unwrap_or_default());
        self.json.key("retrieved_context");
        self.json.open('[');
        for result in &listed {
            self.result(answer, result);
        }
        self.json.close(']');
        self.json.key("expected_output");
        self.json.json(answer.document, answer.token);
        self.json.key("metadata");
        defaults::write_metadata(&mut self.json, &mut self.defaults);
        self.json.close('}');
    }

    fn result(&mut self, answer: &Sample<'_>, listed: &Listed<'_>) {
        let rank = listed.rank;
        let found = named(answer, &["retrieval_summary", "results"], |found| number_is(found, "rank", rank));
        let source = named(answer, &["sources"], |source| {
            source.text(&["citation_label"]).is_some_and(|label| label == listed.label)
        });
        self.json.item();
        self.json.open('{');
        self.json.key("rank");
        self.json.scalar(rank);
        self.json.key("score");
        match found.as_ref().and_then(|found| found.document.number(found.at(&["score"])?)) {
            Some(score) => self.json.scalar(score),
            None => {
                self.defaults.add("`score` of a result has the two decimals of the message");
                self.json.scalar(listed.score);
            }
        }
        for key in ["chunk_id", "doc_id", "namespace"] {
            let value = [&found, &source].into_iter().flatten().find_map(|object| object.text(&[key]));
            match value {
                Some(value) => self.string(key, &value),
                None => {
                    self.defaults.add(&format!("`{key}` of a result is unknown"));
                    self.string(key, defaults::UNKNOWN);
                }
            }
        }
        self.string("content", &listed.content);
        self.json.key("metadata");
        self.json.open('{');
        self.string("citation_label", listed.label);
        self.string("canonical_url", listed.url);
        self.string("source_org", listed.organisation);
        self.json.key("year");
        self.json.scalar(listed.year);
        for key in ["content_type", "license"] {
            match source.as_ref().and_then(|source| source.text(&[key])) {
                Some(value) => self.string(key, &value),
                None => {
                    self.defaults.add(&format!("`{key}` of a result is unknown"));
                    self.string(key, defaults::UNKNOWN);
                }
            }
        }
        if let Some(tags) = source.as_ref().and_then(|source| source.array(&["tags"])) {
            self.json.key("tags");
            self.json.json(answer.document, tags);
        }
        self.json.close('}');
        self.json.close('}');
    }

    fn string(&mut self, key: &str, value: &str) {
        self.json.key(key);
        self.json.string(value);
    }
}

/// What a side says in a record: its first message.
fn content_of<'d>(document: &'d Document, record: TokenId, role: &str) -> Option<Cow<'d, str>> {
    let messages = document.get(record, "messages")?;
    let says = |message: &TokenId| {
        let value = document.get(*message, "role");
        value
            .is_some_and(|value| document.is_string(value) && document.string(value).as_deref() == Some(role))
    };
    let message = document.items(messages).find(says)?;
    let content = document.get(message, "content").filter(|&content| document.is_string(content))?;
    document.string(content)
}

/// The category that an answer fits: of a refusal what it says of itself, of others by what they cite.
fn category_of(answer: &Sample<'_>) -> &'static str {
    let fallback = answer.text(&["integrity", "fallback_behavior"]);
    let completeness = answer.text(&["answer", "completeness"]);
    if fallback.is_some_and(|fallback| fallback == "refusal")
        || completeness.is_some_and(|completeness| completeness == "insufficient_data")
    {
        return "refusal";
    }
    match answer.count(&["sources"]).unwrap_or(0) {
        0 => "format_compliance",
        1 => "citation",
        _ => "grounded_answer",
    }
}

/// The question of a user's message: what stands behind the word, up to a blank line.
fn question(user: &str) -> Option<Cow<'_, str>> {
    const WORDS: [&str; 4] = ["Question:", "Query:", "User Query:", "User Question:"];
    let begins = |line: &str| WORDS.iter().find(|word| line.starts_with(**word)).map(|word| word.len());
    let mut start = 0;
    for line in user.split_inclusive('\n') {
        if let Some(length) = begins(line) {
            let rest = &user[start + length..];
            let end = ["\n\nDocuments", "\n\n["].iter().filter_map(|end| rest.find(end)).min();
            let text = rest[..end.unwrap_or(rest.len())].trim();
            return Some(Cow::Borrowed(text));
        }
        start += line.len();
    }
    None
}

/// The results that a user's message lists.
fn listed(user: &str) -> Vec<Listed<'_>> {
    let lines: Vec<&str> = user.lines().collect();
    let mut found: Vec<Listed<'_>> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let head = rank_and_label(lines[at]);
        let score = lines.get(at + 1).and_then(|line| line.strip_prefix("Relevance Score:"));
        let (Some((rank, label)), Some(score)) = (head, score.map(str::trim)) else {
            at += 1;
            continue;
        };
        let score = if is_number(score) { score } else { "0" };
        let mut result = Listed { rank, label, score, year: "0", ..Listed::default() };
        at = read_listed(&lines, at + 2, &mut result);
        found.push(result);
    }
    found
}

/// Reads what stands below rank and score; the line behind it.
fn read_listed<'t>(lines: &[&'t str], from: usize, result: &mut Listed<'t>) -> usize {
    let mut at = from;
    if let Some(source) = lines.get(at).and_then(|line| line.strip_prefix("Source:")) {
        let source = source.trim();
        let (organisation, year) = source.rsplit_once(" (").unwrap_or((source, ""));
        let year = year.trim_end_matches(')');
        result.organisation = organisation;
        result.year = if is_number(year) { year } else { "0" };
        at += 1;
    }
    if let Some(content) = lines.get(at).and_then(|line| line.strip_prefix("Content:")) {
        result.content.push_str(content.strip_prefix(' ').unwrap_or(content));
        at += 1;
        // The content may have lines of its own, up to the address.
        while let Some(line) = lines.get(at).filter(|line| !line.starts_with("URL:")) {
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

/// `[1] label`
fn rank_and_label(line: &str) -> Option<(&str, &str)> {
    let (rank, label) = line.strip_prefix('[')?.split_once("] ")?;
    (rank.len() < 10 && is_number(rank) && rank.bytes().all(|byte| byte.is_ascii_digit()))
        .then_some((rank, label))
}

/// Whether a text can stand as a number in JSON.
fn is_number(text: &str) -> bool {
    let starts = text.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    starts && parse("", text.to_owned(), Limits::default()).is_ok()
}

/// The object of a list that fits.
fn named<'d>(answer: &Sample<'d>, path: &[&str], fits: impl Fn(&Sample<'d>) -> bool) -> Option<Sample<'d>> {
    let objects = answer.items(path).map(|token| Sample { document: answer.document, token });
    objects.into_iter().find(fits)
}

fn number_is(object: &Sample<'_>, key: &str, text: &str) -> bool {
    object.number(&[key]).is_some_and(|number| text.parse() == Ok(number))
}
