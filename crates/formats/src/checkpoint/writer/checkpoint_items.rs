//! Writes the forms in JSON-LD: the checkpoint itself and its items.

use super::acceptance::refusal_of;
use super::checkpoint_form::{CheckpointForm, CheckpointWriteOptions, WrittenCheckpoint};
use super::compacted_checkpoint::CompactedCheckpoint;
use super::default_parts::{DateField, checkpoint_id, item_ids, repeats, root_date, timestamp};
use super::ledger::{ConversionLedger, PartChange, PartPath};
use super::person::CreatorObject;
use super::property_forms::PropertyForms;
use super::version_2_traits::quoted;
use crate::checkpoint::identifiers::interface_question_id;
use crate::checkpoint::model::{Checkpoint, CheckpointItem, PlacedValue, PropertyValue, TokenOrigin};
use evalgraph_diagnostics::Diagnostic;
use hashbrown::HashMap;
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::Arc;

/// The format tag. It is a property or, in the first specification, replaces the version.
const FORMAT_TAG: &str = "3.0.0-jsonld";

/// The version that the user interface gives to a checkpoint without one.
const FIRST_VERSION: &str = "0.1.0";

/// How many items one task writes when there are many.
const ITEMS_AT_ONCE: usize = 250;

/// The writer of the forms in JSON-LD.
///
/// Other methods are in `json_ld_questions.rs` and `trait_ratings.rs`.
pub(super) struct JsonLdWriter<'w, 'd> {
    pub(super) checkpoint: &'w Checkpoint<'d>,
    pub(super) form: CheckpointForm,
    pub(super) options: &'w CheckpointWriteOptions<'w>,
    pub(super) out: CompactedCheckpoint,
    pub(super) ledger: ConversionLedger<'d>,
    pub(super) faults: Vec<Diagnostic>,
    /// The global traits that the form can represent.
    pub(super) held_globals: Vec<usize>,
    /// For each item whose question repeats an earlier text: the number of earlier questions with that text.
    repeats: Arc<HashMap<usize, usize>>,
    /// The number of the item that is being written.
    current: usize,
}

impl<'w, 'd> JsonLdWriter<'w, 'd> {
    pub(super) fn new(
        checkpoint: &'w Checkpoint<'d>,
        form: CheckpointForm,
        options: &'w CheckpointWriteOptions<'w>,
    ) -> Self {
        let out = CompactedCheckpoint::new(PropertyForms::new(form));
        let (ledger, faults) = (ConversionLedger::default(), Vec::new());
        let (held_globals, repeats) = (Vec::new(), Arc::default());
        Self { checkpoint, form, options, out, ledger, faults, held_globals, repeats, current: 0 }
    }

