//! `evalgraph expand`: the Expansion Algorithm, exactly as the specification has it.

use std::io::Write;

use clap::Args;

use super::arguments::{IriArguments, JsonLdArguments, OutputArguments, ReadingArguments};
use super::input::find_sources;
use super::json_ld::{JsonLd, StrayIds, report_warnings};
use super::output::Output;
use super::report::Report;
use super::{Answer, Stop};
use crate::diagnostic::Diagnostic;
use crate::jsonld::Layout;

const EXAMPLES: &str = "\
Examples:
  evalgraph expand checkpoint.jsonld
  evalgraph expand - --base https://example.org/ < document.jsonld
  evalgraph expand doc.jsonld --map https://example.org/context=context.jsonld";

/// The arguments of `expand`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ExpandArguments {
    /// A file, or `-` for stdin; gzip and zstd are opened
    input: String,
    #[command(flatten)]
    reading: ReadingArguments,
    #[command(flatten)]
    iris: IriArguments,
    #[command(flatten)]
    json_ld: JsonLdArguments,
    #[command(flatten)]
    output: OutputArguments,
}

/// Runs `expand`.
pub(super) fn run(arguments: &ExpandArguments, report: &mut Report) -> Result<Answer, Stop> {
    report.set_strictness(arguments.reading.strictness());
    let json_ld = JsonLd::new(&arguments.iris, &arguments.json_ld, &arguments.reading)?;
    let (sources, faults) = find_sources(std::slice::from_ref(&arguments.input));
    report.add_all(&faults);
    let [source] = sources.as_slice() else {
        return Err(one_input(sources.len()));
    };
    let input = source.read(arguments.reading.max_size)?;
    let path = input.path.clone();
    let document = json_ld.parse(input, report).ok_or(Stop::Failed)?;
    let expanded = json_ld.with_processor(path.as_deref(), |mut processor| {
        let expanded = processor.expand(&document).map_err(|error| Box::new(error.diagnostic()))?;
        report_warnings(&expanded.warnings, StrayIds::Dropped, report);
        Ok::<_, Box<Diagnostic>>(expanded.to_json(Layout::Indented))
    })?;
    if report.has_failed() {
        return Err(Stop::Failed);
    }
    let mut output = Output::open(arguments.output.output.as_deref())?;
    output.write_all(expanded.as_bytes()).map_err(|error| output.stop(&error))?;
    output.finish()?;
    Ok(Answer::Yes)
}

fn one_input(found: usize) -> Stop {
    if found == 0 {
        return Stop::Failed;
    }
    let message = format!("`expand` takes one document, and the input is {found} files");
    Diagnostic::error("input::several", message).into()
}
