//! IRI Compaction (section 6.2): IRIs and keywords to terms, compact IRIs and relative IRIs.
//!
//! What is compacted by vocabulary (properties, types, keywords) is found once per context, IRI and
//! [shape](ValueShape) of the value. Ids are compacted anew each time: few of them come twice.

use crate::json::TokenId;
use crate::jsonld::compaction::Compactor;
use crate::jsonld::compaction::term_selection::{ValueKind, ValueShape, select_term};
use crate::jsonld::context::inverse_context::{InverseEntry, InverseKeys};
use crate::jsonld::context::processing::shorten;
use crate::jsonld::context::{ActiveContext, Container, TermDefinition};
use crate::jsonld::names::{Keyword, NameId, Names, has_form_of_keyword};
use crate::jsonld::{JsonLdError, JsonLdErrorCode};
use crate::rdf::iri;
use hashbrown::HashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// A compacted property, with the definition of its term where it has one.
#[derive(Debug, Clone)]
pub(in crate::jsonld) struct CompactedProperty {
    pub(in crate::jsonld) name: NameId,
    pub(in crate::jsonld) definition: Option<Rc<TermDefinition>>,
    pub(in crate::jsonld) container: Container,
}

impl CompactedProperty {
    pub(in crate::jsonld) fn new(name: NameId, active: &ActiveContext) -> Self {
        let definition = active.term(name).cloned();
        let container = definition.as_ref().map(|definition| definition.container).unwrap_or_default();
        Self { name, definition, container }
    }

    /// No property: the top of the document.
    pub(in crate::jsonld) fn null() -> Self {
        Self { name: Keyword::Graph.name(), definition: None, container: Container::default() }
    }
}

type Selected = HashMap<(NameId, ValueShape), Rc<CompactedProperty>, foldhash::fast::FixedState>;

/// An active context with its inverse context, and what was compacted under it.
#[derive(Debug)]
pub(in crate::jsonld) struct CompactionContext {
    pub(in crate::jsonld) active: Rc<ActiveContext>,
    inverse: RefCell<HashMap<NameId, Rc<InverseEntry>, foldhash::fast::FixedState>>,
    selected: RefCell<Selected>,
}

impl CompactionContext {
    pub(in crate::jsonld) fn new(active: Rc<ActiveContext>) -> Self {
        Self { active, inverse: RefCell::default(), selected: RefCell::default() }
    }

    /// Whether any term stands for an IRI.
    #[inline]
    pub(in crate::jsonld) fn has_term_for(&self, iri: NameId) -> bool {
        self.active.terms_of(iri).next().is_some()
    }

    /// What the inverse context has for an IRI that terms stand for.
    fn inverse(&self, iri: NameId, keys: InverseKeys, names: &mut Names) -> Rc<InverseEntry> {
        let mut inverse = self.inverse.borrow_mut();
        let made = || Rc::new(InverseEntry::new(&self.active, iri, keys, names));
        Rc::clone(inverse.entry(iri).or_insert_with(made))
    }

    /// Whether a text is a term, and which IRI it stands for.
    fn term(&self, names: &Names, text: &str) -> Option<Option<NameId>> {
        names.find(text).and_then(|name| self.active.term(name)).map(|definition| definition.iri)
    }

    /// IRI Compaction 5: what follows the vocabulary mapping.
    fn suffix<'n>(&self, names: &'n Names, whole: &'n str) -> Option<&'n str> {
        let vocab = names.text(self.active.vocab?);
        let suffix = whole.strip_prefix(vocab).filter(|suffix| !suffix.is_empty())?;
        // What looks like a keyword or an IRI would not be read with the vocabulary mapping.
        let is_mistaken = has_form_of_keyword(suffix) || self.is_read_as_iri(names, suffix);
        (self.term(names, suffix).is_none() && !is_mistaken).then_some(suffix)
    }

    /// Whether IRI Expansion 6 takes a text for a compact or an absolute IRI, or a blank node.
    fn is_read_as_iri(&self, names: &Names, text: &str) -> bool {
        let Some(colon) = text.bytes().skip(1).position(|byte| byte == b':').map(|at| at + 1) else {
            return false;
        };
        let (prefix, rest) = (&text[..colon], &text[colon + 1..]);
        let term = names.find(prefix).and_then(|name| self.active.term(name));
        prefix == "_"
            || rest.starts_with("//")
            || term.is_some_and(|definition| definition.prefix)
            || iri::scheme_length(text.as_bytes()) == Some(colon)
    }

    /// IRI Compaction 6 to 8: the shortest compact IRI, the first in code point order of those.
    fn compact_iri(&self, names: &Names, name: NameId, is_without_value: bool) -> Option<String> {
        let whole = names.text(name);
        let mut best: Option<String> = None;
        for (term, definition) in self.active.prefixes_of(whole) {
            let iri = definition.iri.map(|iri| names.text(iri)).unwrap_or_default();
            let (prefix, suffix) = (names.text(term), &whole[iri.len()..]);
            // Some would not be read as compact IRIs (IRI Expansion 6.2).
            if suffix.is_empty() || suffix.starts_with("//") || prefix == "_" {
                continue;
            }
            let candidate = format!("{prefix}:{suffix}");
            let is_better = best
                .as_ref()
                .is_none_or(|best| (candidate.chars().count(), &candidate) < (best.chars().count(), best));
            let is_usable = match self.term(names, &candidate) {
                None => true,
                Some(mapping) => mapping == Some(name) && is_without_value,
            };
            if is_better && is_usable {
                best = Some(candidate);
            }
        }
        best
    }
}

