//! Splits a checkpoint into loadable parts: each part has the head and some of the questions, in order.

use super::dialect::CheckpointDialect;
use super::question_list::QuestionList;
use super::text_edits::ContainerSpacing;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity};
use evalgraph_json::JsonDocument;

/// The greatest size of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitLimit {
    /// Bytes of its text.
    Bytes(u64),
    /// Questions.
    Questions(u64),
}

/// The texts of the parts, and warnings about them.
#[derive(Debug)]
pub struct SplitCheckpoint {
    /// The parts; there is at least one.
    pub parts: Vec<String>,
    /// Warnings about questions that exceed the size of a part.
    pub warnings: Vec<Diagnostic>,
}

/// Splits a checkpoint. Questions are copied byte for byte; merging the parts gives the text again.
///
/// # Errors
/// `karenina::no-list` for a checkpoint that is a single question; `split::head` if the head alone exceeds the size of
/// a part.
pub fn split(
    document: &JsonDocument,
    dialect: CheckpointDialect,
    limit: SplitLimit,
) -> Result<SplitCheckpoint, Box<Diagnostic>> {
    let entries = QuestionList::from_document(document, dialect)?;
    let text = document.text();
    let list = document.bytes(entries.list);
    let spacing = ContainerSpacing::from_container(document, entries.list);
    let (head, tail) = (&text[..=list.start], &text[list.end - 1..]);
    let frame = (head.len() + tail.len() + spacing.end.len()) as u64;
    if let SplitLimit::Bytes(most) = limit
        && frame >= most
    {
        let message =
            format!("the checkpoint has {frame} bytes even without questions, and a part may have {most}");
        let fault = Diagnostic::error("split::head", message).at(document.place(document.root()));
        return Err(Box::new(fault.with_help(help!["raise ", setting("max")])));
    }
    let part_of = |entries: &[&str]| [head, &spacing.joined(entries), spacing.end, tail].concat();
    let mut split = SplitCheckpoint { parts: Vec::new(), warnings: Vec::new() };
    let mut part: Vec<&str> = Vec::new();
    let mut size = frame;
    for bytes in &entries.bytes {
        let entry = &text[bytes.clone()];
        let added = (entry.len() + spacing.before.len() + 1) as u64;
        let is_full = match limit {
            SplitLimit::Bytes(most) => size + added > most,
            SplitLimit::Questions(most) => part.len() as u64 >= most,
        };
        if is_full && !part.is_empty() {
            split.parts.push(part_of(&part));
            part.clear();
            size = frame;
        }
        if let SplitLimit::Bytes(most) = limit
            && size + added > most
        {
            let message = format!("the question has {} bytes; with the head it exceeds {most}", entry.len());
            let place = document.source_text().place(bytes.start..bytes.start + 1);
            split.warnings.push(Diagnostic::new(FindingSeverity::Warning, "split::large", message).at(place));
        }
        part.push(entry);
        size += added;
    }
    // Without questions, the only part is the checkpoint as it is.
    split.parts.push(if part.is_empty() { text.to_owned() } else { part_of(&part) });
    Ok(split)
}
