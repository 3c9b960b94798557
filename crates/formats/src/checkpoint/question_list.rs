//! Finds the list of questions in the text of a checkpoint, and where each question begins and ends.

use super::dialect::CheckpointDialect;
use super::model::{CheckpointItem, TokenOrigin};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::{JsonDocument, TokenId};
use std::ops::Range;

/// The list of questions of a checkpoint.
#[derive(Debug)]
pub struct QuestionList {
    /// The array, or in version 2.0 the object.
    pub list: TokenId,
    /// The bytes of each question with its item; in version 2.0 with its key.
    pub bytes: Vec<Range<usize>>,
}

impl QuestionList {
    /// Finds the list.
    ///
    /// # Errors
    /// `karenina::no-list` if the checkpoint is a single question or has a single object in place of the list.
    pub fn from_document(
        document: &JsonDocument,
        dialect: CheckpointDialect,
    ) -> Result<Self, Box<Diagnostic>> {
        let root = root_of(document);
        let is_version_2 = dialect.is_version_2();
        let keys = if is_version_2 { ["checkpoint", ""] } else { ["dataFeedElement", "hasPart"] };
        let found = keys.iter().find_map(|key| document.get(root, key));
        let is_list = |list: &TokenId| {
            if is_version_2 { document.is_object(*list) } else { document.is_array(*list) }
        };
        let Some(list) = found.filter(is_list) else {
            let message = "the checkpoint has no list of questions";
            let fault = Diagnostic::error("karenina::no-list", message);
            return Err(Box::new(fault.at(document.place(found.unwrap_or(root)))));
        };
        let bytes = if is_version_2 {
            let members = document.members(list);
            members.map(|member| document.start(member.key)..document.bytes(member.value).end).collect()
        } else {
            document.items(list).map(|item| document.bytes(item)).collect()
        };
        Ok(Self { list, bytes })
    }

    /// Returns the text of a question with its item; in version 2.0 with its key.
    pub(super) fn text_of<'d>(dialect: CheckpointDialect, item: &CheckpointItem<'d>) -> &'d str {
        if !dialect.is_version_2() {
            return item.origin.raw();
        }
        // The key of a member is the token before its value.
        let TokenOrigin { document, token } = item.origin;
        let key = TokenId::from_index(token.index() - 1);
        &document.text()[document.start(key)..document.bytes(token).end]
    }
}

/// Returns the object of the checkpoint: the document, or the first item of an array.
pub fn root_of(document: &JsonDocument) -> TokenId {
    let root = document.root();
    document.items(root).next().unwrap_or(root)
}

/// Returns whether the library numbered two questions with the same text: it gives the second one the id of the first
/// with a number appended.
pub fn are_numbered(one: &CheckpointItem<'_>, other: &CheckpointItem<'_>) -> bool {
    let (Some(one), Some(other)) = (&one.id, &other.id) else { return false };
    let (one, other) = (one.shown(), other.shown());
    let base = |id: &str| {
        let (base, number) = id.rsplit_once('-')?;
        let is_number = !number.is_empty() && number.len() < 8 && number.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| base.to_owned())
    };
    let (one_base, other_base) = (base(&one), base(&other));
    one_base.as_deref() == Some(&*other)
        || other_base.as_deref() == Some(&*one)
        || (one_base.is_some() && one_base == other_base)
}
