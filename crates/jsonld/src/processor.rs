//! `JsonLdProcessor` (section 9.2): the operations, each from a parsed document.

use super::JsonLdError;
use super::arena_sources::ArenaSources;
use super::compaction::compacted_document::CompactedDocument;
use super::compaction::{self, CompactionOptions, TopLevelForm};
use super::context::context_processor::ContextProcessor;
use super::context::term_creation::ContextCall;
use super::context::{ActiveContext, LocalContext};
use super::expanded_arena::ExpandedArena;
use super::expanded_writer::{ExpandedWriter, JsonLdLayout};
use super::expansion::{ExpansionAlgorithm, KeepAll};
use super::from_rdf::{FromRdfError, from_rdf, list_types_left_out};
use super::json_ld_options::{JsonLdOptions, LoadMode};
use super::remote::document_loader::DocumentLoader;
use super::to_rdf::ToRdf;
use super::to_rdf::scene::ExpansionView;
use super::warning::JsonLdWarning;
use evalgraph_json::{JsonDocument, JsonKind, TokenId};
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::sink::QuadSink;
use std::io::{self, Write};
use std::rc::Rc;
use std::sync::Arc;

/// The processor: options, a loader, and the contexts processed so far.
///
/// Contexts are cached by their text, so thousands of equal ones are processed once. Use one processor for many similar
/// documents. It recurses by level of the document, which the JSON parser limits.
///
/// ```
/// use evalgraph_json::{Limits, parse};
/// use evalgraph_jsonld::{JsonLdOptions, JsonLdProcessor, JsonLdLayout, NoLoader};
/// use std::sync::Arc;
///
/// let text = r#"{"@context": {"name": "http://schema.org/name"}, "name": "Ada"}"#;
/// let document = Arc::new(parse("ada.jsonld", text.to_owned(), Limits::default())?);
/// let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader);
/// let expanded = processor.expand(&document)?;
/// assert_eq!(expanded.to_json(JsonLdLayout::Compact), "[{\"http://schema.org/name\":[{\"@value\":\"Ada\"}]}]\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Other methods are in `division.rs`, `flattening/flatten_operation.rs` and `framing/frame_operation.rs`.
pub struct JsonLdProcessor<'l> {
    pub(super) options: JsonLdOptions,
    pub(super) mode: LoadMode,
    pub(super) contexts: ContextProcessor<'l>,
}

/// The results of a conversion to RDF, except for the quads.
#[derive(Debug, Default)]
pub struct ToRdfEffects {
    /// The data that were lost. The index of a warning is the `cause` that the sink gets.
    pub warnings: Vec<JsonLdWarning>,
    /// The distinct IRIs that were moved to the one schema.org namespace, in their original form.
    pub moved_to_schema_org: Vec<Box<str>>,
    /// How many distinct ids that are not IRIs got minted IRIs.
    pub minted: u64,
}

/// An expanded document.
pub struct ExpandedDocument<'p> {
    pub(super) arena: ExpandedArena,
    pub(super) document: &'p Arc<JsonDocument>,
    pub(super) contexts: &'p ContextProcessor<'p>,
    /// The data that were lost.
    pub warnings: Vec<JsonLdWarning>,
}

impl<'l> JsonLdProcessor<'l> {
    /// Makes a processor with options and a loader of remote contexts.
    pub fn new(options: JsonLdOptions, loader: &'l dyn DocumentLoader) -> Self {
        let contexts = ContextProcessor::new(options.processing_mode, loader);
        Self { options, mode: LoadMode::default(), contexts }
    }

    /// Sets the changes that loading makes beyond the specification.
    #[must_use]
    pub fn with_load_mode(mut self, mode: LoadMode) -> Self {
        self.mode = mode;
        self
    }

