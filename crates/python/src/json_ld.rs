//! The JSON-LD API over texts of JSON, for the functions of `python/evalgraph/jsonld.py`.

use std::sync::{Arc, Mutex, PoisonError};

use evalgraph::Error;
use evalgraph::diagnostic::Diagnostic;
use evalgraph::json::{JsonDocument, Limits, parse};
use evalgraph::jsonld::{
    CONTEXT_PROFILE, DocumentLoader, FRAME_PROFILE, FramingOptions, FromRdfError, JSON_LD, JsonLdEmbed,
    JsonLdError, JsonLdErrorCode, JsonLdLayout, JsonLdOptions, JsonLdProcessor, LoadDocumentOptions,
    LoadError, LoadFailure, MediaType, ProcessingMode, RdfDirection, RemoteDocument,
};
use evalgraph::rdf::QuadBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::call::{CallLimits, MemorySize, without_lock};
use crate::graphs::PythonGraph;

/// The options of an operation, of which the functions in Python give all.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct JsonLdCallOptions {
    base: Option<String>,
    expand_context: Option<String>,
    processing_mode: String,
    ordered: bool,
    rdf_direction: Option<String>,
    produce_generalized_rdf: bool,
    compact_arrays: bool,
    compact_to_relative: bool,
    use_native_types: bool,
    use_rdf_type: bool,
    embed: String,
    explicit: bool,
    omit_default: bool,
    require_all: bool,
    omit_graph: Option<bool>,
    extract_all_scripts: bool,
    timeout: Option<f64>,
    max_memory: Option<MemorySize>,
}

impl JsonLdCallOptions {
    fn limits(&self) -> PyResult<CallLimits> {
        CallLimits::from_request(self.timeout, self.max_memory.clone())
    }

    /// Returns the options of the library.
    fn options(&self) -> PyResult<JsonLdOptions> {
        let unknown =
            |name: &str, value: &str| PyValueError::new_err(format!("`{value}` is not a value of {name}"));
        let embed = match self.embed.as_str() {
            "@always" => JsonLdEmbed::Always,
            "@once" => JsonLdEmbed::Once,
            "@never" => JsonLdEmbed::Never,
            "@last" => JsonLdEmbed::Last,
            other => return Err(unknown("embed", other)),
        };
        let processing_mode = match self.processing_mode.as_str() {
            "json-ld-1.0" => ProcessingMode::JsonLd1_0,
            "json-ld-1.1" => ProcessingMode::JsonLd1_1,
            other => return Err(unknown("processingMode", other)),
        };
        let rdf_direction = match self.rdf_direction.as_deref() {
            None => None,
            Some("i18n-datatype") => Some(RdfDirection::I18nDatatype),
            Some("compound-literal") => Some(RdfDirection::CompoundLiteral),
            Some(other) => return Err(unknown("rdfDirection", other)),
        };
        Ok(JsonLdOptions {
            base: self.base.clone(),
            processing_mode,
            ordered: self.ordered,
            rdf_direction,
            produce_generalized_rdf: self.produce_generalized_rdf,
            compact_arrays: self.compact_arrays,
            compact_to_relative: self.compact_to_relative,
            use_native_types: self.use_native_types,
            use_rdf_type: self.use_rdf_type,
            framing: FramingOptions {
                embed,
                explicit: self.explicit,
                omit_default: self.omit_default,
                require_all: self.require_all,
                omit_graph: self.omit_graph,
                max_depth: None,
            },
            ..JsonLdOptions::default()
        })
    }
}

/// A document: its text, or the URL at which a loader finds it.
#[derive(FromPyObject)]
pub(crate) struct JsonLdInput {
    #[pyo3(item)]
    text: Option<String>,
    #[pyo3(item)]
    url: Option<String>,
}

