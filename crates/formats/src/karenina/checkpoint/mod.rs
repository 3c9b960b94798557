//! A checkpoint as a model: the content of any dialect in one form.
//!
//! [`Checkpoint::read`] builds the model from a parsed file in any dialect of JSON-LD or of version 2.0.
//! Every part knows its place in the file; values keep the spelling of their numbers and the order of
//! their keys. Parts borrow from their documents, so that a checkpoint may hold parts of several.

mod callable_code;
mod findings;
mod json_ld;
mod metadata;
mod model_trait;
mod ratings;
mod rubric;
mod trait_texts;
mod value;
mod version_2;

pub use model_trait::{Trait, TraitCopy};
pub use value::{Origin, Value, write_value};
pub(super) use version_2::DATASET_FIELDS;

use super::dialect::Dialect;
use super::survey::Survey;
use crate::checking::spelled_truth;
pub(super) use callable_code::is_base64_of_python;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::Document;
use findings::Reader;

/// A benchmark: its head, its global traits and its questions.
#[derive(Debug, Clone)]
pub struct Checkpoint<'d> {
    /// The root.
    pub origin: Origin<'d>,
    /// The dialect of the file.
    pub dialect: Dialect,
    /// `@context`.
    pub context: Option<Value<'d>>,
    /// `@id`.
    pub id: Option<Value<'d>>,
    /// `name`.
    pub name: Option<Value<'d>>,
    /// `description`.
    pub description: Option<Value<'d>>,
    /// The version of the content; none for the format tag that the first specification puts there.
    pub version: Option<Value<'d>>,
    /// `creator`: a string or an object.
    pub creator: Option<Value<'d>>,
    /// `dateCreated`.
    pub date_created: Option<Value<'d>>,
    /// `dateModified`.
    pub date_modified: Option<Value<'d>>,
    /// The traits that apply to every question, each once.
    pub global_traits: Vec<Trait<'d>>,
    /// The questions, each with the item around it.
    pub items: Vec<Item<'d>>,
    /// Scenarios, each as its JSON object.
    pub scenarios: Vec<Value<'d>>,
    /// Properties of the checkpoint, except those that name its format or hold traits as text.
    pub properties: Vec<Property<'d>>,
    /// Keys that no dialect has.
    pub others: Vec<Other<'d>>,
}

/// An item of the list: one question and its dates.
#[derive(Debug, Clone)]
pub struct Item<'d> {
    /// The item, or the question in a list of bare questions.
    pub origin: Origin<'d>,
    /// `@id`; in version 2.0 `urn:uuid:` and the key.
    pub id: Option<Value<'d>>,
    /// `dateCreated`.
    pub date_created: Option<Value<'d>>,
    /// `dateModified`.
    pub date_modified: Option<Value<'d>>,
    /// The question.
    pub question: Question<'d>,
    /// Keys that no dialect has.
    pub others: Vec<Other<'d>>,
}

/// A question.
#[derive(Debug, Clone)]
pub struct Question<'d> {
    /// The question.
    pub origin: Origin<'d>,
    /// `@type`, if it names another class.
    pub class: Option<Value<'d>>,
    /// `@id`.
    pub id: Option<Value<'d>>,
    /// `text`.
    pub text: Value<'d>,
    /// `acceptedAnswer`.
    pub answer: Option<Answer<'d>>,
    /// `hasPart`: the template.
    pub template: Option<Template<'d>>,
    /// The traits of this question alone.
    pub traits: Vec<Trait<'d>>,
    /// The copies of global traits that stand on the question, with their values.
    pub copies: Vec<TraitCopy<'d>>,
    /// Properties in their order, duplicates too.
    pub properties: Vec<Property<'d>>,
    /// `keywords`, of the item or of the question.
    pub keywords: Option<Keywords<'d>>,
    /// Keys that no dialect has.
    pub others: Vec<Other<'d>>,
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Answer<'d> {
    /// The answer.
    pub origin: Origin<'d>,
    /// `@type`, if it names another class.
    pub class: Option<Value<'d>>,
    /// `@id`.
    pub id: Option<Value<'d>>,
    /// `text`.
    pub text: Value<'d>,
    /// Keys that no dialect has.
    pub others: Vec<Other<'d>>,
}

