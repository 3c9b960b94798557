//! A question as the systems have it in common, with its answer and the texts that this rests on.

use crate::json::write_string;
use crate::rdf::quad_buffer::TermId;
use crate::source::counts::Counts;

/// A question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The question's node.
    pub node: TermId,
    /// The id that its file gives it, that of its item where it has one; empty where it has none.
    pub local_id: String,
    /// The id that other files can have of it: that of its row or record, that which a checkpoint has
    /// kept of such a one, or else the checkpoint's own.
    pub source_id: Option<SourceId>,
    /// Its text.
    pub question: String,
    /// The text of its accepted answer, where it is one.
    pub answer: Option<String>,
    /// What stands in the place of an answer where there is none, such as `-`.
    pub no_answer: Option<String>,
    /// Whether its file says that it has no answer.
    pub is_impossible: Option<bool>,
    /// What the answer rests on.
    pub contexts: Vec<ItemContext>,
    /// Its keywords.
    pub keywords: Vec<String>,
    /// When it was made, as its file says.
    pub date_created: Option<String>,
    /// When it was changed last, as its file says.
    pub date_modified: Option<String>,
}

impl Item {
    /// The text of the answer, where it is one.
    pub fn given_answer(&self) -> Option<&str> {
        self.answer.as_deref().filter(|answer| is_answer(answer))
    }

    /// Counts as lost what few systems have a place for: keywords and dates.
    pub(super) fn note_details(&self, losses: &mut Counts) {
        losses.add_if(!self.keywords.is_empty(), "keywords");
        losses.add_if(self.date_created.is_some(), "the date of making of a question");
        losses.add_if(self.date_modified.is_some(), "the date of the last change of a question");
    }
}

/// Tells whether a text is an answer. Blanks are none, and neither is `-`, which stands in the place of an
/// answer where a row has none, and in copies of such a row.
///
/// ```
/// use evalgraph::source::items::is_answer;
///
/// assert!(is_answer("-1"));
/// assert!(!is_answer("-") && !is_answer(" \n"));
/// ```
pub fn is_answer(text: &str) -> bool {
    !matches!(text.trim(), "" | "-")
}

/// An id as its file writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceId {
    /// The text, without quotes.
    pub text: String,
    /// Whether it is a string, and no number.
    pub is_string: bool,
}

impl SourceId {
    /// The id as JSON.
    pub fn to_json(&self) -> String {
        let mut json = String::new();
        if self.is_string {
            write_string(&self.text, &mut json);
        } else {
            json.push_str(&self.text);
        }
        json
    }
}

/// A document, or a piece of one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ItemContext {
    /// The name of the document: of its file, where it is one.
    pub name: Option<String>,
    /// The text.
    pub text: Option<String>,
    /// The id of the document, which tells it from another of the same name.
    pub document: Option<String>,
}
