//! Context Processing Algorithm (section 4.1.2), with a cache: equal contexts are processed only once.

use crate::context::local_entries::LocalEntries;
use crate::context::relative::RelativeIriRule;
use crate::context::term_creation::ContextCall;
use crate::context::term_creation::TermCreation;
use crate::context::{ActiveContext, BaseDirection, LocalContext};
use crate::json_ld_options::ProcessingMode;
use crate::name_interner::{Keyword, NameInterner};
use crate::remote::document_loader::{DocumentLoader, LoadError};
use crate::remote::remote_document::{LoadDocumentOptions, RemoteDocument};
use crate::warning::shorten;
use crate::warning::{JsonLdWarning, WarningCode};
use crate::{JsonLdError, JsonLdErrorCode, JsonLdOutcome};
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_json::{JsonDocument, JsonKind, TokenId};
use evalgraph_rdf::iri;
use hashbrown::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// How many remote contexts may include each other. The specification leaves the number to the processor. No published
/// context nests deeper than three.
const MOST_REMOTE_CONTEXTS: usize = 32;

/// How deeply contexts may be nested in terms while one is processed.
const MOST_NESTED_CONTEXTS: usize = 128;

/// How many processed contexts are kept. When there are more, the cache is emptied.
const MOST_CACHED: usize = 4096;

#[derive(PartialEq, Eq, Hash)]
struct CacheKey {
    parent: u64,
    override_protected: bool,
    propagate: bool,
    base_url: Option<Rc<str>>,
    text: Box<str>,
}

/// The data that outlives a document: interned names, processed and loaded contexts.
///
/// Other methods are in `term_definition.rs` and `expansion/iri_expansion.rs`.
pub(crate) struct ContextProcessor<'l> {
    pub(crate) names: NameInterner,
    pub(crate) mode: ProcessingMode,
    pub(crate) warnings: Vec<JsonLdWarning>,
    pub(crate) buffer: String,
    loader: &'l dyn DocumentLoader,
    cache: HashMap<CacheKey, Rc<ActiveContext>, foldhash::fast::FixedState>,
    loaded: HashMap<String, RemoteDocument>,
    next_serial: u64,
}

impl<'l> ContextProcessor<'l> {
    pub(crate) fn new(mode: ProcessingMode, loader: &'l dyn DocumentLoader) -> Self {
        Self {
            names: NameInterner::default(),
            mode,
            warnings: Vec::new(),
            buffer: String::new(),
            loader,
            cache: HashMap::default(),
            loaded: HashMap::new(),
            next_serial: 0,
        }
    }

    pub(crate) fn serial(&mut self) -> u64 {
        self.next_serial += 1;
        self.next_serial
    }

    pub(crate) fn is_1_0(&self) -> bool {
        self.mode == ProcessingMode::JsonLd1_0
    }

    pub(crate) fn warn(&mut self, code: WarningCode, document: &Arc<JsonDocument>, token: TokenId) {
        self.warnings.push(JsonLdWarning { code, document: Arc::clone(document), token, cost: 0 });
    }

    /// Returns the active context after a local one. It is cached if the same text was processed before, after the same
    /// context.
    pub(crate) fn process(
        &mut self,
        active: &Rc<ActiveContext>,
        local: &LocalContext,
        call: ContextCall,
    ) -> JsonLdOutcome<Rc<ActiveContext>> {
        let key = CacheKey {
            parent: active.serial,
            override_protected: call.override_protected,
            propagate: call.propagate,
            base_url: local.base_url.clone(),
            text: local.document.raw(local.value).into(),
        };
        if let Some(context) = self.cache.get(&key) {
            return Ok(Rc::clone(context));
        }
        let context = self.process_anew(active, local, call)?;
        // A document may have another context in each node, so the memory of the cache is bounded.
        if self.cache.len() >= MOST_CACHED {
            self.cache.clear();
        }
        self.cache.insert(key, Rc::clone(&context));
        Ok(context)
    }

