//! The tables that map conversations to the graph and back.
//!
//! A record has two items: the conversation with its messages, and the question that the messages ask last, which other
//! systems have as well.

use super::chat_messages::{asked_question, given_answer, text_of_parts};
use crate::records::{
    FileShape, MemberCondition, MemberForm, ObjectIdentity, RecordMember, RecordPlacement, RecordShape,
    member, record, value,
};
use MemberForm::{Derived, Excerpt, Json, Nodes, Position, Text, Where};

/// A path from the conversation of a record.
macro_rules! conversation {
    ($rest:literal) => {
        concat!("item:Conversation#conversation/", $rest)
    };
}

/// A path from the question of a record.
macro_rules! question {
    ($rest:literal) => {
        concat!("item:Question+eg:AskedQuestion#question/", $rest)
    };
}

/// A file with conversations, one a line or in an array.
pub const CONVERSATIONS: FileShape =
    FileShape { root: &DATASET, records: RecordPlacement::Items("dataFeedElement", &CONVERSATION) };

/// A file that is one conversation.
pub const ONE_CONVERSATION: FileShape =
    FileShape { root: &SINGLE, records: RecordPlacement::One("dataFeedElement", &CONVERSATION) };

const DATASET: RecordShape = record("file", "DataFeed+eg:ChatDataset", ObjectIdentity::Blank, &[]);

const SINGLE: RecordShape = record("file", "DataFeed+eg:SingleConversation", ObjectIdentity::Blank, &[]);

const CONVERSATION: RecordShape = record(
    "conversation",
    "DataFeedItem+eg:Conversation",
    ObjectIdentity::Record { kind: "", key: "id" },
    MEMBERS,
);

const MEMBERS: &[RecordMember] = &[
    value("id", "eg:rowId"),
    member("id", "identifier", Derived(&Text)),
    member("", conversation!("position"), Position),
    // The first row of a key gives the value that conditions see: here only where there is a question.
    member("messages", question!("text"), Derived(&Excerpt(asked_question))),
    member("", question!("position"), Where(HAS_QUESTION, &Position)),
    member("messages", question!("acceptedAnswer:Answer#answer/text"), Derived(&Excerpt(given_answer))),
    member("messages", conversation!("hasPart"), Nodes(&MESSAGE)),
    member("tools", conversation!("eg:tools"), Json),
    value("parallel_tool_calls", conversation!("eg:parallelToolCalls")),
    member("functions", conversation!("eg:functions"), Json),
];

/// A list has this text in a condition.
const LIST: &str = "{}";

const HAS_QUESTION: &[MemberCondition] = &[MemberCondition { key: "messages", admits: |text| text == LIST }];

const HAS_PARTS: &[MemberCondition] = &[MemberCondition { key: "content", admits: |text| text == LIST }];

const MESSAGE: RecordShape = RecordShape {
    name: "message",
    node: "Message+eg:ChatMessage",
    identity: ObjectIdentity::Inner,
    members: &[
        value("role", "eg:role"),
        // Here conditions see a value only where it is a list of parts.
        member("content", "text", Derived(&Excerpt(text_of_parts))),
        member("content", "eg:contentParts", Where(HAS_PARTS, &Json)),
        value("content", "text"),
        value("name", "name"),
        value("weight", "eg:weight"),
        member("tool_calls", "eg:toolCalls", Json),
        value("tool_call_id", "eg:toolCallId"),
        member("function_call", "eg:functionCall", Json),
        value("refusal", "eg:refusal"),
        member("", "position", Position),
    ],
};
