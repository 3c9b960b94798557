//! Conversations made of samples, for training: the system prompt says whom to answer and how, the user
//! asks and lists what retrieval found, the assistant gives the expected answer as JSON.

mod prompt;
mod reading;
mod user_message;
mod writing;

pub use prompt::{SystemPrompt, UserPrompt};
pub use reading::{Restored, asked_question, completeness_of_answer, given_answer, to_dataset};
pub use writing::{ChatFile, to_chat};