    /// Processes a context like [`Self::process`], but without the cache.
    pub(crate) fn process_anew(
        &mut self,
        active: &Rc<ActiveContext>,
        local: &LocalContext,
        mut call: ContextCall,
    ) -> JsonLdOutcome<Rc<ActiveContext>> {
        let document = &local.document;
        // Context Processing 1 to 3.
        let mut result = Rc::clone(active);
        if document.is_object(local.value)
            && let Some(propagate) = document.get(local.value, "@propagate")
        {
            match document.kind(propagate) {
                JsonKind::True => call.propagate = true,
                JsonKind::False => call.propagate = false,
                // These are refused in step 5.11.
                _ => {}
            }
        }
        if !call.propagate && result.previous.is_none() {
            let mut own = result.derive(self.serial());
            own.previous = Some(Rc::clone(active));
            result = Rc::new(own);
        }
        // Context Processing 4 and 5.
        if document.is_array(local.value) {
            for item in document.items(local.value) {
                result = self.process_one(result, &LocalContext { value: item, ..local.clone() }, &call)?;
            }
            Ok(result)
        } else {
            self.process_one(result, local, &call)
        }
    }

    fn process_one(
        &mut self,
        result: Rc<ActiveContext>,
        local: &LocalContext,
        call: &ContextCall,
    ) -> JsonLdOutcome<Rc<ActiveContext>> {
        let document = &local.document;
        match document.kind(local.value) {
            JsonKind::Null => self.nullify(&result, local, call),
            JsonKind::String | JsonKind::EscapedString => self.process_remote(result, local, call),
            JsonKind::Object => self.process_object(result, local, call),
            _ => Err(JsonLdError::new(
                JsonLdErrorCode::InvalidLocalContext,
                format!("`{}` is neither a context nor the URL of one", shorten(document.raw(local.value))),
                document,
                local.value,
            )),
        }
    }

    /// Context Processing 5.1: a null context.
    fn nullify(
        &mut self,
        result: &Rc<ActiveContext>,
        local: &LocalContext,
        call: &ContextCall,
    ) -> JsonLdOutcome<Rc<ActiveContext>> {
        if !call.override_protected
            && let Some((term, _)) = result.terms().find(|(_, definition)| definition.protected)
        {
            let message =
                format!("a null context would drop protected terms, `{}` among them", self.names.text(term));
            let code = JsonLdErrorCode::InvalidContextNullification;
            return Err(JsonLdError::new(code, message, &local.document, local.value));
        }
        let mut fresh = result.anew(self.serial());
        if !call.propagate {
            fresh.previous = Some(Rc::clone(result));
        }
        Ok(Rc::new(fresh))
    }

    /// Context Processing 5.2: a URL.
    fn process_remote(
        &mut self,
        result: Rc<ActiveContext>,
        local: &LocalContext,
        call: &ContextCall,
    ) -> JsonLdOutcome<Rc<ActiveContext>> {
        let reference = local.document.string(local.value).unwrap_or_default();
        let url: Rc<str> = self.resolve_url(&reference, local)?.into();
        // Step 5.2.2: a scoped context that includes itself ends here.
        if !call.validate_scoped && call.remote_contexts.contains(&url) {
            return Ok(result);
        }
        if call.remote_contexts.contains(&url) && self.is_1_0() {
            return Err(self.chain_error(JsonLdErrorCode::RecursiveContextInclusion, call, local, &url));
        }
        if call.remote_contexts.len() >= MOST_REMOTE_CONTEXTS {
            return Err(self.chain_error(JsonLdErrorCode::ContextOverflow, call, local, &url));
        }
        let remote = self.load(&url, local)?;
        let context = remote.document.get(remote.document.root(), "@context").ok_or_else(|| {
            JsonLdError::new(
                JsonLdErrorCode::InvalidRemoteContext,
                format!("`{}` contains no object with `@context`", iri::without_userinfo(&url)),
                &local.document,
                local.value,
            )
        })?;
        let loaded = LocalContext {
            document: remote.document,
            value: context,
            base_url: Some(remote.document_url.as_str().into()),
        };
        // The other contexts of the array are not part of the remote context, and so are not remote.
        let mut inner = ContextCall { propagate: true, ..call.clone() };
        inner.remote_contexts.push(url);
        self.process_anew(&result, &loaded, inner).map_err(|mut error| {
            // An error about a cycle of contexts is reported where the document names one of them.
            if matches!(
                error.code,
                JsonLdErrorCode::ContextOverflow | JsonLdErrorCode::RecursiveContextInclusion
            ) {
                error.place = Some((Arc::clone(&local.document), local.value));
            }
            error
        })
    }

