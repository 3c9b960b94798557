//! Plain chat: conversations for training as OpenAI's fine-tuning, TRL and `convert` write them. A conversation is an
//! object with `messages`, each with a `role` and a `content`.
//!
//! A file is JSON Lines, an array, or one conversation. [`rules`] reports the faults of a file.

mod chat_figures;
mod chat_messages;
mod chat_recognition;
mod conversation_lines;
pub mod rules;
pub mod shapes;
mod system;

use crate::system_name::SystemName;
pub(crate) use system::ChatSystem;

/// The name of the system.
pub const CHAT: SystemName = SystemName::new("chat");
