//! The context of a rewritten document, in two versions: as in the document, and with all contexts inlined that it
//! refers to, so it means the same wherever it is read.

use evalgraph_contexts::{BuiltIn, is_schema_org_context};
use evalgraph_json::{
    JsonDocument, JsonKind, Limits, TokenId, minified::write_minified, parse, write_string,
};
use evalgraph_jsonld::{DocumentLoader, LoadDocumentOptions};
use evalgraph_rdf::iri;
use evalgraph_rdf::vocabulary::SCHEMA_ORG;
use hashbrown::HashMap;
use std::borrow::Cow;
use std::sync::Arc;

/// The texts of the contexts that a context refers to, by the reference.
pub type RemoteContexts = HashMap<String, String>;

/// The maximum depth of references between contexts.
const MOST_REMOTE: usize = 10;

/// A context, prepared for writing and for compaction.
#[derive(Debug)]
pub struct RewritingContext {
    /// The value of `@context` as written in the document, without white space; `None` if the document has none.
    pub(super) own: Option<String>,
    pub(super) inlined: Arc<JsonDocument>,
    pub(super) is_plain: bool,
    /// The prefixes of IRIs that the context may shorten.
    namespaces: Vec<String>,
    /// The form of schema.org's namespace that the context uses.
    pub(super) schema_org: &'static str,
}

impl RewritingContext {
    /// Makes a context from its text; references are looked up among the remote texts and the built-in contexts.
    pub fn new(own: Option<String>, remote: &RemoteContexts) -> Self {
        let text = own.as_deref().unwrap_or("{}");
        let mut inlined = String::from("{\"@context\":");
        let parsed = |text: String| parse("context", text, Limits::default()).ok();
        let is_known = parsed(text.to_owned())
            .is_some_and(|document| inline(&document, document.root(), remote, MOST_REMOTE, &mut inlined));
        inlined.push('}');
        let document = if is_known { parsed(inlined) } else { None };
        let is_found = document.is_some();
        let document = document.unwrap_or_else(|| {
            parsed("{\"@context\":{}}".to_owned()).expect("an empty context is well-formed JSON")
        });
        let value = context_of(&document);
        let is_plain = is_found && is_plain(&document, value);
        let mut strings = Vec::new();
        collect_strings(&document, value, &mut strings);
        let has = |namespace: &str| strings.iter().any(|text| text.starts_with(namespace));
        let aliases = ["https://schema.org/", "http://www.schema.org/", "https://www.schema.org/"];
        let alias = aliases.into_iter().find(|alias| has(alias));
        let schema_org = alias.filter(|_| !has(SCHEMA_ORG)).unwrap_or(SCHEMA_ORG);
        strings.retain(|text| text.contains(':'));
        strings.sort_unstable();
        strings.dedup();
        // A string that begins with a shorter one is redundant: the shorter one matches the same IRIs.
        strings.dedup_by(|longer, shorter| longer.starts_with(shorter.as_str()));
        Self { own, inlined: Arc::new(document), is_plain, namespaces: strings, schema_org }
    }

    /// Returns one of the built-in contexts.
    pub fn built_in(name: &str) -> Self {
        let own = BuiltIn::named(name).map(|document| minified(&document, context_of(&document)));
        Self::new(own, &RemoteContexts::new())
    }

    /// Returns whether the values of a key are always in an array, even a single value.
    pub fn is_set(&self, key: &str) -> bool {
        let document = &self.inlined;
        let term = document.get(document.root(), "@context").and_then(|context| document.get(context, key));
        let container = term.and_then(|term| document.get(term, "@container"));
        self.is_plain && container.is_some()
    }

    /// Returns whether the context may have a shorter form of an IRI.
    #[inline]
    pub fn may_shorten(&self, iri: &str) -> bool {
        self.namespaces.iter().any(|namespace| iri.starts_with(namespace.as_str()))
    }
}

/// Returns a value of a document without white space.
pub fn minified(document: &JsonDocument, value: TokenId) -> String {
    let mut text = String::new();
    write_minified(document, value, &mut text);
    text
}

/// Returns the value of `@context`, or the root of a document that is itself a context.
fn context_of(document: &JsonDocument) -> TokenId {
    document.get(document.root(), "@context").unwrap_or(document.root())
}