    fn chain_error(
        &self,
        code: JsonLdErrorCode,
        call: &ContextCall,
        local: &LocalContext,
        url: &str,
    ) -> Box<JsonLdError> {
        let mut chain: Vec<&str> = call.remote_contexts.iter().map(AsRef::as_ref).collect();
        let first = chain.iter().position(|&seen| seen == url).unwrap_or(0);
        let again =
            chain[first + 1..].iter().position(|&seen| seen == url).map_or(chain.len(), |at| first + 1 + at);
        chain.truncate(again);
        chain.push(url);
        let chain: Vec<String> =
            chain.iter().take(8).map(|url| format!("`{}`", iri::without_userinfo(url))).collect();
        JsonLdError::new(
            code,
            format!("contexts include each other: {}", chain.join(" → ")),
            &local.document,
            local.value,
        )
    }

    fn resolve_url(&self, reference: &str, local: &LocalContext) -> JsonLdOutcome<String> {
        if let Some(base) = &local.base_url
            && let Some(url) = iri::resolve(reference, base)
        {
            return Ok(url);
        }
        if iri::is_iri(reference) {
            return Ok(reference.to_owned());
        }
        let code = JsonLdErrorCode::LoadingRemoteContextFailed;
        let message = format!("the context `{reference}` is relative, and its base is unknown");
        Err(JsonLdError::new(code, message, &local.document, local.value)
            .with_help(help!["say where the document lives with ", setting("document-url").to("IRI")]))
    }

    fn load(&mut self, url: &str, local: &LocalContext) -> JsonLdOutcome<RemoteDocument> {
        if let Some(remote) = self.loaded.get(url) {
            return Ok(remote.clone());
        }
        match self.loader.load(url, &LoadDocumentOptions::for_context()) {
            Ok(remote) => {
                self.loaded.insert(url.to_owned(), remote.clone());
                Ok(remote)
            }
            Err(error) => Err(load_error(&error, url, local)),
        }
    }

    /// Context Processing 5.3 to 5.13: a context definition.
    fn process_object(
        &mut self,
        result: Rc<ActiveContext>,
        local: &LocalContext,
        call: &ContextCall,
    ) -> JsonLdOutcome<Rc<ActiveContext>> {
        if call.nesting > MOST_NESTED_CONTEXTS {
            let message = format!("more than {MOST_NESTED_CONTEXTS} contexts inside each other's terms");
            return Err(JsonLdError::new(
                JsonLdErrorCode::ContextOverflow,
                message,
                &local.document,
                local.value,
            ));
        }
        // A context that only this array uses is changed in place, because a copy for each item would take quadratic
        // time.
        let serial = self.serial();
        let mut context = Rc::try_unwrap(result).unwrap_or_else(|shared| shared.derive(serial));
        context.serial = serial;
        let imported = self.import(local)?;
        let entries = LocalEntries::new(local, imported.as_ref());
        self.check_version(&entries)?;
        // Context Processing 5.7: a remote context does not change the base.
        if call.remote_contexts.is_empty() {
            self.set_base(&mut context, &entries)?;
        }
        self.set_vocab(&mut context, &entries)?;
        self.set_language_and_direction(&mut context, &entries)?;
        if let Some(entry) = entries.find("@propagate") {
            if self.is_1_0() {
                return Err(entries.error(
                    entry,
                    JsonLdErrorCode::InvalidContextEntry,
                    only_1_1("@propagate"),
                ));
            }
            if !matches!(entries.kind(entry), JsonKind::True | JsonKind::False) {
                let message = format!("`{}` is not `true` or `false`", entries.shown(entry));
                return Err(entries.error(entry, JsonLdErrorCode::InvalidPropagateValue, message));
            }
        }
        let protected = self.protected(&entries)?;
        let mut creation = TermCreation::new(&mut context, &entries, call, protected);
        for entry in 0..entries.len() {
            if !is_context_keyword(entries.term(entry)) {
                self.create_term_definition(&mut creation, entry)?;
            }
        }
        Ok(Rc::new(context))
    }

