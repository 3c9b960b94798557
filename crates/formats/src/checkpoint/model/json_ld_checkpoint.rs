//! Reads a checkpoint from JSON-LD in any dialect.
//!
//! `CheckpointReader` is defined in `checkpoint_reader.rs`.

use super::checkpoint_reader::CheckpointReader;
use super::{
    AnswerTemplate, Checkpoint, CheckpointAnswer, CheckpointItem, CheckpointQuestion, KeywordValues,
    PlacedValue, PropertyValue, UnknownMember,
};
use crate::checkpoint::checkpoint_keys::value_object;
use crate::checkpoint::dialect::CheckpointDialect;
use crate::checkpoint::traits::TraitScope;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity};
use evalgraph_json::TokenId;

impl<'d> CheckpointReader<'d> {
    /// Reads the root.
    pub(super) fn json_ld(&mut self, root: TokenId, dialect: CheckpointDialect) -> Checkpoint<'d> {
        let mut checkpoint = Checkpoint::empty(self.origin(root), dialect);
        if self.keyed.is_a(root, "Question") {
            // The library can hold a lone question; it is read as a checkpoint that has one question and no head.
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
                "@context" => checkpoint.context = Some(PlacedValue::at(document, value)),
                "@type" => {}
                "@id" => checkpoint.id = self.scalar(key, value),
                "name" => checkpoint.name = self.scalar(key, value),
                "description" => checkpoint.description = self.scalar(key, value),
                "version" => checkpoint.version = self.scalar(key, value),
                "creator" => {
                    checkpoint.creator = self.one(key, value).map(|one| PlacedValue::at(document, one));
                }
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
        for entry in self.keyed.each(list) {
            if self.keyed.is_a(entry, "DataFeedItem") {
                let item = self.item(entry, checkpoint);
                checkpoint.items.extend(item);
            } else if self.keyed.is_a(entry, "Question") {
                let item = self.lone_question(entry, checkpoint);
                checkpoint.items.extend(item);
            } else if self.keyed.is_a(entry, "Scenario") {
                checkpoint.scenarios.push(PlacedValue::at(self.document, entry));
            } else {
                let message = "neither an item nor a question nor a scenario";
                self.find(FindingSeverity::Error, "karenina::no-item", message, entry);
            }
        }
    }

    fn item(&mut self, item: TokenId, checkpoint: &mut Checkpoint<'d>) -> Option<CheckpointItem<'d>> {
        let (mut keywords, mut question, mut others) = (None, None, Vec::new());
        let keys = ["@id", "dateCreated", "dateModified"];
        let [id, date_created, date_modified] = self.scalars(item, keys, |reader, key, value| match key {
            "@type" => {}
            "keywords" => keywords = Some(reader.keywords(value)),
            "item" => question = reader.one(key, value),
            _ => others.push(reader.other(key, value)),
        });
        let question = question.filter(|&question| self.document.is_object(question));
        let question = self.need(question, "karenina::no-question", "an item without a question", item)?;
        let (mut question, _) = self.question(question, checkpoint)?;
        question.keywords = question.keywords.or(keywords);
        Some(CheckpointItem { origin: self.origin(item), id, date_created, date_modified, question, others })
    }

    /// Reads a question that is listed without an item, or that is the whole document.
    fn lone_question(
        &mut self,
        question: TokenId,
        checkpoint: &mut Checkpoint<'d>,
    ) -> Option<CheckpointItem<'d>> {
        let origin = self.origin(question);
        let (question, identifier) = self.question(question, checkpoint)?;
        let id = question.id.clone().or(identifier);
        Some(CheckpointItem {
            origin,
            id,
            date_created: None,
            date_modified: None,
            question,
            others: Vec::new(),
        })
    }

    /// Reads a question and its `identifier`.
    fn question(
        &mut self,
        question: TokenId,
        checkpoint: &mut Checkpoint<'d>,
    ) -> Option<(CheckpointQuestion<'d>, Option<PlacedValue<'d>>)> {
        let (mut class, mut answer, mut template, mut keywords) = (None, None, None, None);
        let (mut properties, mut others, mut ratings, mut rubric) = (Vec::new(), Vec::new(), None, None);
        let keys = ["@id", "text", "name", "identifier"];
        let [id, text, name, identifier] = self.scalars(question, keys, |reader, key, value| match key {
            "@context" => {}
            "@type" => class = reader.expect_class(value, "Question"),
            "acceptedAnswer" => answer = reader.answer(value, question),
            "hasPart" => template = reader.template(value, question, &mut others),
            "answerTemplate" => template = reader.bare_template(value),
            "additionalProperty" => properties = reader.properties(value),
            "keywords" => keywords = Some(reader.keywords(value)),
            "rating" => ratings = Some(value),
            "rubric" => rubric = Some(value),
            _ => others.push(reader.other(key, value)),
        });
        // If there is no text, the name is used as the text.
        let name_beside = self.document.get(question, "name").filter(|_| text.is_some() && name.is_some());
        others.extend(name_beside.map(|name| self.other("name", name)));
        let text = self.need(text.or(name), "karenina::no-text", "a question without `text`", question)?;
        let answers = self.document.get(question, "acceptedAnswer");
        self.need(answers, "karenina::no-answer", "a question without `acceptedAnswer`", question);
        let asked = CheckpointQuestion::new(self.origin(question), text);
        let mut read =
            CheckpointQuestion { class, id, answer, template, properties, keywords, others, ..asked };
        if let Some(ratings) = ratings {
            self.question_ratings(ratings, &mut read, &mut checkpoint.global_traits);
        }
        if let Some(rubric) = rubric {
            read.traits.extend(self.rubric(rubric, TraitScope::Question, &mut read.others));
        }
        self.take_keywords(&mut read);
        Some((read, identifier))
    }

