//! The tables of entire files: a dataset, one answer, and conversations.

use super::answer_fields::{
    CONTRACT_ANSWER_JSON, CONTRACT_RESULT, CONTRACT_SOURCE, EXPECTED_OUTPUT, SEED_ANSWER_JSON, SOURCE_SHAPE,
    SUMMARY_RESULT,
};
use super::chat::{asked_question, completeness_of_answer, given_answer};
use super::dataset_fields::{
    DATASET_SHAPE, RESULT_SHAPE, SAMPLE_SHAPE, SEED_DATASET, SEED_RESULT, SEED_SAMPLE,
};
use crate::field_table::ShapedClass;
use crate::records::MemberForm::{Derived, Excerpt, Nodes, Position};
use crate::records::{FileShape, ObjectIdentity, RecordPlacement, RecordShape, member, record, value};

/// A path from the question that a conversation is about.
macro_rules! asked {
    ($rest:literal) => {
        concat!("item:Conversation#conversation/about:Question+eg:AskedQuestion#question/", $rest)
    };
}

/// The classes from which the shapes of a dataset are made, according to the documents.
pub const SEED_SHAPES: [ShapedClass; 4] = [
    ShapedClass { shape: &DATASET_SHAPE, class: &SEED_DATASET },
    ShapedClass { shape: &SAMPLE_SHAPE, class: &SEED_SAMPLE },
    ShapedClass { shape: &RESULT_SHAPE, class: &SEED_RESULT },
    ShapedClass { shape: &ANSWER, class: &SEED_ANSWER_JSON },
];

/// The classes from which the shapes of an answer are made, according to the contract.
pub const CONTRACT_SHAPES: [ShapedClass; 3] = [
    ShapedClass { shape: &ANSWER, class: &CONTRACT_ANSWER_JSON },
    ShapedClass { shape: &SOURCE_SHAPE, class: &CONTRACT_SOURCE },
    ShapedClass { shape: &SUMMARY_RESULT, class: &CONTRACT_RESULT },
];

/// A dataset file.
pub const DATASET_FILE: FileShape = FileShape { root: &DATASET_SHAPE, records: RecordPlacement::InRoot };

/// A file with one answer: the answer of a sample that has no other members.
pub const ANSWER_FILE: FileShape =
    FileShape { root: &ANSWERS, records: RecordPlacement::One("dataFeedElement", &ANSWER) };

/// A file with conversations.
pub const CHAT_FILE: FileShape =
    FileShape { root: &CONVERSATIONS, records: RecordPlacement::Items("dataFeedElement", &CONVERSATION) };

const ANSWERS: RecordShape = record("file", "DataFeed+eg:AnswerFile", ObjectIdentity::Blank, &[]);

const CONVERSATIONS: RecordShape = record("file", "DataFeed+eg:Conversations", ObjectIdentity::Blank, &[]);

const ANSWER: RecordShape = record(
    "answer",
    "DataFeedItem+eg:TrainingSample",
    ObjectIdentity::Record { kind: "", key: "" },
    EXPECTED_OUTPUT,
);

const CONVERSATION: RecordShape = RecordShape {
    name: "conversation",
    node: "DataFeedItem+eg:Conversation",
    identity: ObjectIdentity::Record { kind: "chat", key: "" },
    members: &[
        member("messages", "item:Conversation#conversation/hasPart", Nodes(&MESSAGE)),
        member("", "item:Conversation#conversation/position", Position),
        member("messages", asked!("text"), Derived(&Excerpt(asked_question))),
        member("messages", asked!("acceptedAnswer:Answer#answer/text"), Derived(&Excerpt(given_answer))),
        member(
            "messages",
            asked!("acceptedAnswer:Answer#answer/eg:completeness"),
            Derived(&Excerpt(completeness_of_answer)),
        ),
    ],
};

const MESSAGE: RecordShape = RecordShape {
    name: "message",
    node: "Message+eg:ChatMessage",
    identity: ObjectIdentity::Inner,
    members: &[value("role", "eg:role"), value("content", "text"), member("", "position", Position)],
};
