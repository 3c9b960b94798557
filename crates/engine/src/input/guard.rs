//! Keeps API keys out of everything that a command reports and writes. All text that a command reads passes this guard.

use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport, SourceText, thousands};
use evalgraph_formats::secrets::{self, HiddenSecrets};
use evalgraph_json::JsonDocument;
use evalgraph_jsonld::is_keyword;

/// Looks for text that may contain API keys.
#[derive(Debug, Clone, Copy)]
pub struct SecretGuard {
    may_have_secrets: bool,
}

impl SecretGuard {
    /// Examines the bytes of a text.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self { may_have_secrets: secrets::are_possible(bytes) }
    }

    /// Returns whether the text may contain API keys.
    pub fn is_needed(self) -> bool {
        self.may_have_secrets
    }

    /// Returns the result for the text. A fault does not quote text that may contain a key.
    pub fn checked<T>(self, result: Result<T, Box<Diagnostic>>) -> Result<T, Box<Diagnostic>> {
        if self.may_have_secrets { result.map_err(secrets::without_text) } else { result }
    }

    /// Overwrites the API keys in the document that was parsed from the text, and reports their paths. A document with
    /// a context is left as it is: there the context decides whether such a key is data of a graph.
    pub fn hide(self, document: &mut JsonDocument, report: &mut RunReport) {
        if self.may_have_secrets && !has_context(document) {
            self.hide_in_records(document, report);
        }
    }

    /// Like [`hide`](Self::hide), but also for a document with a context.
    pub fn hide_in_records(self, document: &mut JsonDocument, report: &mut RunReport) {
        let hidden = if self.may_have_secrets { secrets::hide(document) } else { None };
        if let Some(hidden) = hidden {
            report.add(&told_hidden(document.name(), &hidden));
        }
    }

    /// Overwrites the API keys in a document without a context. Returns their places, or `None` if there are no keys.
    pub fn found(self, document: &mut JsonDocument) -> Option<String> {
        let may_have = self.may_have_secrets && !has_context(document);
        let hidden = if may_have { secrets::hide(document) } else { None };
        hidden.map(|hidden| places(&hidden))
    }
}

/// Returns the note that API keys were overwritten, with their places.
pub fn told_hidden(name: &str, hidden: &HiddenSecrets) -> Diagnostic {
    let message = format!("API keys are overwritten with `*`: {}", places(hidden));
    Diagnostic::new(FindingSeverity::Note, "input::secret", message)
        .at(SourceText::new(name, b"").place(0..0))
}

/// Returns the places of overwritten keys in words.
fn places(hidden: &HiddenSecrets) -> String {
    let HiddenSecrets { count, pointers, comments } = hidden;
    let rest = count - pointers.len() as u64;
    let more = if rest == 0 { String::new() } else { format!(" and {} more", thousands(rest)) };
    let mut words = match pointers.is_empty() {
        true => Vec::new(),
        false => vec![format!("`{}`{more}", pointers.join("`, `"))],
    };
    match comments {
        0 => {}
        1 => words.push("a comment".to_owned()),
        _ => words.push(format!("{} comments", thousands(*comments))),
    }
    words.join(" and ")
}

/// Returns whether the outermost object, or the first object of the outermost array, has a JSON-LD keyword.
pub fn has_keywords(document: &JsonDocument) -> bool {
    first_keys(document).any(is_keyword)
}

/// Returns whether a document has a context. Without a context, `api_key` is not a property of a graph.
fn has_context(document: &JsonDocument) -> bool {
    first_keys(document).any(|key| key == "@context")
}

fn first_keys(document: &JsonDocument) -> impl Iterator<Item = &str> {
    let root = document.root();
    let object = document.items(root).find(|&item| document.is_object(item)).unwrap_or(root);
    document.members(object).map(|member| document.symbol_text(member.symbol))
}
