//! Decides whether a document can be converted in pieces: the items of a long list of its root, each piece under the
//! `@context` and `@id` of the root, and the rest of the root separately.
//!
//! The pieces have the same quads as the whole if the list is an ordinary property, only the first context counts, and
//! no blank node has a label. If this is not certain, the answer is no.
//!
//! `JsonLdProcessor` is defined in `processor.rs`.

use super::JsonLdOutcome;
use super::context::context_processor::ContextProcessor;
use super::context::relative::RelativeIriRule;
use super::context::term_creation::ContextCall;
use super::context::{ActiveContext, LocalContext, TypeMapping};
use super::expansion::{ExpansionAlgorithm, KeepAll};
use super::name_interner::Keyword;
use super::processor::JsonLdProcessor;
use evalgraph_json::{JsonDocument, JsonKind, TokenId};
use evalgraph_rdf::iri;
use std::sync::Arc;

/// Keys that affect more than the object they are in, or change the meaning of others.
const FAR_REACHING: [&str; 6] = ["@context", "@graph", "@included", "@index", "@nest", "@reverse"];

/// Returns whether a document may have a labelled blank node. Labels count in the whole file.
pub fn has_labels(document: &JsonDocument) -> bool {
    let text = document.text().as_bytes();
    let is_label = |token: TokenId| {
        let is_string = matches!(document.kind(token), JsonKind::String | JsonKind::EscapedString);
        // The first character rules out most strings.
        let first = if is_string { text.get(document.start(token) + 1) } else { None };
        matches!(first, Some(b'_' | b'\\')) && is_label(document.raw(token))
    };
    document.symbols().any(|symbol| document.symbol_text(symbol).starts_with("_:"))
        || (0..document.token_count()).map(TokenId::from_index).any(is_label)
}

/// Returns whether a string, as written, begins like the label of a blank node.
fn is_label(raw: &str) -> bool {
    let rest = ["\"_", "\"\\u005f", "\"\\u005F"].iter().find_map(|begin| raw.strip_prefix(begin));
    rest.is_some_and(|rest| [":", "\\u003a", "\\u003A"].iter().any(|colon| rest.starts_with(colon)))
}

/// Returns whether the items of a document that is a piece can be converted without the rest of the file.
pub fn stands_alone(document: &JsonDocument) -> bool {
    let reaches = |key: &str| FAR_REACHING.contains(&key);
    !document.symbols().any(|symbol| reaches(document.symbol_text(symbol))) && !has_labels(document)
}

impl JsonLdProcessor<'_> {
    /// Returns whether the context allows the items under a key of the root to be converted separately. The items need
    /// not be present.
    ///
    /// # Errors
    /// The errors of the context, with the place.
    pub fn divides_at(&mut self, document: &Arc<JsonDocument>, key: &str) -> JsonLdOutcome<bool> {
        self.contexts.warnings.clear();
        let mut keep_all = KeepAll;
        let mut expander =
            ExpansionAlgorithm::new(&mut self.contexts, document, &self.options, &self.mode, &mut keep_all);
        let mut active = expander.initial_context()?;
        if let Some(value) = document.get(document.root(), "@context") {
            let base_url = expander.context_base.clone();
            let local = LocalContext { document: Arc::clone(document), value, base_url };
            active = self.contexts.process(&active, &local, ContextCall::default())?;
        }
        Ok(divides(&mut self.contexts, &active, key))
    }
}

fn divides(contexts: &mut ContextProcessor<'_>, active: &ActiveContext, key: &str) -> bool {
    if active.has_aliases || active.has_scoped_contexts || active.previous.is_some() {
        return false;
    }
    let Some(property) = contexts.expand_iri(active, key, RelativeIriRule::Vocab) else { return false };
    if contexts.names.keyword(property).is_some() || !iri::is_iri(contexts.names.text(property)) {
        return false;
    }
    let is_label = |name| contexts.names.text(name).starts_with("_:");
    let is_plain = contexts.names.find(key).and_then(|term| active.term(term)).is_none_or(|term| {
        term.container.is_plain()
            && !term.reverse
            && term.nest.is_none()
            && term.type_mapping != Some(TypeMapping::Json)
    });
    // Two indexes of one node are an error that no single piece would show.
    let has_indexes = |container: super::context::ContainerMapping| {
        container.has(Keyword::Index) || container.has(Keyword::Graph)
    };
    is_plain
        && !active.vocab.is_some_and(is_label)
        && !active.terms().any(|(_, term)| term.iri.is_some_and(is_label) || has_indexes(term.container))
}
