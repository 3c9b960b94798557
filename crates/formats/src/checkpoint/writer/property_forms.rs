//! How a JSON-LD form writes properties, classes and ids: the results of the Compaction Algorithm under the form's
//! context, computed once for each name.
//!
//! The contexts of the forms treat a property the same everywhere, so a checkpoint need not be expanded and compacted
//! as a whole.

use super::checkpoint_form::CheckpointForm;
use super::version_2_traits::quoted;
use evalgraph_contexts::BuiltIn;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::{JsonDocument, Limits, TokenId, parse};
use evalgraph_jsonld::{JsonLdLayout, JsonLdOptions, JsonLdProcessor, NoLoader};
use hashbrown::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// The vocabulary of the library's context, the only context with a prefix.
const LIBRARY: &str = "https://schema.org/";
const PREFIX: &str = "karenina:";
const PREFIX_IRI: &str = "urn:karenina:vocab:";

/// The kind of a value; only the kinds that can have different keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyedKind {
    /// A node that is written in full.
    Node,
    /// A string.
    String,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// An array or object that is a JSON literal.
    Json,
}

impl KeyedKind {
    const ALL: [Self; 5] = [Self::Node, Self::String, Self::Number, Self::Boolean, Self::Json];

    /// Returns the kind of a value that is not a node, or `None` for `null`, which JSON-LD drops.
    pub(super) fn from_json(json: &str) -> Option<Self> {
        match json.as_bytes().first()? {
            b'"' => Some(Self::String),
            b'[' | b'{' => Some(Self::Json),
            b't' | b'f' => Some(Self::Boolean),
            b'n' => None,
            _ => Some(Self::Number),
        }
    }

    /// Returns a sample value of the kind in expanded form.
    fn sample(self) -> &'static str {
        match self {
            Self::Node => r#"{"urn:sample:p":[{"@value":"a"}]}"#,
            Self::String => r#"{"@value":"a"}"#,
            Self::Number => r#"{"@value":1}"#,
            Self::Boolean => r#"{"@value":true}"#,
            Self::Json => r#"{"@type":"@json","@value":[]}"#,
        }
    }
}

/// The written form of a property with a value of one kind.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PropertyForm {
    /// The key as JSON.
    pub(super) key: String,
    /// `true` if a single value is put into an array.
    pub(super) in_array: bool,
}

/// The results of the algorithm so far.
pub(super) struct PropertyForms {
    /// The namespace of classes and properties.
    vocabulary: &'static str,
    context: Arc<JsonDocument>,
    /// The prefixes of ids that the context may change.
    prefixes: Vec<String>,
    processor: JsonLdProcessor<'static>,
    properties: HashMap<String, [Option<Rc<PropertyForm>>; KeyedKind::ALL.len()]>,
    classes: HashMap<String, Rc<str>>,
}

