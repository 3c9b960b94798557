//! Answer templates: Python code that is treated as text and never run.
//!
//! This module computes the name and id of a template, and recognises the stub that the library
//! writes for a question without a template.

use super::identifiers::text_md5;

/// How many characters of a question's text the name of its template includes.
const NAME_LENGTH: usize = 30;
/// How many characters of a question's text the default stub includes.
const STUB_LENGTH: usize = 50;
/// The end of each default stub; a template with another end is not one.
const STUB_END: &str = "return False";
/// The id of a missing template.
const NO_TEMPLATE: &str = "no_template";

/// The state of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TemplateState {
    /// Code other than the default stub.
    Written,
    /// The library's default stub.
    DefaultStub,
    /// Nothing, or white space.
    Empty,
}

/// Returns the state of the template of the question with the given text.
pub fn state(template: &str, question: &str) -> TemplateState {
    let template = template.trim();
    if template.is_empty() {
        TemplateState::Empty
    } else if template.ends_with(STUB_END) && template == default_stub(question) {
        TemplateState::DefaultStub
    } else {
        TemplateState::Written
    }
}

/// Returns the template that the library writes for a question without one, with white space trimmed at both ends.
pub fn default_stub(question: &str) -> String {
    let shown: String = question.chars().take(STUB_LENGTH).collect();
    format!(
        "class Answer(BaseAnswer):\n    \"\"\"Answer template for: {shown}...\"\"\"\n\n    \
         response: str = Field(description=\"The answer response\")\n\n    \
         def verify(self) -> bool:\n        \
         # Default template: returns False to indicate custom verification needed\n        \
         return False"
    )
}

/// Returns the name that the library gives to the template of a question: its first 30 characters.
///
/// ```
/// let name = evalgraph_formats::checkpoint::template::python_name("What is the capital of France?");
/// assert_eq!(name, "What is the capital of France?... Answer Template");
/// ```
pub fn python_name(question: &str) -> String {
    let shown: String = question.chars().take(NAME_LENGTH).collect();
    format!("{shown}... Answer Template")
}

/// Returns the name that the user interface gives to the template of a question: its first 30 UTF-16 code units. If the
/// cut splits a character of two units, the half becomes U+FFFD.
pub fn interface_name(question: &str) -> String {
    let units: Vec<u16> = question.encode_utf16().take(NAME_LENGTH).collect();
    format!("{}... Answer Template", String::from_utf16_lossy(&units))
}

/// Returns the id of a template: the MD5 of its text after removing common indentation, converting CRLF to LF, and
/// trimming white space at the ends of lines and around the whole; `no_template` if no text is left.
///
/// A result identifies a question by the id of the question and the id of its template.
pub fn template_id(template: &str) -> String {
    let dedented = dedent(template).replace("\r\n", "\n");
    let lines: Vec<&str> = dedented.split('\n').map(str::trim_end).collect();
    let text = lines.join("\n");
    let text = text.trim();
    if text.is_empty() { NO_TEMPLATE.to_owned() } else { text_md5(text) }
}

/// Removes the spaces and tabs that all lines with content begin with; lines without content
/// become empty.
fn dedent(text: &str) -> String {
    let is_indent = |character: char| matches!(character, ' ' | '\t');
    let content = |line: &str| !line.trim_matches(is_indent).is_empty();
    let mut margin: Option<&str> = None;
    for line in text.split('\n').filter(|line| content(line)) {
        let indent = &line[..line.len() - line.trim_start_matches(is_indent).len()];
        margin = Some(match margin {
            None => indent,
            Some(margin) => common_start(margin, indent),
        });
    }
    let margin = margin.map_or(0, str::len);
    let lines: Vec<&str> =
        text.split('\n').map(|line| if content(line) { &line[margin..] } else { "" }).collect();
    lines.join("\n")
}

fn common_start<'t>(one: &'t str, other: &str) -> &'t str {
    let length = one.bytes().zip(other.bytes()).take_while(|(left, right)| left == right).count();
    &one[..length]
}
