//! Writes version 2.0: a plain JSON document with one entry a question.

use super::defaults::{DateField, PartIds, item_ids, key_of, root_date, timestamp};
use super::form::{Form, Purpose, Version2Shape, WriteOptions, Written, parse_own};
use super::ledger::{Ledger, Part};
use super::version_2_traits::{quoted, rubric};
use crate::diagnostic::Diagnostic;
use crate::json::{Style, StyledJson};
use crate::source::karenina::checkpoint::{
    Checkpoint, Item, Origin, Other, Property, Question, Trait, Value,
};
use crate::source::karenina::template::{default_stub, interface_name, python_name};
use hashbrown::HashMap;

/// The prefix of the properties that hold the metadata of a question.
const CUSTOM: &str = "custom_";

/// The members of an object, in order.
#[derive(Default)]
struct Members(Vec<String>);

impl Members {
    fn add(&mut self, key: &str, json: &str) {
        self.0.push(format!("{}:{json}", quoted(key)));
    }

    fn maybe(&mut self, key: &str, value: Option<&Value<'_>>) {
        if let Some(value) = value {
            self.add(key, &quoted(&value.shown()));
        }
    }

    fn maybe_text(&mut self, key: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.add(key, &quoted(text));
        }
    }

    /// A member whose JSON is empty where it is missing.
    fn maybe_json(&mut self, key: &str, json: &str) {
        if !json.is_empty() {
            self.add(key, json);
        }
    }

    fn object(&self) -> String {
        format!("{{{}}}", self.0.join(","))
    }
}

/// Writes a checkpoint.
pub(super) fn write<'d>(
    checkpoint: &Checkpoint<'d>,
    shape: Version2Shape,
    options: &WriteOptions<'_>,
) -> Result<Written<'d>, Vec<Diagnostic>> {
    let form = Form::Version2(shape);
    let mut writer = Writer { checkpoint, shape, options, ledger: Ledger::default(), faults: Vec::new() };
    let mut root = Members::default();
    root.add("version", "\"2.0\"");
    root.add("global_rubric", &writer.rubric(&checkpoint.global_traits, "/global_traits"));
    if let Some(metadata) = writer.dataset() {
        root.add("dataset_metadata", &metadata);
    }
    let ids = item_ids(checkpoint, form);
    writer.check_keys(&ids);
    let mut entries = Members::default();
    for (at, item) in checkpoint.items.iter().enumerate() {
        let entry = writer.entry(item, &ids[at], &format!("/items/{at}"));
        entries.add(key_of(&ids[at]), &entry);
    }
    root.add("checkpoint", &entries.object());
    if !writer.faults.is_empty() {
        return Err(writer.faults);
    }
    let document = parse_own("checkpoint", root.object()).map_err(|fault| vec![*fault])?;
    let mut json = StyledJson::new(Style::default());
    json.json(&document, document.root());
    Ok(Written { text: json.finish(), changes: writer.ledger.changes })
}

struct Writer<'w, 'd> {
    checkpoint: &'w Checkpoint<'d>,
    shape: Version2Shape,
    options: &'w WriteOptions<'w>,
    ledger: Ledger<'d>,
    faults: Vec<Diagnostic>,
}

