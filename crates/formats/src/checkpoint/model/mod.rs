//! A checkpoint as a model: the content of any dialect in one form.
//!
//! [`Checkpoint::read`] builds the model from a parsed file in any dialect of JSON-LD or of version 2.0. Every part
//! knows its place in the file; values keep the spelling of their numbers and the order of their keys. Parts borrow
//! from their documents, so a checkpoint can have parts of several documents.

mod callable_code;
mod checkpoint_reader;
mod json_ld_checkpoint;
mod metadata;
mod model_trait;
mod rating_traits;
mod rubric;
mod trait_texts;
mod value;
mod version_2_checkpoint;

pub use model_trait::{RubricTrait, TraitCopy};
pub use value::{PlacedValue, TokenOrigin, write_value};
pub(super) use version_2_checkpoint::DATASET_FIELDS;

use super::dialect::CheckpointDialect;
use super::survey::CheckpointSurvey;
use crate::checking::spelled_truth;
pub(crate) use callable_code::is_base64_of_python;
use checkpoint_reader::CheckpointReader;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::JsonDocument;

/// A benchmark: its head, its global traits and its questions.
#[derive(Debug, Clone)]
pub struct Checkpoint<'d> {
    /// The root.
    pub origin: TokenOrigin<'d>,
    /// The dialect of the file.
    pub dialect: CheckpointDialect,
    /// `@context`.
    pub context: Option<PlacedValue<'d>>,
    /// `@id`.
    pub id: Option<PlacedValue<'d>>,
    /// `name`.
    pub name: Option<PlacedValue<'d>>,
    /// `description`.
    pub description: Option<PlacedValue<'d>>,
    /// The version of the content; `None` for the format tag that the first specification puts there.
    pub version: Option<PlacedValue<'d>>,
    /// `creator`: a string or an object.
    pub creator: Option<PlacedValue<'d>>,
    /// `dateCreated`.
    pub date_created: Option<PlacedValue<'d>>,
    /// `dateModified`.
    pub date_modified: Option<PlacedValue<'d>>,
    /// The traits that apply to every question, each once.
    pub global_traits: Vec<RubricTrait<'d>>,
    /// The questions, each with the item around it.
    pub items: Vec<CheckpointItem<'d>>,
    /// Scenarios, each as its JSON object.
    pub scenarios: Vec<PlacedValue<'d>>,
    /// Properties of the checkpoint, except those that name its format or contain traits as JSON.
    pub properties: Vec<PropertyValue<'d>>,
    /// Keys that are in no dialect.
    pub others: Vec<UnknownMember<'d>>,
}

/// An item of the list: one question and its dates.
#[derive(Debug, Clone)]
pub struct CheckpointItem<'d> {
    /// The item, or the question in a list of bare questions.
    pub origin: TokenOrigin<'d>,
    /// `@id`; in version 2.0 `urn:uuid:` and the key.
    pub id: Option<PlacedValue<'d>>,
    /// `dateCreated`.
    pub date_created: Option<PlacedValue<'d>>,
    /// `dateModified`.
    pub date_modified: Option<PlacedValue<'d>>,
    /// The question.
    pub question: CheckpointQuestion<'d>,
    /// Keys that are in no dialect.
    pub others: Vec<UnknownMember<'d>>,
}

/// A question.
#[derive(Debug, Clone)]
pub struct CheckpointQuestion<'d> {
    /// The question.
    pub origin: TokenOrigin<'d>,
    /// `@type`, if it names another class.
    pub class: Option<PlacedValue<'d>>,
    /// `@id`.
    pub id: Option<PlacedValue<'d>>,
    /// `text`.
    pub text: PlacedValue<'d>,
    /// `acceptedAnswer`.
    pub answer: Option<CheckpointAnswer<'d>>,
    /// `hasPart`: the template.
    pub template: Option<AnswerTemplate<'d>>,
    /// The traits of this question only.
    pub traits: Vec<RubricTrait<'d>>,
    /// The copies of global traits on the question, with their values.
    pub copies: Vec<TraitCopy<'d>>,
    /// Properties in their order, duplicates too.
    pub properties: Vec<PropertyValue<'d>>,
    /// `keywords`, of the item or of the question.
    pub keywords: Option<KeywordValues<'d>>,
    /// Keys that are in no dialect.
    pub others: Vec<UnknownMember<'d>>,
}

/// An answer.
#[derive(Debug, Clone)]
pub struct CheckpointAnswer<'d> {
    /// The answer.
    pub origin: TokenOrigin<'d>,
    /// `@type`, if it names another class.
    pub class: Option<PlacedValue<'d>>,
    /// `@id`.
    pub id: Option<PlacedValue<'d>>,
    /// `text`.
    pub text: PlacedValue<'d>,
    /// Keys that are in no dialect.
    pub others: Vec<UnknownMember<'d>>,
}

