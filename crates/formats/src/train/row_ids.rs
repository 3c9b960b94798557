//! The ids of rows that are made from questions: the ids of the questions, made distinct. The evaluator accepts any
//! JSON as an id, and writes it next to its results.

use crate::counts::ConversionCounts;
use crate::items::{QuestionItem, SourceId};
use crate::numbering::NameNumbering;
use crate::writing::RowIds;
use hashbrown::HashSet;

/// Returns the ids of the rows of questions, as JSON. Made-up and lost ids are counted.
pub(super) fn row_ids(
    items: &[QuestionItem],
    wanted: RowIds,
    defaults: &mut ConversionCounts,
    losses: &mut ConversionCounts,
) -> Vec<String> {
    let mut ids = Vec::with_capacity(items.len());
    if wanted == RowIds::Index {
        for (index, item) in items.iter().enumerate() {
            let index = index.to_string();
            let is_other = item.source_id.as_ref().is_some_and(|id| id.text != index);
            losses.add_if(is_other, "the id of a question");
            ids.push(index);
        }
        return ids;
    }
    // The texts of all ids: a number that is made up here must not occur later as an id.
    let given: HashSet<&str> =
        items.iter().filter_map(|item| item.source_id.as_ref()).map(|id| id.text.as_str()).collect();
    let mut free = FreeIds { given, used: HashSet::new(), numbering: NameNumbering::default() };
    for (index, item) in items.iter().enumerate() {
        let id = match &item.source_id {
            Some(id) if free.used.insert(id.text.clone()) => id.to_json(),
            Some(id) => {
                losses.add("the id of a question that another one has");
                free.another(id)
            }
            None => {
                defaults.add("`id` is the index of the row, or the next number that is free");
                free.next_number(index)
            }
        };
        ids.push(id);
    }
    ids
}

/// Chooses ids that are still free.
struct FreeIds<'i> {
    given: HashSet<&'i str>,
    used: HashSet<String>,
    numbering: NameNumbering,
}

impl FreeIds<'_> {
    /// Returns a free id that begins like a taken one.
    fn another(&mut self, id: &SourceId) -> String {
        if !id.is_string {
            return self.next_number(self.given.len());
        }
        let named = |number| format!("{}-{number}", id.text);
        let Self { given, used, numbering } = self;
        let text = numbering.free(&id.text, 2, named, |text| !given.contains(text) && !used.contains(text));
        used.insert(text.clone());
        SourceId { text, is_string: true }.to_json()
    }

    /// Returns a number, or the next free one.
    fn next_number(&mut self, from: usize) -> String {
        let Self { given, used, numbering } = self;
        let is_free = |text: &str| !given.contains(text) && !used.contains(text);
        let wanted = from.to_string();
        // Each number has its own counter: rows without an id each want their own number.
        let number = match is_free(&wanted) {
            true => wanted,
            false => numbering.free(&wanted, from as u64 + 1, |number| number.to_string(), is_free),
        };
        used.insert(number.clone());
        number
    }
}
