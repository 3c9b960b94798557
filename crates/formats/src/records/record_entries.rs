//! Composes the values that a table takes from elsewhere than the members of an object: entries of maps, their keys, and
//! what functions compute.
//!
//! `DocumentComposition` is defined in `record_composer.rs`.

use super::computed_value::{ComputedContent, ComputedValue};
use super::record_composer::DocumentComposition;
use super::record_object::{RecordObject, RecordSurroundings};
use super::record_plan::{RecordPlan, RecordSlot};
use super::shape::MemberForm;
use evalgraph_json::number::is_integer;
use evalgraph_json::{JsonKind, JsonMember, TokenId};
use evalgraph_rdf::iri::percent_encode_into;

impl DocumentComposition<'_, '_> {
    /// Fills the slots whose values are not members of the object, and empties those of excerpts that find nothing.
    pub(super) fn fill_without_keys(&mut self, object: &mut RecordObject<'_>) {
        let file = self.file;
        for (number, slot) in object.plan.slots.iter().enumerate() {
            let value = object.values[number];
            object.values[number] = match slot.form {
                MemberForm::Position => Some(object.value),
                MemberForm::EntryKey => object.around.key,
                MemberForm::OtherMembers(choose, _) => {
                    let mut others = object.plan.others(file, object.value, choose);
                    others.next().map(|_| object.value)
                }
                MemberForm::OfFile(_) => object.compute(slot.form, file, object.value).map(|_| object.value),
                MemberForm::Computed(_) => {
                    let value = if slot.key.is_empty() { Some(object.value) } else { value };
                    value.filter(|&value| object.compute(slot.form, file, value).is_some())
                }
                MemberForm::Excerpt(find) => value.filter(|&value| find(file, value).is_some()),
                _ => value,
            };
        }
    }

    /// Writes the nodes of the entries of a map, or of the other members of an object.
    pub(super) fn record_entries(
        &mut self,
        plan: &RecordPlan,
        value: TokenId,
        slot: &RecordSlot,
        object: &RecordObject<'_>,
    ) {
        let file = self.file;
        self.composer.begin_array(file.start(value));
        let is_entry = |member: &JsonMember| file.kind(member.value) != JsonKind::Null;
        let mut write = |(index, member): (usize, JsonMember)| {
            let mut parent = object.iri.clone();
            if !slot.key.is_empty() {
                parent.push('/');
                parent.push_str(slot.key);
            }
            parent.push('/');
            percent_encode_into(file.symbol_text(member.symbol), &mut parent);
            self.record(
                plan,
                member.value,
                index,
                &parent,
                RecordSurroundings { key: Some(member.key), ..object.inside() },
            );
        };
        match slot.form {
            MemberForm::OtherMembers(choose, _) => {
                object.plan.others(file, value, choose).enumerate().for_each(&mut write);
            }
            _ => file.members(value).filter(is_entry).enumerate().for_each(&mut write),
        }
        self.composer.end();
    }

    /// Writes the key of an entry as a string.
    pub(super) fn entry_key(&mut self, object: &RecordObject<'_>) {
        let key = object.around.key.expect("the slot of a key is written where there is one");
        let text = self.file.symbol_text(self.file.symbol(key));
        let text = self.composer.made_of(self.file.bytes(key), text);
        self.composer.string(text);
    }

    /// Writes what a row computes.
    pub(super) fn computed(&mut self, form: MemberForm, value: TokenId, object: &RecordObject<'_>) {
        let computed = object.compute(form, self.file, value);
        let ComputedValue { content, found_in } = computed.expect("a slot is written where it has a value");
        let bytes = self.file.bytes(found_in);
        match content {
            ComputedContent::Text(text) => {
                let text = self.composer.made_of(bytes, &text);
                self.composer.string(text);
            }
            ComputedContent::Truth(truth) => {
                let text = self.composer.made_of(bytes, if truth { "true" } else { "false" });
                self.typed(self.words.boolean, |composer| composer.string(text));
            }
            ComputedContent::Number(number) => {
                let datatype = match number.as_str() {
                    number if is_integer(number) => self.words.integer,
                    number if number.contains(['e', 'E']) => self.words.double,
                    _ => self.words.decimal,
                };
                let text = self.composer.made_of(bytes, &number);
                self.typed(datatype, |composer| composer.string(text));
            }
        }
    }
}
