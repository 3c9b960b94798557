//! The documents that contain the answers of a dataset, by question.

use crate::catalog::text_key;
use evalgraph_json::{JsonDocument, JsonKind, TokenId};
use hashbrown::{HashMap, HashSet};
use std::borrow::Cow;

/// The names of documents.
pub(crate) type DocumentNames = HashSet<String>;

/// The documents that contain the answers, by question. Evaluations are measured by these.
#[derive(Debug, Clone, Default)]
pub struct GoldDocuments {
    by_id: HashMap<String, DocumentNames>,
    by_text: HashMap<String, OfText>,
}

/// The documents that the rows of one question name.
#[derive(Debug, Clone, PartialEq, Eq)]
enum OfText {
    /// All rows name the same documents.
    Same(DocumentNames),
    /// Two rows name different documents, so the question is not enough to decide.
    Differing,
}

/// The documents that a row of an evaluation should have retrieved.
pub(crate) enum ExpectedDocuments<'g> {
    /// The documents of the row with its id and question.
    ById(&'g DocumentNames),
    /// The documents of its question, since no row of the dataset has both.
    ByText(&'g DocumentNames),
    /// Undecided: the rows with its question differ, and none of them has its id.
    Ambiguous,
    /// No row has its question.
    Unknown,
}

impl GoldDocuments {
    /// Adds the documents that rows name, and the rows that name none. If several rows have the same id and question,
    /// all count.
    pub fn add(&mut self, document: &JsonDocument) {
        for row in document.items(document.root()) {
            let contexts = document.get(row, "contexts").into_iter().flat_map(|list| document.items(list));
            let names = contexts.filter_map(|context| file_name(document, context));
            let names: DocumentNames = names.map(Cow::into_owned).collect();
            let Some(key) = question_key(document, row) else { continue };
            if let Some(id) = id_of(document, row, &key) {
                self.by_id.entry(id).or_default().extend(names.iter().cloned());
            }
            self.add_text(key, OfText::Same(names));
        }
    }

    /// Adds the documents that other rows name.
    pub fn merge(&mut self, other: Self) {
        for (key, names) in other.by_id {
            self.by_id.entry(key).or_default().extend(names);
        }
        for (key, names) in other.by_text {
            self.add_text(key, names);
        }
    }

    fn add_text(&mut self, key: String, names: OfText) {
        match self.by_text.get_mut(&key) {
            Some(known) if *known == names => {}
            Some(known) => *known = OfText::Differing,
            None => drop(self.by_text.insert(key, names)),
        }
    }

    /// Returns the documents that a row of an evaluation should have retrieved. An id counts only with its
    /// question, since another dataset may give the id to another row.
    pub(crate) fn documents_for(&self, document: &JsonDocument, row: TokenId) -> ExpectedDocuments<'_> {
        let Some(key) = question_key(document, row) else { return ExpectedDocuments::Unknown };
        let by_id = id_of(document, row, &key).and_then(|id| self.by_id.get(&id));
        match (by_id, self.by_text.get(&key)) {
            (Some(names), _) => ExpectedDocuments::ById(names),
            (None, Some(OfText::Same(names))) => ExpectedDocuments::ByText(names),
            (None, Some(OfText::Differing)) => ExpectedDocuments::Ambiguous,
            (None, None) => ExpectedDocuments::Unknown,
        }
    }
}

fn question_key(document: &JsonDocument, row: TokenId) -> Option<String> {
    document.string(document.get(row, "question")?).map(|text| text_key(&text))
}

/// Returns the id of a row together with its question. `1` and `"1"` are the same id, as in the graph.
fn id_of(document: &JsonDocument, row: TokenId, key: &str) -> Option<String> {
    let id = ["id", "query_id"].into_iter().find_map(|key| document.get(row, key))?;
    let is_scalar = !matches!(document.kind(id), JsonKind::Null | JsonKind::Array | JsonKind::Object);
    let text = document.string(id).unwrap_or_else(|| document.raw(id).into());
    is_scalar.then(|| format!("{text} {key}"))
}

/// Returns the name of the document that a context of a row names.
pub(crate) fn file_name(document: &JsonDocument, context: TokenId) -> Option<Cow<'_, str>> {
    document.string(document.get(context, "filename")?)
}
