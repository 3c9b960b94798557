//! The ids of rows that are made of questions: those that the questions have, each once. The evaluator
//! takes any JSON as an id and writes it beside its results.

use super::RowIds;
use crate::source::counts::Counts;
use crate::source::items::{Item, SourceId};
use hashbrown::HashSet;

/// The ids of the rows of questions, as JSON. What is made up and what is lost is counted.
pub(super) fn row_ids(
    items: &[Item],
    wanted: RowIds,
    (defaults, losses): (&mut Counts, &mut Counts),
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
    // The texts of all ids: a number made up here may not be one that comes later.
    let given: HashSet<&str> =
        items.iter().filter_map(|item| item.source_id.as_ref()).map(|id| id.text.as_str()).collect();
    let mut used: HashSet<String> = HashSet::new();
    for (index, item) in items.iter().enumerate() {
        let id = match &item.source_id {
            Some(id) if used.insert(id.text.clone()) => id.to_json(),
            Some(id) => {
                losses.add("the id of a question that another one has");
                another(id, &given, &mut used)
            }
            None => {
                defaults.add("`id` is the index of the row, or the next number that is free");
                next_number(index, &given, &mut used)
            }
        };
        ids.push(id);
    }
    ids
}

/// An id that begins like one that is taken.
fn another(id: &SourceId, given: &HashSet<&str>, used: &mut HashSet<String>) -> String {
    if !id.is_string {
        return next_number(given.len(), given, used);
    }
    let numbered = (2_u64..).map(|number| format!("{}-{number}", id.text));
    let free = numbered.into_iter().find(|text| !given.contains(text.as_str()) && !used.contains(text));
    let text = free.expect("there are more numbers than questions");
    used.insert(text.clone());
    SourceId { text, is_string: true }.to_json()
}

fn next_number(from: usize, given: &HashSet<&str>, used: &mut HashSet<String>) -> String {
    let numbers = (from..).map(|number| number.to_string());
    let free = numbers.into_iter().find(|text| !given.contains(text.as_str()) && !used.contains(text));
    let number = free.expect("there are more numbers than questions");
    used.insert(number.clone());
    number
}
