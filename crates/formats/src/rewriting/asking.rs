//! Asks the Compaction Algorithm about samples of values.

use super::forms::{Form, Forms, SAMPLE, ValueForm, ValueKind};
use super::graph::Graph;
use evalgraph_json::{Document, TokenId, write_string};
use evalgraph_rdf::quad_buffer::{LiteralKind, TermId, TermRef};
use hashbrown::HashSet;
use std::rc::Rc;

/// How many nodes are searched for the forms that they need, so that one question asks for all. A form that only
/// a later node needs is asked for by itself.
const LOOKED_AT: usize = 1000;

impl Forms<'_> {
    /// Asks for the forms that a graph needs, all at once: an answer costs little, but making the context ready
    /// for a question does, under a context as long as schema.org's.
    pub(crate) fn prepare(&mut self, graph: &Graph<'_>) {
        let mut seen = HashSet::new();
        let mut wanted = Vec::new();
        for &node in graph.subjects().iter().take(LOOKED_AT) {
            for &(predicate, object) in graph.statements(node) {
                let shapes = match self.quads.term(object) {
                    TermRef::Literal { lexical, kind } => {
                        let shape = self.literal_shape(object, lexical, kind);
                        [shape, shape]
                    }
                    _ => [ValueKind::Node, ValueKind::Reference],
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

    /// Asks the algorithm for the form of one value of a property.
    pub(super) fn ask_one(&mut self, predicate: TermId, shape: ValueKind) -> Form {
        match self.ask(&[(predicate, shape)]).and_then(|mut forms| forms.pop()) {
            Some(form) => form,
            None => self.explicit(&self.iri_text(predicate), shape),
        }
    }

    /// Asks for the forms of several properties and shapes; none where the algorithm leaves some of them out, or
    /// gives no answer.
    fn ask(&mut self, wanted: &[(TermId, ValueKind)]) -> Option<Vec<Form>> {
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
                Some(Form { key: self.key(key), in_array, value: form_of(&document, value, shape, scalar) })
            })
            .collect()
    }

    /// Returns a value of the shape in expanded form, and the scalar in it.
    fn sample(&self, shape: ValueKind) -> (String, String) {
        let quoted = |text: &str| {
            let mut json = String::new();
            write_string(text, &mut json);
            json
        };
        let scalar = quoted(SAMPLE);
        let sample = match shape {
            ValueKind::Node | ValueKind::InlineJson => {
                format!(r#"{{"urn:sample:p":[{{"@value":{scalar}}}]}}"#)
            }
            ValueKind::Reference => format!(r#"{{"@id":{scalar}}}"#),
            ValueKind::String => format!(r#"{{"@value":{scalar}}}"#),
            ValueKind::Integer | ValueKind::Double => {
                return (r#"{"@value":1.5}"#.to_owned(), "1.5".to_owned());
            }
            ValueKind::Boolean => return (r#"{"@value":true}"#.to_owned(), "true".to_owned()),
            ValueKind::Json => format!(r#"{{"@type":"@json","@value":{scalar}}}"#),
            ValueKind::Typed(datatype) => {
                format!(r#"{{"@type":{},"@value":{scalar}}}"#, quoted(&self.iri_text(datatype)))
            }
            ValueKind::Language(term) => {
                format!(r#"{{"@language":{},"@value":{scalar}}}"#, quoted(self.language(term)))
            }
        };
        (sample, scalar)
    }

    /// Returns the form that every context reads alike.
    fn explicit(&mut self, iri: &str, shape: ValueKind) -> Form {
        let key = self.key(iri);
        let value = match shape {
            ValueKind::Node | ValueKind::InlineJson => ValueForm::Plain,
            ValueKind::Typed(datatype) => ValueForm::Tagged("@type", self.iri_text(datatype).into()),
            ValueKind::Json => ValueForm::Tagged("@type", "@json".into()),
            ValueKind::Language(term) => ValueForm::Tagged("@language", self.language(term).into()),
            _ => ValueForm::Wrapped,
        };
        Form { key, in_array: false, value }
    }

    /// The language of a literal that has one.
    fn language(&self, literal: TermId) -> &str {
        match self.quads.term(literal) {
            TermRef::Literal { kind: LiteralKind::Language(language), .. } => language,
            _ => "",
        }
    }
}

/// The first member of an object that is not a context.
fn only_member(document: &Document, object: TokenId) -> Option<(&str, TokenId)> {
    let members = document.members(object).map(|member| (document.symbol_text(member.symbol), member.value));
    members.into_iter().find(|(key, _)| *key != "@context")
}

/// The form of the sample in a compacted document.
fn form_of(document: &Document, value: TokenId, shape: ValueKind, scalar: &str) -> ValueForm {
    if !document.is_object(value) || matches!(shape, ValueKind::Node | ValueKind::InlineJson) {
        return ValueForm::Plain;
    }
    let tag = document.members(value).find(|member| document.raw(member.value) != scalar);
    let Some(tag) = tag.and_then(|member| document.string(member.value)) else { return ValueForm::Wrapped };
    let key = if matches!(shape, ValueKind::Language(_)) { "@language" } else { "@type" };
    ValueForm::Tagged(key, tag.into())
}