/// An answer template: code that is text to us and never run.
#[derive(Debug, Clone)]
pub struct Template<'d> {
    /// The template.
    pub origin: Origin<'d>,
    /// `@id`.
    pub id: Option<Value<'d>>,
    /// `name`.
    pub name: Option<Value<'d>>,
    /// `text`: the code.
    pub text: Value<'d>,
    /// `programmingLanguage`.
    pub programming_language: Option<Value<'d>>,
    /// `codeRepository`.
    pub code_repository: Option<Value<'d>>,
    /// Keys that no dialect has.
    pub others: Vec<Other<'d>>,
}

/// A `PropertyValue`.
#[derive(Debug, Clone)]
pub struct Property<'d> {
    /// The property; in version 2.0 the value of the field.
    pub origin: Origin<'d>,
    /// `@id`.
    pub id: Option<Value<'d>>,
    /// `name`.
    pub name: String,
    /// `value`; a property without one means `null`.
    pub value: Option<Value<'d>>,
    /// Whether the file leaves it out: its format takes it for granted, and other formats have to write it.
    pub is_implied: bool,
    /// Keys that no dialect has.
    pub others: Vec<Other<'d>>,
}

/// The list of keywords, which may be empty.
#[derive(Debug, Clone)]
pub struct Keywords<'d> {
    /// The list.
    pub origin: Origin<'d>,
    /// The keywords in their order, duplicates too.
    pub values: Vec<Value<'d>>,
}

/// A key that no dialect has.
#[derive(Debug, Clone)]
pub struct Other<'d> {
    /// The key.
    pub key: String,
    /// Its value.
    pub value: Value<'d>,
}

/// A checkpoint that was read.
#[derive(Debug)]
pub struct Reading<'d> {
    /// The checkpoint, without the faulty parts.
    pub checkpoint: Checkpoint<'d>,
    /// The findings, in the order of the file as far as it is read in one go. A checkpoint with an
    /// error says less than its file.
    pub findings: Vec<Diagnostic>,
}

impl<'d> Checkpoint<'d> {
    /// Reads a file in any dialect.
    ///
    /// # Errors
    /// `karenina::no-checkpoint` for a file that is none.
    pub fn read(document: &'d Document) -> Result<Reading<'d>, Box<Diagnostic>> {
        let survey = Survey::of(document);
        let dialect = survey.detect().dialect;
        let mut reader = Reader::new(document, dialect);
        let root = reader.keyed.each(document.root()).next();
        let is_one = !matches!(dialect, Dialect::ResultsExport | Dialect::None);
        let Some(root) = root.filter(|_| is_one) else {
            let message = match dialect {
                Dialect::ResultsExport => "an export of verification results is not a checkpoint".to_owned(),
                _ => "not a Karenina checkpoint: it fits none of the dialects".to_owned(),
            };
            let fault = Diagnostic::error("karenina::no-checkpoint", message);
            return Err(Box::new(fault.at(document.place(document.root()))));
        };
        let checkpoint = match dialect {
            Dialect::V2a | Dialect::V2b | Dialect::V2c => reader.version_2(root, dialect),
            _ => reader.json_ld(root, dialect),
        };
        Ok(Reading { checkpoint, findings: reader.findings })
    }

    /// Returns an empty checkpoint with the root `origin`.
    pub(super) fn empty(origin: Origin<'d>, dialect: Dialect) -> Self {
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

    /// The first property of the checkpoint with that name.
    pub fn property(&self, name: &str) -> Option<&Property<'d>> {
        self.properties.iter().find(|property| property.name == name)
    }
}

impl<'d> Question<'d> {
    /// A question with nothing but its text.
    pub(super) fn new(origin: Origin<'d>, text: Value<'d>) -> Self {
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

    /// The first property with that name.
    pub fn property(&self, name: &str) -> Option<&Property<'d>> {
        self.properties.iter().find(|property| property.name == name)
    }

    /// Tells whether the property `finished` is what the library takes for true.
    pub fn is_finished(&self) -> bool {
        let value = self.property("finished").and_then(|property| property.value.as_ref());
        value.is_some_and(|value| match value.as_str() {
            Some(text) => spelled_truth(&text) == Some(true),
            None => matches!(value.as_json(), "true" | "1" | "1.0"),
        })
    }
}

impl<'d> Property<'d> {
    /// Returns a property that was not read from a list of properties.
    pub(super) fn new(name: impl Into<String>, value: Option<Value<'d>>, origin: Origin<'d>) -> Self {
        Self { origin, id: None, name: name.into(), value, is_implied: false, others: Vec::new() }
    }
}
