//! Under which key a property stands, and in which form its values: what the Compaction Algorithm
//! answers, asked once for each property and kind of value.
//!
//! Under a plain context (no scoped contexts, maps, nesting or lists) the answer depends on nothing
//! else, so that a node is written without being expanded and compacted anew. Under any other
//! context properties get their whole IRIs and values say all they are, which every context reads
//! alike.

use super::context::RewritingContext;
use super::graph::unminted;
use crate::json::{Document, Kind, Limits, TokenId, parse, write_string};
use crate::jsonld::{BuiltIn, JsonLdOptions, JsonLdProcessor, Layout};
use crate::rdf::QuadBuffer;
use crate::rdf::quad_buffer::{LiteralKind, TermId, TermRef};
use crate::rdf::vocabulary::{SCHEMA_ORG, rdf, schema_org_alias, xsd};
use hashbrown::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// The number of a distinct key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct KeyId(u32);

impl KeyId {
    /// The key `@context`, `@id` and `@type`, or what stands for the latter two in the document.
    pub(crate) const CONTEXT: Self = Self(0);
    pub(crate) const ID: Self = Self(1);
    pub(crate) const TYPE: Self = Self(2);
}

/// What a value is, as far as its form depends on that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    /// A node that is written out here.
    Node,
    /// A node that is only referred to.
    Reference,
    String,
    /// An `xsd:integer` that JSON spells alike.
    Integer,
    /// An `xsd:double` that is finite.
    Double,
    Boolean,
    /// An `rdf:JSON` literal.
    Json,
    /// An `rdf:JSON` literal that is an array or object: loading keeps such values whole, so that
    /// they are put back as they were.
    InlineJson,
    /// A literal of any other datatype.
    Typed(TermId),
    /// A string with a language; the literal itself, since tags are no terms.
    Language(TermId),
}

/// How the value itself is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ValueForm {
    /// A scalar, a string for a reference, or the object of a node.
    Plain,
    /// An object with `@id`, or a value object with `@value` alone.
    Wrapped,
    /// A value object with this entry, key and string, beside `@value`.
    Tagged(&'static str, Box<str>),
}

/// How a property and one of its values are written.
#[derive(Debug, Clone)]
pub(crate) struct Form {
    pub(crate) key: KeyId,
    /// Whether one value stands in an array, too.
    pub(crate) in_array: bool,
    pub(crate) value: ValueForm,
}

/// The datatypes that JSON has scalars for, and RDF's own.
#[derive(Debug, Clone, Copy)]
struct Datatypes {
    integer: Option<TermId>,
    double: Option<TermId>,
    boolean: Option<TermId>,
    json: Option<TermId>,
}

/// The answers so far.
pub(crate) struct Forms<'q> {
    quads: &'q QuadBuffer,
    context: Rc<RewritingContext>,
    processor: JsonLdProcessor<'static>,
    datatypes: Datatypes,
    known: HashMap<(TermId, Shape), Rc<Form>, foldhash::fast::FixedState>,
    types: HashMap<TermId, Rc<str>>,
    keys: Vec<Rc<str>>,
    key_numbers: HashMap<Rc<str>, KeyId>,
}

/// Stands for any IRI that no context shortens.
const SAMPLE: &str = "urn:evalgraph:sample";

impl<'q> Forms<'q> {
    pub(crate) fn new(quads: &'q QuadBuffer, context: Rc<RewritingContext>) -> Self {
        let datatypes = Datatypes {
            integer: quads.find_iri(xsd::INTEGER),
            double: quads.find_iri(xsd::DOUBLE),
            boolean: quads.find_iri(xsd::BOOLEAN),
            json: quads.find_iri(rdf::JSON),
        };
        let processor = JsonLdProcessor::new(JsonLdOptions::default(), &BuiltIn);
        let mut forms = Self {
            quads,
            context,
            processor,
            datatypes,
            known: HashMap::default(),
            types: HashMap::new(),
            keys: Vec::new(),
            key_numbers: HashMap::new(),
        };
        for key in ["@context", "@id", "@type"] {
            forms.key(key);
        }
        forms
    }