impl JsonLdInput {
    /// Returns the document. `profile` is that of contexts or frames.
    fn read(
        &self,
        name: &str,
        profile: Option<&str>,
        extract_all_scripts: bool,
        loader: &PythonLoader,
    ) -> Result<RemoteDocument, Error> {
        let Some(url) = &self.url else {
            let text = self.text.clone().unwrap_or_default();
            return Ok(RemoteDocument::new("", parsed(name, text)?));
        };
        let asked = profile.map_or_else(LoadDocumentOptions::default, LoadDocumentOptions::for_profile);
        let asked = LoadDocumentOptions { extract_all_scripts, ..asked };
        loader.remote(url, &asked).map_err(Error::from)
    }
}

fn parsed(name: &str, text: String) -> Result<Arc<JsonDocument>, Error> {
    Ok(Arc::new(parse(name, text, Limits::default())?))
}

/// A function of Python that loads documents: it takes a URL and options, and returns a dictionary.
pub(crate) struct PythonLoader {
    pub(crate) function: Option<Py<PyAny>>,
    /// The exception of the function, which becomes the cause of the error.
    pub(crate) raised: Mutex<Option<PyErr>>,
}

impl PythonLoader {
    fn remote(&self, url: &str, options: &LoadDocumentOptions) -> Result<RemoteDocument, Box<Diagnostic>> {
        let failed = |message: String| {
            Box::new(Diagnostic::error(JsonLdErrorCode::LoadingDocumentFailed.as_str(), message))
        };
        let Some(function) = &self.function else {
            return Err(failed(format!("`{url}` is not loaded, because no document loader is set")));
        };
        let found = Python::attach(|py| LoadedText::from_python(function.bind(py), url));
        let found = found.map_err(|raised| {
            let message = format!("`{url}` cannot be loaded: {raised}");
            *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(raised);
            failed(message)
        })?;
        let media_type = found.content_type.as_deref().map(MediaType::parse);
        let document_url = found.document_url.as_deref().unwrap_or(url);
        let mut remote = RemoteDocument::from_bytes(
            url,
            document_url,
            found.bytes,
            media_type.as_ref(),
            options,
            Limits::default(),
        )?;
        remote.context_url = found.context_url;
        Ok(remote)
    }
}

impl DocumentLoader for PythonLoader {
    fn load(&self, url: &str, options: &LoadDocumentOptions) -> Result<RemoteDocument, LoadError> {
        self.remote(url, options).map_err(|fault| {
            let codes = JsonLdErrorCode::ALL;
            let code = codes.iter().find(|code| code.as_str() == fault.code);
            let code = code.copied().unwrap_or(JsonLdErrorCode::LoadingDocumentFailed);
            LoadError::Failed(Box::new(LoadFailure { code, message: fault.message.clone(), help: None }))
        })
    }
}

/// What a loader in Python has found.
struct LoadedText {
    bytes: Vec<u8>,
    content_type: Option<String>,
    document_url: Option<String>,
    context_url: Option<String>,
}

impl LoadedText {
    fn from_python(function: &Bound<'_, PyAny>, url: &str) -> PyResult<Self> {
        let py = function.py();
        let found = function.call1((url, pyo3::types::PyDict::new(py)))?;
        let text = |key: &str| -> PyResult<Option<String>> {
            let value = found.call_method1("get", (key,))?;
            value.extract()
        };
        let document = found.call_method1("get", ("document",))?;
        let (bytes, is_text) = if let Ok(text) = document.extract::<String>() {
            (text.into_bytes(), true)
        } else if let Ok(bytes) = document.cast::<PyBytes>() {
            (bytes.as_bytes().to_vec(), true)
        } else {
            let json: String = py.import("json")?.getattr("dumps")?.call1((document,))?.extract()?;
            (json.into_bytes(), false)
        };
        // What is parsed already is JSON, whatever it was sent as.
        let content_type = if is_text { text("contentType")? } else { Some(JSON_LD.to_owned()) };
        Ok(Self { bytes, content_type, document_url: text("documentUrl")?, context_url: text("contextUrl")? })
    }
}

/// What an operation gives.
enum JsonLdOutput {
    Json(String),
    Quads(Box<QuadBuffer>),
}