    /// `expand()`.
    ///
    /// # Errors
    /// The specification's codes, with the place.
    pub fn expand<'p>(
        &'p mut self,
        document: &'p Arc<JsonDocument>,
    ) -> Result<ExpandedDocument<'p>, Box<JsonLdError>> {
        self.contexts.warnings.clear();
        let arena =
            ExpansionAlgorithm::new(&mut self.contexts, document, &self.options, &self.mode, &mut KeepAll)
                .run()?;
        let warnings = std::mem::take(&mut self.contexts.warnings);
        Ok(ExpandedDocument { arena, document, contexts: &self.contexts, warnings })
    }

    /// `compact()`: compacts a document with a context, which is a document that is a context or has one.
    ///
    /// ```
    /// use evalgraph_json::{Limits, parse};
    /// use evalgraph_jsonld::{JsonLdOptions, JsonLdProcessor, JsonLdLayout, NoLoader};
    /// use std::sync::Arc;
    ///
    /// let read = |text: &str| parse("ada.jsonld", text.to_owned(), Limits::default()).map(Arc::new);
    /// let document = read(r#"[{"http://schema.org/name": [{"@value": "Ada"}]}]"#)?;
    /// let context = read(r#"{"@context": {"name": "http://schema.org/name"}}"#)?;
    /// let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader);
    /// let compacted = processor.compact(&document, &context)?;
    /// assert_eq!(
    ///     compacted.to_json(JsonLdLayout::Compact),
    ///     "{\"@context\":{\"name\":\"http://schema.org/name\"},\"name\":\"Ada\"}\n"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The specification's codes, with the place.
    pub fn compact<'p>(
        &'p mut self,
        document: &'p Arc<JsonDocument>,
        context: &'p Arc<JsonDocument>,
    ) -> Result<CompactedDocument<'p>, Box<JsonLdError>> {
        self.contexts.warnings.clear();
        // Only compaction is ordered (`compact()`, step 4).
        let expansion = JsonLdOptions { ordered: false, ..self.options.clone() };
        let arena =
            ExpansionAlgorithm::new(&mut self.contexts, document, &expansion, &self.mode, &mut KeepAll)
                .run()?;
        let given = Some((context, context_value(context)));
        self.compact_arena(&arena, ArenaSources::one(document), given, TopLevelForm::Alone)
    }

    /// Compacts the result of an operation with the given context, if there is one.
    pub(super) fn compact_arena<'p>(
        &'p mut self,
        arena: &ExpandedArena,
        sources: ArenaSources<'p>,
        given: Option<(&'p Arc<JsonDocument>, TokenId)>,
        top: TopLevelForm,
    ) -> Result<CompactedDocument<'p>, Box<JsonLdError>> {
        let active = self.context_of(given)?;
        let options = CompactionOptions {
            compact_arrays: self.options.compact_arrays,
            ordered: self.options.ordered,
            top,
        };
        let pieces = compaction::compact(&mut self.contexts, arena, sources, &arena.top, &active, options)?;
        let warnings = std::mem::take(&mut self.contexts.warnings);
        let context = given.filter(|(context, value)| !is_empty_context(context, *value));
        Ok(CompactedDocument {
            pieces,
            names: &self.contexts.names,
            document: sources.document,
            context,
            warnings,
        })
    }

    /// Returns the active context for the context given to an operation (`compact()`, steps 5 to 8).
    fn context_of(
        &mut self,
        given: Option<(&Arc<JsonDocument>, TokenId)>,
    ) -> Result<Rc<ActiveContext>, Box<JsonLdError>> {
        let options = &self.options;
        let base = options.base.as_ref().or(options.document_url.as_ref());
        let base: Option<Rc<str>> = base.map(|base| base.as_str().into());
        let places = [&options.argument_url, &options.document_url, &options.context_base, &options.base];
        let base_url = places.into_iter().flatten().next().map(|url| url.as_str().into());
        let initial = ActiveContext::initial(self.contexts.serial(), base.clone());
        let mut active = Rc::new(initial.for_compaction());
        if let Some((context, value)) = given {
            let local = LocalContext { document: Arc::clone(context), value, base_url };
            active = self.contexts.process(&active, &local, ContextCall::default())?;
        }
        if options.compact_to_relative || active.base_iri != base {
            return Ok(active);
        }
        // A base in the context itself still applies.
        let mut without_base = active.derive(self.contexts.serial());
        without_base.base_iri = None;
        without_base.original_base_url = None;
        Ok(Rc::new(without_base))
    }

    /// `toRdf()`: passes the terms and quads to a sink.
    ///
    /// # Errors
    /// The specification's codes, with the place. The sink may already have received quads.
    pub fn to_rdf<S: QuadSink>(
        &mut self,
        document: &Arc<JsonDocument>,
        sink: &mut S,
    ) -> Result<ToRdfEffects, Box<JsonLdError>> {
        let converted = self.convert(document, sink);
        // This is done even for a document that fails, because the causes of the next document start again at 0.
        let costs = sink.take_lost_costs();
        let mut conversion = converted?;
        for (cause, cost) in costs {
            if let Some(warning) = conversion.warnings.get_mut(cause as usize) {
                warning.cost = cost;
            }
        }
        Ok(conversion)
    }

    fn convert<S: QuadSink>(
        &mut self,
        document: &Arc<JsonDocument>,
        sink: &mut S,
    ) -> Result<ToRdfEffects, Box<JsonLdError>> {
        self.contexts.warnings.clear();
        let mut conversion = ToRdf::new(document, &self.options, &self.mode, sink);
        let arena =
            ExpansionAlgorithm::new(&mut self.contexts, document, &self.options, &self.mode, &mut conversion)
                .run()?;
        let mut warnings = std::mem::take(&mut self.contexts.warnings);
        conversion.run(&mut ExpansionView::new(&arena, &self.contexts.names, &mut warnings))?;
        let moved = conversion.moved_to_schema_org.iter().map(|&name| self.contexts.names.text(name).into());
        let (moved_to_schema_org, minted) = (moved.collect(), conversion.minted);
        Ok(ToRdfEffects { warnings, moved_to_schema_org, minted })
    }

    /// `fromRdf()`: writes quads as an expanded document, while it is made.
    ///
    /// Nodes, and the keys in them, are written in order of arrival, or with `ordered` in code point order. The cost is
    /// linear in the number of quads. Blank nodes keep their labels. To compact or frame the text, parse and expand it
    /// again.
    ///
    /// ```
    /// use evalgraph_jsonld::{JsonLdOptions, JsonLdProcessor, JsonLdLayout, NoLoader};
    /// use evalgraph_rdf::{QuadBuffer, QuadSink};
    ///
    /// let mut quads = QuadBuffer::new();
    /// let (ada, name) = (quads.iri("http://example.org/ada"), quads.iri("http://schema.org/name"));
    /// let value = quads.string("Ada");
    /// quads.quad(ada, name, value, None);
    /// let mut json = Vec::new();
    /// let processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader);
    /// processor.from_rdf(&quads, JsonLdLayout::Compact, &mut json)?;
    /// let expected = r#"[{"@id":"http://example.org/ada","http://schema.org/name":[{"@value":"Ada"}]}]"#;
    /// assert_eq!(String::from_utf8(json)?.trim_end(), expected);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `invalid JSON literal`; for compound literals `invalid language-tagged string` and `invalid base direction`,
    /// each before anything is written; and the errors of the output.
    pub fn from_rdf(
        &self,
        quads: &QuadBuffer,
        layout: JsonLdLayout,
        out: impl Write,
    ) -> Result<(), FromRdfError> {
        from_rdf(quads, &self.options, layout, out)
    }

    /// Counts the `rdf:type rdf:List` statements about list nodes. [`Self::from_rdf`] leaves them out, because a list
    /// object has no place for them.
    pub fn list_types_left_out(&self, quads: &QuadBuffer) -> u64 {
        list_types_left_out(quads, &self.options)
    }
}

