//! What today's Python library asks of a checkpoint that it loads: a table of fields for each class of
//! object, and which traits may stand where.
//!
//! The library reads with Pydantic in its lax mode: unknown keys are ignored, a number may be spelled as a
//! string. What it asks of traits is in `trait_rules`, of scenarios in `scenario_models`.

use super::library_models::{GLOBAL_RATINGS, PROPERTIES, QUESTIONS, RATINGS, Scope, TraitType, class};
use super::library_table::{EITHER, FINISHED, ITEM, KIND, READ, ROOT, SCENARIO_PARTS};
use super::model::{Fault, FieldType, Model, Reader, Spot, defaulted, optional, required, shown};
use super::scenario_models::SCENARIO;
use super::trait_rules::{self, Rubric, properties_named};
use super::{Checker, lax};
use crate::json::{Document, TokenId};
use FieldType::{AnyObject, Array, Either, NonEmptyText, Object, OneOf, Text};

static CHECKPOINT: Model = class(
    &ROOT,
    &[
        required("@context", AnyObject),
        defaulted("@type", OneOf(&["DataFeed"])),
        optional("@id", Text),
        required("name", NonEmptyText),
        optional("description", Text),
        optional("version", Text),
        optional("creator", Either(&[Text, Object(&PERSON)], "a string or a person with a name")),
        required("dateCreated", Text),
        required("dateModified", Text),
        optional("rating", Array(&Object(&GLOBAL_RATINGS))),
        // Items are read one by one, with their places.
        required("dataFeedElement", Array(&AnyObject)),
        optional("hasPart", FieldType::By(look_at_scenarios)),
        optional("additionalProperty", Array(&Object(&PROPERTIES))),
    ],
);

static PERSON: Model = Model {
    rule: None,
    fields: &[
        defaulted("@type", OneOf(&["Person"])),
        required("name", Text),
        optional("url", Text),
        optional("email", Text),
    ],
    closed: false,
    also: None,
};

static ITEMS: Model = class(
    &ITEM,
    &[
        defaulted("@type", OneOf(&["DataFeedItem"])),
        optional("@id", Text),
        required("dateCreated", Text),
        required("dateModified", Text),
        optional("keywords", Array(&Text)),
        required("item", Object(&QUESTIONS)),
    ],
);

/// What has no list of questions is none of the library's files, and has other things in that place.
fn look_at_scenarios(reader: &mut Reader<'_>, spot: Spot, value: TokenId) {
    if reader.document.get(spot.object, "dataFeedElement").is_some() {
        reader.value(spot, value, &Array(&SCENARIOS));
    }
}

static SCENARIOS: FieldType = Object(&SCENARIO);

pub(super) fn check(checker: &mut Checker<'_>) {
    let root = checker.root();
    let document = checker.document;
    if !document.is_object(root) || document.is_array(document.root()) {
        checker.look(&ROOT);
        let root = document.root();
        checker.found(&ROOT, root, None, Some(root), "the checkpoint is not one object");
        return;
    }
    let mut reader = Reader::new(document, &ROOT);
    reader.object(root, &CHECKPOINT);
    look_at_rubric(&mut reader, root, Scope::Checkpoint);
    look_at_both(&mut reader, root);
    hand_over(reader, checker);
    let Some(list) = document.get(root, "dataFeedElement") else { return };
    for item in document.items(list).filter(|&item| document.is_object(item)) {
        let mut reader = Reader::new(document, &ITEM);
        reader.object(item, &ITEMS);
        let question = document.get(item, "item").filter(|&question| document.is_object(question));
        if let Some(question) = question {
            checker.subjects += 1;
            look_at_rubric(&mut reader, question, Scope::Question);
            look_at_finished(&mut reader, question);
        }
        hand_over(reader, checker);
    }
}

