//! Writes version 2.0: a plain JSON document with one entry per question.

use super::checkpoint_form::{
    CheckpointForm, CheckpointWriteOptions, Version2Shape, WrittenCheckpoint, parse_own,
};
use super::default_parts::{DateField, answer_id, item_ids, key_of, root_date, template_id, timestamp};
use super::ledger::{ConversionLedger, PartPath};
use super::trait_ratings::lose_copies;
use super::version_2_traits::{MemberTexts, quoted, rubric};
use crate::checkpoint::identifiers::interface_question_id;
use crate::checkpoint::model::{
    Checkpoint, CheckpointItem, CheckpointQuestion, DATASET_FIELDS, PlacedValue, PropertyValue, RubricTrait,
    TokenOrigin,
};
use crate::checkpoint::template::{default_stub, interface_name, python_name};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::{JsonStyle, StyledJson};
use hashbrown::HashMap;
use std::fmt::Display;

/// The prefix of the properties with the metadata of a question.
const CUSTOM: &str = "custom_";

/// Writes a checkpoint.
pub(super) fn write<'d>(
    checkpoint: &Checkpoint<'d>,
    shape: Version2Shape,
    options: &CheckpointWriteOptions<'_>,
) -> Result<WrittenCheckpoint<'d>, Vec<Diagnostic>> {
    let form = CheckpointForm::Version2(shape);
    let mut writer = Version2Writer {
        checkpoint,
        shape,
        options,
        ledger: ConversionLedger::default(),
        faults: Vec::new(),
    };
    let mut root = MemberTexts::default();
    root.add("version", "\"2.0\"");
    root.add("global_rubric", &writer.rubric(&checkpoint.global_traits, &PartPath::below("/global_traits")));
    if let Some(metadata) = writer.dataset() {
        root.add("dataset_metadata", &metadata);
    }
    let ids = item_ids(checkpoint, form);
    writer.check_keys(&ids);
    let mut entries = MemberTexts::default();
    for (at, item) in checkpoint.items.iter().enumerate() {
        let entry = writer.entry(item, &ids[at], &PartPath::below("/items").at(at));
        entries.add(key_of(&ids[at]), &entry);
    }
    root.add("checkpoint", &entries.object());
    // All questions are read first, so all faults are reported together.
    if !writer.faults.is_empty() {
        return Err(writer.faults);
    }
    let document = parse_own("checkpoint", root.object()).map_err(|fault| vec![*fault])?;
    let mut json = StyledJson::new(JsonStyle::default());
    json.json(&document, document.root());
    Ok(WrittenCheckpoint { text: json.finish(), changes: writer.ledger.changes })
}

struct Version2Writer<'w, 'd> {
    checkpoint: &'w Checkpoint<'d>,
    shape: Version2Shape,
    options: &'w CheckpointWriteOptions<'w>,
    ledger: ConversionLedger<'d>,
    faults: Vec<Diagnostic>,
}

