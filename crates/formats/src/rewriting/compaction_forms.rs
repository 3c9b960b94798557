//! The key of each property and the form of its values: the results of the Compaction Algorithm, requested once for
//! each property and kind of value.
//!
//! Under a plain context (no scoped contexts, maps, nesting or lists) the result depends on nothing else, so a node is
//! written without being expanded and compacted again. Under any other context properties get their whole IRIs and
//! values are written in full, which means the same in every context.

use super::rewriting_context::RewritingContext;
use crate::system_name::SystemName;
use evalgraph_contexts::BuiltIn;
use evalgraph_json::number::is_integer;
use evalgraph_json::{JsonDocument, JsonKind, Limits, UNLIMITED, parse, write_string};
use evalgraph_jsonld::{JsonLdLayout, JsonLdOptions, JsonLdProcessor};
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::minted::node_id;
use evalgraph_rdf::quad_buffer::{BufferLiteralKind, BufferTermId, TermRef};
use evalgraph_rdf::vocabulary::{SCHEMA_ORG, rdf, schema_org_alias, xsd};
use hashbrown::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// The number of a distinct key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct KeyId(u32);

impl KeyId {
    /// The keys `@context`, `@id` and `@type`. The last two may be aliases that the document uses.
    pub(crate) const CONTEXT: Self = Self(0);
    pub(crate) const ID: Self = Self(1);
    pub(crate) const TYPE: Self = Self(2);
}

/// The kind of a value; only the kinds that can have different forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum CompactionKind {
    /// A node that is written out here.
    Node,
    /// A node that is only referenced.
    Reference,
    String,
    /// An `xsd:integer` that JSON spells the same.
    Integer,
    /// An `xsd:double` that is finite.
    Double,
    Boolean,
    /// An `rdf:JSON` literal.
    Json,
    /// An `rdf:JSON` literal that is an array or object. Loading keeps such values whole, and they are written back
    /// unchanged.
    InlineJson,
    /// A literal of any other datatype.
    Typed(BufferTermId),
    /// A string with a language. It is identified by the first literal that has the language, because language tags are
    /// not terms.
    Language(BufferTermId),
}

impl CompactionKind {
    /// Returns a number that identifies a property and a kind of value.
    #[inline]
    pub(super) fn number(self, predicate: BufferTermId) -> u128 {
        let (kind, term) = match self {
            Self::Node => (0, 0),
            Self::Reference => (1, 0),
            Self::String => (2, 0),
            Self::Integer => (3, 0),
            Self::Double => (4, 0),
            Self::Boolean => (5, 0),
            Self::Json => (6, 0),
            Self::InlineJson => (7, 0),
            Self::Typed(datatype) => (8, datatype.index()),
            Self::Language(literal) => (9, literal.index()),
        };
        // Terms are counted in 32 bits.
        (predicate.index() as u128) << 64 | (term as u128) << 32 | kind
    }
}

/// The form of the value itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ValueForm {
    /// A scalar, a string for a reference, or the object of a node.
    Plain,
    /// An object with only `@id`, or a value object with only `@value`.
    Wrapped,
    /// A value object with `@value` and this entry, a key and a string.
    Tagged(&'static str, Box<str>),
}

/// The form of a property and one of its values.
#[derive(Debug, Clone)]
pub(crate) struct KeyValueForm {
    pub key: KeyId,
    /// `true` if even a single value is in an array.
    pub in_array: bool,
    pub value: ValueForm,
}

/// The results so far.
///
/// Other methods are in `compaction_samples.rs`.
pub(crate) struct CompactionForms<'q> {
    pub(super) quads: &'q QuadBuffer,
    pub(super) context: Rc<RewritingContext>,
    processor: JsonLdProcessor<'static>,
    // The datatypes that correspond to JSON scalars, and `rdf:JSON`.
    integer: Option<BufferTermId>,
    double: Option<BufferTermId>,
    boolean: Option<BufferTermId>,
    json: Option<BufferTermId>,
    /// By property and shape.
    pub(super) known: HashMap<u128, Rc<KeyValueForm>, foldhash::fast::FixedState>,
    types: HashMap<BufferTermId, Rc<str>>,
    /// The first literal of each language.
    languages: HashMap<String, BufferTermId>,
    keys: Vec<Rc<str>>,
    key_numbers: HashMap<Rc<str>, KeyId>,
}

