//! Reads a checkpoint from JSON-LD in any dialect.

use super::findings::Reader;
use super::{Answer, Checkpoint, Item, Keywords, Other, Property, Question, Template, Value};
use crate::diagnostic::{Diagnostic, Severity};
use crate::json::TokenId;
use crate::source::karenina::dialect::Dialect;
use crate::source::karenina::keys::value_object;
use crate::source::karenina::traits::TraitScope;

/// The parts of a question that may be missing when its object has been read.
#[derive(Default)]
struct QuestionParts<'d> {
    class: Option<Value<'d>>,
    id: Option<Value<'d>>,
    text: Option<Value<'d>>,
    name: Option<(Value<'d>, TokenId)>,
    identifier: Option<Value<'d>>,
    answer: Option<Answer<'d>>,
    template: Option<Template<'d>>,
    properties: Vec<Property<'d>>,
    keywords: Option<Keywords<'d>>,
    others: Vec<Other<'d>>,
    ratings: Vec<TokenId>,
    rubrics: Vec<TokenId>,
}

impl<'d> Reader<'d> {
    /// Reads the root.
    pub(super) fn json_ld(&mut self, root: TokenId, dialect: Dialect) -> Checkpoint<'d> {
        let mut checkpoint = Checkpoint::empty(self.origin(root), dialect);
        if self.keyed.is_a(root, "Question") {
            // A question as the library holds it: the only one of a checkpoint without a head.
            let item = self.lone_question(root, &mut checkpoint);
            checkpoint.items.extend(item);
            return checkpoint;
        }
        let document = self.document;
        let mut rubrics = Vec::new();
        let mut lists = Vec::new();
        for member in document.members(root) {
            let (key, value) = (document.symbol_text(member.symbol), member.value);
            match key {
                "@context" => checkpoint.context = Some(Value::at(document, value)),
                "@type" => {}
                "@id" => checkpoint.id = self.scalar(key, value),
                "name" => checkpoint.name = self.scalar(key, value),
                "description" => checkpoint.description = self.scalar(key, value),
                "version" => checkpoint.version = self.scalar(key, value),
                "creator" => checkpoint.creator = self.one(key, value).map(|one| Value::at(document, one)),
                "dateCreated" => checkpoint.date_created = self.scalar(key, value),
                "dateModified" => checkpoint.date_modified = self.scalar(key, value),
                "rating" => self.root_ratings(value, &mut checkpoint.global_traits),
                "globalRubric" | "rubric" => rubrics.push(value),
                "dataFeedElement" | "hasPart" => lists.push(value),
                "additionalProperty" => checkpoint.properties = self.properties(value),
                _ => checkpoint.others.push(self.other(key, value)),
            }
        }
        for rubric in rubrics {
            let traits = self.rubric(rubric, TraitScope::Global, &mut checkpoint.others);
            checkpoint.global_traits.extend(traits);
        }
        for list in lists {
            self.list(list, &mut checkpoint);
        }
        self.take_trait_texts(&mut checkpoint);
        self.take_metadata(&mut checkpoint);
        checkpoint
    }

    fn list(&mut self, list: TokenId, checkpoint: &mut Checkpoint<'d>) {
        let entries: Vec<TokenId> = self.keyed.each(list).collect();
        for entry in entries {
            if self.keyed.is_a(entry, "DataFeedItem") {
                let item = self.item(entry, checkpoint);
                checkpoint.items.extend(item);
            } else if self.keyed.is_a(entry, "Question") {
                let item = self.lone_question(entry, checkpoint);
                checkpoint.items.extend(item);
            } else if self.keyed.is_a(entry, "Scenario") {
                checkpoint.scenarios.push(Value::at(self.document, entry));
            } else {
                let message = "neither an item nor a question nor a scenario".to_owned();
                self.find(Severity::Error, "karenina::no-item", message, entry);
            }
        }
    }

    fn item(&mut self, item: TokenId, checkpoint: &mut Checkpoint<'d>) -> Option<Item<'d>> {
        let document = self.document;
        let (mut id, mut date_created, mut date_modified, mut keywords) = (None, None, None, None);
        let mut others = Vec::new();
        let mut question = None;
        for member in document.members(item) {
            let (key, value) = (document.symbol_text(member.symbol), member.value);
            match key {
                "@type" => {}
                "@id" => id = self.scalar(key, value),
                "dateCreated" => date_created = self.scalar(key, value),
                "dateModified" => date_modified = self.scalar(key, value),
                "keywords" => keywords = Some(self.keywords(value)),
                "item" => question = self.one(key, value),
                _ => others.push(self.other(key, value)),
            }
        }
        let Some(question) = question.filter(|&question| document.is_object(question)) else {
            self.find(
                Severity::Error,
                "karenina::no-question",
                "an item without a question".to_owned(),
                item,
            );
            return None;
        };
        let (mut question, _) = self.question(question, checkpoint)?;
        question.keywords = question.keywords.or(keywords);
        Some(Item { origin: self.origin(item), id, date_created, date_modified, question, others })
    }

    /// A question that is listed without an item, or stands alone.
    fn lone_question(&mut self, question: TokenId, checkpoint: &mut Checkpoint<'d>) -> Option<Item<'d>> {
        let origin = self.origin(question);
        let (question, identifier) = self.question(question, checkpoint)?;
        let id = question.id.clone().or(identifier);
        Some(Item { origin, id, date_created: None, date_modified: None, question, others: Vec::new() })
    }

    /// A question, and its `identifier`.
    fn question(
        &mut self,
        question: TokenId,
        checkpoint: &mut Checkpoint<'d>,
    ) -> Option<(Question<'d>, Option<Value<'d>>)> {
        let mut parts = self.question_parts(question);
        if parts.text.is_none() {
            parts.text = parts.name.take().map(|(name, _)| name);
        }
        if let Some((_, value)) = parts.name {
            parts.others.push(self.other("name", value));
        }
        let Some(text) = parts.text else {
            let message = "a question without `text`".to_owned();
            self.find(Severity::Error, "karenina::no-text", message, question);
            return None;
        };
        if parts.answer.is_none() && self.document.get(question, "acceptedAnswer").is_none() {
            let message = "a question without `acceptedAnswer`".to_owned();
            self.find(Severity::Error, "karenina::no-answer", message, question);
        }
        let mut read = Question {
            origin: self.origin(question),
            class: parts.class,
            id: parts.id,
            text,
            answer: parts.answer,
            template: parts.template,
            traits: Vec::new(),
            copies: Vec::new(),
            properties: parts.properties,
            keywords: parts.keywords,
            others: parts.others,
        };
        for ratings in parts.ratings {
            self.question_ratings(ratings, &mut read, &mut checkpoint.global_traits);
        }
        for rubric in parts.rubrics {
            let traits = self.rubric(rubric, TraitScope::Question, &mut read.others);
            read.traits.extend(traits);
        }
        self.take_keywords(&mut read);
        Some((read, parts.identifier))
    }

    fn question_parts(&mut self, question: TokenId) -> QuestionParts<'d> {
        let document = self.document;
        let mut parts = QuestionParts::default();
        for member in document.members(question) {
            let (key, value) = (document.symbol_text(member.symbol), member.value);
            match key {
                "@context" => {}
                "@type" => parts.class = self.expect_class(value, "Question"),
                "@id" => parts.id = self.scalar(key, value),
                "text" => parts.text = self.scalar(key, value),
                "name" => parts.name = self.scalar(key, value).map(|name| (name, value)),
                "identifier" => parts.identifier = self.scalar(key, value),
                "acceptedAnswer" => parts.answer = self.answer(value, question),
                "hasPart" => parts.template = self.template(value, question, &mut parts.others),
                "answerTemplate" => parts.template = self.bare_template(value),
                "additionalProperty" => parts.properties = self.properties(value),
                "keywords" => parts.keywords = Some(self.keywords(value)),
                "rating" => parts.ratings.push(value),
                "rubric" => parts.rubrics.push(value),
                _ => parts.others.push(self.other(key, value)),
            }
        }
        parts
    }

    fn answer(&mut self, answers: TokenId, question: TokenId) -> Option<Answer<'d>> {
        let document = self.document;
        let found: Vec<TokenId> = self.keyed.each(answers).take(2).collect();
        if let [_, second] = found[..] {
            let fault = Diagnostic::error("karenina::two-answers", "a question with two answers");
            self.find_beside(fault, second, (question, "the question"));
        }
        let answer = *found.first()?;
        let (mut class, mut id, mut text, mut others) = (None, None, None, Vec::new());
        for member in document.members(answer) {
            let (key, value) = (document.symbol_text(member.symbol), member.value);
            match key {
                "@type" => class = self.expect_class(value, "Answer"),
                "@id" => id = self.scalar(key, value),
                "text" => text = self.scalar(key, value),
                _ => others.push(self.other(key, value)),
            }
        }
        let Some(text) = text else {
            self.find(Severity::Error, "karenina::no-text", "an answer without `text`".to_owned(), answer);
            return None;
        };
        Some(Answer { origin: self.origin(answer), class, id, text, others })
    }

    /// The code among the parts of a question; other parts are kept as keys that no dialect has.
    fn template(
        &mut self,
        parts: TokenId,
        question: TokenId,
        others: &mut Vec<Other<'d>>,
    ) -> Option<Template<'d>> {
        let all: Vec<TokenId> = self.keyed.each(parts).collect();
        let is_code = |part: &TokenId| {
            self.keyed.is_a(*part, "SoftwareSourceCode")
                || (all.len() == 1 && self.document.get(*part, "@type").is_none())
        };
        let (code, rest): (Vec<TokenId>, Vec<TokenId>) = all.iter().partition(|part| is_code(part));
        for part in rest {
            others.push(self.other("hasPart", part));
        }
        if let [_, second, ..] = code[..] {
            let fault = Diagnostic::error("karenina::two-templates", "a question with two templates");
            self.find_beside(fault, second, (question, "the question"));
        }
        self.code(*code.first()?)
    }

    fn code(&mut self, code: TokenId) -> Option<Template<'d>> {
        let document = self.document;
        let (mut id, mut name, mut text, mut language, mut repository) = (None, None, None, None, None);
        let mut others = Vec::new();
        for member in document.members(code) {
            let (key, value) = (document.symbol_text(member.symbol), member.value);
            match key {
                "@type" => {}
                "@id" => id = self.scalar(key, value),
                "name" => name = self.scalar(key, value),
                "text" => text = self.scalar(key, value),
                "programmingLanguage" => language = self.scalar(key, value),
                "codeRepository" => repository = self.scalar(key, value),
                _ => others.push(self.other(key, value)),
            }
        }
        let Some(text) = text else {
            let message = "a template without `text` counts as none".to_owned();
            self.find(Severity::Warning, "karenina::no-text", message, code);
            return None;
        };
        let origin = self.origin(code);
        let (programming_language, code_repository) = (language, repository);
        Some(Template { origin, id, name, text, programming_language, code_repository, others })
    }

    /// A template that is a string.
    pub(super) fn bare_template(&mut self, value: TokenId) -> Option<Template<'d>> {
        let text = self.scalar("answerTemplate", value)?;
        Some(Template {
            origin: text.origin,
            id: None,
            name: None,
            text,
            programming_language: None,
            code_repository: None,
            others: Vec::new(),
        })
    }

    /// The list of properties, in its order.
    pub(super) fn properties(&mut self, list: TokenId) -> Vec<Property<'d>> {
        let tokens: Vec<TokenId> = self.keyed.each(list).collect();
        tokens.into_iter().filter_map(|token| self.property(token)).collect()
    }

    fn property(&mut self, property: TokenId) -> Option<Property<'d>> {
        let document = self.document;
        let (mut id, mut name, mut found, mut others) = (None, None, None, Vec::new());
        for member in document.members(property) {
            let (key, value) = (document.symbol_text(member.symbol), member.value);
            match key {
                "@type" => drop(self.expect_class(value, "PropertyValue")),
                "@id" => id = self.scalar(key, value),
                "name" => name = self.scalar(key, value),
                "value" => found = Some(self.json_value(value)),
                _ => others.push(self.other(key, value)),
            }
        }
        let Some(name) = name else {
            let message = "a property without `name`".to_owned();
            self.find(Severity::Error, "karenina::no-name", message, property);
            return None;
        };
        // `null` says the same as no value.
        let value = found.filter(|value| !value.is_null());
        let name = name.shown().into_owned();
        Some(Property { id, others, ..Property::new(name, value, self.origin(property)) })
    }

    /// A value that may be any JSON; a value object stands for its value.
    fn json_value(&self, value: TokenId) -> Value<'d> {
        Value::at(self.document, value_object(self.document, value).unwrap_or(value))
    }

    pub(super) fn keywords(&mut self, keywords: TokenId) -> Keywords<'d> {
        let values = self.keyed.each(keywords).map(|keyword| self.json_value(keyword)).collect();
        Keywords { origin: self.origin(keywords), values }
    }

    pub(super) fn other(&self, key: &str, value: TokenId) -> Other<'d> {
        Other { key: key.to_owned(), value: Value::at(self.document, value) }
    }
}
