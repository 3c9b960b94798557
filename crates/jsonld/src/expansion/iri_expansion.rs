//! IRI Expansion (section 5.2).
//!
//! `ContextProcessor` is defined in `context/context_processor.rs`.

use crate::JsonLdOutcome;
use crate::context::ActiveContext;
use crate::context::context_processor::ContextProcessor;
use crate::context::relative::RelativeIriRule;
use crate::context::term_creation::TermCreation;
use crate::name_interner::{InternedName, Keyword, has_form_of_keyword};
use evalgraph_rdf::iri;

impl ContextProcessor<'_> {
    /// IRI Expansion under a finished context; `None` is null.
    pub(crate) fn expand_iri(
        &mut self,
        context: &ActiveContext,
        value: &str,
        relative: RelativeIriRule,
    ) -> Option<InternedName> {
        // IRI Expansion 1 and 2: keywords stay, and strings that look like one are dropped.
        if value.starts_with('@') {
            if let Some(keyword) = Keyword::from_text(value) {
                return Some(keyword.name());
            }
            if has_form_of_keyword(value) {
                return None;
            }
        }
        self.expand_with_terms(context, value, relative)
    }

    /// IRI Expansion 4 to 9.
    fn expand_with_terms(
        &mut self,
        context: &ActiveContext,
        value: &str,
        relative: RelativeIriRule,
    ) -> Option<InternedName> {
        let hash = self.names.hash(value);
        if let Some(definition) = self.names.find_hashed(hash, value).and_then(|name| context.term(name)) {
            // IRI Expansion 4 and 5.
            match definition.iri {
                Some(iri) if self.names.keyword(iri).is_some() => return Some(iri),
                mapping if relative.vocab() => return mapping,
                _ => {}
            }
        }
        // IRI Expansion 6: a compact or an absolute IRI, or a blank node.
        if let Some(colon) = value.bytes().skip(1).position(|byte| byte == b':').map(|at| at + 1) {
            let (prefix, suffix) = (&value[..colon], &value[colon + 1..]);
            if prefix == "_" || suffix.starts_with("//") {
                return Some(self.names.intern_hashed(hash, value));
            }
            let definition = self.names.find(prefix).and_then(|name| context.term(name));
            if let Some(iri) =
                definition.filter(|definition| definition.prefix).and_then(|definition| definition.iri)
            {
                return Some(self.concatenate(iri, suffix));
            }
            if iri::scheme_length(value.as_bytes()) == Some(colon) {
                return Some(self.names.intern_hashed(hash, value));
            }
        }
        // IRI Expansion 7 to 9.
        if relative.vocab()
            && let Some(vocab) = context.vocab
        {
            return Some(self.concatenate(vocab, value));
        }
        if relative.document()
            && let Some(base) = &context.base_iri
            && let Some(resolved) = iri::resolve(value, base)
        {
            return Some(self.names.intern(&resolved));
        }
        Some(self.names.intern_hashed(hash, value))
    }

    pub(crate) fn concatenate(&mut self, name: InternedName, suffix: &str) -> InternedName {
        let mut text = std::mem::take(&mut self.buffer);
        text.clear();
        text.push_str(self.names.text(name));
        text.push_str(suffix);
        let name = self.names.intern(&text);
        self.buffer = text;
        name
    }

    /// IRI Expansion while a local context is processed: the terms and prefixes that it defines are created first
    /// (steps 3 and 6.3). `token` is the place of the value.
    pub(crate) fn expand_iri_in(
        &mut self,
        creation: &mut TermCreation<'_>,
        value: &str,
        relative: RelativeIriRule,
    ) -> JsonLdOutcome<Option<InternedName>> {
        if let Some(keyword) = Keyword::from_text(value) {
            return Ok(Some(keyword.name()));
        }
        if has_form_of_keyword(value) {
            return Ok(None);
        }
        if let Some(entry) = creation.entries.find(value) {
            self.create_term_definition(creation, entry)?;
        }
        if let Some(colon) = value.bytes().skip(1).position(|byte| byte == b':') {
            let (prefix, suffix) = (&value[..=colon], &value[colon + 2..]);
            if prefix != "_"
                && !suffix.starts_with("//")
                && let Some(entry) = creation.entries.find(prefix)
            {
                self.create_term_definition(creation, entry)?;
            }
        }
        Ok(self.expand_iri(creation.context, value, relative))
    }
}