    fn protected(&self, entries: &LocalEntries<'_>) -> JsonLdOutcome<bool> {
        let Some(entry) = entries.find("@protected") else { return Ok(false) };
        match entries.kind(entry) {
            _ if self.is_1_0() => {
                Err(entries.error(entry, JsonLdErrorCode::InvalidContextEntry, only_1_1("@protected")))
            }
            JsonKind::True => Ok(true),
            JsonKind::False => Ok(false),
            _ => {
                let message = format!("`{}` is not `true` or `false`", entries.shown(entry));
                Err(entries.error(entry, JsonLdErrorCode::InvalidProtectedValue, message))
            }
        }
    }

    /// Context Processing 5.5: `@version`.
    fn check_version(&self, entries: &LocalEntries<'_>) -> JsonLdOutcome {
        let Some(entry) = entries.find("@version") else { return Ok(()) };
        let is_1_1 = entries.number(entry).and_then(|number| number.parse::<f64>().ok()) == Some(1.1);
        if !is_1_1 {
            let message =
                format!("`@version` is `{}`, but the only version is the number 1.1", entries.shown(entry));
            return Err(entries.error(entry, JsonLdErrorCode::InvalidVersionValue, message));
        }
        if self.is_1_0() {
            let message = "the context requires JSON-LD 1.1, but the processing mode is 1.0";
            return Err(entries.error(entry, JsonLdErrorCode::ProcessingModeConflict, message));
        }
        Ok(())
    }

    /// Context Processing 5.6: `@import`, the context whose entries this one overrides.
    fn import(&mut self, local: &LocalContext) -> JsonLdOutcome<Option<LocalContext>> {
        let document = &local.document;
        let Some(value) = document.get(local.value, "@import") else { return Ok(None) };
        let fail = |code, message: String| Err(JsonLdError::new(code, message, document, value));
        if self.is_1_0() {
            return fail(JsonLdErrorCode::InvalidContextEntry, only_1_1("@import"));
        }
        let Some(reference) = document.string(value) else {
            let message = format!("`{}` is not the URL of a context", shorten(document.raw(value)));
            return fail(JsonLdErrorCode::InvalidImportValue, message);
        };
        let place = LocalContext { value, ..local.clone() };
        let url = self.resolve_url(&reference, &place)?;
        let remote = self.load(&url, &place)?;
        let context = remote
            .document
            .get(remote.document.root(), "@context")
            .filter(|&context| remote.document.is_object(context));
        let Some(context) = context else {
            let message =
                format!("`{}` contains no object with an object as `@context`", iri::without_userinfo(&url));
            return fail(JsonLdErrorCode::InvalidRemoteContext, message);
        };
        if remote.document.get(context, "@import").is_some() {
            let message =
                format!("the imported context `{}` imports another one", iri::without_userinfo(&url));
            return fail(JsonLdErrorCode::InvalidContextEntry, message);
        }
        Ok(Some(LocalContext { document: remote.document, value: context, base_url: Some(url.into()) }))
    }

    /// Context Processing 5.7: `@base`.
    fn set_base(&mut self, context: &mut ActiveContext, entries: &LocalEntries<'_>) -> JsonLdOutcome {
        let Some(entry) = entries.find_own("@base") else { return Ok(()) };
        let invalid = |message: String| Err(entries.error(entry, JsonLdErrorCode::InvalidBaseIri, message));
        if entries.kind(entry) == JsonKind::Null {
            context.base_iri = None;
            return Ok(());
        }
        let Some(value) = entries.string(entry) else {
            return invalid(format!("`{}` is not an IRI or null", entries.shown(entry)));
        };
        // An invalid base is accepted, too. IRIs that are resolved against it are dropped later, with their places.
        let resolved = match iri::scheme_length(value.as_bytes()) {
            Some(_) => Some(value.to_string()),
            None => context.base_iri.as_deref().and_then(|base| iri::resolve(&value, base)),
        };
        match resolved {
            Some(resolved) if resolved.len() > iri::LONGEST_BASE => invalid(iri::too_long("a base")),
            Some(resolved) => {
                context.base_iri = Some(resolved.into());
                Ok(())
            }
            None => invalid(format!(
                "`{value}` is not an absolute IRI, and there is no base to resolve it against"
            )),
        }
    }