    /// Says which keys the document uses for `@id` and `@type`.
    pub(crate) fn set_keywords(&mut self, id: Option<&str>, class: Option<&str>) {
        for (number, text) in [(KeyId::ID, id), (KeyId::TYPE, class)] {
            if let Some(text) = text {
                let text: Rc<str> = text.into();
                self.keys[number.0 as usize] = Rc::clone(&text);
                self.key_numbers.insert(text, number);
            }
        }
    }

    /// What the context has in the place of `@id` and `@type`.
    pub(crate) fn keyword_aliases(&mut self) -> (Option<String>, Option<String>) {
        let sample = format!(r#"[{{"@id":"{SAMPLE}","@type":["{SAMPLE}"]}}]"#);
        let compacted = if self.context.is_plain() { self.compact(sample) } else { None };
        let Some(document) = compacted else { return (None, None) };
        let keys = document.members(document.root()).map(|member| document.symbol_text(member.symbol));
        let mut keys = keys.filter(|key| *key != "@context");
        let mut alias = |keyword: &str| keys.next().filter(|key| *key != keyword).map(str::to_owned);
        (alias("@id"), alias("@type"))
    }

    /// The lexical form of a literal.
    #[inline]
    pub(crate) fn lexical(&self, term: TermId) -> Option<&'q str> {
        match self.quads.term(term) {
            TermRef::Literal { lexical, .. } => Some(lexical),
            _ => None,
        }
    }

    /// The number of a key.
    pub(crate) fn key(&mut self, text: &str) -> KeyId {
        if let Some(&known) = self.key_numbers.get(text) {
            return known;
        }
        let text: Rc<str> = text.into();
        let number = KeyId(u32::try_from(self.keys.len()).expect("there are fewer keys than terms"));
        self.keys.push(Rc::clone(&text));
        self.key_numbers.insert(text, number);
        number
    }

    /// The text of a key.
    pub(crate) fn key_text(&self, key: KeyId) -> &Rc<str> {
        &self.keys[key.0 as usize]
    }

    /// The text of a key where it has to outlive the borrow.
    pub(crate) fn owned_key(&self, key: KeyId) -> Rc<str> {
        Rc::clone(self.key_text(key))
    }

    /// The shape of an object; a node is referred to or written out, as the caller says.
    #[inline]
    pub(crate) fn shape(&self, object: TermId, writes_out: bool) -> Shape {
        match self.quads.term(object) {
            TermRef::Iri(_) | TermRef::BlankNode if writes_out => Shape::Node,
            TermRef::Iri(_) | TermRef::BlankNode => Shape::Reference,
            TermRef::Literal { kind: LiteralKind::String, .. } => Shape::String,
            TermRef::Literal { kind: LiteralKind::Language(_), .. } => Shape::Language(object),
            TermRef::Literal { lexical, kind: LiteralKind::Datatype(datatype, _) } => {
                let known = Some(datatype);
                if known == self.datatypes.integer && is_json_integer(lexical) {
                    Shape::Integer
                } else if known == self.datatypes.boolean && matches!(lexical, "true" | "false") {
                    Shape::Boolean
                } else if known == self.datatypes.double && lexical.parse().is_ok_and(f64::is_finite) {
                    Shape::Double
                } else if known == self.datatypes.json {
                    json_shape(lexical, datatype)
                } else {
                    Shape::Typed(datatype)
                }
            }
        }
    }

    /// Whether the shape is that of a JSON literal that is no JSON.
    pub(crate) fn is_broken_json(&self, shape: Shape) -> bool {
        matches!(shape, Shape::Typed(datatype) if Some(datatype) == self.datatypes.json)
    }

    /// How a property and a value of that shape are written.
    #[inline]
    pub(crate) fn form(&mut self, predicate: TermId, shape: Shape) -> Rc<Form> {
        if let Some(known) = self.known.get(&(predicate, shape)) {
            return Rc::clone(known);
        }
        let form = Rc::new(self.ask(predicate, shape));
        self.known.insert((predicate, shape), Rc::clone(&form));
        form
    }

