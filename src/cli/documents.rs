//! The way of every command from its arguments to documents: finds the inputs, reads them,
//! recognises their formats, and reports every fault of every one.

use super::Stop;
use super::arguments::{InputArguments, IriArguments, JsonLdArguments, ReadingArguments};
use super::input::{Input, InputSource, find_sources};
use super::report::Report;
use crate::jsonld::{JsonLdOptions, RdfDirection};
use crate::rdf::{self, QuadBuffer, RdfFormat, ReadOptions};

/// Finds all sources. Faults are reported.
///
/// # Errors
///
/// Stops where a source is missing and the rest is not wanted, or where there is no rest.
pub(super) fn sources(arguments: &InputArguments, report: &mut Report) -> Result<Vec<InputSource>, Stop> {
    report.set_strictness(arguments.reading.strictness());
    let (sources, faults) = find_sources(&arguments.inputs);
    report.add_all(&faults);
    if sources.is_empty() && !faults.is_empty() {
        return Err(Stop::Failed);
    }
    Ok(sources)
}

/// Reads a source and recognises its format; none where it is at fault, which is reported.
pub(super) fn open(
    source: &InputSource,
    arguments: &ReadingArguments,
    report: &mut Report,
) -> Option<(Input, RdfFormat)> {
    let input = match source.read(arguments.max_size) {
        Ok(input) => input,
        Err(fault) => {
            report.add(&fault);
            return None;
        }
    };
    if let Some(format) = arguments.named_format() {
        return Some((input, format));
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

/// Ends the run where something failed, unless the rest is wanted in spite of it.
///
/// # Errors
///
/// [`Stop::Failed`].
pub(super) fn check(arguments: &InputArguments, report: &Report) -> Result<(), Stop> {
    if report.has_failed() && !arguments.keep_going { Err(Stop::Failed) } else { Ok(()) }
}

/// The JSON-LD processor and the RDF readers behind one door, with the options of the command.
#[derive(Debug)]
pub(super) struct JsonLd {
    options: JsonLdOptions,
}

impl JsonLd {
    /// Takes the options.
    ///
    /// # Errors
    ///
    /// Where `--expand-context` cannot be read.
    pub(super) fn new(
        iris: &IriArguments,
        json_ld: &JsonLdArguments,
        reading: &ReadingArguments,
    ) -> Result<Self, Stop> {
        let _ = reading;
        let options = JsonLdOptions {
            base: iris.base.clone(),
            document_url: iris.document_url.clone(),
            processing_mode: json_ld.processing_mode.unwrap_or_default(),
            ordered: json_ld.ordered,
            ..JsonLdOptions::default()
        };
        Ok(Self { options })
    }

    pub(super) fn with_rdf_direction(mut self, direction: Option<RdfDirection>) -> Self {
        self.options.rdf_direction = direction;
        self
    }

    pub(super) fn with_generalized_rdf(mut self, is_wanted: bool) -> Self {
        self.options.produce_generalized_rdf = is_wanted;
        self
    }

    /// Reads a document into the buffer; false where it is at fault, which is reported.
    pub(super) fn read_into(
        &self,
        input: Input,
        format: RdfFormat,
        quads: &mut QuadBuffer,
        report: &mut Report,
    ) -> bool {
        let base = self.options.base.as_deref().or(self.options.document_url.as_deref());
        match rdf::read(&input.name, &input.bytes, ReadOptions { format, base }, quads) {
            Ok(reading) => {
                report.add_all(&reading.warnings);
                for (name, namespace) in &reading.prefixes {
                    quads.declare_prefix(name, namespace);
                }
                true
            }
            Err(errors) => {
                report.add_all(&errors);
                false
            }
        }
    }
}
