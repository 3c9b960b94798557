//! Counts the data that the processor loses: each loss with its place and its cost in triples.

use super::error::codes;
use evalgraph_diagnostics::FindingHelp;
use evalgraph_diagnostics::help::{command, help, setting};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, SourceText};
use evalgraph_json::{JsonDocument, TokenId};
use std::sync::Arc;

codes! {
    /// The kind of a loss.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    WarningCode:
    InvalidIri = "invalid IRI", "An IRI is not valid, so its triples are dropped, unless a file of a known system keeps them under an encoded id. Percent-encode the characters that IRIs cannot contain, such as spaces.";
    RelativeIri = "relative IRI", "A relative IRI has no base, so its triples are dropped, unless a file of a known system keeps them under an encoded id. Give a base, or write the IRI in full.";
    UnmappedKey = "unmapped key", "The context maps a key to no IRI, so its value is dropped. Define the term in `@context`, or add `@vocab`.";
    FreeFloatingValue = "free-floating value", "No property points to a value, so it is dropped. Make it the value of a property of a node.";
    NullValue = "null value", "There is a null instead of a value, and it is dropped. Nothing else is lost: remove the key, or write a value.";
    InvalidLanguageTag = "invalid language tag", "A language tag is not well formed, so its value is dropped. Correct the tag, such as `en-GB` instead of `en_GB`.";
    BlankNodePredicate = "blank node predicate", "A blank node is used as predicate, so its values are dropped. Give it an IRI.";
    KeywordLike = "keyword-like term", "A key or value of a context begins with `@` but is not a keyword, and is ignored, so what it defines is dropped. Correct the keyword, or rename the term.";
    SecondList = "second list", "A term of the context can have only one list, so compaction drops a second one. Use a term whose container is not `@list`.";
    NumberOutOfRange = "number out of range", "A number does not fit into a double, and becomes infinite or 0. Write it as a string.";
    TagWithoutValue = "tag without value", "A language or direction does not belong to a string, so it is dropped. Put it beside `@value`.";
    DroppedDirection = "dropped direction", "A plain RDF literal has no direction, so the direction of a string is dropped; its text is kept. Keep the JSON-LD if readers need the direction, or remove it.";
}

/// One loss, in a small form until it is shown.
#[derive(Debug, Clone)]
pub struct JsonLdWarning {
    /// Its kind.
    pub code: WarningCode,
    /// The document, which may be a context.
    pub document: Arc<JsonDocument>,
    /// The key or value.
    pub token: TokenId,
    /// How many triples are missing because of it. It is set after the sink has counted.
    pub cost: u64,
}

impl JsonLdWarning {
    /// Returns the warning as a finding; `source` is the text of its document.
    ///
    /// `kept` says that an IRI was minted for the id, so nothing is lost.
    pub fn diagnostic(&self, source: &SourceText<'_>, kept: bool) -> Diagnostic {
        let text = match self.document.string(self.token) {
            Some(text) => shorten(&text),
            None => shorten(self.document.raw(self.token)),
        };
        let place = self.document.place_in(source, self.token);
        let (message, help) = self.words(&text, kept);
        let mut diagnostic = Diagnostic::new(FindingSeverity::Warning, self.code.as_str(), message)
            .at(place)
            .with_cost(self.cost);
        diagnostic.help.extend(help);
        diagnostic
    }

    fn words(&self, text: &str, kept: bool) -> (String, Option<FindingHelp>) {
        match self.code {
            WarningCode::InvalidIri if kept => {
                (format!("`{text}` is not an IRI; it is kept under an encoded id"), None)
            }
            WarningCode::InvalidIri => (
                format!("`{text}` is not an IRI, so its triples are dropped"),
                Some(
                    "percent-encode spaces, quotes, `<`, `>`, `{`, `}`, `|`, `\\`, `^` and backticks".into(),
                ),
            ),
            WarningCode::RelativeIri if kept => {
                (format!("`{text}` is a relative IRI without a base; it is kept under an encoded id"), None)
            }
            WarningCode::RelativeIri => (
                format!("`{text}` is a relative IRI without a base, so its triples are dropped"),
                Some(help!["give a base with ", setting("base").to("IRI")]),
            ),
            WarningCode::UnmappedKey => (
                format!("the context maps `{text}` to no IRI: its value is dropped"),
                Some("define the term in `@context`, or add `@vocab`".into()),
            ),
            WarningCode::FreeFloatingValue => {
                (format!("no property points to the value `{text}`: it is dropped"), None)
            }
            WarningCode::NullValue => ("a null is not a value: it is dropped".to_owned(), None),
            WarningCode::InvalidLanguageTag => {
                (format!("`{text}` is not a well-formed language tag: the value is dropped"), None)
            }
            WarningCode::BlankNodePredicate => (
                format!("`{text}` is a blank node as predicate: its values are dropped"),
                Some(help![command("to-rdf").with(setting("generalized-rdf")), " keeps them in N-Quads"]),
            ),
            WarningCode::SecondList => (
                format!("a list of `{text}` is dropped: its term in the context can have only one list"),
                Some("remove `\"@container\": \"@list\"` from the term to keep each list as it is".into()),
            ),
            WarningCode::NumberOutOfRange => (
                format!("`{text}` does not fit into a double: it becomes infinite or 0"),
                Some(
                    "to keep its digits, write it as a string, or under a term with `\"@type\": \"@json\"`"
                        .into(),
                ),
            ),
            WarningCode::TagWithoutValue => (
                format!("`{text}` does not belong to a string: this language or direction is dropped"),
                Some("put it beside `@value`, or into the context, where it applies to every string".into()),
            ),
            WarningCode::DroppedDirection => (
                format!("the direction of `{text}` has no place in the triples: it is dropped"),
                Some(help![
                    command("to-rdf").with(setting("rdf-direction").to("i18n-datatype")),
                    " keeps it"
                ]),
            ),
            WarningCode::KeywordLike => {
                (format!("`{text}` looks like a keyword but is not one: it is ignored"), None)
            }
        }
    }
}

/// Shortens a text for messages.
pub(crate) fn shorten(text: &str) -> String {
    const MOST: usize = 60;
    let line: String = text.chars().take(MOST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if line.len() < text.len() { format!("{line}…") } else { line }
}
