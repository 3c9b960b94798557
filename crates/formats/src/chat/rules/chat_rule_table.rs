//! The rules for conversations, and the profiles that contain them. Each names its source: the schema
//! `FineTuneChatRequestInput` of OpenAI's API, OpenAI's cookbook ("Data preparation and analysis for chat model
//! fine-tuning"), or TRL's page "Dataset formats and types".

use crate::checking::{FormatRule, info, lenient, rules, violation, warning};
use crate::named_enum::named_enum;

rules! {
    /// The rules of OpenAI's documents, in the order of the report.
    SEED:
    // Cookbook, check `data_type`: each example is a dictionary.
    RECORD = violation("C-1", "every conversation must be an object");
    // Cookbook, check `missing_messages_list`; API: `messages` has at least one item.
    MESSAGES = violation("C-2", "`messages` must be a list with at least one message");
    // Cookbook, check `message_missing_key`; TRL: each message has a role and content.
    MESSAGE = violation("C-3", "every message must be an object with a `role`");
    // API: system, user, assistant, tool, developer, and the older function.
    ROLE = violation("C-4", "`role` must be system, developer, user, assistant, tool or function");
    // Cookbook, check `missing_content`; API: content is a string or a list of parts, and may be missing beside calls.
    CONTENT = violation("C-5", "`content` must be a string or a list of parts, and must not be empty without tool calls");
    // Cookbook, check `example_missing_assistant_message`.
    ASSISTANT = violation("C-6", "a conversation must have a message of the assistant");
    // NVIDIA NeMo, "Format Training Dataset": what follows the last message of the assistant is never learnt.
    LAST = warning("C-7", "the last message should be the assistant's");
    // TRL: conversations alternate between user and assistant, after the system prompt.
    ORDER = warning("C-8", "a message of the user should come before the first one of the assistant");
    // API: a message of a tool has the id of the call that it answers.
    CALL = violation("C-9", "`tool_call_id` of a tool's message must name an earlier call of the assistant");
    // API: `weight` is 0 or 1, and only messages of the assistant have it.
    WEIGHT = violation("C-10", "`weight` must be 0 or 1, and only the assistant's messages must have it");
    // Cookbook, check `message_unrecognized_key`, with the keys that the API has today.
    OTHER_KEYS = warning("C-11", "a message should have no other keys than those of OpenAI's API");
    // OpenAI's guide to fine-tuning: a file has ten examples or more.
    COUNT = info("C-12", "a file should have at least 10 conversations");
}

/// TRL's rules: a chat template takes any keys, and calls have no ids.
const CODE: [FormatRule; 8] = [
    RECORD,
    MESSAGES,
    MESSAGE,
    lenient(ROLE, "`role` should be one that chat templates know"),
    lenient(CONTENT, "`content` should be a string or a list of parts, and not be empty without tool calls"),
    lenient(ASSISTANT, "a conversation should have a message of the assistant"),
    LAST,
    ORDER,
];

named_enum! {
    /// A profile of rules, by the name on the command line.
    pub enum ChatProfile {
        /// OpenAI's documents.
        Seed = "seed",
        /// TRL.
        Code = "code",
    }
}

impl ChatProfile {
    /// The rules in the order of the report.
    pub fn rules(self) -> Vec<FormatRule> {
        match self {
            Self::Seed => SEED.to_vec(),
            Self::Code => CODE.to_vec(),
        }
    }
}