/// Runs `expand`, `compact`, `flatten`, `frame` or `to_rdf`. `argument` is the context or the frame.
#[pyfunction]
pub(crate) fn json_ld<'py>(
    py: Python<'py>,
    operation: String,
    input: JsonLdInput,
    argument: Option<JsonLdInput>,
    options: JsonLdCallOptions,
    loader: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (ready, limits) = (options.options()?, options.limits()?);
    let loader = Arc::new(PythonLoader { function: loader, raised: Mutex::new(None) });
    let used = Arc::clone(&loader);
    let done = without_lock(py, limits, move |_| {
        processed(&operation, &input, argument.as_ref(), &options, ready, &used)
    });
    let done = done.inspect_err(|error| {
        let cause = loader.raised.lock().unwrap_or_else(PoisonError::into_inner).take();
        error.set_cause(py, cause);
    })?;
    match done {
        JsonLdOutput::Json(text) => Ok(text.into_pyobject(py)?.into_any()),
        JsonLdOutput::Quads(quads) => Ok(PythonGraph::new(*quads).into_pyobject(py)?.into_any()),
    }
}

fn processed(
    operation: &str,
    input: &JsonLdInput,
    argument: Option<&JsonLdInput>,
    arguments: &JsonLdCallOptions,
    mut options: JsonLdOptions,
    loader: &PythonLoader,
) -> Result<JsonLdOutput, Error> {
    let refused = |error: Box<JsonLdError>| Error::from(Box::new(error.diagnostic()));
    let layout = JsonLdLayout::Compact;
    let remote = input.read("input", None, arguments.extract_all_scripts, loader)?;
    if input.url.is_some() {
        options = options.for_remote(&remote);
    }
    if let Some(context) = &arguments.expand_context {
        options.expand_context = Some(parsed("expandContext", context.clone())?);
    }
    let is_frame = operation == "frame";
    let profile = if is_frame { FRAME_PROFILE } else { CONTEXT_PROFILE };
    let name = if is_frame { "frame" } else { "context" };
    let argument = argument.map(|argument| {
        let read = argument.read(name, Some(profile), false, loader)?;
        if argument.url.is_some() {
            options.argument_url = Some(read.document_url.clone());
        }
        Ok::<_, Error>(read.document)
    });
    let argument = argument.transpose()?;
    let document = &remote.document;
    let mut processor = JsonLdProcessor::new(options, loader);
    let empty = parsed("context", "{}".to_owned())?;
    Ok(JsonLdOutput::Json(match (operation, &argument) {
        ("expand", _) => processor.expand(document).map_err(refused)?.to_json(layout),
        ("flatten", context) => {
            processor.flatten(document, context.as_ref()).map_err(refused)?.to_json(layout)
        }
        ("compact", context) => {
            processor.compact(document, context.as_ref().unwrap_or(&empty)).map_err(refused)?.to_json(layout)
        }
        ("frame", frame) => {
            processor.frame(document, frame.as_ref().unwrap_or(&empty)).map_err(refused)?.to_json(layout)
        }
        _ => {
            let mut quads = QuadBuffer::new();
            processor.to_rdf(document, &mut quads).map_err(refused)?;
            return Ok(JsonLdOutput::Quads(Box::new(quads)));
        }
    }))
}

/// Runs `from_rdf`: returns expanded JSON-LD.
#[pyfunction]
pub(crate) fn json_ld_from_rdf(
    py: Python<'_>,
    graph: &PythonGraph,
    options: JsonLdCallOptions,
) -> PyResult<String> {
    let (ready, quads) = (options.options()?, graph.quads());
    without_lock(py, options.limits()?, move |_| {
        let mut json = Vec::new();
        let processor = JsonLdProcessor::new(ready, &evalgraph::jsonld::NoLoader);
        processor.from_rdf(&quads, JsonLdLayout::Compact, &mut json).map_err(|error| {
            Error::from(Box::new(match error {
                FromRdfError::Io(error) => Diagnostic::error("output::unwritable", error.to_string()),
                FromRdfError::JsonLd(error) => error.diagnostic(),
            }))
        })?;
        Ok(String::from_utf8_lossy(&json).into_owned())
    })
}
