//! Recognises conversations by `messages` whose items have a `role`.

use super::{CHAT, shapes};
use crate::records::{FileShape, RecognisedRecords, RecognitionCertainty};
use crate::rewriting::IndexedGraph;
use evalgraph_json::{JsonDocument, TokenId};
use evalgraph_rdf::quad_buffer::{BufferTermId, TermRef};
use evalgraph_rdf::vocabulary::EVALGRAPH;

/// How many records are read.
const LOOKED_AT: usize = 8;

/// Recognises a file of which at least half of the records are conversations. Other systems have conversations, too, and
/// recognise theirs by more keys, so the certainty is only `Likely`.
pub(super) fn recognise(document: &JsonDocument) -> Option<RecognisedRecords> {
    let root = document.root();
    if document.is_object(root) {
        return is_conversation(document, root).then(|| recognised(document, "it has `messages` with roles"));
    }
    let objects = document.items(root).filter(|&item| document.is_object(item));
    let objects: Vec<TokenId> = objects.take(LOOKED_AT).collect();
    let found = objects.iter().filter(|&&object| is_conversation(document, object)).count();
    (found > 0 && 2 * found >= objects.len())
        .then(|| recognised(document, "its objects have `messages` with roles"))
}

/// Takes any file as conversations, because the user says so.
pub(super) fn assumed(document: &JsonDocument) -> RecognisedRecords {
    recognised(document, "it was named")
}

/// Returns the shape of a file by its node in a graph.
pub(super) fn file_shape(graph: &IndexedGraph<'_>, root: BufferTermId) -> Option<FileShape> {
    graph.objects(root, graph.rdf_type()?).find_map(|class| {
        let TermRef::Iri(iri) = graph.quads().term(class) else { return None };
        match iri.strip_prefix(EVALGRAPH)? {
            "ChatDataset" => Some(shapes::CONVERSATIONS),
            "SingleConversation" => Some(shapes::ONE_CONVERSATION),
            _ => None,
        }
    })
}

fn recognised(document: &JsonDocument, why: &'static str) -> RecognisedRecords {
    let (kind, shape) = match document.is_object(document.root()) {
        true => ("conversation", shapes::ONE_CONVERSATION),
        false => ("conversations", shapes::CONVERSATIONS),
    };
    let certainty = RecognitionCertainty::Likely;
    RecognisedRecords { system: CHAT, kind: kind.into(), shape, certainty, why: why.into() }
}

/// Returns whether an object has messages with roles, and no key of JSON-LD.
fn is_conversation(document: &JsonDocument, object: TokenId) -> bool {
    let is_json_ld =
        document.members(object).any(|member| document.symbol_text(member.symbol).starts_with('@'));
    let messages = document.get(object, "messages").filter(|&messages| document.is_array(messages));
    let has_role =
        |messages: TokenId| document.items(messages).any(|message| document.get(message, "role").is_some());
    !is_json_ld && messages.is_some_and(has_role)
}
