//! IRI Compaction (section 6.2): turns IRIs and keywords into terms, compact IRIs and relative IRIs.
//!
//! Results with `vocab` (properties, types, keywords) are computed once per context, IRI and [shape](ValueShape) of the
//! value. Ids are compacted each time, because few of them occur twice.
//!
//! `CompactionAlgorithm` is defined in `compaction/mod.rs`.

use crate::compaction::CompactionAlgorithm;
use crate::compaction::compaction_context::{CompactedProperty, CompactionContext};
use crate::compaction::term_selection::{ValueShape, ValueShapeKind, select_term};
use crate::name_interner::{InternedName, Keyword, has_form_of_keyword};
use crate::warning::shorten;
use crate::{JsonLdError, JsonLdErrorCode, JsonLdOutcome};
use evalgraph_json::TokenId;
use evalgraph_rdf::iri;
use std::rc::Rc;

impl CompactionAlgorithm<'_, '_> {
    /// IRI Compaction of a property, type or keyword (with `vocab`) for a value of some shape.
    ///
    /// `token` is the place of an error.
    #[inline]
    pub(crate) fn compact_vocab(
        &mut self,
        context: &CompactionContext,
        iri: InternedName,
        shape: ValueShape,
        token: TokenId,
    ) -> JsonLdOutcome<Rc<CompactedProperty>> {
        if let Some(known) = context.selected.borrow().get(&(iri, shape)) {
            return Ok(Rc::clone(known));
        }
        let name = self.compact_vocab_anew(context, iri, &shape, token)?;
        let property = Rc::new(CompactedProperty::new(name, &context.active));
        context.selected.borrow_mut().insert((iri, shape), Rc::clone(&property));
        Ok(property)
    }

    /// IRI Compaction of a keyword or type, without a value.
    pub(crate) fn compact_name(
        &mut self,
        context: &CompactionContext,
        iri: InternedName,
        token: TokenId,
    ) -> JsonLdOutcome<InternedName> {
        let shape = ValueShape::of_kind(ValueShapeKind::Null);
        self.compact_vocab(context, iri, shape, token).map(|property| property.name)
    }

    /// The alias of a keyword.
    pub(crate) fn alias(
        &mut self,
        context: &CompactionContext,
        keyword: Keyword,
    ) -> JsonLdOutcome<InternedName> {
        self.compact_name(context, keyword.name(), self.document.root())
    }

    fn compact_vocab_anew(
        &mut self,
        context: &CompactionContext,
        iri: InternedName,
        shape: &ValueShape,
        token: TokenId,
    ) -> JsonLdOutcome<InternedName> {
        let (keys, is_1_0) = (self.keys, self.contexts.is_1_0());
        let names = &mut self.contexts.names;
        // IRI Compaction 4.
        if context.has_term_for(iri)
            && let Some(term) = select_term(&context.inverse(iri, keys, names), shape, keys, names, is_1_0)
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
        if let Some(compact) = context.compact_iri(names, iri, shape.kind == ValueShapeKind::Null) {
            return Ok(names.intern(&compact));
        }
        self.refuse_confusion(context, iri, token)?;
        Ok(iri)
    }

    /// IRI Compaction of an id (without `vocab`); `None` if the id stays unchanged.
    pub(crate) fn compact_id(
        &self,
        context: &CompactionContext,
        id: InternedName,
        token: TokenId,
    ) -> JsonLdOutcome<Option<String>> {
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
        // An alias of a keyword would be read as that keyword, even as an id.
        let mapping = context.term(names, &relative).flatten();
        let is_alias = mapping.is_some_and(|iri| names.keyword(iri).is_some());
        let is_mistaken = is_alias || has_form_of_keyword(&relative);
        Ok(Some(if is_mistaken { format!("./{relative}") } else { relative }))
    }

    /// IRI Compaction 9: refuses an IRI that would be read as a compact IRI.
    fn refuse_confusion(
        &self,
        context: &CompactionContext,
        iri: InternedName,
        token: TokenId,
    ) -> JsonLdOutcome {
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
            format!("`{}` would be read as a compact IRI, because `{scheme}` is a prefix", shorten(text));
        let (document, token) = self.sources.locate(token);
        Err(JsonLdError::new(JsonLdErrorCode::IriConfusedWithPrefix, message, document, token)
            .with_help(format!("give the prefix another name than `{scheme}`")))
    }
}
