//! The records of a file as parts of its text, so that a file of the same kind can be written with some of them, or
//! with all in another order. Every byte that is not asked to change stays.

use crate::checkpoint::CheckpointDialect;
use crate::checkpoint::question_list::QuestionList;
use crate::checkpoint::text_edits::{ContainerSpacing, with_replaced};
use crate::counted_list::CountedList;
use crate::rewriting::{JsonStyle, StyledJson};
use crate::system_name::SystemName;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::{JsonDocument, TokenId, parse};
use hashbrown::{HashMap, HashSet};
use std::borrow::Cow;
use std::ops::Range;

/// Lists of an object that refer to each other, such as answers that name their question.
#[derive(Debug, Clone, Copy)]
pub struct LinkedLists {
    /// The keys that the list of the records may have.
    pub records: &'static [&'static str],
    /// The lists whose items belong to an item of another list, each after the list that it refers to.
    pub links: &'static [ListLink],
}

/// A list whose items belong to an item of another list.
#[derive(Debug, Clone, Copy)]
pub struct ListLink {
    /// The keys that the list may have.
    pub lists: &'static [&'static str],
    /// The member of an item with the `id` of the other item.
    pub member: &'static str,
    /// The keys that the other list may have.
    pub owners: &'static [&'static str],
}

/// The records of a file.
#[derive(Debug)]
pub struct FileRecords<'d> {
    document: &'d JsonDocument,
    form: RecordSeparation,
    counted: Option<CountedList>,
    links: &'static [ListLink],
    records: Vec<ListedRecord>,
}

/// A record of a list.
#[derive(Debug, Clone)]
struct ListedRecord {
    /// The value, without the key that it has in an object.
    value: TokenId,
    /// Its bytes: those of the value with its key, or those of whole lines.
    bytes: Range<usize>,
}

/// How the records of a list follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RecordSeparation {
    /// With commas, in this array or object.
    Separated(TokenId),
    /// Each on lines of its own.
    Lines,
}

impl<'d> FileRecords<'d> {
    /// Finds the records of a file: the questions of a checkpoint, the items of an array, JSON lines, rows of a table,
    /// or the list of a system's dataset.
    ///
    /// # Errors
    /// `selection::no-list` for a file that is a single record, or that is something else.
    pub fn from_document(
        document: &'d JsonDocument,
        dialect: CheckpointDialect,
    ) -> Result<Self, Box<Diagnostic>> {
        if dialect.has_questions() {
            let questions = QuestionList::from_document(document, dialect)?;
            return Ok(Self::separated(document, questions.list));
        }
        let root = document.root();
        let mut systems = SystemName::ALL.into_iter().map(SystemName::entry);
        if let Some(counted) = systems.clone().find_map(|system| system.counted_list(document))
            && let Some(list) = document.get(root, counted.records).filter(|&list| document.is_array(list))
        {
            return Ok(Self { counted: Some(counted), ..Self::separated(document, list) });
        }
        if document.is_array(root) {
            return Ok(match document.written_text()[document.start(root)..].starts_with('[') {
                true => Self::separated(document, root),
                false => Self::of_lines(document),
            });
        }
        let found = systems.find_map(|system| {
            let linked = system.linked_lists()?;
            Some((list_of(document, linked.records)?, linked.links))
        });
        match found {
            Some((list, links)) => Ok(Self { links, ..Self::separated(document, list) }),
            None => {
                let message = "the file has no list of records";
                let fault = Diagnostic::error("selection::no-list", message).at(document.place(root));
                let help = "a list is in a checkpoint, a dataset, an array, JSON lines or a table";
                Err(Box::new(fault.with_help(help)))
            }
        }
    }

    fn separated(document: &'d JsonDocument, list: TokenId) -> Self {
        let records = listed(document, list);
        Self { document, form: RecordSeparation::Separated(list), counted: None, links: &[], records }
    }

