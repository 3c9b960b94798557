//! Create Term Definition (section 4.2).
//!
//! `ContextProcessor` is defined in `context_processor.rs`.

use crate::context::context_processor::{ContextProcessor, only_1_1};
use crate::context::local_entries::{ContextEntry, ExpandedTermDefinition, LocalEntries};
use crate::context::relative::RelativeIriRule;
use crate::context::term_creation::ContextCall;
use crate::context::term_creation::{DefinitionState, TermCreation};
use crate::context::{BaseDirection, ContainerMapping, LocalContext, TermDefinition, TypeMapping};
use crate::inline_prefixes::GEN_DELIMS;
use crate::name_interner::{InternedName, Keyword, has_form_of_keyword};
use crate::warning::WarningCode;
use crate::{JsonLdErrorCode, JsonLdOutcome};
use evalgraph_json::{JsonKind, TokenId};
use evalgraph_rdf::iri;
use std::rc::Rc;
use std::sync::Arc;

/// How many terms may wait for each other's definition. A longer chain would use too much stack.
const MOST_CHAINED_TERMS: usize = 256;

impl ContextProcessor<'_> {
    /// Defines the term of an entry, after the terms that it depends on.
    pub(crate) fn create_term_definition(
        &mut self,
        creation: &mut TermCreation<'_>,
        entry: usize,
    ) -> JsonLdOutcome {
        let entries = creation.entries;
        // Create Term Definition 1 and 2.
        match creation.states[entry] {
            DefinitionState::Done => return Ok(()),
            DefinitionState::Begun => {
                let message = format!("the term `{}` is defined in terms of itself", entries.term(entry));
                return Err(entries.error_at_key(entry, JsonLdErrorCode::CyclicIriMapping, message));
            }
            DefinitionState::Untouched => {}
        }
        let ContextEntry { term, document, base_url, key, value, .. } = entries.entry(entry);
        if term.is_empty() {
            let message = "a term is the empty string";
            return Err(entries.error_at_key(entry, JsonLdErrorCode::InvalidTermDefinition, message));
        }
        if creation.depth > MOST_CHAINED_TERMS {
            let message = format!("more than {MOST_CHAINED_TERMS} terms depend on each other in a chain");
            return Err(entries.error_at_key(entry, JsonLdErrorCode::ContextOverflow, message));
        }
        // Create Term Definition 4 and 5.
        match Keyword::from_text(term) {
            Some(Keyword::Type) if !self.is_1_0() => check_type_definition(entries, entry)?,
            Some(_) => {
                let message = format!("`{term}` is a keyword and cannot be defined");
                return Err(entries.error_at_key(entry, JsonLdErrorCode::KeywordRedefinition, message));
            }
            None if has_form_of_keyword(term) => {
                creation.states[entry] = DefinitionState::Done;
                self.warn(WarningCode::KeywordLike, document, *key);
                return Ok(());
            }
            None => {}
        }
        // Create Term Definition 7 to 9.
        let (object, id, simple) = match document.kind(*value) {
            JsonKind::Null => (None, Some(*value), false),
            JsonKind::String | JsonKind::EscapedString => (None, Some(*value), true),
            JsonKind::Object => (Some(*value), document.get(*value, "@id"), false),
            _ => {
                let message = format!(
                    "the definition of `{term}` is `{}`, not an IRI or an object",
                    entries.shown(entry)
                );
                return Err(entries.error(entry, JsonLdErrorCode::InvalidTermDefinition, message));
            }
        };
        let source =
            ExpandedTermDefinition { document, base_url: *base_url, key: *key, term, object, id, simple };
        creation.states[entry] = DefinitionState::Begun;
        creation.depth += 1;
        let definition = self.term_definition(creation, entry, &source)?;
        creation.depth -= 1;
        creation.states[entry] = DefinitionState::Done;
        if let Some(definition) = definition {
            self.define(creation, &source, definition)?;
        }
        Ok(())
    }

    /// Create Term Definition 27 and 28: checks protection, then adds the definition.
    fn define(
        &mut self,
        creation: &mut TermCreation<'_>,
        source: &ExpandedTermDefinition<'_>,
        mut definition: TermDefinition,
    ) -> JsonLdOutcome {
        let name = self.names.intern(source.term);
        if let Some(previous) = creation.context.term(name)
            && previous.protected
            && !creation.call.override_protected
        {
            if !definition.same_but_protection(previous) {
                let message = format!("the term `{}` is protected and cannot be redefined", source.term);
                return Err(source.error(JsonLdErrorCode::ProtectedTermRedefinition, source.key, message));
            }
            // Step 27.2: an equal definition stays protected, even if it does not say so.
            definition.protected = true;
        }
        let context = &mut creation.context;
        context.has_scoped_contexts |= definition.context.is_some();
        context.has_aliases |= definition.iri.is_some_and(|iri| self.names.keyword(iri).is_some());
        context.define(name, definition, &self.names);
        Ok(())
    }

    /// Create Term Definition 10 to 26; `None` if the definition is to be ignored.
    fn term_definition(
        &mut self,
        creation: &mut TermCreation<'_>,
        entry: usize,
        source: &ExpandedTermDefinition<'_>,
    ) -> JsonLdOutcome<Option<TermDefinition>> {
        let mut definition = TermDefinition { protected: creation.protected, ..TermDefinition::default() };
        if let Some(value) = source.get("@protected") {
            definition.protected = self.protected_flag(source, value)?;
        }
        if let Some(value) = source.get("@type") {
            definition.type_mapping = Some(self.type_mapping(creation, source, value)?);
        }
        if let Some(value) = source.get("@reverse") {
            return self.reverse_definition(creation, source, value, definition);
        }
        if !self.set_iri(creation, entry, source, &mut definition)? {
            // An outer context may have defined the term. Ignoring this definition removes the outer one.
            if let Some(name) = self.names.find(source.term) {
                creation.context.remove(name);
            }
            return Ok(None);
        }
        if let Some(value) = source.get("@container") {
            definition.container = self.container(source, value)?;
            if definition.container.has(Keyword::Type) {
                check_type_container(source, value, &mut definition)?;
            }
        }
        if let Some(value) = source.get("@index") {
            definition.index = Some(self.index_mapping(creation, source, value, definition.container)?);
        }
        if let Some(value) = source.get("@context") {
            definition.context = Some(self.scoped_context(creation, source, value)?);
        }
        self.language_and_direction(source, &mut definition)?;
        if let Some(value) = source.get("@nest") {
            definition.nest = Some(self.nest_value(source, value)?);
        }
        if let Some(value) = source.get("@prefix") {
            definition.prefix = self.prefix_flag(source, value, &definition)?;
        }
        check_entries(source)?;
        Ok(Some(definition))
    }

    /// Create Term Definition 11: `@protected`.
    fn protected_flag(&self, source: &ExpandedTermDefinition<'_>, value: TokenId) -> JsonLdOutcome<bool> {
        if self.is_1_0() {
            return Err(source.error(JsonLdErrorCode::InvalidTermDefinition, value, only_1_1("@protected")));
        }
        boolean(source, value, JsonLdErrorCode::InvalidProtectedValue)
    }

    /// Create Term Definition 12: `@type`.
    fn type_mapping(
        &mut self,
        creation: &mut TermCreation<'_>,
        source: &ExpandedTermDefinition<'_>,
        value: TokenId,
    ) -> JsonLdOutcome<TypeMapping> {
        let invalid = |reason: &str| {
            let message = format!("the type `{}` of `{}` {reason}", source.shown(value), source.term);
            source.error(JsonLdErrorCode::InvalidTypeMapping, value, message)
        };
        let text = source.string(value).ok_or_else(|| invalid("is not a string"))?;
        let expanded = self
            .expand_iri_in(creation, &text, RelativeIriRule::Vocab)?
            .ok_or_else(|| invalid("is not an IRI"))?;
        match self.names.keyword(expanded) {
            Some(Keyword::Id) => Ok(TypeMapping::Id),
            Some(Keyword::Vocab) => Ok(TypeMapping::Vocab),
            Some(Keyword::Json | Keyword::None) if self.is_1_0() => Err(invalid("belongs to JSON-LD 1.1")),
            Some(Keyword::Json) => Ok(TypeMapping::Json),
            Some(Keyword::None) => Ok(TypeMapping::None),
            Some(_) => Err(invalid("is a keyword that cannot be a type")),
            None if iri::is_iri(self.names.text(expanded)) => Ok(TypeMapping::Iri(expanded)),
            None => Err(invalid("is neither an IRI nor `@id`, `@json`, `@none` or `@vocab`")),
        }
    }

    /// Create Term Definition 13: `@reverse`.
    fn reverse_definition(
        &mut self,
        creation: &mut TermCreation<'_>,
        source: &ExpandedTermDefinition<'_>,
        value: TokenId,
        mut definition: TermDefinition,
    ) -> JsonLdOutcome<Option<TermDefinition>> {
        for key in ["@id", "@nest"] {
            if let Some(other) = source.get(key) {
                let message = format!("the reverse term `{}` has `{key}` too", source.term);
                return Err(source.error(JsonLdErrorCode::InvalidReverseProperty, other, message));
            }
        }
        let invalid = || {
            let message = format!(
                "`{}` is not an IRI that `{}` can be the reverse of",
                source.shown(value),
                source.term
            );
            source.error(JsonLdErrorCode::InvalidIriMapping, value, message)
        };
        let text = source.string(value).ok_or_else(invalid)?;
        if Keyword::from_text(&text).is_none() && has_form_of_keyword(&text) {
            self.warn(WarningCode::KeywordLike, source.document, value);
            return Ok(None);
        }
        let iri = self.expand_iri_in(creation, &text, RelativeIriRule::Vocab)?.ok_or_else(invalid)?;
        if !is_absolute(self.names.text(iri)) {
            return Err(invalid());
        }
        definition.iri = Some(iri);
        definition.reverse = true;
        if let Some(container) = source.get("@container") {
            let keyword = source.string(container).and_then(|text| Keyword::from_text(&text));
            definition.container = match (source.document.kind(container), keyword) {
                (JsonKind::Null, _) => ContainerMapping::default(),
                (_, Some(keyword @ (Keyword::Set | Keyword::Index))) => {
                    ContainerMapping::from_keywords([keyword])
                }
                _ => {
                    let message = format!(
                        "the container of the reverse term `{}` is `{}`, not `@set` or `@index`",
                        source.term,
                        source.shown(container)
                    );
                    return Err(source.error(JsonLdErrorCode::InvalidReverseProperty, container, message));
                }
            };
        }
        // The test suite also requires the index of reverse properties (expand #t0131).
        if let Some(value) = source.get("@index") {
            definition.index = Some(self.index_mapping(creation, source, value, definition.container)?);
        }
        // Step 27 applies here as well since the correction of 2023-06-28.
        check_entries(source)?;
        Ok(Some(definition))
    }

    /// Create Term Definition 14 to 18: the IRI mapping. Returns `false` if the definition is ignored.
    fn set_iri(
        &mut self,
        creation: &mut TermCreation<'_>,
        entry: usize,
        source: &ExpandedTermDefinition<'_>,
        definition: &mut TermDefinition,
    ) -> JsonLdOutcome<bool> {
        if let Some(id) = source.id {
            if source.document.kind(id) == JsonKind::Null {
                return Ok(true);
            }
            let text = source.string(id).ok_or_else(|| {
                let message = format!("the `@id` of `{}` is `{}`, not an IRI", source.term, source.shown(id));
                source.error(JsonLdErrorCode::InvalidIriMapping, id, message)
            })?;
            if text != source.term {
                let iri = self.iri_from_id(creation, entry, source, id, &text)?;
                let Some(iri) = iri else { return Ok(false) };
                definition.iri = Some(iri);
                let text = self.names.text(iri);
                // Step 14.2.5: without `@prefix`, a prefix is a simple term whose IRI ends with a delimiter.
                definition.prefix = !source.term.contains([':', '/'])
                    && source.simple
                    && (text.starts_with("_:") || text.ends_with(GEN_DELIMS));
                return Ok(true);
            }
        }
        let term = source.term;
        let invalid = |reason: &str| {
            let message = format!("the term `{term}` {reason}");
            Err(source.error(JsonLdErrorCode::InvalidIriMapping, source.key, message))
        };
        let colon = term.bytes().skip(1).position(|byte| byte == b':').map(|at| at + 1);
        definition.iri = if colon.is_some() || term.contains('/') {
            // Expanding the term itself must not find the entry that is being defined.
            match self.expand_compact_term(creation, term, colon)? {
                Some(iri)
                    if self.names.text(iri).len() > iri::LONGEST_BASE && self.names.text(iri) != term =>
                {
                    return invalid(&iri::too_long("a term that is made of others"));
                }
                Some(iri) if is_absolute(self.names.text(iri)) => Some(iri),
                _ => return invalid("is a relative IRI, and there is no `@vocab` for it"),
            }
        } else if term == "@type" {
            Some(Keyword::Type.name())
        } else if let Some(vocab) = creation.context.vocab {
            Some(self.concatenate(vocab, term))
        } else {
            return invalid("has no `@id`, and there is no `@vocab` for it");
        };
        Ok(true)
    }

    /// Create Term Definition 14.2: returns the IRI of an `@id` that is not the term itself; `None` if the definition
    /// is ignored.
    fn iri_from_id(
        &mut self,
        creation: &mut TermCreation<'_>,
        entry: usize,
        source: &ExpandedTermDefinition<'_>,
        id: TokenId,
        text: &str,
    ) -> JsonLdOutcome<Option<InternedName>> {
        let term = source.term;
        if Keyword::from_text(text).is_none() && has_form_of_keyword(text) {
            self.warn(WarningCode::KeywordLike, source.document, id);
            return Ok(None);
        }
        let invalid = |message: String| Err(source.error(JsonLdErrorCode::InvalidIriMapping, id, message));
        let Some(iri) = self.expand_iri_in(creation, text, RelativeIriRule::Vocab)? else {
            return invalid(format!("`{text}` is not an IRI"));
        };
        // An IRI that is written in full may have any length. The length of one made from other terms is limited,
        // because further IRIs may be made from it.
        if self.names.text(iri).len() > iri::LONGEST_BASE && self.names.text(iri) != text {
            return invalid(iri::too_long("a term that is made of others"));
        }
        match self.names.keyword(iri) {
            Some(Keyword::Context) => {
                let message = format!("`{term}` cannot be an alias of `@context`");
                return Err(source.error(JsonLdErrorCode::InvalidKeywordAlias, id, message));
            }
            None if !is_absolute(self.names.text(iri)) => {
                return invalid(format!(
                    "`{text}`, the `@id` of `{term}`, is a relative IRI, and the context has no `@vocab`"
                ));
            }
            _ => {}
        }
        let inner_colon =
            term.bytes().skip(1).position(|byte| byte == b':').is_some_and(|at| at + 2 < term.len());
        if inner_colon || term.contains('/') {
            // Step 14.2.4: a term that looks like an IRI must map to that IRI.
            creation.states[entry] = DefinitionState::Done;
            if self.expand_iri_in(creation, term, RelativeIriRule::Vocab)? != Some(iri) {
                return invalid(format!("`{term}` looks like an IRI but would map to another one, `{text}`"));
            }
            creation.states[entry] = DefinitionState::Begun;
        }
        Ok(Some(iri))
    }

    /// Create Term Definition 15 and 16: a term that is a compact, absolute or relative IRI.
    fn expand_compact_term(
        &mut self,
        creation: &mut TermCreation<'_>,
        term: &str,
        colon: Option<usize>,
    ) -> JsonLdOutcome<Option<InternedName>> {
        let Some(colon) = colon else {
            return Ok(creation.context.vocab.map(|vocab| self.concatenate(vocab, term)));
        };
        let (prefix, suffix) = (&term[..colon], &term[colon + 1..]);
        if let Some(entry) = creation.entries.find(prefix) {
            self.create_term_definition(creation, entry)?;
        }
        let definition = self.names.find(prefix).and_then(|name| creation.context.term(name));
        Ok(Some(match definition.and_then(|definition| definition.iri) {
            Some(iri) if !suffix.starts_with("//") => self.concatenate(iri, suffix),
            _ => self.names.intern(term),
        }))
    }

    /// Create Term Definition 19: `@container`.
    fn container(
        &self,
        source: &ExpandedTermDefinition<'_>,
        value: TokenId,
    ) -> JsonLdOutcome<ContainerMapping> {
        let document = source.document;
        let items: Vec<TokenId> =
            if document.is_array(value) { document.items(value).collect() } else { vec![value] };
        let invalid = |token: TokenId, message: String| {
            Err(source.error(JsonLdErrorCode::InvalidContainerMapping, token, message).with_help(
                "the containers are `@set`, `@list`, `@index`, `@language`, `@id`, `@type` and `@graph`",
            ))
        };
        let mut keywords = Vec::new();
        for item in items {
            match source.string(item).and_then(|text| Keyword::from_text(&text)) {
                Some(
                    keyword @ (Keyword::Set
                    | Keyword::List
                    | Keyword::Index
                    | Keyword::Language
                    | Keyword::Id
                    | Keyword::Type
                    | Keyword::Graph),
                ) => keywords.push(keyword),
                _ => {
                    let message = format!(
                        "the container of `{}` is `{}`, which is not a container",
                        source.term,
                        source.shown(item)
                    );
                    return invalid(item, message);
                }
            }
        }
        let container = ContainerMapping::from_keywords(keywords.iter().copied());
        let others = keywords.iter().filter(|keyword| **keyword != Keyword::Set).count();
        let fits = match keywords.len() {
            1 => true,
            2 if container.has(Keyword::Set) => others == 1 && !container.has(Keyword::List),
            2 | 3 => {
                let keyed = container.has(Keyword::Id) ^ container.has(Keyword::Index);
                container.has(Keyword::Graph) && keyed && others == 2
            }
            _ => false,
        };
        if !fits {
            return invalid(
                value,
                format!("the containers {} of `{}` cannot be combined", source.shown(value), source.term),
            );
        }
        let new =
            [Keyword::Graph, Keyword::Id, Keyword::Type].into_iter().any(|keyword| container.has(keyword));
        if self.is_1_0() && (new || document.is_array(value)) {
            return invalid(value, only_1_1(&source.shown(value)));
        }
        Ok(container)
    }

    /// Create Term Definition 20: `@index`.
    fn index_mapping(
        &mut self,
        creation: &mut TermCreation<'_>,
        source: &ExpandedTermDefinition<'_>,
        value: TokenId,
        container: ContainerMapping,
    ) -> JsonLdOutcome<InternedName> {
        let invalid = |message: String| source.error(JsonLdErrorCode::InvalidTermDefinition, value, message);
        if self.is_1_0() {
            return Err(invalid(only_1_1("@index")));
        }
        if !container.has(Keyword::Index) {
            return Err(invalid(format!("`{}` has `@index` without the container `@index`", source.term)));
        }
        let not_iri =
            || invalid(format!("the index `{}` of `{}` is not a property", source.shown(value), source.term));
        let text = source.string(value).ok_or_else(not_iri)?;
        let expanded = self.expand_iri_in(creation, &text, RelativeIriRule::Vocab)?.ok_or_else(not_iri)?;
        if self.names.keyword(expanded).is_some() || !is_absolute(self.names.text(expanded)) {
            return Err(not_iri());
        }
        Ok(self.names.intern(&text))
    }

    /// Create Term Definition 21: `@context`. It is processed here only to report errors at the right place.
    fn scoped_context(
        &mut self,
        creation: &mut TermCreation<'_>,
        source: &ExpandedTermDefinition<'_>,
        value: TokenId,
    ) -> JsonLdOutcome<LocalContext> {
        if self.is_1_0() {
            return Err(source.error(JsonLdErrorCode::InvalidTermDefinition, value, only_1_1("@context")));
        }
        let local =
            LocalContext { document: Arc::clone(source.document), value, base_url: source.base_url.cloned() };
        let call = ContextCall {
            override_protected: true,
            validate_scoped: false,
            nesting: creation.call.nesting + 1,
            ..creation.call.clone()
        };
        let active = Rc::new(creation.context.derive(self.serial()));
        let warnings = self.warnings.len();
        let outcome = self.process_anew(&active, &local, call);
        // The context is processed again where the term is used, which gives the same warnings.
        self.warnings.truncate(warnings);
        match outcome {
            Ok(_) => Ok(local),
            Err(mut error) => {
                if error.code != JsonLdErrorCode::ContextOverflow {
                    error.message =
                        format!("the context of `{}`: {} ({})", source.term, error.message, error.code);
                    error.code = JsonLdErrorCode::InvalidScopedContext;
                }
                Err(error)
            }
        }
    }

    /// Create Term Definition 22 and 23: `@language` and `@direction`, without `@type`.
    fn language_and_direction(
        &mut self,
        source: &ExpandedTermDefinition<'_>,
        definition: &mut TermDefinition,
    ) -> JsonLdOutcome {
        if source.get("@type").is_some() {
            return Ok(());
        }
        if let Some(value) = source.get("@language") {
            definition.language = Some(match (source.document.kind(value), source.string(value)) {
                (JsonKind::Null, _) => None,
                (_, Some(language)) => Some(self.names.intern(&language)),
                _ => {
                    let message = format!(
                        "the language `{}` of `{}` is not a tag or null",
                        source.shown(value),
                        source.term
                    );
                    return Err(source.error(JsonLdErrorCode::InvalidLanguageMapping, value, message));
                }
            });
        }
        if let Some(value) = source.get("@direction") {
            let direction = source.string(value).and_then(|text| BaseDirection::from_text(&text));
            if direction.is_none() && source.document.kind(value) != JsonKind::Null {
                let message = format!(
                    "the direction `{}` of `{}` is not `ltr`, `rtl` or null",
                    source.shown(value),
                    source.term
                );
                return Err(source.error(JsonLdErrorCode::InvalidBaseDirection, value, message));
            }
            definition.direction = Some(direction);
        }
        Ok(())
    }

    /// Create Term Definition 24: `@nest`.
    fn nest_value(
        &mut self,
        source: &ExpandedTermDefinition<'_>,
        value: TokenId,
    ) -> JsonLdOutcome<InternedName> {
        if self.is_1_0() {
            return Err(source.error(JsonLdErrorCode::InvalidTermDefinition, value, only_1_1("@nest")));
        }
        match source.string(value) {
            Some(text) if matches!(Keyword::from_text(&text), None | Some(Keyword::Nest)) => {
                Ok(self.names.intern(&text))
            }
            _ => {
                let message = format!("`{}` is neither a term nor `@nest`", source.shown(value));
                Err(source.error(JsonLdErrorCode::InvalidNestValue, value, message))
            }
        }
    }

    /// Create Term Definition 25: `@prefix`.
    fn prefix_flag(
        &self,
        source: &ExpandedTermDefinition<'_>,
        value: TokenId,
        definition: &TermDefinition,
    ) -> JsonLdOutcome<bool> {
        let invalid =
            |message: String| Err(source.error(JsonLdErrorCode::InvalidTermDefinition, value, message));
        if self.is_1_0() {
            return invalid(only_1_1("@prefix"));
        }
        if source.term.contains([':', '/']) {
            return invalid(format!("`{}` cannot be a prefix: it contains `:` or `/`", source.term));
        }
        let prefix = boolean(source, value, JsonLdErrorCode::InvalidPrefixValue)?;
        if prefix && definition.iri.is_some_and(|iri| self.names.keyword(iri).is_some()) {
            return invalid(format!("`{}` is an alias of a keyword and cannot be a prefix", source.term));
        }
        Ok(prefix)
    }
}

