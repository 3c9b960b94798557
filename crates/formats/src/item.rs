//! A question in the form that all systems share, with its answer and the texts on which the answer rests.

use crate::counts::ConversionCounts;
use evalgraph_json::write_string;
use evalgraph_rdf::quad_buffer::BufferTermId;

/// A question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionItem {
    /// The question's node.
    pub node: BufferTermId,
    /// The id in its file: that of its item if it has one, otherwise empty.
    pub local_id: String,
    /// The id by which other files may know it: that of its row or record, which a checkpoint may have kept, or else
    /// the checkpoint's own id.
    pub source_id: Option<SourceId>,
    /// Its text.
    pub question: String,
    /// The text of its accepted answer, if the text is an answer.
    pub answer: Option<String>,
    /// The text in place of a missing answer, such as `-`.
    pub no_answer: Option<String>,
    /// `true` if its file says that it has no answer, `None` if its file does not say.
    pub is_impossible: Option<bool>,
    /// The documents on which the answer rests.
    pub contexts: Vec<ItemContext>,
    /// Its keywords.
    pub keywords: Vec<String>,
    /// When it was created, according to its file.
    pub date_created: Option<String>,
    /// When it was last changed, according to its file.
    pub date_modified: Option<String>,
}

impl QuestionItem {
    /// The text of the answer, if the text is an answer.
    pub fn given_answer(&self) -> Option<&str> {
        self.answer.as_deref().filter(|answer| is_answer(answer))
    }

    /// Counts keywords and dates as lost, since few formats have a place for them.
    pub(super) fn note_details(&self, losses: &mut ConversionCounts) {
        losses.add_if(!self.keywords.is_empty(), "keywords");
        losses.add_if(self.date_created.is_some(), "the creation date of a question");
        losses.add_if(self.date_modified.is_some(), "the date of the last change of a question");
    }
}

/// Returns whether a text is an answer. Blanks are not an answer, and neither is `-`, which rows without an answer and
/// copies of such rows have in its place.
///
/// ```
/// use evalgraph_formats::items::is_answer;
///
/// assert!(is_answer("-1"));
/// assert!(!is_answer("-") && !is_answer(" \n"));
/// ```
pub fn is_answer(text: &str) -> bool {
    !matches!(text.trim(), "" | "-")
}

/// An id as written in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceId {
    /// The text, without quotes.
    pub text: String,
    /// `true` if it is a string, not a number.
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
    /// The id of the document, which distinguishes it from others of the same name.
    pub document: Option<String>,
}