    /// Writes the text and records the changes.
    pub(super) fn write(mut self) -> Result<WrittenCheckpoint<'d>, Vec<Diagnostic>> {
        self.choose_globals();
        self.head();
        self.list();
        self.tail();
        self.out.close();
        let (text, faults) = self.out.finish();
        self.faults.extend(faults);
        let changes = self.ledger.changes;
        if self.faults.is_empty() { Ok(WrittenCheckpoint { text, changes }) } else { Err(self.faults) }
    }

    fn head(&mut self) {
        let (checkpoint, form) = (self.checkpoint, self.form);
        let is_specification = form == CheckpointForm::Specification;
        let mut id = checkpoint.id.as_ref().map(|id| id.shown());
        if id.is_none() && self.options.purpose.is_file() {
            self.ledger.filled("`@id` of the checkpoint", "/id", checkpoint.origin);
            id = Some(checkpoint_id(self.options.now, form).into());
        }
        let id = id.filter(|id| self.can_be_id(id, &PartPath::below("/id"), checkpoint.origin));
        self.out.open_root(if is_specification { "Dataset" } else { "DataFeed" }, id.as_deref());
        self.name();
        self.out.maybe_text("description", checkpoint.description.as_ref());
        if is_specification {
            self.out.text("version", FORMAT_TAG);
        } else {
            self.version();
        }
        self.creator();
        for field in [DateField::CREATED, DateField::MODIFIED] {
            self.head_date(field);
        }
        self.root_ratings();
        self.ledger.lose_others(&checkpoint.others, "the checkpoint", &PartPath::below(""));
    }

    /// Writes the name. The library and the user interface require one that is not empty.
    fn name(&mut self) {
        let name = self.checkpoint.name.as_ref().filter(|name| !name.shown().is_empty());
        match name {
            Some(name) => self.out.value_text("name", name),
            None if self.form == CheckpointForm::Specification || !self.options.purpose.is_file() => {}
            None => {
                self.ledger.filled("`name` of the checkpoint", "/name", self.checkpoint.origin);
                self.out.text("name", self.options.dataset);
            }
        }
    }

    /// Writes the version. The user interface needs it to recognise a checkpoint, so a checkpoint without one gets the
    /// first version.
    fn version(&mut self) {
        let version = self.checkpoint.version.as_ref();
        self.out.maybe_text("version", version);
        let is_needed = self.form == CheckpointForm::Interface && self.options.purpose.is_file();
        if is_needed && version.is_none() {
            self.ledger.filled("`version` of the checkpoint", "/version", self.checkpoint.origin);
            self.out.text("version", FIRST_VERSION);
        }
    }

    fn creator(&mut self) {
        let Some(creator) = &self.checkpoint.creator else { return };
        if !creator.is_object() {
            self.out.value_text("creator", creator);
            return;
        }
        let person = CreatorObject::from_creator(creator);
        if self.form == CheckpointForm::Library && person.is_plain {
            self.out.open_property("creator");
            self.out.open("Person", None);
            for (key, text) in &person.fields {
                self.out.text(key, text);
            }
            self.out.close();
            self.out.close_property();
        } else if let Some(name) = person.name() {
            self.out.text("creator", name);
        }
    }

    /// Returns the creator, if its key cannot represent all of it.
    fn needs_creator_property(&self) -> Option<&'w PlacedValue<'d>> {
        let creator = self.checkpoint.creator.as_ref().filter(|creator| creator.is_object())?;
        (self.form != CheckpointForm::Library || !CreatorObject::from_creator(creator).is_plain)
            .then_some(creator)
    }

    fn head_date(&mut self, field: DateField) {
        let (checkpoint, options) = (self.checkpoint, self.options);
        let [given, _] = field.order_values(&checkpoint.date_created, &checkpoint.date_modified);
        if field == DateField::MODIFIED && options.touch {
            let now = timestamp(options.now, self.form);
            return self.out.text(field.key, &now);
        }
        match given {
            Some(date) => self.out.value_text(field.key, date),
            None if self.form == CheckpointForm::Specification || !self.options.purpose.is_file() => {}
            None => {
                let subject = format!("`{}` of the checkpoint", field.key);
                self.ledger.filled(subject, format!("/{}", field.field), checkpoint.origin);
                self.out.text(field.key, &root_date(checkpoint, field, options, self.form));
            }
        }
    }

    fn list(&mut self) {
        let checkpoint = self.checkpoint;
        let ids = item_ids(checkpoint, self.form);
        if self.form.has_ids_everywhere() {
            self.repeats = Arc::new(repeats(checkpoint));
        }
        let is_specification = self.form == CheckpointForm::Specification;
        self.out.open_property(if is_specification { "hasPart" } else { "dataFeedElement" });
        if checkpoint.items.len() < 2 * ITEMS_AT_ONCE {
            self.items(&checkpoint.items, &ids, 0);
        } else {
            self.items_on_all_cores(&ids);
        }
        self.out.close_property();
    }

    /// Writes some of the items; `ids` are the ids of all items, `first` is the number of the first item to write.
    fn items(&mut self, items: &'w [CheckpointItem<'d>], ids: &[String], first: usize) {
        let path = PartPath::below("/items");
        for (at, item) in (first..).zip(items) {
            self.current = at;
            self.item(item, &ids[at], &path.at(at));
        }
    }

    /// Writes the items in parallel, because items do not depend on one another.
    fn items_on_all_cores(&mut self, ids: &[String]) {
        let (checkpoint, form, options) = (self.checkpoint, self.form, self.options);
        let (held_globals, repeats) = (&self.held_globals, &self.repeats);
        // The items take about as many bytes as they do in the file.
        let length = checkpoint.origin.document.text().len() / checkpoint.items.len() * ITEMS_AT_ONCE;
        let chunks = checkpoint.items.par_chunks(ITEMS_AT_ONCE).enumerate();
        let parts: Vec<(String, Vec<PartChange<'d>>, Vec<Diagnostic>)> = chunks
            .map(|(number, items)| {
                let mut part = Self::new(checkpoint, form, options);
                part.out = CompactedCheckpoint::part(PropertyForms::new(form), number == 0);
                part.out.reserve(length + length / 4);
                part.held_globals.clone_from(held_globals);
                part.repeats = Arc::clone(repeats);
                part.items(items, ids, number * ITEMS_AT_ONCE);
                let (text, faults) = part.out.finish();
                part.faults.extend(faults);
                (text, part.ledger.changes, part.faults)
            })
            .collect();
        self.out.reserve(parts.iter().map(|(text, ..)| text.len()).sum());
        for (text, changes, faults) in parts {
            self.out.append(&text);
            self.ledger.changes.extend(changes);
            self.faults.extend(faults);
        }
    }

    fn item(&mut self, item: &'w CheckpointItem<'d>, id: &str, part: &PartPath<'_>) {
        if item.id.is_none() {
            self.ledger.filled("`@id` of an item", part.field("id"), item.origin);
        }
        let written = Some(id).filter(|id| self.can_be_id(id, &part.field("id"), item.origin));
        self.out.open("DataFeedItem", written);
        for field in [DateField::CREATED, DateField::MODIFIED] {
            self.item_date(item, field, part);
        }
        self.out.open_property("item");
        self.question(item, id, &part.field("question"));
        self.out.close_property();
        if self.form == CheckpointForm::Interface {
            self.keywords(&item.question, &part.field("question"));
        }
        self.ledger.lose_others(&item.others, "an item", part);
        self.out.close();
    }

    fn item_date(&mut self, item: &CheckpointItem<'d>, field: DateField, part: &PartPath<'_>) {
        let [given, other] = field.order_values(&item.date_created, &item.date_modified);
        if let Some(date) = given {
            return self.out.value_text(field.key, date);
        }
        // In version 2.0 the date of the last modification replaces a missing date of creation.
        let own = other.as_ref().filter(|_| self.checkpoint.dialect.is_version_2());
        let is_optional = self.form == CheckpointForm::Specification && field == DateField::CREATED;
        if is_optional || !self.options.purpose.is_file() {
            return;
        }
        let subject = format!("`{}` of an item", field.key);
        self.ledger.filled(subject, part.field(field.field), item.origin);
        let date = match own {
            Some(date) => date.shown().into_owned(),
            None => root_date(self.checkpoint, field, self.options, self.form),
        };
        self.out.text(field.key, &date);
    }

    fn tail(&mut self) {
        let checkpoint = self.checkpoint;
        self.scenarios();
        self.out.open_property("additionalProperty");
        let tag = match self.form {
            CheckpointForm::Library => "benchmark_format_version",
            _ => "checkpoint_format_version",
        };
        self.out.property_value(tag, Some(&format!("\"{FORMAT_TAG}\"")));
        if self.form == CheckpointForm::Specification {
            self.trait_text();
            if let Some(version) = &checkpoint.version {
                self.out.property_value("version", Some(version.as_json()));
            }
        }
        self.metric_text();
        if let Some(creator) = self.needs_creator_property() {
            self.out.property_value("creator", Some(&quoted(creator.as_json())));
        }
        self.properties(&checkpoint.properties, "the checkpoint", &PartPath::below(""));
        self.out.close_property();
    }

    /// Writes scenarios. Only the library has them, and it loads them only from a checkpoint without questions.
    fn scenarios(&mut self) {
        let checkpoint = self.checkpoint;
        let is_library = self.form == CheckpointForm::Library;
        let are_held = is_library && checkpoint.items.is_empty() && !checkpoint.scenarios.is_empty();
        if are_held {
            self.out.open_values("hasPart");
        }
        for (at, scenario) in checkpoint.scenarios.iter().enumerate() {
            let refusal = if are_held { refusal_of(scenario, self.options) } else { None };
            let subject = match refusal {
                Some(why) => format!("scenario, which its reader refuses: {why}"),
                None if are_held => {
                    self.out.value(scenario.as_json());
                    continue;
                }
                None => if is_library { "scenario beside questions" } else { "scenario" }.to_owned(),
            };
            self.ledger.loss(subject, format!("/scenarios/{at}"), scenario.origin);
        }
        if are_held {
            self.out.close_property();
        }
    }

    /// Writes the members of a list of properties.
    pub(super) fn properties<'p>(
        &mut self,
        properties: impl IntoIterator<Item = &'p PropertyValue<'d>>,
        of: &str,
        part: &PartPath<'_>,
    ) where
        'd: 'p,
    {
        for property in properties {
            self.out.property_value(&property.name, property.value.as_ref().map(PlacedValue::as_json));
            self.ledger.lose_of_property(property, of, &part.field("properties").field(&property.name));
        }
    }

    /// Returns whether JSON-LD accepts an id; it ignores ids that have the form of a keyword.
    fn can_be_id(&mut self, id: &str, part: &PartPath<'_>, origin: TokenOrigin<'d>) -> bool {
        let letters = id.strip_prefix('@').unwrap_or_default();
        let is_keyword = !letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_alphabetic());
        if is_keyword {
            self.ledger.loss("`@id` that has the form of a keyword", part, origin);
        }
        !is_keyword
    }

    /// Returns the id that the user interface would give to a question. A repeated text gets a number, because two
    /// questions with one id would become one node.
    pub(super) fn question_id(&self, text: &str) -> String {
        let id = interface_question_id(text);
        match self.repeats.get(&self.current) {
            Some(number) => format!("{id}-{number}"),
            None => id,
        }
    }

    /// Returns the given id, or a new one if the form requires an id.
    pub(super) fn part_id<'i>(
        &mut self,
        given: Option<&'i PlacedValue<'d>>,
        made: impl FnOnce() -> String,
        subject: &str,
        part: &PartPath<'_>,
        origin: TokenOrigin<'d>,
    ) -> Option<Cow<'i, str>> {
        let part = part.field("id");
        if let Some(id) = given {
            return Some(id.shown()).filter(|id| self.can_be_id(id, &part, origin));
        }
        if !self.form.has_ids_everywhere() {
            return None;
        }
        self.ledger.filled(subject, part, origin);
        Some(Cow::Owned(made()))
    }
}