    /// What the algorithm makes of a node with one such value.
    fn ask(&mut self, predicate: TermId, shape: Shape) -> Form {
        let iri = self.iri_text(predicate);
        let (sample, scalar) = self.sample(shape);
        let compacted = self.context.is_plain().then(|| {
            let mut expanded = String::from("[{");
            write_string(&iri, &mut expanded);
            expanded.push_str(":[");
            expanded.push_str(&sample);
            expanded.push_str("]}]");
            self.compact(expanded)
        });
        let Some(document) = compacted.flatten() else { return self.explicit(&iri, shape) };
        let member = document
            .members(document.root())
            .find(|member| document.symbol_text(member.symbol) != "@context");
        let Some(member) = member else { return self.explicit(&iri, shape) };
        let in_array = document.is_array(member.value);
        let value = if in_array { document.items(member.value).next() } else { Some(member.value) };
        let key = self.key(document.symbol_text(member.symbol));
        match value {
            Some(value) => Form { key, in_array, value: form_of(&document, value, (shape, &scalar)) },
            None => self.explicit(&iri, shape),
        }
    }

    /// A value of the shape in expanded form, and what stands in its scalar.
    fn sample(&self, shape: Shape) -> (String, String) {
        let quoted = |text: &str| {
            let mut json = String::new();
            write_string(text, &mut json);
            json
        };
        let literal = |term| match self.quads.term(term) {
            TermRef::Literal { kind: LiteralKind::Language(language), .. } => language,
            _ => "",
        };
        let scalar = quoted(SAMPLE);
        let sample = match shape {
            Shape::Node | Shape::InlineJson => format!(r#"{{"urn:evalgraph:p":[{{"@value":{scalar}}}]}}"#),
            Shape::Reference => format!(r#"{{"@id":{scalar}}}"#),
            Shape::String => format!(r#"{{"@value":{scalar}}}"#),
            Shape::Integer | Shape::Double => return (r#"{"@value":1.5}"#.to_owned(), "1.5".to_owned()),
            Shape::Boolean => return (r#"{"@value":true}"#.to_owned(), "true".to_owned()),
            Shape::Json => format!(r#"{{"@type":"@json","@value":{scalar}}}"#),
            Shape::Typed(datatype) => {
                format!(r#"{{"@type":{},"@value":{scalar}}}"#, quoted(&self.iri_text(datatype)))
            }
            Shape::Language(term) => {
                format!(r#"{{"@language":{},"@value":{scalar}}}"#, quoted(literal(term)))
            }
        };
        (sample, scalar)
    }

    /// The form that every context reads alike.
    fn explicit(&mut self, iri: &str, shape: Shape) -> Form {
        let key = self.key(iri);
        let value = match shape {
            Shape::Node | Shape::InlineJson => ValueForm::Plain,
            Shape::Typed(datatype) => ValueForm::Tagged("@type", self.iri_text(datatype).into()),
            Shape::Json => ValueForm::Tagged("@type", "@json".into()),
            Shape::Language(term) => match self.quads.term(term) {
                TermRef::Literal { kind: LiteralKind::Language(language), .. } => {
                    ValueForm::Tagged("@language", language.into())
                }
                _ => ValueForm::Wrapped,
            },
            _ => ValueForm::Wrapped,
        };
        Form { key, in_array: false, value }
    }

    /// A type as it is written.
    pub(crate) fn type_text(&mut self, class: TermId) -> Rc<str> {
        if let Some(known) = self.types.get(&class) {
            return Rc::clone(known);
        }
        let iri = self.iri_text(class);
        let text = self.compacted_string(&iri, |quoted| format!(r#"[{{"@type":[{quoted}]}}]"#));
        let text: Rc<str> = text.unwrap_or(iri).into();
        self.types.insert(class, Rc::clone(&text));
        text
    }

    /// The id of a node as it is written.
    pub(crate) fn id_text(&mut self, iri: String) -> String {
        if !self.context.may_shorten(&iri) {
            return iri;
        }
        let wrap = |quoted: &str| format!(r#"[{{"@id":{quoted},"urn:evalgraph:p":[]}}]"#);
        self.compacted_string(&iri, wrap).unwrap_or(iri)
    }

    /// What a reference under a property is written as, where that is a string.
    pub(crate) fn reference_text(&mut self, predicate: TermId, iri: String) -> String {
        if !self.context.may_shorten(&iri) {
            return iri;
        }
        let predicate = self.iri_text(predicate);
        let mut property = String::new();
        write_string(&predicate, &mut property);
        let text = self.compacted_string(&iri, |quoted| format!(r#"[{{{property}:[{{"@id":{quoted}}}]}}]"#));
        text.unwrap_or(iri)
    }

    /// The string that stands first in what the algorithm makes of an expanded document about an
    /// IRI; none where it makes no string of it.
    fn compacted_string(&mut self, iri: &str, expanded: impl Fn(&str) -> String) -> Option<String> {
        if !self.context.is_plain() {
            return None;
        }
        let mut quoted = String::new();
        write_string(iri, &mut quoted);
        let document = self.compact(expanded(&quoted))?;
        let mut members = document.members(document.root());
        let member = members.find(|member| document.symbol_text(member.symbol) != "@context")?;
        let mut value = member.value;
        while let Some(inner) = match document.kind(value) {
            Kind::Array => document.items(value).next(),
            Kind::Object => document.members(value).next().map(|member| member.value),
            _ => None,
        } {
            value = inner;
        }
        document.string(value).map(|text| text.into_owned())
    }

    fn compact(&mut self, expanded: String) -> Option<Document> {
        let expanded = Arc::new(parse("sample", expanded, Limits::default()).ok()?);
        let context = Arc::clone(self.context.inlined());
        let compacted = self.processor.compact(&expanded, &context).ok()?;
        let text = compacted.to_json(Layout::Compact);
        parse("sample", text, Limits::default()).ok()
    }

    /// The IRI of a node, property or class as the document spells it: its own form of schema.org's
    /// namespace, and ids that are no IRIs as they were. Empty for what is no IRI.
    pub(crate) fn iri_text(&self, term: TermId) -> String {
        let TermRef::Iri(iri) = self.quads.term(term) else { return String::new() };
        if let Some(id) = unminted(iri) {
            return id;
        }
        let local = iri.strip_prefix(SCHEMA_ORG).or_else(|| schema_org_alias(iri));
        match local {
            Some(local) if self.context.schema_org() != SCHEMA_ORG || !iri.starts_with(SCHEMA_ORG) => {
                format!("{}{local}", self.context.schema_org())
            }
            _ => iri.to_owned(),
        }
    }
}

/// The form of the sample in a compacted document.
fn form_of(document: &Document, value: TokenId, (shape, scalar): (Shape, &str)) -> ValueForm {
    if !document.is_object(value) || matches!(shape, Shape::Node | Shape::InlineJson) {
        return ValueForm::Plain;
    }
    let tag = document.members(value).find(|member| document.raw(member.value) != scalar);
    let Some(tag) = tag.and_then(|member| document.string(member.value)) else { return ValueForm::Wrapped };
    let key = if matches!(shape, Shape::Language(_)) { "@language" } else { "@type" };
    ValueForm::Tagged(key, tag.into())
}

/// Whether JSON spells the integer alike.
fn is_json_integer(lexical: &str) -> bool {
    let digits = lexical.strip_prefix('-').unwrap_or(lexical);
    let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_plain && (digits == "0" && lexical == "0" || !digits.starts_with('0'))
}

/// What becomes of a JSON literal; one that is no JSON is a literal like any other.
fn json_shape(lexical: &str, datatype: TermId) -> Shape {
    match parse("value", lexical.to_owned(), Limits::default()) {
        Ok(document) => match document.kind(document.root()) {
            Kind::Array | Kind::Object => Shape::InlineJson,
            _ => Shape::Json,
        },
        Err(_) => Shape::Typed(datatype),
    }
}