    fn of_lines(document: &'d JsonDocument) -> Self {
        let text = document.written_text();
        let values: Vec<TokenId> = document.items(document.root()).collect();
        let begin = |value: &TokenId| {
            let start = document.start(*value);
            let before = text[..start].trim_end_matches([' ', '\t']);
            if before.is_empty() || before.ends_with(['\n', '\r']) { before.len() } else { start }
        };
        let begins: Vec<usize> = values.iter().map(begin).chain([text.len()]).collect();
        let bytes = begins.windows(2).map(|ends| ends[0]..ends[1]);
        let records = values.into_iter().zip(bytes);
        let records = records.map(|(value, bytes)| ListedRecord { value, bytes }).collect();
        Self { document, form: RecordSeparation::Lines, counted: None, links: &[], records }
    }

    /// Returns how many records there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Returns whether the records are members of an object, whose keys are their ids.
    pub fn is_keyed(&self) -> bool {
        matches!(self.form, RecordSeparation::Separated(list) if self.document.is_object(list))
    }

    /// Returns the value of a record.
    pub fn value(&self, record: usize) -> TokenId {
        self.records[record].value
    }

    /// Returns the text of a record: with the key that it has in an object, or with the ends of its lines.
    pub fn text(&self, record: usize) -> &'d str {
        &self.document.written_text()[self.records[record].bytes.clone()]
    }

    /// Returns the id of a record as the file has it: the key of the record in an object, or its member `id`.
    pub fn id(&self, record: usize) -> Option<Cow<'d, str>> {
        let ListedRecord { value, bytes } = &self.records[record];
        if let RecordSeparation::Separated(list) = self.form
            && self.document.is_object(list)
        {
            let mut members = self.document.members(list);
            let member = members.find(|member| self.document.start(member.key) == bytes.start)?;
            return Some(self.document.symbol_text(member.symbol).into());
        }
        let id = self
            .document
            .get(*value, "id")
            .filter(|&id| self.document.is_object(*value) && !self.document.is_object(id))?;
        self.document.string(id).or_else(|| self.document.number(id).map(Cow::Borrowed))
    }

    /// Returns the names of members by which other items refer to a record, and the values of such members in other
    /// lists that refer to this one.
    pub fn references(&self, record: usize) -> (Vec<&'static str>, Vec<TokenId>) {
        let document = self.document;
        let id = document.get(self.records[record].value, "id").map(|id| document.raw(id));
        let (RecordSeparation::Separated(own), Some(id)) = (self.form, id) else { return Default::default() };
        let links = self.links.iter().filter(|link| list_of(document, link.owners) == Some(own));
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for link in links {
            names.push(link.member);
            let items = list_of(document, link.lists).into_iter().flat_map(|list| document.items(list));
            let found = items.filter_map(|item| document.get(item, link.member));
            values.extend(found.filter(|&value| document.raw(value) == id));
        }
        (names, values)
    }

    /// Returns the number of the record in which a byte of the file lies.
    pub fn record_at(&self, byte: usize) -> Option<usize> {
        let after = self.records.partition_point(|record| record.bytes.start <= byte);
        let record = after.checked_sub(1)?;
        (byte < self.records[record].bytes.end).then_some(record)
    }

    /// Returns whether the file has statistics of its records, which are counted anew if records are left out.
    pub fn has_statistics(&self) -> bool {
        self.counted
            .is_some_and(|counted| self.document.get(self.document.root(), counted.statistics).is_some())
    }

    /// Returns the text of the file with these records in this order, and the number of items of other lists that are
    /// left out with them, because they belong to a record that is left out.
    pub fn text_with(&self, chosen: &[usize]) -> (String, usize) {
        let text = self.document.written_text();
        let mut edits = Vec::new();
        match self.form {
            RecordSeparation::Lines => {
                let first = self.records.first().map_or(text.len(), |record| record.bytes.start);
                edits.push((first..text.len(), self.lines(chosen)));
            }
            RecordSeparation::Separated(list) => {
                edits.push(rewritten(self.document, list, &self.records, chosen));
            }
        }
        let is_chosen: HashSet<usize> = chosen.iter().copied().collect();
        let left_out = (0..self.records.len()).filter(|record| !is_chosen.contains(record));
        let left_out: Vec<TokenId> = left_out.map(|record| self.records[record].value).collect();
        if left_out.is_empty() {
            return (with_replaced(text, edits), 0);
        }
        edits.extend(self.statistics(chosen));
        let (linked, count) = self.without_linked(&left_out);
        edits.extend(linked);
        (with_replaced(text, edits), count)
    }

    /// Returns the text of the file with the records of another list added at its end, and with what belongs to them in
    /// other lists. Both files have to be of the same form. Statistics stay as they are.
    ///
    /// # Errors
    /// `selection::no-list` if other lists have items that belong to the records, and this file does not have these
    /// lists; `move::exists` if it has other items with their ids.
    pub fn text_with_added(
        &self,
        other: &FileRecords<'_>,
        added: &[usize],
    ) -> Result<String, Box<Diagnostic>> {
        let text = self.document.written_text();
        let texts: Vec<&str> = added.iter().map(|&record| other.text(record)).collect();
        let (RecordSeparation::Separated(list), RecordSeparation::Separated(other_list)) =
            (self.form, other.form)
        else {
            let mut new = text.to_owned();
            for text in texts {
                if !new.is_empty() && !new.ends_with(['\n', '\r']) {
                    new.push('\n');
                }
                new.push_str(text);
            }
            return Ok(new);
        };
        let mut edits = vec![extended(self.document, list, &self.records, &texts, other.spacing(other_list))];
        let values: Vec<TokenId> = added.iter().map(|&record| other.records[record].value).collect();
        for linked in
            other.linked(&values).into_iter().filter(|linked| linked.kept.len() < linked.items.len())
        {
            let Some(own) = list_of(self.document, linked.link.lists) else {
                let list = linked.link.lists.first().copied().unwrap_or_default();
                let message =
                    format!("what belongs to the records has no place: the file has no list `{list}`");
                let fault = Diagnostic::error("selection::no-list", message);
                let help = format!("add `\"{list}\": []` to the file");
                return Err(Box::new(fault.at(self.document.place(self.document.root())).with_help(help)));
            };
            let moved: Vec<&ListedRecord> = linked.moved().collect();
            let items = listed(self.document, own);
            other.check_ids(&moved, self.document, &items)?;
            let texts: Vec<&str> =
                moved.iter().map(|item| &other.document.written_text()[item.bytes.clone()]).collect();
            edits.push(extended(self.document, own, &items, &texts, other.spacing(linked.list)));
        }
        Ok(with_replaced(text, edits))
    }

    /// Refuses items whose ids items of another file have already: what refers to them would refer to both.
    fn check_ids(
        &self,
        moved: &[&ListedRecord],
        document: &JsonDocument,
        items: &[ListedRecord],
    ) -> Result<(), Box<Diagnostic>> {
        let id = |document: &'_ JsonDocument, item: &ListedRecord| {
            document.get(item.value, "id").map(|id| document.raw(id).to_owned())
        };
        let taken: HashMap<String, TokenId> =
            items.iter().filter_map(|item| Some((id(document, item)?, item.value))).collect();
        for item in moved {
            if let Some(id) = id(self.document, item)
                && let Some(other) = taken.get(&id)
            {
                let message = format!("what belongs to the records has the id `{id}`, which is taken here");
                let fault = Diagnostic::error("move::exists", message).at(document.place(*other));
                let fault = fault.with_related(self.document.place(item.value), "the other one");
                return Err(Box::new(fault.with_help("change one of the ids, and what refers to it")));
            }
        }
        Ok(())
    }

    fn spacing(&self, list: TokenId) -> ContainerSpacing<'d> {
        ContainerSpacing::from_container(self.document, list)
    }

    /// Returns the text of the file with the statistics of all its records, if it has statistics.
    pub fn text_with_new_statistics(&self) -> String {
        let all: Vec<usize> = (0..self.records.len()).collect();
        with_replaced(self.document.written_text(), self.statistics(&all).into_iter().collect())
    }

    /// The records on lines of their own. The last line of a file may have no end.
    fn lines(&self, chosen: &[usize]) -> String {
        let line_end = if self.document.written_text().contains("\r\n") { "\r\n" } else { "\n" };
        let mut lines = String::new();
        for &record in chosen {
            if !lines.is_empty() && !lines.ends_with(['\n', '\r']) {
                lines.push_str(line_end);
            }
            lines.push_str(self.text(record));
        }
        lines
    }

    /// The new statistics of some of the records, with the place of the old ones.
    fn statistics(&self, chosen: &[usize]) -> Option<(Range<usize>, String)> {
        let (document, counted) = (self.document, self.counted?);
        let old = document.get(document.root(), counted.statistics)?;
        let values: Vec<TokenId> = chosen.iter().map(|&record| self.records[record].value).collect();
        let mut json = StyledJson::new(JsonStyle::from_document(document));
        json.open('{');
        json.key(counted.statistics);
        json.json_text(&(counted.count)(document, &values));
        json.close('}');
        let styled = parse(&**document.name(), json.finish(), evalgraph_json::UNLIMITED).ok()?;
        let new = styled.get(styled.root(), counted.statistics)?;
        Some((document.bytes(old), styled.raw(new).to_owned()))
    }

    /// The linked lists without the items that belong to records that are left out, and the number of these items.
    fn without_linked(&self, left_out: &[TokenId]) -> (Vec<(Range<usize>, String)>, usize) {
        let linked = self.linked(left_out);
        let gone = linked.iter().map(|linked| linked.items.len() - linked.kept.len()).sum();
        let changed = linked.iter().filter(|linked| linked.kept.len() < linked.items.len());
        let edits = changed.map(|linked| rewritten(self.document, linked.list, &linked.items, &linked.kept));
        (edits.collect(), gone)
    }

    /// The linked lists of the file, each with the items that do not belong to some of the records.
    fn linked(&self, records: &[TokenId]) -> Vec<LinkedItems> {
        let document = self.document;
        let id = |value: &TokenId| Some(document.raw(document.get(*value, "id")?));
        let RecordSeparation::Separated(own) = self.form else { return Vec::new() };
        // The ids of the items that belong to the records, by list.
        let mut gone: Vec<(TokenId, HashSet<&str>)> = vec![(own, records.iter().filter_map(id).collect())];
        let mut found = Vec::new();
        for link in self.links {
            let (Some(list), Some(owners)) = (list_of(document, link.lists), list_of(document, link.owners))
            else {
                continue;
            };
            let Some((_, ids)) = gone.iter().find(|(of, _)| *of == owners) else { continue };
            let items = listed(document, list);
            let is_gone = |item: &ListedRecord| {
                document.get(item.value, link.member).is_some_and(|owner| ids.contains(document.raw(owner)))
            };
            let kept: Vec<usize> = (0..items.len()).filter(|&item| !is_gone(&items[item])).collect();
            let lost = items.iter().filter(|item| is_gone(item)).filter_map(|item| id(&item.value)).collect();
            gone.push((list, lost));
            found.push(LinkedItems { link, list, items, kept });
        }
        found
    }
}

