//! Finds out whether the context of a checkpoint gives its names the meaning of schema.org.

use crate::json::{Document, Limits, parse};
use crate::jsonld::{JsonLdProcessor, Layout};
use std::sync::Arc;

/// The meaning of a checkpoint's names under its context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContextMeaning {
    /// The names are schema.org's.
    SchemaOrg,
    /// A name is not schema.org's: the name, and its meaning.
    Other(String),
    /// The context cannot be used, and why.
    Fault(String),
    /// There is no context.
    Absent,
}

/// The names that are tried: a class and a property that every checkpoint has.
const CLASS: &str = "Question";
const PROPERTY: &str = "text";

impl ContextMeaning {
    /// Processes the context of a document. Contexts that are named by an address come from the
    /// processor's loader.
    pub fn of(document: &Document, mut processor: JsonLdProcessor<'_>) -> Self {
        let Some(context) = document.get(document.root(), "@context") else { return Self::Absent };
        let context = document.raw(context);
        let text = format!("{{\"@context\": {context}, \"@type\": \"{CLASS}\", \"{PROPERTY}\": \"\"}}");
        let depth = Limits { depth: usize::MAX, ..Limits::default() };
        // The context was parsed before, so that this cannot fail.
        let Ok(probe) = parse(Arc::clone(document.name()), text, depth) else { return Self::Absent };
        let expanded = match processor.expand(&Arc::new(probe)) {
            Ok(result) => result.to_json(Layout::Compact),
            Err(error) => return Self::Fault(error.diagnostic().message),
        };
        let is_schema_org = |name: &str| {
            ["http://", "https://", "http://www.", "https://www."]
                .iter()
                .any(|start| expanded.contains(&format!("\"{start}schema.org/{name}\"")))
        };
        match [CLASS, PROPERTY].into_iter().find(|name| !is_schema_org(name)) {
            Some(name) => Self::Other(name.to_owned()),
            None => Self::SchemaOrg,
        }
    }
}