impl<'d> Writer<'_, 'd> {
    fn rubric(&mut self, traits: &[Trait<'d>], part: &str) -> String {
        rubric(traits, self.shape, self.options.purpose, part, &mut self.ledger)
    }

    /// Two questions of one key cannot stand in one object.
    fn check_keys(&mut self, ids: &[String]) {
        let mut first: HashMap<&str, usize> = HashMap::new();
        for (at, id) in ids.iter().enumerate() {
            let earlier = *first.entry(key_of(id)).or_insert(at);
            if earlier == at {
                continue;
            }
            let message = format!("two questions have the id `{id}`, and version 2.0 holds one of a key");
            let items = &self.checkpoint.items;
            let fault = Diagnostic::error("karenina::shared-item-id", message)
                .at(items[at].origin.place())
                .with_related(items[earlier].origin.place(), "the first");
            self.faults.push(fault);
        }
    }

    fn dataset(&mut self) -> Option<String> {
        let checkpoint = self.checkpoint;
        if let Some(id) = &checkpoint.id {
            self.ledger.loss("`@id` of the checkpoint", "/id", id.origin);
        }
        for (at, scenario) in checkpoint.scenarios.iter().enumerate() {
            self.ledger.loss("scenario", format!("/scenarios/{at}"), scenario.origin);
        }
        self.lose_others(&checkpoint.others, "the checkpoint", "");
        let mut members = Members::default();
        members.maybe("name", checkpoint.name.as_ref());
        members.maybe("description", checkpoint.description.as_ref());
        members.maybe("version", checkpoint.version.as_ref());
        let mut custom = Members::default();
        let mut fields = Members::default();
        self.dataset_properties(&mut fields, &mut custom);
        if let Some(creator) = &checkpoint.creator {
            fields.add("creator", &person(creator));
        }
        fields.0.sort_by_key(|field| dataset_rank(field));
        members.0.append(&mut fields.0);
        members.maybe("dateCreated", checkpoint.date_created.as_ref());
        if self.options.touch {
            let now = timestamp(self.options.now, Form::Version2(self.shape));
            members.add("dateModified", &quoted(&now));
        } else {
            members.maybe("dateModified", checkpoint.date_modified.as_ref());
        }
        if !custom.0.is_empty() {
            members.add("custom_properties", &custom.object());
        }
        (!members.0.is_empty()).then(|| members.object())
    }

    fn dataset_properties(&mut self, fields: &mut Members, custom: &mut Members) {
        let checkpoint = self.checkpoint;
        for (at, property) in checkpoint.properties.iter().enumerate() {
            if !self.is_first(&checkpoint.properties, at, "the checkpoint", "") {
                continue;
            }
            let name = property.name.as_str();
            if is_dataset_field(name) {
                fields.add(name, &inner(property));
            } else {
                custom.add(name, property.value.as_ref().map_or("null", Value::as_json));
            }
        }
    }

    /// Tells whether no earlier property has the name of this one; else it is lost.
    fn is_first(&mut self, properties: &[Property<'d>], at: usize, of: &str, part: &str) -> bool {
        let property = &properties[at];
        let part = format!("{part}/properties/{}", property.name);
        let is_first = !properties[..at].iter().any(|earlier| earlier.name == property.name);
        if !is_first {
            let subject = format!("second property of {of} with one name");
            self.ledger.loss(subject, part, property.origin);
            return false;
        }
        if let Some(id) = &property.id {
            let subject = format!("`@id` of a property of {of}");
            self.ledger.loss(subject, format!("{part}/id"), id.origin);
        }
        self.lose_others(&property.others, &format!("a property of {of}"), &part);
        true
    }

    fn entry(&mut self, item: &Item<'d>, id: &str, part: &str) -> String {
        let question = &item.question;
        let text = question.text.shown();
        self.lose_ids(item, id, &text, part);
        self.lose_template(question, &text, part);
        self.lose_others(&item.others, "an item", part);
        self.lose_copies(question, part);
        let part = format!("{part}/question");
        let mut members = Members::default();
        members.add("question", &quoted(&text));
        self.answer(question, &mut members);
        let mut fields = self.fields(question, &part);
        members.maybe_json("original_answer_template", &fields.original_template);
        let template = question.template.as_ref().map(|template| template.text.shown().into_owned());
        let template = template.or_else(|| {
            let is_filled = self.fills("template", format!("{part}/template/text"), question.origin);
            is_filled.then(|| default_stub(&text))
        });
        members.maybe_text("answer_template", template.as_deref());
        members.maybe("date_created", item.date_created.as_ref());
        members.maybe_text("last_modified", self.last_modified(item, &part).as_deref());
        members.maybe_json("finished", &fields.finished);
        if !question.traits.is_empty() {
            let rubric = self.rubric(&question.traits, &format!("{part}/traits"));
            if rubric != "null" {
                members.add("question_rubric", &rubric);
            }
        }
        members.0.append(&mut fields.rest.0);
        if let Some(keywords) = &question.keywords {
            let list: Vec<&str> = keywords.values.iter().map(Value::as_json).collect();
            members.add("keywords", &format!("[{}]", list.join(",")));
        }
        self.lose_others(&question.others, "a question", &part);
        members.object()
    }

    fn answer(&mut self, question: &Question<'d>, members: &mut Members) {
        match &question.answer {
            Some(answer) => members.add("raw_answer", &quoted(&answer.text.shown())),
            None => {
                let fault = Diagnostic::error("karenina::no-answer", "a question without `acceptedAnswer`");
                self.faults.push(fault.at(question.origin.place()));
            }
        }
    }

    fn last_modified(&mut self, item: &Item<'d>, part: &str) -> Option<String> {
        if let Some(date) = &item.date_modified {
            return Some(date.shown().into_owned());
        }
        let part = part.strip_suffix("/question").unwrap_or(part);
        let is_filled =
            self.fills("`last_modified` of a question", format!("{part}/date_modified"), item.origin);
        let form = Form::Version2(self.shape);
        is_filled.then(|| root_date(self.checkpoint, DateField::Modified, self.options, form))
    }

    /// Tells whether something that is missing is filled in, which the ledger then has.
    fn fills(&mut self, subject: impl Into<String>, part: String, origin: Origin<'d>) -> bool {
        let is_for_programs = self.options.purpose == Purpose::File;
        if is_for_programs {
            self.ledger.filled(subject, part, origin);
        }
        is_for_programs
    }

    /// Returns what the properties of a question say, in fields.
    fn fields(&mut self, question: &Question<'d>, part: &str) -> Fields {
        let mut fields = Fields::default();
        let mut custom = Members::default();
        let mut texts: [Option<String>; 3] = [None, None, None];
        for (at, property) in question.properties.iter().enumerate() {
            if !self.is_first(&question.properties, at, "a question", part) {
                continue;
            }
            let json = property.value.as_ref().map_or("null", Value::as_json);
            match property.name.as_str() {
                "finished" => json.clone_into(&mut fields.finished),
                "original_answer_template" => json.clone_into(&mut fields.original_template),
                "few_shot_examples" => texts[0] = Some(inner(property)),
                "author" => texts[1] = Some(inner(property)),
                "sources" => texts[2] = Some(inner(property)),
                name => match name.strip_prefix(CUSTOM) {
                    Some(key) => custom.add(key, json),
                    None => {
                        let part = format!("{part}/properties/{name}");
                        self.ledger.loss(format!("property `{name}` of a question"), part, property.origin);
                    }
                },
            }
        }
        let required = [
            (&mut fields.finished, "finished", "false"),
            (&mut fields.original_template, "original_answer_template", "\"\""),
        ];
        for (field, name, json) in required {
            let part = || format!("{part}/properties/{name}");
            if field.is_empty() && self.fills(format!("`{name}` of a question"), part(), question.origin) {
                json.clone_into(field);
            }
        }
        let [examples, author, sources] = texts;
        let rest = &mut fields.rest;
        examples.iter().for_each(|json| rest.add("few_shot_examples", json));
        if !custom.0.is_empty() {
            rest.add("custom_metadata", &custom.object());
        }
        author.iter().for_each(|json| rest.add("author", json));
        sources.iter().for_each(|json| rest.add("sources", json));
        fields
    }

    /// Version 2.0 has the key of the item, and makes every other id of it.
    fn lose_ids(&mut self, item: &Item<'d>, id: &str, text: &str, part: &str) {
        let made = PartIds::of(id, text);
        let question = &item.question;
        let answer = question.answer.as_ref().and_then(|answer| answer.id.as_ref());
        let template = question.template.as_ref().and_then(|template| template.id.as_ref());
        let ids = [
            ("question", "question/id", question.id.as_ref(), made.question),
            ("answer", "question/answer/id", answer, made.answer),
            ("template", "question/template/id", template, made.template),
        ];
        if item.id.is_none() {
            self.fills("`@id` of an item", format!("{part}/id"), item.origin);
        }
        if let Some(given) = item.id.as_ref().filter(|_| key_of(id) == id) {
            self.ledger.loss("`@id` of an item", format!("{part}/id"), given.origin);
        }
        for (of, field, given, made) in ids {
            let is_made = |given: &str| {
                let number = given.strip_prefix(&made).and_then(|rest| rest.strip_prefix('-'));
                given == made || number.is_some_and(|number| number.parse::<usize>().is_ok())
            };
            if let Some(given) = given.filter(|given| !is_made(&given.shown())) {
                let article = if of == "answer" { "an" } else { "a" };
                self.ledger.loss(format!("`@id` of {article} {of}"), format!("{part}/{field}"), given.origin);
            }
        }
    }

    fn lose_template(&mut self, question: &Question<'d>, text: &str, part: &str) {
        let part = format!("{part}/question/template");
        if let Some(answer) = &question.answer {
            let part = part.replace("/template", "/answer");
            self.lose_others(&answer.others, "an answer", &part);
        }
        let Some(template) = &question.template else { return };
        let made = [python_name(text), interface_name(text)];
        let name = template.name.as_ref().filter(|name| !made.contains(&name.shown().into_owned()));
        let language = template.programming_language.as_ref().filter(|language| !language.is_text("Python"));
        let fields = [
            ("name", "name", name),
            ("programmingLanguage", "programming_language", language),
            ("codeRepository", "code_repository", template.code_repository.as_ref()),
        ];
        for (key, field, value) in fields {
            if let Some(value) = value {
                self.ledger.loss(format!("`{key}` of a template"), format!("{part}/{field}"), value.origin);
            }
        }
        self.lose_others(&template.others, "a template", &part);
    }

    fn lose_copies(&mut self, question: &Question<'d>, part: &str) {
        let lost = super::ratings::lost_in_copies(
            self.checkpoint,
            question,
            &Part::below(&format!("{part}/question")),
        );
        self.ledger.changes.extend(lost);
    }

    fn lose_others(&mut self, others: &[Other<'d>], of: &str, part: &str) {
        for other in others {
            let subject = format!("`{}` of {of}", other.key);
            self.ledger.loss(subject, format!("{part}/others/{}", other.key), other.value.origin);
        }
    }
}

/// The fields of a question that are properties elsewhere.
#[derive(Default)]
struct Fields {
    finished: String,
    original_template: String,
    rest: Members,
}

/// The place of a member of the metadata among those that are properties elsewhere.
fn dataset_rank(member: &str) -> usize {
    const ORDER: [&str; 5] = ["license", "keywords", "creator", "publisher", "datePublished"];
    ORDER.iter().position(|name| member.starts_with(&quoted(name))).unwrap_or(ORDER.len())
}

/// Tells whether the metadata of a dataset has a field of that name.
fn is_dataset_field(name: &str) -> bool {
    crate::source::karenina::checkpoint::DATASET_FIELDS.contains(&name)
}

/// The object or list whose JSON text a property holds; any other value as it is.
fn inner(property: &Property<'_>) -> String {
    let Some(value) = &property.value else { return "null".to_owned() };
    value.inner_json().map_or_else(|| value.as_json().to_owned(), |inner| inner.as_json().to_owned())
}

/// A creator as an object.
fn person(creator: &Value<'_>) -> String {
    if creator.is_object() {
        return creator.as_json().to_owned();
    }
    format!("{{\"@type\":\"Person\",\"name\":{}}}", quoted(&creator.shown()))
}
