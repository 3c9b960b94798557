//! Conversations made from samples, for training: the system prompt says whom to answer and how, the user asks and
//! lists the retrieved results, the assistant gives the expected answer as JSON.

mod chat_reader;
mod chat_writer;
mod prompt;
mod user_message;

pub use chat_reader::{ChatDataset, asked_question, completeness_of_answer, given_answer, to_dataset};
pub use chat_writer::{ChatFile, to_chat};
pub use prompt::{SystemPrompt, UserPrompt};
