//! Merges several checkpoints into one, question by question.
//!
//! The text of the first file stays as it is; questions that it lacks are copied from their files byte for byte and
//! appended, so nothing of them is lost. A difference between two files is a conflict, unless the caller says which
//! file to prefer. The fields of the root come from the first file, or, if the newest is preferred, from the file with
//! the latest `dateModified`.

use super::checkpoint_profile::CheckpointProfile;
use super::comparison::{FieldChange, compare_items, compare_traits};
use super::model::{Checkpoint, CheckpointItem, PlacedValue, PropertyValue, RubricTrait, TokenOrigin};
use super::question_list::{QuestionList, are_numbered, root_of};
use super::text_edits::TextEdits;
use crate::checking::IsoTimestamp;
use chrono::NaiveDateTime;
use evalgraph_diagnostics::help::{command, help, setting};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity};
use evalgraph_json::{JsonDocument, TokenId};
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeMap;

/// The version to prefer if two checkpoints differ in a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergePreference {
    /// The question of the earlier file.
    First,
    /// The question of the later file.
    Last,
    /// The question with the later `dateModified`, or a conflict if neither is later; for the root, the dates of the
    /// files decide.
    Newest,
}

/// Checkpoints that were merged.
#[derive(Debug)]
pub struct MergedCheckpoint {
    /// The text.
    pub text: String,
    /// How many questions it has.
    pub questions: usize,
    /// How many conflicts the preference decided.
    pub decided: usize,
    /// Warnings about parts of the files that the text does not contain.
    pub warnings: Vec<Diagnostic>,
}

/// Fields whose differences are not conflicts: the newer question is taken.
const DATES: [&str; 2] = ["dateCreated", "dateModified"];

/// How many conflicts are reported individually; one more finding counts the rest.
const REPORTED_ONE_BY_ONE: usize = 100;

/// How many files a command in a message lists by name.
const NAMED_IN_HELP: usize = 4;

/// Merges one or more checkpoints.
///
/// # Errors
/// `merge::conflict` for each question or global trait in which two files differ and `prefer` does not decide;
/// `merge::dialects` for files in different forms; `merge::scenarios` for questions beside scenarios.
pub fn merge(
    checkpoints: &[Checkpoint<'_>],
    prefer: Option<MergePreference>,
) -> Result<MergedCheckpoint, Vec<Diagnostic>> {
    let [first, others @ ..] = checkpoints else { return Err(Vec::new()) };
    let mut faults: Vec<Diagnostic> = others.iter().filter_map(|other| other_form(first, other)).collect();
    if let Some(last) = faults.pop() {
        let convert = match checkpoints {
            named if named.len() <= NAMED_IN_HELP => named.iter().fold(command("convert"), |convert, one| {
                convert.with(one.origin.document.name().to_string())
            }),
            _ => command("convert").with("FILES…"),
        };
        let convert = convert
            .with(setting("to").to(CheckpointProfile::Library.name()))
            .with(setting("output").to("MERGED.jsonld"));
        faults.push(last.with_help(help!["convert them into one: ", convert]));
        return Err(faults);
    }
    faults.extend(others.iter().filter_map(|other| other_kind(checkpoints, other)).take(1));
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut merger = CheckpointMerger::new(first, prefer);
    for other in others {
        // `meet` comes first: the other steps need to know whether this file is the newest.
        merger.meet(other);
        merger.questions(other);
        merger.traits(other);
        merger.properties(other);
        merger.scenarios(other);
        merger.head(other);
    }
    merger.finish()
}

/// Returns the error if two checkpoints have different forms and cannot be merged directly.
fn other_form(first: &Checkpoint<'_>, other: &Checkpoint<'_>) -> Option<Diagnostic> {
    let form = |checkpoint: &Checkpoint<'_>| {
        let TokenOrigin { document, token: root } = checkpoint.origin;
        let mut keys = ["checkpoint", "dataFeedElement", "hasPart"].into_iter();
        let context = document.get(root, "@context").map(|context| PlacedValue::at(document, context));
        let context = context.map(|context| context.as_json().to_owned());
        (keys.find(|key| document.get(root, key).is_some()), context)
    };
    // The pieces of one file may be detected as different dialects.
    if first.dialect == other.dialect || form(first) == form(other) {
        return None;
    }
    let message = format!(
        "a checkpoint of dialect {}, and the first one is of dialect {}: the same content would mean something \
         else",
        other.dialect, first.dialect
    );
    Some(Diagnostic::error("merge::dialects", message).at(other.origin.place()))
}