impl PropertyForms {
    /// Starts without results, for a JSON-LD form.
    pub(super) fn new(form: CheckpointForm) -> Self {
        let vocabulary = if form == CheckpointForm::Library { LIBRARY } else { "http://schema.org/" };
        let context = BuiltIn::named(form.name()).expect("every form in JSON-LD has a built-in context");
        let prefixes = prefixes(&context);
        let processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader);
        let (properties, classes) = (HashMap::new(), HashMap::new());
        Self { vocabulary, context, prefixes, processor, properties, classes }
    }

    /// Returns the value of `@context`.
    pub(super) fn context(&self) -> (Arc<JsonDocument>, TokenId) {
        let context = Arc::clone(&self.context);
        let value = context.get(context.root(), "@context").unwrap_or(context.root());
        (context, value)
    }

    /// Returns how a property is written.
    pub(super) fn property(
        &mut self,
        name: &str,
        shape: KeyedKind,
    ) -> Result<Rc<PropertyForm>, Box<Diagnostic>> {
        let known = self.properties.get(name).and_then(|forms| forms[shape as usize].clone());
        if let Some(known) = known {
            return Ok(known);
        }
        let iri = quoted(&format!("{}{name}", self.vocabulary));
        let answer = self.ask(&format!("[{{{iri}:[{}]}}]", shape.sample()))?;
        let mut members = answer.members(answer.root());
        let member = members.find(|member| answer.symbol_text(member.symbol) != "@context");
        let form = member.map(|member| PropertyForm {
            key: answer.raw(member.key).to_owned(),
            in_array: answer.is_array(member.value) && shape != KeyedKind::Json,
        });
        // A name without a compacted key is written as it is.
        let form = form.unwrap_or_else(|| PropertyForm { key: quoted(name), in_array: false });
        let form = Rc::new(form);
        let forms = self.properties.entry(name.to_owned()).or_default();
        forms[shape as usize] = Some(Rc::clone(&form));
        Ok(form)
    }

    /// Returns how a class is written.
    pub(super) fn class(&mut self, name: &str) -> Result<Rc<str>, Box<Diagnostic>> {
        if let Some(known) = self.classes.get(name) {
            return Ok(Rc::clone(known));
        }
        let iri = quoted(&format!("{}{name}", self.vocabulary));
        let answer = self.ask(&format!("[{{\"@type\":[{iri}]}}]"))?;
        let class = answer.get(answer.root(), "@type").and_then(|class| answer.string(class));
        let class: Rc<str> = class.as_deref().unwrap_or(name).into();
        self.classes.insert(name.to_owned(), Rc::clone(&class));
        Ok(class)
    }

    /// Returns how an id is written, or `None` if it is written as it is.
    pub(super) fn id(&mut self, id: &str) -> Result<Option<String>, Box<Diagnostic>> {
        if !self.prefixes.iter().any(|prefix| id.starts_with(prefix.as_str())) {
            return Ok(None);
        }
        let local = id.strip_prefix(PREFIX).filter(|local| !local.starts_with("//"));
        // A compact IRI in the library's context is expanded first, and compaction restores it.
        let whole = local.filter(|_| self.vocabulary == LIBRARY).map(|local| format!("{PREFIX_IRI}{local}"));
        let whole = quoted(whole.as_deref().unwrap_or(id));
        let answer = self.ask(&format!("[{{\"@id\":{whole},\"@type\":[\"urn:sample:c\"]}}]"))?;
        let id = answer.get(answer.root(), "@id").and_then(|id| answer.string(id));
        Ok(id.map(|id| id.into_owned()))
    }

    /// Compacts an expanded document.
    fn ask(&mut self, expanded: &str) -> Result<JsonDocument, Box<Diagnostic>> {
        let document = Arc::new(parse("checkpoint", expanded.to_owned(), Limits::default())?);
        let compacted =
            self.processor.compact(&document, &self.context).map_err(|error| Box::new(error.diagnostic()))?;
        parse("checkpoint", compacted.to_json(JsonLdLayout::Compact), Limits::default())
    }
}

/// Returns the prefixes of ids that the context may rewrite or misread: its terms as prefixes, and the IRIs of
/// the terms.
fn prefixes(context: &JsonDocument) -> Vec<String> {
    let terms = context.get(context.root(), "@context").into_iter().flat_map(|terms| context.members(terms));
    let terms = terms.filter(|term| !context.symbol_text(term.symbol).starts_with('@'));
    terms
        .flat_map(|term| {
            let iri = context.string(term.value).filter(|iri| iri.contains(':'));
            let prefix = format!("{}:", context.symbol_text(term.symbol));
            std::iter::once(prefix).chain(iri.map(|iri| iri.into_owned()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_arrays_and_all_else_stands_alone_in_every_form() {
        for form in [CheckpointForm::Library, CheckpointForm::Specification, CheckpointForm::Interface] {
            let mut forms = PropertyForms::new(form);
            let mut in_array =
                |name: &str, shape| forms.property(name, shape).expect("it has a form").in_array;
            for name in ["dataFeedElement", "contentRating", "rating", "additionalProperty", "hasPart"] {
                let is_used = match form {
                    CheckpointForm::Library => name != "rating",
                    CheckpointForm::Specification => !matches!(name, "dataFeedElement" | "contentRating"),
                    _ => !matches!(name, "contentRating" | "hasPart"),
                };
                assert!(!is_used || in_array(name, KeyedKind::Node), "{name} in {form}");
            }
            for name in ["item", "acceptedAnswer", "creator"] {
                assert!(!in_array(name, KeyedKind::Node), "{name} in {form}");
            }
            for name in ["name", "text", "value", "bestRating", "dateCreated", "deep_judgment_enabled"] {
                for shape in [KeyedKind::String, KeyedKind::Number, KeyedKind::Boolean, KeyedKind::Json] {
                    assert!(!in_array(name, shape), "{name} in {form}");
                }
            }
        }
    }

    #[test]
    fn ids_are_shortened_where_the_context_has_a_prefix() {
        let id = |form, id| PropertyForms::new(form).id(id).expect("it is an id");
        assert_eq!(id(CheckpointForm::Library, "urn:karenina:vocab:a"), Some("karenina:a".to_owned()));
        assert_eq!(id(CheckpointForm::Library, "karenina:a"), Some("karenina:a".to_owned()));
        assert_eq!(id(CheckpointForm::Interface, "urn:karenina:vocab:a"), None);
        assert_eq!(id(CheckpointForm::Library, "urn:uuid:a"), None);
    }
}