/// A list that refers to the records, and which of its items do not belong to some of them.
struct LinkedItems {
    link: &'static ListLink,
    list: TokenId,
    items: Vec<ListedRecord>,
    kept: Vec<usize>,
}

impl LinkedItems {
    /// The items that belong to some of the records.
    fn moved(&self) -> impl Iterator<Item = &ListedRecord> {
        let items = self.items.iter().enumerate();
        items.filter(|(index, _)| self.kept.binary_search(index).is_err()).map(|(_, item)| item)
    }
}

/// Returns the array of the outermost object under one of these keys.
fn list_of(document: &JsonDocument, keys: &[&str]) -> Option<TokenId> {
    let found = keys.iter().find_map(|key| document.get(document.root(), key));
    found.filter(|&list| document.is_array(list))
}

/// The items of an array or the members of an object.
fn listed(document: &JsonDocument, list: TokenId) -> Vec<ListedRecord> {
    if document.is_object(list) {
        let members = document.members(list).map(|member| {
            let bytes = document.start(member.key)..document.bytes(member.value).end;
            ListedRecord { value: member.value, bytes }
        });
        return members.collect();
    }
    document.items(list).map(|value| ListedRecord { value, bytes: document.bytes(value) }).collect()
}

/// The inside of a list with some of its items. What stood between two items stays between them, if they still follow
/// each other.
fn rewritten(
    document: &JsonDocument,
    list: TokenId,
    items: &[ListedRecord],
    chosen: &[usize],
) -> (Range<usize>, String) {
    let text = document.written_text();
    let bytes = document.bytes(list);
    let inside = bytes.start + 1..bytes.end - 1;
    let (Some(first), Some(last)) = (items.first(), items.last()) else {
        return (inside.clone(), text[inside].to_owned());
    };
    if chosen.is_empty() {
        return (inside, String::new());
    }
    // With one item, white space before the item is also before every other.
    let begin = &text[inside.start..first.bytes.start];
    let usual = format!(",{begin}");
    let between = |item: usize| match item.checked_sub(1) {
        Some(before) => &text[items[before].bytes.end..items[item].bytes.start],
        None => items.get(1).map_or(&*usual, |second| &text[first.bytes.end..second.bytes.start]),
    };
    let mut new = begin.to_owned();
    for (at, &item) in chosen.iter().enumerate() {
        if at > 0 {
            new.push_str(between(item));
        }
        new.push_str(&text[items[item].bytes.clone()]);
    }
    new.push_str(&text[last.bytes.end..inside.end]);
    (inside, new)
}

