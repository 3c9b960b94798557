//! The errors of the API (section 9.6, `JsonLdErrorCode`), with their places.

use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::FindingHelp;
use evalgraph_json::{JsonDocument, TokenId};
use std::fmt;
use std::sync::Arc;

/// The table of codes: a name in Rust, the name in messages, and a sentence about the error.
macro_rules! codes {
    ($(#[$attribute:meta])* $codes:ident: $($name:ident = $code:literal, $sentence:literal;)*) => {
        $(#[$attribute])*
        pub enum $codes {
            $(#[doc = $sentence] $name,)*
        }

        impl $codes {
            /// All codes.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The stable name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// Returns a sentence about the error.
            pub fn sentence(self) -> &'static str {
                match self { $(Self::$name => $sentence,)* }
            }
        }
    };
}

pub(super) use codes;

codes! {
    /// The codes of the specification, in its spelling.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    JsonLdErrorCode:
    CollidingKeywords = "colliding keywords", "Two keys expand to the same keyword.";
    CompactionToListOfLists = "compaction to list of lists", "Two lists would become one, in processing mode 1.0.";
    ConflictingIndexes = "conflicting indexes", "One node has two indexes.";
    ContextOverflow = "context overflow", "Too many remote contexts include each other.";
    CyclicIriMapping = "cyclic IRI mapping", "Terms are defined by each other.";
    FramingLimit = "framing::limit", "The result of framing nests too deep or grows too large; the specification names no code.";
    IriConfusedWithPrefix = "IRI confused with prefix", "An IRI would be read as a compact IRI.";
    InvalidBaseDirection = "invalid base direction", "`@direction` is not `ltr`, `rtl` or null.";
    InvalidBaseIri = "invalid base IRI", "`@base` is not an IRI reference or null.";
    InvalidContainerMapping = "invalid container mapping", "`@container` is not a container keyword or combination.";
    InvalidContextEntry = "invalid context entry", "A context contains a keyword that does not belong there.";
    InvalidContextNullification = "invalid context nullification", "A null context would drop protected terms.";
    InvalidDefaultLanguage = "invalid default language", "`@language` of a context is not a string or null.";
    InvalidEmbedValue = "invalid @embed value", "`@embed` is not `@once`, `@always` or `@never`.";
    InvalidFrame = "invalid frame", "A frame is not one object, or requires something that no node has.";
    InvalidIdValue = "invalid @id value", "`@id` is not a string.";
    InvalidImportValue = "invalid @import value", "`@import` is not a string.";
    InvalidIncludedValue = "invalid @included value", "`@included` contains something other than nodes.";
    InvalidIndexValue = "invalid @index value", "`@index` is not a string.";
    InvalidIriMapping = "invalid IRI mapping", "A term has no IRI, or one that does not fit.";
    InvalidJsonLiteral = "invalid JSON literal", "The lexical form of an `rdf:JSON` literal is not JSON.";
    InvalidKeywordAlias = "invalid keyword alias", "A keyword that cannot have an alias has one.";
    InvalidLanguageMapValue = "invalid language map value", "A language map contains something other than strings.";
    InvalidLanguageMapping = "invalid language mapping", "`@language` of a term is not a string or null.";
    InvalidLanguageTaggedString = "invalid language-tagged string", "The language of a value is not a string.";
    InvalidLanguageTaggedValue = "invalid language-tagged value", "A value with a language is not a string.";
    InvalidLocalContext = "invalid local context", "A context is neither string, object, array nor null.";
    InvalidNestValue = "invalid @nest value", "`@nest` does not contain objects, or names a keyword.";
    InvalidPrefixValue = "invalid @prefix value", "`@prefix` is not a boolean.";
    InvalidPropagateValue = "invalid @propagate value", "`@propagate` is not a boolean.";
    InvalidProtectedValue = "invalid @protected value", "`@protected` is not a boolean.";
    InvalidRemoteContext = "invalid remote context", "A remote context is not an object with `@context`.";
    InvalidReverseProperty = "invalid reverse property", "A reverse term has entries that do not fit.";
    InvalidReversePropertyMap = "invalid reverse property map", "`@reverse` contains a keyword.";
    InvalidReversePropertyValue = "invalid reverse property value", "A reverse property has a value that is not a node.";
    InvalidReverseValue = "invalid @reverse value", "`@reverse` is not an object.";
    InvalidScopedContext = "invalid scoped context", "The context of a term is invalid.";
    InvalidScriptElement = "invalid script element", "A script of a page is not JSON.";
    InvalidSetOrListObject = "invalid set or list object", "A set or list object has entries that do not fit.";
    InvalidTermDefinition = "invalid term definition", "The definition of a term has entries that do not fit.";
    InvalidTypeMapping = "invalid type mapping", "`@type` of a term is not an IRI or a type keyword.";
    InvalidTypeValue = "invalid type value", "`@type` is neither a string nor an array of strings.";
    InvalidTypedValue = "invalid typed value", "The type of a value is not an IRI.";
    InvalidValueObject = "invalid value object", "A value object has entries that do not fit.";
    InvalidValueObjectValue = "invalid value object value", "`@value` is neither a scalar nor null.";
    InvalidVersionValue = "invalid @version value", "`@version` is not 1.1.";
    InvalidVocabMapping = "invalid vocab mapping", "`@vocab` is not an IRI, a blank node or null.";
    KeywordRedefinition = "keyword redefinition", "A keyword is defined as a term.";
    ListOfLists = "list of lists", "A list in a list, in processing mode 1.0.";
    LoadingDocumentFailed = "loading document failed", "The document cannot be loaded.";
    LoadingRemoteContextFailed = "loading remote context failed", "A remote context cannot be loaded.";
    MultipleContextLinkHeaders = "multiple context link headers", "A server names more than one context.";
    ProcessingModeConflict = "processing mode conflict", "A 1.1 feature in processing mode 1.0.";
    ProtectedTermRedefinition = "protected term redefinition", "A protected term is redefined.";
    Rdf12 = "rdf::version", "A key of RDF 1.2; the specification names no code.";
    RecursiveContextInclusion = "recursive context inclusion", "A remote context includes itself.";
}

impl fmt::Display for JsonLdErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An error of the processor: the specification's code, the place, a message and help.
#[derive(Debug, Clone)]
pub struct JsonLdError {
    /// The specification's code.
    pub code: JsonLdErrorCode,
    /// The message, with the offending text in backticks.
    pub message: String,
    /// The document of the error, which may be a context, and the faulty key or value.
    pub place: Option<(Arc<JsonDocument>, TokenId)>,
    /// How to fix it, if that is known.
    pub help: Vec<FindingHelp>,
}

/// The result of a step of the algorithms, or the error that ends it.
pub(super) type JsonLdOutcome<T = ()> = Result<T, Box<JsonLdError>>;

impl JsonLdError {
    pub(super) fn new(
        code: JsonLdErrorCode,
        message: impl Into<String>,
        document: &Arc<JsonDocument>,
        token: TokenId,
    ) -> Box<Self> {
        Box::new(Self {
            code,
            message: message.into(),
            place: Some((Arc::clone(document), token)),
            help: Vec::new(),
        })
    }

    /// Makes an error that has no place in a JSON document.
    pub(super) fn without_place(code: JsonLdErrorCode, message: impl Into<String>) -> Box<Self> {
        Box::new(Self { code, message: message.into(), place: None, help: Vec::new() })
    }

    pub(super) fn with_help(mut self: Box<Self>, help: impl Into<FindingHelp>) -> Box<Self> {
        self.help.push(help.into());
        self
    }

    /// Returns the error as a finding with its place. Cost: a pass over the text.
    pub fn diagnostic(&self) -> Diagnostic {
        let mut diagnostic = Diagnostic::error(self.code.as_str(), self.message.clone());
        if let Some((document, token)) = &self.place {
            diagnostic = diagnostic.at(document.place(*token));
        }
        diagnostic.help.clone_from(&self.help);
        diagnostic
    }
}

impl fmt::Display for JsonLdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for JsonLdError {}
