//! The one document of an operation of the JSON-LD API, and JSON-LD made of RDF.

use std::sync::Arc;

use super::json_ld::JsonLd;
use super::opening::format_of_server;
use super::parsing::Parsed;
use crate::diagnostic::{Diagnostic, Failure, Report};
use crate::input::find::find_sources;
use crate::input::source::Input;
use crate::json::Document;
use crate::jsonld::{FromRdfError, JsonLdProcessor, Layout, NoLoader};
use crate::rdf::{self, QuadBuffer, RdfFormat};

impl JsonLd {
    /// Parses the only input of a command.
    ///
    /// # Errors
    ///
    /// Where it is none or several, cannot be read or is no JSON; the last is reported.
    pub(crate) fn parse_only(
        &self,
        command: &str,
        input: &str,
        report: &mut Report,
    ) -> Result<Parsed, Failure> {
        let (sources, faults) = find_sources(&[input.to_owned()]);
        report.add_all(&faults);
        match sources.as_slice() {
            [] => Err(Failure::Reported),
            [source] => self.parse_any(self.read(source)?, report).ok_or(Failure::Reported),
            several => {
                let found = several.len();
                let message = format!("`{command}` takes one document, and the input is {found} files");
                Err(Diagnostic::error("input::several", message).into())
            }
        }
    }

    /// Parses JSON-LD, or makes it of another RDF format; none where the input is at fault, which is
    /// reported. What is not known to be another format is JSON-LD, whatever it looks like.
    fn parse_any(&self, input: Input, report: &mut Report) -> Option<Parsed> {
        let format = self.reading.named_format().or_else(|| format_of_server(&input.origin));
        let format = format.or_else(|| Some(rdf::detect(&input.origin.name, &input.bytes).ok()?.format));
        let Some(format) = format.filter(|format| *format != RdfFormat::JsonLd) else {
            return self.parse(input, report);
        };
        let origin = input.origin.clone();
        let mut quads = QuadBuffer::new();
        if !self.read_into(input, format, &mut quads, report) {
            return None;
        }
        let document = report.told(expanded(&origin.name, &quads, self))?;
        Some(Parsed { document, origin })
    }
}

/// Quads as a parsed document. What is found in it has no place in the input.
pub(crate) fn expanded(
    name: &str,
    quads: &QuadBuffer,
    json_ld: &JsonLd,
) -> Result<Arc<Document>, Box<Diagnostic>> {
    let mut bytes = Vec::new();
    from_rdf(quads, json_ld, Layout::Compact, &mut bytes).map_err(|error| match error {
        FromRdfError::JsonLd(error) => Box::new(error.diagnostic()),
        FromRdfError::Io(error) => Box::new(Diagnostic::error("output::unwritable", error.to_string())),
    })?;
    let text = crate::json::decode(name, bytes)?;
    Ok(Arc::new(crate::json::parse(name, text, json_ld.limits_of_own_text())?.made_of_file()))
}

/// Writes quads as expanded JSON-LD.
pub(crate) fn from_rdf(
    quads: &QuadBuffer,
    json_ld: &JsonLd,
    layout: Layout,
    out: impl std::io::Write,
) -> Result<(), FromRdfError> {
    JsonLdProcessor::new(json_ld.options.clone(), &NoLoader).from_rdf(quads, layout, out)
}
