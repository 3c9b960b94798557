//! The prompts of a conversation: texts from the caller, with placeholders and conditional lines. `{persona}` is
//! filled in. A line that begins with `{?persona=builder}` is kept if the placeholder has that value, one that begins
//! with `{?documents!=}` if it has another value. Other braces are plain text.

use crate::kwanzaa::TrainingSample;
use std::borrow::Cow;

/// The default system prompt.
const SYSTEM: &str = "\
You help people who study Black history and culture. You answer for this persona: {persona}.

Settings:
- require citations: {require_citations}
- primary sources only: {primary_sources_only}
- creative mode: {creative_mode}

Answer from the documents that the user lists, and from nothing else. Cite as [n], n being the place of \
the source in your list of sources. Where the documents do not answer the question, say so, say what is \
missing, and claim nothing.

Reply with one JSON object after the contract {version}, and with nothing around it.";

/// The default user prompt.
const USER: &str = "\
{?documents!=}Retrieved Documents:
{?documents!=}
{?documents!=}{documents}
{?documents!=}
{?documents=}Retrieved Documents: none
{?documents=}
Query: {query}";

/// The placeholders, with the paths of their values in a sample.
const PLACEHOLDERS: [(&str, &[&str]); 5] = [
    ("persona", &["persona"]),
    ("require_citations", &["expected_output", "toggles", "require_citations"]),
    ("primary_sources_only", &["expected_output", "toggles", "primary_sources_only"]),
    ("creative_mode", &["expected_output", "toggles", "creative_mode"]),
    ("version", &["expected_output", "version"]),
];

const QUERY: &str = "query";
const DOCUMENTS: &str = "documents";

/// A system prompt with the placeholders `{persona}`, `{require_citations}`, `{primary_sources_only}`,
/// `{creative_mode}`, `{version}`.
#[derive(Debug, Clone)]
pub struct SystemPrompt {
    text: String,
}

impl Default for SystemPrompt {
    fn default() -> Self {
        Self::new(SYSTEM)
    }
}

impl SystemPrompt {
    /// A prompt with this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }

    /// The first line whose condition cannot be read.
    pub fn wrong_line(&self) -> Option<&str> {
        wrong_line(&self.text, &[])
    }

    /// Returns the text, if it has no placeholder that only a sample can fill.
    ///
    /// # Errors
    /// The first placeholder, without its braces.
    pub fn plain(&self) -> Result<&str, &'static str> {
        let is_asked =
            |name: &&str| ["{", "{?"].iter().any(|open| self.text.contains(&format!("{open}{name}")));
        let mut names = PLACEHOLDERS.iter().map(|(name, _)| *name);
        names.find(is_asked).map_or(Ok(&self.text), Err)
    }

    /// Returns the prompt for a sample. Toggles become `yes`, `no`, or `not set`.
    pub(super) fn prompt_for(&self, sample: &TrainingSample<'_>) -> String {
        fill(&self.text, sample, &[])
    }
}

/// A user prompt with the placeholders of a [`SystemPrompt`], and `{query}` and `{documents}`.
#[derive(Debug, Clone)]
pub struct UserPrompt {
    text: String,
}

impl Default for UserPrompt {
    fn default() -> Self {
        Self::new(USER)
    }
}

impl UserPrompt {
    /// A prompt with this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }

    /// Returns whether the prompt has a place for the question.
    pub fn has_query(&self) -> bool {
        self.text.contains("{query}")
    }

    /// The first line whose condition cannot be read.
    pub fn wrong_line(&self) -> Option<&str> {
        wrong_line(&self.text, &[(QUERY, ""), (DOCUMENTS, "")])
    }

    /// Returns the prompt for a sample. `documents` lists its results, and is empty if there are none.
    pub(super) fn prompt_for(&self, sample: &TrainingSample<'_>, documents: &str) -> String {
        let query = sample.text(&["user_query"]).unwrap_or_default();
        fill(&self.text, sample, &[(QUERY, &query), (DOCUMENTS, documents)])
    }
}

/// Placeholders with values that are not members of a sample.
type PlaceholderValues<'v> = [(&'static str, &'v str)];

fn fill(text: &str, sample: &TrainingSample<'_>, given: &PlaceholderValues<'_>) -> String {
    let mut filled = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match LineCondition::from_line(line, given) {
            Some(condition) if !condition.holds(sample, given) => {}
            Some(condition) => fill_line(condition.rest, sample, given, &mut filled),
            None => fill_line(line, sample, given, &mut filled),
        }
    }
    // The last line of the prompt, the one without a line break, may have been left out.
    if !text.ends_with('\n') && filled.ends_with('\n') {
        filled.pop();
    }
    filled
}

fn fill_line(line: &str, sample: &TrainingSample<'_>, given: &PlaceholderValues<'_>, filled: &mut String) {
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once('{') {
        filled.push_str(before);
        let found = behind.split_once('}').and_then(|(name, rest)| Some((value(name, sample, given)?, rest)));
        rest = match found {
            Some((value, rest)) => {
                filled.push_str(&value);
                rest
            }
            None => {
                filled.push('{');
                behind
            }
        };
    }
    filled.push_str(rest);
}

/// Returns the value of a placeholder, or `None` for a name that is not a placeholder.
fn value<'v>(name: &str, sample: &TrainingSample<'v>, given: &PlaceholderValues<'v>) -> Option<Cow<'v, str>> {
    if let Some((_, value)) = given.iter().find(|(known, _)| *known == name) {
        return Some(Cow::Borrowed(value));
    }
    let (_, path) = PLACEHOLDERS.iter().find(|(known, _)| *known == name)?;
    Some(match (sample.text(path), sample.boolean(path)) {
        (Some(text), _) => text,
        (_, Some(true)) => Cow::Borrowed("yes"),
        (_, Some(false)) => Cow::Borrowed("no"),
        _ => Cow::Borrowed("not set"),
    })
}

/// The condition of a line: `{?name=value}` or `{?name!=value}` at its beginning.
struct LineCondition<'l> {
    name: &'l str,
    value: &'l str,
    is_equal: bool,
    /// The rest of the line, after the condition.
    rest: &'l str,
}

impl<'l> LineCondition<'l> {
    /// Reads the condition of a line. Returns `None` if the line has no condition, or one that cannot be read.
    fn from_line(line: &'l str, given: &PlaceholderValues<'_>) -> Option<Self> {
        let (inner, rest) = line.strip_prefix("{?")?.split_once('}')?;
        let (name, value) = inner.split_once('=')?;
        let (name, is_equal) = name.strip_suffix('!').map_or((name, true), |name| (name, false));
        let mut names = PLACEHOLDERS.iter().map(|(name, _)| *name).chain(given.iter().map(|(name, _)| *name));
        names.any(|known| known == name).then_some(Self { name, value, is_equal, rest })
    }

    fn holds(&self, sample: &TrainingSample<'_>, given: &PlaceholderValues<'_>) -> bool {
        (value(self.name, sample, given).as_deref() == Some(self.value)) == self.is_equal
    }
}

fn wrong_line<'t>(text: &'t str, given: &PlaceholderValues<'_>) -> Option<&'t str> {
    text.lines().find(|line| line.starts_with("{?") && LineCondition::from_line(line, given).is_none())
}
