//! The one way to open a file: reads it, says what it is, and refuses what cannot be used. What it
//! says as quads is converted here, too, so that every command tells the same losses.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::json_ld::{JsonLd, StrayIds, report_warnings};
use super::opened::{Content, Opened};
use super::parsing::Parsed;
use crate::diagnostic::Report;
use crate::input::options::ReadingOptions;
use crate::input::origin::Origin;
use crate::input::source::{Begun, Input, InputSource};
use crate::input::syntax::Syntax;
use crate::json::Document;
use crate::jsonld::{LoadMode, MediaType};
use crate::rdf::{self, QuadSink, RdfFormat};
use crate::source::karenina::Survey;

impl JsonLd {
    /// Opens a source; none where it is at fault, which is reported.
    pub(crate) fn open(
        &self,
        source: &InputSource,
        reading: &ReadingOptions,
        report: &mut Report,
    ) -> Option<Opened> {
        let (input, format) = open(source, self, reading, report)?;
        self.opened(input, format, report)
    }

    /// Says what an input is whose format is known; none where it is at fault, which is reported. A checkpoint
    /// of version 2.0 comes as the JSON-LD that the user interface would make of it.
    pub(crate) fn opened(&self, input: Input, format: RdfFormat, report: &mut Report) -> Option<Opened> {
        let opened = self.opened_as_it_is(input, format, report)?;
        self.in_json_ld(opened, report)
    }

    /// As [`Self::opened`], a checkpoint of version 2.0 being left as it is.
    pub(crate) fn opened_as_it_is(
        &self,
        input: Input,
        format: RdfFormat,
        report: &mut Report,
    ) -> Option<Opened> {
        let name = input.name.clone();
        if format != RdfFormat::JsonLd {
            let origin = Origin::of(&input);
            let content = Content::Other(input);
            return Some(Opened { name, origin, format, root_id: None, content, sha256: None });
        }
        let syntax = input.syntax;
        let Parsed { document, origin } = self.parse_data(input, report)?;
        if let Some(recognised) = self.recognise(&document, &origin, report).ok()? {
            let content = Content::Records { file: document, recognised, syntax };
            return Some(Opened { name, origin, format, root_id: None, content, sha256: None });
        }
        self.opened_json_ld(document, origin, report)
    }

    /// Says what a document is that is JSON-LD, whatever records it may look like; none where it is refused,
    /// which is reported.
    pub(crate) fn opened_json_ld(
        &self,
        document: Arc<Document>,
        origin: Origin,
        report: &mut Report,
    ) -> Option<Opened> {
        let survey = Survey::of(&document);
        let detection = survey.detect();
        // The API takes any JSON.
        let refusal = survey.refusal(&document, &detection, self.has_context()).filter(|_| !self.is_api());
        if let Some(refusal) = refusal {
            report.add(&refusal);
            return None;
        }
        let name = document.name().to_string();
        let content = Content::Json { document: Arc::clone(&document), survey, file: document, detection };
        Some(Opened { name, origin, format: RdfFormat::JsonLd, root_id: None, content, sha256: None })
    }

    /// A checkpoint of version 2.0 as JSON-LD, anything else as it is.
    fn in_json_ld(&self, mut opened: Opened, report: &mut Report) -> Option<Opened> {
        if let Content::Json { document, survey, file, detection } = &mut opened.content {
            if detection.dialect.is_version_2() {
                *document = self.of_any_version(Arc::clone(file), report)?;
                *survey = Survey::of(document);
            }
            let root_id = survey.root_id.and_then(|id| document.string(id));
            opened.root_id = root_id.map(|id| id.into_owned());
        }
        Some(opened)
    }

    /// Hands what a document in JSON-LD says to a sink, and reports what is lost; how often an IRI of
    /// schema.org was moved. None where the document is at fault, which is reported.
    pub(crate) fn convert_into<S: QuadSink>(
        &self,
        (document, origin): (&Arc<Document>, &Origin),
        (mode, ids): (LoadMode, StrayIds),
        (sink, lost_costs): (&mut S, impl FnOnce(&mut S) -> BTreeMap<u32, u64>),
        report: &mut Report,
    ) -> Option<u64> {
        let result =
            self.with_processor(origin, |processor| processor.with_load_mode(mode).to_rdf(document, sink));
        match result {
            Ok(mut conversion) => {
                sink.document_end(document);
                conversion.set_costs(lost_costs(sink));
                report_warnings(&conversion.warnings, ids, report);
                Some(conversion.moved_to_schema_org.len() as u64)
            }
            Err(error) => {
                report.add(&error.diagnostic());
                lost_costs(sink);
                None
            }
        }
    }
}

/// Reads a source and recognises its format; none where it is at fault, which is reported.
pub(crate) fn open(
    source: &InputSource,
    json_ld: &JsonLd,
    arguments: &ReadingOptions,
    report: &mut Report,
) -> Option<(Input, RdfFormat)> {
    let begun = json_ld.begin(source).map_err(|fault| report.add(&fault)).ok()?;
    open_begun(begun, json_ld, arguments, report)
}

/// As [`open`], of an input of which the beginning was read.
pub(crate) fn open_begun(
    begun: Begun,
    json_ld: &JsonLd,
    arguments: &ReadingOptions,
    report: &mut Report,
) -> Option<(Input, RdfFormat)> {
    let mut input = match json_ld.read_rest(begun) {
        Ok(input) => input,
        Err(fault) => {
            report.add(&fault);
            return None;
        }
    };
    if let Some(format) = arguments.named_format() {
        return Some((input, format));
    }
    if input.syntax != Syntax::Json {
        return Some((input, RdfFormat::JsonLd));
    }
    if let Some(syntax) = Syntax::of(&input.name, &input.bytes) {
        input.syntax = syntax;
        return Some((input, RdfFormat::JsonLd));
    }
    if arguments.named_system().is_some() {
        return Some((input, RdfFormat::JsonLd));
    }
    if let Some(format) = format_of_server(&input) {
        return Some((input, format));
    }
    if let Some(arrival) = &mut input.arrival {
        // What says nothing of the content must not overrule it.
        arrival.media_type = None;
    }
    match rdf::detect(&input.name, &input.bytes) {
        Ok(detection) => {
            report.add_all(&detection.note);
            Some((input, detection.format))
        }
        Err(fault) => {
            report.add(&fault);
            None
        }
    }
}

/// The format that the server of an input gave, if it says one.
pub(crate) fn format_of_server(input: &Input) -> Option<RdfFormat> {
    format_of(input.arrival.as_ref()?.media_type.as_ref()?)
}

/// The format of a media type that a server gave; none where servers give it to anything.
fn format_of(media_type: &MediaType) -> Option<RdfFormat> {
    match media_type.essence() {
        "text/plain" | "application/xml" | "text/xml" => None,
        _ if media_type.is_html() => Some(RdfFormat::JsonLd),
        essence => RdfFormat::from_media_type(essence),
    }
}