/// Returns the context in a document, or the whole value of the document if it has none.
pub(super) fn context_value(document: &JsonDocument) -> TokenId {
    document.get(document.root(), "@context").unwrap_or(document.root())
}

/// Returns whether a context is empty, so a result does not need it.
pub(super) fn is_empty_context(document: &JsonDocument, value: TokenId) -> bool {
    match document.kind(value) {
        JsonKind::Null => true,
        JsonKind::Object => document.members(value).next().is_none(),
        JsonKind::Array => document.items(value).all(|item| is_empty_context(document, item)),
        _ => false,
    }
}

impl ToRdfEffects {
    /// Returns how many triples are missing because of all losses together.
    pub fn lost_triples(&self) -> u64 {
        self.warnings.iter().map(|warning| warning.cost).sum()
    }
}

impl ExpandedDocument<'_> {
    /// Appends the document as JSON.
    pub fn write_json(&self, layout: JsonLdLayout, json: &mut String) {
        // Without a sink, nothing can fail.
        let _ = self.writer(layout, json, None).write();
    }

    /// Writes the document as JSON, page by page.
    ///
    /// # Errors
    /// The errors of the writer.
    pub fn write_to(&self, layout: JsonLdLayout, writer: &mut dyn Write) -> io::Result<()> {
        self.writer(layout, &mut String::new(), Some(writer)).write()
    }

    fn writer<'w>(
        &'w self,
        layout: JsonLdLayout,
        out: &'w mut String,
        sink: Option<&'w mut dyn Write>,
    ) -> ExpandedWriter<'w> {
        let (arena, names, sources) = (&self.arena, &self.contexts.names, ArenaSources::one(self.document));
        ExpandedWriter { arena, names, sources, layout, out, sink, level: 0, handed_over: Ok(()) }
    }

    /// The document as JSON.
    pub fn to_json(&self, layout: JsonLdLayout) -> String {
        let mut json = String::new();
        self.write_json(layout, &mut json);
        json
    }
}
