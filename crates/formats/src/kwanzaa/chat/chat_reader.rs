//! Reads conversations: the question, the text of the answer, and samples with the members that a conversation has.
//!
//! The answer of a sample is complete. Question and results come from the user's message. Members of a result that
//! the message does not list come from the answer, if the answer names the same rank or label. The rest gets
//! defaults, which are reported.

use super::user_message::{ListedResult, UserMessage};
use crate::counts::ConversionCounts;
use crate::kwanzaa::sample_defaults;
use crate::kwanzaa::samples::TrainingSample;
use crate::records::FoundText;
use crate::rewriting::{JsonStyle, StyledJson};
use evalgraph_json::{JsonDocument, Limits, TokenId, parse};
use std::borrow::Cow;

/// A dataset made from conversations.
#[derive(Debug)]
pub struct ChatDataset {
    /// The dataset as JSON.
    pub json: String,
    /// The values that were filled in because no conversation has them, with their counts.
    pub defaults: ConversionCounts,
    /// The parts of conversations that no sample has a place for, with their counts.
    pub losses: ConversionCounts,
}

/// Makes a dataset from conversations. `time` becomes its time of creation.
pub fn to_dataset(document: &JsonDocument, time: &str) -> ChatDataset {
    let json = StyledJson::new(JsonStyle::default());
    let mut reader = ChatReader { json, defaults: ConversionCounts::new(), losses: ConversionCounts::new() };
    sample_defaults::open_dataset(&mut reader.json, &mut reader.defaults, time);
    reader.json.key("samples").open('[');
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
    ChatDataset { json: reader.json.finish() + "\n", defaults: reader.defaults, losses: reader.losses }
}

struct ChatReader {
    json: StyledJson,
    defaults: ConversionCounts,
    losses: ConversionCounts,
}

impl ChatReader {
    fn record(&mut self, document: &JsonDocument, record: TokenId, index: usize) {
        let messages = document.get(record, "messages");
        let content = |role: &str| content_of_messages(document, messages?, role);
        let Some(answer) = content("assistant") else {
            self.losses.add("a record without a message of the assistant");
            return;
        };
        let answer = parse("answer", answer.into_owned(), Limits::default()).ok();
        let Some(answer) = answer.filter(|answer| answer.is_object(answer.root())) else {
            self.losses.add("a record whose assistant does not answer with a JSON object");
            return;
        };
        self.losses.add_if(content("system").is_some(), "the system prompt");
        let messages = messages.into_iter().flat_map(|list| document.items(list));
        let read = ["system", "user", "assistant"].into_iter().filter(|role| content(role).is_some()).count();
        for _ in read..messages.count() {
            self.losses.add("a message after the first of each side");
        }
        for member in document.members(record) {
            if document.symbol_text(member.symbol) != "messages" {
                self.losses.add(&format!("`{}` of a record", document.symbol_text(member.symbol)));
            }
        }
        let answer = TrainingSample { document: &answer, token: answer.root() };
        let user = content("user").unwrap_or_default();
        self.sample(&answer, &user, index);
    }

    fn sample(&mut self, answer: &TrainingSample<'_>, user: &str, index: usize) {
        let query = answer.text(&["retrieval_summary", "query"]);
        let message = UserMessage::read(user, query.as_deref());
        self.losses.add_if(message.has_more, "the text after the question");
        self.json.item().open('{').key("sample_id").string(&format!("chat_{}", index + 1));
        self.defaults.add("`sample_id` is chat_ and the number of the record");
        self.json.key("category").string(category_of(answer));
        self.defaults.add("`category` is worked out from the answer");
        let persona = answer.text(&["persona"]);
        self.defaults.add_if(persona.is_none(), "`persona` is educator");
        self.json.key("persona").string(persona.as_deref().unwrap_or(sample_defaults::PERSONA));
        let question = message.question.map(Cow::Borrowed).or_else(|| {
            self.defaults.add("`user_query` is the query of the retrieval");
            query
        });
        self.json.key("user_query").string(&question.unwrap_or_default());
        self.json.key("retrieved_context").open('[');
        for result in &message.listed {
            self.result(answer, result);
        }
        self.json.close(']');
        self.json.key("expected_output").json(answer.document, answer.token);
        sample_defaults::open_metadata(&mut self.json, &mut self.defaults, "which asks for a review");
        self.json.close('}');
        self.json.close('}');
    }