/// An answer template: code that is treated as text and never run.
#[derive(Debug, Clone)]
pub struct AnswerTemplate<'d> {
    /// The template.
    pub origin: TokenOrigin<'d>,
    /// `@id`.
    pub id: Option<PlacedValue<'d>>,
    /// `name`.
    pub name: Option<PlacedValue<'d>>,
    /// `text`: the code.
    pub text: PlacedValue<'d>,
    /// `programmingLanguage`.
    pub programming_language: Option<PlacedValue<'d>>,
    /// `codeRepository`.
    pub code_repository: Option<PlacedValue<'d>>,
    /// Keys that are in no dialect.
    pub others: Vec<UnknownMember<'d>>,
}

/// A `PropertyValue`.
#[derive(Debug, Clone)]
pub struct PropertyValue<'d> {
    /// The property; in version 2.0 the value of the field.
    pub origin: TokenOrigin<'d>,
    /// `@id`.
    pub id: Option<PlacedValue<'d>>,
    /// `name`.
    pub name: String,
    /// `value`; a property without one means `null`.
    pub value: Option<PlacedValue<'d>>,
    /// `true` if the file omits the property because it is the default of its format. Other formats have to write it.
    pub is_implied: bool,
    /// Keys that are in no dialect.
    pub others: Vec<UnknownMember<'d>>,
}

/// The list of keywords, which may be empty.
#[derive(Debug, Clone)]
pub struct KeywordValues<'d> {
    /// The list.
    pub origin: TokenOrigin<'d>,
    /// The keywords in their order, duplicates too.
    pub values: Vec<PlacedValue<'d>>,
}

/// A key that is in no dialect.
#[derive(Debug, Clone)]
pub struct UnknownMember<'d> {
    /// The key.
    pub key: String,
    /// Its value.
    pub value: PlacedValue<'d>,
}

/// A checkpoint that was read.
#[derive(Debug)]
pub struct CheckpointReading<'d> {
    /// The checkpoint, without the faulty parts.
    pub checkpoint: Checkpoint<'d>,
    /// The findings, in document order within each pass over the file. If one of them is an error, the checkpoint is
    /// incomplete.
    pub findings: Vec<Diagnostic>,
}

impl<'d> Checkpoint<'d> {
    /// Reads a file in any dialect.
    ///
    /// # Errors
    /// `karenina::no-checkpoint` if the file is not a checkpoint.
    pub fn read(document: &'d JsonDocument) -> Result<CheckpointReading<'d>, Box<Diagnostic>> {
        let survey = CheckpointSurvey::from_document(document);
        let dialect = survey.detect().dialect;
        let mut reader = CheckpointReader::new(document, dialect);
        let root = reader.keyed.each(document.root()).next();
        let is_one = !matches!(dialect, CheckpointDialect::ResultsExport | CheckpointDialect::None);
        let Some(root) = root.filter(|_| is_one) else {
            let message = match dialect {
                CheckpointDialect::ResultsExport => {
                    "an export of verification results is not a checkpoint".to_owned()
                }
                _ => "not a Karenina checkpoint: it fits none of the dialects".to_owned(),
            };
            let fault = Diagnostic::error("karenina::no-checkpoint", message);
            return Err(Box::new(fault.at(document.place(document.root()))));
        };
        let checkpoint = match dialect {
            CheckpointDialect::V2a | CheckpointDialect::V2b | CheckpointDialect::V2c => {
                reader.version_2(root, dialect)
            }
            _ => reader.json_ld(root, dialect),
        };
        Ok(CheckpointReading { checkpoint, findings: reader.findings })
    }

    /// Returns an empty checkpoint with the root `origin`.
    pub(super) fn empty(origin: TokenOrigin<'d>, dialect: CheckpointDialect) -> Self {
        Self {
            origin,
            dialect,
            context: None,
            id: None,
            name: None,
            description: None,
            version: None,
            creator: None,
            date_created: None,
            date_modified: None,
            global_traits: Vec::new(),
            items: Vec::new(),
            scenarios: Vec::new(),
            properties: Vec::new(),
            others: Vec::new(),
        }
    }

    /// Returns the first property of the checkpoint with that name.
    pub fn property(&self, name: &str) -> Option<&PropertyValue<'d>> {
        self.properties.iter().find(|property| property.name == name)
    }
}

impl<'d> CheckpointQuestion<'d> {
    /// Makes a question with only a text.
    pub(super) fn new(origin: TokenOrigin<'d>, text: PlacedValue<'d>) -> Self {
        Self {
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
        }
    }

    /// Returns the first property with that name.
    pub fn property(&self, name: &str) -> Option<&PropertyValue<'d>> {
        self.properties.iter().find(|property| property.name == name)
    }

    /// Returns whether the library takes the property `finished` as true.
    pub fn is_finished(&self) -> bool {
        let value = self.property("finished").and_then(|property| property.value.as_ref());
        value.is_some_and(|value| match value.as_str() {
            Some(text) => spelled_truth(&text) == Some(true),
            None => matches!(value.as_json(), "true" | "1" | "1.0"),
        })
    }
}

impl<'d> PropertyValue<'d> {
    /// Makes a property that was not read from a list of properties.
    pub(super) fn new(
        name: impl Into<String>,
        value: Option<PlacedValue<'d>>,
        origin: TokenOrigin<'d>,
    ) -> Self {
        Self { origin, id: None, name: name.into(), value, is_implied: false, others: Vec::new() }
    }
}
