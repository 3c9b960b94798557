//! Documents as quads, as the specifications have them.

use super::json_ld::{JsonLd, StrayIds};
use super::opened::{Content, Opened};
use super::records::{each_document, part_of};
use crate::diagnostic::Report;
use crate::input::guard::Guard;
use crate::input::origin::{Origin, folder_name, stem};
use crate::input::source::Input;
use crate::json::Document;
use crate::jsonld::LoadMode;
use crate::rdf::read::Reading;
use crate::rdf::{self, QuadBuffer, QuadSink, RdfFormat, ReadOptions};
use crate::source::records::Recognised;

impl JsonLd {
    /// Reads the records of a file into the buffer; none where it is at fault, which is reported.
    pub(crate) fn read_records(
        &self,
        file: &Document,
        recognised: &Recognised,
        origin: &Origin,
        quads: &mut QuadBuffer,
        report: &mut Report,
    ) -> Option<()> {
        let by_path = part_of(recognised, origin);
        let (dataset, part) = match &origin.stored {
            Some(stored) => (stored.dataset.clone(), stored.part.as_deref()),
            None => {
                let dataset = by_path.map_or_else(|| stem(origin), folder_name);
                (dataset, by_path.map(|part| part.part.as_str()))
            }
        };
        let dataset = (dataset.as_str(), part);
        self.read_records_as((file, recognised), dataset, origin, quads, report)
    }

    /// Reads the records of a file into the buffer under the name of a dataset, and of a part of it.
    pub(crate) fn read_records_as(
        &self,
        (file, recognised): (&Document, &Recognised),
        dataset: (&str, Option<&str>),
        origin: &Origin,
        quads: &mut QuadBuffer,
        report: &mut Report,
    ) -> Option<()> {
        each_document(file, recognised, dataset, report, |document, mode, report| {
            let sink = (&mut *quads, QuadBuffer::take_lost_costs);
            self.convert_into((document, origin), (mode, StrayIds::Kept), sink, report).map(drop)
        })
    }

    /// Reads a document into the buffer; false where it is at fault, which is reported.
    pub(crate) fn read_into(
        &self,
        input: Input,
        format: RdfFormat,
        quads: &mut QuadBuffer,
        report: &mut Report,
    ) -> bool {
        self.opened(input, format, report).is_some_and(|opened| self.read_opened(&opened, quads, report))
    }

    /// Reads what was opened into the buffer, as the specification has it; false where it is at fault,
    /// which is reported.
    pub(crate) fn read_opened(&self, opened: &Opened, quads: &mut QuadBuffer, report: &mut Report) -> bool {
        let origin = &opened.origin;
        match &opened.content {
            Content::Other(input) => {
                let reading = self.read_other(input, opened.format, quads, report);
                for (name, namespace) in reading.iter().flat_map(|reading| &reading.prefixes) {
                    quads.declare_prefix(name, namespace);
                }
                reading.is_some()
            }
            Content::Records { file, recognised, .. } => {
                self.read_records(file, recognised, origin, quads, report).is_some()
            }
            Content::Json { document, .. } => {
                let how = (LoadMode::default(), StrayIds::Dropped);
                let sink = (quads, QuadBuffer::take_lost_costs);
                self.convert_into((document, origin), how, sink, report).is_some()
            }
            Content::Large(_) | Content::LargeCheckpoint(_) => false,
        }
    }

    /// Reads a document of another format than JSON-LD; none where it is at fault, which is
    /// reported.
    pub(crate) fn read_other<S: QuadSink>(
        &self,
        input: &Input,
        format: RdfFormat,
        sink: &mut S,
        report: &mut Report,
    ) -> Option<Reading> {
        let Input { origin, bytes, .. } = input;
        let base = self.options.base.as_deref().or(self.options.document_url.as_deref()).or(origin.url());
        let options = ReadOptions { format, base };
        let read = rdf::read_within(&origin.name, bytes, options, self.reading.limits.size, sink);
        let faults = |errors| {
            let guard = Guard::of(bytes);
            for error in errors {
                report.told::<()>(guard.checked(Err(Box::new(error))));
            }
        };
        let reading = read.map_err(faults).ok()?;
        report.add_all(&reading.warnings);
        Some(reading)
    }
}
