//! The templates of a checkpoint as files: their names, and how their texts are put back into the checkpoint.
//!
//! A name depends only on the id of the question, so it is the same whenever the templates are written, and no list is
//! needed to read the files back. It consists of the readable start of the id and a part of its MD5, which
//! distinguishes ids that differ only in capitals or after the cut.

use super::identifiers::text_md5;
use super::model::{AnswerTemplate, Checkpoint, PlacedValue};
use super::text_edits::TextEdits;
use crate::numbering::NameNumbering;
use hashbrown::HashSet;

/// How many characters of an id a name includes.
const SHOWN: usize = 60;
/// How many digits of the MD5 a name has.
const DIGITS: usize = 8;
/// The extension of the files.
const EXTENSION: &str = "py";

/// A question and the file of its template.
#[derive(Debug, Clone)]
pub struct TemplateFile<'c, 'd> {
    /// The name of the file.
    pub name: String,
    /// The id of the question, or else its text.
    pub question: String,
    /// The template, if the question has one.
    pub template: Option<&'c AnswerTemplate<'d>>,
}

impl TemplateFile<'_, '_> {
    /// Returns the text of the template.
    pub fn text(&self) -> Option<String> {
        Some(self.template?.text.shown().into_owned())
    }
}

/// Returns the template files of all questions, in their order.
pub fn template_files<'c, 'd>(checkpoint: &'c Checkpoint<'d>) -> Vec<TemplateFile<'c, 'd>> {
    let (mut taken, mut numbering) = (HashSet::new(), NameNumbering::default());
    let mut files = Vec::with_capacity(checkpoint.items.len());
    for item in &checkpoint.items {
        let question = item.id.as_ref().map_or_else(|| item.question.text.shown(), PlacedValue::shown);
        let stem = file_stem(&question);
        // Questions with the same id are numbered in the order of the checkpoint.
        let named = |number| if number == 1 { stem.clone() } else { format!("{stem}-{number}") };
        let stem = numbering.free(&stem, 1, named, |stem| !taken.contains(stem));
        taken.insert(stem.clone());
        let (name, question) = (format!("{stem}.{EXTENSION}"), question.into_owned());
        files.push(TemplateFile { name, question, template: item.question.template.as_ref() });
    }
    files
}

/// Returns a name that every file system accepts: it consists of `a` to `z`, digits, `-`, `_` and `.`, and begins with
/// a letter or digit.
///
/// ```
/// use evalgraph_formats::checkpoint::template_files::file_stem;
///
/// assert_eq!(file_stem("urn:uuid:question-what-is-2+2-936dbc87"), "question-what-is-2_2-936dbc87-7c35c711");
/// assert_ne!(file_stem("a/b"), file_stem("a\\b"));
/// ```
pub fn file_stem(id: &str) -> String {
    let shown = id.strip_prefix("urn:uuid:").unwrap_or(id);
    let safe = |character: char| match character.to_ascii_lowercase() {
        kept @ ('a'..='z' | '0'..='9' | '-' | '.') => kept,
        _ => '_',
    };
    let start: String = shown.chars().take(SHOWN).map(safe).collect();
    let start = start.trim_matches(['.', '-', '_']);
    let digits = &text_md5(id)[..DIGITS];
    if start.is_empty() { format!("template-{digits}") } else { format!("{start}-{digits}") }
}

/// Replaces the texts of templates; every other byte stays. Templates whose text does not change keep their spelling.
/// Returns the text of the checkpoint and the number of replacements.
pub fn replace_templates<'d>(
    checkpoint: &Checkpoint<'d>,
    texts: impl IntoIterator<Item = (AnswerTemplate<'d>, String)>,
) -> (String, usize) {
    let mut edits = TextEdits::new(checkpoint.origin.document);
    for (template, text) in texts {
        if template.text.shown() != text {
            edits.replace_by_string(template.text.origin.token, &text);
        }
    }
    let count = edits.count();
    (edits.apply(), count)
}
