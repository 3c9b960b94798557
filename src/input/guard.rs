//! Keeps keys of services out of all that a command says and writes: every text that a command reads goes
//! by here.

use crate::diagnostic::{Diagnostic, Report, Severity, SourceText, thousands};
use crate::json::Document;
use crate::jsonld::is_keyword;
use crate::source::secrets::{self, Hidden};

/// Tells whether a text that is being read may have keys of services in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Guard {
    may_have_secrets: bool,
}

impl Guard {
    /// Looks at the bytes of a text.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self { may_have_secrets: secrets::are_possible(bytes) }
    }

    /// Tells whether there is anything to look for.
    #[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "the command line alone asks for it"))]
    pub(crate) fn is_needed(self) -> bool {
        self.may_have_secrets
    }

    /// Returns what came of the text; a fault shows nothing of it where a key may be in it.
    pub(crate) fn checked<T>(self, result: Result<T, Box<Diagnostic>>) -> Result<T, Box<Diagnostic>> {
        if self.may_have_secrets { result.map_err(secrets::without_text) } else { result }
    }

    /// Overwrites the keys of services in the document that came of the text, and tells their paths. In JSON-LD
    /// with a context they are data of a graph, if the context says what they are.
    pub(crate) fn hide(self, document: &mut Document, report: &mut Report) {
        if self.may_have_secrets && !has_context(document) {
            self.hide_in_records(document, report);
        }
    }

    /// As [`hide`](Self::hide), whatever the document looks like.
    pub(crate) fn hide_in_records(self, document: &mut Document, report: &mut Report) {
        let hidden = if self.may_have_secrets { secrets::hide(document) } else { None };
        if let Some(hidden) = hidden {
            report.add(&told_hidden(document.name(), &hidden));
        }
    }

    /// The places of the keys of services in a document without a context, which are overwritten; none
    /// where it has none.
    #[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "the command line alone asks for it"))]
    pub(crate) fn found(self, document: &mut Document) -> Option<String> {
        let may_have = self.may_have_secrets && !has_context(document);
        let hidden = if may_have { secrets::hide(document) } else { None };
        hidden.map(|hidden| places(&hidden))
    }
}

/// That keys of services were overwritten, and where.
pub(crate) fn told_hidden(name: &str, hidden: &Hidden) -> Diagnostic {
    let message = format!("keys of services are overwritten with `*`: {}", places(hidden));
    Diagnostic::new(Severity::Note, "input::secret", message).at(SourceText::new(name, b"").place(0..0))
}

/// Tells where something was overwritten, in words.
fn places(hidden: &Hidden) -> String {
    let Hidden { count, pointers, comments } = hidden;
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

/// Tells whether the outermost object, or the first of the outermost array, has a keyword of JSON-LD.
pub(crate) fn has_keywords(document: &Document) -> bool {
    first_keys(document).any(is_keyword)
}

/// Tells whether it has a context: without one, `api_key` is no name of anything in a graph.
fn has_context(document: &Document) -> bool {
    first_keys(document).any(|key| key == "@context")
}

fn first_keys(document: &Document) -> impl Iterator<Item = &str> {
    let root = document.root();
    let object = document.items(root).find(|&item| document.is_object(item)).unwrap_or(root);
    document.members(object).map(|member| document.symbol_text(member.symbol))
}
