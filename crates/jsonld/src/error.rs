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
    CollidingKeywords = "colliding keywords", "Two keys of one object mean the same keyword, such as `@id` and a term for it, so the document is not read. Keep one of them.";
    CompactionToListOfLists = "compaction to list of lists", "Two lists would become one in processing mode 1.0, so the document is not compacted. Use mode 1.1, or a term whose container is not `@list`.";
    ConflictingIndexes = "conflicting indexes", "One node has two different values of `@index`, so the document is not flattened. Keep one of them, or give the nodes different ids.";
    ContextOverflow = "context overflow", "Remote contexts include each other, or too many are nested, so the document is not read. Put the terms into one context.";
    CyclicIriMapping = "cyclic IRI mapping", "Terms of the context are defined by each other, so they have no IRI, and the document is not read. Write the IRI of one of them in full.";
    FramingLimit = "framing::limit", "The result of framing nests too deeply or grows too large, so it is not written. Use a frame that embeds less.";
    IriConfusedWithPrefix = "IRI confused with prefix", "An IRI would be read as a compact IRI with a term of the context as its prefix, so the document is not compacted. Rename that term, or do not let it be a prefix.";
    InvalidBaseDirection = "invalid base direction", "`@direction` has another value than `ltr`, `rtl` or null, so the document is not read. Write one of these.";
    InvalidBaseIri = "invalid base IRI", "`@base`, or the base that was given, is not an IRI, so the document is not read. Write an absolute IRI, or null for no base.";
    InvalidContainerMapping = "invalid container mapping", "`@container` of a term is not a container keyword, or combines two that exclude each other, so the document is not read. Write for example `@list`, `@set`, `@language` or `@index`.";
    InvalidContextEntry = "invalid context entry", "A context contains a keyword that does not belong there, such as `@import` in an imported context, so the document is not read. Remove the entry.";
    InvalidContextNullification = "invalid context nullification", "A null context would drop protected terms, so the document is not read. Remove the null, or the protection of the terms.";
    InvalidDefaultLanguage = "invalid default language", "`@language` of a context is neither a string nor null, so the document is not read. Write a language tag, such as `en`.";
    InvalidEmbedValue = "invalid @embed value", "`@embed` of a frame has another value than `@once`, `@always` or `@never`, so nothing is framed. Write one of these.";
    InvalidFrame = "invalid frame", "A frame is not one object, or requires something that no node has, so nothing is framed. Write one object, with IRIs in `@id` and `@type`.";
    InvalidIdValue = "invalid @id value", "`@id` of a node is not a string, so the document is not read. Write an IRI in quotes.";
    InvalidImportValue = "invalid @import value", "`@import` of a context is not a string, so the document is not read. Write the IRI of a context, or put its terms into this one.";
    InvalidIncludedValue = "invalid @included value", "`@included` contains something other than nodes, so the document is not read. Write an object with `@id` or with properties.";
    InvalidIndexValue = "invalid @index value", "`@index` is not a string, so the document is not read. Put the value into quotes.";
    InvalidIriMapping = "invalid IRI mapping", "A term of the context has no IRI, or one that is not absolute, so the document is not read. Write the IRI in full, or add `@vocab`.";
    InvalidJsonLiteral = "invalid JSON literal", "The text of an `rdf:JSON` literal is not JSON, so the graph is not written as JSON-LD. Correct the literal.";
    InvalidKeywordAlias = "invalid keyword alias", "A context makes a term for a keyword that cannot have one, such as `@context`, so the document is not read. Remove the term, and write the keyword.";
    InvalidLanguageMapValue = "invalid language map value", "A language map contains something other than strings, so the document is not read. Put the value into quotes, or use a term without the container `@language`.";
    InvalidLanguageMapping = "invalid language mapping", "`@language` of a term is neither a string nor null, so the document is not read. Write one language tag, such as `en`.";
    InvalidLanguageTaggedString = "invalid language-tagged string", "The `@language` of a value is not a string, so the document is not read. Write a language tag, such as `en`.";
    InvalidLanguageTaggedValue = "invalid language-tagged value", "A value that is not a string has a language, so the document is not read. Remove `@language`, or put the value into quotes.";
    InvalidLocalContext = "invalid local context", "A context is neither a string, an object, an array nor null, so the document is not read. Write an object with terms, or the IRI of a context.";
    InvalidNestValue = "invalid @nest value", "`@nest` does not contain objects, or names a keyword, so the document is not read. Put the properties into an object.";
    InvalidPrefixValue = "invalid @prefix value", "`@prefix` of a term is not a boolean, so the document is not read. Write `true` or `false` without quotes.";
    InvalidPropagateValue = "invalid @propagate value", "`@propagate` of a context is not a boolean, so the document is not read. Write `true` or `false` without quotes.";
    InvalidProtectedValue = "invalid @protected value", "`@protected` is not a boolean, so the document is not read. Write `true` or `false` without quotes.";
    InvalidRemoteContext = "invalid remote context", "A context from elsewhere is not an object with the key `@context`, so its terms are unknown, and the document is not read. Check the URL or the file.";
    InvalidReverseProperty = "invalid reverse property", "A term with `@reverse` has an entry that does not fit, such as `@id`, so the document is not read. Remove that entry.";
    InvalidReversePropertyMap = "invalid reverse property map", "`@reverse` contains a keyword instead of properties, so the document is not read. Write the property that leads from the other node to this one.";
    InvalidReversePropertyValue = "invalid reverse property value", "A reverse property has a value that is not a node, so no triple can begin with it, and the document is not read. Write an object with `@id`.";
    InvalidReverseValue = "invalid @reverse value", "`@reverse` is not an object, so the document is not read. Write an object with the property that leads to this node.";
    InvalidScopedContext = "invalid scoped context", "The context inside of a term is not valid, so the document is not read. Correct it as the message says.";
    InvalidScriptElement = "invalid script element", "A script of the page is not JSON, so the page is not read. Correct it at this place.";
    InvalidSetOrListObject = "invalid set or list object", "An object with `@list` or `@set` has other entries, so the document is not read. Remove all but `@index`.";
    InvalidTermDefinition = "invalid term definition", "The definition of a term is not a string, an object or null, or has entries that do not fit, so the document is not read. Write an IRI, or an object with `@id`.";
    InvalidTypeMapping = "invalid type mapping", "`@type` of a term is neither an IRI nor a type keyword, so the document is not read. Write the IRI of a datatype, or `@id`, `@vocab` or `@json`.";
    InvalidTypeValue = "invalid type value", "`@type` is neither a string nor an array of strings, so the document is not read. Write the IRI of the class, or a term for it.";
    InvalidTypedValue = "invalid typed value", "The type of a value is not one IRI, so the document is not read. Write the IRI of a datatype in full, or declare its prefix.";
    InvalidValueObject = "invalid value object", "An object with `@value` has entries that do not fit, such as `@id`, or both a type and a language, so the document is not read. Remove them.";
    InvalidValueObjectValue = "invalid value object value", "`@value` is an object or an array, so the document is not read. Write one string, number or boolean, and a list of values as an array of such objects.";
    InvalidVersionValue = "invalid @version value", "`@version` is not the number 1.1, so the document is not read. Write `1.1` without quotes, or remove it.";
    InvalidVocabMapping = "invalid vocab mapping", "`@vocab` is neither an IRI, a blank node nor null, so the document is not read. Write an IRI that ends in `/` or `#`.";
    KeywordRedefinition = "keyword redefinition", "The context defines a keyword as a term, so the document is not read. Give the term another name.";
    ListOfLists = "list of lists", "A list contains a list, which processing mode 1.0 does not allow, so the document is not read. Use mode 1.1, or write one list.";
    LoadingDocumentFailed = "loading document failed", "The document cannot be loaded, for the given reason, so there is nothing to read. Check its URL, its media type, and that a page has a script of the type `application/ld+json`.";
    LoadingRemoteContextFailed = "loading remote context failed", "A context from elsewhere cannot be loaded, so its terms are unknown, and the document is not read. Map its URL to a file, allow the network, or write the terms into the document.";
    MultipleContextLinkHeaders = "multiple context link headers", "A server names more than one context for a document, so its terms are unclear, and it is not read. Save the document, and give it one context.";
    ProcessingModeConflict = "processing mode conflict", "The context needs JSON-LD 1.1, but the processing mode is 1.0, so the document is not read. Use mode 1.1, or remove the feature.";
    ProtectedTermRedefinition = "protected term redefinition", "A context redefines a term that an earlier context protects, so the document is not read. Give the new term another name.";
    Rdf12 = "rdf::version", "The document has a key of RDF 1.2, which is not read, so the document is refused. Write it in JSON-LD 1.1.";
    RecursiveContextInclusion = "recursive context inclusion", "A remote context includes itself in processing mode 1.0, so the document is not read. Remove the inclusion.";
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