/// Returns the error if the result would have questions and scenarios, which its program refuses, though each checkpoint
/// has only one of them, and this is the first with scenarios.
fn other_kind(all: &[Checkpoint<'_>], other: &Checkpoint<'_>) -> Option<Diagnostic> {
    let has_both = |one: &Checkpoint<'_>| !one.items.is_empty() && !one.scenarios.is_empty();
    let has_questions = all.iter().any(|one| !one.items.is_empty());
    let scenarios = all.iter().find(|one| !one.scenarios.is_empty())?;
    if !other.dialect.has_one_kind() || !has_questions || all.iter().any(has_both) {
        return None;
    }
    let message =
        "a checkpoint of scenarios, and others have questions: the library does not load both in one";
    let fault = Diagnostic::error("merge::scenarios", message).at(scenarios.origin.place());
    Some(fault.with_help("merge checkpoints of questions, and those of scenarios separately"))
}

/// A question of the result.
struct MergedQuestion<'c, 'd> {
    item: &'c CheckpointItem<'d>,
    /// `true` if it is a question of the first file, or replaces one.
    is_own: bool,
    is_replaced: bool,
}

struct CheckpointMerger<'c, 'd> {
    first: &'c Checkpoint<'d>,
    document: &'d JsonDocument,
    prefer: Option<MergePreference>,
    taken: Vec<MergedQuestion<'c, 'd>>,
    by_id: HashMap<String, usize>,
    by_text: HashMap<String, Vec<usize>>,
    traits: Vec<&'c RubricTrait<'d>>,
    edits: TextEdits<'d>,
    /// The modification time of the newest file so far; `is_newest` is set while that file is merged.
    newest: Option<NaiveDateTime>,
    is_newest: bool,
    /// Replacements of traits, properties and fields of the root.
    replaced: BTreeMap<TokenId, PlacedValue<'d>>,
    added_traits: Vec<String>,
    added_properties: Vec<(String, String)>,
    added_scenarios: Vec<PlacedValue<'d>>,
    added_members: Vec<String>,
    conflicts: Vec<Diagnostic>,
    more_conflicts: usize,
    decided: usize,
    warnings: Vec<Diagnostic>,
}

impl<'c, 'd> CheckpointMerger<'c, 'd> {
    fn new(first: &'c Checkpoint<'d>, prefer: Option<MergePreference>) -> Self {
        let document = first.origin.document;
        let mut merger = Self {
            first,
            document,
            prefer,
            taken: Vec::new(),
            by_id: HashMap::new(),
            by_text: HashMap::new(),
            traits: first.global_traits.iter().collect(),
            edits: TextEdits::new(document),
            newest: time_of(first.date_modified.as_ref()),
            is_newest: false,
            replaced: BTreeMap::new(),
            added_traits: Vec::new(),
            added_properties: Vec::new(),
            added_scenarios: Vec::new(),
            added_members: Vec::new(),
            conflicts: Vec::new(),
            more_conflicts: 0,
            decided: 0,
            warnings: Vec::new(),
        };
        first.items.iter().for_each(|item| merger.take(item, true));
        merger
    }

    /// Records whether a file is the newest so far, in which case its root takes precedence.
    fn meet(&mut self, other: &Checkpoint<'_>) {
        let modified = time_of(other.date_modified.as_ref());
        let is_newer = self.newest.zip(modified).is_some_and(|(newest, modified)| modified > newest);
        self.is_newest = is_newer && self.prefer == Some(MergePreference::Newest);
        if self.is_newest {
            self.newest = modified;
        }
    }

    fn take(&mut self, item: &'c CheckpointItem<'d>, is_own: bool) {
        let at = self.taken.len();
        if let Some(id) = &item.id {
            self.by_id.entry(id.shown().into_owned()).or_insert(at);
        }
        self.by_text.entry(item.question.text.shown().into_owned()).or_default().push(at);
        self.taken.push(MergedQuestion { item, is_own, is_replaced: false });
    }

    /// Finds the matching question of the result, by id or else by text.
    fn partner(&self, item: &CheckpointItem<'_>, known: usize, used: &HashSet<usize>) -> Option<usize> {
        let id = item.id.as_ref().map(PlacedValue::shown);
        // A known id decides alone, even if its question is used already: the text could only find another question.
        if let Some(&at) = id.and_then(|id| self.by_id.get(id.as_ref())).filter(|&&at| at < known) {
            return (!used.contains(&at)).then_some(at);
        }
        let candidates = self.by_text.get(item.question.text.shown().as_ref())?;
        let is_free = |&&at: &&usize| at < known && !used.contains(&at);
        let mut free = candidates.iter().filter(is_free);
        free.find(|&&at| !are_numbered(self.taken[at].item, item)).copied()
    }

    fn questions(&mut self, other: &'c Checkpoint<'d>) {
        // Two questions of the same file never match each other.
        let known = self.taken.len();
        let mut used = HashSet::new();
        for item in &other.items {
            match self.partner(item, known, &used) {
                None => self.take(item, false),
                Some(at) => {
                    used.insert(at);
                    self.settle(at, item);
                }
            }
        }
    }

    /// Decides between two versions of a question.
    fn settle(&mut self, at: usize, item: &'c CheckpointItem<'d>) {
        let taken = &mut self.taken[at];
        let changes = compare_items(taken.item, item);
        let is_date = |change: &FieldChange<'_>| DATES.contains(&change.path[0].as_str());
        let conflicts: Vec<&FieldChange<'_>> =
            changes.iter().filter(|change| !is_id(change) && !is_date(change)).collect();
        let newer = is_newer(item, taken.item);
        let replaces = match (self.prefer, conflicts.is_empty()) {
            (_, true) => changes.iter().any(is_date) && newer == Some(true),
            (Some(MergePreference::First), false) => false,
            (Some(MergePreference::Last), false) => true,
            (Some(MergePreference::Newest), false) if newer.is_some() => newer == Some(true),
            (Some(MergePreference::Newest) | None, false) => {
                self.more_conflicts += usize::from(self.conflicts.len() >= REPORTED_ONE_BY_ONE);
                if self.conflicts.len() < REPORTED_ONE_BY_ONE {
                    self.conflicts.push(conflict(taken.item, item, &conflicts, self.prefer));
                }
                return;
            }
        };
        self.decided += usize::from(!conflicts.is_empty());
        if replaces {
            (taken.item, taken.is_replaced) = (item, true);
        }
    }

    fn traits(&mut self, other: &'c Checkpoint<'d>) {
        for added in &other.global_traits {
            let Some(&known) = self.traits.iter().find(|known| known.name == added.name) else {
                self.traits.push(added);
                self.add_trait(added, other);
                continue;
            };
            let changes = compare_traits(known, added);
            let conflicts: Vec<&FieldChange<'_>> = changes.iter().filter(|change| !is_id(change)).collect();
            if conflicts.is_empty() {
                continue;
            }
            let Some(prefer) = self.prefer else {
                self.conflicts.push(trait_conflict(known, added, &conflicts));
                continue;
            };
            self.decided += 1;
            // A trait has no date.
            let counts = prefer == MergePreference::Last || self.is_newest;
            let is_own = std::ptr::eq(known.origin.document, self.document);
            if counts && is_own && is_root_rating(known) && is_root_rating(added) {
                self.replaced.insert(known.origin.token, added.origin.value());
            } else if prefer != MergePreference::First {
                self.warnings.push(first_counts("the global trait", &known.name, added.origin.place()));
            }
        }
    }

    /// Adds a trait that the first file lacks. A trait that is not a rating of the root either comes with its questions
    /// or is left out with a warning.
    fn add_trait(&mut self, added: &RubricTrait<'d>, other: &Checkpoint<'d>) {
        let TokenOrigin { document, token: root } = other.origin;
        let token = added.origin.token;
        let is_in = |key| document.get(root, key).is_some_and(|list| lies_in(document, token, list));
        if is_root_rating(added) {
            self.added_traits.push(document.raw(token).to_owned());
        } else if !is_in("hasPart") && !is_in("dataFeedElement") {
            let message = format!(
                "the global trait `{}` is left out: the first file has no trait of that name, and its rubric is \
                 kept unchanged",
                added.name.shown()
            );
            self.warnings.push(Diagnostic::warning("merge::left-out", message).at(added.origin.place()));
        }
    }

    fn properties(&mut self, other: &Checkpoint<'d>) {
        let TokenOrigin { document, token: root } = other.origin;
        let list = document.get(root, "additionalProperty");
        for property in &other.properties {
            let known = self.first.property(&property.name);
            let inside = list.is_some_and(|list| lies_in(document, property.origin.token, list));
            let own = known.and_then(|known| self.own_property(known));
            if let Some(own) = own.filter(|_| inside && self.is_newest) {
                self.replace(own, property.origin.value(), "the property", &property.name);
                continue;
            }
            if known.is_some_and(|known| known.value == property.value)
                || self.added_properties.iter().any(|(name, _)| *name == property.name)
            {
                continue;
            }
            if self.is_newest && other.dialect.is_version_2() {
                // In version 2.0 the property is part of a root field, which `head` compares as a whole.
            } else if known.is_none() && inside {
                self.added_properties.push((property.name.clone(), property.origin.raw().to_owned()));
            } else {
                let name = PlacedValue::text(&property.name, property.origin);
                self.warnings.push(first_counts("the property", &name, property.origin.place()));
            }
        }
    }

    /// Returns the token of a property of the first file, if it is in the list of the root.
    fn own_property(&self, known: &PropertyValue<'_>) -> Option<TokenId> {
        let list = self.document.get(root_of(self.document), "additionalProperty")?;
        Some(known.origin.token).filter(|&token| lies_in(self.document, token, list))
    }

    fn scenarios(&mut self, other: &Checkpoint<'d>) {
        for scenario in &other.scenarios {
            let known = self.first.scenarios.iter().chain(&self.added_scenarios);
            if !known.into_iter().any(|known| known == scenario) {
                self.added_scenarios.push(scenario.clone());
            }
        }
    }

    /// Replaces a value of the root by the value of the newest file, with a warning.
    fn replace(&mut self, own: TokenId, value: PlacedValue<'d>, what: &str, name: &str) {
        let earlier = self.replaced.get(&own).cloned().unwrap_or_else(|| PlacedValue::at(self.document, own));
        if earlier == value {
            return;
        }
        let message = format!("{what} `{name}` differs from that of the newest file, which is used");
        let warning = Diagnostic::new(FindingSeverity::Warning, "merge::newest-counts", message);
        self.warnings.push(warning.at(earlier.origin.place()));
        self.replaced.insert(own, value);
    }

    /// Takes over the other fields of the root: those that the first file lacks, and all of them if the file is
    /// the newest.
    fn head(&mut self, other: &Checkpoint<'d>) {
        const LISTS: [&str; 7] = [
            "rating",
            "dataFeedElement",
            "hasPart",
            "additionalProperty",
            "checkpoint",
            "global_rubric",
            "@context",
        ];
        let TokenOrigin { document, token: root } = other.origin;
        let own_root = root_of(self.document);
        for member in document.members(root) {
            let key = document.symbol_text(member.symbol);
            if LISTS.contains(&key)
                || self.added_members.iter().any(|added| added.starts_with(document.raw(member.key)))
            {
                continue;
            }
            let Some(own) = self.document.get(own_root, key) else {
                let bytes = document.start(member.key)..document.bytes(member.value).end;
                self.added_members.push(document.text()[bytes].to_owned());
                continue;
            };
            let value = PlacedValue::at(document, member.value);
            let known = PlacedValue::at(self.document, own);
            let is_date = DATES.contains(&key);
            if *self.replaced.get(&own).unwrap_or(&known) == value {
                continue;
            }
            if self.is_newest && is_date {
                self.replaced.insert(own, value);
            } else if self.is_newest && !key.starts_with('@') {
                self.replace(own, value, "the field", key);
            } else if !is_date && key != "@id" {
                let name = PlacedValue::text(key, other.origin);
                self.warnings.push(first_counts("the field", &name, document.place(member.value)));
            }
        }
    }

    fn finish(mut self) -> Result<MergedCheckpoint, Vec<Diagnostic>> {
        if self.more_conflicts > 0 {
            let message = format!("{} more questions differ between the files", self.more_conflicts);
            self.conflicts.push(Diagnostic::error("merge::conflict", message));
        }
        if !self.conflicts.is_empty() {
            return Err(self.conflicts);
        }
        let Self { first, document, mut edits, mut added_members, .. } = self;
        let entries = QuestionList::from_document(document, first.dialect).map_err(|fault| vec![*fault])?;
        let mut added = Vec::new();
        for (at, taken) in self.taken.iter().enumerate() {
            if !taken.is_own {
                added.push(QuestionList::text_of(first.dialect, taken.item));
            } else if taken.is_replaced {
                // In version 2.0 the key stays, because it is the id of both questions.
                edits.replace(first.items[at].origin.token, taken.item.origin.raw());
            }
        }
        edits.append(entries.list, &added);
        for (token, value) in &self.replaced {
            edits.replace(*token, value.origin.raw());
        }
        let root = root_of(document);
        let properties = self.added_properties.into_iter().map(|(_, text)| text).collect();
        let scenarios =
            self.added_scenarios.iter().map(|scenario| scenario.origin.raw().to_owned()).collect();
        let lists =
            [("rating", self.added_traits), ("additionalProperty", properties), ("hasPart", scenarios)];
        // A list that the root lacks becomes a new member.
        for (key, items) in lists.into_iter().filter(|(_, items)| !items.is_empty()) {
            match document.get(root, key).filter(|&list| document.is_array(list)) {
                Some(list) => edits.append(list, &items),
                None => added_members.push(format!("\"{key}\": [{}]", items.join(", "))),
            }
        }
        edits.append(root, &added_members);
        let (questions, text) = (self.taken.len(), edits.apply());
        Ok(MergedCheckpoint { text, questions, decided: self.decided, warnings: self.warnings })
    }
}

/// Returns whether a change concerns an id, which is not a conflict.
fn is_id(change: &FieldChange<'_>) -> bool {
    change.path.last().is_some_and(|part| part == "@id")
}

/// Returns whether a trait is a rating of the checkpoint itself.
fn is_root_rating(own: &RubricTrait<'_>) -> bool {
    let document = own.origin.document;
    let list = document.get(root_of(document), "rating");
    list.is_some_and(|list| lies_in(document, own.origin.token, list))
}

fn lies_in(document: &JsonDocument, token: TokenId, container: TokenId) -> bool {
    container < token && token < document.after(container)
}

/// Returns whether a question is newer than another, or `None` if both have the same time or a date is missing or not a
/// timestamp.
fn is_newer(item: &CheckpointItem<'_>, than: &CheckpointItem<'_>) -> Option<bool> {
    let modified = |item: &CheckpointItem<'_>| time_of(item.date_modified.as_ref());
    let (modified, before) = (modified(item)?, modified(than)?);
    (modified != before).then_some(modified > before)
}

/// Returns the time of a date in UTC; a time without a zone stays as it is.
fn time_of(date: Option<&PlacedValue<'_>>) -> Option<NaiveDateTime> {
    match IsoTimestamp::parse(&date?.as_str()?)? {
        IsoTimestamp::Date(date) => date.and_hms_opt(0, 0, 0),
        IsoTimestamp::Naive(time) => Some(time),
        IsoTimestamp::Zoned(time, zone) => time.checked_sub_offset(zone),
    }
}

fn first_counts(what: &str, name: &PlacedValue<'_>, place: evalgraph_diagnostics::SourcePlace) -> Diagnostic {
    let message = format!("{what} `{}` differs from that of the first file, which is used", name.shown());
    Diagnostic::new(FindingSeverity::Warning, "merge::first-counts", message).at(place)
}

fn conflict(
    known: &CheckpointItem<'_>,
    item: &CheckpointItem<'_>,
    changes: &[&FieldChange<'_>],
    prefer: Option<MergePreference>,
) -> Diagnostic {
    let name = item.id.as_ref().unwrap_or(&item.question.text);
    let fields = fields_of(changes);
    let message = format!("two files differ in the question `{}`: {fields}", name.shown());
    let change = changes[0];
    let fault = Diagnostic::error("merge::conflict", message)
        .at(change.after.origin.place())
        .with_related(change.before.origin.place(), "the other file");
    match prefer {
        None => fault.with_help(help![
            "choose which one to use: ",
            setting("prefer").to("first"),
            ", `last` or `newest`"
        ]),
        Some(_) => {
            let place = known.date_modified.as_ref().map_or(known.origin, |date| date.origin).place();
            let fault = fault.with_related(place, "the date of one of them");
            let time = |item: &CheckpointItem<'_>| time_of(item.date_modified.as_ref());
            let reason = match time(known).is_some() && time(known) == time(item) {
                true => "both have the same `dateModified`, so neither is newer: ",
                false => "one of the two has no timestamp in `dateModified`: ",
            };
            fault.with_help(help![reason, setting("prefer").to("first"), " or `last`"])
        }
    }
}

fn fields_of(changes: &[&FieldChange<'_>]) -> String {
    let fields: Vec<String> = changes.iter().map(|change| format!("`{}`", change.path.join(" / "))).collect();
    fields.join(", ")
}

fn trait_conflict(
    known: &RubricTrait<'_>,
    added: &RubricTrait<'_>,
    changes: &[&FieldChange<'_>],
) -> Diagnostic {
    let (name, fields) = (known.name.shown(), fields_of(changes));
    let message = format!("two files differ in the global trait `{name}`: {fields}");
    Diagnostic::error("merge::conflict", message)
        .at(added.origin.place())
        .with_related(known.origin.place(), "the other file")
        .with_help(help![
            "choose which one to use: ",
            setting("prefer").to("first"),
            "; or rename one of the traits"
        ])
}
