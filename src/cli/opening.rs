//! The one way to open a file: reads it, says what it is, and refuses what cannot be used. What it
//! says as quads is converted here, too, so that every command tells the same losses.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::documents;
use super::json_ld::{JsonLd, Parsed, StrayIds, report_warnings};
use super::named::{Content, Opened};
use crate::diagnostic::Report;
use crate::input::options::ReadingOptions;
use crate::input::origin::Origin;
use crate::input::source::{Input, InputSource};
use crate::json::Document;
use crate::jsonld::LoadMode;
use crate::rdf::{QuadSink, RdfFormat};
use crate::source::karenina::Survey;

impl JsonLd {
    /// Opens a source; none where it is at fault, which is reported.
    pub(super) fn open(
        &self,
        source: &InputSource,
        reading: &ReadingOptions,
        report: &mut Report,
    ) -> Option<Opened> {
        let (input, format) = documents::open(source, self, reading, report)?;
        self.opened(input, format, report)
    }

    /// Says what an input is whose format is known; none where it is at fault, which is reported. A checkpoint
    /// of version 2.0 comes as the JSON-LD that the user interface would make of it.
    pub(super) fn opened(&self, input: Input, format: RdfFormat, report: &mut Report) -> Option<Opened> {
        let opened = self.opened_as_it_is(input, format, report)?;
        self.in_json_ld(opened, report)
    }

    /// As [`Self::opened`], a checkpoint of version 2.0 being left as it is.
    pub(super) fn opened_as_it_is(
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
    pub(super) fn opened_json_ld(
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
    pub(super) fn convert_into<S: QuadSink>(
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
