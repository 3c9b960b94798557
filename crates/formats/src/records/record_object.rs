//! An object of a file while its node is written: the values of its rows, and what is around it.

use super::computed_value::{ComputedValue, ValueContext};
use super::record_plan::RecordPlan;
use super::shape::{MemberChoice, MemberForm};
use evalgraph_json::{JsonDocument, JsonKind, JsonMember, TokenId};

/// An object of the file while its node is written.
pub(super) struct RecordObject<'p> {
    pub(super) plan: &'p RecordPlan,
    /// The values by slot.
    pub(super) values: Vec<Option<TokenId>>,
    pub(super) iri: String,
    pub(super) index: usize,
    pub(super) at: usize,
    /// The object, or the value in place of it.
    pub(super) value: TokenId,
    pub(super) around: RecordSurroundings,
    pub(super) is_root: bool,
}

/// What is around an object in the file.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RecordSurroundings {
    /// Its key, if it is an entry of a map.
    pub(super) key: Option<TokenId>,
    /// The object around it.
    pub(super) outer: Option<TokenId>,
    /// The key of that object, if it is an entry of a map.
    pub(super) outer_key: Option<TokenId>,
}

impl<'p> RecordObject<'p> {
    /// Creates an object without values, or a value in place of one.
    pub(super) fn new(file: &JsonDocument, plan: &'p RecordPlan, value: TokenId, index: usize) -> Self {
        let (values, at) = (vec![None; plan.slots.len()], file.start(value));
        let (iri, around) = (String::new(), RecordSurroundings::default());
        Self { plan, values, iri, index, at, value, around, is_root: false }
    }

    /// Returns what is around an object inside this one.
    pub(super) fn inside(&self) -> RecordSurroundings {
        RecordSurroundings { key: None, outer: Some(self.value), outer_key: self.around.key }
    }

    /// Computes the value of a row.
    pub(super) fn compute(
        &self,
        form: MemberForm,
        document: &JsonDocument,
        value: TokenId,
    ) -> Option<ComputedValue> {
        match form {
            MemberForm::Computed(compute) => {
                compute(&value_context(document, self.around, self.value, value))
            }
            MemberForm::OfFile(find) => find(document),
            _ => None,
        }
    }
}

/// Returns what a function sees that computes the value of a row of an object.
pub(super) fn value_context(
    document: &JsonDocument,
    around: RecordSurroundings,
    object: TokenId,
    value: TokenId,
) -> ValueContext<'_> {
    let text = |key: Option<TokenId>| Some(document.symbol_text(document.symbol(key?)));
    let RecordSurroundings { key, outer, outer_key } = around;
    ValueContext { document, value, object, key: text(key), outer, outer_key: text(outer_key) }
}

impl RecordPlan {
    /// Returns whether a row takes a member whose key has no row of its own.
    pub(super) fn chooses(&self, document: &JsonDocument, object: TokenId, key: &str) -> bool {
        self.slots.iter().any(|slot| match slot.form {
            MemberForm::OtherMembers(choose, _) => choose(document, object, key),
            _ => false,
        })
    }

    /// Returns the members that a row of other members takes.
    pub(super) fn others(
        &self,
        document: &JsonDocument,
        object: TokenId,
        choose: MemberChoice,
    ) -> impl Iterator<Item = JsonMember> {
        document.members(object).filter(move |member| {
            let key = document.symbol_text(member.symbol);
            document.kind(member.value) != JsonKind::Null
                && self.has_no_row(key)
                && choose(document, object, key)
        })
    }
}