/// Why the library refuses a rating.
pub(super) fn refusal_of_rating(rating: &Document, is_global: bool) -> Option<String> {
    let root = rating.root();
    let mut reader = Reader::new(rating, &KIND);
    reader.object(root, if is_global { &GLOBAL_RATINGS } else { &RATINGS });
    let found = TraitType::of(rating, root);
    // Of a question the library leaves dynamic traits alone.
    if let Some(found) = found.filter(|found| is_global || found.stem != "DynamicRubricTrait") {
        trait_rules::look_at_rating(&mut reader, root, found.stem);
    }
    refusal(reader)
}

/// Why the library refuses a scenario.
pub(super) fn refusal_of_scenario(scenario: &Document) -> Option<String> {
    let mut reader = Reader::new(scenario, &SCENARIO_PARTS);
    reader.value(Spot { object: scenario.root(), key: "hasPart" }, scenario.root(), &Object(&SCENARIO));
    refusal(reader)
}

fn refusal(reader: Reader<'_>) -> Option<String> {
    let is_refused = |fault: &Fault| fault.rule.id != READ.id;
    reader.faults.into_iter().find(is_refused).map(|fault| fault.message)
}

/// Gives what was found to the report.
fn hand_over(reader: Reader<'_>, checker: &mut Checker<'_>) {
    for rule in reader.looked {
        checker.look(rule);
    }
    for Fault { rule, spot, value, message } in reader.faults {
        let path = (!spot.key.is_empty()).then_some(spot.key);
        checker.found(rule, spot.object, path, value, message);
    }
}

fn look_at_both(reader: &mut Reader<'_>, root: TokenId) {
    let document = reader.document;
    reader.rule = &EITHER;
    reader.looked.push(&EITHER);
    let members = |key| document.get(root, key).filter(|&list| document.items(list).next().is_some());
    if let (Some(_), Some(scenarios)) = (members("dataFeedElement"), members("hasPart")) {
        let message = "there are questions and scenarios, and the library takes only either";
        reader.fault(Spot { object: root, key: "hasPart" }, Some(scenarios), message);
    }
}

/// Looks at the traits of the checkpoint or of a question as the library takes them out.
fn look_at_rubric(reader: &mut Reader<'_>, owner: TokenId, scope: Scope) {
    let document = reader.document;
    let mut rubric = Rubric::default();
    let mut dynamic = Rubric::default();
    let ratings = document.get(owner, "rating");
    for rating in ratings.into_iter().flat_map(|ratings| document.items(ratings)) {
        let Some(found) = TraitType::of(document, rating) else { continue };
        let is_dynamic = found.stem == "DynamicRubricTrait";
        reader.rule = &READ;
        reader.looked.push(&READ);
        if found.scope != scope || scope == Scope::Question && is_dynamic {
            // The type of a question's trait at the checkpoint is a violation, and told.
            if scope == Scope::Question {
                let message = "the library leaves a trait of this type out where it is a question's";
                let value = document.get(rating, "additionalType");
                reader.fault(Spot { object: rating, key: "additionalType" }, value, message);
            }
            continue;
        }
        let is_read = trait_rules::look_at_rating(reader, rating, found.stem);
        if !is_read {
            continue;
        }
        (if is_dynamic { &mut dynamic } else { &mut rubric }).add(reader, rating);
    }
    if scope == Scope::Checkpoint {
        trait_rules::look_at_legacy_traits(reader, owner, &mut rubric);
    }
}

/// The last `finished` of a question is the one that counts.
fn look_at_finished(reader: &mut Reader<'_>, question: TokenId) {
    let document = reader.document;
    let Some(property) = properties_named(document, question, "finished").last() else { return };
    reader.rule = &FINISHED;
    reader.looked.push(&FINISHED);
    let value = document.get(property, "value");
    if value.is_none_or(|value| lax::boolean(document, value).is_none()) {
        let message = match value {
            Some(value) => format!("`finished` is {}, not true or false", shown(document, value)),
            None => "`finished` has no value".to_owned(),
        };
        reader.fault(Spot { object: property, key: "value" }, value, message);
    }
}