    /// Context Processing 5.8: `@vocab`.
    fn set_vocab(&mut self, context: &mut ActiveContext, entries: &LocalEntries<'_>) -> JsonLdOutcome {
        let Some(entry) = entries.find("@vocab") else { return Ok(()) };
        let invalid =
            |message: String| Err(entries.error(entry, JsonLdErrorCode::InvalidVocabMapping, message));
        if entries.kind(entry) == JsonKind::Null {
            context.vocab = None;
            return Ok(());
        }
        let Some(value) = entries.string(entry) else {
            return invalid(format!("`{}` is not an IRI or null", entries.shown(entry)));
        };
        if self.is_1_0() && !(value.starts_with("_:") || iri::scheme_length(value.as_bytes()).is_some()) {
            return invalid(format!("`{value}` is not an absolute IRI"));
        }
        context.vocab = match self.expand_iri(context, &value, RelativeIriRule::VocabThenDocument) {
            Some(name) if self.names.text(name).len() > iri::LONGEST_BASE => {
                return invalid(iri::too_long("a vocabulary"));
            }
            Some(name) if self.names.keyword(name).is_none() => Some(name),
            _ => return invalid(format!("`{value}` is not an IRI")),
        };
        Ok(())
    }

    /// Context Processing 5.9 and 5.10: `@language` and `@direction`.
    fn set_language_and_direction(
        &mut self,
        context: &mut ActiveContext,
        entries: &LocalEntries<'_>,
    ) -> JsonLdOutcome {
        if let Some(entry) = entries.find("@language") {
            context.language = match (entries.kind(entry), entries.string(entry)) {
                (JsonKind::Null, _) => None,
                (_, Some(language)) => Some(self.names.intern(&language)),
                _ => {
                    let message = format!("`{}` is not a language tag or null", entries.shown(entry));
                    return Err(entries.error(entry, JsonLdErrorCode::InvalidDefaultLanguage, message));
                }
            };
        }
        if let Some(entry) = entries.find("@direction") {
            if self.is_1_0() {
                return Err(entries.error(
                    entry,
                    JsonLdErrorCode::InvalidContextEntry,
                    only_1_1("@direction"),
                ));
            }
            let direction = entries.string(entry).and_then(|text| BaseDirection::from_text(&text));
            if direction.is_none() && entries.kind(entry) != JsonKind::Null {
                let message = format!("`{}` is not `ltr`, `rtl` or null", entries.shown(entry));
                return Err(entries.error(entry, JsonLdErrorCode::InvalidBaseDirection, message));
            }
            context.direction = direction;
        }
        Ok(())
    }
}

fn is_context_keyword(term: &str) -> bool {
    matches!(
        Keyword::from_text(term),
        Some(
            Keyword::Base
                | Keyword::Direction
                | Keyword::Import
                | Keyword::Language
                | Keyword::Propagate
                | Keyword::Protected
                | Keyword::Version
                | Keyword::Vocab
        )
    )
}

pub(crate) fn only_1_1(what: &str) -> String {
    format!("`{what}` belongs to JSON-LD 1.1, but the processing mode is 1.0")
}

fn load_error(error: &LoadError, url: &str, local: &LocalContext) -> Box<JsonLdError> {
    let is_web = ["http:", "https:"].iter().any(|scheme| url.starts_with(scheme));
    let url = iri::without_userinfo(url);
    let code = JsonLdErrorCode::LoadingRemoteContextFailed;
    let fail = |message: String| JsonLdError::new(code, message, &local.document, local.value);
    match error {
        LoadError::Unknown if url.starts_with("file:") => {
            fail(format!("there is no file for the context `{url}`"))
        }
        LoadError::Unknown if !is_web => fail(format!("the context `{url}` is neither built in nor mapped")),
        LoadError::Unknown => fail(format!("the context `{url}` is not built in, and the network is off"))
            .with_help(help![
                "save it as a file and name the file: ",
                setting("map").to(format!("{url}=PATH"))
            ])
            .with_help(help!["or let it be read: ", setting("net")]),
        LoadError::Unreadable(reason) => fail(format!("the context `{url}` cannot be read: {reason}")),
        LoadError::Failed(failure) => {
            let mut error = fail(format!("the context `{url}` cannot be loaded: {}", failure.message));
            error.help.extend(failure.help.clone());
            error
        }
        LoadError::Forbidden => fail(format!("the context `{url}` lies outside the folder of the document"))
            .with_help(help!["name the file to allow it: ", setting("map").to(format!("{url}=PATH"))]),
    }
}
