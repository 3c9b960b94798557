//! Reads a checkpoint of version 2.0, in any of its three shapes.
//!
//! `CheckpointReader` is defined in `checkpoint_reader.rs`.

use super::checkpoint_reader::CheckpointReader;
use super::{Checkpoint, CheckpointAnswer, CheckpointItem, CheckpointQuestion, PlacedValue, PropertyValue};
use crate::checkpoint::dialect::CheckpointDialect;
use crate::checkpoint::traits::TraitScope;
use crate::checkpoint::writer::bare_name;
use evalgraph_diagnostics::FindingSeverity;
use evalgraph_json::{JsonDocument, TokenId};

/// Fields of a question whose value, an object or list, becomes a JSON string in a property.
pub(in crate::checkpoint) const TEXT_FIELDS: [&str; 3] = ["author", "sources", "few_shot_examples"];

/// Fields of the dataset that are properties elsewhere.
pub(in crate::checkpoint) const DATASET_FIELDS: [&str; 4] =
    ["license", "keywords", "publisher", "datePublished"];

/// The fields of a question that the user interface requires.
const REQUIRED: [&str; 6] =
    ["question", "raw_answer", "original_answer_template", "answer_template", "last_modified", "finished"];

impl<'d> CheckpointReader<'d> {
    /// Reads the root.
    pub(super) fn version_2(&mut self, root: TokenId, dialect: CheckpointDialect) -> Checkpoint<'d> {
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
                    let entries = self.members_under("checkpoint", value);
                    checkpoint.items.extend(entries.filter_map(|entry| self.entry(entry.key, entry.value)));
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
                        checkpoint.properties.push(self.field(name, custom.value));
                    }
                }
                _ if DATASET_FIELDS.contains(&key) => checkpoint.properties.push(self.text_field(key, value)),
                _ => checkpoint.others.push(self.other(key, value)),
            }
        }
    }

    /// Returns a value as a property; `null` means the same as no value.
    pub(super) fn field(&self, name: &str, value: TokenId) -> PropertyValue<'d> {
        let origin = self.origin(value);
        let value = PlacedValue::at(self.document, value);
        PropertyValue::new(name, Some(value).filter(|value| !value.is_null()), origin)
    }

    /// Reads a field as a property; an object or list becomes a JSON string.
    fn text_field(&self, name: &str, value: TokenId) -> PropertyValue<'d> {
        let mut property = self.field(name, value);
        let is_structured = |value: &PlacedValue<'_>| value.is_array() || value.is_object();
        if let Some(value) = property.value.take_if(|value| is_structured(value)) {
            property.value = Some(PlacedValue::text(value.as_json(), value.origin));
        }
        property
    }

    fn entry(&mut self, key: TokenId, entry: TokenId) -> Option<CheckpointItem<'d>> {
        let document = self.document;
        self.check_required(entry);
        let origin = self.origin(entry);
        let name = document.string(key).unwrap_or_default();
        let id = Some(PlacedValue::text(&format!("urn:uuid:{name}"), self.origin(key)));
        let text = document.get(entry, "question").and_then(|text| self.scalar("question", text))?;
        let mut question = CheckpointQuestion::new(origin, text);
        let dates = ["date_created", "last_modified"];
        let [date_created, date_modified] = self.scalars(entry, dates, |reader, key, value| match key {
            "question" => {}
            "raw_answer" => {
                let text = reader.scalar(key, value);
                let answer = |text: PlacedValue<'d>| CheckpointAnswer {
                    origin: text.origin,
                    class: None,
                    id: None,
                    text,
                    others: Vec::new(),
                };
                question.answer = text.map(answer);
            }
            "answer_template" => question.template = reader.bare_template(value),
            "question_rubric" => {
                reader.members_under("question_rubric", value);
                question.traits = reader.rubric(value, TraitScope::Question, &mut question.others);
            }
            "keywords" => question.keywords = Some(reader.keywords(value)),
            "finished" | "original_answer_template" => question.properties.push(reader.field(key, value)),
            "custom_metadata" => {
                for custom in reader.members_under("custom_metadata", value) {
                    let name = format!("custom_{}", document.symbol_text(custom.symbol));
                    question.properties.push(reader.field(&name, custom.value));
                }
            }
            _ if TEXT_FIELDS.contains(&key) => question.properties.push(reader.text_field(key, value)),
            _ => question.others.push(reader.other(key, value)),
        });
        // This is the order in which the user interface writes them.
        question.properties.sort_by_key(|property| rank(&property.name));
        Some(CheckpointItem { origin, id, date_created, date_modified, question, others: Vec::new() })
    }

    fn check_required(&mut self, entry: TokenId) {
        for field in REQUIRED {
            if self.document.get(entry, field).is_some() {
                continue;
            }
            let (severity, code) = match field {
                "question" => (FindingSeverity::Error, "karenina::no-text"),
                "raw_answer" => (FindingSeverity::Error, "karenina::no-answer"),
                _ => (FindingSeverity::Warning, "karenina::v2-missing"),
            };
            let message = format!("a question without `{field}`, which version 2.0 requires");
            self.find(severity, code, message, entry);
        }
    }
}

/// Reads a creator; a person that has only a name is replaced by the name.
fn creator(document: &JsonDocument, token: TokenId) -> PlacedValue<'_> {
    let creator = PlacedValue::at(document, token);
    let name = creator.is_object().then(|| bare_name(&creator)).flatten();
    name.map_or(creator.clone(), |name| PlacedValue::text(&name, creator.origin))
}

/// Returns the position of a property among the properties of a question.
fn rank(name: &str) -> usize {
    let order = ["finished", "original_answer_template", "author", "sources", "few_shot_examples"];
    order.iter().position(|known| *known == name).unwrap_or(order.len())
}
