//! Runs the Compaction Algorithm on sample values.
//!
//! `CompactionForms` is defined in `compaction_forms.rs`.

use super::compaction_forms::{CompactionForms, CompactionKind, KeyValueForm, SAMPLE, ValueForm};
use super::indexed_graph::IndexedGraph;
use evalgraph_json::{JsonDocument, TokenId, write_string};
use evalgraph_rdf::quad_buffer::{BufferLiteralKind, BufferTermId, TermRef};
use hashbrown::HashSet;
use std::rc::Rc;

/// How many nodes are searched for the forms that they need, so that a single request covers them all. A form that only
/// a later node needs takes a separate request.
const LOOKED_AT: usize = 1000;

impl CompactionForms<'_> {
    /// Requests all forms that a graph needs at once. Each result is cheap, but preparing a context as long as
    /// schema.org's for a request is not.
    pub(crate) fn prepare(&mut self, graph: &IndexedGraph<'_>) {
        let mut seen = HashSet::new();
        let mut wanted = Vec::new();
        for &node in graph.subjects().iter().take(LOOKED_AT) {
            for &(predicate, object) in graph.statements(node) {
                let shapes = match self.quads.term(object) {
                    TermRef::Literal { lexical, kind } => {
                        let shape = self.literal_shape(object, lexical, kind);
                        [shape, shape]
                    }
                    _ => [CompactionKind::Node, CompactionKind::Reference],
                };
                wanted.extend(
                    shapes.map(|shape| (predicate, shape)).into_iter().filter(|pair| seen.insert(*pair)),
                );
            }
        }
        if let Some(forms) = self.ask(&wanted) {
            for ((predicate, shape), form) in wanted.into_iter().zip(forms) {
                self.known.insert(shape.number(predicate), Rc::new(form));
            }
        }
    }

    /// Requests the form of one value of a property from the algorithm.
    pub(super) fn ask_one(&mut self, predicate: BufferTermId, shape: CompactionKind) -> KeyValueForm {
        match self.ask(&[(predicate, shape)]).and_then(|mut forms| forms.pop()) {
            Some(form) => form,
            None => self.explicit(&self.iri_text(predicate), shape),
        }
    }

    /// Requests the forms of several properties and shapes. Returns `None` if the algorithm fails or leaves some of
    /// them out.
    fn ask(&mut self, wanted: &[(BufferTermId, CompactionKind)]) -> Option<Vec<KeyValueForm>> {
        if !self.context.is_plain || wanted.is_empty() {
            return None;
        }
        let mut expanded = String::from("[");
        let mut scalars = Vec::with_capacity(wanted.len());
        for (number, &(predicate, shape)) in wanted.iter().enumerate() {
            let (sample, scalar) = self.sample(shape);
            expanded.push_str(if number == 0 { "{" } else { ",{" });
            write_string(&self.iri_text(predicate), &mut expanded);
            expanded.push_str(":[");
            expanded.push_str(&sample);
            expanded.push_str("]}");
            scalars.push(scalar);
        }
        expanded.push(']');
        let document = self.compact(expanded)?;
        let nodes = match wanted {
            [_] => vec![document.root()],
            _ => document.items(only_member(&document, document.root())?.1).collect(),
        };
        if nodes.len() != wanted.len() {
            return None;
        }
        let answers = nodes.into_iter().zip(wanted.iter().zip(&scalars));
        answers
            .map(|(node, (&(_, shape), scalar))| {
                let (key, value) = only_member(&document, node)?;
                let in_array = document.is_array(value);
                let value = if in_array { document.items(value).next()? } else { value };
                Some(KeyValueForm {
                    key: self.key(key),
                    in_array,
                    value: form_of(&document, value, shape, scalar),
                })
            })
            .collect()
    }

    /// Returns a value of the shape in expanded form, and its scalar.
    fn sample(&self, shape: CompactionKind) -> (String, String) {
        let quoted = |text: &str| {
            let mut json = String::new();
            write_string(text, &mut json);
            json
        };
        let scalar = quoted(SAMPLE);
        let sample = match shape {
            CompactionKind::Node | CompactionKind::InlineJson => {
                format!(r#"{{"urn:sample:p":[{{"@value":{scalar}}}]}}"#)
            }
            CompactionKind::Reference => format!(r#"{{"@id":{scalar}}}"#),
            CompactionKind::String => format!(r#"{{"@value":{scalar}}}"#),
            CompactionKind::Integer | CompactionKind::Double => {
                return (r#"{"@value":1.5}"#.to_owned(), "1.5".to_owned());
            }
            CompactionKind::Boolean => return (r#"{"@value":true}"#.to_owned(), "true".to_owned()),
            CompactionKind::Json => format!(r#"{{"@type":"@json","@value":{scalar}}}"#),
            CompactionKind::Typed(datatype) => {
                format!(r#"{{"@type":{},"@value":{scalar}}}"#, quoted(&self.iri_text(datatype)))
            }
            CompactionKind::Language(term) => {
                format!(r#"{{"@language":{},"@value":{scalar}}}"#, quoted(self.language(term)))
            }
        };
        (sample, scalar)
    }

    /// Returns the form that means the same in every context.
    fn explicit(&mut self, iri: &str, shape: CompactionKind) -> KeyValueForm {
        let key = self.key(iri);
        let value = match shape {
            CompactionKind::Node | CompactionKind::InlineJson => ValueForm::Plain,
            CompactionKind::Typed(datatype) => ValueForm::Tagged("@type", self.iri_text(datatype).into()),
            CompactionKind::Json => ValueForm::Tagged("@type", "@json".into()),
            CompactionKind::Language(term) => ValueForm::Tagged("@language", self.language(term).into()),
            _ => ValueForm::Wrapped,
        };
        KeyValueForm { key, in_array: false, value }
    }

    /// Returns the language of a literal that has one.
    fn language(&self, literal: BufferTermId) -> &str {
        match self.quads.term(literal) {
            TermRef::Literal { kind: BufferLiteralKind::Language(language), .. } => language,
            _ => "",
        }
    }
}

/// Returns the first member of an object, except its context.
fn only_member(document: &JsonDocument, object: TokenId) -> Option<(&str, TokenId)> {
    let members = document.members(object).map(|member| (document.symbol_text(member.symbol), member.value));
    members.into_iter().find(|(key, _)| *key != "@context")
}

/// Returns the form of the sample in a compacted document.
fn form_of(document: &JsonDocument, value: TokenId, shape: CompactionKind, scalar: &str) -> ValueForm {
    if !document.is_object(value) || matches!(shape, CompactionKind::Node | CompactionKind::InlineJson) {
        return ValueForm::Plain;
    }
    let tag = document.members(value).find(|member| document.raw(member.value) != scalar);
    let Some(tag) = tag.and_then(|member| document.string(member.value)) else { return ValueForm::Wrapped };
    let key = if matches!(shape, CompactionKind::Language(_)) { "@language" } else { "@type" };
    ValueForm::Tagged(key, tag.into())
}
