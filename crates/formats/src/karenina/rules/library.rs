//! The rules of today's Python library for checkpoints that it loads: a table of fields for each class of object, and
//! the places of traits.
//!
//! The library reads with Pydantic in its lax mode: unknown keys are ignored, and a string may spell a number. The
//! rules for traits are in `trait_rules`, those for scenarios in `scenario_models`.

use super::CheckpointChecker;
use super::library_models::{GLOBAL_RATINGS, PROPERTIES, QUESTIONS, RATINGS, TraitOwner, TraitType};
use super::library_table::{EITHER, FINISHED, ITEM, KIND, LIBRARY, READ, ROOT, SCENARIO_PARTS};
use super::scenario_models::SCENARIO;
use super::trait_rules::{self, RubricNames, properties_named};
use crate::checking::schema::{
    CoercionMode, FieldPlace, NON_EMPTY, ObjectSchema, SchemaChecker, SchemaFieldType, SchemaFinding,
    defaulted, optional, part, required,
};
use SchemaFieldType::{AnyObject, Array, Either, Object, OneOf, Text};
use evalgraph_json::{JsonDocument, TokenId};

static CHECKPOINT: ObjectSchema = part(&[
    required("@context", AnyObject),
    defaulted("@type", OneOf(&["DataFeed"])),
    optional("@id", Text),
    required("name", NON_EMPTY),
    optional("description", Text),
    optional("version", Text),
    optional("creator", Either(&[Text, Object(&PERSON)], "a string or a person with a name")),
    required("dateCreated", Text),
    required("dateModified", Text),
    optional("rating", Array(&Object(&GLOBAL_RATINGS))),
    // Items are checked individually, with their places.
    required("dataFeedElement", Array(&AnyObject)),
    optional("hasPart", SchemaFieldType::By(look_at_scenarios)),
    optional("additionalProperty", Array(&Object(&PROPERTIES))),
])
.by(&ROOT);

static PERSON: ObjectSchema = part(&[
    defaulted("@type", OneOf(&["Person"])),
    required("name", Text),
    optional("url", Text),
    optional("email", Text),
]);

static ITEMS: ObjectSchema = part(&[
    defaulted("@type", OneOf(&["DataFeedItem"])),
    optional("@id", Text),
    required("dateCreated", Text),
    required("dateModified", Text),
    optional("keywords", Array(&Text)),
    required("item", Object(&QUESTIONS)),
])
.by(&ITEM);

/// Checks scenarios, unless the checkpoint has no `dataFeedElement`. Such a file is not one of the library's, and has
/// other objects in `hasPart`.
fn look_at_scenarios(reader: &mut SchemaChecker<'_>, spot: FieldPlace, value: TokenId) {
    if reader.document.get(spot.object, "dataFeedElement").is_some() {
        reader.value(spot, value, &Array(&SCENARIOS));
    }
}

static SCENARIOS: SchemaFieldType = Object(&SCENARIO);

pub(super) fn check(checker: &mut CheckpointChecker<'_>) {
    let root = checker.root();
    let document = checker.document;
    if !document.is_object(root) || document.is_array(document.root()) {
        checker.look(&ROOT);
        let root = document.root();
        checker.found(&ROOT, root, None, Some(root), "the checkpoint is not one object");
        return;
    }
    let mut reader = SchemaChecker::new(document, CoercionMode::Lax(LIBRARY), &ROOT);
    reader.object(root, &CHECKPOINT);
    look_at_rubric(&mut reader, root, TraitOwner::Checkpoint);
    look_at_both(&mut reader, root);
    reader.hand_over(&mut checker.findings);
    let Some(list) = document.get(root, "dataFeedElement") else { return };
    for item in document.items(list).filter(|&item| document.is_object(item)) {
        let mut reader = SchemaChecker::new(document, CoercionMode::Lax(LIBRARY), &ITEM);
        reader.object(item, &ITEMS);
        let question = document.get(item, "item").filter(|&question| document.is_object(question));
        if let Some(question) = question {
            checker.subjects += 1;
            look_at_rubric(&mut reader, question, TraitOwner::Question);
            look_at_finished(&mut reader, question);
        }
        reader.hand_over(&mut checker.findings);
    }
}

