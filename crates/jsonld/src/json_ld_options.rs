//! The options of the API (section 9.3, `JsonLdOptions`) and of the command line.

use super::remote::remote_document::RemoteDocument;
use evalgraph_json::{JsonDocument, TokenId};
use evalgraph_rdf::iri;
use hashbrown::{HashMap, HashSet};
use std::sync::Arc;

/// `processingMode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProcessingMode {
    /// The rules of JSON-LD 1.0.
    JsonLd1_0,
    /// The rules of JSON-LD 1.1.
    #[default]
    JsonLd1_1,
}

/// `rdfDirection`: how a base direction is written in RDF.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RdfDirection {
    /// As a datatype IRI with language and direction.
    I18nDatatype,
    /// As a blank node with value, language and direction.
    CompoundLiteral,
}

/// `embed`: whether a node is embedded instead of a reference to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JsonLdEmbed {
    /// `@always`: at every reference, unless that would make a cycle.
    Always,
    /// `@once`: the first time within each result.
    #[default]
    Once,
    /// `@never`: references stay.
    Never,
    /// `@last` of JSON-LD 1.0: the last time within each result. Frames may ask for it in
    /// processing mode 1.0.
    Last,
}

/// The options of framing. Frames can override them.
#[derive(Debug, Clone, Copy, Default)]
pub struct FramingOptions {
    /// `embed`.
    pub embed: JsonLdEmbed,
    /// `explicit`: the result has only the properties that the frame mentions.
    pub explicit: bool,
    /// `omitDefault`: properties of the frame that a node lacks are left out instead of being null.
    pub omit_default: bool,
    /// `requireAll`: a node has to match every property of the frame, not just one.
    pub require_all: bool,
    /// `omitGraph`: `true` if a single result is not put into `@graph`. By default `true` in processing mode 1.1 and
    /// `false` in 1.0.
    pub omit_graph: Option<bool>,
    /// How many arrays and objects of the result may be nested, counted in expanded form; 512 by default, as for JSON
    /// texts.
    pub max_depth: Option<usize>,
}

/// The options of the operations.
#[derive(Debug, Clone)]
pub struct JsonLdOptions {
    /// `base`: overrides the document's own URL; relative IRIs are resolved against it.
    pub base: Option<String>,
    /// The URL of the document: the base of relative contexts, and the base IRI if `base` is absent.
    pub document_url: Option<String>,
    /// The base of relative contexts, if it is not the URL of the document: a local file has a folder but no base IRI.
    pub context_base: Option<String>,
    /// The URL of the context or frame given to an operation: the base of relative contexts in it. Without it, the base
    /// is that of the document's contexts.
    pub argument_url: Option<String>,
    /// `expandContext`: a document that is a context or has one.
    pub expand_context: Option<Arc<JsonDocument>>,
    /// `contextUrl` of the remote document: a context that is processed before those of the document.
    pub context_url: Option<String>,
    /// `processingMode`.
    pub processing_mode: ProcessingMode,
    /// `ordered`: keys are processed in code point order.
    pub ordered: bool,
    /// `rdfDirection`.
    pub rdf_direction: Option<RdfDirection>,
    /// `produceGeneralizedRdf`: blank nodes may be predicates.
    pub produce_generalized_rdf: bool,
    /// `compactArrays`: arrays of one value become that value. On by default.
    pub compact_arrays: bool,
    /// `compactToRelative`: IRIs become relative to `base` or to the URL of the document. On by
    /// default.
    pub compact_to_relative: bool,
    /// `useNativeTypes`: RDF booleans, integers and doubles become JSON's.
    pub use_native_types: bool,
    /// `useRdfType`: `rdf:type` stays a property instead of becoming `@type`.
    pub use_rdf_type: bool,
    /// The options of framing.
    pub framing: FramingOptions,
}

impl Default for JsonLdOptions {
    fn default() -> Self {
        Self {
            base: None,
            document_url: None,
            context_base: None,
            argument_url: None,
            context_url: None,
            expand_context: None,
            processing_mode: ProcessingMode::default(),
            ordered: false,
            rdf_direction: None,
            produce_generalized_rdf: false,
            compact_arrays: true,
            compact_to_relative: true,
            use_native_types: false,
            use_rdf_type: false,
            framing: FramingOptions::default(),
        }
    }
}

impl JsonLdOptions {
    /// Returns the options for a document that a loader found: its URL, the context that its server names, and the
    /// `base` of a page, which is resolved against the `base` of these options.
    #[must_use]
    pub fn for_remote(&self, remote: &RemoteDocument) -> Self {
        let mut options = self.clone();
        options.document_url = Some(remote.document_url.clone());
        options.context_url.clone_from(&remote.context_url);
        if let (Some(base), Some(href)) = (&self.base, &remote.base_href) {
            options.base = iri::resolve(href, base);
        }
        options
    }
}

/// Replacements for the values of `@id` entries: the token of the value, and the new id.
pub type ReplacedIds = HashMap<TokenId, String>;

/// The changes that loading makes in addition to the specification. The processor counts each of them.
///
/// The default is the specification's plain conversion.
#[derive(Debug, Clone, Default)]
pub struct LoadMode {
    /// `https://schema.org/` and the `www` forms become `http://schema.org/`.
    pub one_schema_org: bool,
    /// An id that is not an absolute IRI is not dropped, but gets this prefix and is percent-encoded:
    /// `urn:evalgraph:{system}:{dataset}:`.
    pub mint_below: Option<String>,
    /// The ids that are replaced.
    pub replaced_ids: ReplacedIds,
    /// Property values that become one `rdf:JSON` literal each, whatever they contain.
    pub json_values: HashSet<TokenId>,
}