/// A sample for any IRI that no context shortens.
pub(super) const SAMPLE: &str = "urn:sample:iri";

impl<'q> CompactionForms<'q> {
    pub(crate) fn new(quads: &'q QuadBuffer, context: Rc<RewritingContext>) -> Self {
        let mut forms = Self {
            quads,
            context,
            processor: JsonLdProcessor::new(JsonLdOptions::default(), &BuiltIn),
            integer: quads.find_iri(xsd::INTEGER),
            double: quads.find_iri(xsd::DOUBLE),
            boolean: quads.find_iri(xsd::BOOLEAN),
            json: quads.find_iri(rdf::JSON),
            known: HashMap::default(),
            types: HashMap::new(),
            languages: HashMap::new(),
            keys: Vec::new(),
            key_numbers: HashMap::new(),
        };
        for key in ["@context", "@id", "@type"] {
            forms.key(key);
        }
        forms
    }

    /// Sets the keys that the document uses for `@id` and `@type`.
    pub(crate) fn set_keywords(&mut self, id: Option<&str>, class: Option<&str>) {
        for (number, text) in [(KeyId::ID, id), (KeyId::TYPE, class)] {
            if let Some(text) = text {
                let text: Rc<str> = text.into();
                self.keys[number.0 as usize] = Rc::clone(&text);
                self.key_numbers.insert(text, number);
            }
        }
    }