impl Compactor<'_, '_> {
    /// IRI Compaction of a property, type or keyword (with `vocab`) for a value of some shape.
    ///
    /// `token` is the place of an error.
    #[inline]
    pub(in crate::jsonld) fn compact_vocab(
        &mut self,
        context: &CompactionContext,
        iri: NameId,
        shape: ValueShape,
        token: TokenId,
    ) -> Result<Rc<CompactedProperty>, Box<JsonLdError>> {
        if let Some(known) = context.selected.borrow().get(&(iri, shape)) {
            return Ok(Rc::clone(known));
        }
        let name = self.compact_vocab_anew(context, iri, &shape, token)?;
        let property = Rc::new(CompactedProperty::new(name, &context.active));
        context.selected.borrow_mut().insert((iri, shape), Rc::clone(&property));
        Ok(property)
    }

    /// The name of a keyword or type: IRI Compaction without a value.
    pub(in crate::jsonld) fn compact_name(
        &mut self,
        context: &CompactionContext,
        iri: NameId,
        token: TokenId,
    ) -> Result<NameId, Box<JsonLdError>> {
        let shape = ValueShape::of_kind(ValueKind::Null);
        self.compact_vocab(context, iri, shape, token).map(|property| property.name)
    }

    /// The alias of a keyword.
    pub(in crate::jsonld) fn alias(
        &mut self,
        context: &CompactionContext,
        keyword: Keyword,
    ) -> Result<NameId, Box<JsonLdError>> {
        self.compact_name(context, keyword.name(), self.document.root())
    }

    fn compact_vocab_anew(
        &mut self,
        context: &CompactionContext,
        iri: NameId,
        shape: &ValueShape,
        token: TokenId,
    ) -> Result<NameId, Box<JsonLdError>> {
        let (keys, is_1_0) = (self.keys, self.contexts.is_1_0());
        let names = &mut self.contexts.names;
        // IRI Compaction 4.
        if context.has_term_for(iri)
            && let Some(term) = select_term(&context.inverse(iri, keys, names), shape, (keys, names), is_1_0)
        {
            return Ok(term);
        }
        if names.keyword(iri).is_some() {
            return Ok(iri);
        }
        let text = names.text(iri);
        if let Some(suffix) = context.suffix(names, text) {
            let suffix = suffix.to_owned();
            return Ok(names.intern(&suffix));
        }
        if let Some(compact) = context.compact_iri(names, iri, shape.kind == ValueKind::Null) {
            return Ok(names.intern(&compact));
        }
        self.refuse_confusion(context, iri, token)?;
        Ok(iri)
    }

    /// IRI Compaction of an id (without `vocab`); `None` where it stays as it is.
    pub(in crate::jsonld) fn compact_id(
        &self,
        context: &CompactionContext,
        id: NameId,
        token: TokenId,
    ) -> Result<Option<String>, Box<JsonLdError>> {
        let names = &self.contexts.names;
        if context.active.has_prefixes() {
            if let Some(compact) = context.compact_iri(names, id, true) {
                return Ok(Some(compact));
            }
            self.refuse_confusion(context, id, token)?;
        }
        // IRI Compaction 10.
        let text = names.text(id);
        let Some(base) = &context.active.base_iri else { return Ok(None) };
        let Some(relative) = iri::relativize(text, base) else { return Ok(None) };
        // An alias of a keyword is read as that keyword, even as an id.
        let mapping = context.term(names, &relative).flatten();
        let is_alias = mapping.is_some_and(|iri| names.keyword(iri).is_some());
        let is_mistaken = is_alias || has_form_of_keyword(&relative);
        Ok(Some(if is_mistaken { format!("./{relative}") } else { relative }))
    }

    /// IRI Compaction 9: an IRI that would be read as a compact IRI.
    fn refuse_confusion(
        &self,
        context: &CompactionContext,
        iri: NameId,
        token: TokenId,
    ) -> Result<(), Box<JsonLdError>> {
        let names = &self.contexts.names;
        let text = names.text(iri);
        let Some((scheme, rest)) = text.split_once(':') else { return Ok(()) };
        let is_prefix = names
            .find(scheme)
            .and_then(|scheme| context.active.term(scheme))
            .is_some_and(|definition| definition.prefix);
        if !is_prefix || rest.starts_with("//") || scheme == "_" {
            return Ok(());
        }
        let message =
            format!("`{}` would be read as a compact IRI, since `{scheme}` is a prefix", shorten(text));
        let (document, token) = self.sources.locate(token);
        Err(JsonLdError::new(JsonLdErrorCode::IriConfusedWithPrefix, message, document, token)
            .with_help(format!("give the prefix another name than `{scheme}`")))
    }
}