/// Returns why the library refuses a rating.
pub(super) fn refusal_of_rating(rating: &JsonDocument, is_global: bool) -> Option<String> {
    let root = rating.root();
    let mut reader = SchemaChecker::new(rating, CoercionMode::Lax(LIBRARY), &KIND);
    reader.object(root, if is_global { &GLOBAL_RATINGS } else { &RATINGS });
    let found = TraitType::from_rating(rating, root);
    // The library ignores dynamic traits of a question.
    if let Some(found) = found.filter(|found| is_global || found.stem != "DynamicRubricTrait") {
        trait_rules::look_at_rating(&mut reader, root, found.stem);
    }
    refusal(reader)
}

/// Returns why the library refuses a scenario.
pub(super) fn refusal_of_scenario(scenario: &JsonDocument) -> Option<String> {
    let mut reader = SchemaChecker::new(scenario, CoercionMode::Lax(LIBRARY), &SCENARIO_PARTS);
    reader.value(FieldPlace { object: scenario.root(), key: "hasPart" }, scenario.root(), &Object(&SCENARIO));
    refusal(reader)
}

fn refusal(reader: SchemaChecker<'_>) -> Option<String> {
    let is_refused = |fault: &SchemaFinding| fault.rule.id != READ.id;
    reader.faults.into_iter().find(is_refused).map(|fault| fault.message)
}

fn look_at_both(reader: &mut SchemaChecker<'_>, root: TokenId) {
    let document = reader.document;
    reader.look(&EITHER);
    let members = |key| document.get(root, key).filter(|&list| document.items(list).next().is_some());
    if members("dataFeedElement").and(members("hasPart")).is_some() {
        let message = "there are questions and scenarios; the library accepts only one of the two";
        reader.fault_at(root, "hasPart", message);
    }
}

/// Checks the traits of the checkpoint or of a question as the library extracts them.
fn look_at_rubric(reader: &mut SchemaChecker<'_>, owner: TokenId, scope: TraitOwner) {
    let document = reader.document;
    let mut rubric = RubricNames::default();
    let mut dynamic = RubricNames::default();
    let ratings = document.get(owner, "rating");
    for rating in ratings.into_iter().flat_map(|ratings| document.items(ratings)) {
        let Some(found) = TraitType::from_rating(document, rating) else { continue };
        let is_dynamic = found.stem == "DynamicRubricTrait";
        reader.look(&READ);
        if found.scope != scope || scope == TraitOwner::Question && is_dynamic {
            // For a trait of the checkpoint that has the type of a question's trait, another rule reports the type.
            if scope == TraitOwner::Question {
                let message = "the library ignores a trait of this type on a question";
                reader.fault_at(rating, "additionalType", message);
            }
            continue;
        }
        if trait_rules::look_at_rating(reader, rating, found.stem) {
            (if is_dynamic { &mut dynamic } else { &mut rubric }).add(reader, rating);
        }
    }
    if scope == TraitOwner::Checkpoint {
        trait_rules::look_at_legacy_traits(reader, owner, &mut rubric);
    }
}

/// Checks the last `finished` of a question, because the library uses the last one.
fn look_at_finished(reader: &mut SchemaChecker<'_>, question: TokenId) {
    let document = reader.document;
    let Some(property) = properties_named(document, question, "finished").last() else { return };
    reader.look(&FINISHED);
    let value = document.get(property, "value");
    if value.is_none_or(|value| LIBRARY.boolean(document, value).is_none()) {
        let message = match value {
            Some(value) => format!("`finished` is {}, not true or false", reader.show(value)),
            None => "`finished` has no value".to_owned(),
        };
        reader.fault_at(property, "value", message);
    }
}