    /// Returns the aliases that the context has for `@id` and `@type`.
    pub(crate) fn keyword_aliases(&mut self) -> (Option<String>, Option<String>) {
        let sample = format!(r#"[{{"@id":"{SAMPLE}","@type":["{SAMPLE}"]}}]"#);
        let compacted = if self.context.is_plain { self.compact(sample) } else { None };
        let Some(document) = compacted else { return (None, None) };
        let keys = document.members(document.root()).map(|member| document.symbol_text(member.symbol));
        let mut keys = keys.filter(|key| *key != "@context");
        let mut alias = |keyword: &str| keys.next().filter(|key| *key != keyword).map(str::to_owned);
        (alias("@id"), alias("@type"))
    }

    /// Returns the number of a key.
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

    /// Returns the text of a key.
    pub(crate) fn key_text(&self, key: KeyId) -> &Rc<str> {
        &self.keys[key.0 as usize]
    }

    /// Returns the text of a key so that it can outlive the borrow.
    pub(crate) fn owned_key(&self, key: KeyId) -> Rc<str> {
        Rc::clone(self.key_text(key))
    }

    /// Returns whether the values of a key are always in an array, even a single one.
    pub(crate) fn is_set(&self, key: KeyId) -> bool {
        self.context.is_set(self.key_text(key))
    }

    /// Returns the shape of a literal.
    #[inline]
    pub(crate) fn literal_shape(
        &mut self,
        literal: BufferTermId,
        lexical: &str,
        kind: BufferLiteralKind<'_>,
    ) -> CompactionKind {
        let datatype = match kind {
            BufferLiteralKind::String => return CompactionKind::String,
            BufferLiteralKind::Language(language) => {
                let first = self.languages.entry(language.to_owned()).or_insert(literal);
                return CompactionKind::Language(*first);
            }
            BufferLiteralKind::Datatype(datatype, _) => datatype,
        };
        let known = Some(datatype);
        // `-0` would be read back as 0, so it stays a typed literal.
        if known == self.integer && is_integer(lexical) && lexical != "-0" {
            CompactionKind::Integer
        } else if known == self.boolean && matches!(lexical, "true" | "false") {
            CompactionKind::Boolean
        } else if known == self.double && lexical.parse().is_ok_and(f64::is_finite) {
            CompactionKind::Double
        } else if known == self.json {
            json_shape(lexical, datatype)
        } else {
            CompactionKind::Typed(datatype)
        }
    }

    /// Returns whether the shape is that of a JSON literal that is not JSON.
    pub(crate) fn is_broken_json(&self, shape: CompactionKind) -> bool {
        matches!(shape, CompactionKind::Typed(datatype) if Some(datatype) == self.json)
    }

    /// Returns the form of a property and a value of that shape.
    #[inline]
    pub(crate) fn form(&mut self, predicate: BufferTermId, shape: CompactionKind) -> Rc<KeyValueForm> {
        let key = shape.number(predicate);
        if let Some(known) = self.known.get(&key) {
            return Rc::clone(known);
        }
        let form = Rc::new(self.ask_one(predicate, shape));
        self.known.insert(key, Rc::clone(&form));
        form
    }

    /// Returns a type as it is written.
    pub(crate) fn type_text(&mut self, class: BufferTermId) -> Rc<str> {
        if let Some(known) = self.types.get(&class) {
            return Rc::clone(known);
        }
        let iri = self.iri_text(class);
        let text = self.compacted_string(&iri, |quoted| format!(r#"[{{"@type":[{quoted}]}}]"#));
        let text: Rc<str> = text.unwrap_or(iri).into();
        self.types.insert(class, Rc::clone(&text));
        text
    }

    /// Returns the id of a node as it is written.
    pub(crate) fn id_text(&mut self, iri: String) -> String {
        if !self.context.may_shorten(&iri) {
            return iri;
        }
        let wrap = |quoted: &str| format!(r#"[{{"@id":{quoted},"urn:sample:p":[]}}]"#);
        self.compacted_string(&iri, wrap).unwrap_or(iri)
    }

    /// Returns a reference under a property as it is written, if that is a string.
    pub(crate) fn reference_text(&mut self, predicate: BufferTermId, iri: String) -> String {
        if !self.context.may_shorten(&iri) {
            return iri;
        }
        let predicate = self.iri_text(predicate);
        let mut property = String::new();
        write_string(&predicate, &mut property);
        let text = self.compacted_string(&iri, |quoted| format!(r#"[{{{property}:[{{"@id":{quoted}}}]}}]"#));
        text.unwrap_or(iri)
    }

    /// Compacts an expanded document about an IRI. Returns the first string of the result, or `None` if it is not a
    /// string.
    fn compacted_string(&mut self, iri: &str, expanded: impl Fn(&str) -> String) -> Option<String> {
        if !self.context.is_plain {
            return None;
        }
        let mut quoted = String::new();
        write_string(iri, &mut quoted);
        let document = self.compact(expanded(&quoted))?;
        let mut members = document.members(document.root());
        let member = members.find(|member| document.symbol_text(member.symbol) != "@context")?;
        let mut value = member.value;
        while let Some(inner) = match document.kind(value) {
            JsonKind::Array => document.items(value).next(),
            JsonKind::Object => document.members(value).next().map(|member| member.value),
            _ => None,
        } {
            value = inner;
        }
        document.string(value).map(|text| text.into_owned())
    }

    pub(super) fn compact(&mut self, expanded: String) -> Option<JsonDocument> {
        let expanded = Arc::new(parse("sample", expanded, Limits::default()).ok()?);
        let context = Arc::clone(&self.context.inlined);
        let compacted = self.processor.compact(&expanded, &context).ok()?;
        let text = compacted.to_json(JsonLdLayout::Compact);
        parse("sample", text, Limits::default()).ok()
    }

    /// Returns the IRI of a node, property or class as the document spells it: with the document's form of schema.org's
    /// namespace, and with ids that are not IRIs unchanged. Returns an empty string for a term that is not an IRI.
    pub(crate) fn iri_text(&self, term: BufferTermId) -> String {
        let TermRef::Iri(iri) = self.quads.term(term) else { return String::new() };
        if let Some(id) = node_id(SystemName::JSON_LD.name(), iri) {
            return id;
        }
        let local = iri.strip_prefix(SCHEMA_ORG).or_else(|| schema_org_alias(iri));
        match local {
            Some(local) if self.context.schema_org != SCHEMA_ORG || !iri.starts_with(SCHEMA_ORG) => {
                format!("{}{local}", self.context.schema_org)
            }
            _ => iri.to_owned(),
        }
    }
}

/// Returns the kind of a JSON literal. A literal whose text is not JSON is treated like any other literal.
fn json_shape(lexical: &str, datatype: BufferTermId) -> CompactionKind {
    if parse("value", lexical.to_owned(), UNLIMITED).is_err() {
        return CompactionKind::Typed(datatype);
    }
    let is_inline = lexical.trim_start().starts_with(['[', '{']);
    if is_inline { CompactionKind::InlineJson } else { CompactionKind::Json }
}
