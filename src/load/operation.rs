//! The operations of the JSON-LD API on single documents: from the name of an input to the text of the result.

use std::io::{self, Write};

use super::json_ld::{JsonLd, StrayIds, report_warnings};
use super::parsing::Parsed;
use crate::diagnostic::{Failure, Report};
use crate::jsonld::{Compacted, Expanded, Flattened, FramingOptions, Layout};

/// An operation of the JSON-LD API on one document, with what it takes (JSON-LD 1.1 Processing Algorithms and API,
/// section 9).
///
/// Contexts and frames are files, URLs that are mapped or built in, or `karenina`, `karenina-spec`, `karenina-gui` and
/// `schema.org`.
#[derive(Debug, Clone)]
pub struct Operation {
    algorithm: Algorithm,
    /// Where the context or the frame is said to live.
    url: Option<String>,
    compact_arrays: bool,
    compact_to_relative: bool,
}

#[derive(Debug, Clone)]
enum Algorithm {
    Expand,
    Compact { context: String },
    Flatten { context: Option<String> },
    Frame { frame: String, options: FramingOptions },
}

impl Operation {
    /// The Expansion Algorithm: every IRI in full, every value an object.
    pub fn expand() -> Self {
        Self::of(Algorithm::Expand)
    }

    /// The Compaction Algorithm: IRIs and values in the short forms of a context.
    pub fn compact(context: impl Into<String>) -> Self {
        Self::of(Algorithm::Compact { context: context.into() })
    }

    /// The Flattening Algorithm: every node once, under a context where there is one.
    pub fn flatten(context: Option<String>) -> Self {
        Self::of(Algorithm::Flatten { context })
    }

    /// The Framing Algorithm: the nodes that a frame matches, as trees of its shape. The depth is that of the limits.
    pub fn frame(frame: impl Into<String>, options: FramingOptions) -> Self {
        Self::of(Algorithm::Frame { frame: frame.into(), options })
    }

    fn of(algorithm: Algorithm) -> Self {
        Self { algorithm, url: None, compact_arrays: true, compact_to_relative: true }
    }

    /// Says where the context or the frame lives: its relative IRIs are resolved against that.
    #[must_use]
    pub fn living_at(mut self, url: Option<String>) -> Self {
        self.url = url;
        self
    }

    /// Says whether an array of one value becomes that value.
    #[must_use]
    pub fn compact_arrays(mut self, is_wanted: bool) -> Self {
        self.compact_arrays = is_wanted;
        self
    }

    /// Says whether IRIs become relative to the base.
    #[must_use]
    pub fn compact_to_relative(mut self, is_wanted: bool) -> Self {
        self.compact_to_relative = is_wanted;
        self
    }

    /// The name that messages have for it.
    fn name(&self) -> &'static str {
        match self.algorithm {
            Algorithm::Expand => "expand",
            Algorithm::Compact { .. } => "compact",
            Algorithm::Flatten { .. } => "flatten",
            Algorithm::Frame { .. } => "frame",
        }
    }
}

/// Holds the result of an operation, which is not text yet.
pub(crate) enum Processed<'p> {
    Expanded(Expanded<'p>),
    Compacted(Compacted<'p>),
    Flattened(Flattened<'p>),
}

impl Processed<'_> {
    /// Writes the result as indented JSON.
    pub(crate) fn write_to(&self, writer: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Expanded(expanded) => expanded.write_to(Layout::Indented, writer),
            Self::Compacted(compacted) => compacted.write_to(Layout::Indented, writer),
            Self::Flattened(flattened) => flattened.write_to(Layout::Indented, writer),
        }
    }
}

impl JsonLd {
    /// Does an operation with the only document of an input, and hands on the result.
    ///
    /// # Errors
    ///
    /// Where the input, the context or the frame cannot be read, or the algorithm refuses them.
    pub(crate) fn process<T, E: From<Failure>>(
        mut self,
        operation: &Operation,
        input: &str,
        report: &mut Report,
        write: impl FnOnce(&Processed<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let url = operation.url.as_deref();
        let argument = match &operation.algorithm {
            Algorithm::Expand | Algorithm::Flatten { context: None } => None,
            Algorithm::Compact { context } | Algorithm::Flatten { context: Some(context) } => {
                Some(self.context(context, url)?)
            }
            Algorithm::Frame { frame, options } => Some(self.frame(frame, url, *options)?),
        };
        self.options.compact_arrays = operation.compact_arrays;
        self.options.compact_to_relative = operation.compact_to_relative;
        let Parsed { document, origin } = self.parse_only(operation.name(), input, report)?;
        self.with_processor(&origin, |mut processor| {
            let processed = match (&operation.algorithm, &argument) {
                (Algorithm::Flatten { .. }, context) => {
                    processor.flatten(&document, context.as_ref()).map(Processed::Flattened)
                }
                (Algorithm::Compact { .. }, Some(context)) => {
                    processor.compact(&document, context).map(Processed::Compacted)
                }
                (Algorithm::Frame { .. }, Some(frame)) => {
                    processor.frame(&document, frame).map(Processed::Compacted)
                }
                (Algorithm::Expand | Algorithm::Compact { .. } | Algorithm::Frame { .. }, _) => {
                    processor.expand(&document).map(Processed::Expanded)
                }
            };
            let processed = processed.map_err(|error| Failure::from(error.diagnostic()))?;
            let warnings = match &processed {
                Processed::Expanded(expanded) => &expanded.warnings,
                Processed::Compacted(compacted) => &compacted.warnings,
                Processed::Flattened(flattened) => flattened.warnings(),
            };
            report_warnings(warnings, StrayIds::Dropped, report);
            if report.has_failed() {
                return Err(Failure::Reported.into());
            }
            write(&processed)
        })
    }
}