fn boolean(
    source: &ExpandedTermDefinition<'_>,
    value: TokenId,
    code: JsonLdErrorCode,
) -> JsonLdOutcome<bool> {
    match source.document.kind(value) {
        JsonKind::True => Ok(true),
        JsonKind::False => Ok(false),
        _ => Err(source.error(code, value, format!("`{}` is not `true` or `false`", source.shown(value)))),
    }
}

/// Returns whether an expanded IRI is an absolute IRI or a blank node, not a relative IRI.
fn is_absolute(text: &str) -> bool {
    text.contains(':')
}

/// Create Term Definition 4: `@type` may only become a set, or protected.
fn check_type_definition(entries: &LocalEntries<'_>, entry: usize) -> JsonLdOutcome {
    let ContextEntry { document, value, .. } = entries.entry(entry);
    let good = document.is_object(*value)
        && document.members(*value).next().is_some()
        && document.members(*value).all(|member| match document.symbol_text(member.symbol) {
            "@container" => document.string(member.value).as_deref() == Some("@set"),
            "@protected" => true,
            _ => false,
        });
    if good {
        return Ok(());
    }
    let message = "`@type` can only get the container `@set` or be protected";
    Err(entries.error_at_key(entry, JsonLdErrorCode::KeywordRedefinition, message))
}