    fn result(&mut self, answer: &TrainingSample<'_>, listed: &ListedResult<'_>) {
        let rank = listed.rank;
        let found = named(answer, &["retrieval_summary", "results"], |found| number_is(found, "rank", rank));
        let source = named(answer, &["sources"], |source| {
            source.text(&["citation_label"]).is_some_and(|label| label == listed.label)
        });
        self.json.item().open('{');
        self.json.key("rank").scalar(rank);
        self.json.key("score");
        match found.as_ref().and_then(|found| found.document.number(found.at(&["score"])?)) {
            Some(score) => self.json.scalar(score),
            None => {
                self.defaults.add(match listed.score {
                    Some(_) => "`score` of a result has the two decimals of the message",
                    None => "`score` of a result is 0, since the message has none",
                });
                self.json.scalar(listed.score.unwrap_or("0"));
            }
        }
        for key in ["chunk_id", "doc_id", "namespace"] {
            let text = [&found, &source].into_iter().flatten().find_map(|object| object.text(&[key]));
            self.known(key, text.as_deref());
        }
        self.json.key("content").string(&listed.content);
        self.json.key("metadata").open('{');
        self.json.key("citation_label").string(listed.label);
        self.json.key("canonical_url").string(listed.url);
        self.json.key("source_org").string(listed.organisation);
        self.defaults.add_if(listed.year.is_none(), "`year` of a result is 0, since the message has none");
        self.json.key("year").scalar(listed.year.unwrap_or("0"));
        for key in ["content_type", "license"] {
            let text = source.as_ref().and_then(|source| source.text(&[key]));
            self.known(key, text.as_deref());
        }
        if let Some(tags) = source.as_ref().and_then(|source| source.array(&["tags"])) {
            self.json.key("tags").json(answer.document, tags);
        }
        self.json.close('}');
        self.json.close('}');
    }

    /// Writes a string of a result, or `unknown`.
    fn known(&mut self, key: &str, text: Option<&str>) {
        if text.is_none() {
            self.defaults.add(&format!("`{key}` of a result is unknown"));
        }
        self.json.key(key).string(text.unwrap_or(sample_defaults::UNKNOWN));
    }
}

/// Returns the content of the first message of a role.
fn content_of_messages<'d>(
    document: &'d JsonDocument,
    messages: TokenId,
    role: &str,
) -> Option<Cow<'d, str>> {
    let text = |message: TokenId, key: &str| document.string(document.get(message, key)?);
    let message = document.items(messages).find(|&message| text(message, "role").as_deref() == Some(role))?;
    text(message, "content")
}

/// Returns the question that the user asks, or `None` if no message contains one.
pub fn asked_question(document: &JsonDocument, messages: TokenId) -> Option<FoundText> {
    let query = answer_text(document, messages, &["retrieval_summary", "query"]);
    let said = content_of_messages(document, messages, "user");
    let message = UserMessage::read(said.as_deref().unwrap_or_default(), query.as_deref());
    message.question.map(str::to_owned).or(query).map(|question| (question, messages))
}

/// Returns the text of the assistant's answer to the question.
pub fn given_answer(document: &JsonDocument, messages: TokenId) -> Option<FoundText> {
    asked_question(document, messages)?;
    Some((answer_text(document, messages, &["answer", "text"])?, messages))
}

/// Returns the completeness that the assistant's answer states.
pub fn completeness_of_answer(document: &JsonDocument, messages: TokenId) -> Option<FoundText> {
    asked_question(document, messages)?;
    Some((answer_text(document, messages, &["answer", "completeness"])?, messages))
}

fn answer_text(document: &JsonDocument, messages: TokenId, path: &[&str]) -> Option<String> {
    let said = content_of_messages(document, messages, "assistant")?;
    let answer = parse("answer", said.into_owned(), Limits::default()).ok()?;
    let answer = TrainingSample { document: &answer, token: answer.root() };
    answer.text(path).map(Into::into)
}

/// Returns the category of an answer: its own fields show a refusal, otherwise the number of its sources decides.
fn category_of(answer: &TrainingSample<'_>) -> &'static str {
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

/// Returns the first object of a list that meets a condition.
fn named<'d>(
    answer: &TrainingSample<'d>,
    path: &[&str],
    fits: impl Fn(&TrainingSample<'d>) -> bool,
) -> Option<TrainingSample<'d>> {
    let objects = answer.items(path).map(|token| TrainingSample { document: answer.document, token });
    objects.into_iter().find(fits)
}

fn number_is(object: &TrainingSample<'_>, key: &str, text: &str) -> bool {
    object.number(&[key]).is_some_and(|number| text.parse() == Ok(number))
}
