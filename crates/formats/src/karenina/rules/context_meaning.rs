//! Finds out whether the context of a checkpoint gives its names the meaning of schema.org.

use evalgraph_json::{JsonDocument, Limits, parse};
use evalgraph_jsonld::{JsonLdLayout, JsonLdProcessor};
use std::sync::Arc;

/// The meaning of a checkpoint's names under its context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContextMeaning {
    /// The names are schema.org's.
    SchemaOrg,
    /// Names that are not schema.org's, in the order of the specification.
    Other(Vec<&'static str>),
    /// The context cannot be used, and why.
    Fault(String),
    /// There is no context.
    Absent,
}

/// The terms of the context in the specification (section "Schema.org Context"), classes and properties.
const TERMS: [&str; 29] = [
    "Dataset",
    "DataFeedItem",
    "Question",
    "Answer",
    "SoftwareSourceCode",
    "Rating",
    "PropertyValue",
    "version",
    "name",
    "description",
    "creator",
    "dateCreated",
    "dateModified",
    "hasPart",
    "item",
    "text",
    "acceptedAnswer",
    "programmingLanguage",
    "codeRepository",
    "rating",
    "ratingValue",
    "bestRating",
    "worstRating",
    "ratingExplanation",
    "author",
    "additionalProperty",
    "value",
    "url",
    "identifier",
];

impl ContextMeaning {
    /// Processes the context of a document. Contexts that are named by an address come from the
    /// processor's loader.
    pub fn from_document(document: &JsonDocument, mut processor: JsonLdProcessor<'_>) -> Self {
        let Some(context) = document.get(document.root(), "@context") else { return Self::Absent };
        let context = document.raw(context);
        // A value of `@type` is expanded as any term is, and needs no value of the type that the context gives it.
        let terms = TERMS.map(|term| format!("\"{term}\"")).join(", ");
        let text = format!("{{\"@context\": {context}, \"@type\": [{terms}]}}");
        let depth = Limits { depth: usize::MAX, ..Limits::default() };
        // The context was parsed before, so that this cannot fail.
        let Ok(probe) = parse(Arc::clone(document.name()), text, depth) else { return Self::Absent };
        let expanded = match processor.expand(&Arc::new(probe)) {
            Ok(result) => result.to_json(JsonLdLayout::Compact),
            Err(error) => return Self::Fault(error.diagnostic().message),
        };
        let is_schema_org = |name: &str| {
            ["http://", "https://", "http://www.", "https://www."]
                .iter()
                .any(|start| expanded.contains(&format!("\"{start}schema.org/{name}\"")))
        };
        let others: Vec<&str> = TERMS.into_iter().filter(|term| !is_schema_org(term)).collect();
        if others.is_empty() { Self::SchemaOrg } else { Self::Other(others) }
    }
}
