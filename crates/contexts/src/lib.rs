//! The JSON-LD contexts that are built in and need no network: schema.org's and Karenina's.
//!
//! schema.org's context is generated on first use, from `schema_org.tsv`, the facts of release 30.0 (19 March 2026),
//! and `schema_org_prefixes.tsv`. The coercions follow from the ranges by the rule of schema.org's own generator: a
//! range with `Text` gives none; otherwise a range with `URL` gives `@id`, and one with `Date` gives `Date`. Releases
//! after 30.0 will have no coercions: their context is `@vocab`, the aliases and the prefixes. `evalgraph-schema-org`
//! reads the same table.

use evalgraph_json::{JsonDocument, Limits, parse};
use evalgraph_jsonld::{DocumentLoader, LoadDocumentOptions, LoadError, RemoteDocument};
use evalgraph_rdf::vocabulary::EVALGRAPH_CONTEXT;
use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

/// The facts of schema.org's vocabulary. The first line names the columns; then comes one line for each term and kind,
/// sorted by name.
pub static SCHEMA_ORG_FACTS: &str = include_str!("schema_org.tsv");

/// The prefixes of schema.org's context. The first line names the columns; then comes one line for each prefix, sorted
/// by name.
static SCHEMA_ORG_PREFIXES: &str = include_str!("schema_org_prefixes.tsv");

/// The beginning of schema.org's context: its vocabulary, and all entries that are neither prefixes nor terms of
/// schema.org.
const SCHEMA_ORG_HEAD: &str = r#"{
"@context": {
"@vocab": "http://schema.org/",
"type": "@type",
"id": "@id",
"HTML": {"@id": "rdf:HTML"}"#;

/// The paths below schema.org at which its context is found.
const SCHEMA_ORG_PATHS: [&str; 4] = ["", "/", "/docs/jsonldcontext.jsonld", "/docs/jsonldcontext.json"];

/// The name of the context in the early sample of the Karenina user interface, relative to the folder in which the
/// program ran.
const SAMPLE_CONTEXT_PATH: &str = "/contexts/schema-org.jsonld";

static SCHEMA_ORG: OnceLock<Arc<JsonDocument>> = OnceLock::new();
static KARENINA: OnceLock<Arc<JsonDocument>> = OnceLock::new();
static KARENINA_SPEC: OnceLock<Arc<JsonDocument>> = OnceLock::new();
static KARENINA_GUI: OnceLock<Arc<JsonDocument>> = OnceLock::new();

/// Loads the contexts that are part of the program.
///
/// It knows `http(s)://schema.org`, with or without `www.` and a final slash, the addresses of its context document,
/// and `urn:evalgraph:context:NAME` for each of [`BuiltIn::NAMES`].
///
/// ```
/// use evalgraph_contexts::BuiltIn;
/// use evalgraph_jsonld::{DocumentLoader, LoadDocumentOptions};
///
/// let remote = BuiltIn
///     .load("https://schema.org/", &LoadDocumentOptions::for_context())
///    .expect("schema.org is built in");
/// assert_eq!(remote.document_url, "https://schema.org/");
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct BuiltIn;

impl BuiltIn {
    /// The names of the contexts.
    pub const NAMES: [&'static str; 4] = ["karenina", "karenina-spec", "karenina-gui", "schema.org"];

    /// Returns the context with this name, if there is one. It is parsed once, on first use.
    pub fn named(name: &str) -> Option<Arc<JsonDocument>> {
        let document = match name {
            "karenina" => parsed(&KARENINA, name, include_str!("karenina.jsonld")),
            "karenina-spec" => parsed(&KARENINA_SPEC, name, include_str!("karenina_spec.jsonld")),
            "karenina-gui" => parsed(&KARENINA_GUI, name, include_str!("karenina_gui.jsonld")),
            "schema.org" => schema_org(),
            _ => return None,
        };
        Some(Arc::clone(document))
    }
}

impl DocumentLoader for BuiltIn {
    fn load(&self, url: &str, _options: &LoadDocumentOptions) -> Result<RemoteDocument, LoadError> {
        let name = if is_schema_org_context(url) {
            "schema.org"
        } else {
            url.strip_prefix(EVALGRAPH_CONTEXT).unwrap_or_default()
        };
        let document = Self::named(name).ok_or(LoadError::Unknown)?;
        Ok(RemoteDocument::new(url, document))
    }
}

/// Loads the one context that a hand-made sample of a checkpoint names by a path of its own repository,
/// `src/contexts/schema-org.jsonld`: the context of the specification.
///
/// Use it after the loader of local files, which returns [`LoadError::Unknown`] for a missing file: a real file beside
/// the document takes precedence.
#[derive(Debug, Clone, Copy, Default)]
pub struct CheckpointSampleContext;

impl DocumentLoader for CheckpointSampleContext {
    fn load(&self, url: &str, _options: &LoadDocumentOptions) -> Result<RemoteDocument, LoadError> {
        if !url.ends_with(SAMPLE_CONTEXT_PATH) {
            return Err(LoadError::Unknown);
        }
        let document = BuiltIn::named("karenina-spec").ok_or(LoadError::Unknown)?;
        Ok(RemoteDocument::new(url, document))
    }
}

/// Returns whether schema.org offers its context at a URL.
pub fn is_schema_org_context(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")) else {
        return false;
    };
    let Some(path) = rest.strip_prefix("www.").unwrap_or(rest).strip_prefix("schema.org") else {
        return false;
    };
    SCHEMA_ORG_PATHS.contains(&path)
}

fn schema_org() -> &'static Arc<JsonDocument> {
    SCHEMA_ORG.get_or_init(|| parse_own("schema.org", schema_org_text()))
}

