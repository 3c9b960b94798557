//! The system prompt of a conversation, with the persona and the toggles of the sample filled in.

use crate::source::kwanzaa::Sample;

/// The prompt where no other is given.
const DEFAULT: &str = "\
You help people who study Black history and culture. You answer for this persona: {persona}.

Settings:
- require citations: {require_citations}
- primary sources only: {primary_sources_only}
- creative mode: {creative_mode}

Answer from the documents that the user lists, and from nothing else. Cite as [n], n being the place of \
the source in your list of sources. Where the documents do not answer the question, say so, say what is \
missing, and claim nothing.

Reply with one JSON object after the contract {version}, and with nothing around it.";

/// The placeholders, and where in a sample their values are.
const PLACEHOLDERS: [(&str, &[&str]); 5] = [
    ("{persona}", &["persona"]),
    ("{require_citations}", &["expected_output", "toggles", "require_citations"]),
    ("{primary_sources_only}", &["expected_output", "toggles", "primary_sources_only"]),
    ("{creative_mode}", &["expected_output", "toggles", "creative_mode"]),
    ("{version}", &["expected_output", "version"]),
];

/// A text with placeholders: `{persona}`, `{require_citations}`, `{primary_sources_only}`,
/// `{creative_mode}`, `{version}`. Other braces stand for themselves.
#[derive(Debug, Clone)]
pub struct SystemPrompt {
    text: String,
}

impl Default for SystemPrompt {
    fn default() -> Self {
        Self::new(DEFAULT)
    }
}

impl SystemPrompt {
    /// A prompt of one's own.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }

    /// The prompt for a sample: toggles are `yes`, `no`, or `not set`.
    pub(super) fn of(&self, sample: &Sample<'_>) -> String {
        let mut filled = String::with_capacity(self.text.len());
        let mut rest = self.text.as_str();
        while let Some(open) = rest.find('{') {
            filled.push_str(&rest[..open]);
            rest = &rest[open..];
            match PLACEHOLDERS.iter().find(|(name, _)| rest.starts_with(name)) {
                Some((name, path)) => {
                    filled.push_str(&value(sample, path));
                    rest = &rest[name.len()..];
                }
                None => {
                    filled.push('{');
                    rest = &rest[1..];
                }
            }
        }
        filled.push_str(rest);
        filled
    }
}

fn value(sample: &Sample<'_>, path: &[&str]) -> String {
    match (sample.text(path), sample.boolean(path)) {
        (Some(text), _) => text.into_owned(),
        (_, Some(true)) => "yes".to_owned(),
        (_, Some(false)) => "no".to_owned(),
        _ => "not set".to_owned(),
    }
}
