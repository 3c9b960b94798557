//! Reads a checkpoint of version 2.0, in any of its three shapes.

use super::findings::Reader;
use super::{Answer, Checkpoint, Item, Other, Property, Question, Value};
use crate::diagnostic::Severity;
use crate::json::{Document, TokenId};
use crate::source::karenina::dialect::Dialect;
use crate::source::karenina::traits::TraitScope;
use crate::source::karenina::writer::bare_name;

/// Fields of a question whose value is an object or list, and stands as a JSON text in a property.
pub(in crate::source::karenina) const TEXT_FIELDS: [&str; 3] = ["author", "sources", "few_shot_examples"];

/// Fields of the dataset that are properties elsewhere.
pub(in crate::source::karenina) const DATASET_FIELDS: [&str; 4] =
    ["license", "keywords", "publisher", "datePublished"];

/// The fields of a question that the user interface insists on.
const REQUIRED: [&str; 6] =
    ["question", "raw_answer", "original_answer_template", "answer_template", "last_modified", "finished"];

impl<'d> Reader<'d> {
    /// Reads the root.
    pub(super) fn version_2(&mut self, root: TokenId, dialect: Dialect) -> Checkpoint<'d> {
        let document = self.document;
        let mut checkpoint = Checkpoint::empty(self.origin(root), dialect);
        for member in document.members(root) {
            let (key, value) = (document.symbol_text(member.symbol), member.value);
            match key {
                "version" => {}
                "global_rubric" => {
                    self.members_under("global_rubric", value);
                    checkpoint.global_traits = self.rubric(value, TraitScope::Global, &mut checkpoint.others);
                }
                "dataset_metadata" => self.dataset(value, &mut checkpoint),
                "checkpoint" => {
                    for entry in self.members_under("checkpoint", value) {
                        let item = self.entry(entry.key, entry.value);
                        checkpoint.items.extend(item);
                    }
                }
                _ => checkpoint.others.push(self.other(key, value)),
            }
        }
        checkpoint
    }

    fn dataset(&mut self, metadata: TokenId, checkpoint: &mut Checkpoint<'d>) {
        let document = self.document;
        for member in self.members_under("dataset_metadata", metadata) {
            let (key, value) = (document.symbol_text(member.symbol), member.value);
            match key {
                "name" => checkpoint.name = self.scalar(key, value),
                "description" => checkpoint.description = self.scalar(key, value),
                "version" => checkpoint.version = self.scalar(key, value),
                "creator" => checkpoint.creator = self.one(key, value).map(|one| creator(document, one)),
                "dateCreated" => checkpoint.date_created = self.scalar(key, value),
                "dateModified" => checkpoint.date_modified = self.scalar(key, value),
                "custom_properties" => {
                    for custom in self.members_under("custom_properties", value) {
                        let name = document.symbol_text(custom.symbol);
                        let property = self.field(name, custom.value);
                        checkpoint.properties.push(property);
                    }
                }
                _ if DATASET_FIELDS.contains(&key) => {
                    let property = self.text_field(key, value);
                    checkpoint.properties.push(property);
                }
                _ => checkpoint.others.push(self.other(key, value)),
            }
        }
    }

    fn field(&self, name: &str, value: TokenId) -> Property<'d> {
        let origin = self.origin(value);
        let value = Value::at(self.document, value);
        Property::new(name, Some(value).filter(|value| !value.is_null()), origin)
    }

    /// A field as a property: an object or a list as the JSON text of it.
    fn text_field(&self, name: &str, value: TokenId) -> Property<'d> {
        let mut property = self.field(name, value);
        let is_structured = |value: &Value<'_>| value.is_array() || value.is_object();
        if let Some(value) = property.value.take_if(|value| is_structured(value)) {
            property.value = Some(Value::text(value.as_json(), value.origin));
        }
        property
    }

    fn entry(&mut self, key: TokenId, entry: TokenId) -> Option<Item<'d>> {
        let document = self.document;
        self.check_required(entry);
        let origin = self.origin(entry);
        let name = document.string(key).unwrap_or_default();
        let id = Value::text(&format!("urn:uuid:{name}"), self.origin(key));
        let text = document.get(entry, "question").and_then(|text| self.scalar("question", text))?;
        let mut item = Item {
            origin,
            id: Some(id),
            date_created: None,
            date_modified: None,
            question: Question {
                origin,
                class: None,
                id: None,
                text,
                answer: None,
                template: None,
                traits: Vec::new(),
                copies: Vec::new(),
                properties: Vec::new(),
                keywords: None,
                others: Vec::new(),
            },
            others: Vec::new(),
        };
        self.fields(entry, &mut item);
        Some(item)
    }

    fn fields(&mut self, entry: TokenId, item: &mut Item<'d>) {
        let document = self.document;
        let question = &mut item.question;
        let mut others: Vec<Other<'d>> = Vec::new();
        for member in document.members(entry) {
            let (key, value) = (document.symbol_text(member.symbol), member.value);
            match key {
                "question" => {}
                "raw_answer" => {
                    question.answer = self.scalar(key, value).map(|text| Answer {
                        origin: text.origin,
                        class: None,
                        id: None,
                        text,
                        others: Vec::new(),
                    });
                }
                "answer_template" => question.template = self.bare_template(value),
                "last_modified" => item.date_modified = self.scalar(key, value),
                "date_created" => item.date_created = self.scalar(key, value),
                "question_rubric" => {
                    self.members_under("question_rubric", value);
                    question.traits = self.rubric(value, TraitScope::Question, &mut others);
                }
                "keywords" => question.keywords = Some(self.keywords(value)),
                "finished" | "original_answer_template" => question.properties.push(self.field(key, value)),
                "custom_metadata" => {
                    for custom in self.members_under("custom_metadata", value) {
                        let name = format!("custom_{}", document.symbol_text(custom.symbol));
                        question.properties.push(self.field(&name, custom.value));
                    }
                }
                _ if TEXT_FIELDS.contains(&key) => question.properties.push(self.text_field(key, value)),
                _ => others.push(self.other(key, value)),
            }
        }
        question.others = others;
        // The order in which the user interface writes them.
        question.properties.sort_by_key(|property| rank(&property.name));
    }

    fn check_required(&mut self, entry: TokenId) {
        for field in REQUIRED {
            if self.document.get(entry, field).is_some() {
                continue;
            }
            let (severity, code) = match field {
                "question" => (Severity::Error, "karenina::no-text"),
                "raw_answer" => (Severity::Error, "karenina::no-answer"),
                _ => (Severity::Warning, "karenina::v2-missing"),
            };
            let message = format!("a question without `{field}`, which version 2.0 requires");
            self.find(severity, code, message, entry);
        }
    }
}

/// A creator: of a person of whom nothing but the name is known, the name.
fn creator(document: &Document, token: TokenId) -> Value<'_> {
    let creator = Value::at(document, token);
    let name = creator.is_object().then(|| bare_name(&creator)).flatten();
    name.map_or(creator.clone(), |name| Value::text(&name, creator.origin))
}

/// The place of a property of a question among the others.
fn rank(name: &str) -> usize {
    let order = ["finished", "original_answer_template", "author", "sources", "few_shot_examples"];
    order.iter().position(|known| *known == name).unwrap_or(order.len())
}