/// Appends a context in which the contexts that it names are inlined. Returns whether all of those were found.
fn inline(
    document: &JsonDocument,
    value: TokenId,
    remote: &RemoteContexts,
    left: usize,
    text: &mut String,
) -> bool {
    match document.kind(value) {
        JsonKind::Array => {
            text.push('[');
            let mut all = true;
            for (index, item) in document.items(value).enumerate() {
                if index > 0 {
                    text.push(',');
                }
                all &= inline(document, item, remote, left, text);
            }
            text.push(']');
            all
        }
        JsonKind::String | JsonKind::EscapedString => {
            let reference = document.string(value).unwrap_or_default();
            if is_schema_org_context(&reference) {
                write_string(&reference, text);
                return true;
            }
            // The limit ends references that form a cycle.
            let Some(found) = remote.get(reference.as_ref()).filter(|_| left > 0) else { return false };
            let Ok(found) = parse("context", found.clone(), Limits::default()) else { return false };
            inline(&found, found.root(), remote, left - 1, text)
        }
        _ => {
            write_minified(document, value, text);
            true
        }
    }
}

/// Returns the texts of the contexts that a document's context names, except those of schema.org.
pub fn remote_contexts(
    document: &JsonDocument,
    context: TokenId,
    base: Option<&str>,
    loader: &dyn DocumentLoader,
) -> RemoteContexts {
    let mut found = RemoteContexts::new();
    gather_remote(document, context, base, loader, &mut found);
    found
}

fn gather_remote(
    document: &JsonDocument,
    context: TokenId,
    base: Option<&str>,
    loader: &dyn DocumentLoader,
    found: &mut RemoteContexts,
) {
    let single = (!document.is_array(context)).then_some(context);
    for part in document.items(context).chain(single) {
        let Some(reference) = document.string(part) else { continue };
        if is_schema_org_context(&reference)
            || found.contains_key(reference.as_ref())
            || found.len() >= MOST_REMOTE
        {
            continue;
        }
        let url = base.and_then(|base| iri::resolve(&reference, base)).map_or(reference.clone(), Cow::Owned);
        let Ok(remote) = loader.load(&url, &LoadDocumentOptions::for_context()) else { continue };
        let inner = &remote.document;
        let value = context_of(inner);
        found.insert(reference.into_owned(), minified(inner, value));
        gather_remote(inner, value, Some(&remote.document_url), loader, found);
    }
}

/// Returns whether keys and forms of values depend only on property and value.
fn is_plain(document: &JsonDocument, context: TokenId) -> bool {
    match document.kind(context) {
        JsonKind::Null | JsonKind::String | JsonKind::EscapedString => true,
        JsonKind::Array => document.items(context).all(|part| is_plain(document, part)),
        JsonKind::Object => document.members(context).all(|member| {
            let name = document.symbol_text(member.symbol);
            let is_string = document.is_string(member.value);
            match name {
                "@version" | "@language" | "@direction" | "@protected" => true,
                "@vocab" | "@base" => is_string,
                _ if name.starts_with('@') => false,
                _ => {
                    is_string
                        || document.kind(member.value) == JsonKind::Null
                        || is_plain_term(document, member.value)
                }
            }
        }),
        _ => false,
    }
}

fn is_plain_term(document: &JsonDocument, definition: TokenId) -> bool {
    document.is_object(definition)
        && document.members(definition).all(|member| match document.symbol_text(member.symbol) {
            "@id" | "@type" | "@language" | "@direction" | "@protected" | "@prefix" => true,
            "@container" => {
                let mut container = document.items(member.value);
                let value = container.next().unwrap_or(member.value);
                container.next().is_none() && document.string(value).as_deref() == Some("@set")
            }
            _ => false,
        })
}

/// Collects the strings in a context. The name of schema.org's context is replaced by the namespace that it defines.
fn collect_strings(document: &JsonDocument, context: TokenId, strings: &mut Vec<String>) {
    let single = (!document.is_array(context)).then_some(context);
    for part in document.items(context).chain(single) {
        if document.is_string(part) {
            strings.push(SCHEMA_ORG.to_owned());
            continue;
        }
        let tokens = (part.index()..document.after(part).index()).map(TokenId::from_index);
        let values = tokens.filter(|&token| document.is_string(token));
        strings.extend(values.filter_map(|token| document.string(token)).map(Cow::into_owned));
    }
}