    fn answer(&mut self, answers: TokenId, question: TokenId) -> Option<CheckpointAnswer<'d>> {
        let found: Vec<TokenId> = self.keyed.each(answers).take(2).collect();
        if let [_, second] = found[..] {
            let fault = Diagnostic::error("karenina::two-answers", "a question with two answers");
            self.find_beside(fault, second, question, "the question");
        }
        let answer = *found.first()?;
        let (mut class, mut others) = (None, Vec::new());
        let [id, text] = self.scalars(answer, ["@id", "text"], |reader, key, value| match key {
            "@type" => class = reader.expect_class(value, "Answer"),
            _ => others.push(reader.other(key, value)),
        });
        let text = self.need(text, "karenina::no-text", "an answer without `text`", answer)?;
        Some(CheckpointAnswer { origin: self.origin(answer), class, id, text, others })
    }

    /// Reads the code among the parts of a question; other parts are kept as unknown keys.
    fn template(
        &mut self,
        parts: TokenId,
        question: TokenId,
        others: &mut Vec<UnknownMember<'d>>,
    ) -> Option<AnswerTemplate<'d>> {
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
            self.find_beside(fault, second, question, "the question");
        }
        self.code(*code.first()?)
    }

    fn code(&mut self, code: TokenId) -> Option<AnswerTemplate<'d>> {
        let mut others = Vec::new();
        let keys = ["@id", "name", "text", "programmingLanguage", "codeRepository"];
        let found = self.scalars(code, keys, |reader, key, value| match key {
            "@type" => {}
            _ => others.push(reader.other(key, value)),
        });
        let [id, name, text, programming_language, code_repository] = found;
        let Some(text) = text else {
            let message = "a template without `text` counts as none";
            self.find(FindingSeverity::Warning, "karenina::no-text", message, code);
            return None;
        };
        let origin = self.origin(code);
        Some(AnswerTemplate { origin, id, name, text, programming_language, code_repository, others })
    }

    /// Reads a template that is a string.
    pub(super) fn bare_template(&mut self, value: TokenId) -> Option<AnswerTemplate<'d>> {
        let text = self.scalar("answerTemplate", value)?;
        Some(AnswerTemplate {
            origin: text.origin,
            id: None,
            name: None,
            text,
            programming_language: None,
            code_repository: None,
            others: Vec::new(),
        })
    }

    /// Reads a list of properties, in order.
    pub(super) fn properties(&mut self, list: TokenId) -> Vec<PropertyValue<'d>> {
        self.keyed.each(list).filter_map(|token| self.property(token)).collect()
    }

    fn property(&mut self, property: TokenId) -> Option<PropertyValue<'d>> {
        let (mut found, mut others) = (None, Vec::new());
        let [id, name] = self.scalars(property, ["@id", "name"], |reader, key, value| match key {
            "@type" => drop(reader.expect_class(value, "PropertyValue")),
            "value" => found = Some(reader.json_value(value)),
            _ => others.push(reader.other(key, value)),
        });
        let name = self.need(name, "karenina::no-name", "a property without `name`", property)?;
        // `null` means the same as no value.
        let value = found.filter(|value| !value.is_null());
        let name = name.shown().into_owned();
        Some(PropertyValue { id, others, ..PropertyValue::new(name, value, self.origin(property)) })
    }

    /// Reads a value that may be any JSON; a value object is replaced by its value.
    fn json_value(&self, value: TokenId) -> PlacedValue<'d> {
        PlacedValue::at(self.document, value_object(self.document, value).unwrap_or(value))
    }

    pub(super) fn keywords(&mut self, keywords: TokenId) -> KeywordValues<'d> {
        let values = self.keyed.each(keywords).map(|keyword| self.json_value(keyword)).collect();
        KeywordValues { origin: self.origin(keywords), values }
    }

    pub(super) fn other(&self, key: &str, value: TokenId) -> UnknownMember<'d> {
        UnknownMember { key: key.to_owned(), value: PlacedValue::at(self.document, value) }
    }
}