/// The inside of a list with further items at its end. An empty list gets the spacing of the list that they come from.
fn extended(
    document: &JsonDocument,
    list: TokenId,
    items: &[ListedRecord],
    texts: &[&str],
    model: ContainerSpacing<'_>,
) -> (Range<usize>, String) {
    let text = document.written_text();
    let bytes = document.bytes(list);
    let inside = bytes.start + 1..bytes.end - 1;
    let spacing = match items {
        [] => model,
        _ => ContainerSpacing::from_container(document, list),
    };
    let (Some(first), Some(last)) = (items.first(), items.last()) else {
        return (inside, format!("{}{}", spacing.joined(texts), spacing.end));
    };
    let usual = format!(",{}", spacing.before);
    let between = items.get(1).map_or(&*usual, |second| &text[first.bytes.end..second.bytes.start]);
    let added: String = texts.iter().map(|text| format!("{between}{text}")).collect();
    (last.bytes.end..last.bytes.end, added)
}

#[cfg(test)]
mod tests {
    use super::*;
    use evalgraph_json::{UNLIMITED, parse_lines};

    fn parsed(text: &str) -> JsonDocument {
        parse("f.json", text.to_owned(), UNLIMITED).unwrap()
    }

    fn with(document: &JsonDocument, chosen: &[usize]) -> String {
        FileRecords::from_document(document, CheckpointDialect::None).unwrap().text_with(chosen).0
    }

