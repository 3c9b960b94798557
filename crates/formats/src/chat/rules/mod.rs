//! The rules for conversations, as profiles: those of OpenAI for fine-tuning files (`seed`), and those of TRL (`code`).
//!
//! The rules check the file as it is written, not the graph made from it.

mod chat_rule_table;
mod conversation_rules;
mod message_rules;

use crate::checking::FindingCollector;
pub use chat_rule_table::ChatProfile;
use evalgraph_diagnostics::validation::RuleReport;
use evalgraph_json::JsonDocument;

/// The texts that explain the rules.
pub(super) const EXPLANATIONS: &[&str] = &[include_str!("explanations.md")];

/// Checks the conversations of a file by the rules of a profile.
///
/// ```
/// use evalgraph_json::{Limits, parse};
/// use evalgraph_formats::chat::rules::{ChatProfile, validate};
///
/// let text = r#"[{"messages": [{"role": "user", "content": "Why?"}]}]"#;
/// let document = parse("chat.json", text.to_owned(), Limits::default())?;
/// let report = validate(&document, ChatProfile::Seed);
/// assert_eq!(report.results[0].rule, "C-6");
/// assert_eq!(report.results[0].message, "the assistant says nothing");
/// # Ok::<(), Box<evalgraph_diagnostics::Diagnostic>>(())
/// ```
pub fn validate(document: &JsonDocument, profile: ChatProfile) -> RuleReport {
    let mut checker = FindingCollector::new(document, profile.name(), profile.rules());
    conversation_rules::check(&mut checker, profile);
    checker.finish()
}