/// Create Term Definition 19.4: the values of a type container are ids.
fn check_type_container(
    source: &ExpandedTermDefinition<'_>,
    value: TokenId,
    definition: &mut TermDefinition,
) -> JsonLdOutcome {
    match definition.type_mapping {
        None => definition.type_mapping = Some(TypeMapping::Id),
        Some(TypeMapping::Id | TypeMapping::Vocab) => {}
        Some(_) => {
            let message =
                format!("`{}` is a type map, but its type is neither `@id` nor `@vocab`", source.term);
            return Err(source.error(JsonLdErrorCode::InvalidTypeMapping, value, message));
        }
    }
    Ok(())
}

/// Create Term Definition 26: there are no other entries.
fn check_entries(source: &ExpandedTermDefinition<'_>) -> JsonLdOutcome {
    let Some(object) = source.object else { return Ok(()) };
    for member in source.document.members(object) {
        let key = source.document.symbol_text(member.symbol);
        let known = matches!(
            key,
            "@id"
                | "@reverse"
                | "@container"
                | "@context"
                | "@direction"
                | "@index"
                | "@language"
                | "@nest"
                | "@prefix"
                | "@protected"
                | "@type"
        );
        if !known {
            let message = format!("`{key}` is not an entry of the definition of `{}`", source.term);
            return Err(source.error(JsonLdErrorCode::InvalidTermDefinition, member.key, message));
        }
    }
    Ok(())
}