/// The text of schema.org's context, one term per line.
fn schema_org_text() -> String {
    let mut text = String::with_capacity(SCHEMA_ORG_FACTS.len() * 2);
    text.push_str(SCHEMA_ORG_HEAD);
    for (prefix, namespace) in SCHEMA_ORG_PREFIXES.lines().skip(1).filter_map(|line| line.split_once('\t')) {
        // Writing to a string cannot fail.
        let _ = write!(text, ",\n\"{prefix}\": \"{namespace}\"");
    }
    let mut last = "";
    for line in SCHEMA_ORG_FACTS.lines().skip(1) {
        let mut columns = line.split('\t');
        let (kind, term) = (columns.next().unwrap_or_default(), columns.next().unwrap_or_default());
        // A term of two kinds has two lines, and is written once.
        if std::mem::replace(&mut last, term) == term {
            continue;
        }
        let coercion = columns.nth(2).filter(|_| kind == "P").and_then(coercion);
        let _ = match coercion {
            Some(coercion) => {
                write!(text, ",\n\"{term}\": {{\"@id\": \"schema:{term}\", \"@type\": \"{coercion}\"}}")
            }
            None => write!(text, ",\n\"{term}\": {{\"@id\": \"schema:{term}\"}}"),
        };
    }
    text.push_str("\n}\n}\n");
    text
}

/// The coercion of a property with this range.
fn coercion(range: &str) -> Option<&'static str> {
    let has = |class| range.split(' ').any(|name| name == class);
    match (has("Text"), has("URL"), has("Date")) {
        (false, true, _) => Some("@id"),
        (false, false, true) => Some("Date"),
        _ => None,
    }
}

fn parsed(place: &'static OnceLock<Arc<JsonDocument>>, name: &str, text: &str) -> &'static Arc<JsonDocument> {
    place.get_or_init(|| parse_own(name, text.to_owned()))
}

fn parse_own(name: &str, text: String) -> Arc<JsonDocument> {
    let document = parse(format!("built-in context {name}"), text, Limits::default());
    Arc::new(document.expect("the built-in contexts are well-formed JSON"))
}