    #[test]
    fn all_records_in_their_order_are_the_file() {
        for text in ["[1, 2 ,\n 3]\n", "[\n  1,\n  2\n]", "[]", " [ 1 ] ", "[ ]"] {
            let document = parsed(text);
            let all: Vec<usize> = (0..document.items(document.root()).count()).collect();
            assert_eq!(with(&document, &all), text);
        }
        let text = "{\"a\": 1}\n\n{\"a\": 2}";
        let lines = parse_lines("f.jsonl", text.to_owned(), UNLIMITED).unwrap();
        assert_eq!(with(&lines, &[0, 1]), text);
    }

    #[test]
    fn what_is_between_two_records_stays() {
        let document = parsed("[1,  2,\n 3, 4]");
        assert_eq!(with(&document, &[0, 2, 3]), "[1,\n 3, 4]");
        assert_eq!(with(&document, &[3]), "[4]");
        assert_eq!(with(&document, &[1, 0]), "[2,  1]");
        assert_eq!(with(&document, &[]), "[]");
        let lines = parse_lines("f.jsonl", "{\"a\": 1}\r\n{\"a\": 2}".to_owned(), UNLIMITED).unwrap();
        assert_eq!(with(&lines, &[1, 0]), "{\"a\": 2}\r\n{\"a\": 1}\r\n");
        assert_eq!(with(&lines, &[0]), "{\"a\": 1}\r\n");
    }
}
