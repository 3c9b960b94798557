//! Registers plain chat as a system.

use super::chat_figures::ChatFigures;
use super::chat_recognition::{assumed, file_shape, recognise};
use super::conversation_lines::conversation_lines;
use super::rules::{self, ChatProfile, validate};
use crate::checking::{FixedRules, FormatRule, RecordRules};
use crate::named_figures::RecordTally;
use crate::records::{FileShape, RecognisedRecords, RecordName};
use crate::rewriting::IndexedGraph;
use crate::source_system::{ConversationWriter, SourceSystem};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::JsonDocument;
use evalgraph_rdf::quad_buffer::BufferTermId;

/// Conversations for training.
pub(crate) struct ChatSystem;

impl SourceSystem for ChatSystem {
    fn files(&self) -> &'static str {
        "chat"
    }

    fn recognise(&self, document: &JsonDocument) -> Result<Option<RecognisedRecords>, Box<Diagnostic>> {
        Ok(recognise(document))
    }

    fn recognise_named(
        &self,
        document: &JsonDocument,
        _record: Option<RecordName>,
    ) -> Result<Option<RecognisedRecords>, Box<Diagnostic>> {
        let root = document.root();
        let has_records = document.items(root).next().is_some() || document.get(root, "messages").is_some();
        Ok(has_records.then(|| assumed(document)))
    }

    // The rules report the faults of a file that the user calls chat.
    fn recognise_for_rules(&self, document: &JsonDocument) -> Option<RecognisedRecords> {
        Some(assumed(document))
    }

    fn file_shape(&self, graph: &IndexedGraph<'_>, root: BufferTermId) -> Option<FileShape> {
        file_shape(graph, root)
    }

    fn tally(&self, _recognised: &RecognisedRecords) -> Option<Box<dyn RecordTally>> {
        Some(Box::<ChatFigures>::default())
    }

    fn rules(&self) -> Option<Box<dyn RecordRules>> {
        Some(Box::new(FixedRules(|file, profile| {
            let profile = ChatProfile::from_name(profile.unwrap_or(ChatProfile::Seed.name()))?;
            Some(validate(file.document, profile))
        })))
    }

    fn explanations(&self) -> &'static [&'static str] {
        rules::EXPLANATIONS
    }

    fn profiles(&self) -> Vec<(&'static str, Vec<FormatRule>)> {
        ChatProfile::ALL.map(|profile| (profile.name(), profile.rules())).to_vec()
    }

    fn conversation_writer(&self) -> Option<ConversationWriter> {
        Some(conversation_lines)
    }
}
