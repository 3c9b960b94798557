//! Determines whether the context of a checkpoint gives its names the meaning of schema.org.

use evalgraph_json::{JsonDocument, Limits, parse};
use evalgraph_jsonld::{JsonLdLayout, JsonLdProcessor};
use std::sync::Arc;

/// The meaning of a checkpoint's names under its context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContextMeaning {
    /// The names are schema.org's.
    SchemaOrg,
    /// Some names are not schema.org's; they are listed in the order of the specification.
    Other(Vec<&'static str>),
    /// The context cannot be used, for this reason.
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
    /// Processes the context of a document. The processor's loader loads contexts that are given by an address.
    pub fn from_document(document: &JsonDocument, mut processor: JsonLdProcessor<'_>) -> Self {
        let Some(context) = document.get(document.root(), "@context") else { return Self::Absent };
        let context = document.raw(context);
        // `@type` expands each of its values as a term; other keys would need values of the types that the context
        // defines.
        let terms = TERMS.map(|term| format!("\"{term}\"")).join(", ");
        let text = format!("{{\"@context\": {context}, \"@type\": [{terms}]}}");
        let depth = Limits { depth: usize::MAX, ..Limits::default() };
        // The context has been parsed before, so this cannot fail.
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