impl<'d> Version2Writer<'_, 'd> {
    fn rubric(&mut self, traits: &[RubricTrait<'d>], part: &PartPath<'_>) -> String {
        rubric(traits, self.shape, self.options.purpose, part, &mut self.ledger)
    }

    /// Reports two questions with the same key, because an object can have only one.
    fn check_keys(&mut self, ids: &[String]) {
        let mut first: HashMap<&str, usize> = HashMap::new();
        for (at, id) in ids.iter().enumerate() {
            let earlier = *first.entry(key_of(id)).or_insert(at);
            if earlier == at {
                continue;
            }
            let message =
                format!("two questions have the id `{id}`, but version 2.0 allows only one per key");
            let items = &self.checkpoint.items;
            let fault = Diagnostic::error("karenina::shared-item-id", message)
                .at(items[at].origin.place())
                .with_related(items[earlier].origin.place(), "the first");
            self.faults.push(fault);
        }
    }

    fn dataset(&mut self) -> Option<String> {
        let checkpoint = self.checkpoint;
        self.ledger.lose_value("`@id` of the checkpoint", "/id", checkpoint.id.as_ref());
        for (at, scenario) in checkpoint.scenarios.iter().enumerate() {
            self.ledger.loss("scenario", format!("/scenarios/{at}"), scenario.origin);
        }
        self.ledger.lose_others(&checkpoint.others, "the checkpoint", &PartPath::below(""));
        let mut members = MemberTexts::default();
        members.maybe("name", checkpoint.name.as_ref());
        members.maybe("description", checkpoint.description.as_ref());
        members.maybe("version", checkpoint.version.as_ref());
        let mut custom = MemberTexts::default();
        let mut fields = MemberTexts::default();
        self.dataset_properties(&mut fields, &mut custom);
        if let Some(creator) = &checkpoint.creator {
            fields.add("creator", &person(creator));
        }
        fields.sort(&["license", "keywords", "creator", "publisher", "datePublished"]);
        members.append(fields);
        members.maybe("dateCreated", checkpoint.date_created.as_ref());
        if self.options.touch {
            let now = timestamp(self.options.now, CheckpointForm::Version2(self.shape));
            members.text("dateModified", &now);
        } else {
            members.maybe("dateModified", checkpoint.date_modified.as_ref());
        }
        if !custom.is_empty() {
            members.add("custom_properties", &custom.object());
        }
        (!members.is_empty()).then(|| members.object())
    }

    fn dataset_properties(&mut self, fields: &mut MemberTexts, custom: &mut MemberTexts) {
        let checkpoint = self.checkpoint;
        for (at, property) in checkpoint.properties.iter().enumerate() {
            if !self.is_first(&checkpoint.properties, at, "the checkpoint", &PartPath::below("")) {
                continue;
            }
            let name = property.name.as_str();
            if DATASET_FIELDS.contains(&name) {
                fields.add(name, &inner(property));
            } else {
                custom.add(name, property.value.as_ref().map_or("null", PlacedValue::as_json));
            }
        }
    }

    /// Returns whether a property is the first of its name, and records any later one as lost.
    fn is_first(
        &mut self,
        properties: &[PropertyValue<'d>],
        at: usize,
        of: &str,
        part: &PartPath<'_>,
    ) -> bool {
        let property = &properties[at];
        let part = part.field("properties");
        let part = part.field(&property.name);
        let is_first = !properties[..at].iter().any(|earlier| earlier.name == property.name);
        if is_first {
            self.ledger.lose_of_property(property, of, &part);
        } else {
            self.ledger.loss(format!("second property of {of} with the same name"), part, property.origin);
        }
        is_first
    }

    fn entry(&mut self, item: &CheckpointItem<'d>, id: &str, item_part: &PartPath<'_>) -> String {
        let question = &item.question;
        let text = question.text.shown();
        let part = &item_part.field("question");
        self.lose_ids(item, id, &text, item_part);
        self.lose_template(question, &text, part);
        self.ledger.lose_others(&item.others, "an item", item_part);
        lose_copies(&mut self.ledger, self.checkpoint, question, part);
        let mut members = MemberTexts::default();
        members.text("question", &text);
        match &question.answer {
            Some(answer) => members.text("raw_answer", &answer.text.shown()),
            None => {
                let fault = Diagnostic::error("karenina::no-answer", "a question without `acceptedAnswer`");
                self.faults.push(fault.at(question.origin.place()));
            }
        }
        let fields = self.fields(question, part);
        members.maybe_json("original_answer_template", fields.original_template);
        match &question.template {
            Some(template) => members.text("answer_template", &template.text.shown()),
            None if self.fills("template", part.field("template/text"), question.origin) => {
                members.text("answer_template", &default_stub(&text));
            }
            None => {}
        }
        members.maybe("date_created", item.date_created.as_ref());
        match &item.date_modified {
            Some(date) => members.text("last_modified", &date.shown()),
            None if self.fills(
                "`last_modified` of a question",
                item_part.field("date_modified"),
                item.origin,
            ) =>
            {
                let form = CheckpointForm::Version2(self.shape);
                let date = root_date(self.checkpoint, DateField::MODIFIED, self.options, form);
                members.text("last_modified", &date);
            }
            None => {}
        }
        members.maybe_json("finished", fields.finished);
        if !question.traits.is_empty() {
            let rubric = self.rubric(&question.traits, &part.field("traits"));
            if rubric != "null" {
                members.add("question_rubric", &rubric);
            }
        }
        members.append(fields.rest);
        if let Some(keywords) = &question.keywords {
            let list: Vec<&str> = keywords.values.iter().map(PlacedValue::as_json).collect();
            members.add("keywords", &format!("[{}]", list.join(",")));
        }
        self.ledger.lose_others(&question.others, "a question", part);
        members.object()
    }

    /// Returns whether a missing part is filled in, and records it if so.
    fn fills(&mut self, subject: impl Into<String>, part: impl Display, origin: TokenOrigin<'d>) -> bool {
        let is_for_programs = self.options.purpose.is_file();
        if is_for_programs {
            self.ledger.filled(subject, part, origin);
        }
        is_for_programs
    }

    /// Turns the properties of a question into fields.
    fn fields<'q>(
        &mut self,
        question: &'q CheckpointQuestion<'d>,
        part: &PartPath<'_>,
    ) -> QuestionFields<'q> {
        let mut fields = QuestionFields::default();
        let mut custom = MemberTexts::default();
        for (at, property) in question.properties.iter().enumerate() {
            if !self.is_first(&question.properties, at, "a question", part) {
                continue;
            }
            let json = property.value.as_ref().map_or("null", PlacedValue::as_json);
            match property.name.as_str() {
                "finished" => fields.finished = Some(json),
                "original_answer_template" => fields.original_template = Some(json),
                name @ ("few_shot_examples" | "author" | "sources") => {
                    fields.rest.add(name, &inner(property));
                }
                name => match name.strip_prefix(CUSTOM) {
                    Some(key) => custom.add(key, json),
                    None => {
                        let subject = format!("property `{name}` of a question");
                        self.ledger.loss(subject, part.field("properties").field(name), property.origin);
                    }
                },
            }
        }
        let required = [
            (&mut fields.finished, "finished", "false"),
            (&mut fields.original_template, "original_answer_template", "\"\""),
        ];
        let part = part.field("properties");
        for (field, name, json) in required {
            let subject = || format!("`{name}` of a question");
            if field.is_none() && self.fills(subject(), part.field(name), question.origin) {
                *field = Some(json);
            }
        }
        if !custom.is_empty() {
            fields.rest.add("custom_metadata", &custom.object());
        }
        fields.rest.sort(&["few_shot_examples", "custom_metadata", "author", "sources"]);
        fields
    }

    /// Records lost ids: version 2.0 keeps only the key of the item, and derives every other id from it.
    fn lose_ids(&mut self, item: &CheckpointItem<'d>, id: &str, text: &str, part: &PartPath<'_>) {
        let question = &item.question;
        let answer = question.answer.as_ref().and_then(|answer| answer.id.as_ref());
        let template = question.template.as_ref().and_then(|template| template.id.as_ref());
        if item.id.is_none() {
            self.fills("`@id` of an item", part.field("id"), item.origin);
        }
        let unlike_its_key = item.id.as_ref().filter(|_| key_of(id) == id);
        self.ledger.lose_value("`@id` of an item", part.field("id"), unlike_its_key);
        let part = part.field("question");
        let made = interface_question_id(text);
        self.lose_id("`@id` of a question", part.field("id"), question.id.as_ref(), &made);
        self.lose_id("`@id` of an answer", part.field("answer/id"), answer, &answer_id(id));
        self.lose_id("`@id` of a template", part.field("template/id"), template, &template_id(id));
    }

    fn lose_id(&mut self, subject: &str, part: PartPath<'_>, given: Option<&PlacedValue<'d>>, made: &str) {
        let is_made = |given: &str| {
            let number = given.strip_prefix(made).and_then(|rest| rest.strip_prefix('-'));
            given == made || number.is_some_and(|number| number.parse::<usize>().is_ok())
        };
        self.ledger.lose_value(subject, part, given.filter(|given| !is_made(&given.shown())));
    }

    fn lose_template(&mut self, question: &CheckpointQuestion<'d>, text: &str, part: &PartPath<'_>) {
        if let Some(answer) = &question.answer {
            self.ledger.lose_others(&answer.others, "an answer", &part.field("answer"));
        }
        let Some(template) = &question.template else { return };
        let part = part.field("template");
        let made = [python_name(text), interface_name(text)];
        let name = template.name.as_ref().filter(|name| !made.contains(&name.shown().into_owned()));
        let language = template.programming_language.as_ref().filter(|language| !language.is_text("Python"));
        let repository = template.code_repository.as_ref();
        self.ledger.lose_value("`name` of a template", part.field("name"), name);
        let subject = "`programmingLanguage` of a template";
        self.ledger.lose_value(subject, part.field("programming_language"), language);
        self.ledger.lose_value("`codeRepository` of a template", part.field("code_repository"), repository);
        self.ledger.lose_others(&template.others, "a template", &part);
    }
}

/// The fields of a question that are properties elsewhere.
#[derive(Default)]
struct QuestionFields<'q> {
    finished: Option<&'q str>,
    original_template: Option<&'q str>,
    rest: MemberTexts,
}

/// Returns the object or list that a property contains as a JSON string, and any other value as it is.
fn inner(property: &PropertyValue<'_>) -> String {
    let Some(value) = &property.value else { return "null".to_owned() };
    value.inner_json().map_or_else(|| value.as_json().to_owned(), |inner| inner.as_json().to_owned())
}

/// Returns a creator as an object.
fn person(creator: &PlacedValue<'_>) -> String {
    if creator.is_object() {
        return creator.as_json().to_owned();
    }
    format!("{{\"@type\":\"Person\",\"name\":{}}}", quoted(&creator.shown()))
}
